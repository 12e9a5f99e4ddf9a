/* Buffered output with a sticky error. */
#include "base/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

void ea_out_init(struct ea_out *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->broken_pipe = false;
	out->len = 0;
}

static void write_all(struct ea_out *out, const char *ptr, size_t len)
{
	while (len && !out->error) {
		ssize_t n = write(out->fd, ptr, len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			out->error = errno;
			out->broken_pipe = errno == EPIPE;
			return;
		}
		ptr += n;
		len -= (size_t)n;
	}
}

void ea_out_flush(struct ea_out *out)
{
	write_all(out, out->data, out->len);
	out->len = 0;
}

void ea_out_write(struct ea_out *out, const void *ptr, size_t len)
{
	if (len > sizeof(out->data) - out->len)
		ea_out_flush(out);
	if (len > sizeof(out->data)) {
		write_all(out, ptr, len);
		return;
	}
	if (len)
		memcpy(out->data + out->len, ptr, len);
	out->len += len;
}

void ea_out_text(struct ea_out *out, const char *text)
{
	ea_out_write(out, text, strlen(text));
}

void ea_out_str(struct ea_out *out, struct ea_str text)
{
	ea_out_write(out, text.ptr, text.len);
}

void ea_out_printf(struct ea_out *out, const char *fmt, ...)
{
	EA_CLEANUP(ea_free_ptr) char *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		ea_oom();
	ea_out_write(out, text, (size_t)len);
}

int ea_out_finish(struct ea_out *out, const char *name, struct ea_err *err)
{
	ea_out_flush(out);
	if (out->error && !out->broken_pipe)
		return ea_err_set(err, EA_E_OUTPUT, "cannot write %s: %s", name,
				  strerror(out->error));
	return 0;
}
