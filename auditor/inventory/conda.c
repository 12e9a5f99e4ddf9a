/* A conda prefix: its records in conda-meta, and which dist-infos of its site-packages are conda's.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/conda.h"
#include "inventory/read.h"

static void release_prefix(struct ea_conda_prefix *prefix)
{
	ea_buf_release(&prefix->text);
	ea_buf_release(&prefix->scratch);
}

/* NAME-VERSION-BUILD.json: a name may contain '-', the others never do. */
static struct ea_str split_file_name(struct ea_str name, struct ea_str *ret_version,
				     struct ea_str *ret_build)
{
	struct ea_str *part[] = { ret_build, ret_version };

	name.len -= strlen(".json");
	for (size_t i = 0; i < EA_ARRAY_SIZE(part); i++) {
		const char *dash = name.len ? memrchr(name.ptr, '-', name.len) : NULL;
		size_t at = dash ? (size_t)(dash - name.ptr) : name.len;

		*part[i] = ea_str_skip(name, at + 1);
		name.len = at;
	}
	return name;
}

static void read_record(struct ea_conda_prefix *prefix, const char *file_name)
{
	struct ea_inventory *inv = prefix->inv;
	struct ea_str version, build, name;
	struct ea_component *component;
	int rc;

	name = split_file_name(ea_str(file_name), &version, &build);
	component = ea_inventory_component(inv, EA_MANAGER_CONDA, name);
	component->version = version.len ? ea_arena_dup_str(inv->arena, version) : NULL;
	component->build = build.len ? ea_arena_dup_str(inv->arena, build) : NULL;
	component->location = ea_path_join(inv->arena, prefix->meta, file_name);
	component->base = prefix->path;
	ea_buf_clear(&prefix->text);
	rc = ea_root_read(prefix->root, component->location, EA_LIMIT_JSON, &prefix->text);
	if (rc < 0) {
		component->no_record = true;
		if (rc == -EACCES)
			prefix->forbidden++;
		else
			ea_inventory_unread(inv, component->location, rc);
	} else if (ea_conda_parse_record(prefix, component)) {
		inv->components.n--;
	}
}

/* ---- one prefix ------------------------------------------------------------------------- */

static bool is_record_name(const char *name)
{
	return ea_str_ends(ea_str(name), ".json");
}

/* python-3.11.7-h0_0_cpython.json */
static bool is_python_record(const char *file_name, struct ea_str *ret_version)
{
	struct ea_str build;

	return ea_str_is(split_file_name(ea_str(file_name), ret_version, &build), "python");
}

/* The python's own record comes first: the others' paths may depend on it. */
static void read_python_record(struct ea_conda_prefix *prefix, const struct ea_names *names)
{
	struct ea_str version, rest, major, minor;

	prefix->site = ea_arena_dup(prefix->inv->arena, "site-packages");
	ea_vec_foreach(name, &names->list) {
		if (!is_python_record(name->text, &version))
			continue;
		rest = version;
		if (ea_str_token(&rest, '.', &major) && ea_str_token(&rest, '.', &minor))
			prefix->site = ea_arena_printf(prefix->inv->arena,
						       "lib/python" EA_STR_FMT "." EA_STR_FMT
						       "/site-packages",
						       EA_STR_ARG(major), EA_STR_ARG(minor));
		read_record(prefix, name->text);
	}
}

static int by_location(const void *a, const void *b)
{
	const struct ea_component *one = *(struct ea_component *const *)a;
	const struct ea_component *two = *(struct ea_component *const *)b;

	return strcmp(one->location, two->location);
}

int ea_conda_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	struct ea_conda_prefix prefix EA_CLEANUP(release_prefix) = { .root = root, .inv = inv };
	uint32_t before = inv->components.n;
	struct ea_str version;
	struct ea_names names;

	prefix.path = ea_arena_dup(inv->arena, folder);
	prefix.meta = ea_path_join(inv->arena, folder, "conda-meta");
	if (!ea_inventory_list(inv, root, prefix.meta, is_record_name, &names))
		return 1;
	read_python_record(&prefix, &names);
	ea_vec_foreach(name, &names.list)
		if (!is_python_record(name->text, &version))
			read_record(&prefix, name->text);
	if (inv->components.n > before)
		qsort(inv->components.items + before, inv->components.n - before,
		      sizeof(*inv->components.items), by_location);
	if (prefix.forbidden)
		ea_inventory_gap(inv, prefix.meta, EA_GAP_UNREAD,
				 "%u of %u package records cannot be read: %s", prefix.forbidden,
				 names.list.n, strerror(EACCES));
	return 0;
}

/* ---- whose dist-info -------------------------------------------------------------------- */

bool ea_conda_is_anchor(struct ea_str path)
{
	return ea_str_ends(path, ".dist-info/RECORD") || ea_str_ends(path, ".egg-info/PKG-INFO") ||
	       ea_str_ends(path, ".egg-info");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool lists(const char **anchors, size_t n, const char *dist, const char *file)
{
	struct ea_buf path EA_CLEANUP(ea_buf_release) = { 0 };
	const char *text;

	ea_buf_printf(&path, "%s%s", dist, file);
	text = ea_buf_text(&path);
	return n && bsearch(&text, anchors, n, sizeof(*anchors), by_text);
}

/* An unreadable record of the prefix may be the one that lists the dist-info: then INSTALLER
 * counts. */
static bool may_be_unread(struct ea_component *const *components, uint32_t n,
			  const struct ea_component *dist)
{
	for (uint32_t i = 0; i < n; i++)
		if (components[i]->manager == EA_MANAGER_CONDA && components[i]->no_record &&
		    ea_path_within(dist->location, components[i]->base))
			return true;
	return false;
}

void ea_conda_claim_dists(struct ea_component *const *components, uint32_t n)
{
	const char **anchors EA_CLEANUP(ea_free_ptr) = NULL;
	size_t n_anchors = 0, total = 0;

	for (uint32_t i = 0; i < n; i++)
		if (components[i]->manager == EA_MANAGER_CONDA)
			total += components[i]->records.n;
	if (total)
		anchors = ea_xmalloc(total * sizeof(*anchors));
	for (uint32_t i = 0; i < n; i++) {
		if (components[i]->manager != EA_MANAGER_CONDA)
			continue;
		ea_vec_foreach(record, &components[i]->records)
			if (ea_conda_is_anchor(ea_str(record->path)))
				anchors[n_anchors++] = record->path;
	}
	if (n_anchors)
		qsort(anchors, n_anchors, sizeof(*anchors), by_text);
	for (uint32_t i = 0; i < n; i++) {
		struct ea_component *dist = components[i];

		if (dist->manager != EA_MANAGER_PIP)
			continue;
		dist->conda_owned =
			lists(anchors, n_anchors, dist->location, "/RECORD") ||
			lists(anchors, n_anchors, dist->location, "/PKG-INFO") ||
			lists(anchors, n_anchors, dist->location, "") ||
			(ea_streq(dist->installer, "conda") && may_be_unread(components, n, dist));
	}
}
