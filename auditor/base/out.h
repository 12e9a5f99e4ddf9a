/*
 * Buffered output with a sticky error: writers do not check every call, the end does.
 * A closed pipe ends quietly (ea_out_finish() returns 0 and sets broken_pipe).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

struct ea_out {
	int fd;	   /* not owned */
	int error; /* first errno, 0 while all went well */
	bool broken_pipe;
	size_t len;
	char data[65536];
};

void ea_out_init(struct ea_out *out, int fd);
void ea_out_write(struct ea_out *out, const void *ptr, size_t len);
void ea_out_text(struct ea_out *out, const char *text);
void ea_out_str(struct ea_out *out, struct ea_str text);
EA_PRINTF(2, 3) void ea_out_printf(struct ea_out *out, const char *fmt, ...);
void ea_out_flush(struct ea_out *out);

/* Flushes; NAME is what the message calls the output. */
EA_MUST_CHECK int ea_out_finish(struct ea_out *out, const char *name, struct ea_err *err);
