/* A pull reader for JSON text in memory. */
#include "inventory/json.h"

#include "base/limits.h"

_Static_assert(EA_LIMIT_JSON_DEPTH <= 64, "ea_json.objects has one bit for each level");

void ea_json_init(struct ea_json *json, struct ea_str text)
{
	if (ea_str_starts(text, "\xef\xbb\xbf"))
		text = ea_str_skip(text, 3);
	*json = (struct ea_json){ .start = text.ptr, .pos = text.ptr, .end = text.ptr + text.len };
}

void ea_json_release(struct ea_json *json)
{
	ea_buf_release(&json->text);
}

static bool fail(struct ea_json *json, const char *fault)
{
	if (!json->fault)
		json->fault = fault;
	return false;
}

/* The next character that is no blank, not taken; '\0' at the end or after a fault. */
static char peek(struct ea_json *json)
{
	if (json->fault)
		return '\0';
	while (json->pos < json->end) {
		char c = *json->pos;

		if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
			return c;
		json->pos++;
	}
	return '\0';
}

/* ---- brackets --------------------------------------------------------------------------- */

static bool enter(struct ea_json *json, bool object)
{
	if (json->depth == EA_LIMIT_JSON_DEPTH) {
		json->too_deep = true;
		return fail(json, "nesting is too deep");
	}
	json->objects = json->objects << 1 | object;
	json->depth++;
	json->pos++;
	json->first = true;
	return true;
}

static void leave(struct ea_json *json)
{
	json->objects >>= 1;
	json->depth--;
	json->pos++;
	json->first = false;
}

bool ea_json_object(struct ea_json *json)
{
	if (peek(json) == '{')
		return enter(json, true);
	ea_json_skip(json);
	return false;
}

bool ea_json_array(struct ea_json *json)
{
	if (peek(json) == '[')
		return enter(json, false);
	ea_json_skip(json);
	return false;
}

/* Goes to the next part of the innermost bracket; false at its end. */
static bool advance(struct ea_json *json, char close)
{
	char c = peek(json);

	if (c == close) {
		leave(json);
		return false;
	}
	if (!json->first) {
		if (c != ',')
			return fail(json, c || json->pos < json->end ? "a comma is missing"
								     : "the text ends too early");
		json->pos++;
		peek(json);
	}
	json->first = false;
	return !json->fault;
}

bool ea_json_member(struct ea_json *json, struct ea_str *ret_key)
{
	if (!advance(json, '}'))
		return false;
	if (peek(json) != '"')
		return fail(json, "a member's name is missing");
	if (!ea_json_string(json, ret_key))
		return false;
	if (peek(json) != ':')
		return fail(json, "a colon is missing");
	json->pos++;
	return true;
}

bool ea_json_item(struct ea_json *json)
{
	return advance(json, ']');
}

/* ---- strings ---------------------------------------------------------------------------- */

