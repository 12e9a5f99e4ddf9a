/*
 * Image archives. The first byte says what the others are: a manifest, an index, the old form's
 * files or a configuration in a sound archive, or the bytes of the whole archive.
 */
#include "image_fuzz.h"

static void open_archive(const void *bytes, size_t size)
{
	const struct ea_image_options options = { .tmp_limit = 1 << 20 };
	int fd = memory_file(bytes, size);
	struct ea_arena arena = { 0 };
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_images *images;
	struct ea_err err;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (ea_images_open(path, &options, &images, &err) == 0) {
		for (uint32_t i = 0; i < ea_images_count(images) && i < 4; i++) {
			struct ea_root *root;

			if (ea_images_root(images, i, &gaps, &root, &err) < 0)
				continue;
			read_all(root);
			ea_root_free(root);
		}
		ea_images_free(images);
	}
	close(fd);
	ea_arena_release(&arena);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "manifest.json", "index.json", "repositories",
					     "x/json", "c.json" };
	static const char manifest[] = "[{\"Config\": \"c.json\", \"Layers\": [\"l.tar\"]}]";
	struct ea_buf tar = { 0 }, layer = { 0 };
	size_t which = size ? data[0] % (EA_ARRAY_SIZE(names) + 1) : 0;

	if (!size)
		return 0;
	if (which == EA_ARRAY_SIZE(names)) {
		open_archive(data + 1, size - 1);
		return 0;
	}
	add_member(&layer, '0', "file", "", "data", 4);
	add_member(&tar, '0', names[which], "", data + 1, size - 1);
	add_member(&tar, '0', "l.tar", "", layer.ptr, layer.len);
	add_member(&tar, '0', "x/layer.tar", "", layer.ptr, layer.len);
	add_member(&tar, '0', "oci-layout", "", "{}", 2);
	if (which == 3)
		add_member(&tar, '0', "repositories", "", "{\"a\": {\"1\": \"x\"}}", 17);
	if (which == 4)
		add_member(&tar, '0', "manifest.json", "", manifest, sizeof(manifest) - 1);
	open_archive(tar.ptr, tar.len);
	ea_buf_release(&tar);
	ea_buf_release(&layer);
	return 0;
}
