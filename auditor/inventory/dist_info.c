/* Python packages of one site-packages folder: dist-info and egg-info, and what half-done work
 * left. */
#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/json.h"
#include "inventory/metadata.h"
#include "inventory/read.h"
#include "inventory/record.h"

struct site {
	const struct ea_root *root;
	const char *folder;
	struct ea_str prefix;
	struct ea_inventory *inv;
	struct ea_buf text; /* scratch: small files */
};

static void release_site(struct site *site)
{
	ea_buf_release(&site->text);
}

static void add_leftover(struct site *site, enum ea_leftover_kind kind, const char *path,
			 const struct ea_component *component, const struct ea_component *other)
{
	*ea_vec_add(&site->inv->leftovers, site->inv->arena) =
		(struct ea_leftover){ kind, path, component, other };
}

/* ---- one package ------------------------------------------------------------------------ */

/* The files of a dist-info or egg-info folder that are read. */
enum part {
	PART_METADATA,
	PART_RECORD,
	PART_INSTALLER,
	PART_REQUESTED,
	PART_DIRECT_URL,
	PART_PKG_INFO,
	PART_INSTALLED_FILES,
	PART_REQUIRES,
};

static const char *const part_names[] = {
	[PART_METADATA] = "METADATA",
	[PART_RECORD] = "RECORD",
	[PART_INSTALLER] = "INSTALLER",
	[PART_REQUESTED] = "REQUESTED",
	[PART_DIRECT_URL] = "direct_url.json",
	[PART_PKG_INFO] = "PKG-INFO",
	[PART_INSTALLED_FILES] = "installed-files.txt",
	[PART_REQUIRES] = "requires.txt",
};

static bool has(unsigned parts, enum part part)
{
	return parts & 1u << part;
}

static int note_part(void *arg, const struct ea_entry *entry)
{
	unsigned *parts = arg;

	for (size_t i = 0; i < EA_ARRAY_SIZE(part_names); i++)
		if (strcmp(entry->name, part_names[i]) == 0)
			*parts |= 1u << i;
	return 0;
}

static char *part_path(struct site *site, const struct ea_component *component, enum part part)
{
	return ea_path_join(site->inv->arena, component->location, part_names[part]);
}

static bool read_part(struct site *site, const struct ea_component *component, enum part part,
		      size_t limit)
{
	return ea_inventory_text(site->inv, site->root, part_path(site, component, part), limit,
				 &site->text);
}

/* `torch-2.4.1+cu121` or `six-1.16.0-py3.9`: the name ends before the first '-' with a digit after
 * it. */
static struct ea_str split_stem(struct ea_str stem, struct ea_str *ret_version)
{
	for (size_t i = 0; i + 1 < stem.len; i++) {
		if (stem.ptr[i] != '-' || stem.ptr[i + 1] < '0' || stem.ptr[i + 1] > '9')
			continue;
		*ret_version = ea_str_skip(stem, i + 1);
		ret_version->len = ea_str_find(*ret_version, '-');
		return (struct ea_str){ stem.ptr, i };
	}
	*ret_version = (struct ea_str){ 0 };
	return stem;
}

/* A component with what the folder's name says; its metadata may say better. */
static struct ea_component *add_package(struct site *site, const char *name, const char *suffix)
{
	struct ea_arena *arena = site->inv->arena;
	struct ea_str stem = { name, strlen(name) - strlen(suffix) }, version;
	struct ea_component *component;

	stem = split_stem(stem, &version);
	component = ea_inventory_component(site->inv, EA_MANAGER_PIP, stem);
	component->version = version.len ? ea_arena_dup_str(arena, version) : NULL;
	component->location = ea_path_join(arena, site->folder, name);
	component->base = site->folder;
	return component;
}

static void take_dir_info(struct ea_json *json, struct ea_component *component)
{
	struct ea_str key;

	if (!ea_json_object(json))
		return;
	while (ea_json_member(json, &key))
		if (ea_str_is(key, "editable"))
			component->editable = ea_json_true(json);
		else
			ea_json_skip(json);
}

static void take_direct_url(struct site *site, struct ea_component *component)
{
	struct ea_json json EA_CLEANUP(ea_json_release);
	struct ea_str key, url;

	ea_json_init(&json, ea_buf_str(&site->text));
	if (ea_json_object(&json)) {
		while (ea_json_member(&json, &key)) {
			if (ea_str_is(key, "dir_info"))
				take_dir_info(&json, component);
			else if (!ea_str_is(key, "url"))
				ea_json_skip(&json);
			else if (ea_json_string(&json, &url))
				component->direct_url = ea_inventory_url(site->inv->arena, url);
		}
	}
	ea_json_end(&json);
	if (json.fault)
		ea_inventory_bad_json(site->inv, part_path(site, component, PART_DIRECT_URL),
				      &json);
}

static void read_dist_info(struct site *site, const char *name)
{
	struct ea_component *component = add_package(site, name, ".dist-info");
	unsigned parts = 0;
	int rc = ea_root_list(site->root, component->location, note_part, &parts);

	if (rc < 0)
		ea_inventory_unread(site->inv, component->location, rc);
	else if (!has(parts, PART_METADATA))
		add_leftover(site, EA_LEFTOVER_NO_METADATA, component->location, component, NULL);
	if (has(parts, PART_METADATA))
		ea_metadata_read(site->root, part_path(site, component, PART_METADATA), site->inv,
				 component);
	component->requested = has(parts, PART_REQUESTED);
	component->no_record = !has(parts, PART_RECORD) ||
			       ea_record_read(site->root, part_path(site, component, PART_RECORD),
					      site->folder, site->prefix, site->inv, component);
	if (has(parts, PART_INSTALLER) && read_part(site, component, PART_INSTALLER, EA_LIMIT_TEXT))
		component->installer =
			ea_arena_dup_str(site->inv->arena, ea_str_trim(ea_buf_str(&site->text)));
	if (has(parts, PART_DIRECT_URL) &&
	    read_part(site, component, PART_DIRECT_URL, EA_LIMIT_TEXT))
		take_direct_url(site, component);
}

