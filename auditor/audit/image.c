/* Container images as targets. */
#include "audit/image.h"

int ea_audit_open_images(const char *name, const struct ea_audit_options *options,
			 struct ea_images **ret, struct ea_err *err)
{
	const struct ea_image_options image = {
		.platform = options->platform,
		.tmp_limit = options->tmp_limit,
		.verify = options->verify,
	};

	return ea_images_open(ea_streq(name, "-") ? NULL : name, &image, ret, err);
}

/* The last word on a name holds. */
static void set_var(struct ea_world *world, const char *name, const char *value)
{
	uint32_t kept = 0;

	ea_vec_foreach(var, &world->environment)
		if (!ea_streq(var->name, name))
			world->environment.items[kept++] = *var;
	world->environment.n = kept;
	if (value)
		ea_vec_push(&world->environment, &world->arena,
			    ((struct ea_env_var){ ea_arena_dup(&world->arena, name),
						  ea_arena_dup(&world->arena, value) }));
}

static void set_text(struct ea_world *world, const char *text)
{
	struct ea_str whole = ea_str(text);
	size_t at = ea_str_find(whole, '=');

	if (at && at < whole.len)
		set_var(world, ea_arena_dup_str(&world->arena, (struct ea_str){ text, at }),
			text + at + 1);
}

void ea_audit_image_world(const struct ea_image *image, const struct ea_audit_options *options,
			  const struct ea_gaps *gaps, struct ea_world *world)
{
	if (!options->clean_env)
		ea_vec_foreach(text, &image->env)
			set_text(world, *text);
	for (size_t i = 0; i < options->n_env_changes; i++)
		set_var(world, options->env_changes[i].name, options->env_changes[i].value);
	ea_vec_foreach(layer, &image->layers)
		ea_vec_push(&world->layers, &world->arena,
			    ((struct ea_world_layer){
				    ea_arena_dup(&world->arena, layer->digest),
				    ea_arena_dup(&world->arena, layer->created_by) }));
	ea_vec_foreach(gap, &gaps->list)
		ea_gaps_add(&world->gaps, gap->path, gap->kind, "%s", gap->reason)->matters =
			gap->matters;
}

const char *ea_audit_image_name(const char *name, const struct ea_images *images, uint32_t i,
				struct ea_arena *arena)
{
	const char *image = ea_images_get(images, i)->name;

	if (ea_images_count(images) == 1 || !image)
		return name;
	return ea_arena_printf(arena, "%s:%s", name, image);
}
