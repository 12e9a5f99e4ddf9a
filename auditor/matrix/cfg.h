/*
 * libconfig files read against a schema: an array of fields that says which keys a group may have
 *and where their values go. What is missing, of another type or unknown is an error that names
 *file, line, key and what was expected.
 *
 *	struct shelf { const char *label; uint32_t height; };
 *	static const struct ea_cfg_field shelf_fields[] = {
 *		EA_CFG_FIELD(struct shelf, label, STRING, .required = true),
 *		EA_CFG_FIELD(struct shelf, height, UINT, .max = 300),
 *	};
 *	rc = ea_cfg_read(group, shelf_fields, EA_ARRAY_SIZE(shelf_fields), arena, &shelf, err);
 *
 * A key that is absent leaves its place in the struct as it was: preset the defaults.
 */
#pragma once

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/family.h"

enum ea_cfg_type {
	EA_CFG_STRING,	/* const char *; not empty */
	EA_CFG_UINT,	/* uint32_t from min to max (0 = UINT32_MAX) */
	EA_CFG_BOOL,	/* bool */
	EA_CFG_WORD,	/* int or enum: index of the string in words[] */
	EA_CFG_STRINGS, /* EA_VEC(const char *): a list of strings, none empty */
	EA_CFG_GROUP,	/* const config_setting_t *: a group, for the caller to read */
	EA_CFG_GROUPS,	/* const config_setting_t *: a list of groups, likewise */
	EA_CFG_ANY,	/* const config_setting_t *: as it stands, checked by the caller */
};

struct ea_cfg_field {
	const char *key;
	enum ea_cfg_type type;
	bool required;
	size_t offset;		  /* in the struct that is filled */
	uint32_t min, max;	  /* UINT */
	const char *const *words; /* WORD; an entry may be NULL: no word for that value */
	size_t n_words;
};

/* A field whose key is the name of the struct's member, and one with a name of its own. */
#define EA_CFG_FIELD(struct_type, member, type_, ...) \
	EA_CFG_KEY(#member, struct_type, member, type_, __VA_ARGS__)
#define EA_CFG_KEY(key_, struct_type, member, type_, ...)                                       \
	{                                                                                       \
		.key = (key_), .type = EA_CFG_##type_, .offset = offsetof(struct_type, member), \
		__VA_ARGS__                                                                     \
	}

/* A file that was read; its settings live until it is closed. */
struct ea_cfg;

/* Errors are -EA_E_MATRIX. `@include` is an error: a matrix is one file. */
EA_MUST_CHECK int ea_cfg_open(const char *file, struct ea_cfg **ret, struct ea_err *err);
void ea_cfg_close(struct ea_cfg *cfg);	    /* NULL is fine */
void ea_cfg_close_ptr(struct ea_cfg **cfg); /* for EA_CLEANUP */

/* The file itself as a group. */
const config_setting_t *ea_cfg_root(const struct ea_cfg *cfg);

/* Fills RET from GROUP; texts are copied to ARENA. */
EA_MUST_CHECK int ea_cfg_read(const config_setting_t *group, const struct ea_cfg_field *fields,
			      size_t n_fields, struct ea_arena *arena, void *ret,
			      struct ea_err *err);

/* Sets ERR to "FILE:LINE: " and the text, for what the schema cannot say; returns -EA_E_MATRIX. */
EA_PRINTF(3, 4)
int ea_cfg_error(const config_setting_t *at, struct ea_err *err, const char *fmt, ...);

/* "FILE:LINE" of a setting. */
char *ea_cfg_where(const config_setting_t *at, struct ea_arena *arena);

/* The items of a list that EA_CFG_GROUPS gave; NULL has none. */
#define ea_cfg_foreach(item, list) \
	for (unsigned ea_i_ = 0; (list) && (item = config_setting_get_elem((list), ea_i_)); ea_i_++)

/* Names of the matrices in the folder DIR (*.cfg), sorted, in ARENA; a negative errno. */
EA_MUST_CHECK int ea_cfg_list(const char *dir, struct ea_arena *arena, struct ea_name_list *ret);
