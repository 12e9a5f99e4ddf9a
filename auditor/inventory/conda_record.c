/* One of conda's records: a JSON file of any age and writer. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/conda.h"
#include "inventory/json.h"
#include "inventory/read.h"

/* One record while it is read. */
struct reading {
	struct ea_conda_prefix *prefix;
	struct ea_json json;
	struct ea_component *component;
	EA_VEC(struct described) described;
	uint32_t n_described; /* with those that are not kept */
	const char *url, *channel, *site;
	struct ea_buf listed, original; /* scratch: _path and original_path */
	bool named;
};

/* An entry of paths_data: the record it makes, and the path by which `files` lists it. */
struct described {
	const char *listed;
	struct ea_record record;
};

static void release_reading(struct reading *reading)
{
	ea_json_release(&reading->json);
	ea_buf_release(&reading->listed);
	ea_buf_release(&reading->original);
}

/* ---- paths ------------------------------------------------------------------------------ */

static bool is_kept(struct ea_str path)
{
	return ea_record_matters(path) || ea_conda_is_anchor(path);
}

/* Absolute form of a recorded path; noarch packages have two folders that depend on the python. */
static const char *expand(struct ea_conda_prefix *prefix, struct ea_str path)
{
	static const char site[] = "site-packages/", scripts[] = "python-scripts/";
	char *base = NULL;

	if (ea_str_starts(path, site)) {
		base = ea_path_join(prefix->inv->arena, prefix->path, prefix->site);
		path = ea_str_skip(path, strlen(site));
	} else if (ea_str_starts(path, scripts)) {
		base = ea_path_join(prefix->inv->arena, prefix->path, "bin");
		path = ea_str_skip(path, strlen(scripts));
	}
	ea_path_normalize(&prefix->scratch, base ? base : prefix->path, path);
	return ea_buf_text(&prefix->scratch);
}

static void take_files(struct reading *reading)
{
	struct ea_conda_prefix *prefix = reading->prefix;
	struct ea_str path;

	if (!ea_json_array(&reading->json))
		return;
	while (ea_json_item(&reading->json)) {
		if (!ea_json_string(&reading->json, &path))
			continue;
		reading->component->n_files++;
		if (is_kept(path))
			ea_inventory_record(prefix->inv, reading->component,
					    ea_str(expand(prefix, path)));
	}
}

/* ---- paths_data ------------------------------------------------------------------------- */

/* One entry as it stands. The views are of the record's text. */
struct path_entry {
	struct ea_str type, mode, sha256, sha256_in_prefix;
	uint64_t size;
	bool has_size;
};

/* A string that stays valid: one with escapes is none of those asked for here. */
static struct ea_str plain_string(struct ea_json *json)
{
	struct ea_str text = { 0 };

	if (!ea_json_string(json, &text) || text.ptr == json->text.ptr)
		return (struct ea_str){ 0 };
	return text;
}

static void take_into(struct ea_json *json, struct ea_buf *out)
{
	struct ea_str text;

	ea_buf_clear(out);
	if (ea_json_string(json, &text))
		ea_buf_add_str(out, text);
}

static void take_path_member(struct reading *reading, struct ea_str key, struct path_entry *entry)
{
	struct ea_json *json = &reading->json;

	if (ea_str_is(key, "_path"))
		take_into(json, &reading->listed);
	else if (ea_str_is(key, "original_path"))
		take_into(json, &reading->original);
	else if (ea_str_is(key, "path_type"))
		entry->type = plain_string(json);
	else if (ea_str_is(key, "file_mode"))
		entry->mode = plain_string(json);
	else if (ea_str_is(key, "sha256"))
		entry->sha256 = plain_string(json);
	else if (ea_str_is(key, "sha256_in_prefix"))
		entry->sha256_in_prefix = plain_string(json);
	else if (ea_str_is(key, "size_in_bytes"))
		entry->has_size = ea_json_u64(json, &entry->size);
	else
		ea_json_skip(json);
}

/*
 * Size and hash of a link are those of the file it led to when the package was built, and nothing
 * where it led nowhere; a link's sha256_in_prefix, if any, is of its text.
 */