static int hex4(struct ea_str text)
{
	int value = 0;

	if (text.len < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = text.ptr[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

static void add_utf8(struct ea_buf *out, uint32_t c)
{
	if (c == 0 || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		ea_buf_add_char(out, (char)c);
	} else if (c < 0x800) {
		ea_buf_add_char(out, (char)(0xc0 | c >> 6));
		ea_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		ea_buf_add_char(out, (char)(0xe0 | c >> 12));
		ea_buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
		ea_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
	} else {
		ea_buf_add_char(out, (char)(0xf0 | c >> 18));
		ea_buf_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
		ea_buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
		ea_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
	}
}

/* TEXT stands after "\u"; returns how much of it was used, 0 if it is wrong. */
static size_t add_unicode(struct ea_buf *out, struct ea_str text)
{
	int high = hex4(text), low;

	if (high < 0)
		return 0;
	if (high >= 0xd800 && high < 0xdc00 && ea_str_starts(ea_str_skip(text, 4), "\\u")) {
		low = hex4(ea_str_skip(text, 6));
		if (low >= 0xdc00 && low < 0xe000) {
			add_utf8(out, 0x10000u + ((uint32_t)(high - 0xd800) << 10) +
					      (uint32_t)(low - 0xdc00));
			return 10;
		}
	}
	add_utf8(out, (uint32_t)high);
	return 4;
}

/* TEXT stands after a backslash; returns how much of it was used, 0 if it is wrong. */
static size_t add_escape(struct ea_buf *out, struct ea_str text)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *at = text.len && text.ptr[0] ? strchr(names, text.ptr[0]) : NULL;
	size_t used;

	if (at) {
		ea_buf_add_char(out, values[at - names]);
		return 1;
	}
	if (!ea_str_starts(text, "u"))
		return 0;
	used = add_unicode(out, ea_str_skip(text, 1));
	return used ? used + 1 : 0;
}

/* The closing quote of the string that starts at FROM; NULL if there is none. */
static const char *closing_quote(const char *from, const char *end, bool *ret_escapes)
{
	const char *at = from, *quote, *slash;

	*ret_escapes = false;
	while ((quote = memchr(at, '"', (size_t)(end - at)))) {
		slash = memchr(at, '\\', (size_t)(quote - at));
		if (!slash)
			return quote;
		*ret_escapes = true;
		if (end - slash < 2)
			return NULL;
		at = slash + 2;
	}
	return NULL;
}

/* The next value is known to be a string; RET may be NULL. */
static bool take_string(struct ea_json *json, struct ea_str *ret)
{
	const char *from = json->pos + 1, *quote;
	struct ea_str raw;
	bool escapes;

	quote = closing_quote(from, json->end, &escapes);
	if (!quote)
		return fail(json, "a string does not end");
	json->pos = quote + 1;
	raw = (struct ea_str){ from, (size_t)(quote - from) };
	if (!ret)
		return true;
	*ret = raw;
	if (!escapes)
		return true;
	ea_buf_clear(&json->text);
	while (raw.len) {
		size_t plain = ea_str_find(raw, '\\'), used;

		ea_buf_add(&json->text, raw.ptr, plain);
		if (plain == raw.len)
			break;
		raw = ea_str_skip(raw, plain + 1);
		used = add_escape(&json->text, raw);
		if (!used)
			return fail(json, "a string holds a wrong escape");
		raw = ea_str_skip(raw, used);
	}
	*ret = ea_buf_str(&json->text);
	return true;
}

bool ea_json_string(struct ea_json *json, struct ea_str *ret)
{
	if (peek(json) == '"')
		return take_string(json, ret);
	ea_json_skip(json);
	return false;
}

/* ---- other values ----------------------------------------------------------------------- */

/* A number or a word, as it stands; empty if there is none. */
static struct ea_str take_word(struct ea_json *json)
{
	struct ea_str word = { json->pos, 0 };

	while (json->pos < json->end && !memchr(",]} \n\t\r:\"[{", *json->pos, 11))
		json->pos++;
	word.len = (size_t)(json->pos - word.ptr);
	return word;
}

static bool is_word(struct ea_str word)
{
	if (ea_str_is(word, "true") || ea_str_is(word, "false") || ea_str_is(word, "null"))
		return true;
	if (!word.len || !memchr("-0123456789", word.ptr[0], 11))
		return false;
	for (size_t i = 1; i < word.len; i++)
		if (!memchr("+-.0123456789eE", word.ptr[i], 15))
			return false;
	return true;
}

bool ea_json_u64(struct ea_json *json, uint64_t *ret)
{
	unsigned long long value;
	char c = peek(json);
	struct ea_str word;

	if (c < '0' || c > '9') {
		ea_json_skip(json);
		return false;
	}
	word = take_word(json);
	if (!is_word(word))
		return fail(json, "a number is malformed");
	if (!ea_str_u64(word, &value))
		return false;
	*ret = value;
	return true;
}

bool ea_json_true(struct ea_json *json)
{
	struct ea_str word;

	if (peek(json) != 't') {
		ea_json_skip(json);
		return false;
	}
	word = take_word(json);
	return ea_str_is(word, "true") || fail(json, "a word is malformed");
}

/* A bracket was entered: takes everything up to and with its end. */
static void skip_rest(struct ea_json *json)
{
	unsigned outer = json->depth - 1;

	while (json->depth > outer) {
		char c = peek(json);

		if (c == '"') {
			take_string(json, NULL);
		} else if (c == '{' || c == '[') {
			enter(json, c == '{');
		} else if (c == '}' || c == ']') {
			if ((json->objects & 1) != (c == '}'))
				fail(json, "brackets do not match");
			else
				leave(json);
		} else if (c == ',' || c == ':') {
			json->pos++;
		} else if (!json->fault && !is_word(take_word(json))) {
			fail(json, json->pos < json->end ? "a value is malformed"
							 : "the text ends too early");
		}
		if (json->fault)
			return;
	}
}

void ea_json_skip(struct ea_json *json)
{
	char c = peek(json);

	if (json->fault)
		return;
	if (c == '"')
		take_string(json, NULL);
	else if (c == '{' || c == '[') {
		if (enter(json, c == '{'))
			skip_rest(json);
	} else if (!is_word(take_word(json))) {
		fail(json,
		     json->pos < json->end ? "a value is malformed" : "the text ends too early");
	}
}

void ea_json_end(struct ea_json *json)
{
	peek(json);
	if (!json->fault && json->pos < json->end)
		fail(json, "something follows the end");
}

unsigned long ea_json_line(const struct ea_json *json)
{
	unsigned long line = 1;

	for (const char *at = json->start; at < json->pos; at++)
		line += *at == '\n';
	return line;
}
