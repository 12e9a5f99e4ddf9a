/* Laying layers over each other, by the rules of the OCI image specification. */
#include "fs/image_layer.h"

#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/path.h"

#define WHITEOUT ".wh."
#define RESERVED ".wh..wh."
#define OPAQUE	 ".wh..wh..opq"

/* Smaller files of a packed layer are kept whatever they are: most are text that somebody reads. */
#define SMALL 65536

struct apply {
	const struct ea_layer_blob *layer;
	uint16_t number;
	uint32_t ordinal;
	uint64_t unpacked;
	struct ea_tar tar;
	struct ea_tree *tree;
	struct ea_spool *spool;
	struct ea_gaps *gaps;
	struct ea_buf path, name;
	uint32_t dir; /* where the entry goes, as `name` */
};

EA_PRINTF(3, 4)
static void add_gap(struct apply *apply, enum ea_gap_kind kind, const char *fmt, ...)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	va_list args;

	va_start(args, fmt);
	vsnprintf(ea_buf_reserve(&text, 512), 512, fmt, args);
	va_end(args);
	ea_gaps_add(apply->gaps, apply->path.len ? apply->path.ptr : NULL, kind, "%s: %s",
		    apply->layer->name, text.ptr)
		->matters = kind == EA_GAP_UNREAD || kind == EA_GAP_LIMIT;
}

/* ---- the bytes of a file --------------------------------------------------------------------- */

/* Of an unpacked archive they are read where they stand. */
static void place_pieces(struct ea_content *content, const struct ea_tar_entry *entry,
			 const struct ea_layer_blob *layer, uint64_t at, struct ea_arena *arena)
{
	int n = entry->whole ? archive_entry_sparse_reset(entry->whole) : 0;
	EA_VEC(struct ea_piece) pieces = { 0 };
	la_int64_t off, len;

	content->fd = layer->blob.fd;
	content->kept = true;
	at += layer->blob.off;
	if (!n && content->size)
		ea_vec_push(&pieces, arena, ((struct ea_piece){ 0, content->size, at }));
	while (n-- > 0 && archive_entry_sparse_next(entry->whole, &off, &len) == 0) {
		if (off < 0 || len <= 0 ||
		    !ea_range_ok((uint64_t)off, (uint64_t)len, content->size))
			continue;
		ea_vec_push(&pieces, arena,
			    ((struct ea_piece){ (uint64_t)off, (uint64_t)len, at }));
		at += (uint64_t)len;
	}
	content->pieces = pieces.items;
	content->n_pieces = pieces.n;
}