static void describe(const struct path_entry *entry, struct ea_record *record)
{
	struct ea_str hash = entry->sha256;

	if (ea_str_is(entry->type, "softlink")) {
		record->flags |= EA_RECORD_LINK;
		if (!entry->size)
			return;
	} else if (entry->sha256_in_prefix.len) {
		hash = entry->sha256_in_prefix;
	}
	if (ea_str_is(entry->mode, "text"))
		record->flags |= EA_RECORD_REWRITTEN;
	if (entry->has_size) {
		record->size = entry->size;
		record->flags |= EA_RECORD_HAS_SIZE;
	}
	if (ea_inventory_hex(hash, record->digest, sizeof(record->digest)))
		record->flags |= EA_RECORD_HAS_SHA256;
}

static void take_path(struct reading *reading)
{
	struct ea_conda_prefix *prefix = reading->prefix;
	struct path_entry entry = { 0 };
	struct described *described;
	struct ea_str key;

	ea_buf_clear(&reading->listed);
	ea_buf_clear(&reading->original);
	if (!ea_json_object(&reading->json))
		return;
	while (ea_json_member(&reading->json, &key))
		take_path_member(reading, key, &entry);
	reading->n_described++;
	if (ea_str_is(entry.type, "directory") || !is_kept(ea_buf_str(&reading->listed)) ||
	    reading->described.n == EA_LIMIT_RECORDS)
		return;
	described = ea_vec_add(&reading->described, prefix->inv->arena);
	described->listed =
		ea_arena_dup(prefix->inv->arena, expand(prefix, ea_buf_str(&reading->listed)));
	described->record.path = described->listed;
	describe(&entry, &described->record);
	if (reading->original.len) {
		described->record.path = ea_arena_dup(
			prefix->inv->arena, expand(prefix, ea_buf_str(&reading->original)));
		described->record.flags |= EA_RECORD_CLOBBERED;
	}
}

static void take_paths_data(struct reading *reading)
{
	struct ea_json *json = &reading->json;
	struct ea_str key;

	if (!ea_json_object(json))
		return;
	while (ea_json_member(json, &key)) {
		if (!ea_str_is(key, "paths"))
			ea_json_skip(json);
		else if (ea_json_array(json))
			while (ea_json_item(json))
				take_path(reading);
	}
}

/* ---- joining both lists ----------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct ea_record *)a)->path, ((const struct ea_record *)b)->path);
}

static int by_listed(const void *a, const void *b)
{
	return strcmp(((const struct described *)a)->listed, ((const struct described *)b)->listed);
}

/* Sorts, and drops what one package lists twice: old conda did so with entry points. */
static void sort_records(struct ea_component *component)
{
	struct ea_record *records = component->records.items;
	uint32_t n = 0;

	if (!component->records.n)
		return;
	qsort(records, component->records.n, sizeof(*records), by_path);
	for (uint32_t i = 1; i < component->records.n; i++)
		if (strcmp(records[i].path, records[n].path) != 0)
			records[++n] = records[i];
	component->records.n = n + 1;
}

/*
 * `files` is what a package owns; paths_data only describes it, since installers may leave that
 * empty and old conda had none. Where there is no `files`, paths_data has to do.
 */
static void join_lists(struct reading *reading)
{
	struct ea_component *component = reading->component;
	struct described *described = reading->described.items;
	uint32_t at = 0, n = reading->described.n;

	if (n)
		qsort(described, n, sizeof(*described), by_listed);
	if (!component->n_files) {
		component->n_files = reading->n_described;
		for (uint32_t i = 0; i < n; i++)
			ea_vec_push(&component->records, reading->prefix->inv->arena,
				    described[i].record);
	} else {
		sort_records(component);
		ea_vec_foreach(record, &component->records) {
			while (at < n && strcmp(described[at].listed, record->path) < 0)
				at++;
			if (at < n && strcmp(described[at].listed, record->path) == 0)
				*record = described[at].record;
		}
	}
	sort_records(component);
	ea_vec_foreach(record, &component->records)
		if (!ea_path_within(record->path, reading->prefix->path))
			record->flags |= EA_RECORD_OUTSIDE;
}

/* ---- one record ------------------------------------------------------------------------- */

/* HOST/CHANNEL/SUBDIR: a channel is what stands between, and a URL without a host stays as it is.
 */
