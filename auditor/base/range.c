/* Sets of versions. */
#include "base/range.h"

#include "base/attr.h"

enum compare { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, LIKE, COMPATIBLE };

struct condition {
	enum compare compare;
	bool any;    /* "*" */
	bool prefix; /* ends in ".*" or ".x" */
	struct ea_version version;
};

/* In this order: what begins like another comes first. */
static const struct {
	const char *text;
	enum compare compare;
} operators[] = {
	{ "<=", LESS_EQUAL }, { "<", LESS },	   { ">=", GREATER_EQUAL }, { ">", GREATER },
	{ "==", EQUAL },      { "!=", NOT_EQUAL }, { "~=", COMPATIBLE },
};

static bool parse_condition(struct ea_str text, struct condition *ret)
{
	struct condition c = { .compare = LIKE };

	text = ea_str_trim(text);
	for (size_t i = 0; i < EA_ARRAY_SIZE(operators); i++) {
		if (ea_str_starts(text, operators[i].text)) {
			c.compare = operators[i].compare;
			text = ea_str_trim(ea_str_skip(text, strlen(operators[i].text)));
			break;
		}
	}
	if (c.compare == LIKE && ea_str_is(text, "*")) {
		c.any = true;
		*ret = c;
		return true;
	}
	if (ea_str_ends(text, ".*") || ea_str_ends(text, ".x")) {
		if (c.compare != LIKE && c.compare != EQUAL && c.compare != NOT_EQUAL)
			return false;
		c.prefix = true;
		text.len -= 2;
	}
	if (ea_version_parse(text, &c.version))
		return false;
	*ret = c;
	return true;
}

static bool begins_with(const struct ea_version *version, const struct ea_version *prefix)
{
	for (uint8_t i = 0; i < prefix->n; i++)
		if ((i < version->n ? version->part[i] : 0) != prefix->part[i])
			return false;
	return true;
}

static bool is_equal(const struct condition *c, const struct ea_version *version)
{
	if (c->prefix)
		return begins_with(version, &c->version);
	return ea_version_cmp(version, &c->version) == 0 &&
	       (c->version.local.len == 0 || ea_str_eq(c->version.local, version->local));
}

static bool holds(const struct condition *c, const struct ea_version *version)
{
	struct ea_version head = c->version;
	int order = ea_version_cmp(version, &c->version);

	if (c->any)
		return true;
	switch (c->compare) {
	case LESS:
		return order < 0;
	case LESS_EQUAL:
		return order <= 0;
	case GREATER:
		return order > 0;
	case GREATER_EQUAL:
		return order >= 0;
	case EQUAL:
		return is_equal(c, version);
	case NOT_EQUAL:
		return !is_equal(c, version);
	case LIKE:
		return begins_with(version, &c->version);
	case COMPATIBLE:
		head.n = head.n > 1 ? head.n - 1 : head.n;
		return order >= 0 && begins_with(version, &head);
	}
	return false;
}

/* All conditions of one alternative; *RET_VALID is whether they could be read. */
static bool alternative_has(struct ea_str text, const struct ea_version *version, bool *ret_valid)
{
	struct condition c;
	struct ea_str part;
	bool all = true;

	while (ea_str_token(&text, ',', &part)) {
		if (!parse_condition(part, &c)) {
			*ret_valid = false;
			return false;
		}
		all = all && version && holds(&c, version);
	}
	return all;
}

static bool range_has(const char *range, const struct ea_version *version, bool *ret_valid)
{
	struct ea_str rest = ea_str(range), part;
	bool any = false;

	*ret_valid = rest.len > 0;
	while (ea_str_token(&rest, '|', &part))
		any |= alternative_has(part, version, ret_valid);
	return any;
}

bool ea_range_is_valid(const char *text)
{
	bool valid;

	range_has(text, NULL, &valid);
	return valid;
}

bool ea_range_has(const char *range, const char *version)
{
	struct ea_version parsed;
	bool valid, has;

	if (ea_version_parse(ea_str(version), &parsed))
		return false;
	has = range_has(range, &parsed, &valid);
	return valid && has;
}

static bool parse_bound(struct ea_str text, struct condition *ret)
{
	if (!parse_condition(text, ret) || ret->prefix || ret->compare > EQUAL)
		return false;
	/* A release stands for what is written longer. */
	if (ret->compare == EQUAL && ret->version.phase == EA_PHASE_RELEASE)
		ret->compare = LIKE;
	return true;
}

static bool bounds_have(const char *bounds, const struct ea_version *version, bool *ret_valid)
{
	struct ea_str rest = ea_str(bounds), part;
	struct condition c;
	bool all = true;

	*ret_valid = rest.len > 0;
	while (ea_str_token(&rest, ',', &part)) {
		if (!parse_bound(part, &c)) {
			*ret_valid = false;
			return false;
		}
		all = all && version && holds(&c, version);
	}
	return all;
}

bool ea_bounds_are_valid(const char *text)
{
	bool valid;

	bounds_have(text, NULL, &valid);
	return valid;
}

bool ea_bounds_have(const char *bounds, const char *version)
{
	struct ea_version parsed;
	bool valid, has;

	if (!version || ea_version_parse(ea_str(version), &parsed))
		return false;
	has = bounds_have(bounds, &parsed, &valid);
	return valid && has;
}
