/* Dotted version numbers: parsing, order, agreement. */
#include "base/version.h"

#include <strings.h>

static const struct {
	const char *word;
	int8_t phase;
} phases[] = {
	{ "dev", EA_PHASE_DEV },   { "alpha", EA_PHASE_ALPHA }, { "a", EA_PHASE_ALPHA },
	{ "beta", EA_PHASE_BETA }, { "b", EA_PHASE_BETA },	{ "preview", EA_PHASE_RC },
	{ "pre", EA_PHASE_RC },	   { "rc", EA_PHASE_RC },	{ "c", EA_PHASE_RC },
	{ "post", EA_PHASE_POST }, { "rev", EA_PHASE_POST },	{ "r", EA_PHASE_POST },
};

static bool take_number(struct ea_str *rest, uint32_t *ret_number)
{
	uint32_t value = 0;
	size_t n = 0;

	while (n < rest->len && rest->ptr[n] >= '0' && rest->ptr[n] <= '9') {
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint32_t)(rest->ptr[n] - '0'), &value))
			return false;
		n++;
	}
	if (!n)
		return false;
	*ret_number = value;
	*rest = ea_str_skip(*rest, n);
	return true;
}

static void skip_one_of(struct ea_str *rest, const char *chars)
{
	if (rest->len && strchr(chars, rest->ptr[0]))
		*rest = ea_str_skip(*rest, 1);
}

static int take_phase(struct ea_str *rest, struct ea_version *v)
{
	skip_one_of(rest, ".-_");
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		size_t n = strlen(phases[i].word);

		if (rest->len < n || strncasecmp(rest->ptr, phases[i].word, n) != 0)
			continue;
		*rest = ea_str_skip(*rest, n);
		skip_one_of(rest, ".-_");
		v->phase = phases[i].phase;
		v->phase_number = 0;
		if (rest->len && rest->ptr[0] >= '0' && rest->ptr[0] <= '9')
			return take_number(rest, &v->phase_number) ? 0 : 1;
		return 0;
	}
	return 1;
}

int ea_version_parse(struct ea_str text, struct ea_version *ret_version)
{
	struct ea_version v = { 0 };
	struct ea_str rest = ea_str_trim(text);

	do {
		if (v.n == sizeof(v.part) / sizeof(v.part[0]) || !take_number(&rest, &v.part[v.n]))
			return 1;
		v.n++;
		if (rest.len < 2 || rest.ptr[0] != '.' || rest.ptr[1] < '0' || rest.ptr[1] > '9')
			break;
		rest = ea_str_skip(rest, 1);
	} while (true);
	while (rest.len && rest.ptr[0] != '+')
		if (take_phase(&rest, &v))
			return 1;
	v.local = ea_str_skip(rest, 1);
	*ret_version = v;
	return 0;
}

int ea_version_cmp(const struct ea_version *a, const struct ea_version *b)
{
	for (size_t i = 0; i < sizeof(a->part) / sizeof(a->part[0]); i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i] ? -1 : 1;
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->phase_number != b->phase_number)
		return a->phase_number < b->phase_number ? -1 : 1;
	return 0;
}

int ea_version_cmp_text(const char *a, const char *b)
{
	struct ea_version va, vb;
	bool bad_a = ea_version_parse(ea_str(a), &va) != 0;
	bool bad_b = ea_version_parse(ea_str(b), &vb) != 0;

	if (bad_a || bad_b)
		return (int)bad_b - (int)bad_a;
	return ea_version_cmp(&va, &vb);
}

bool ea_version_agrees(const char *a, const char *b)
{
	struct ea_version va, vb;

	if (ea_version_parse(ea_str(a), &va) || ea_version_parse(ea_str(b), &vb))
		return ea_streq(a, b);
	for (int i = 0; i < va.n && i < vb.n; i++)
		if (va.part[i] != vb.part[i])
			return false;
	return va.phase == vb.phase && va.phase_number == vb.phase_number;
}
