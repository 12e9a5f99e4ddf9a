/* Dynamic string tokens: $ORIGIN, $LIB, $PLATFORM, with or without braces. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

struct ea_token_values {
	const char *origin, *lib, *platform; /* NULL = the loader does not know it */
	bool prefix;			     /* the policy TOKEN_PREFIX */
};

/*
 * Appends TEXT with its tokens replaced; what is no known token stays. False, and OUT as it was,
 * where a token has no value: the loader then drops the whole text.
 */
bool ea_tokens_expand(struct ea_buf *out, struct ea_str text, const struct ea_token_values *values);
