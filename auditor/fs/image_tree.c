/* The merged tree of an image. */
#include "fs/image_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fs/walk.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint32_t hash_of(uint32_t dir, struct ea_str name)
{
	uint32_t hash = 2166136261u ^ (dir * 2654435761u);

	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (unsigned char)name.ptr[i]) * 16777619u;
	return hash ^ (hash >> 15);
}

static uint32_t *bucket_of(const struct ea_tree *tree, uint32_t dir, struct ea_str name)
{
	return &tree->buckets[hash_of(dir, name) & (tree->n_buckets - 1)];
}

static void hash_in(struct ea_tree *tree, uint32_t node)
{
	struct ea_node *n = &tree->nodes[node];
	uint32_t *bucket = bucket_of(tree, n->parent, ea_str(n->name));

	n->hash_next = *bucket;
	*bucket = node;
}

static bool is_reachable(const struct ea_tree *tree, uint32_t node)
{
	return node && tree->nodes[node].parent != EA_NO_NODE;
}

static void grow_buckets(struct ea_tree *tree)
{
	tree->n_buckets *= 2;
	tree->buckets = ea_xrealloc(tree->buckets, tree->n_buckets * sizeof(*tree->buckets));
	memset(tree->buckets, 0xff, tree->n_buckets * sizeof(*tree->buckets));
	for (uint32_t i = 1; i < tree->n_nodes; i++)
		if (is_reachable(tree, i))
			hash_in(tree, i);
}

static uint32_t new_node(struct ea_tree *tree)
{
	if (tree->n_nodes == tree->cap_nodes) {
		tree->cap_nodes = tree->cap_nodes ? tree->cap_nodes + tree->cap_nodes / 2 : 256;
		tree->nodes = ea_xrealloc(tree->nodes, tree->cap_nodes * sizeof(*tree->nodes));
	}
	tree->nodes[tree->n_nodes] = (struct ea_node){
		.content = EA_NO_NODE,
		.parent = EA_NO_NODE,
		.child = EA_NO_NODE,
		.next = EA_NO_NODE,
		.prev = EA_NO_NODE,
		.hash_next = EA_NO_NODE,
	};
	return tree->n_nodes++;
}

void ea_tree_init(struct ea_tree *tree)
{
	*tree = (struct ea_tree){ .n_buckets = 1024 };
	tree->buckets = ea_xmalloc(tree->n_buckets * sizeof(*tree->buckets));
	memset(tree->buckets, 0xff, tree->n_buckets * sizeof(*tree->buckets));
	new_node(tree);
	tree->nodes[0].name = "";
	tree->nodes[0].type = EA_FILE_DIR;
	tree->nodes[0].mode = 0755;
}

void ea_tree_release(struct ea_tree *tree)
{
	ea_arena_release(&tree->arena);
	free(tree->nodes);
	free(tree->contents);
	free(tree->buckets);
	*tree = (struct ea_tree){ 0 };
}

uint32_t ea_tree_child(const struct ea_tree *tree, uint32_t dir, struct ea_str name)
{
	uint32_t i = *bucket_of(tree, dir, name);

	while (i != EA_NO_NODE &&
	       !(tree->nodes[i].parent == dir && ea_str_is(name, tree->nodes[i].name)))
		i = tree->nodes[i].hash_next;
	return i;
}

/* What was touched has been so up to the top. */
void ea_tree_touch(struct ea_tree *tree, uint32_t node, uint16_t layer)
{
	while (node && tree->nodes[node].touched != layer) {
		tree->nodes[node].touched = layer;
		node = tree->nodes[node].parent;
	}
}

uint32_t ea_tree_add(struct ea_tree *tree, uint32_t dir, struct ea_str name, enum ea_file_type type,
		     uint16_t layer)
{
	uint32_t i, first;

	if (tree->n_nodes >= tree->n_buckets)
		grow_buckets(tree);
	i = new_node(tree);
	first = tree->nodes[dir].child;
	tree->nodes[i].name = ea_arena_dup_str(&tree->arena, name);
	tree->nodes[i].parent = dir;
	tree->nodes[i].type = (uint8_t)type;
	tree->nodes[i].layer = tree->nodes[i].touched = layer;
	tree->nodes[i].mode = 0755;
	tree->nodes[i].next = first;
	if (first != EA_NO_NODE)
		tree->nodes[first].prev = i;
	tree->nodes[dir].child = i;
	hash_in(tree, i);
	ea_tree_touch(tree, dir, layer);
	return i;
}

/* What lies below cannot be reached any more, and no number is used twice. */
void ea_tree_remove(struct ea_tree *tree, uint32_t node)
{
	struct ea_node *n = &tree->nodes[node];
	uint32_t *at = bucket_of(tree, n->parent, ea_str(n->name));

	while (*at != node)
		at = &tree->nodes[*at].hash_next;
	*at = n->hash_next;
	if (n->prev != EA_NO_NODE)
		tree->nodes[n->prev].next = n->next;
	else
		tree->nodes[n->parent].child = n->next;
	if (n->next != EA_NO_NODE)
		tree->nodes[n->next].prev = n->prev;
	if (n->content != EA_NO_NODE)
		tree->contents[n->content].nlink--;
	n->parent = EA_NO_NODE;
}

