/* Finding a path in several layers. */
#include "fs/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"

#define WHITEOUT ".wh."
#define OPAQUE	 ".wh..wh..opq"

/* A folder that no source has: above the place where a layer begins, or the top of nothing. */
static const struct ea_stat implied = { .type = EA_FILE_DIR, .mode = 0755, .nlink = 2 };

/* ---- one layer ------------------------------------------------------------------------------- */

const char *ea_layer_path(const struct ea_layer *layer, const char *path)
{
	size_t n = strlen(layer->at);

	if (strncmp(path, layer->at, n) != 0)
		return NULL;
	if (path[n] == '\0')
		return "/";
	return path[n] == '/' ? path + n : NULL;
}

bool ea_layer_implies(const struct ea_layer *layer, const char *path)
{
	size_t n = strlen(path);

	return strncmp(layer->at, path, n) == 0 && layer->at[n] == '/';
}

int ea_layer_stat(const struct ea_layer *layer, const char *path, struct ea_stat *ret)
{
	const char *inside = ea_layer_path(layer, path);
	int r = -ENOENT;

	if (inside) {
		r = layer->source->ops->stat(layer->source, inside, EA_NOFOLLOW, ret);
	} else if (ea_layer_implies(layer, path)) {
		*ret = implied;
		r = 0;
	}
	return r;
}

static bool has_marker(const struct ea_layer *layer, const char *dir, const char *a, const char *b)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	struct ea_stat stat;

	if (!layer->whiteouts || !ea_layer_path(layer, dir))
		return false;
	ea_buf_printf(&path, "%s/%s%s", dir, a, b);
	return ea_layer_stat(layer, path.ptr, &stat) == 0;
}

/* The layer says that NAME of DIR is gone from all below it. */
static bool is_whited_out(const struct ea_layer *layer, const char *dir, const char *name)
{
	return has_marker(layer, dir, WHITEOUT, name);
}

/* The layer's folder DIR hides all entries of the layers below. */
static bool is_opaque(const struct ea_layer *layer, const char *dir)
{
	return has_marker(layer, dir, OPAQUE, "");
}

/* ---- all layers ------------------------------------------------------------------------------ */

struct search {
	struct ea_path_walk walk;
	const struct ea_root *root;
	size_t *lowest; /* one for each component of walk.real, and one for the top */
	size_t depth, cap;
	struct ea_place found; /* what look() saw last */
	int result;	       /* what it returned */
};

/* NAME of the current folder, or that folder itself where NAME is "". */
static int look(struct search *search, const char *name)
{
	const struct ea_root *root = search->root;
	const char *dir = ea_buf_text(&search->walk.real);
	struct ea_place *found = &search->found;
	size_t lowest = search->lowest[search->depth];
	bool any = false;

	ea_buf_clear(&found->path);
	ea_buf_printf(&found->path, "%s%s%s", dir, *name ? "/" : "", name);
	for (size_t i = root->n_layers; i-- > lowest;) {
		const struct ea_layer *layer = &root->layers[i];
		struct ea_stat stat;
		int r;

		if (layer->whiteouts && ea_str_starts(ea_str(name), WHITEOUT))
			continue;
		r = ea_layer_stat(layer, found->path.ptr, &stat);
		if (r < 0 && r != -ENOENT && !any)
			return search->result = r;
		if (r == 0 && !any) {
			any = true;
			found->layer = i;
			found->stat = stat;
		}
		if (r == 0 && stat.type != EA_FILE_DIR)
			lowest = found->layer == i ? i : i + 1;
		else if (r == 0 && is_opaque(layer, found->path.ptr))
			lowest = i;
		if (*name && lowest < i && is_whited_out(layer, dir, name))
			lowest = i;
	}
	if (!any && !found->path.len) {
		any = true;
		found->layer = root->n_layers;
		found->stat = implied;
	}
	found->lowest = lowest;
	return search->result = any ? 0 : -ENOENT;
}

static int read_found_link(const struct search *search, struct ea_buf *ret_link)
{
	const struct ea_layer *layer = &search->root->layers[search->found.layer];
	const char *path = ea_layer_path(layer, ea_buf_text(&search->found.path));
	int r = layer->source->ops->readlink(layer->source, path, ret_link);

	return r < 0 ? r : 1;
}

static int peek(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	struct search *search = (struct search *)walk;
	int r = look(search, name);

	if (r == 0 && search->found.stat.type == EA_FILE_LINK)
		return read_found_link(search, ret_link);
	return r;
}

static void push_lowest(struct search *search, size_t lowest)
{
	if (++search->depth == search->cap) {
		search->cap *= 2;
		search->lowest = ea_xrealloc(search->lowest, search->cap * sizeof(*search->lowest));
	}
	search->lowest[search->depth] = lowest;
}

static int enter(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	struct search *search = (struct search *)walk;
	int r = peek(walk, name, ret_link);

	if (r != 0)
		return r;
	if (search->found.stat.type != EA_FILE_DIR)
		return -ENOTDIR;
	push_lowest(search, search->found.lowest);
	return 0;
}

static int up(struct ea_path_walk *walk)
{
	struct search *search = (struct search *)walk;

	if (search->depth)
		search->depth--;
	return 0;
}

static int to_top(struct ea_path_walk *walk)
{
	((struct search *)walk)->depth = 0;
	return 0;
}

static const struct ea_path_walk_ops search_ops = {
	.enter = enter,
	.peek = peek,
	.up = up,
	.top = to_top,
};

static void search_start(struct search *search, const struct ea_root *root)
{
	*search = (struct search){ .walk.ops = &search_ops, .root = root, .cap = 32 };
	search->lowest = ea_xmalloc(search->cap * sizeof(*search->lowest));
	search->lowest[0] = 0;
	look(search, "");
	search->lowest[0] = search->found.lowest;
}

/* Its place stays with the caller. */
static void search_end(struct search *search)
{
	ea_path_walk_release(&search->walk);
	free(search->lowest);
}

/* Goes PATH and looks at what is there, be it nothing: search->result then says so. */
static int search_run(struct search *search, const char *path, enum ea_follow follow)
{
	const struct ea_path_walk *walk = &search->walk;
	int r = ea_path_walk_run(&search->walk, path, follow);

	if (r < 0)
		return r;
	if (!walk->name.len || (follow == EA_NOFOLLOW && !walk->want_dir))
		look(search, ea_buf_text(&walk->name));
	if (search->result == 0 && walk->want_dir && search->found.stat.type != EA_FILE_DIR)
		return -ENOTDIR;
	return search->result == -ENOENT ? 0 : search->result;
}

int ea_layers_find(const struct ea_root *root, const char *path, enum ea_follow follow,
		   struct ea_place *ret)
{
	struct search search;
	int r;

	search_start(&search, root);
	r = search_run(&search, path, follow);
	if (r == 0)
		r = search.result;
	*ret = search.found;
	search_end(&search);
	return r;
}

int ea_layers_resolve(const struct ea_root *root, const char *path, enum ea_follow follow,
		      struct ea_buf *ret_real)
{
	struct search search;
	int r;

	search_start(&search, root);
	r = search_run(&search, path, follow);
	if (r == 0)
		ea_path_walk_text(&search.walk, ret_real);
	ea_buf_release(&search.found.path);
	search_end(&search);
	return r;
}
