/*
 * Regular expressions (PCRE2) with hard limits, for patterns that come from matrix files. A pattern
 * without any special character is matched as plain text and never reaches PCRE2. This is the only
 * place that uses the library.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct ea_pattern;

/*
 * Compiles TEXT: it must match whole subjects unless FIND is set, then it is searched for.
 * On failure -EA_E_MATRIX with the position in the text of ERR.
 */
EA_MUST_CHECK int ea_pattern_new(const char *text, bool find, struct ea_pattern **ret_pattern,
				 struct ea_err *err);
void ea_pattern_free(struct ea_pattern *pattern); /* NULL is fine */

struct ea_match {
	struct ea_str group[10]; /* 0 is the whole match; ptr NULL where a group took no part */
};

/* Thread-safe. RET may be NULL. A match that would exceed the limits counts as none. */
bool ea_pattern_match(const struct ea_pattern *pattern, struct ea_str subject,
		      struct ea_match *ret);
