/* Text for a terminal: wrapping and colour. */
#include "report/layout.h"

#include "base/buf.h"
#include "base/escape.h"

static const char *const codes[EA_STYLE_MAX_] = {
	[EA_STYLE_STRONG] = "1",     [EA_STYLE_DIM] = "2",     [EA_STYLE_ERROR] = "1;31",
	[EA_STYLE_WARNING] = "1;33", [EA_STYLE_NOTE] = "1;36", [EA_STYLE_GOOD] = "1;32",
};

void ea_layout_pad(const struct ea_layout *layout, size_t count)
{
	while (count--)
		ea_out_write(layout->out, " ", 1);
}

void ea_layout_text(const struct ea_layout *layout, enum ea_style style, const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };
	bool colour = layout->colour && codes[style];

	ea_escape_text(&escaped, ea_str(text));
	if (colour)
		ea_out_printf(layout->out, "\033[%sm", codes[style]);
	ea_out_str(layout->out, ea_buf_str(&escaped));
	if (colour)
		ea_out_text(layout->out, "\033[0m");
}

static bool next_word(struct ea_str *rest, struct ea_str *ret_word)
{
	size_t len = 0;

	*rest = ea_str_trim(*rest);
	while (len < rest->len && !strchr(" \t\r\n", rest->ptr[len]))
		len++;
	*ret_word = (struct ea_str){ rest->ptr, len };
	*rest = ea_str_skip(*rest, len);
	return len > 0;
}

static size_t text_width(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };

	ea_escape_text(&escaped, ea_str(text));
	return ea_escape_width(ea_buf_str(&escaped));
}

/* The words of TEXT, from COLUMN on; blank before the first word only if SPACE. */
static void wrap_words(const struct ea_layout *layout, size_t column, unsigned hang, bool space,
		       struct ea_str text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };
	struct ea_str word;

	while (next_word(&text, &word)) {
		size_t width;

		ea_buf_clear(&escaped);
		ea_escape_text(&escaped, word);
		width = ea_escape_width(ea_buf_str(&escaped));
		if (space && column + 1 + width > layout->width) {
			ea_out_text(layout->out, "\n");
			ea_layout_pad(layout, hang);
			column = hang;
		} else if (space) {
			ea_out_text(layout->out, " ");
			column++;
		}
		ea_out_str(layout->out, ea_buf_str(&escaped));
		column += width;
		space = true;
	}
	ea_out_text(layout->out, "\n");
}

void ea_layout_words(const struct ea_layout *layout, unsigned column, const char *text)
{
	wrap_words(layout, column, column, false, ea_str(text));
}

void ea_layout_wrap(const struct ea_layout *layout, unsigned indent, unsigned hang,
		    enum ea_style style, const char *label, const char *text)
{
	size_t column = indent;

	ea_layout_pad(layout, indent);
	if (label) {
		ea_layout_text(layout, style, label);
		column += text_width(label);
	}
	wrap_words(layout, column, hang, label != NULL, ea_str(text));
}

void ea_layout_prose(const struct ea_layout *layout, unsigned indent, const char *text)
{
	struct ea_str rest = ea_str_trim(ea_str(text));

	while (rest.len) {
		size_t end = ea_str_find_str(rest, EA_STR("\n\n"));

		ea_layout_pad(layout, indent);
		wrap_words(layout, indent, indent, false, (struct ea_str){ rest.ptr, end });
		rest = ea_str_trim(ea_str_skip(rest, end));
		if (rest.len)
			ea_out_text(layout->out, "\n");
	}
}
