/* The tables of facts: reading their files, and one folder's rows over another's. */
#include "matrix/matrix.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/range.h"

/* A table that was read; tables with a file for each package are there several times. */
struct table {
	const struct ea_table_def *def;
	const char *package; /* or NULL */
	struct ea_row_list rows;
	EA_VEC(const char *) keys; /* of the rows */
	EA_VEC(uint32_t) folders;  /* that they came from */
	struct table *next;
};

struct ea_matrix {
	struct ea_arena arena;
	EA_VEC(const char *) dirs;
	struct table *tables;
	struct ea_text_list changes;
};

struct ea_matrix *ea_matrix_new(const char *const *dirs, size_t n_dirs)
{
	struct ea_matrix *matrix = ea_xmalloc(sizeof(*matrix));

	*matrix = (struct ea_matrix){ 0 };
	for (size_t i = 0; i < n_dirs; i++)
		ea_vec_push(&matrix->dirs, &matrix->arena, ea_arena_dup(&matrix->arena, dirs[i]));
	return matrix;
}

void ea_matrix_free(struct ea_matrix *matrix)
{
	if (!matrix)
		return;
	ea_arena_release(&matrix->arena);
	free(matrix);
}

/* ---- one row ------------------------------------------------------------------------------- */

/* A source with a name, so that rows need not repeat it. */
struct source {
	const char *name, *text, *date;
};

static const struct ea_cfg_field source_fields[] = {
	EA_CFG_FIELD(struct source, name, STRING, .required = true),
	EA_CFG_FIELD(struct source, text, STRING, .required = true),
	EA_CFG_FIELD(struct source, date, STRING, .required = true),
};

struct file {
	struct ea_matrix *matrix;
	uint32_t folder;
	EA_VEC(struct source) sources;
};

static int check_date(const config_setting_t *group, const char *date, struct ea_err *err)
{
	static const char form[] = "dddd-dd-dd";
	bool fits = strlen(date) == sizeof(form) - 1;

	for (size_t i = 0; fits && form[i]; i++)
		fits = form[i] == 'd' ? isdigit((unsigned char)date[i]) : date[i] == form[i];
	return fits ? 0
		    : ea_cfg_error(group, err, "key 'date': expected YYYY-MM-DD, found \"%s\"",
				   date);
}

/* Each row says where it comes from and when, itself or through one of the file's sources. */
static int settle_source(const struct file *file, const config_setting_t *group, struct ea_row *row,
			 struct ea_err *err)
{
	if (row->from && (row->source || row->date))
		return ea_cfg_error(group, err,
				    "key 'from' stands beside 'source' or 'date': expected one");
	if (!row->from && (!row->source || !row->date))
		return ea_cfg_error(group, err,
				    "expected 'from', or 'source' and 'date', which say where the "
				    "row comes from");
	if (!row->from)
		return check_date(group, row->date, err);
	ea_vec_foreach(source, &file->sources) {
		if (ea_streq(source->name, row->from)) {
			row->source = source->text;
			row->date = source->date;
			return 0;
		}
	}
	return ea_cfg_error(group, err,
			    "key 'from': expected a name out of 'sources', found \"%s\"",
			    row->from);
}

