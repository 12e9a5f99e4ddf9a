/* The configuration of an image: environment, platform, history. */
#include "fs/image_store.h"

/* Appends the texts of an array to a vector of texts. */
#define TAKE_TEXTS(vec, array, arena)                                               \
	for (size_t i_ = 0; i_ < json_array_size(array); i_++) {                    \
		const char *text_ = json_string_value(json_array_get((array), i_)); \
		if (text_)                                                          \
			ea_vec_push((vec), (arena), ea_arena_dup((arena), text_));  \
	}

/* Lines of the history that made no layer are passed over. */
static void take_history(struct ea_images *images, struct ea_image *image, const json_t *history)
{
	uint32_t layer = 0;

	for (size_t i = 0; i < json_array_size(history) && layer < image->layers.n; i++) {
		const json_t *line = json_array_get(history, i);

		if (json_is_true(json_object_get(line, "empty_layer")))
			continue;
		image->layers.items[layer++].created_by =
			ea_images_text(images, line, "created_by");
	}
}

/* Where a layer's file is not called by its digest, the configuration knows that of its bytes. */
static void take_diff_ids(struct ea_images *images, struct ea_image_parts *parts,
			  const json_t *diff_ids)
{
	if (json_array_size(diff_ids) != parts->layers.n)
		return;
	for (uint32_t i = 0; i < parts->layers.n; i++) {
		struct ea_layer_blob *layer = &parts->layers.items[i];
		const char *id = json_string_value(json_array_get(diff_ids, i)), *hex;

		if (layer->digest || ea_blob_packing(&layer->blob) != EA_PACK_NONE ||
		    !ea_images_blob_name(images, id, &hex))
			continue;
		layer->digest = hex;
		parts->image.layers.items[i].digest = ea_arena_dup(&images->arena, id);
	}
}

void ea_image_take_config(struct ea_images *images, struct ea_image_parts *parts,
			  const json_t *config)
{
	struct ea_image *image = &parts->image;
	const json_t *run = json_object_get(config, "config");
	const char *os = ea_images_text(images, config, "os");
	const char *architecture = ea_images_text(images, config, "architecture");
	const char *variant = ea_images_text(images, config, "variant");

	if (os && architecture)
		image->platform = ea_arena_printf(&images->arena, "%s/%s%s%s", os, architecture,
						  variant ? "/" : "", variant ? variant : "");
	image->user = ea_images_text(images, run, "User");
	image->working_dir = ea_images_text(images, run, "WorkingDir");
	TAKE_TEXTS(&image->env, json_object_get(run, "Env"), &images->arena)
	TAKE_TEXTS(&image->entrypoint, json_object_get(run, "Entrypoint"), &images->arena)
	TAKE_TEXTS(&image->cmd, json_object_get(run, "Cmd"), &images->arena)
	take_diff_ids(images, parts,
		      json_object_get(json_object_get(config, "rootfs"), "diff_ids"));
	take_history(images, image, json_object_get(config, "history"));
}
