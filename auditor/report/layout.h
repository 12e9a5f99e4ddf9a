/*
 * Text for a terminal: wrapping and colour. All text that comes in is untrusted: it is escaped
 * here, and line breaks in it count as blanks.
 */
#pragma once

#include <stdbool.h>

#include "base/out.h"
#include "base/str.h"

enum ea_style {
	EA_STYLE_PLAIN,
	EA_STYLE_STRONG,
	EA_STYLE_DIM,
	EA_STYLE_ERROR,
	EA_STYLE_WARNING,
	EA_STYLE_NOTE,
	EA_STYLE_GOOD,
	EA_STYLE_MAX_
};

struct ea_layout {
	struct ea_out *out;
	unsigned width; /* columns; words that are longer are not cut */
	bool colour;
};

/* TEXT without a line break. */
void ea_layout_text(const struct ea_layout *layout, enum ea_style style, const char *text);

/*
 * LABEL (may be NULL) in STYLE, then TEXT, wrapped at blanks: the first line starts at column
 * INDENT, the others at column HANG. Ends in a line break.
 */
void ea_layout_wrap(const struct ea_layout *layout, unsigned indent, unsigned hang,
		    enum ea_style style, const char *label, const char *text);

/* The words of TEXT, on a line that stands at COLUMN; further lines begin there. Ends in a line
 * break. */
void ea_layout_words(const struct ea_layout *layout, unsigned column, const char *text);

/* As ea_layout_wrap() without a label, paragraph by paragraph (blank lines part them). */
void ea_layout_prose(const struct ea_layout *layout, unsigned indent, const char *text);

/* COUNT blanks. */
void ea_layout_pad(const struct ea_layout *layout, size_t count);
