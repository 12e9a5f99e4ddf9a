/* fs: a source that cannot seek, and readers that say what they want while it passes. */
#include "unit.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "fs_ways.h"
#include "tar_source.h"

/* ---- making an archive ----------------------------------------------------------------------- */

static struct archive *archive_start(const char *path)
{
	struct archive *archive = archive_write_new();

	archive_write_add_filter_gzip(archive);
	archive_write_set_format_ustar(archive);
	assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
	return archive;
}

static void archive_add(struct archive *archive, unsigned int type, const char *path,
			const void *data, size_t len)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, path);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, type == AE_IFDIR ? 0755 : 0644);
	if (type == AE_IFREG)
		archive_entry_set_size(entry, (int64_t)len);
	if (type == AE_IFLNK)
		archive_entry_set_symlink(entry, data);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	if (type == AE_IFREG)
		assert_int_equal(archive_write_data(archive, data, len), len);
	archive_entry_free(entry);
}

static void archive_end(struct archive *archive)
{
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
}

/* Bytes that tell where they are. */
static unsigned char *pattern(size_t len)
{
	unsigned char *data = ea_xmalloc(len);

	for (size_t i = 0; i < len; i++)
		data[i] = (unsigned char)(i * 2654435761u >> 11);
	return data;
}

enum { BIG = 300000 };

