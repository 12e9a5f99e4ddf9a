/* The world: lookups, names of the small enums. */
#include "model/world.h"

const char *const ea_target_words[EA_TARGET_KIND_MAX_] = {
#define X(name, word, text) [EA_TARGET_##name] = word,
	EA_TARGET_KINDS(X)
#undef X
};

const char *const ea_target_texts[EA_TARGET_KIND_MAX_] = {
#define X(name, word, text) [EA_TARGET_##name] = text,
	EA_TARGET_KINDS(X)
#undef X
};

const char *const ea_severity_words[EA_SEVERITY_MAX_] = {
	[EA_SEVERITY_NOTE] = "note",
	[EA_SEVERITY_WARNING] = "warning",
	[EA_SEVERITY_ERROR] = "error",
};

const char *const ea_confidence_words[EA_CONFIDENCE_MAX_] = {
	[EA_CONFIDENCE_LOW] = "low",
	[EA_CONFIDENCE_MEDIUM] = "medium",
	[EA_CONFIDENCE_HIGH] = "high",
};

const char *ea_env_value(const struct ea_env_var *env, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (ea_streq(env[i].name, name))
			return env[i].value;
	return NULL;
}

const char *ea_world_env(const struct ea_world *world, const char *name)
{
	return ea_env_value(world->environment.items, world->environment.n, name);
}

void ea_world_init(struct ea_world *world)
{
	*world = (struct ea_world){ .gaps.arena = &world->arena };
}

void ea_world_release(struct ea_world *world)
{
	ea_arena_release(&world->arena);
	ea_world_init(world);
}

const char *ea_world_layer_text(struct ea_world *world, unsigned number)
{
	const struct ea_world_layer *layer;
	const char *by;

	if (!number || number > world->layers.n)
		return NULL;
	layer = &world->layers.items[number - 1];
	by = layer->created_by ? layer->created_by : layer->digest;
	return ea_arena_printf(&world->arena, "layer %u of %u: %.160s%s", number, world->layers.n,
			       by, strlen(by) > 160 ? "…" : "");
}

bool ea_world_is_image(const struct ea_world *world)
{
	if (world->host.driver)
		return false;
	return world->target.kind == EA_TARGET_IMAGE ||
	       (world->target.kind == EA_TARGET_ROOTFS && !ea_streq(world->target.root, "/"));
}
