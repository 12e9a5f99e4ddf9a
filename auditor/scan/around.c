/* What lies around a target: folders that the loader can reach from it. */
#include "scan/around.h"

#include <elf.h>

#include "base/path.h"
#include "loader/conf.h"

/*
 * Folders that are in use whether or not ld.so.conf names them: the trusted directories as
 * distributions set them, drivers, compat.
 */
static const struct {
	uint16_t machine; /* 0 = any */
	const char *path;
} folders[] = {
	{ EM_X86_64, "/lib/x86_64-linux-gnu" },
	{ EM_X86_64, "/usr/lib/x86_64-linux-gnu" },
	{ EM_AARCH64, "/lib/aarch64-linux-gnu" },
	{ EM_AARCH64, "/usr/lib/aarch64-linux-gnu" },
	{ 0, "/lib64" },
	{ 0, "/usr/lib64" },
	{ 0, "/lib" },
	{ 0, "/usr/lib" },
	{ 0, "/usr/local/lib" },
	{ 0, "/usr/local/nvidia/lib64" },
	{ 0, "/usr/local/nvidia/lib" },
	{ 0, "/usr/lib/wsl/lib" },
	{ 0, "/usr/lib/nvidia" },
	{ 0, "/run/opengl-driver/lib" },
};

/* Folders of a toolkit that hold libraries. */
static const char *const toolkit_folders[] = {
	"lib64",
	"lib",
	"targets/x86_64-linux/lib",
	"targets/sbsa-linux/lib",
	"targets/aarch64-linux/lib",
	"extras/CUPTI/lib64",
	"nvvm/lib64",
	"compat",
};

/* What the walk of the target covers is not walked again with less care. */
static void queue_folder(struct ea_walk *walk, const struct ea_world *world, const char *path)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };

	if (ea_root_resolve(walk->root, path, EA_FOLLOW, &real) == 0 &&
	    (world->target.kind == EA_TARGET_ELF ||
	     !ea_path_within(ea_buf_text(&real), world->target.path)))
		(void)ea_walk_folder(walk, ea_buf_text(&real), EA_WALK_FAMILIES);
}

static void queue_search_path(struct ea_walk *walk, const struct ea_world *world, const char *value)
{
	struct ea_str rest = ea_str(value), list, dir;
	struct ea_arena scratch = { 0 };

	/* Both separators count in LD_LIBRARY_PATH. */
	while (ea_str_token(&rest, ':', &list))
		while (ea_str_token(&list, ';', &dir))
			if (dir.len && dir.ptr[0] == '/')
				queue_folder(walk, world, ea_arena_dup_str(&scratch, dir));
	ea_arena_release(&scratch);
}

/* There is no CUDA for 32-bit programs; folders of their libraries have these names. */
static bool is_32_bit(const char *path)
{
	static const char *const names[] = { "lib32", "libx32", "i386-linux-gnu", "i686-linux-gnu",
					     "x86_64-linux-gnux32" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++)
		if (ea_streq(ea_path_base(path), names[i]))
			return true;
	return false;
}

/* What ld.so.cache holds was found in these, and a file that it lacks still lies in them. */
static void queue_conf(struct ea_walk *walk, const struct ea_world *world)
{
	struct ea_loader_conf conf;
	struct ea_arena scratch = { 0 };

	if (ea_loader_conf_read(walk->root, EA_LOADER_CONF_PATH, &scratch, &conf) == 0)
		ea_vec_foreach(dir, &conf.dirs)
			if (!is_32_bit(dir->path))
				queue_folder(walk, world, dir->path);
	ea_arena_release(&scratch);
}

void ea_around_queue(struct ea_walk *walk, const struct ea_world *world)
{
	const char *library_path = ea_world_env(world, "LD_LIBRARY_PATH");
	struct ea_arena scratch = { 0 };

	if (library_path)
		queue_search_path(walk, world, library_path);
	queue_conf(walk, world);
	for (size_t i = 0; i < EA_ARRAY_SIZE(folders); i++)
		if (!folders[i].machine || !world->host.machine ||
		    folders[i].machine == world->host.machine)
			queue_folder(walk, world, folders[i].path);
	ea_vec_foreach(root, &world->cuda_roots)
		for (size_t i = 0; i < EA_ARRAY_SIZE(toolkit_folders); i++)
			queue_folder(walk, world,
				     ea_path_join(&scratch, (*root)->path, toolkit_folders[i]));
	ea_arena_release(&scratch);
}
