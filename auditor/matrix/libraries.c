/* Families of libraries: reading libraries.cfg, and finding a family by a name. */
#include "matrix/libraries.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "matrix/cfg.h"

/* A name of a family: the part of a file name in front of ".so". */
struct stem {
	struct ea_str text; /* without the '*' of a prefix */
	const struct ea_family *family;
};

struct ea_libraries {
	struct ea_arena arena;
	struct ea_name_list system_packages;
	EA_VEC(struct ea_family *) families;
	EA_VEC(struct stem) stems; /* sorted */
	EA_VEC(struct stem) prefixes;
};

/* ---- getters ------------------------------------------------------------------------------- */

struct raw_getter {
	struct ea_getter g;
	const char *pattern, *source, *date;
	EA_VEC(const char *) table;
};

#define WORDS(list) .words = (list), .n_words = EA_ARRAY_SIZE(list)

static const struct ea_cfg_field getter_fields[] = {
	EA_CFG_KEY("kind", struct raw_getter, g.kind, WORD, .required = true,
		   WORDS(ea_getter_words)),
	EA_CFG_KEY("symbol", struct raw_getter, g.symbol, STRING),
	EA_CFG_KEY("encoding", struct raw_getter, g.encoding, WORD, WORDS(ea_encoding_words)),
	EA_CFG_KEY("min", struct raw_getter, g.min, UINT, .min = 1),
	EA_CFG_KEY("max", struct raw_getter, g.max, UINT, .min = 1),
	EA_CFG_KEY("follow", struct raw_getter, g.follow, UINT, .min = 1, .max = 8),
	EA_CFG_KEY("count", struct raw_getter, g.count, UINT, .min = 1, .max = 3),
	EA_CFG_KEY("parts", struct raw_getter, g.parts, UINT, .min = 1, .max = 8),
	EA_CFG_KEY("section", struct raw_getter, g.section, STRING),
	EA_CFG_KEY("size", struct raw_getter, g.size, UINT, .min = 1, .max = 4u << 20),
	EA_CFG_KEY("pattern", struct raw_getter, pattern, STRING),
	EA_CFG_KEY("table", struct raw_getter, table, STRINGS),
	EA_CFG_KEY("source", struct raw_getter, source, STRING, .required = true),
	EA_CFG_KEY("date", struct raw_getter, date, STRING, .required = true),
};

/* Keys that a kind must have, and others that it may have, beside kind, source and date. */
static const struct {
	const char *required, *optional;
} kind_keys[EA_GETTER_KIND_MAX_] = {
	[EA_GETTER_BUILD_ID] = { " table ", "" },
	[EA_GETTER_SONAME] = { "", " parts " },
	[EA_GETTER_OBJECT] = { " symbol encoding ", " parts table " },
	[EA_GETTER_CODE] = { " symbol encoding min max ", " follow parts table " },
	[EA_GETTER_STORES] = { " symbol count ", " encoding parts table " },
	[EA_GETTER_PROPERTY] = { " symbol ", " parts " },
	[EA_GETTER_STRUCT] = { " symbol count ", " encoding parts table " },
	[EA_GETTER_SYMBOL] = { " symbol ", " parts " },
	[EA_GETTER_VERDEF] = { " symbol ", " parts " },
	[EA_GETTER_BANNER] = { " section size pattern ", " parts " },
};

static bool lists(const char *keys, const char *key)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", key);
	return strstr(keys, word) != NULL;
}

static int check_getter_keys(const config_setting_t *group, const struct ea_getter *getter,
			     struct ea_err *err)
{
	const char *word = ea_getter_words[getter->kind];
	const config_setting_t *at;

	for (size_t i = 0; i < EA_ARRAY_SIZE(getter_fields); i++) {
		const char *key = getter_fields[i].key;

		at = config_setting_get_member(group, key);
		if (!at && lists(kind_keys[getter->kind].required, key))
			return ea_cfg_error(group, err, "key '%s' is missing for kind '%s'", key,
					    word);
		if (at && !getter_fields[i].required &&
		    !lists(kind_keys[getter->kind].required, key) &&
		    !lists(kind_keys[getter->kind].optional, key))
			return ea_cfg_error(at, err, "key '%s' means nothing for kind '%s'", key,
					    word);
	}
	return 0;
}

static int check_date(const config_setting_t *group, const char *date, struct ea_err *err)
{
	static const char form[] = "dddd-dd-dd";
	size_t i;

	for (i = 0; i < sizeof(form) - 1 && date[i]; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)date[i]) : date[i] != form[i])
			break;
	if (i != sizeof(form) - 1 || date[i])
		return ea_cfg_error(config_setting_get_member(group, "date"), err,
				    "key 'date': expected YYYY-MM-DD");
	return 0;
}