/* What has no need to be there when a packed layer was passed: see ea_layer_fetch(). */
static bool is_kept(const char *path, uint64_t size, const void *head, size_t len)
{
	static const char *const folders[] = { "/conda-meta/", "/var/lib/", ".dist-info/",
					       ".egg-info/", "/etc/" };

	if (size <= SMALL || (len >= 4 && memcmp(head, "\177ELF", 4) == 0) ||
	    ea_path_may_be_library(ea_str(ea_path_base(path))))
		return true;
	for (size_t i = 0; i < EA_ARRAY_SIZE(folders); i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}

/* Of a packed one they are copied, unless PATH (NULL: take it) says that nobody will ask. */
static int keep_pieces(struct ea_content *content, struct ea_tar *tar, const char *path,
		       struct ea_arena *arena, struct ea_spool *spool, struct ea_err *err)
{
	EA_VEC(struct ea_piece) pieces = { 0 };
	const void *block;
	uint64_t off;
	size_t len;
	int r;

	while ((r = ea_tar_data(tar, &block, &len, &off)) == 0) {
		struct ea_piece *last = pieces.n ? &pieces.items[pieces.n - 1] : NULL;

		if (!len || !ea_range_ok(off, len, content->size))
			continue;
		if (!last && path && !is_kept(path, content->size, block, len))
			return 0;
		if (last && last->off + last->len == off && last->at + last->len == spool->used)
			last->len += len;
		else
			ea_vec_push(&pieces, arena, ((struct ea_piece){ off, len, spool->used }));
		r = ea_spool_write(spool, block, len, err);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return 1;
	content->fd = spool->fd;
	content->kept = true;
	content->pieces = pieces.items;
	content->n_pieces = pieces.n;
	return 0;
}

static int add_content(struct apply *apply, uint32_t node, const struct ea_tar_entry *entry,
		       struct ea_err *err)
{
	uint32_t number = ea_tree_add_content(apply->tree);
	struct ea_content *content = &apply->tree->contents[number];
	int r;

	apply->tree->nodes[node].content = number;
	content->size = entry->size;
	content->layer = apply->number;
	content->ordinal = apply->ordinal;
	if (!apply->tar.packed) {
		place_pieces(content, entry, apply->layer, ea_tar_data_offset(&apply->tar),
			     &apply->tree->arena);
		return 0;
	}
	r = keep_pieces(content, &apply->tar, apply->path.ptr, &apply->tree->arena, apply->spool,
			err);
	return r < 0 ? r : 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* 1: it is a whiteout, and done. */
static int apply_whiteout(struct apply *apply)
{
	const char *name = ea_buf_text(&apply->name);
	uint32_t node;

	if (!apply->layer->whiteouts || strncmp(name, WHITEOUT, strlen(WHITEOUT)) != 0)
		return 0;
	if (ea_streq(name, OPAQUE)) {
		ea_tree_hide_below(apply->tree, apply->dir, apply->number);
		return 1;
	}
	if (strncmp(name, RESERVED, strlen(RESERVED)) == 0)
		return 1;
	node = ea_tree_child(apply->tree, apply->dir, ea_str(name + strlen(WHITEOUT)));
	if (node != EA_NO_NODE)
		ea_tree_hide(apply->tree, node, apply->number);
	return 1;
}

/* A node for the entry; what was there before goes, unless folders meet. */
static uint32_t replace(struct apply *apply, enum ea_file_type type)
{
	struct ea_str name = ea_buf_str(&apply->name);
	struct ea_tree *tree = apply->tree;
	uint32_t old = name.len ? ea_tree_child(tree, apply->dir, name) : apply->dir;

	if (old != EA_NO_NODE && type == EA_FILE_DIR && tree->nodes[old].type == EA_FILE_DIR) {
		ea_tree_touch(tree, old, apply->number);
		tree->nodes[old].layer = apply->number;
		return old;
	}
	if (!name.len)
		return EA_NO_NODE;
	if (old != EA_NO_NODE)
		ea_tree_remove(tree, old);
	return ea_tree_add(tree, apply->dir, name, type, apply->number);
}

/* The file that a hard link names, in this layer or one below. */
static uint32_t find_linked(struct apply *apply, const char *target)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	uint32_t node = EA_NO_NODE;

	ea_path_normalize(&path, "/", ea_str(target));
	if (ea_tree_find(apply->tree, path.ptr, EA_NOFOLLOW, &node, NULL) < 0 ||
	    node == EA_NO_NODE || apply->tree->nodes[node].type == EA_FILE_DIR) {
		add_gap(apply, EA_GAP_UNREAD, "a hard link to %.200s, which is not there", target);
		return EA_NO_NODE;
	}
	return node;
}

static void apply_hard_link(struct apply *apply, const char *target)
{
	struct ea_tree *tree = apply->tree;
	uint32_t linked = find_linked(apply, target), node;
	const struct ea_node *from;

	if (linked == EA_NO_NODE ||
	    linked == ea_tree_child(tree, apply->dir, ea_buf_str(&apply->name)))
		return;
	node = replace(apply, (enum ea_file_type)tree->nodes[linked].type);
	if (node == EA_NO_NODE)
		return;
	from = &tree->nodes[linked];
	tree->nodes[node].mode = from->mode;
	tree->nodes[node].link = from->link;
	tree->nodes[node].content = from->content;
	if (from->content != EA_NO_NODE)
		tree->contents[from->content].nlink++;
}

/* A name in the archive as a path in the image; false if it cannot be one. */
static bool take_path(struct apply *apply, const char *name)
{
	struct ea_str rest = ea_str(name), part;
	int r;

	ea_buf_clear(&apply->path);
	if (rest.len >= EA_LIMIT_PATH) {
		add_gap(apply, EA_GAP_LIMIT, "a name of %zu bytes: %.60s…", rest.len, name);
		return false;
	}
	ea_path_normalize(&apply->path, "/", rest);
	if (name[0] == '/' && apply->layer->whiteouts)
		add_gap(apply, EA_GAP_ASSUMED, "an absolute name, taken as one inside the image");
	while (ea_str_token(&rest, '/', &part))
		if (ea_str_is(part, "..")) {
			add_gap(apply, EA_GAP_ASSUMED,
				"a name with `..` (%.200s), taken as one inside the image", name);
			break;
		}
	r = ea_tree_make_dirs(apply->tree, apply->path.ptr, apply->number, &apply->dir,
			      &apply->name);
	if (r < 0)
		add_gap(apply, EA_GAP_UNREAD, "no place for this entry: %s", strerror(-r));
	return r == 0;
}

static int apply_entry(struct apply *apply, const struct ea_tar_entry *entry, struct ea_err *err)
{
	uint32_t node;

	if (apply->tar.packed && !ea_add_u64(apply->unpacked, entry->size, &apply->unpacked))
		apply->unpacked = UINT64_MAX;
	if (apply->unpacked > apply->spool->limit)
		return ea_err_set(err, EA_E_TARGET,
				  "%s: more than %llu bytes when unpacked: see --tmp-limit",
				  apply->layer->name, (unsigned long long)apply->spool->limit);
	if (!entry->name.len || !take_path(apply, entry->name.ptr) || apply_whiteout(apply))
		return 0;
	if (entry->hard_link) {
		apply_hard_link(apply, ea_buf_text(&entry->target));
		return 0;
	}
	node = replace(apply, entry->type);
	if (node == EA_NO_NODE)
		return 0;
	apply->tree->nodes[node].mode = entry->mode;
	if (entry->type == EA_FILE_LINK)
		apply->tree->nodes[node].link =
			ea_arena_dup(&apply->tree->arena, ea_buf_text(&entry->target));
	return entry->type == EA_FILE_REGULAR ? add_content(apply, node, entry, err) : 0;
}

static int apply_all(struct apply *apply, struct ea_err *err)
{
	const struct ea_tar_entry *entry;
	const char *warning;
	struct ea_err end;
	int r;

	while ((r = ea_tar_next(&apply->tar, &entry, &warning, &end)) == 0) {
		apply->ordinal++;
		ea_buf_clear(&apply->path);
		if (warning)
			add_gap(apply, EA_GAP_UNREAD, "%s", warning);
		r = entry ? apply_entry(apply, entry, err) : 0;
		if (r < 0)
			return r;
		if (apply->tree->n_nodes > EA_LIMIT_IMAGE_ENTRIES)
			return ea_err_set(err, EA_E_TARGET, "%s: more than %u entries",
					  apply->layer->name, EA_LIMIT_IMAGE_ENTRIES);
	}
	ea_buf_clear(&apply->path);
	if (r < 0)
		add_gap(apply, EA_GAP_UNREAD, "%s", end.text);
	return 0;
}

/* A packed layer has been read whole, so what it should have been is known. */
static int check_digest(struct apply *apply, struct ea_err *err)
{
	const struct ea_layer_blob *layer = apply->layer;
	char hex[EA_SHA256_TEXT];
	int r;

	if (!apply->tar.packed || !layer->digest)
		return 0;
	r = ea_tar_finish(&apply->tar, hex);
	if (r < 0)
		return ea_err_errno(err, -r, "%s: cannot be read", layer->name);
	if (!ea_streq(hex, layer->digest))
		return ea_err_set(err, EA_E_TARGET, "%s: its bytes have another digest, sha256:%s",
				  layer->name, hex);
	return 0;
}

int ea_layer_apply(const struct ea_layer_blob *layer, uint16_t number, struct ea_tree *tree,
		   struct ea_spool *spool, struct ea_gaps *gaps, struct ea_err *err)
{
	struct apply apply = {
		.layer = layer, .number = number, .tree = tree, .spool = spool, .gaps = gaps
	};
	int r = ea_tar_open(&apply.tar, &layer->blob, err);

	if (r < 0) {
		ea_err_context(err, "%s", layer->name);
		return r;
	}
	r = apply_all(&apply, err);
	if (r == 0)
		r = check_digest(&apply, err);
	ea_tar_close(&apply.tar);
	ea_buf_release(&apply.path);
	ea_buf_release(&apply.name);
	return r;
}

int ea_layer_fetch(const struct ea_layer_blob *layer, struct ea_content *content,
		   struct ea_arena *arena, struct ea_spool *spool)
{
	const struct ea_tar_entry *entry;
	const char *warning;
	struct ea_tar tar;
	int r = ea_tar_open(&tar, &layer->blob, NULL);

	if (r < 0)
		return -EIO;
	for (uint32_t i = 0; i < content->ordinal && r == 0; i++)
		r = ea_tar_next(&tar, &entry, &warning, NULL);
	if (r == 0)
		r = keep_pieces(content, &tar, NULL, arena, spool, NULL);
	ea_tar_close(&tar);
	return r ? -EIO : 0;
}
