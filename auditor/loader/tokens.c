/* Dynamic string tokens, by the rules of ld.so's is_dst() and _dl_dst_substitute(). */
#include "loader/tokens.h"

static bool is_name_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Length of the token NAME at the start of TEXT, which follows a '$'; 0 if it is none. */
static size_t token_len(struct ea_str text, struct ea_str name, bool prefix)
{
	bool braced = text.len > 0 && text.ptr[0] == '{';
	struct ea_str rest = ea_str_skip(text, braced ? 1 : 0);
	char next;

	if (rest.len < name.len || memcmp(rest.ptr, name.ptr, name.len) != 0)
		return 0;
	rest = ea_str_skip(rest, name.len);
	next = rest.len > 0 ? rest.ptr[0] : '\0';
	if (braced) {
		if (next != '}')
			return 0;
		rest = ea_str_skip(rest, 1);
		next = prefix ? '\0' : rest.len > 0 ? rest.ptr[0] : '\0';
	}
	if (is_name_char(next) || (!prefix && next != '\0' && next != '/'))
		return 0;
	return name.len + (braced ? 2 : 0);
}

/* The token that follows a '$': its length or 0, and its value (NULL = unknown). */
static size_t token_at(struct ea_str text, const struct ea_token_values *values,
		       const char **ret_value)
{
	const struct {
		struct ea_str name;
		const char *value;
	} tokens[] = {
		{ EA_STR("ORIGIN"), values->origin },
		{ EA_STR("PLATFORM"), values->platform },
		{ EA_STR("LIB"), values->lib },
	};

	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		size_t len = token_len(text, tokens[i].name, values->prefix);

		if (len != 0) {
			*ret_value = tokens[i].value;
			return len;
		}
	}
	return 0;
}

bool ea_tokens_expand(struct ea_buf *out, struct ea_str text, const struct ea_token_values *values)
{
	size_t before = out->len;

	for (size_t i = 0; i < text.len; i++) {
		const char *value = NULL;
		size_t len =
			text.ptr[i] == '$' ? token_at(ea_str_skip(text, i + 1), values, &value) : 0;

		if (len == 0) {
			ea_buf_add_char(out, text.ptr[i]);
			continue;
		}
		if (!value) {
			out->len = before;
			if (out->ptr)
				out->ptr[before] = '\0';
			return false;
		}
		ea_buf_add_text(out, value);
		i += len;
	}
	return true;
}