/* requires.txt: a requirement a line, in sections: [:marker] holds conditional ones, [extra]
 * others. */
static void take_requires(struct site *site, struct ea_component *component)
{
	struct ea_str rest = ea_buf_str(&site->text), line, marker = { 0 };
	struct ea_arena *arena = site->inv->arena;
	bool of_extra = false;

	while (ea_str_line(&rest, &line)) {
		line = ea_str_trim(line);
		if (ea_str_starts(line, "[")) {
			of_extra = !ea_str_starts(line, "[:");
			marker = ea_str_skip(line, 2);
			marker.len = ea_str_find(marker, ']');
		} else if (line.len && !of_extra) {
			ea_vec_push(&component->requires, arena,
				    ea_arena_printf(arena, EA_STR_FMT "%s" EA_STR_FMT,
						    EA_STR_ARG(line), marker.len ? "; " : "",
						    EA_STR_ARG(marker)));
		}
	}
}

/* An egg-info is a folder (setuptools) or, from distutils, only its PKG-INFO under this name. */
static void read_egg_info(struct site *site, const char *name)
{
	struct ea_component *component = add_package(site, name, ".egg-info");
	unsigned parts = 0;
	int rc = ea_root_list(site->root, component->location, note_part, &parts);

	if (rc == -ENOTDIR)
		ea_metadata_read(site->root, component->location, site->inv, component);
	else if (rc < 0)
		ea_inventory_unread(site->inv, component->location, rc);
	if (has(parts, PART_PKG_INFO))
		ea_metadata_read(site->root, part_path(site, component, PART_PKG_INFO), site->inv,
				 component);
	component->no_record = !has(parts, PART_INSTALLED_FILES) ||
			       ea_installed_files_read(
				       site->root, part_path(site, component, PART_INSTALLED_FILES),
				       component->location, site->prefix, site->inv, component);
	if (has(parts, PART_REQUIRES) && read_part(site, component, PART_REQUIRES, EA_LIMIT_TEXT))
		take_requires(site, component);
}

/* ---- leftovers -------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct ea_component *one = *(struct ea_component *const *)a;
	const struct ea_component *two = *(struct ea_component *const *)b;
	int order = strcmp(one->key, two->key);

	return order ? order : strcmp(one->location, two->location);
}

static void find_twins(struct site *site, struct ea_component *const *components, uint32_t n)
{
	struct ea_component **sorted = ea_arena_array(site->inv->arena, struct ea_component *, n);

	memcpy(sorted, components, n * sizeof(struct ea_component *));
	qsort(sorted, n, sizeof(*sorted), by_key);
	for (uint32_t i = 1; i < n; i++)
		if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0)
			add_leftover(site, EA_LEFTOVER_TWO_VERSIONS, sorted[i]->location, sorted[i],
				     sorted[i - 1]);
}

/*
 * A package that lists libraries of which not one is there. Usually the first is, and settles it.
 * Nothing is said of one whose list was too long to keep whole.
 */
static bool lost_its_files(struct site *site, const struct ea_component *component)
{
	bool any = false;

	if (component->records.n == EA_LIMIT_RECORDS)
		return false;
	ea_vec_foreach(record, &component->records) {
		struct ea_stat stat;
		int rc;

		if (!ea_path_may_be_library(ea_str(ea_path_base(record->path))))
			continue;
		rc = ea_root_stat(site->root, record->path, EA_NOFOLLOW, &stat);
		if (rc != -ENOENT && rc != -ENOTDIR)
			return false;
		any = true;
	}
	return any;
}

/* pip renames what it is about to delete: ~orch today, -orch before pip 10. No name starts so. */
static bool is_pip_temp(const char *name)
{
	return ea_str_starts(ea_str(name), "~") || ea_str_starts(ea_str(name), "-");
}

static bool is_of_interest(const char *name)
{
	struct ea_str text = ea_str(name);

	return is_pip_temp(name) || ea_str_ends(text, ".dist-info") ||
	       ea_str_ends(text, ".egg-info");
}

int ea_dist_info_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	struct site site EA_CLEANUP(release_site) = { .root = root, .inv = inv };
	uint32_t before = inv->components.n;
	struct ea_names names;

	site.folder = ea_arena_dup(inv->arena, folder);
	site.prefix = ea_site_prefix(site.folder);
	if (!ea_inventory_list(inv, root, folder, is_of_interest, &names))
		return 1;
	ea_vec_foreach(name, &names.list) {
		if (is_pip_temp(name->text))
			add_leftover(&site, EA_LEFTOVER_PIP_TEMP,
				     ea_path_join(inv->arena, site.folder, name->text), NULL, NULL);
		else if (ea_str_ends(ea_str(name->text), ".dist-info"))
			read_dist_info(&site, name->text);
		else
			read_egg_info(&site, name->text);
	}
	if (inv->components.n > before)
		find_twins(&site, inv->components.items + before, inv->components.n - before);
	for (uint32_t i = before; i < inv->components.n; i++)
		if (lost_its_files(&site, inv->components.items[i]))
			add_leftover(&site, EA_LEFTOVER_NO_FILES,
				     inv->components.items[i]->location, inv->components.items[i],
				     NULL);
	return 0;
}
