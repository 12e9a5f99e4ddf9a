/*
 * JSON as a walk: the caller goes through objects and arrays in the order of the text and takes
 *what it wants; nothing is built. Written for conda's records, of which an environment has tens of
 *megabytes.
 *
 *	ea_json_init(&json, text);
 *	if (ea_json_object(&json))
 *		while (ea_json_member(&json, &key))
 *			if (ea_str_is(key, "name"))
 *				ea_json_string(&json, &name);
 *			else
 *				ea_json_skip(&json);
 *	ea_json_end(&json);
 *	if (json.fault) …
 *
 * Every value must be taken or skipped, and every loop run to its end. A value of another type than
 *asked for is skipped. After a fault every call answers false, so loops end by themselves. Only
 *what is walked through is checked in full; of skipped values, the nesting and the strings.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct ea_json {
	const char *start, *pos, *end;
	const char *fault; /* NULL, or what is wrong at POS */
	uint64_t objects;  /* a bit for each open bracket: set for '{', innermost lowest */
	unsigned depth;
	bool first;	    /* nothing was taken from the innermost bracket yet */
	bool too_deep;	    /* the fault is EA_LIMIT_JSON_DEPTH */
	struct ea_buf text; /* the last string that had escapes */
};

void ea_json_init(struct ea_json *json, struct ea_str text);
void ea_json_release(struct ea_json *json);

/* The next value is an object (array) and was entered; its members (items) come next. */
bool ea_json_object(struct ea_json *json);
bool ea_json_array(struct ea_json *json);

/* The next member or item is there; false at the closing bracket, which is taken. */
bool ea_json_member(struct ea_json *json, struct ea_str *ret_key);
bool ea_json_item(struct ea_json *json);

/* A string, valid until the next one. NUL characters become U+FFFD. */
bool ea_json_string(struct ea_json *json, struct ea_str *ret);
bool ea_json_u64(struct ea_json *json, uint64_t *ret);
bool ea_json_true(struct ea_json *json); /* the next value is `true` */
void ea_json_skip(struct ea_json *json);

/* After the outermost value: nothing but blanks may follow. */
void ea_json_end(struct ea_json *json);

/* Line of the fault, from 1. */
unsigned long ea_json_line(const struct ea_json *json);
