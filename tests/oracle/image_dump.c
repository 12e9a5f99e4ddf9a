/*
 * image_dump ARCHIVE: all entries of its images' merged file systems, for comparison with what real
 * tools unpack. Each is six texts that end in NUL: path, type, size, link, inode, SHA-256. Gaps
 * follow as "gap", kind, path, reason. Images are parted by an entry "image", name.
 */
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "fs/image.h"
#include "fs/image_blob.h"

struct dump {
	const struct ea_root *root;
	const char *dir;
};

static void put(const char *text)
{
	fwrite(text, 1, strlen(text) + 1, stdout);
}

static void put_number(uint64_t number)
{
	printf("%llu%c", (unsigned long long)number, 0);
}

static void put_digest(const struct ea_root *root, const char *path)
{
	static unsigned char chunk[65536];
	struct sha256_ctx ctx;
	struct ea_file *file;
	char hex[EA_SHA256_TEXT];
	uint64_t off = 0;
	long n;
	int r = ea_root_open(root, path, &file);

	if (r < 0) {
		printf("%s%c", strerror(-r), 0);
		return;
	}
	sha256_init(&ctx);
	while ((n = ea_file_read(file, chunk, sizeof(chunk), off)) > 0) {
		sha256_update(&ctx, (size_t)n, chunk);
		off += (uint64_t)n;
	}
	ea_sha256_hex(&ctx, hex);
	put(n < 0 ? strerror((int)-n) : hex);
	ea_file_close(file);
}

static int dump_folder(const struct ea_root *root, const char *dir);

static int dump_entry(void *arg, const struct ea_entry *entry)
{
	static const char *const types[] = { "?", "file", "dir", "link", "other" };
	const struct dump *dump = arg;
	struct ea_arena arena = { 0 };
	const char *path = ea_path_join(&arena, dump->dir, entry->name);
	struct ea_buf link = { 0 };
	struct ea_stat stat;

	if (ea_root_stat(dump->root, path, EA_NOFOLLOW, &stat) < 0)
		return -1;
	put(path);
	put(types[stat.type]);
	put_number(stat.size);
	if (stat.type == EA_FILE_LINK)
		ea_root_readlink(dump->root, path, &link);
	put(ea_buf_text(&link));
	put_number(stat.type == EA_FILE_REGULAR ? stat.ino : 0);
	if (stat.type == EA_FILE_REGULAR)
		put_digest(dump->root, path);
	else
		put("");
	if (stat.type == EA_FILE_DIR)
		dump_folder(dump->root, path);
	ea_buf_release(&link);
	ea_arena_release(&arena);
	return 0;
}

static int dump_folder(const struct ea_root *root, const char *dir)
{
	struct dump dump = { root, dir };

	return ea_root_list(root, dir, dump_entry, &dump);
}

static int dump_image(struct ea_images *images, uint32_t i, struct ea_err *err)
{
	struct ea_arena arena = { 0 };
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_root *root;
	int r = ea_images_root(images, i, &gaps, &root, err);
	const char *name = ea_images_get(images, i)->name;

	if (r < 0)
		return r;
	put("image");
	put(name ? name : "");
	dump_folder(root, "/");
	ea_vec_foreach(gap, &gaps.list) {
		put("gap");
		put(ea_gap_words[gap->kind]);
		put(gap->path ? gap->path : "");
		put(gap->reason);
	}
	ea_root_free(root);
	ea_arena_release(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	const struct ea_image_options options = {
		.tmp_limit = argc > 2 ? strtoull(argv[2], NULL, 10) : 64ull << 30,
		.verify = argc > 3,
	};
	struct ea_images *images;
	struct ea_err err;
	int r = ea_images_open(argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL, &options,
			       &images, &err);

	if (r == 1) {
		fputs("no image\n", stderr);
		return 3;
	}
	for (uint32_t i = 0; r == 0 && i < ea_images_count(images); i++)
		r = dump_image(images, i, &err);
	if (r < 0)
		fprintf(stderr, "%s\n", err.text);
	if (r == 0)
		ea_images_free(images);
	return r < 0;
}
