/*
 * sys.path of the pythons of PREFIX in the environment that it is run in, as lines "EXE TAB
 * ELEMENT" or "gap TAB PATH TAB REASON". usage: sys_path_dump CWD PREFIX [PREFIX OF ITS BASE]
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attr.h"
#include "fs/root.h"
#include "inventory/inventory.h"
#include "inventory/sys_path.h"

static struct ea_arena arena;
static struct ea_root *root;

static int host_open(void *ctx, const char *path, struct ea_opened *ret)
{
	(void)ctx;
	(void)ret;
	return access(path, F_OK) ? errno : 0;
}

static int host_dir(void *ctx, const char *path)
{
	struct stat st;

	(void)ctx;
	if (stat(path, &st))
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

static int host_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	int rc = ea_root_read(root, path, limit, &text);

	(void)ctx;
	if (!rc)
		*ret = ea_str(ea_arena_dup_str(&arena, ea_buf_str(&text)));
	return -rc;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int host_list(void *ctx, const char *path, struct ea_names *ret)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, by_bytes);

	(void)ctx;
	if (n < 0)
		return errno;
	for (int i = 0; i < n; i++) {
		ea_vec_push(&ret->list, &arena, ea_arena_dup(&arena, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	return 0;
}

static const struct ea_provider provider = {
	.open = host_open,
	.dir = host_dir,
	.read = host_read,
	.list = host_list,
};

static void take_environment(struct ea_sys_path_setup *setup)
{
	struct ea_env_var *vars;
	size_t n = 0;

	while (environ[n])
		n++;
	vars = ea_arena_array(&arena, struct ea_env_var, n + 1);
	for (size_t i = 0; i < n; i++) {
		char *text = ea_arena_dup(&arena, environ[i]), *equals = strchr(text, '=');

		vars[i].name = text;
		vars[i].value = equals ? equals + 1 : "";
		if (equals)
			*equals = '\0';
	}
	setup->env = vars;
	setup->n_env = n;
}

int main(int argc, char **argv)
{
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_sys_path_setup setup = { .provider = &provider, .arena = &arena, .gaps = &gaps };
	struct ea_inventory inv, base;

	if (argc < 3)
		return 2;
	root = ea_root_host();
	setup.cwd = argv[1];
	ea_inventory_init(&inv, &arena);
	ea_inventory_init(&base, &arena);
	take_environment(&setup);
	if (ea_python_read(root, argv[2], &inv))
		return 1;
	if (argc > 3)
		(void)ea_python_read(root, argv[3], &base);
	ea_vec_foreach(python, &inv.pythons) {
		struct ea_names found = { 0 };

		setup.python = *python;
		setup.base = base.pythons.n ? base.pythons.items[0] : NULL;
		ea_sys_path_find(&setup, &found);
		ea_vec_foreach(path, &found.list)
			printf("%s\t%s\n", (*python)->exe, *path);
	}
	ea_vec_foreach(gap, &gaps.list)
		printf("gap\t%s\t%s\n", gap->path, gap->reason);
	ea_root_free(root);
	ea_arena_release(&arena);
	return 0;
}
