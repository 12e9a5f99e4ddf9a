/* Growable text on the heap. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

void ea_buf_release(struct ea_buf *buf)
{
	free(buf->ptr);
	*buf = (struct ea_buf){ 0 };
}

void ea_buf_clear(struct ea_buf *buf)
{
	buf->len = 0;
	if (buf->ptr)
		buf->ptr[0] = '\0';
}

char *ea_buf_reserve(struct ea_buf *buf, size_t size)
{
	if (size > SIZE_MAX / 4 || buf->len > SIZE_MAX / 4)
		ea_oom();
	if (buf->len + size + 1 > buf->cap) {
		size_t cap = buf->cap ? buf->cap * 2 : 64;

		if (cap < buf->len + size + 1)
			cap = buf->len + size + 1;
		buf->ptr = ea_xrealloc(buf->ptr, cap);
		buf->cap = cap;
		buf->ptr[buf->len] = '\0';
	}
	return buf->ptr + buf->len;
}

void ea_buf_add(struct ea_buf *buf, const void *ptr, size_t len)
{
	char *at = ea_buf_reserve(buf, len);

	if (len)
		memcpy(at, ptr, len);
	at[len] = '\0';
	buf->len += len;
}

void ea_buf_add_text(struct ea_buf *buf, const char *text)
{
	ea_buf_add(buf, text, strlen(text));
}

void ea_buf_add_str(struct ea_buf *buf, struct ea_str text)
{
	ea_buf_add(buf, text.ptr, text.len);
}

void ea_buf_add_char(struct ea_buf *buf, char c)
{
	ea_buf_add(buf, &c, 1);
}

void ea_buf_printf(struct ea_buf *buf, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	va_start(args, fmt);
	vsnprintf(ea_buf_reserve(buf, (size_t)len), (size_t)len + 1, fmt, args);
	va_end(args);
	buf->len += (size_t)len;
}

const char *ea_buf_text(const struct ea_buf *buf)
{
	return buf->ptr ? buf->ptr : "";
}
