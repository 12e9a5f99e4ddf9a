/* The merged tree of an image as a source. */
#include "fs/image_source.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "fs/root.h"

struct image_source {
	struct ea_source source;
	struct ea_tree tree;
	const struct ea_layer_blob *layers;
	struct ea_spool *spool;
	pthread_mutex_t fetching; /* guards `kept` of contents, the arena and the spool */
};

struct image_file {
	struct ea_file file;
	const struct ea_content *content;
};

static struct ea_stat stat_of(const struct ea_tree *tree, uint32_t node)
{
	const struct ea_node *n = &tree->nodes[node];
	struct ea_stat stat = {
		.type = (enum ea_file_type)n->type,
		.dev = UINT64_MAX, /* no device of the host */
		.ino = node + (1ull << 32),
		.mode = n->mode & 07777u,
		.nlink = n->type == EA_FILE_DIR ? 2 : 1,
	};

	if (n->type == EA_FILE_LINK)
		stat.size = strlen(n->link);
	if (n->content != EA_NO_NODE) {
		stat.ino = n->content + 1;
		stat.size = tree->contents[n->content].size;
		stat.nlink = tree->contents[n->content].nlink;
	}
	return stat;
}

static int find(const struct image_source *image, const char *path, enum ea_follow follow,
		uint32_t *ret_node)
{
	int r = ea_tree_find(&image->tree, path, follow, ret_node, NULL);

	return r < 0 ? r : *ret_node == EA_NO_NODE ? -ENOENT : 0;
}

static int image_stat(struct ea_source *source, const char *path, enum ea_follow follow,
		      struct ea_stat *ret)
{
	const struct image_source *image = (const struct image_source *)source;
	uint32_t node;
	int r = find(image, path, follow, &node);

	if (r == 0)
		*ret = stat_of(&image->tree, node);
	return r;
}

static int image_readlink(struct ea_source *source, const char *path, struct ea_buf *ret_text)
{
	const struct image_source *image = (const struct image_source *)source;
	uint32_t node;
	int r = find(image, path, EA_NOFOLLOW, &node);

	if (r < 0)
		return r;
	if (image->tree.nodes[node].type != EA_FILE_LINK)
		return -EINVAL;
	ea_buf_add_text(ret_text, image->tree.nodes[node].link);
	return 0;
}

static int image_resolve(struct ea_source *source, const char *path, enum ea_follow follow,
			 struct ea_buf *ret_real)
{
	const struct image_source *image = (const struct image_source *)source;
	uint32_t node;

	return ea_tree_find(&image->tree, path, follow, &node, ret_real);
}

