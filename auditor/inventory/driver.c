/* The NVIDIA driver: what the kernel module says of itself, and the user-space libraries beside it.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/read.h"

/* Folders that distributions, containers and clusters put the driver's libraries in. */
static const char *const driver_folders[] = {
	"usr/lib64",
	"usr/lib64/nvidia",
	"usr/lib",
	"usr/local/nvidia/lib64", /* mounted by older container runtimes and by GKE */
	"usr/local/nvidia/lib",
	"run/opengl-driver/lib",	    /* NixOS */
	"home/kubernetes/bin/nvidia/lib64", /* GKE nodes */
};

/* The same below usr/lib/MACHINE-linux-gnu (Debian, Jetson) and usr/lib/nvidia-384 (older Ubuntu).
 */
static const char *const driver_subfolders[] = { "", "/nvidia", "/nvidia/current", "/tegra" };

/* ---- kernel module ---------------------------------------------------------------------- */

/* "535.104.05": a driver branch has three digits, which no other NVIDIA library's version has. */
static bool is_driver_version(struct ea_str text)
{
	struct ea_str part;
	unsigned parts = 0;
	unsigned long long number;

	while (ea_str_token(&text, '.', &part)) {
		if (!ea_str_u64(part, &number) || (!parts && part.len != 3))
			return false;
		parts++;
	}
	return parts == 2 || parts == 3;
}

/*
 * NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023
 * NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (…)
 */
static char *from_proc(struct ea_arena *arena, struct ea_str text)
{
	static const struct ea_str words = { "Kernel Module", 13 };
	struct ea_str line, word;

	while (ea_str_line(&text, &line)) {
		if (!ea_str_starts(line, "NVRM version:"))
			continue;
		line = ea_str_skip(line, ea_str_find_str(line, words) + words.len);
		while (ea_str_token(&line, ' ', &word))
			if (is_driver_version(word))
				return ea_arena_dup_str(arena, word);
	}
	return NULL;
}

static char *from_sysfs(struct ea_arena *arena, struct ea_str text)
{
	text = ea_str_trim(text);
	return is_driver_version(text) ? ea_arena_dup_str(arena, text) : NULL;
}

static const char *kernel_module(const struct ea_root *root, const char *folder,
				 struct ea_inventory *inv)
{
	static const struct {
		const char *file;
		char *(*parse)(struct ea_arena *arena, struct ea_str text);
	} sources[] = {
		{ "proc/driver/nvidia/version", from_proc },
		{ "sys/module/nvidia/version", from_sysfs },
	};
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	for (size_t i = 0; i < EA_ARRAY_SIZE(sources); i++) {
		char *path = ea_path_join(inv->arena, folder, sources[i].file), *version;

		if (!ea_inventory_text(inv, root, path, EA_LIMIT_TEXT, &text))
			continue;
		version = sources[i].parse(inv->arena, ea_buf_str(&text));
		if (version)
			return version;
		ea_inventory_gap(inv, path, EA_GAP_UNREAD, "names no driver version");
	}
	return NULL;
}

/* ---- libraries -------------------------------------------------------------------------- */

/* libcuda.so.535.104.05 or libnvidia-ml.so.535.104.05: the driver's own files carry its version. */
static bool version_of_library(struct ea_str name, struct ea_str *ret_version)
{
	static const struct ea_str middle = { ".so.", 4 };
	size_t at = ea_str_find_str(name, middle);

	*ret_version = ea_str_skip(name, at + middle.len);
	return is_driver_version(*ret_version);
}

static bool is_of_driver(const char *name)
{
	struct ea_str version;

	return (strncmp(name, "libcuda", 7) == 0 || strncmp(name, "libnv", 5) == 0) &&
	       version_of_library(ea_str(name), &version);
}

static bool has_libcuda(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	struct ea_stat stat;

	return ea_root_stat(root, ea_path_join(inv->arena, folder, "libcuda.so.1"), EA_NOFOLLOW,
			    &stat) == 0;
}

static struct ea_component *find_driver(struct ea_inventory *inv, uint32_t from, const char *folder,
					struct ea_str version)
{
	for (uint32_t i = from; i < inv->components.n; i++)
		if (strcmp(inv->components.items[i]->base, folder) == 0 &&
		    (!version.ptr || ea_str_is(version, inv->components.items[i]->version)))
			return inv->components.items[i];
	return NULL;
}

