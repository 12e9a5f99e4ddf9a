/* ld.so.conf: the input is the file itself and two that it may include. */
#include <stdlib.h>

#include "fuzz_target.h"
#include "loader/conf.h"
#include "memory_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_file files[] = {
		{ EA_LOADER_CONF_PATH, data, size },
		{ "/etc/ld.so.conf.d/a.conf", data, size },
		{ "/etc/ld.so.conf.d/b.conf", data, size / 2 },
		{ "/lib/x86_64-linux-gnu/libc.so.6", "", 0 },
	};
	struct ea_root *root = ea_root_new();
	struct ea_arena arena = { 0 };
	struct ea_loader_conf conf = { 0 };

	ea_root_add_layer(root, memory_source_new(files, EA_ARRAY_SIZE(files)), "/", false);
	(void)ea_loader_conf_read(root, EA_LOADER_CONF_PATH, &arena, &conf);
	ea_vec_foreach(dir, &conf.dirs)
		if (dir->path[0] != '/' || dir->line == 0 || !dir->file)
			abort();
	ea_vec_foreach(gap, &conf.gaps)
		if (gap->error >= 0)
			abort();
	ea_arena_release(&arena);
	ea_root_free(root);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}
