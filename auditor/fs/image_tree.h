/*
 * The merged tree of an image: what is there after all layers were laid over each other, entry by
 * entry in the order of the archive, as a container engine unpacks them. Only image*.c include
 * this.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "fs/source.h"

#define EA_NO_NODE UINT32_MAX

/* Bytes of a file that stand in one piece; what lies between pieces is zeros. */
struct ea_piece {
	uint64_t off, len; /* in the file */
	uint64_t at;	   /* in the descriptor */
};

/* What hard links share. */
struct ea_content {
	uint64_t size;
	const struct ea_piece *pieces; /* in order */
	uint32_t n_pieces;
	uint32_t nlink;
	uint32_t ordinal; /* entry of its layer */
	uint16_t layer;
	bool kept; /* the pieces are known and can be read from `fd` */
	int fd;
};

struct ea_node {
	const char *name;
	const char *link; /* text of a symbolic link */
	uint32_t content; /* of a regular file */
	uint32_t parent, child, next, prev, hash_next;
	uint16_t mode;
	uint16_t layer;	  /* that brought it */
	uint16_t touched; /* the last layer that has an entry for it or for something below */
	uint8_t type;	  /* enum ea_file_type */
};

struct ea_tree {
	struct ea_arena arena; /* names, links, pieces */
	struct ea_node *nodes; /* the top is 0; those that went stay, unreachable */
	uint32_t n_nodes, cap_nodes;
	struct ea_content *contents;
	uint32_t n_contents, cap_contents;
	uint32_t *buckets;
	uint32_t n_buckets;
};

void ea_tree_init(struct ea_tree *tree);
void ea_tree_release(struct ea_tree *tree);

/* NAME of the folder DIR, or EA_NO_NODE. */
uint32_t ea_tree_child(const struct ea_tree *tree, uint32_t dir, struct ea_str name);

/* A new node; NAME must not be there. */
uint32_t ea_tree_add(struct ea_tree *tree, uint32_t dir, struct ea_str name, enum ea_file_type type,
		     uint16_t layer);

/* LAYER has an entry for NODE. */
void ea_tree_touch(struct ea_tree *tree, uint32_t node, uint16_t layer);

/* Takes NODE and all below it away. */
void ea_tree_remove(struct ea_tree *tree, uint32_t node);

/* Takes away what is older than LAYER: of NODE and below, or only of what is below. */
void ea_tree_hide(struct ea_tree *tree, uint32_t node, uint16_t layer);
void ea_tree_hide_below(struct ea_tree *tree, uint32_t dir, uint16_t layer);

uint32_t ea_tree_add_content(struct ea_tree *tree);

/*
 * PATH with all links, inside the tree. *RET_NODE is EA_NO_NODE where all but the last component
 * is there; RET_REAL (may be NULL) as for ea_root_resolve(). 0 or a negative errno.
 */
int ea_tree_find(const struct ea_tree *tree, const char *path, enum ea_follow follow,
		 uint32_t *ret_node, struct ea_buf *ret_real);

/*
 * The folder of PATH, links in it followed; folders that are missing are made as of LAYER.
 * -ENOTDIR, -ELOOP, -ENAMETOOLONG. The last component comes into RET_NAME ("" for the top itself).
 */
int ea_tree_make_dirs(struct ea_tree *tree, const char *path, uint16_t layer, uint32_t *ret_dir,
		      struct ea_buf *ret_name);
