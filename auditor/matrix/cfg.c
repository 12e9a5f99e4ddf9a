/* libconfig files against a schema. */
#include "matrix/cfg.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"

struct ea_cfg {
	config_t config; /* the hook of its root setting is FILE */
	char *file;
};

int ea_cfg_error(const config_setting_t *at, struct ea_err *err, const char *fmt, ...)
{
	unsigned line = config_setting_source_line(at);
	struct ea_err text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	while (config_setting_parent(at))
		at = config_setting_parent(at);
	return ea_err_set(err, EA_E_MATRIX, "%s:%u: %s", (const char *)config_setting_get_hook(at),
			  line ? line : 1, text.text);
}

char *ea_cfg_where(const config_setting_t *at, struct ea_arena *arena)
{
	unsigned line = config_setting_source_line(at);

	while (config_setting_parent(at))
		at = config_setting_parent(at);
	return ea_arena_printf(arena, "%s:%u", (const char *)config_setting_get_hook(at),
			       line ? line : 1);
}

/* ---- files --------------------------------------------------------------------------------- */

/* libconfig's own reading ends the process on a read error, so the bytes are fetched here. */
static int read_text(const char *file, struct ea_buf *text, struct ea_err *err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char chunk[16384];
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return ea_err_set(err, EA_E_MATRIX, "%s: %s", file, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return ea_err_set(err, EA_E_MATRIX, "%s: not a regular file", file);
	}
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 && text->len <= EA_LIMIT_TEXT)
		ea_buf_add(text, chunk, (size_t)n);
	close(fd);
	if (n < 0)
		return ea_err_set(err, EA_E_MATRIX, "%s: %s", file, strerror(errno));
	if (n > 0)
		return ea_err_set(err, EA_E_MATRIX, "%s: larger than %u bytes", file,
				  EA_LIMIT_TEXT);
	return 0;
}

/* What libconfig would take, but a matrix file may not have. */
static int check_text(const char *file, struct ea_str text, struct ea_err *err)
{
	struct ea_str line;
	unsigned number = 0;

	while (ea_str_line(&text, &line)) {
		number++;
		if (memchr(line.ptr, '\0', line.len))
			return ea_err_set(err, EA_E_MATRIX, "%s:%u: NUL byte", file, number);
		if (ea_str_starts(ea_str_trim(line), "@include"))
			return ea_err_set(err, EA_E_MATRIX, "%s:%u: @include is not supported",
					  file, number);
	}
	return 0;
}

int ea_cfg_open(const char *file, struct ea_cfg **ret, struct ea_err *err)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_cfg *cfg;
	int rc = read_text(file, &text, err);

	if (rc == 0)
		rc = check_text(file, ea_buf_str(&text), err);
	if (rc)
		return rc;
	cfg = ea_xmalloc(sizeof(*cfg));
	config_init(&cfg->config);
	cfg->file = strdup(file);
	if (!cfg->file)
		ea_oom();
	if (config_read_string(&cfg->config, ea_buf_text(&text)) != CONFIG_TRUE) {
		rc = ea_err_set(err, EA_E_MATRIX, "%s:%d: %s", file,
				config_error_line(&cfg->config), config_error_text(&cfg->config));
		ea_cfg_close(cfg);
		return rc;
	}
	config_setting_set_hook(config_root_setting(&cfg->config), cfg->file);
	*ret = cfg;
	return 0;
}

void ea_cfg_close(struct ea_cfg *cfg)
{
	if (!cfg)
		return;
	config_destroy(&cfg->config);
	free(cfg->file);
	free(cfg);
}

void ea_cfg_close_ptr(struct ea_cfg **cfg)
{
	ea_cfg_close(*cfg);
}

const config_setting_t *ea_cfg_root(const struct ea_cfg *cfg)
{
	return config_root_setting(&cfg->config);
}

/* ---- values -------------------------------------------------------------------------------- */

static int expected(const config_setting_t *at, const struct ea_cfg_field *field,
		    struct ea_err *err)
{
	static const char *const names[] = {
		[EA_CFG_STRING] = "a string that is not empty",
		[EA_CFG_BOOL] = "true or false",
		[EA_CFG_STRINGS] = "a list of strings, none empty",
		[EA_CFG_GROUP] = "a group { ... }",
		[EA_CFG_GROUPS] = "a list of groups ( { ... }, ... )",
	};
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	if (field->type == EA_CFG_UINT) {
		ea_buf_printf(&text, "a number from %u to %u", field->min,
			      field->max ? field->max : UINT32_MAX);
	} else if (field->type == EA_CFG_WORD) {
		ea_buf_add_text(&text, "one of");
		for (size_t i = 0; i < field->n_words; i++)
			if (field->words[i])
				ea_buf_printf(&text, "%s %s", text.len > 6 ? "," : "",
					      field->words[i]);
	} else {
		ea_buf_add_text(&text, names[field->type]);
	}
	return ea_cfg_error(at, err, "key '%s': expected %s", field->key, ea_buf_text(&text));
}

