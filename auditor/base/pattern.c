/* Regular expressions with limits; literals are compared directly. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/pattern.h"

#include <pcre2.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"

#define MATCH_LIMIT 200000u
#define DEPTH_LIMIT 1000u

struct ea_pattern {
	char *literal; /* set instead of code */
	size_t literal_len;
	bool find;
	pcre2_code *code;
	struct ea_buf must; /* with code: what every match contains; may be empty */
};

static bool is_literal(const char *text)
{
	return !strpbrk(text, "\\^$.[]|()?*+{}");
}

/* Behind the class or group that begins at AT; NULL if it does not end. */
static const char *skip_class(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	if (*at == ']')
		at++;
	for (; *at && *at != ']'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : NULL;
}

static const char *skip_group(const char *at)
{
	unsigned depth = 0;

	while (at && *at) {
		if (*at == '[') {
			at = skip_class(at);
			continue;
		}
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '(')
			depth++;
		else if (*at == ')' && --depth == 0)
			return at + 1;
		at++;
	}
	return NULL;
}

/* What changes the meaning of the characters around it: no literal is taken from such patterns. */
static bool is_special(const char *text)
{
	for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '('))
		if (at[1] == '*' || (at[1] == '?' && at[2] != ':'))
			return true;
	return strstr(text, "\\Q") || strstr(text, "[[");
}

/*
 * The longest run of plain characters outside of groups: most subjects do not contain it, and to
 * see that is much cheaper than to match.
 */
static void find_must(const char *text, struct ea_buf *must)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf run = { 0 };
	bool more = !is_special(text);

	while (more) {
		const char *next = text + 1;
		char c = *text;

		if (c == '[' && text[1] && text[1] != '^' && text[1] != '\\' && text[2] == ']') {
			c = text[1];
			next = text + 3;
		} else if (c == '[' || c == '(') {
			next = c == '[' ? skip_class(text) : skip_group(text);
			c = 0;
		} else if (c == '\\') {
			next = text[1] ? text + 2 : NULL;
			c = 0;
		} else if (c == '|') {
			ea_buf_clear(must);
			return;
		} else if (c && strchr("^$.?*+{})]", c)) {
			c = 0;
		}
		more = next && *text;
		if (more && c && !strchr("?*{", *next ? *next : ' ')) {
			ea_buf_add_char(&run, c);
			text = next;
			continue;
		}
		if (run.len > must->len) {
			ea_buf_clear(must);
			ea_buf_add_str(must, ea_buf_str(&run));
		}
		ea_buf_clear(&run);
		text = next;
	}
}

int ea_pattern_new(const char *text, bool find, struct ea_pattern **ret_pattern, struct ea_err *err)
{
	uint32_t options = PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF;
	struct ea_pattern *pattern;
	PCRE2_SIZE offset;
	int code;

	pattern = ea_xmalloc(sizeof(*pattern));
	*pattern = (struct ea_pattern){ .find = find };
	if (is_literal(text)) {
		pattern->literal_len = strlen(text);
		pattern->literal = ea_xmalloc(pattern->literal_len + 1);
		memcpy(pattern->literal, text, pattern->literal_len + 1);
	} else {
		if (!find)
			options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
		pattern->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options,
					      &code, &offset, NULL);
		if (!pattern->code) {
			PCRE2_UCHAR why[128] = "unknown error";

			pcre2_get_error_message(code, why, sizeof(why));
			free(pattern);
			return ea_err_set(err, EA_E_MATRIX, "bad pattern '%s' at character %zu: %s",
					  text, (size_t)offset + 1, (const char *)why);
		}
		find_must(text, &pattern->must);
	}
	*ret_pattern = pattern;
	return 0;
}

void ea_pattern_free(struct ea_pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_code_free(pattern->code);
	ea_buf_release(&pattern->must);
	free(pattern->literal);
	free(pattern);
}

static bool match_literal(const struct ea_pattern *pattern, struct ea_str subject,
			  struct ea_match *ret)
{
	struct ea_str literal = { pattern->literal, pattern->literal_len };
	size_t at = 0;

	if (pattern->find)
		at = ea_str_find_str(subject, literal);
	else if (!ea_str_eq(subject, literal))
		return false;
	if (pattern->find && at == subject.len && literal.len)
		return false;
	if (ret)
		*ret = (struct ea_match){ { { subject.ptr + at, literal.len } } };
	return true;
}

bool ea_pattern_match(const struct ea_pattern *pattern, struct ea_str subject, struct ea_match *ret)
{
	pcre2_match_context *context;
	pcre2_match_data *data;
	int rc;

	if (pattern->literal)
		return match_literal(pattern, subject, ret);
	if (pattern->must.len &&
	    ea_str_find_str(subject, ea_buf_str(&pattern->must)) == subject.len)
		return false;
	context = pcre2_match_context_create(NULL);
	data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	if (!context || !data)
		ea_oom();
	pcre2_set_match_limit(context, MATCH_LIMIT);
	pcre2_set_depth_limit(context, DEPTH_LIMIT);
	rc = pcre2_match(pattern->code, (PCRE2_SPTR)(subject.ptr ? subject.ptr : ""), subject.len,
			 0, 0, data, context);
	if (rc > 0 && ret) {
		const PCRE2_SIZE *at = pcre2_get_ovector_pointer(data);

		*ret = (struct ea_match){ 0 };
		for (int i = 0; i < rc && i < (int)EA_ARRAY_SIZE(ret->group); i++)
			if (at[2 * i] != PCRE2_UNSET)
				ret->group[i] = (struct ea_str){ subject.ptr + at[2 * i],
								 at[2 * i + 1] - at[2 * i] };
	}
	pcre2_match_data_free(data);
	pcre2_match_context_free(context);
	return rc > 0;
}
