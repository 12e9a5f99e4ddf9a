/* The table of glibc's habits, looked up for one version. */
#include "loader/policy.h"

#include "base/attr.h"

static const struct {
	uint8_t since, until;
} ranges[EA_POLICY_MAX_] = {
#define X(name, since, until, text) { since, until },
	EA_POLICIES(X)
#undef X
};

const char *const ea_policy_names[EA_POLICY_MAX_] = {
#define X(name, since, until, text) #name,
	EA_POLICIES(X)
#undef X
};

const char *const ea_policy_texts[EA_POLICY_MAX_] = {
#define X(name, since, until, text) text,
	EA_POLICIES(X)
#undef X
};

/* Versions whose own loader runs the tests of tests/oracle. */
static const uint8_t confirmed[] = { 31, 36, 39, 41, 43 };

struct ea_policy ea_policy_of(unsigned minor, uint64_t flip)
{
	struct ea_policy policy = { .minor = (uint8_t)(minor > 255 ? 255 : minor) };
	unsigned known = minor < EA_GLIBC_OLDEST ? EA_GLIBC_OLDEST : minor;

	for (int id = 0; id < EA_POLICY_MAX_; id++)
		if (known >= ranges[id].since && known <= ranges[id].until)
			policy.on |= UINT64_C(1) << id;
	policy.on ^= flip;
	return policy;
}

bool ea_policy_confirmed(const struct ea_policy *policy)
{
	if (policy->minor > EA_GLIBC_NEWEST)
		return false;
	for (size_t i = 0; i < EA_ARRAY_SIZE(confirmed); i++)
		if (ea_policy_of(confirmed[i], 0).on == policy->on)
			return true;
	return false;
}