static const char *text_of(const config_setting_t *at)
{
	const char *text = config_setting_get_string(at);

	return text && text[0] ? text : NULL;
}

static bool get_number(const config_setting_t *at, const struct ea_cfg_field *field, void *slot)
{
	long long value;

	if (config_setting_type(at) != CONFIG_TYPE_INT &&
	    config_setting_type(at) != CONFIG_TYPE_INT64)
		return false;
	value = config_setting_get_int64(at);
	if (value < field->min || value > (field->max ? field->max : UINT32_MAX))
		return false;
	*(uint32_t *)slot = (uint32_t)value;
	return true;
}

static bool get_word(const config_setting_t *at, const struct ea_cfg_field *field, void *slot)
{
	const char *text = text_of(at);

	for (size_t i = 0; text && i < field->n_words; i++) {
		if (field->words[i] && strcmp(field->words[i], text) == 0) {
			*(int *)slot = (int)i;
			return true;
		}
	}
	return false;
}

static bool get_strings(const config_setting_t *at, struct ea_arena *arena, void *slot)
{
	EA_VEC(const char *) list = { 0 };
	const config_setting_t *item;

	if (!config_setting_is_list(at) && !config_setting_is_array(at))
		return false;
	ea_cfg_foreach(item, at) {
		if (!text_of(item))
			return false;
		ea_vec_push(&list, arena, ea_arena_dup(arena, text_of(item)));
	}
	memcpy(slot, &list, sizeof(list));
	return true;
}

static bool is_list_of_groups(const config_setting_t *at)
{
	const config_setting_t *item;

	if (!config_setting_is_list(at))
		return false;
	ea_cfg_foreach(item, at)
		if (!config_setting_is_group(item))
			return false;
	return true;
}

static bool get_value(const config_setting_t *at, const struct ea_cfg_field *field,
		      struct ea_arena *arena, void *slot)
{
	switch (field->type) {
	case EA_CFG_STRING:
		*(const char **)slot = ea_arena_dup(arena, text_of(at));
		return text_of(at) != NULL;
	case EA_CFG_UINT:
		return get_number(at, field, slot);
	case EA_CFG_BOOL:
		*(bool *)slot = config_setting_get_bool(at) != 0;
		return config_setting_type(at) == CONFIG_TYPE_BOOL;
	case EA_CFG_WORD:
		return get_word(at, field, slot);
	case EA_CFG_STRINGS:
		return get_strings(at, arena, slot);
	case EA_CFG_GROUP:
		*(const config_setting_t **)slot = at;
		return config_setting_is_group(at);
	case EA_CFG_GROUPS:
		*(const config_setting_t **)slot = at;
		return is_list_of_groups(at);
	case EA_CFG_ANY:
		*(const config_setting_t **)slot = at;
		return true;
	}
	return false;
}

static const struct ea_cfg_field *find_field(const struct ea_cfg_field *fields, size_t n_fields,
					     const char *key)
{
	for (size_t i = 0; i < n_fields; i++)
		if (strcmp(fields[i].key, key) == 0)
			return &fields[i];
	return NULL;
}

static int unknown_key(const config_setting_t *at, const struct ea_cfg_field *fields,
		       size_t n_fields, struct ea_err *err)
{
	struct ea_buf keys EA_CLEANUP(ea_buf_release) = { 0 };

	for (size_t i = 0; i < n_fields; i++)
		ea_buf_printf(&keys, "%s%s", i ? ", " : "", fields[i].key);
	return ea_cfg_error(at, err, "unknown key '%s': expected one of %s",
			    config_setting_name(at), ea_buf_text(&keys));
}

int ea_cfg_read(const config_setting_t *group, const struct ea_cfg_field *fields, size_t n_fields,
		struct ea_arena *arena, void *ret, struct ea_err *err)
{
	const config_setting_t *at;

	ea_cfg_foreach(at, group) {
		const struct ea_cfg_field *field =
			find_field(fields, n_fields, config_setting_name(at));

		if (!field)
			return unknown_key(at, fields, n_fields, err);
		if (!get_value(at, field, arena, (char *)ret + field->offset))
			return expected(at, field, err);
	}
	for (size_t i = 0; i < n_fields; i++) {
		if (fields[i].required && !config_setting_get_member(group, fields[i].key))
			return ea_cfg_error(group, err, "key '%s' is missing", fields[i].key);
	}
	return 0;
}

static int is_cfg(const struct dirent *entry)
{
	return ea_str_ends(ea_str(entry->d_name), ".cfg") && entry->d_name[0] != '.';
}

int ea_cfg_list(const char *dir, struct ea_arena *arena, struct ea_name_list *ret)
{
	struct dirent **entries = NULL;
	int n = scandir(dir, &entries, is_cfg, alphasort);

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		ea_vec_push(&ret->list, arena, ea_arena_dup(arena, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	return 0;
}
