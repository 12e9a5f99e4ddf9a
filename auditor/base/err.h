/*
 * Errors: the channel for what makes a run, or one target of it, impossible.
 *
 * A function that can fail takes `struct ea_err *err` last, sets it once where the cause is known,
 * and returns its code (negative). Callers may add context on the way up with ea_err_context();
 * nobody prints below cli. What merely could not be read is a gap (model/gap.h), not an error.
 */
#pragma once

#include "base/attr.h"

/* Codes beside negative errno values; they start above every errno. */
enum ea_err_code {
	EA_E_USAGE = 1024, /* command line */
	EA_E_TARGET,	   /* the target is not something that can be audited */
	EA_E_MATRIX,	   /* a matrix or configuration file is invalid */
	EA_E_OUTPUT,	   /* the report could not be written */
	EA_E_AGAIN,	   /* a streamed source has to be passed over once more (fs/root.h) */
};

struct ea_err {
	int code;	 /* as returned: negative */
	char text[1024]; /* one line without a newline; cut with an ellipsis when longer */
};

/* Sets ERR (which may be NULL) and returns -abs(CODE). */
EA_PRINTF(3, 4) int ea_err_set(struct ea_err *err, int code, const char *fmt, ...);

/* As ea_err_set() for an errno value: the text ends in ": " and strerror's words. */
EA_PRINTF(3, 4) int ea_err_errno(struct ea_err *err, int errnum, const char *fmt, ...);

/* Puts "CONTEXT: " in front of the text; returns the code that was set. */
EA_PRINTF(2, 3) int ea_err_context(struct ea_err *err, const char *fmt, ...);