static int image_list(struct ea_source *source, const char *path, ea_list_fn fn, void *arg)
{
	const struct ea_tree *tree = &((const struct image_source *)source)->tree;
	uint32_t dir;
	int r = find((const struct image_source *)source, path, EA_FOLLOW, &dir);

	if (r == 0 && tree->nodes[dir].type != EA_FILE_DIR)
		r = -ENOTDIR;
	if (r < 0)
		return r;
	for (uint32_t i = tree->nodes[dir].child; i != EA_NO_NODE && r == 0;
	     i = tree->nodes[i].next) {
		struct ea_stat stat = stat_of(tree, i);

		r = fn(arg, &(struct ea_entry){ tree->nodes[i].name, stat.type, stat.ino });
	}
	return r;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The pieces are in order: the first that ends behind OFF. */
static uint32_t first_piece(const struct ea_content *content, uint64_t off)
{
	uint32_t low = 0, high = content->n_pieces;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (content->pieces[middle].off + content->pieces[middle].len <= off)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static long image_read_at(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	const struct ea_content *content = ((struct image_file *)file)->content;

	if (off >= content->size)
		return 0;
	if (len > content->size - off)
		len = (size_t)(content->size - off);
	memset(buf, 0, len);
	for (uint32_t i = first_piece(content, off);
	     i < content->n_pieces && content->pieces[i].off < off + len; i++) {
		const struct ea_piece *piece = &content->pieces[i];
		uint64_t from = piece->off > off ? piece->off : off;
		uint64_t end = piece->off + piece->len;
		size_t n = (size_t)((end < off + len ? end : off + len) - from);
		const struct ea_blob blob = { content->fd, piece->at + (from - piece->off), n };
		long done = ea_blob_read(&blob, (char *)buf + (from - off), n, 0);

		/* The archive was cut or changed meanwhile. */
		if (done != (long)n)
			return done < 0 ? done : -EIO;
	}
	return (long)len;
}

static void image_file_close(struct ea_file *file)
{
	free(file);
}

static const struct ea_file_ops image_file_ops = {
	.read_at = image_read_at,
	.close = image_file_close,
};

static int fetch(struct image_source *image, uint32_t number)
{
	struct ea_content *content = &image->tree.contents[number];
	int r = 0;

	pthread_mutex_lock(&image->fetching);
	if (!content->kept)
		r = ea_layer_fetch(&image->layers[content->layer], content, &image->tree.arena,
				   image->spool);
	pthread_mutex_unlock(&image->fetching);
	return r;
}

static int image_open(struct ea_source *source, const char *path, enum ea_follow follow,
		      struct ea_file **ret_file)
{
	struct image_source *image = (struct image_source *)source;
	struct image_file *file;
	struct ea_stat stat;
	uint32_t node, content;
	int r = find(image, path, follow, &node);

	if (r < 0)
		return r;
	stat = stat_of(&image->tree, node);
	r = ea_stat_check_regular(&stat);
	content = image->tree.nodes[node].content;
	if (r == 0 && content == EA_NO_NODE)
		r = -EIO;
	if (r == 0)
		r = fetch(image, content);
	if (r < 0)
		return r;
	file = ea_xmalloc(sizeof(*file));
	*file = (struct image_file){ { &image_file_ops, stat, -1 },
				     &image->tree.contents[content] };
	*ret_file = &file->file;
	return 0;
}

static int image_layer_of(struct ea_source *source, const char *path)
{
	const struct image_source *image = (const struct image_source *)source;
	uint32_t node;
	int r = find(image, path, EA_NOFOLLOW, &node);

	return r < 0 ? r : image->tree.nodes[node].layer;
}

static void image_free(struct ea_source *source)
{
	struct image_source *image = (struct image_source *)source;

	ea_tree_release(&image->tree);
	pthread_mutex_destroy(&image->fetching);
	free(image);
}

static const struct ea_source_ops image_ops = {
	.name = "image",
	.stat = image_stat,
	.readlink = image_readlink,
	.list = image_list,
	.open = image_open,
	.resolve = image_resolve,
	.layer_of = image_layer_of,
	.free = image_free,
};

int ea_source_layers(const struct ea_layer_blob *layers, uint32_t n, struct ea_spool *spool,
		     struct ea_gaps *gaps, struct ea_source **ret_source, struct ea_err *err)
{
	struct image_source *image = ea_xmalloc(sizeof(*image));
	int r = 0;

	*image =
		(struct image_source){ .source.ops = &image_ops, .layers = layers, .spool = spool };
	ea_tree_init(&image->tree);
	pthread_mutex_init(&image->fetching, NULL);
	for (uint32_t i = 0; i < n && r == 0; i++)
		r = ea_layer_apply(&layers[i], (uint16_t)i, &image->tree, spool, gaps, err);
	if (r < 0) {
		image_free(&image->source);
		return r;
	}
	*ret_source = &image->source;
	return 0;
}

int ea_image_file_blob(const struct ea_file *file, struct ea_blob *ret)
{
	const struct ea_content *content = ((const struct image_file *)file)->content;

	if (file->ops != &image_file_ops || content->n_pieces > 1 ||
	    (content->n_pieces && content->pieces[0].len != content->size))
		return -EIO;
	*ret = (struct ea_blob){ content->fd, content->n_pieces ? content->pieces[0].at : 0,
				 content->size };
	return 0;
}