/* "13010 13.1": a number or build-id, a space, the version. */
static int add_table_line(struct ea_libraries *libraries, const config_setting_t *group,
			  const char *line, struct ea_getter *getter, struct ea_err *err)
{
	struct ea_known_version *known;
	struct ea_str rest = ea_str(line), key;

	if (!ea_str_token(&rest, ' ', &key) || key.len == 0 || rest.len == 0 ||
	    key.len == strlen(line))
		return ea_cfg_error(config_setting_get_member(group, "table"), err,
				    "key 'table': expected \"KEY VERSION\", found \"%s\"", line);
	known = ea_vec_add(&getter->table, &libraries->arena);
	known->key = ea_arena_dup_str(&libraries->arena, key);
	known->version = ea_arena_dup_str(&libraries->arena, rest);
	return 0;
}

static int read_getter(struct ea_libraries *libraries, struct ea_family *family,
		       const config_setting_t *group, struct ea_err *err)
{
	struct raw_getter raw = { .g = { .count = 1 } };
	struct ea_err why;
	int rc = ea_cfg_read(group, getter_fields, EA_ARRAY_SIZE(getter_fields), &libraries->arena,
			     &raw, err);

	if (rc == 0)
		rc = check_getter_keys(group, &raw.g, err);
	if (rc == 0)
		rc = check_date(group, raw.date, err);
	if (rc == 0 && raw.g.min > raw.g.max)
		rc = ea_cfg_error(group, err, "key 'min' is larger than 'max'");
	if (rc == 0 && raw.g.encoding == EA_ENCODING_TABLE && !raw.table.n)
		rc = ea_cfg_error(group, err, "key 'table' is missing for encoding 'table'");
	for (uint32_t i = 0; rc == 0 && i < raw.table.n; i++)
		rc = add_table_line(libraries, group, raw.table.items[i], &raw.g, err);
	if (rc == 0 && raw.pattern && ea_pattern_new(raw.pattern, true, &raw.g.pattern, &why))
		rc = ea_cfg_error(config_setting_get_member(group, "pattern"), err,
				  "key 'pattern': %s", why.text);
	if (rc == 0)
		ea_vec_push(&family->getters, &libraries->arena, raw.g);
	return rc;
}

/* ---- families ------------------------------------------------------------------------------ */

struct raw_family {
	struct ea_family f;
	const config_setting_t *getters;
	const char *source, *date;
};

static const struct ea_cfg_field family_fields[] = {
	EA_CFG_KEY("name", struct raw_family, f.name, STRING, .required = true),
	EA_CFG_KEY("title", struct raw_family, f.title, STRING, .required = true),
	EA_CFG_KEY("set", struct raw_family, f.set, STRING),
	EA_CFG_KEY("names", struct raw_family, f.names, STRINGS, .required = true),
	EA_CFG_KEY("packages", struct raw_family, f.packages, STRINGS),
	EA_CFG_KEY("name_version", struct raw_family, f.name_version, WORD,
		   WORDS(ea_name_version_words)),
	EA_CFG_KEY("gpu_code", struct raw_family, f.gpu_code, BOOL),
	EA_CFG_KEY("framework", struct raw_family, f.framework, BOOL),
	EA_CFG_KEY("compat_note", struct raw_family, f.compat_note, BOOL),
	EA_CFG_KEY("getters", struct raw_family, getters, GROUPS),
	EA_CFG_KEY("source", struct raw_family, source, STRING, .required = true),
	EA_CFG_KEY("date", struct raw_family, date, STRING, .required = true),
};

static void add_stems(struct ea_libraries *libraries, const struct ea_family *family)
{
	ea_vec_foreach(name, &family->names) {
		struct ea_str text = ea_str(*name);
		bool prefix = ea_str_ends(text, "*");
		struct stem stem = { { text.ptr, text.len - prefix }, family };

		if (prefix)
			ea_vec_push(&libraries->prefixes, &libraries->arena, stem);
		else
			ea_vec_push(&libraries->stems, &libraries->arena, stem);
	}
}

static int read_family(struct ea_libraries *libraries, const config_setting_t *group,
		       struct ea_err *err)
{
	struct raw_family raw = { 0 };
	struct ea_family *family;
	const config_setting_t *getter;
	int rc = ea_cfg_read(group, family_fields, EA_ARRAY_SIZE(family_fields), &libraries->arena,
			     &raw, err);

	if (rc == 0)
		rc = check_date(group, raw.date, err);
	if (rc)
		return rc;
	raw.f.where = ea_cfg_where(group, &libraries->arena);
	if (ea_libraries_by_name(libraries, raw.f.name))
		return ea_cfg_error(group, err, "family '%s' is already defined at %s", raw.f.name,
				    ea_libraries_by_name(libraries, raw.f.name)->where);
	family = ea_arena_new(&libraries->arena, struct ea_family);
	*family = raw.f;
	ea_vec_push(&libraries->families, &libraries->arena, family);
	ea_cfg_foreach(getter, raw.getters) {
		rc = read_getter(libraries, family, getter, err);
		if (rc)
			return rc;
	}
	add_stems(libraries, family);
	return 0;
}

/* ---- the file ------------------------------------------------------------------------------ */