/* As deep as paths are long: EA_LIMIT_PATH bounds it. */
void ea_tree_hide(struct ea_tree *tree, uint32_t node, uint16_t layer)
{
	const struct ea_node *n = &tree->nodes[node];

	if (n->touched != layer)
		ea_tree_remove(tree, node);
	else if (n->type == EA_FILE_DIR)
		ea_tree_hide_below(tree, node, layer);
}

void ea_tree_hide_below(struct ea_tree *tree, uint32_t dir, uint16_t layer)
{
	uint32_t next;

	for (uint32_t i = tree->nodes[dir].child; i != EA_NO_NODE; i = next) {
		next = tree->nodes[i].next;
		ea_tree_hide(tree, i, layer);
	}
}

uint32_t ea_tree_add_content(struct ea_tree *tree)
{
	if (tree->n_contents == tree->cap_contents) {
		tree->cap_contents =
			tree->cap_contents ? tree->cap_contents + tree->cap_contents / 2 : 256;
		tree->contents =
			ea_xrealloc(tree->contents, tree->cap_contents * sizeof(*tree->contents));
	}
	tree->contents[tree->n_contents] = (struct ea_content){ .nlink = 1, .fd = -1 };
	return tree->n_contents++;
}

/* ---- paths ----------------------------------------------------------------------------------- */

struct search {
	struct ea_path_walk walk;
	const struct ea_tree *tree;
	struct ea_tree *make; /* folders are made in it; or NULL */
	uint16_t layer;
	uint32_t dir; /* current folder */
};

static int peek(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	const struct search *search = (const struct search *)walk;
	uint32_t i = ea_tree_child(search->tree, search->dir, ea_str(name));

	if (i == EA_NO_NODE)
		return -ENOENT;
	if (search->tree->nodes[i].type != EA_FILE_LINK)
		return 0;
	ea_buf_add_text(ret_link, search->tree->nodes[i].link);
	return 1;
}

static int enter(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	struct search *search = (struct search *)walk;
	uint32_t i = ea_tree_child(search->tree, search->dir, ea_str(name));

	if (i == EA_NO_NODE && search->make)
		i = ea_tree_add(search->make, search->dir, ea_str(name), EA_FILE_DIR,
				search->layer);
	if (i == EA_NO_NODE)
		return -ENOENT;
	if (search->tree->nodes[i].type == EA_FILE_LINK) {
		ea_buf_add_text(ret_link, search->tree->nodes[i].link);
		return 1;
	}
	if (search->tree->nodes[i].type != EA_FILE_DIR)
		return -ENOTDIR;
	search->dir = i;
	return 0;
}

static int up(struct ea_path_walk *walk)
{
	struct search *search = (struct search *)walk;

	if (search->dir)
		search->dir = search->tree->nodes[search->dir].parent;
	return 0;
}

static int to_top(struct ea_path_walk *walk)
{
	((struct search *)walk)->dir = 0;
	return 0;
}

static const struct ea_path_walk_ops search_ops = {
	.enter = enter,
	.peek = peek,
	.up = up,
	.top = to_top,
};

int ea_tree_find(const struct ea_tree *tree, const char *path, enum ea_follow follow,
		 uint32_t *ret_node, struct ea_buf *ret_real)
{
	struct search search = { .walk.ops = &search_ops, .tree = tree };
	int r = ea_path_walk_run(&search.walk, path, follow);
	uint32_t node = search.dir;

	if (r == 0 && search.walk.name.len) {
		node = ea_tree_child(tree, search.dir, ea_buf_str(&search.walk.name));
		if (node != EA_NO_NODE && search.walk.want_dir &&
		    tree->nodes[node].type != EA_FILE_DIR)
			r = -ENOTDIR;
	}
	if (r == 0 && ret_real)
		ea_path_walk_text(&search.walk, ret_real);
	if (r == 0)
		*ret_node = node;
	ea_path_walk_release(&search.walk);
	return r;
}

int ea_tree_make_dirs(struct ea_tree *tree, const char *path, uint16_t layer, uint32_t *ret_dir,
		      struct ea_buf *ret_name)
{
	struct search search = {
		.walk.ops = &search_ops, .tree = tree, .make = tree, .layer = layer
	};
	int r = ea_path_walk_run(&search.walk, path, EA_NOFOLLOW);

	ea_buf_clear(ret_name);
	ea_buf_add_str(ret_name, ea_buf_str(&search.walk.name));
	*ret_dir = search.dir;
	ea_path_walk_release(&search.walk);
	return r;
}
