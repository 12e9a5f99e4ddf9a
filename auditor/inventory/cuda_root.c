/* CUDA toolkits that were installed as a folder: which there are, under which paths, of which
 * version. */
#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/json.h"
#include "inventory/read.h"

/* ---- versions --------------------------------------------------------------------------- */

/* version.json: {"cuda": {"name": "CUDA SDK", "version": "12.4.1"}, …}, since CUDA 11.1 */
static char *from_json(struct ea_arena *arena, struct ea_str text)
{
	struct ea_json json EA_CLEANUP(ea_json_release);
	struct ea_str key, value;
	char *version = NULL;

	ea_json_init(&json, text);
	if (!ea_json_object(&json))
		return NULL;
	while (ea_json_member(&json, &key)) {
		if (!ea_str_is(key, "cuda")) {
			ea_json_skip(&json);
		} else if (ea_json_object(&json)) {
			while (ea_json_member(&json, &key))
				if (!ea_str_is(key, "version"))
					ea_json_skip(&json);
				else if (ea_json_string(&json, &value))
					version = ea_arena_dup_str(arena, value);
		}
	}
	return version;
}

/* 12040 is 12.4 */
static char *decode(struct ea_arena *arena, const char *text)
{
	unsigned long long number;

	if (!ea_str_u64(ea_str(text), &number))
		return NULL;
	return ea_arena_printf(arena, "%llu.%llu", number / 1000, number % 1000 / 10);
}

/* Where else a toolkit says its version, the most exact first. */
static const struct source {
	const char *file;
	const char *before; /* the text in front of the number */
	bool encoded;
} sources[] = {
	{ "version.txt", "CUDA Version ", false }, /* until CUDA 11.0 */
	{ "include/cuda.h", "#define CUDA_VERSION ", true },
	{ "bin/nvcc", "Cuda compilation tools, release ", false },
};

static void find_version(const struct ea_root *root, struct ea_inventory *inv,
			 struct ea_cuda_root *toolkit)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	char *path = ea_path_join(inv->arena, toolkit->path, "version.json"), *version = NULL;
	static const char prefix[] = "cuda-";

	if (ea_inventory_text(inv, root, path, EA_LIMIT_TEXT, &text))
		version = from_json(inv->arena, ea_buf_str(&text));
	for (size_t i = 0; i < EA_ARRAY_SIZE(sources) && !version; i++) {
		path = ea_path_join(inv->arena, toolkit->path, sources[i].file);
		version = ea_inventory_find_number(inv, root, path, ea_str(sources[i].before));
		if (version && sources[i].encoded)
			version = decode(inv->arena, version);
	}
	if (!version && strncmp(ea_path_base(toolkit->path), prefix, strlen(prefix)) == 0) {
		path = ea_arena_dup(inv->arena, toolkit->path);
		version = ea_arena_dup(inv->arena, ea_path_base(path) + strlen(prefix));
	}
	toolkit->version = version;
	toolkit->version_from = version ? path : NULL;
}

/* ---- folders ---------------------------------------------------------------------------- */

static struct ea_cuda_root *find_toolkit(struct ea_inventory *inv, const char *path)
{
	ea_vec_foreach(toolkit, &inv->cuda_roots)
		if (strcmp((*toolkit)->path, path) == 0)
			return *toolkit;
	return NULL;
}

/* A link whose toolkit is gone. Other things of that name are no toolkits. */
static void add_broken(const struct ea_root *root, const char *path, struct ea_inventory *inv)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_cuda_root *toolkit;
	struct ea_stat stat;
	int rc;

	if (ea_root_readlink(root, path, &text) < 0)
		return;
	rc = ea_root_stat(root, path, EA_FOLLOW, &stat);
	if (rc != -ENOENT && rc != -ENOTDIR && rc != -ELOOP)
		return;
	toolkit = ea_arena_new(inv->arena, struct ea_cuda_root);
	toolkit->path = ea_arena_dup(inv->arena, path);
	toolkit->broken = ea_arena_dup_str(inv->arena, ea_buf_str(&text));
	ea_vec_push(&inv->cuda_roots, inv->arena, toolkit);
}

/* A toolkit is known by the folder that PATH ends in; PATH is a link to it if that is another. */
static void add_toolkit(const struct ea_root *root, const char *path, struct ea_inventory *inv)
{
	struct ea_buf real EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_cuda_root *toolkit;

	if (!ea_inventory_is_dir(root, path)) {
		add_broken(root, path, inv);
		return;
	}
	if (ea_root_resolve(root, path, EA_FOLLOW, &real) < 0)
		return;
	toolkit = find_toolkit(inv, ea_buf_text(&real));
	if (!toolkit) {
		toolkit = ea_arena_new(inv->arena, struct ea_cuda_root);
		toolkit->path = ea_arena_dup_str(inv->arena, ea_buf_str(&real));
		find_version(root, inv, toolkit);
		ea_vec_push(&inv->cuda_roots, inv->arena, toolkit);
	}
	if (strcmp(toolkit->path, path) != 0)
		ea_vec_push(&toolkit->links, inv->arena, ea_arena_dup(inv->arena, path));
}

/* cuda, cuda-12, cuda-12.4, cuda12 */
static bool is_toolkit_name(const char *name)
{
	struct ea_str text = ea_str(name), rest = ea_str_skip(text, strlen("cuda"));

	if (!ea_str_starts(text, "cuda"))
		return false;
	for (size_t i = 0; i < rest.len; i++)
		if (!memchr("-.0123456789", rest.ptr[i], 12))
			return false;
	return true;
}

static int by_path(const void *a, const void *b)
{
	const struct ea_cuda_root *one = *(struct ea_cuda_root *const *)a;
	const struct ea_cuda_root *two = *(struct ea_cuda_root *const *)b;

	return strcmp(one->path, two->path);
}

int ea_cuda_roots_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	static const char *const places[] = { "usr/local", "opt" };
	uint32_t before = inv->cuda_roots.n;

	for (size_t i = 0; i < EA_ARRAY_SIZE(places); i++) {
		char *place = ea_path_join(inv->arena, folder, places[i]);
		struct ea_names names;

		if (!ea_inventory_list(inv, root, place, is_toolkit_name, &names))
			continue;
		ea_vec_foreach(name, &names.list)
			add_toolkit(root, ea_path_join(inv->arena, place, name->text), inv);
	}
	if (inv->cuda_roots.n == before)
		return 1;
	qsort(inv->cuda_roots.items + before, inv->cuda_roots.n - before,
	      sizeof(*inv->cuda_roots.items), by_path);
	return 0;
}

int ea_cuda_root_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	static const char *const signs[] = { "version.json", "version.txt", "bin/nvcc", "nvvm" };
	struct ea_stat stat;

	for (size_t i = 0; i < EA_ARRAY_SIZE(signs); i++) {
		if (ea_root_stat(root, ea_path_join(inv->arena, folder, signs[i]), EA_FOLLOW,
				 &stat) == 0) {
			add_toolkit(root, folder, inv);
			return 0;
		}
	}
	return 1;
}
