/* Blobs and JSON texts of an image archive. */
#include "fs/image_store.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/path.h"
#include "fs/image_source.h"

static const char *path_of(const char *name, struct ea_buf *buf)
{
	ea_path_normalize(buf, "/", ea_str(name));
	return buf->ptr;
}

bool ea_images_has(const struct ea_images *images, const char *name)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	struct ea_stat stat;

	return ea_root_stat(images->root, path_of(name, &path), EA_FOLLOW, &stat) == 0 &&
	       stat.type == EA_FILE_REGULAR;
}

int ea_images_blob(struct ea_images *images, const char *name, struct ea_blob *ret_blob,
		   struct ea_err *err)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	struct ea_file *file;
	int r = ea_root_open(images->root, path_of(name, &path), &file);

	if (r < 0)
		return ea_err_set(err, EA_E_TARGET, "%s is named, but cannot be read: %s", name,
				  strerror(-r));
	ea_vec_push(&images->files, &images->arena, file);
	if (file->fd >= 0)
		*ret_blob = (struct ea_blob){ file->fd, 0, file->stat.size };
	else if (ea_image_file_blob(file, ret_blob) < 0)
		return ea_err_set(err, EA_E_TARGET, "%s is stored as a sparse file", name);
	return 0;
}

int ea_images_json(struct ea_images *images, const char *name, const char *digest,
		   json_t **ret_json, struct ea_err *err)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_blob blob;
	json_error_t fault;
	json_t *json;
	int r = ea_images_blob(images, name, &blob, err);

	if (r < 0)
		return r;
	r = ea_blob_read_all(&blob, EA_LIMIT_MANIFEST, &text);
	if (r == -EFBIG)
		return ea_err_set(err, EA_E_TARGET, "%s: larger than %u bytes", name,
				  EA_LIMIT_MANIFEST);
	if (r < 0)
		return ea_err_set(err, EA_E_TARGET, "%s: cannot be read: %s", name, strerror(-r));
	if (digest) {
		char hex[EA_SHA256_TEXT];

		r = ea_blob_digest(&blob, hex);
		if (r < 0 || !ea_streq(hex, digest))
			return ea_err_set(err, EA_E_TARGET,
					  "%s: its bytes have another digest, sha256:%s", name,
					  r < 0 ? "?" : hex);
	}
	json = json_loadb(text.ptr, text.len, 0, &fault);
	if (!json)
		return ea_err_set(err, EA_E_TARGET, "%s:%d: %s", name, fault.line, fault.text);
	*ret_json = json;
	return 0;
}

const char *ea_images_blob_name(struct ea_images *images, const char *digest, const char **ret_hex)
{
	static const char prefix[] = "sha256:";
	const char *hex;

	if (!digest || strncmp(digest, prefix, strlen(prefix)) != 0)
		return NULL;
	hex = digest + strlen(prefix);
	if (strlen(hex) != EA_SHA256_TEXT - 1 ||
	    strspn(hex, "0123456789abcdef") != EA_SHA256_TEXT - 1)
		return NULL;
	*ret_hex = ea_arena_dup(&images->arena, hex);
	return ea_arena_printf(&images->arena, "blobs/sha256/%s", hex);
}

void ea_json_decref_ptr(json_t **json)
{
	json_decref(*json);
}

const char *ea_images_text(struct ea_images *images, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && *text ? ea_arena_dup(&images->arena, text) : NULL;
}

int ea_images_add_layer(struct ea_images *images, struct ea_image_parts *parts, const char *name,
			const char *digest, struct ea_err *err)
{
	uint32_t n = parts->layers.n;
	struct ea_layer_blob layer = { .digest = digest, .whiteouts = true };
	int r;

	if (n >= EA_LIMIT_IMAGES)
		return ea_err_set(err, EA_E_TARGET, "more than %u layers", EA_LIMIT_IMAGES);
	r = ea_images_blob(images, name, &layer.blob, err);
	if (r < 0)
		return r;
	layer.name = ea_arena_printf(&images->arena, "layer %u (%s)", n + 1, name);
	ea_vec_push(&parts->layers, &images->arena, layer);
	ea_vec_push(&parts->image.layers, &images->arena,
		    ((struct ea_image_layer){
			    .digest = digest ? ea_arena_printf(&images->arena, "sha256:%s", digest)
					     : ea_arena_dup(&images->arena, name) }));
	return 0;
}