static bool lists(const char *words, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = words; at && (at = strstr(at, key)); at += n)
		if (at > words && at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

static int check_values(const struct ea_table_def *def, const config_setting_t *group,
			struct ea_err *err)
{
	const config_setting_t *at;
	struct ea_version version;

	ea_cfg_foreach(at, group) {
		const char *key = config_setting_name(at);
		const char *text = config_setting_get_string(at);

		if (lists(def->versions, key) && ea_version_parse(ea_str(text), &version))
			return ea_cfg_error(at, err, "key '%s': expected a version, found \"%s\"",
					    key, text);
		if (lists(def->ranges, key) && !ea_range_is_valid(text))
			return ea_cfg_error(at, err,
					    "key '%s': expected a range of versions as "
					    "\">=1.2,<2 | 3.x\", found \"%s\"",
					    key, text);
	}
	return 0;
}

/* What tells the row from others of its table. */
static const char *key_of(const struct ea_table_def *def, const config_setting_t *group,
			  struct ea_arena *arena)
{
	struct ea_str rest = ea_str(def->keys), key;
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	while (ea_str_token(&rest, ' ', &key)) {
		const char *value = NULL;

		config_setting_lookup_string(group, ea_arena_dup_str(arena, key), &value);
		if (key.len)
			ea_buf_printf(&text, "%s%s", text.len ? " / " : "", value ? value : "");
	}
	return ea_arena_dup(arena, ea_buf_text(&text));
}

static int place_row(struct ea_matrix *matrix, struct table *table, uint32_t folder,
		     const config_setting_t *group, struct ea_row *row, struct ea_err *err)
{
	const char *key = key_of(table->def, group, &matrix->arena);

	for (uint32_t i = 0; i < table->rows.list.n; i++) {
		struct ea_row *old = table->rows.list.items[i];

		if (!ea_streq(table->keys.items[i], key))
			continue;
		if (table->folders.items[i] == folder)
			return ea_cfg_error(group, err, "row '%s' of '%s' stands at %s already",
					    key, table->def->name, old->where);
		ea_vec_push(
			&matrix->changes.list, &matrix->arena,
			ea_arena_printf(&matrix->arena, "%s replaces %s", row->where, old->where));
		table->rows.list.items[i] = row;
		table->folders.items[i] = folder;
		return 0;
	}
	if (folder > 0)
		ea_vec_push(&matrix->changes.list, &matrix->arena,
			    ea_arena_printf(&matrix->arena, "%s is added", row->where));
	ea_vec_push(&table->rows.list, &matrix->arena, row);
	ea_vec_push(&table->keys, &matrix->arena, key);
	ea_vec_push(&table->folders, &matrix->arena, folder);
	return 0;
}

static int read_row(struct file *file, struct table *table, const config_setting_t *group,
		    struct ea_err *err)
{
	const struct ea_table_def *def = table->def;
	struct ea_row *row = ea_arena_alloc(&file->matrix->arena, def->row_size);
	int rc = ea_cfg_read(group, def->fields, def->n_fields, &file->matrix->arena, row, err);

	row->where = ea_cfg_where(group, &file->matrix->arena);
	if (rc == 0)
		rc = settle_source(file, group, row, err);
	if (rc == 0)
		rc = check_values(def, group, err);
	if (rc == 0)
		rc = place_row(file->matrix, table, file->folder, group, row, err);
	return rc;
}

/* ---- one file ------------------------------------------------------------------------------ */

static int read_sources(struct file *file, const config_setting_t *list, struct ea_err *err)
{
	const config_setting_t *group;
	int rc = 0;

	ea_cfg_foreach(group, list) {
		struct source *source = ea_vec_add(&file->sources, &file->matrix->arena);

		if (!rc)
			rc = ea_cfg_read(group, source_fields, EA_ARRAY_SIZE(source_fields),
					 &file->matrix->arena, source, err);
		if (!rc)
			rc = check_date(group, source->date, err);
	}
	return rc;
}

/* The lists of the tables in file NAME, as a schema: `raw` has a place for each. */
struct raw_file {
	const char *package;
	const config_setting_t *sources;
	const config_setting_t *tables[EA_TABLE_MAX_];
};

static size_t file_schema(const char *name, struct ea_cfg_field *fields)
{
	size_t n = 0;

	fields[n++] = (struct ea_cfg_field)EA_CFG_FIELD(struct raw_file, sources, GROUPS);
	if (ea_str_ends(ea_str(name), "/"))
		fields[n++] = (struct ea_cfg_field)EA_CFG_FIELD(struct raw_file, package, STRING,
								.required = true);
	for (size_t i = 0; i < EA_TABLE_MAX_; i++)
		if (ea_streq(ea_table_defs[i].file, name))
			fields[n++] = (struct ea_cfg_field){
				.key = ea_table_defs[i].name,
				.type = EA_CFG_GROUPS,
				.offset = offsetof(struct raw_file, tables[i]),
			};
	return n;
}

static struct table *table_of(struct ea_matrix *matrix, const struct ea_table_def *def,
			      const char *package)
{
	struct table *table;

	for (table = matrix->tables; table; table = table->next)
		if (table->def == def && ea_streq(table->package, package))
			return table;
	table = ea_arena_new(&matrix->arena, struct table);
	table->def = def;
	table->package = ea_arena_dup(&matrix->arena, package);
	table->next = matrix->tables;
	matrix->tables = table;
	return table;
}

/* Reads PATH, whose tables are those of file NAME. */
static int read_file(struct ea_matrix *matrix, uint32_t folder, const char *path, const char *name,
		     const char *package, struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	struct ea_cfg_field fields[EA_TABLE_MAX_ + 2];
	struct file file = { .matrix = matrix, .folder = folder };
	struct raw_file raw = { 0 };
	const config_setting_t *group;
	int rc = ea_cfg_open(path, &cfg, err);

	if (rc == 0)
		rc = ea_cfg_read(ea_cfg_root(cfg), fields, file_schema(name, fields),
				 &matrix->arena, &raw, err);
	if (rc == 0 && package && !ea_streq(raw.package, package))
		rc = ea_cfg_error(ea_cfg_root(cfg), err,
				  "key 'package': expected \"%s\" as the file is called, found "
				  "\"%s\"",
				  package, raw.package);
	if (rc == 0)
		rc = read_sources(&file, raw.sources, err);
	for (size_t i = 0; i < EA_TABLE_MAX_; i++) {
		ea_cfg_foreach(group, raw.tables[i]) {
			if (rc == 0)
				rc = read_row(&file, table_of(matrix, &ea_table_defs[i], package),
					      group, err);
		}
	}
	return rc;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static int read_folders(struct ea_matrix *matrix, const struct ea_table_def *def,
			const char *package, struct ea_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < matrix->dirs.n; i++) {
		const char *path =
			ea_arena_printf(&matrix->arena, "%s/%s%s%s", matrix->dirs.items[i],
					def->file, package ? package : "", package ? ".cfg" : "");

		if (is_file(path))
			rc = read_file(matrix, i, path, def->file, package, err);
	}
	return rc;
}

/* A package's name is part of a path; what cannot be one has no file. */
static bool is_package(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

static bool is_read(const struct ea_matrix *matrix, const struct ea_table_def *def,
		    const char *package)
{
	for (const struct table *table = matrix->tables; table; table = table->next)
		if (table->def == def && ea_streq(table->package, package))
			return true;
	return false;
}

int ea_matrix_rows(struct ea_matrix *matrix, enum ea_table_id id, const char *package,
		   const struct ea_row_list **ret, struct ea_err *err)
{
	static const struct ea_row_list none;
	const struct ea_table_def *def = &ea_table_defs[id];
	int rc = 0;

	if (package && !is_package(package)) {
		*ret = &none;
		return 0;
	}
	if (!is_read(matrix, def, package)) {
		rc = read_folders(matrix, def, package, err);
		/* What one file holds was read together. */
		for (size_t i = 0; rc == 0 && i < EA_TABLE_MAX_; i++)
			if (ea_streq(ea_table_defs[i].file, def->file))
				table_of(matrix, &ea_table_defs[i], package);
	}
	if (rc == 0)
		*ret = &table_of(matrix, def, package)->rows;
	return rc;
}

const struct ea_text_list *ea_matrix_changes(const struct ea_matrix *matrix)
{
	return &matrix->changes;
}

/* ---- a file by itself ---------------------------------------------------------------------- */

/* The file of a definition that FILE is: "cuda.cfg", or "pins/" for one in such a folder. */
static const char *name_of_file(const char *file, struct ea_arena *arena)
{
	const char *base = ea_path_base(file);
	const char *dir = ea_arena_dup_str(arena, ea_path_dir(file));
	const char *folder = ea_arena_printf(arena, "%s/", ea_path_base(dir));

	for (size_t i = 0; i < EA_TABLE_MAX_; i++)
		if (ea_streq(ea_table_defs[i].file, base) ||
		    ea_streq(ea_table_defs[i].file, folder))
			return ea_table_defs[i].file;
	return NULL;
}

int ea_matrix_read_file(struct ea_matrix *matrix, const char *file, const char **ret_package,
			struct ea_err *err)
{
	const char *name = name_of_file(file, &matrix->arena);
	char *package = NULL;

	if (!name)
		return 1;
	if (ea_str_ends(ea_str(name), "/")) {
		package = ea_arena_dup(&matrix->arena, ea_path_base(file));
		package[strcspn(package, ".")] = '\0';
		*ret_package = package;
	}
	return read_file(matrix, 0, file, name, package, err);
}