static void add_library(const char *folder, struct ea_str name, uint32_t from,
			struct ea_inventory *inv)
{
	struct ea_str version;
	struct ea_component *driver;
	char *path;

	version_of_library(name, &version);
	driver = find_driver(inv, from, folder, version);
	if (!driver) {
		driver = ea_inventory_component(inv, EA_MANAGER_DRIVER, EA_STR("nvidia-driver"));
		driver->version = ea_arena_dup_str(inv->arena, version);
		driver->location = driver->base = folder;
	}
	driver->n_files++;
	path = ea_arena_printf(inv->arena, "%s/" EA_STR_FMT, folder, EA_STR_ARG(name));
	ea_inventory_record(inv, driver, ea_str(path));
	if (!inv->host.driver_user && ea_str_starts(name, "libcuda.so."))
		inv->host.driver_user = driver->version;
}

/*
 * A component for each version that a folder has files of: two of them are a half-done upgrade.
 * FROM is where this job's components begin: a folder may be reached by several names.
 */
static void read_driver_folder(const struct ea_root *root, const char *path, uint32_t from,
			       struct ea_inventory *inv)
{
	struct ea_buf real EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_names names;
	const char *folder;

	if (!has_libcuda(root, path, inv) || ea_root_resolve(root, path, EA_FOLLOW, &real) < 0 ||
	    find_driver(inv, from, ea_buf_text(&real), (struct ea_str){ 0 }))
		return;
	folder = ea_arena_dup_str(inv->arena, ea_buf_str(&real));
	if (!ea_inventory_list(inv, root, folder, is_of_driver, &names))
		return;
	ea_vec_foreach(name, &names.list)
		add_library(folder, ea_str(name->text), from, inv);
}

static bool has_subfolders(const char *name)
{
	return ea_str_ends(ea_str(name), "-linux-gnu") || ea_str_starts(ea_str(name), "nvidia-");
}

static void read_driver_folders(const struct ea_root *root, const char *folder,
				struct ea_inventory *inv)
{
	struct ea_arena *arena = inv->arena;
	char *lib = ea_path_join(arena, folder, "usr/lib");
	uint32_t from = inv->components.n;
	struct ea_names names;

	for (size_t i = 0; i < EA_ARRAY_SIZE(driver_folders); i++)
		read_driver_folder(root, ea_path_join(arena, folder, driver_folders[i]), from, inv);
	if (!ea_inventory_list(inv, root, lib, has_subfolders, &names))
		return;
	ea_vec_foreach(name, &names.list)
		for (size_t i = 0; i < EA_ARRAY_SIZE(driver_subfolders); i++)
			read_driver_folder(root,
					   ea_arena_printf(arena, "%s/%s%s", lib, name->text,
							   driver_subfolders[i]),
					   from, inv);
}

/* ---- GPUs ------------------------------------------------------------------------------- */

/* `Model: \t\t NVIDIA H200` of each /proc/driver/nvidia/gpus/ADDRESS/information */
static void read_gpus(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	static const char model[] = "Model:";
	char *gpus = ea_path_join(inv->arena, folder, "proc/driver/nvidia/gpus");
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_names names;

	if (!ea_inventory_list(inv, root, gpus, NULL, &names))
		return;
	ea_vec_foreach(name, &names.list) {
		char *path = ea_arena_printf(inv->arena, "%s/%s/information", gpus, name->text);
		struct ea_str rest, line;

		if (!ea_inventory_text(inv, root, path, EA_LIMIT_TEXT, &text))
			continue;
		rest = ea_buf_str(&text);
		while (ea_str_line(&rest, &line))
			if (ea_str_starts(line, model))
				ea_vec_push(&inv->host.gpus, inv->arena,
					    ea_arena_dup_str(
						    inv->arena,
						    ea_str_trim(ea_str_skip(line, strlen(model)))));
	}
}

int ea_driver_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	inv->host.driver = kernel_module(root, folder, inv);
	read_driver_folders(root, folder, inv);
	read_gpus(root, folder, inv);
	return !inv->host.driver && !inv->host.driver_user;
}
