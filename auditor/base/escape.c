/* Untrusted text made safe to show. */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>

/* Length of the well-formed UTF-8 character at the start (RFC 3629), 0 if there is none. */
static size_t utf8_len(struct ea_str s, uint32_t *ret_char)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s.ptr;
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint32_t c;

	if (n == 1) {
		*ret_char = p[0];
		return 1;
	}
	if (!n || n > s.len || p[0] > 0xf4)
		return 0;
	c = p[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret_char = c;
	return n;
}

/* Characters that a reader cannot see or that change the order of those around them. */
static bool is_deceptive(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

static void add_escaped(struct ea_buf *out, uint32_t c)
{
	if (c == '\n')
		ea_buf_add_text(out, "\\n");
	else if (c == '\t')
		ea_buf_add_text(out, "\\t");
	else if (c == 0x1b)
		ea_buf_add_text(out, "\\e");
	else if (c < 0x80)
		ea_buf_printf(out, "\\x%02x", c);
	else
		ea_buf_printf(out, "\\u{%x}", c);
}

static void escape(struct ea_buf *out, struct ea_str text, bool terminal)
{
	while (text.len) {
		uint32_t c = 0;
		size_t n = utf8_len(text, &c);

		if (!n) {
			ea_buf_printf(out, "\\x%02x", (unsigned char)text.ptr[0]);
			n = 1;
		} else if (terminal && is_deceptive(c)) {
			add_escaped(out, c);
		} else {
			ea_buf_add(out, text.ptr, n);
		}
		text = ea_str_skip(text, n);
	}
}

void ea_escape_text(struct ea_buf *out, struct ea_str text)
{
	escape(out, text, true);
}

void ea_escape_utf8(struct ea_buf *out, struct ea_str text)
{
	escape(out, text, false);
}

size_t ea_escape_width(struct ea_str escaped)
{
	size_t width = 0;

	for (size_t i = 0; i < escaped.len; i++)
		width += ((unsigned char)escaped.ptr[i] & 0xc0) != 0x80;
	return width;
}