static int compare_stems(const void *a, const void *b)
{
	const struct ea_str *x = &((const struct stem *)a)->text;
	const struct ea_str *y = &((const struct stem *)b)->text;
	int order = memcmp(x->ptr, y->ptr, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int sort_stems(struct ea_libraries *libraries, const char *file, struct ea_err *err)
{
	const struct stem *stems = libraries->stems.items;

	if (libraries->stems.n)
		qsort(libraries->stems.items, libraries->stems.n, sizeof(*stems), compare_stems);
	for (uint32_t i = 1; i < libraries->stems.n; i++)
		if (compare_stems(&stems[i - 1], &stems[i]) == 0)
			return ea_err_set(err, EA_E_MATRIX,
					  "%s: name '" EA_STR_FMT "' stands in the families at %s "
					  "and %s",
					  file, EA_STR_ARG(stems[i].text),
					  stems[i - 1].family->where, stems[i].family->where);
	return 0;
}

struct raw_file {
	const config_setting_t *families;
	struct ea_name_list system_packages;
};

static int read_families(struct ea_libraries *libraries, const config_setting_t *root,
			 struct ea_err *err)
{
	static const struct ea_cfg_field fields[] = {
		EA_CFG_FIELD(struct raw_file, families, GROUPS, .required = true),
		EA_CFG_FIELD(struct raw_file, system_packages, STRINGS),
	};
	struct raw_file raw = { 0 };
	const config_setting_t *group;
	int rc = ea_cfg_read(root, fields, EA_ARRAY_SIZE(fields), &libraries->arena, &raw, err);

	if (rc)
		return rc;
	libraries->system_packages = raw.system_packages;
	ea_cfg_foreach(group, raw.families) {
		rc = read_family(libraries, group, err);
		if (rc)
			return rc;
	}
	return 0;
}

int ea_libraries_load(const char *file, struct ea_libraries **ret, struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	struct ea_libraries *libraries;
	int rc = ea_cfg_open(file, &cfg, err);

	if (rc)
		return rc;
	libraries = ea_xmalloc(sizeof(*libraries));
	*libraries = (struct ea_libraries){ 0 };
	rc = read_families(libraries, ea_cfg_root(cfg), err);
	if (rc == 0)
		rc = sort_stems(libraries, file, err);
	if (rc) {
		ea_libraries_free(libraries);
		return rc;
	}
	*ret = libraries;
	return 0;
}

void ea_libraries_free(struct ea_libraries *libraries)
{
	if (!libraries)
		return;
	ea_vec_foreach(family, &libraries->families)
		ea_vec_foreach(getter, &(*family)->getters)
			ea_pattern_free(getter->pattern);
	ea_arena_release(&libraries->arena);
	free(libraries);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Packers put eight hexadecimal digits of a digest into the names of libraries that they copy. */
static struct ea_str without_hash(struct ea_str stem)
{
	const char *hash = stem.len > 9 ? stem.ptr + stem.len - 9 : NULL;

	if (!hash || (hash[0] != '-' && hash[0] != '.'))
		return stem;
	for (int i = 1; i < 9; i++)
		if (!isdigit((unsigned char)hash[i]) && (hash[i] < 'a' || hash[i] > 'f'))
			return stem;
	return (struct ea_str){ stem.ptr, stem.len - 9 };
}

/* "libcudart" of libcudart-d0da41ae.so.11.0; a name without ".so" is a program's. */
static struct ea_str stem_of(const char *name)
{
	const char *so = strstr(name, ".so"), *abi;
	struct ea_str stem;

	while (so && so[3] != '\0' && so[3] != '.')
		so = strstr(so + 3, ".so");
	if (!so)
		return ea_str(name);
	stem = without_hash((struct ea_str){ name, (size_t)(so - name) });
	/* Extension modules: cv2.abi3.so, cv2.cpython-311-x86_64-linux-gnu.so */
	abi = memchr(stem.ptr, '.', stem.len);
	if (abi && (ea_str_ends(stem, ".abi3") || strncmp(abi, ".cpython-", 9) == 0))
		stem.len = (size_t)(abi - stem.ptr);
	return stem;
}

static const struct ea_family *find_name(const struct ea_libraries *libraries, const char *name)
{
	struct stem key = { stem_of(name), NULL };
	const struct stem *found = NULL;

	if (libraries->stems.n)
		found = bsearch(&key, libraries->stems.items, libraries->stems.n, sizeof(key),
				compare_stems);
	if (found)
		return found->family;
	ea_vec_foreach(prefix, &libraries->prefixes)
		if (key.text.len >= prefix->text.len &&
		    memcmp(key.text.ptr, prefix->text.ptr, prefix->text.len) == 0)
			return prefix->family;
	return NULL;
}

const struct ea_family *ea_libraries_find(const struct ea_libraries *libraries, const char *soname,
					  const char *file_name)
{
	const struct ea_family *family = soname ? find_name(libraries, soname) : NULL;

	return family || !file_name ? family : find_name(libraries, file_name);
}

const struct ea_family *ea_libraries_by_name(const struct ea_libraries *libraries,
					     const char *family)
{
	ea_vec_foreach(one, &libraries->families)
		if (strcmp((*one)->name, family) == 0)
			return *one;
	return NULL;
}

const struct ea_name_list *ea_libraries_system_packages(const struct ea_libraries *libraries)
{
	return &libraries->system_packages;
}
