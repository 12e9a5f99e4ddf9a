/* Errors: formatting into the caller's struct ea_err. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void mark_cut(struct ea_err *err, int wanted)
{
	if (wanted >= (int)sizeof(err->text))
		memcpy(err->text + sizeof(err->text) - 4, "...", 4);
}

int ea_err_set(struct ea_err *err, int code, const char *fmt, ...)
{
	code = -abs(code);
	if (err) {
		va_list args;

		va_start(args, fmt);
		mark_cut(err, vsnprintf(err->text, sizeof(err->text), fmt, args));
		va_end(args);
		err->code = code;
	}
	return code;
}

int ea_err_errno(struct ea_err *err, int errnum, const char *fmt, ...)
{
	errnum = abs(errnum);
	if (err) {
		char text[sizeof(err->text)];
		va_list args;

		va_start(args, fmt);
		vsnprintf(text, sizeof(text), fmt, args);
		va_end(args);
		ea_err_set(err, errnum, "%s: %s", text, strerror(errnum));
	}
	return -errnum;
}

int ea_err_context(struct ea_err *err, const char *fmt, ...)
{
	char context[256];
	char text[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(context, sizeof(context), fmt, args);
	va_end(args);
	memcpy(text, err->text, sizeof(text));
	return ea_err_set(err, err->code, "%s: %s", context, text);
}
