/* Finds out what the user named. */
#include "scan/target.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/path.h"

static bool is_type(const struct ea_root *root, const char *dir, const char *name,
		    enum ea_file_type type)
{
	struct ea_arena scratch = { 0 };
	struct ea_stat st;
	bool yes = ea_root_stat(root, ea_path_join(&scratch, dir, name), EA_FOLLOW, &st) == 0 &&
		   st.type == type;

	ea_arena_release(&scratch);
	return yes;
}

static bool has_dir(const struct ea_root *root, const char *dir, const char *name)
{
	return is_type(root, dir, name, EA_FILE_DIR);
}

static bool has_file(const struct ea_root *root, const char *dir, const char *name)
{
	return is_type(root, dir, name, EA_FILE_REGULAR);
}

static bool is_conda(const struct ea_root *root, const char *dir)
{
	return has_dir(root, dir, "conda-meta");
}

static bool is_venv(const struct ea_root *root, const char *dir)
{
	return has_file(root, dir, "pyvenv.cfg");
}

/* A top level as the file system hierarchy standard has it; images often lack some of it. */
static bool is_rootfs(const struct ea_root *root, const char *dir)
{
	static const char *const tops[] = { "usr", "proc", "sys", "dev", "var", "root", "run" };
	bool top = false;

	if (ea_streq(dir, "/"))
		return true;
	/* /usr has lib and may have etc, but nothing of these. */
	for (size_t i = 0; i < EA_ARRAY_SIZE(tops) && !top; i++)
		top = has_dir(root, dir, tops[i]);
	return top && has_dir(root, dir, "etc") &&
	       (has_dir(root, dir, "usr") || has_dir(root, dir, "lib") ||
		has_dir(root, dir, "lib64"));
}

struct name_test {
	bool (*test)(struct ea_str name);
	bool found;
};

static int test_entry(void *arg, const struct ea_entry *entry)
{
	struct name_test *t = arg;

	t->found = t->test(ea_str(entry->name));
	return t->found;
}

static bool any_entry(const struct ea_root *root, const char *dir, bool (*test)(struct ea_str))
{
	struct name_test t = { .test = test };

	(void)ea_root_list(root, dir, test_entry, &t);
	return t.found;
}

static bool is_dist_info(struct ea_str name)
{
	return ea_str_ends(name, ".dist-info") || ea_str_ends(name, ".egg-info");
}

static bool is_cudart(struct ea_str name)
{
	return ea_str_starts(name, "libcudart.so");
}

static bool is_python_lib(struct ea_str name)
{
	return ea_str_starts(name, "python3.") || ea_str_starts(name, "python2.");
}

static bool is_site(const struct ea_root *root, const char *dir)
{
	const char *base = ea_path_base(dir);

	return ea_streq(base, "site-packages") || ea_streq(base, "dist-packages") ||
	       any_entry(root, dir, is_dist_info);
}

static bool is_toolkit(const struct ea_root *root, const char *dir)
{
	static const char *const libs[] = { "lib64", "lib", "targets/x86_64-linux/lib",
					    "targets/sbsa-linux/lib", "targets/aarch64-linux/lib" };
	struct ea_arena scratch = { 0 };
	bool found = has_file(root, dir, "bin/nvcc") || has_file(root, dir, "include/cuda.h");

	for (size_t i = 0; i < EA_ARRAY_SIZE(libs) && !found; i++)
		found = any_entry(root, ea_path_join(&scratch, dir, libs[i]), is_cudart);
	ea_arena_release(&scratch);
	return found;
}

static bool is_python(const struct ea_root *root, const char *dir)
{
	struct ea_arena scratch = { 0 };
	bool found = (has_file(root, dir, "bin/python3") || has_file(root, dir, "bin/python")) &&
		     any_entry(root, ea_path_join(&scratch, dir, "lib"), is_python_lib);

	ea_arena_release(&scratch);
	return found;
}

