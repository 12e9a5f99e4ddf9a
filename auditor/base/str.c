/* Views of text: trimming, tokens, lines, numbers. */
#include "base/str.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct ea_str ea_str_trim(struct ea_str a)
{
	while (a.len && is_space(a.ptr[0]))
		a = ea_str_skip(a, 1);
	while (a.len && is_space(a.ptr[a.len - 1]))
		a.len--;
	return a;
}

size_t ea_str_find(struct ea_str a, char c)
{
	const char *hit = a.len ? memchr(a.ptr, c, a.len) : NULL;

	return hit ? (size_t)(hit - a.ptr) : a.len;
}

size_t ea_str_find_str(struct ea_str a, struct ea_str needle)
{
	const char *hit = NULL;

	if (!needle.len)
		return 0;
	if (a.len >= needle.len)
		hit = memmem(a.ptr, a.len, needle.ptr, needle.len);
	return hit ? (size_t)(hit - a.ptr) : a.len;
}

bool ea_str_token(struct ea_str *rest, char sep, struct ea_str *ret_token)
{
	size_t at;

	if (!rest->ptr)
		return false;
	at = ea_str_find(*rest, sep);
	*ret_token = (struct ea_str){ rest->ptr, at };
	/* A NULL pointer marks "nothing left", an empty rest one more empty token. */
	*rest = at < rest->len ? ea_str_skip(*rest, at + 1) : (struct ea_str){ NULL, 0 };
	return true;
}

bool ea_str_line(struct ea_str *rest, struct ea_str *ret_line)
{
	size_t at;

	if (!rest->len)
		return false;
	at = ea_str_find(*rest, '\n');
	*ret_line = (struct ea_str){ rest->ptr, at };
	if (at && ret_line->ptr[at - 1] == '\r')
		ret_line->len--;
	*rest = ea_str_skip(*rest, at + 1);
	return true;
}

bool ea_str_u64(struct ea_str a, unsigned long long *ret_value)
{
	unsigned long long value = 0;

	if (!a.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (a.ptr[i] < '0' || a.ptr[i] > '9')
			return false;
		if (__builtin_mul_overflow(value, 10ull, &value) ||
		    __builtin_add_overflow(value, (unsigned long long)(a.ptr[i] - '0'), &value))
			return false;
	}
	*ret_value = value;
	return true;
}
