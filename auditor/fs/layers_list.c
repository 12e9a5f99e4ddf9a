/* Listing a folder that several layers have. */
#include "fs/layers.h"

#include <errno.h>
#include <string.h>

#include "base/table.h"

/* A name that a layer has given or whited out: the layers below give it no more. */
struct taken {
	UT_hash_handle hh;
	size_t layer;
	char name[];
};

struct merge {
	const struct ea_root *root;
	const char *dir;      /* real path; "" for the top */
	size_t layer, lowest; /* the one that is listed; the last one to be */
	struct taken *taken;
	struct ea_arena arena;
	ea_list_fn fn;
	void *arg;
	int stopped; /* what FN returned to end the listing */
};

static void take(struct merge *merge, const char *name)
{
	size_t len = strlen(name);
	struct taken *taken;

	if (merge->layer == merge->lowest)
		return;
	HASH_FIND(hh, merge->taken, name, len, taken);
	if (taken)
		return;
	taken = ea_arena_alloc(&merge->arena, sizeof(*taken) + len + 1);
	taken->layer = merge->layer;
	memcpy(taken->name, name, len + 1);
	HASH_ADD_KEYPTR(hh, merge->taken, taken->name, len, taken);
}

static bool is_taken(const struct merge *merge, const char *name)
{
	struct taken *taken = NULL;

	if (merge->taken)
		HASH_FIND(hh, merge->taken, name, strlen(name), taken);
	return taken && taken->layer > merge->layer;
}

static int give(void *arg, const struct ea_entry *entry)
{
	struct merge *merge = arg;

	if (merge->root->layers[merge->layer].whiteouts && strncmp(entry->name, ".wh.", 4) == 0) {
		take(merge, entry->name + 4);
		return 0;
	}
	if (is_taken(merge, entry->name))
		return 0;
	take(merge, entry->name);
	merge->stopped = merge->fn(merge->arg, entry);
	return merge->stopped;
}

/* The one entry of a folder above the place where the layer begins. */
static int give_implied(struct merge *merge, const struct ea_layer *layer)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	size_t above = strlen(merge->dir) + 1;
	struct ea_stat stat;
	int r;

	ea_buf_add(&path, layer->at, above + strcspn(layer->at + above, "/"));
	r = ea_layer_stat(layer, path.ptr, &stat);
	if (r < 0)
		return r;
	return give(merge, &(struct ea_entry){ path.ptr + above, stat.type, stat.ino });
}

static int list_layer(struct merge *merge, const struct ea_layer *layer)
{
	const char *path = ea_layer_path(layer, merge->dir);
	int r = 0;

	if (path)
		r = layer->source->ops->list(layer->source, path, give, merge);
	else if (ea_layer_implies(layer, merge->dir))
		r = give_implied(merge, layer);
	return r == -ENOENT && !merge->stopped ? 0 : r;
}

int ea_layers_list(const struct ea_root *root, const char *path, ea_list_fn fn, void *arg)
{
	struct merge merge = { .root = root, .fn = fn, .arg = arg };
	struct ea_place place;
	int r = ea_layers_find(root, path, EA_FOLLOW, &place);

	if (r == 0 && place.stat.type != EA_FILE_DIR)
		r = -ENOTDIR;
	if (r == 0) {
		merge.dir = ea_buf_text(&place.path);
		merge.lowest = place.lowest;
		for (size_t i = root->n_layers; i-- > place.lowest && r == 0;) {
			merge.layer = i;
			r = list_layer(&merge, &root->layers[i]);
		}
	}
	HASH_CLEAR(hh, merge.taken);
	ea_arena_release(&merge.arena);
	ea_buf_release(&place.path);
	return r;
}
