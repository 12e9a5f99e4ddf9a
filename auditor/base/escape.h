/*
 * Untrusted text (paths, metadata, image contents) made safe to show. Both forms leave well-formed,
 * printable UTF-8 as it is.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/*
 * For a terminal: control characters, line breaks, bytes that are not UTF-8 and characters that
 * reorder or hide text become \n, \t, \e, \xNN or \u{NNNN}.
 */
void ea_escape_text(struct ea_buf *out, struct ea_str text);

/* As UTF-8 for JSON: only bytes that are not UTF-8 become \xNN; the writer escapes the rest. */
void ea_escape_utf8(struct ea_buf *out, struct ea_str text);

/* Columns that the text takes on a terminal after ea_escape_text(), counting one a character. */
size_t ea_escape_width(struct ea_str escaped);
