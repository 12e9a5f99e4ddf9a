/*
 * Layers laid over each other. Each line of the text is an entry: its type as tar has it, its name,
 * a tab, where it links to; a line that begins with `=` begins the next layer.
 */
#include "image_fuzz.h"

#define MAX_LAYERS 16

static void add_line(struct ea_buf *tar, struct ea_str line)
{
	struct ea_arena arena = { 0 };
	size_t tab = ea_str_find(line, '\t');
	const char *name = ea_arena_dup_str(&arena, (struct ea_str){ line.ptr + 1, tab - 1 });
	const char *link = ea_arena_dup_str(&arena, ea_str_skip(line, tab + 1));

	add_member(tar, line.ptr[0], name, link, "data", line.ptr[0] == '0' ? 4 : 0);
	ea_arena_release(&arena);
}

static void lay(const struct ea_layer_blob *layers, uint32_t n)
{
	struct ea_spool spool = { .fd = -1, .limit = 1 << 20 };
	struct ea_arena arena = { 0 };
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_source *source;
	struct ea_err err;

	if (ea_source_layers(layers, n, &spool, &gaps, &source, &err) == 0) {
		struct ea_root *root = ea_root_new();

		ea_root_add_layer(root, source, "/", false);
		read_all(root);
		ea_root_free(root);
	}
	ea_spool_release(&spool);
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
	struct ea_layer_blob layers[MAX_LAYERS];
	struct ea_str rest = { (const char *)data, size }, line;
	struct ea_buf tar = { 0 };
	uint32_t n = 0;
	bool more;

	do {
		more = n < MAX_LAYERS - 1 && ea_str_line(&rest, &line);
		if (more && line.len > 1 && line.ptr[0] != '=' && line.ptr[0] != '\t')
			add_line(&tar, line);
		if (more && !(line.len && line.ptr[0] == '='))
			continue;
		layers[n++] = (struct ea_layer_blob){
			.blob = { memory_file(tar.ptr, tar.len), 0, tar.len },
			.name = "layer",
			.whiteouts = true,
		};
		ea_buf_clear(&tar);
	} while (more);
	lay(layers, n);
	for (uint32_t i = 0; i < n; i++)
		close(layers[i].blob.fd);
	ea_buf_release(&tar);
	return 0;
}
