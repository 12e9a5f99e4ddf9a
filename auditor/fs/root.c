/* A root: its layers, and the way from its interface to the one source or to all layers. */
#include "fs/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "fs/folder.h"
#include "fs/layers.h"

/* ---- making one ------------------------------------------------------------------------------ */

struct ea_root *ea_root_new(void)
{
	struct ea_root *root = ea_xmalloc(sizeof(*root));

	*root = (struct ea_root){ 0 };
	return root;
}

/* AT after the links of the root so far, as far as it exists; "" for the top; to be freed. */
static char *layer_place(const struct ea_root *root, const char *at)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 }, longer = { 0 };
	struct ea_buf real = { 0 };
	struct ea_str rest, part;

	ea_path_normalize(&path, "/", ea_str(at));
	rest = ea_str_skip(ea_buf_str(&path), 1);
	ea_buf_add_text(&real, "");
	while (ea_str_token(&rest, '/', &part) && part.len) {
		ea_buf_clear(&longer);
		ea_buf_printf(&longer, "%s/" EA_STR_FMT, real.ptr, EA_STR_ARG(part));
		if (ea_root_resolve(root, longer.ptr, EA_FOLLOW, &real) < 0) {
			ea_buf_clear(&real);
			ea_buf_add_str(&real, ea_buf_str(&longer));
		}
		if (real.len == 1)
			ea_buf_clear(&real);
	}
	return real.ptr;
}

void ea_root_add_layer(struct ea_root *root, struct ea_source *source, const char *at,
		       bool whiteouts)
{
	struct ea_layer layer = { source, layer_place(root, at), whiteouts };
	bool direct = root->n_layers == 0 && !*layer.at && !whiteouts && source->ops->resolve;

	root->direct = direct ? source : NULL;
	root->layers = ea_xrealloc(root->layers, (root->n_layers + 1) * sizeof(*root->layers));
	root->layers[root->n_layers++] = layer;
}

struct ea_root *ea_root_host(void)
{
	struct ea_root *root = ea_root_new();
	struct ea_source *source;

	/* "/" can always be opened. */
	if (ea_source_folder_by("/", EA_FOLDER_HOST, &source, NULL) == 0)
		ea_root_add_layer(root, source, "/", false);
	return root;
}

int ea_root_folder(const char *dir, struct ea_root **ret_root, struct ea_err *err)
{
	struct ea_source *source;
	int r = ea_source_folder(dir, &source, err);

	if (r < 0)
		return r;
	*ret_root = ea_root_new();
	ea_root_add_layer(*ret_root, source, "/", false);
	return 0;
}

void ea_root_free(struct ea_root *root)
{
	if (!root)
		return;
	for (size_t i = 0; i < root->n_layers; i++) {
		root->layers[i].source->ops->free(root->layers[i].source);
		free(root->layers[i].at);
	}
	free(root->layers);
	free(root);
}

/* ---- reading --------------------------------------------------------------------------------- */

int ea_root_stat(const struct ea_root *root, const char *path, enum ea_follow follow,
		 struct ea_stat *ret)
{
	struct ea_place place;
	int r;

	if (root->direct)
		return root->direct->ops->stat(root->direct, path, follow, ret);
	r = ea_layers_find(root, path, follow, &place);
	if (r == 0)
		*ret = place.stat;
	ea_buf_release(&place.path);
	return r;
}

int ea_root_readlink(const struct ea_root *root, const char *path, struct ea_buf *ret_text)
{
	struct ea_place place;
	int r;

	if (root->direct)
		return root->direct->ops->readlink(root->direct, path, ret_text);
	r = ea_layers_find(root, path, EA_NOFOLLOW, &place);
	if (r == 0 && place.stat.type != EA_FILE_LINK)
		r = -EINVAL;
	if (r == 0) {
		const struct ea_layer *layer = &root->layers[place.layer];

		r = layer->source->ops->readlink(layer->source,
						 ea_layer_path(layer, place.path.ptr), ret_text);
	}
	ea_buf_release(&place.path);
	return r;
}

int ea_root_resolve(const struct ea_root *root, const char *path, enum ea_follow follow,
		    struct ea_buf *ret_real)
{
	if (root->direct)
		return root->direct->ops->resolve(root->direct, path, follow, ret_real);
	return ea_layers_resolve(root, path, follow, ret_real);
}

int ea_root_list(const struct ea_root *root, const char *path, ea_list_fn fn, void *arg)
{
	if (root->direct)
		return root->direct->ops->list(root->direct, path, fn, arg);
	return ea_layers_list(root, path, fn, arg);
}

int ea_root_open(const struct ea_root *root, const char *path, struct ea_file **ret_file)
{
	struct ea_place place;
	int r;

	if (root->direct)
		return root->direct->ops->open(root->direct, path, EA_FOLLOW, ret_file);
	r = ea_layers_find(root, path, EA_FOLLOW, &place);
	if (r == 0)
		r = ea_stat_check_regular(&place.stat);
	if (r == 0) {
		const struct ea_layer *layer = &root->layers[place.layer];

		r = layer->source->ops->open(layer->source, ea_layer_path(layer, place.path.ptr),
					     EA_NOFOLLOW, ret_file);
	}
	ea_buf_release(&place.path);
	return r;
}

/*
 * No search is needed: what a listing showed is not hidden, so the uppermost layer that has the
 * path is the one that was listed.
 */
int ea_root_open_real(const struct ea_root *root, const char *real_path, struct ea_file **ret_file)
{
	int r = -ENOENT;

	for (size_t i = root->n_layers; i-- > 0 && r == -ENOENT;) {
		const struct ea_layer *layer = &root->layers[i];
		const char *path = ea_layer_path(layer, real_path);

		if (path)
			r = layer->source->ops->open(layer->source, path, EA_NOFOLLOW, ret_file);
	}
	return r;
}

int ea_root_layer_of(const struct ea_root *root, const char *path)
{
	struct ea_place place;
	int r = ea_layers_find(root, path, EA_NOFOLLOW, &place);

	ea_buf_release(&place.path);
	if (r < 0)
		return r;
	return place.layer < root->n_layers ? (int)place.layer : -ENOENT;
}

int ea_root_image_layer(const struct ea_root *root, const char *path)
{
	const struct ea_source *direct = root->direct;
	struct ea_place place;
	int r;

	if (direct)
		return direct->ops->layer_of ? direct->ops->layer_of(root->direct, path) : -ENOENT;
	r = ea_layers_find(root, path, EA_NOFOLLOW, &place);
	if (r == 0) {
		const struct ea_layer *layer =
			place.layer < root->n_layers ? &root->layers[place.layer] : NULL;

		r = layer && layer->source->ops->layer_of
			    ? layer->source->ops->layer_of(layer->source,
							   ea_layer_path(layer, place.path.ptr))
			    : -ENOENT;
	}
	ea_buf_release(&place.path);
	return r;
}

int ea_root_advance(struct ea_root *root, struct ea_err *err)
{
	int result = 1;

	for (size_t i = 0; i < root->n_layers; i++) {
		struct ea_source *source = root->layers[i].source;
		int r = source->ops->advance ? source->ops->advance(source, err) : 1;

		if (r < 0)
			return r;
		if (r == 0)
			result = 0;
	}
	return result;
}
