/*
 * Views of text that need not end in NUL: what parsers work on. A view owns nothing and is valid as
 * long as the bytes it points into. Model records hold NUL-terminated `const char *` instead.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct ea_str {
	const char *ptr;
	size_t len;
};

#define EA_STR(literal) ((struct ea_str){ "" literal, sizeof(literal) - 1 })
#define EA_STR_FMT	"%.*s"
#define EA_STR_ARG(str) (int)(str).len, (str).ptr

static inline struct ea_str ea_str(const char *text)
{
	return (struct ea_str){ text, text ? strlen(text) : 0 };
}

static inline bool ea_streq(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static inline bool ea_str_eq(struct ea_str a, struct ea_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool ea_str_is(struct ea_str a, const char *text)
{
	return ea_str_eq(a, ea_str(text));
}

static inline bool ea_str_starts(struct ea_str a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.len >= n && memcmp(a.ptr, prefix, n) == 0;
}

static inline bool ea_str_ends(struct ea_str a, const char *suffix)
{
	size_t n = strlen(suffix);

	return a.len >= n && memcmp(a.ptr + a.len - n, suffix, n) == 0;
}

static inline struct ea_str ea_str_skip(struct ea_str a, size_t n)
{
	return n > a.len ? (struct ea_str){ a.ptr + a.len, 0 }
			 : (struct ea_str){ a.ptr + n, a.len - n };
}

/* Without leading and trailing blanks, tabs, CR and LF. */
struct ea_str ea_str_trim(struct ea_str a);

/*
 * Cuts the next token off *REST at SEP: `a:b` gives "a", then "b", then false. An empty token
 * between two separators, or after a trailing one, is a token.
 */
bool ea_str_token(struct ea_str *rest, char sep, struct ea_str *ret_token);

/* The next line without its LF or CRLF; false at the end. A last line needs no LF. */
bool ea_str_line(struct ea_str *rest, struct ea_str *ret_line);

/* Position of byte C, or a.len. */
size_t ea_str_find(struct ea_str a, char c);

/* First occurrence of NEEDLE, or a.len. */
size_t ea_str_find_str(struct ea_str a, struct ea_str needle);

/* Unsigned decimal number that fills the whole view; false on anything else or overflow. */
bool ea_str_u64(struct ea_str a, unsigned long long *ret_value);
