/* The variables that the NVIDIA container toolkit obeys. */
#include "inventory/toolkit.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/version.h"

bool ea_toolkit_refuses(const struct ea_world *world)
{
	const char *devices = ea_world_env(world, "NVIDIA_VISIBLE_DEVICES");

	return ea_streq(devices, "void") || ea_streq(devices, "none");
}

bool ea_toolkit_mounts(const struct ea_world *world, const char *capability)
{
	const char *value = ea_world_env(world, "NVIDIA_DRIVER_CAPABILITIES");
	struct ea_str rest = ea_str(value), part;

	if (!value || !*value)
		return ea_streq(capability, "compute") || ea_streq(capability, "utility") ||
		       (ea_world_env(world, "CUDA_VERSION") &&
			!ea_world_env(world, "NVIDIA_REQUIRE_CUDA"));
	while (ea_str_token(&rest, ',', &part)) {
		part = ea_str_trim(part);
		if (ea_str_is(part, capability) || ea_str_is(part, "all"))
			return true;
	}
	return false;
}

/* What Go's strconv.ParseBool takes for true. */
bool ea_toolkit_checks(const struct ea_world *world)
{
	static const char *const words[] = { "1", "t", "T", "true", "TRUE", "True" };
	const char *value = ea_world_env(world, "NVIDIA_DISABLE_REQUIRE");

	for (size_t i = 0; i < EA_ARRAY_SIZE(words); i++)
		if (ea_streq(value, words[i]))
			return false;
	return true;
}

/* ---- requirements ---------------------------------------------------------------------------- */

static enum ea_require from_bool(bool met)
{
	return met ? EA_REQUIRE_MET : EA_REQUIRE_UNMET;
}

static bool is_property(struct ea_str name, const char *property)
{
	return name.len == strlen(property) && strncasecmp(name.ptr, property, name.len) == 0;
}

static const char *value_of(struct ea_str name, const struct ea_toolkit_host *host)
{
	if (is_property(name, "cuda"))
		return host->cuda;
	if (is_property(name, "driver"))
		return host->driver;
	if (is_property(name, "arch"))
		return host->arch;
	return is_property(name, "brand") ? host->brand : NULL;
}

/* "12.4" or "470.82.01", and nothing else. */
static bool is_version(const char *text)
{
	return isdigit((unsigned char)*text) && text[strspn(text, "0123456789.")] == '\0';
}

static enum ea_require compare(int order, struct ea_str sign)
{
	if (ea_str_is(sign, "=") || ea_str_is(sign, "=="))
		return from_bool(order == 0);
	if (ea_str_is(sign, "!="))
		return from_bool(order != 0);
	if (ea_str_is(sign, ">="))
		return from_bool(order >= 0);
	if (ea_str_is(sign, "<="))
		return from_bool(order <= 0);
	if (ea_str_is(sign, ">"))
		return from_bool(order > 0);
	return ea_str_is(sign, "<") ? from_bool(order < 0) : EA_REQUIRE_UNKNOWN;
}

static enum ea_require judge_condition(struct ea_str text, const struct ea_toolkit_host *host)
{
	struct ea_str name = { text.ptr, 0 }, sign;
	char wanted[64];
	const char *value;

	while (name.len < text.len && isalpha((unsigned char)text.ptr[name.len]))
		name.len++;
	sign = (struct ea_str){ text.ptr + name.len, 0 };
	while (name.len + sign.len < text.len && strchr("<>=!", sign.ptr[sign.len]))
		sign.len++;
	text = ea_str_skip(text, name.len + sign.len);
	value = value_of(name, host);
	if (!value || !text.len || text.len >= sizeof(wanted))
		return EA_REQUIRE_UNKNOWN;
	memcpy(wanted, text.ptr, text.len);
	wanted[text.len] = '\0';
	if (is_property(name, "brand"))
		return sign.ptr[0] == '=' || sign.ptr[0] == '!'
			       ? compare(strcasecmp(value, wanted), sign)
			       : EA_REQUIRE_UNKNOWN;
	if (!is_version(wanted))
		return EA_REQUIRE_UNKNOWN;
	return compare(ea_version_cmp_text(value, wanted), sign);
}

static enum ea_require judge_all(struct ea_str text, const struct ea_toolkit_host *host)
{
	enum ea_require all = EA_REQUIRE_MET;
	struct ea_str part;

	while (ea_str_token(&text, ',', &part)) {
		enum ea_require one = judge_condition(part, host);

		if (one == EA_REQUIRE_UNMET)
			return one;
		if (one == EA_REQUIRE_UNKNOWN)
			all = one;
	}
	return all;
}

enum ea_require ea_toolkit_require(const char *text, const struct ea_toolkit_host *host)
{
	enum ea_require any = EA_REQUIRE_UNMET;
	struct ea_str rest = ea_str(text), part;
	bool empty = true;

	while (ea_str_token(&rest, ' ', &part)) {
		enum ea_require one;

		if (!part.len)
			continue;
		empty = false;
		one = judge_all(part, host);
		if (one == EA_REQUIRE_MET)
			return one;
		if (one == EA_REQUIRE_UNKNOWN)
			any = one;
	}
	return empty ? EA_REQUIRE_MET : any;
}