static void build_archive(const char *path)
{
	struct archive *archive = archive_start(path);
	unsigned char *data = pattern(BIG);

	archive_add(archive, AE_IFDIR, "./usr/", NULL, 0);
	archive_add(archive, AE_IFDIR, "./usr/lib/", NULL, 0);
	archive_add(archive, AE_IFREG, "./usr/lib/big", data, BIG);
	archive_add(archive, AE_IFREG, "./usr/lib/big2", data, BIG);
	archive_add(archive, AE_IFREG, "./usr/lib/small", "small", 5);
	archive_add(archive, AE_IFREG, "./usr/lib/empty", "", 0);
	archive_add(archive, AE_IFLNK, "./lib", "/usr/lib", 0);
	archive_add(archive, AE_IFLNK, "./usr/lib/out", "../../../../small", 0);
	archive_add(archive, AE_IFREG, "./usr/lib/.wh.gone", "", 0);
	archive_end(archive);
	free(data);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void an_archive_is_a_layer_like_others(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	struct ea_source *low, *tar;
	struct ea_root *root = ea_root_new();

	(void)state;
	tree_file(&tree, "root/usr/lib/gone", "gone");
	tree_file(&tree, "root/usr/lib/small", "low");
	tree_file(&tree, "root/small", "top");
	build_archive(tree_path(&tree, "tar.gz"));
	assert_int_equal(ea_source_folder(tree_path(&tree, "root"), &low, NULL), 0);
	tar = tar_source_new(tree_path(&tree, "tar.gz"), NULL);
	ea_root_add_layer(root, low, "/", false);
	ea_root_add_layer(root, tar, "/", true);

	assert_string_equal(names_at(root, "/"), "lib@ small usr/ ");
	assert_string_equal(names_at(root, "/lib"), "big big2 empty out@ small ");
	assert_string_equal(text_at(root, "/lib/small"), "small");
	assert_string_equal(text_at(root, "/lib/out"), "top");
	assert_string_equal(text_at(root, "/lib/gone"), "!ENOENT");
	assert_string_equal(text_at(root, "/lib/empty"), "");
	assert_int_equal(ea_root_layer_of(root, "/lib/small"), 1);
	assert_int_equal(ea_root_layer_of(root, "/small"), 0);
	assert_int_equal(tar_source_passes(tar), 1);
	ea_root_free(root);
}

static void one_pass_brings_all_that_was_asked(void **state)
{
	static const uint64_t offsets[] = { 200000, 5000, 65530, BIG - 100 };
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	unsigned char *data = pattern(BIG), buf[100];
	struct ea_root *root = ea_root_new();
	struct ea_source *tar;
	struct ea_file *files[2];

	(void)state;
	build_archive(tree_path(&tree, "tar.gz"));
	tar = tar_source_new(tree_path(&tree, "tar.gz"), NULL);
	ea_root_add_layer(root, tar, "/", false);
	assert_int_equal(ea_root_open(root, "/lib/big", &files[0]), 0);
	assert_int_equal(ea_root_open(root, "/lib/big2", &files[1]), 0);
	assert_int_equal(files[0]->fd, -1);

	assert_int_equal(ea_file_read_full(files[0], buf, 100, 3000), 0);
	assert_memory_equal(buf, data + 3000, 100);
	for (size_t i = 0; i < EA_ARRAY_SIZE(offsets); i++)
		for (size_t k = 0; k < 2; k++)
			assert_int_equal(ea_file_read_full(files[k], buf, 100, offsets[i]),
					 -EA_E_AGAIN);
	assert_int_equal(ea_root_advance(root, NULL), 0);
	for (size_t i = 0; i < EA_ARRAY_SIZE(offsets); i++) {
		for (size_t k = 0; k < 2; k++) {
			assert_int_equal(ea_file_read_full(files[k], buf, 100, offsets[i]), 0);
			assert_memory_equal(buf, data + offsets[i], 100);
		}
	}
	assert_int_equal(ea_root_advance(root, NULL), 1);
	assert_int_equal(ea_file_read(files[0], buf, 100, BIG), 0);
	assert_int_equal(tar_source_passes(tar), 2);
	ea_file_close(files[0]);
	ea_file_close(files[1]);
	assert_string_equal(text_at(root, "/lib/big"), "!AGAIN");
	ea_root_free(root);
	free(data);
}

/* The bytes of PT_DYNAMIC: what a reader finds by three reads, each telling where the next is. */
struct dynamic {
	unsigned char bytes[4096];
	size_t len;
};

static int read_dynamic(void *arg, const char *path, struct ea_file *file)
{
	struct dynamic *dynamic = arg;
	Elf64_Phdr phdrs[32];
	Elf64_Ehdr ehdr;
	int r;

	(void)path;
	r = ea_file_read_full(file, &ehdr, sizeof(ehdr), 0);
	if (r < 0 || memcmp(ehdr.e_ident, ELFMAG, SELFMAG) != 0)
		return r;
	assert_true(ehdr.e_phnum <= 32);
	r = ea_file_read_full(file, phdrs, ehdr.e_phnum * sizeof(*phdrs), ehdr.e_phoff);
	for (size_t i = 0; r == 0 && i < ehdr.e_phnum; i++) {
		if (phdrs[i].p_type != PT_DYNAMIC)
			continue;
		assert_true(phdrs[i].p_filesz <= sizeof(dynamic->bytes));
		dynamic->len = phdrs[i].p_filesz;
		r = ea_file_read_full(file, dynamic->bytes, dynamic->len, phdrs[i].p_offset);
	}
	return r;
}

/* Against the grain: the end first, then the middle. */
static int read_backwards(void *arg, const char *path, struct ea_file *file)
{
	struct dynamic *dynamic = arg;
	int r;

	(void)path;
	r = ea_file_read_full(file, dynamic->bytes, 10, file->stat.size - 10);
	if (r < 0)
		return r;
	return ea_file_read_full(file, dynamic->bytes, 10, file->stat.size / 2);
}

static unsigned int passes_for(const char *archive, const struct ea_want *want,
			       int (*read)(void *, const char *, struct ea_file *),
			       struct dynamic *ret)
{
	struct ea_root *root = ea_root_new();
	struct ea_source *tar = tar_source_new(archive, want);
	struct ea_file *file;
	unsigned int passes;

	ea_root_add_layer(root, tar, "/", false);
	assert_int_equal(ea_root_open(root, "/exe", &file), 0);
	while (read(ret, "/exe", file) == -EA_E_AGAIN)
		assert_int_equal(ea_root_advance(root, NULL), 0);
	assert_int_equal(ea_root_advance(root, NULL), 1);
	passes = tar_source_passes(tar);
	ea_file_close(file);
	ea_root_free(root);
	return passes;
}

static void a_reader_that_says_what_it_wants_needs_one_pass(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	EA_CLEANUP(ea_buf_release) struct ea_buf exe = { 0 };
	struct dynamic truth = { .len = 0 }, streamed = { .len = 0 };
	const struct ea_want forwards = { read_dynamic, &streamed };
	const struct ea_want backwards = { read_backwards, &streamed };
	struct ea_root *host = ea_root_host();
	const char *path = tree_path(&tree, "tar.gz");
	struct archive *archive = archive_start(path);
	struct ea_file *file;

	(void)state;
	assert_int_equal(ea_root_open(host, "/proc/self/exe", &file), 0);
	assert_int_equal(read_dynamic(&truth, "", file), 0);
	assert_true(truth.len > 0);
	ea_file_close(file);
	assert_int_equal(ea_root_read(host, "/proc/self/exe", 1 << 30, &exe), 0);
	archive_add(archive, AE_IFREG, "exe", exe.ptr, exe.len);
	archive_end(archive);

	assert_int_equal(passes_for(path, NULL, read_dynamic, &streamed), 2);
	assert_int_equal(streamed.len, truth.len);
	assert_memory_equal(streamed.bytes, truth.bytes, truth.len);
	memset(&streamed, 0, sizeof(streamed));
	assert_int_equal(passes_for(path, &forwards, read_dynamic, &streamed), 1);
	assert_int_equal(streamed.len, truth.len);
	assert_memory_equal(streamed.bytes, truth.bytes, truth.len);

	assert_int_equal(passes_for(path, NULL, read_backwards, &streamed), 3);
	assert_int_equal(passes_for(path, &backwards, read_backwards, &streamed), 2);
	assert_memory_equal(streamed.bytes, exe.ptr + exe.len / 2, 10);
	ea_root_free(host);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_archive_is_a_layer_like_others),
	cmocka_unit_test(one_pass_brings_all_that_was_asked),
	cmocka_unit_test(a_reader_that_says_what_it_wants_needs_one_pass),
};

UNIT_MAIN(tests)
