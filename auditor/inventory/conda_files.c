/* The files of one of conda's records: the list `files` and what paths_data says of its entries. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/conda.h"
#include "inventory/read.h"

/* An entry of paths_data: the record it makes, and the path by which `files` lists it. */
struct ea_conda_described {
	const char *listed;
	struct ea_record record;
};

void ea_conda_files_release(struct ea_conda_files *files)
{
	ea_buf_release(&files->listed);
	ea_buf_release(&files->original);
}

/* ---- paths ------------------------------------------------------------------------------ */

#define NOARCH_SITE    "site-packages/"
#define NOARCH_SCRIPTS "python-scripts/"

/* Absolute form of a recorded path; noarch packages have two folders that depend on the python. */
static const char *expand(struct ea_conda_prefix *prefix, struct ea_str path)
{
	const char *base = prefix->path;

	if (ea_str_starts(path, NOARCH_SITE)) {
		base = ea_path_join(prefix->inv->arena, prefix->path, prefix->site);
		path = ea_str_skip(path, strlen(NOARCH_SITE));
	} else if (ea_str_starts(path, NOARCH_SCRIPTS)) {
		base = ea_path_join(prefix->inv->arena, prefix->path, "bin");
		path = ea_str_skip(path, strlen(NOARCH_SCRIPTS));
	}
	ea_path_normalize(&prefix->scratch, base, path);
	return ea_buf_text(&prefix->scratch);
}

/* Most paths are none of those: they are not made absolute first. */
static bool is_kept(struct ea_conda_prefix *prefix, struct ea_str path)
{
	if (ea_str_starts(path, NOARCH_SCRIPTS))
		path = ea_str(expand(prefix, path));
	return ea_record_matters(path) || ea_record_is_program(path) || ea_conda_is_anchor(path);
}

void ea_conda_take_files(struct ea_conda_files *files)
{
	struct ea_conda_prefix *prefix = files->prefix;
	struct ea_str path;

	if (!ea_json_array(files->json))
		return;
	while (ea_json_item(files->json)) {
		if (!ea_json_string(files->json, &path))
			continue;
		files->component->n_files++;
		if (is_kept(prefix, path))
			ea_inventory_record(prefix->inv, files->component,
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

static void take_path_member(struct ea_conda_files *files, struct ea_str key,
			     struct path_entry *entry)
{
	struct ea_json *json = files->json;

	if (ea_str_is(key, "_path"))
		take_into(json, &files->listed);
	else if (ea_str_is(key, "original_path"))
		take_into(json, &files->original);
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

static void take_path(struct ea_conda_files *files)
{
	struct ea_conda_prefix *prefix = files->prefix;
	struct path_entry entry = { 0 };
	struct ea_conda_described *described;
	struct ea_str key;

	ea_buf_clear(&files->listed);
	ea_buf_clear(&files->original);
	if (!ea_json_object(files->json))
		return;
	while (ea_json_member(files->json, &key))
		take_path_member(files, key, &entry);
	files->n_described++;
	if (ea_str_is(entry.type, "directory") || !is_kept(prefix, ea_buf_str(&files->listed)) ||
	    files->described.n == EA_LIMIT_RECORDS)
		return;
	described = ea_vec_add(&files->described, prefix->inv->arena);
	described->listed =
		ea_arena_dup(prefix->inv->arena, expand(prefix, ea_buf_str(&files->listed)));
	described->record.path = described->listed;
	describe(&entry, &described->record);
	if (files->original.len) {
		described->record.path = ea_arena_dup(prefix->inv->arena,
						      expand(prefix, ea_buf_str(&files->original)));
		described->record.flags |= EA_RECORD_CLOBBERED;
	}
}

void ea_conda_take_paths_data(struct ea_conda_files *files)
{
	struct ea_json *json = files->json;
	struct ea_str key;

	if (!ea_json_object(json))
		return;
	while (ea_json_member(json, &key)) {
		if (!ea_str_is(key, "paths"))
			ea_json_skip(json);
		else if (ea_json_array(json))
			while (ea_json_item(json))
				take_path(files);
	}
}

/* ---- joining both lists ----------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct ea_record *)a)->path, ((const struct ea_record *)b)->path);
}

static int by_listed(const void *a, const void *b)
{
	return strcmp(((const struct ea_conda_described *)a)->listed,
		      ((const struct ea_conda_described *)b)->listed);
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
void ea_conda_join_files(struct ea_conda_files *files)
{
	struct ea_component *component = files->component;
	struct ea_conda_described *described = files->described.items;
	uint32_t at = 0, n = files->described.n;

	if (n)
		qsort(described, n, sizeof(*described), by_listed);
	if (!component->n_files) {
		component->n_files = files->n_described;
		for (uint32_t i = 0; i < n; i++)
			ea_vec_push(&component->records, files->prefix->inv->arena,
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
		if (!ea_path_within(record->path, files->prefix->path))
			record->flags |= EA_RECORD_OUTSIDE;
}
