/* Growable text on the heap; always NUL-terminated, never NULL. A zeroed struct is an empty one. */
#pragma once

#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

struct ea_buf {
	char *ptr; /* owned; may be NULL while empty, use ea_buf_text() */
	size_t len, cap;
};

void ea_buf_release(struct ea_buf *buf);
void ea_buf_clear(struct ea_buf *buf); /* keeps the memory */
void ea_buf_add(struct ea_buf *buf, const void *ptr, size_t len);
void ea_buf_add_text(struct ea_buf *buf, const char *text);
void ea_buf_add_str(struct ea_buf *buf, struct ea_str text);
void ea_buf_add_char(struct ea_buf *buf, char c);
EA_PRINTF(2, 3) void ea_buf_printf(struct ea_buf *buf, const char *fmt, ...);

/* Room for SIZE more bytes; the caller writes to the result, then adds to buf->len. */
char *ea_buf_reserve(struct ea_buf *buf, size_t size);

/* Valid until the next change. */
const char *ea_buf_text(const struct ea_buf *buf);
static inline struct ea_str ea_buf_str(const struct ea_buf *buf)
{
	return (struct ea_str){ ea_buf_text(buf), buf->len };
}