static const char *channel_of(struct ea_arena *arena, const char *url, bool has_subdir)
{
	char *clean = ea_inventory_url(arena, ea_str(url)), *end = clean + strlen(clean), *scheme,
	     *path;

	while (end > clean && end[-1] == '/')
		*--end = '\0';
	if (has_subdir && (end = strrchr(clean, '/')))
		*end = '\0';
	scheme = strstr(clean, "://");
	if (!scheme || strncmp(clean, "file:", 5) == 0)
		return clean;
	path = strchr(scheme + strlen("://"), '/');
	return path ? path + 1 : clean;
}

/* The record's url is CHANNEL/SUBDIR/FILE; `channel` has the subdir with conda, not with rattler.
 */
static void take_channel(struct reading *reading)
{
	struct ea_arena *arena = reading->prefix->inv->arena;
	const char *url = reading->url, *channel = reading->channel;
	struct ea_str folder;

	if (url && strchr(url, '/')) {
		folder = ea_path_dir(url);
		reading->component->channel =
			channel_of(arena, ea_arena_dup_str(arena, folder), true);
	} else if (channel && *channel) {
		reading->component->channel =
			channel_of(arena, channel, !ea_str_ends(ea_str(channel), "/"));
	}
}

static const char *take_text(struct reading *reading)
{
	struct ea_str text;

	if (!ea_json_string(&reading->json, &text))
		return NULL;
	return ea_arena_dup_str(reading->prefix->inv->arena, text);
}

static void take_depends(struct reading *reading)
{
	const char *spec;

	if (!ea_json_array(&reading->json))
		return;
	while (ea_json_item(&reading->json)) {
		spec = take_text(reading);
		if (spec)
			ea_vec_push(&reading->component->requires, reading->prefix->inv->arena,
				    spec);
	}
}

/* conda writes "None" for what nobody asked for; newer tools have a list, empty then. */
static bool take_requested(struct reading *reading, bool list)
{
	struct ea_json *json = &reading->json;
	struct ea_str spec;
	bool any = false;

	if (!list)
		return ea_json_string(json, &spec) && spec.len && !ea_str_is(spec, "None");
	if (!ea_json_array(json))
		return false;
	while (ea_json_item(json))
		any |= ea_json_string(json, &spec) && spec.len;
	return any;
}

static void take_name(struct reading *reading)
{
	const char *name = take_text(reading);

	if (!name)
		return;
	reading->named = true;
	reading->component->name = name;
	reading->component->key = ea_component_key(reading->prefix->inv->arena, ea_str(name));
}

static void take_member(struct reading *reading, struct ea_str key)
{
	struct ea_component *component = reading->component;

	if (ea_str_is(key, "name"))
		take_name(reading);
	else if (ea_str_is(key, "version"))
		component->version = take_text(reading);
	else if (ea_str_is(key, "build"))
		component->build = take_text(reading);
	else if (ea_str_is(key, "url"))
		reading->url = take_text(reading);
	else if (ea_str_is(key, "channel"))
		reading->channel = take_text(reading);
	else if (ea_str_is(key, "python_site_packages_path"))
		reading->site = take_text(reading);
	else if (ea_str_is(key, "requested_spec"))
		component->requested |= take_requested(reading, false);
	else if (ea_str_is(key, "requested_specs"))
		component->requested |= take_requested(reading, true);
	else if (ea_str_is(key, "depends"))
		take_depends(reading);
	else if (ea_str_is(key, "files"))
		take_files(reading);
	else if (ea_str_is(key, "paths_data"))
		take_paths_data(reading);
	else
		ea_json_skip(&reading->json);
}

int ea_conda_parse_record(struct ea_conda_prefix *prefix, struct ea_component *component)
{
	struct reading reading EA_CLEANUP(release_reading) = {
		.prefix = prefix,
		.component = component,
	};
	struct ea_str key;

	ea_json_init(&reading.json, ea_buf_str(&prefix->text));
	if (ea_json_object(&reading.json))
		while (ea_json_member(&reading.json, &key))
			take_member(&reading, key);
	ea_json_end(&reading.json);
	if (reading.json.fault) {
		ea_inventory_bad_json(prefix->inv, component->location, &reading.json);
		component->no_record = true;
		component->records.n = 0;
		return 0;
	}
	if (!reading.named && !component->n_files)
		return 1;
	join_lists(&reading);
	take_channel(&reading);
	if (reading.site && ea_streq(component->key, "python"))
		prefix->site = ea_arena_dup(prefix->inv->arena, reading.site);
	return 0;
}