static bool is_elf(const struct ea_root *root, const char *path)
{
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *file = NULL;
	char magic[SELFMAG];

	return ea_root_open(root, path, &file) == 0 &&
	       ea_file_read_full(file, magic, sizeof(magic), 0) == 0 &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/* A conda prefix or a python environment decides itself before a root file system would be seen in
 * it. */
static int kind_of_dir(const struct ea_root *root, const char *dir)
{
	if (is_conda(root, dir))
		return EA_TARGET_CONDA;
	if (is_venv(root, dir))
		return EA_TARGET_VENV;
	if (is_rootfs(root, dir))
		return EA_TARGET_ROOTFS;
	if (is_site(root, dir))
		return EA_TARGET_SITE;
	if (is_toolkit(root, dir))
		return EA_TARGET_TOOLKIT;
	if (is_python(root, dir))
		return EA_TARGET_PYTHON;
	return -1;
}

/* ---- folders of environments --------------------------------------------------------------------
 */

struct members {
	struct ea_arena *arena;
	EA_VEC(const char *) names;
};

static int add_member(void *arg, const struct ea_entry *entry)
{
	struct members *m = arg;

	if (entry->type == EA_FILE_DIR || entry->type == EA_FILE_LINK ||
	    entry->type == EA_FILE_UNKNOWN)
		ea_vec_push(&m->names, m->arena, ea_arena_dup(m->arena, entry->name));
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_target(struct ea_target_list *list, struct ea_arena *arena, const char *name,
		       const char *path, enum ea_target_kind kind)
{
	ea_vec_push(&list->list, arena,
		    ((struct ea_target){ .name = ea_arena_dup(arena, name),
					 .kind = kind,
					 .path = ea_arena_dup(arena, path) }));
}

/* Adds each child of DIR that is an environment. */
static void add_children(const struct ea_root *root, const char *name, const char *dir,
			 struct ea_arena *arena, struct ea_target_list *ret)
{
	struct members members = { .arena = arena };

	if (ea_root_list(root, dir, add_member, &members) || !members.names.n)
		return;
	qsort(members.names.items, members.names.n, sizeof(*members.names.items), compare_names);
	ea_vec_foreach(child, &members.names) {
		const char *path = ea_path_join(arena, dir, *child);
		const char *shown = ea_path_join(arena, name, *child);

		if (is_conda(root, path))
			add_target(ret, arena, shown, path, EA_TARGET_CONDA);
		else if (is_venv(root, path))
			add_target(ret, arena, shown, path, EA_TARGET_VENV);
	}
}

static void add_environments(const struct ea_root *root, const char *name, const char *dir,
			     struct ea_arena *arena, struct ea_target_list *ret)
{
	static const char *const below[] = { "", "envs", ".pixi/envs" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(below); i++) {
		bool self = !below[i][0];

		add_children(root, self ? name : ea_path_join(arena, name, below[i]),
			     self ? dir : ea_path_join(arena, dir, below[i]), arena, ret);
	}
}

static int ignore_entry(void *arg, const struct ea_entry *entry)
{
	(void)arg;
	(void)entry;
	return 1;
}

static int unfit(struct ea_err *err, const char *name)
{
	return ea_err_set(err, EA_E_TARGET,
			  "%s: nothing here that can be audited; looked for a virtual environment "
			  "(pyvenv.cfg), a conda environment (conda-meta), a folder of such, "
			  "site-packages (*.dist-info), a CUDA toolkit (bin/nvcc, libcudart), a "
			  "Python installation (bin/python3) and a root file system (etc, usr)",
			  name);
}

int ea_target_find(const struct ea_root *root, const char *name, const char *path,
		   struct ea_arena *arena, struct ea_target_list *ret, struct ea_err *err)
{
	struct ea_target_list found = { 0 };
	struct ea_stat st;
	int kind, rc;

	rc = ea_root_stat(root, path, EA_FOLLOW, &st);
	if (rc)
		return ea_err_set(err, EA_E_TARGET, "%s: %s", name, strerror(-rc));
	if (st.type == EA_FILE_REGULAR) {
		if (!is_elf(root, path))
			return ea_err_set(err, EA_E_TARGET,
					  "%s: neither an ELF file nor an image archive (tar)",
					  name);
		add_target(&found, arena, name, path, EA_TARGET_ELF);
		*ret = found;
		return 0;
	}
	if (st.type != EA_FILE_DIR)
		return ea_err_set(err, EA_E_TARGET, "%s: neither a folder nor a regular file",
				  name);
	kind = kind_of_dir(root, path);
	if (kind >= 0)
		add_target(&found, arena, name, path, (enum ea_target_kind)kind);
	/* A base environment stands beside the environments that live in its envs/. */
	if (kind < 0)
		add_environments(root, name, path, arena, &found);
	else if (kind == EA_TARGET_CONDA)
		add_children(root, ea_path_join(arena, name, "envs"),
			     ea_path_join(arena, path, "envs"), arena, &found);
	if (!found.list.n && (rc = ea_root_list(root, path, ignore_entry, NULL)) < 0)
		return ea_err_set(err, EA_E_TARGET, "%s: %s", name, strerror(-rc));
	if (!found.list.n)
		return unfit(err, name);
	*ret = found;
	return 0;
}

/* DIR is a python's own folder in lib (/usr/lib/python3.11): the prefix above it, else NULL. */
static const char *prefix_above(const struct ea_root *root, const char *dir, struct ea_arena *arena)
{
	const char *lib, *prefix;

	if (!ea_str_starts(ea_str(ea_path_base(dir)), "python"))
		return NULL;
	lib = ea_arena_dup_str(arena, ea_path_dir(dir));
	if (!ea_str_starts(ea_str(ea_path_base(lib)), "lib"))
		return NULL;
	prefix = ea_arena_dup_str(arena, ea_path_dir(lib));
	if (is_python(root, prefix))
		return prefix;
	/* Debian's python takes packages from /usr/local, too. */
	prefix = ea_arena_dup_str(arena, ea_path_dir(prefix));
	return is_python(root, prefix) ? prefix : NULL;
}

const char *ea_target_prefix(const struct ea_root *root, const char *path, struct ea_arena *arena)
{
	const char *dir = ea_arena_dup_str(arena, ea_path_dir(path));

	for (; strlen(dir) > 1; dir = ea_arena_dup_str(arena, ea_path_dir(dir))) {
		const char *prefix;

		if (is_conda(root, dir) || is_venv(root, dir))
			return dir;
		prefix = prefix_above(root, dir, arena);
		if (prefix)
			return prefix;
	}
	return NULL;
}

/* The prefix of a python that was found as DIR/NAME. */
static const char *prefix_of(const struct ea_root *root, struct ea_arena *arena, const char *exe)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	const char *bin = ea_arena_dup_str(arena, ea_path_dir(exe));
	const char *prefix = ea_arena_dup_str(arena, ea_path_dir(bin));

	/* A venv is known by the path as it was called, an installation by where the links end. */
	if (is_venv(root, prefix) || ea_root_resolve(root, exe, EA_FOLLOW, &real))
		return prefix;
	bin = ea_arena_dup_str(arena, ea_path_dir(ea_buf_text(&real)));
	return ea_arena_dup_str(arena, ea_path_dir(bin));
}

int ea_target_default(const struct ea_root *root, const char *virtual_env, const char *conda_prefix,
		      const char *path_variable, struct ea_arena *arena, const char **ret_path,
		      struct ea_err *err)
{
	static const char *const names[] = { "python3", "python" };
	const char *active = virtual_env && *virtual_env ? virtual_env : conda_prefix;

	if (active && *active) {
		*ret_path = active;
		return 0;
	}
	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		struct ea_str rest = ea_str(path_variable ? path_variable : ""), dir;

		while (ea_str_token(&rest, ':', &dir)) {
			const char *folder = ea_arena_dup_str(arena, dir), *prefix;

			if (!dir.len || folder[0] != '/' || !has_file(root, folder, names[i]))
				continue;
			prefix = prefix_of(root, arena, ea_path_join(arena, folder, names[i]));
			/* Some put a script there that chooses a python: it tells nothing. */
			if (kind_of_dir(root, prefix) < 0)
				continue;
			*ret_path = prefix;
			return 0;
		}
	}
	return ea_err_set(
		err, EA_E_TARGET,
		"no target named, no environment is active (VIRTUAL_ENV, CONDA_PREFIX), and "
		"PATH has no python3");
}
