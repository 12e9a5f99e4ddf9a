/* Container images: from a file, folder or standard input to merged file systems. */
#include "fs/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/image_source.h"
#include "fs/image_store.h"
#include "fs/image_stream.h"

#define STANDARD_INPUT 0

/* ---- the archive ----------------------------------------------------------------------------- */

static int open_host(const char *path, struct ea_blob *ret_blob, struct ea_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return ea_err_errno(err, errno, "%s: cannot open", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return ea_err_set(err, EA_E_TARGET, "%s: not a regular file", path);
	}
	*ret_blob = (struct ea_blob){ fd, 0, (uint64_t)st.st_size };
	return 0;
}

/* 1: no tar archive. */
static int open_archive(struct ea_images *images, const char *path, struct ea_err *err)
{
	struct ea_layer_blob whole = { .name = images->name };
	struct ea_source *source;
	struct ea_blob packed;
	int r;

	if (path) {
		r = open_host(path, &whole.blob, err);
		if (r < 0)
			return r;
		images->fd = whole.blob.fd;
	} else {
		r = ea_spool_fd(&images->spool, STANDARD_INPUT, &whole.blob, err);
		if (r < 0)
			return r;
	}
	packed = whole.blob;
	if (ea_blob_packing(&whole.blob) != EA_PACK_NONE)
		/* One that is packed as a whole becomes one that can be read at any place. */
		r = ea_stream_unpack(&packed, &images->spool, &whole.blob, err);
	else if (!ea_tar_is(&whole.blob))
		r = 1;
	if (r == 0)
		r = ea_source_layers(&whole, 1, &images->spool, &images->gaps, &source, err);
	if (r)
		return r;
	images->root = ea_root_new();
	ea_root_add_layer(images->root, source, "/", false);
	return 0;
}

/* ---- what is in it --------------------------------------------------------------------------- */

static int read_images(struct ea_images *images, struct ea_err *err)
{
	/* What `docker save` writes today has both; its manifest.json has the names. */
	if (ea_images_has(images, "manifest.json"))
		return ea_images_read_docker(images, err);
	if (ea_images_has(images, "index.json") && ea_images_has(images, "oci-layout"))
		return ea_images_read_oci(images, err);
	if (ea_images_has(images, "repositories"))
		return ea_images_read_legacy(images, err);
	return 1;
}

static void add_bare(struct ea_images *images)
{
	images->bare = true;
	ea_vec_push(&images->list, &images->arena,
		    ea_arena_new(&images->arena, struct ea_image_parts));
}

static int open_images(struct ea_images *images, const char *path, struct ea_err *err)
{
	struct stat st = { 0 };
	bool folder = path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	int r;

	r = folder ? ea_root_folder(path, &images->root, err) : open_archive(images, path, err);
	if (r)
		return r;
	r = read_images(images, err);
	if (r == 1 && !folder) {
		add_bare(images);
		r = 0;
	}
	return r;
}

int ea_images_open(const char *path, const struct ea_image_options *options, struct ea_images **ret,
		   struct ea_err *err)
{
	struct ea_images *images = ea_xmalloc(sizeof(*images));
	int r;

	*images = (struct ea_images){
		.options = *options,
		.spool = { .fd = -1, .limit = options->tmp_limit },
		.fd = -1,
		.name = path ? path : "standard input",
	};
	images->gaps.arena = &images->arena;
	r = open_images(images, path, err);
	if (r) {
		ea_images_free(images);
		return r;
	}
	*ret = images;
	return 0;
}

void ea_images_free(struct ea_images *images)
{
	if (!images)
		return;
	ea_vec_foreach(file, &images->files)
		ea_file_close(*file);
	ea_root_free(images->root);
	ea_spool_release(&images->spool);
	if (images->fd >= 0)
		close(images->fd);
	ea_arena_release(&images->arena);
	free(images);
}

uint32_t ea_images_count(const struct ea_images *images)
{
	return images->list.n;
}

const struct ea_image *ea_images_get(const struct ea_images *images, uint32_t i)
{
	return &images->list.items[i]->image;
}

/* ---- one image ------------------------------------------------------------------------------- */

/* Packed layers are read whole and compared on the way. */
static int verify(const struct ea_image_parts *parts, struct ea_err *err)
{
	ea_vec_foreach(layer, &parts->layers) {
		char hex[EA_SHA256_TEXT];
		int r;

		if (!layer->digest || ea_blob_packing(&layer->blob) != EA_PACK_NONE)
			continue;
		r = ea_blob_digest(&layer->blob, hex);
		if (r < 0)
			return ea_err_errno(err, -r, "%s: cannot be read", layer->name);
		if (!ea_streq(hex, layer->digest))
			return ea_err_set(err, EA_E_TARGET,
					  "%s: its bytes have another digest, sha256:%s",
					  layer->name, hex);
	}
	return 0;
}

int ea_images_root(struct ea_images *images, uint32_t i, struct ea_gaps *gaps,
		   struct ea_root **ret_root, struct ea_err *err)
{
	const struct ea_image_parts *parts = images->list.items[i];
	struct ea_source *source;
	int r = 0;

	ea_vec_foreach(gap, &images->gaps.list)
		ea_gaps_add(gaps, gap->path, gap->kind, "%s", gap->reason)->matters = gap->matters;
	if (images->bare) {
		*ret_root = EA_TAKE(images->root);
		return 0;
	}
	if (images->options.verify)
		r = verify(parts, err);
	if (r == 0)
		r = ea_source_layers(parts->layers.items, parts->layers.n, &images->spool, gaps,
				     &source, err);
	if (r < 0)
		return r;
	*ret_root = ea_root_new();
	ea_root_add_layer(*ret_root, source, "/", false);
	return 0;
}
