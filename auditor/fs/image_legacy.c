/*
 * `docker save` before version 1.10: `repositories` gives the last layer of each tag, and each
 * layer's own `json` names the one below.
 */
#include "base/limits.h"
#include "base/path.h"
#include "fs/image_store.h"

/* The layer ID and all below it, the upper first. The last one's json becomes the configuration. */
static int follow_parents(struct ea_images *images, const char *id, struct ea_image_parts *parts,
			  struct ea_err *err)
{
	EA_VEC(const char *) ids = { 0 };
	int r = 0;

	while (id) {
		EA_CLEANUP(ea_json_decref_ptr) json_t *json = NULL;

		if (ids.n >= EA_LIMIT_IMAGES)
			return ea_err_set(err, EA_E_TARGET,
					  "more than %u layers, or layers in a circle",
					  EA_LIMIT_IMAGES);
		r = ea_images_json(images, ea_arena_printf(&images->arena, "%s/json", id), NULL,
				   &json, err);
		if (r < 0)
			return r;
		if (!ids.n)
			ea_image_take_config(images, parts, json);
		ea_vec_push(&ids, &images->arena, id);
		id = ea_images_text(images, json, "parent");
	}
	for (uint32_t i = ids.n; i-- > 0 && r == 0;)
		r = ea_images_add_layer(
			images, parts,
			ea_arena_printf(&images->arena, "%s/layer.tar", ids.items[i]), NULL, err);
	return r;
}

int ea_images_read_legacy(struct ea_images *images, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *names = NULL;
	int r = ea_images_json(images, "repositories", NULL, &names, err);
	const char *name, *tag;
	json_t *tags, *id;

	if (r < 0)
		return r;
	json_object_foreach(names, name, tags) {
		json_object_foreach(tags, tag, id) {
			struct ea_image_parts *parts =
				ea_arena_new(&images->arena, struct ea_image_parts);

			parts->image.name = ea_arena_printf(&images->arena, "%s:%s", name, tag);
			r = follow_parents(images, json_string_value(id), parts, err);
			if (r < 0)
				return r;
			ea_vec_push(&images->list, &images->arena, parts);
		}
	}
	return 0;
}
