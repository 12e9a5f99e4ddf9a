/* Pythons of a prefix: which versions there are, where each imports from, what a venv stands on. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/read.h"

struct prefix {
	const struct ea_root *root;
	struct ea_inventory *inv;
	const char *path;
};

static char *below(const struct prefix *prefix, const char *rel)
{
	return ea_path_join(prefix->inv->arena, prefix->path, rel);
}

static bool exists(const struct prefix *prefix, const char *path)
{
	struct ea_stat stat;

	return ea_root_stat(prefix->root, path, EA_NOFOLLOW, &stat) == 0;
}

/* Where PATH ends; NULL if that is nowhere. */
static char *real_path(const struct prefix *prefix, const char *path)
{
	struct ea_buf real EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_stat stat;

	if (ea_root_stat(prefix->root, path, EA_FOLLOW, &stat) < 0 ||
	    ea_root_resolve(prefix->root, path, EA_FOLLOW, &real) < 0)
		return NULL;
	return ea_arena_dup_str(prefix->inv->arena, ea_buf_str(&real));
}

/* ---- versions --------------------------------------------------------------------------- */

/* "python3.11" or "python3.13t" gives "3.11" or "3.13t". */
static bool version_of_name(struct ea_str name, struct ea_str *ret)
{
	unsigned long long major, minor;
	struct ea_str version = ea_str_skip(name, strlen("python")), rest = version, part, last;

	if (!ea_str_starts(name, "python") || !ea_str_token(&rest, '.', &part) || !rest.ptr)
		return false;
	last = ea_str_ends(rest, "t") ? (struct ea_str){ rest.ptr, rest.len - 1 } : rest;
	if (!ea_str_u64(part, &major) || !ea_str_u64(last, &minor))
		return false;
	*ret = version;
	return true;
}

static bool has_version(const char *name)
{
	struct ea_str version;

	return version_of_name(ea_str(name), &version);
}

/* "3.11.7.final.0" gives "3.11", or "3.11t" in a free-threaded prefix: the name of its folder in
 * lib. */
static char *folder_version(const struct prefix *prefix, const char *version)
{
	struct ea_arena *arena = prefix->inv->arena;
	struct ea_str rest = ea_str(version), major = { 0 }, minor = { 0 };
	char *folder, *threaded;

	ea_str_token(&rest, '.', &major);
	ea_str_token(&rest, '.', &minor);
	folder = ea_arena_printf(arena, EA_STR_FMT "." EA_STR_FMT, EA_STR_ARG(major),
				 EA_STR_ARG(minor));
	threaded = ea_arena_printf(arena, "%st", folder);
	if (exists(prefix, ea_arena_printf(arena, "%s/lib/python%s", prefix->path, threaded)))
		return threaded;
	return folder;
}

/* The one version that the prefix has a folder of in lib; NULL if there is none or more than one.
 */
static char *version_of_lib(const struct prefix *prefix)
{
	struct ea_names names;
	struct ea_str version = { 0 };

	if (!ea_inventory_list(prefix->inv, prefix->root, below(prefix, "lib"), has_version,
			       &names) ||
	    names.list.n != 1)
		return NULL;
	version_of_name(ea_str(names.list.items[0].text), &version);
	return ea_arena_dup_str(prefix->inv->arena, version);
}

/* ---- sites ------------------------------------------------------------------------------ */

static bool same_folder(const struct prefix *prefix, const char *a, const char *b)
{
	struct ea_stat one, two;

	return ea_root_stat(prefix->root, a, EA_FOLLOW, &one) == 0 &&
	       ea_root_stat(prefix->root, b, EA_FOLLOW, &two) == 0 && one.dev == two.dev &&
	       one.ino == two.ino;
}

/* Adds the folder unless it is missing. */
static void add_site(const struct prefix *prefix, struct ea_python *python, const char *site)
{
	if (ea_inventory_is_dir(prefix->root, site))
		ea_vec_push(&python->sites, prefix->inv->arena, site);
}

static char *site_path(const struct prefix *prefix, const char *base, const char *lib,
		       const char *version, const char *packages)
{
	return ea_arena_printf(prefix->inv->arena, "%s%s%s/python%s/%s", base,
			       base[strlen(base) - 1] == '/' ? "" : "/", lib, version, packages);
}

/* Fedora and its kin look in lib64 first; elsewhere lib64 is a link to lib, or has no python. */
static void add_standard_sites(const struct prefix *prefix, struct ea_python *python,
			       const char *base, const char *version)
{
	char *lib64 = site_path(prefix, base, "lib64", version, "site-packages");
	char *lib = site_path(prefix, base, "lib", version, "site-packages");

	if (!same_folder(prefix, lib64, lib))
		add_site(prefix, python, lib64);
	add_site(prefix, python, lib);
}

/*
 * Debian's pythons know nothing but dist-packages outside of a venv. Fedora's look below
 * /usr/local, too.
 */
static void add_sites(const struct prefix *prefix, struct ea_python *python, const char *version)
{
	char *debian = below(prefix, "lib/python3/dist-packages");

	if (!python->is_venv && !python->is_conda && ea_inventory_is_dir(prefix->root, debian)) {
		add_site(prefix, python,
			 site_path(prefix, prefix->path, "local/lib", version, "dist-packages"));
		add_site(prefix, python, debian);
		add_site(prefix, python,
			 site_path(prefix, prefix->path, "lib", version, "dist-packages"));
		return;
	}
	if (ea_streq(prefix->path, "/usr") &&
	    ea_inventory_is_dir(prefix->root,
				site_path(prefix, prefix->path, "lib64", version, "site-packages")))
		add_standard_sites(prefix, python, "/usr/local", version);
	add_standard_sites(prefix, python, prefix->path, version);
}

/* ---- one python ------------------------------------------------------------------------- */

static struct ea_python *add_python(const struct prefix *prefix, const char *exe,
				    const char *version)
{
	struct ea_python *python = ea_arena_new(prefix->inv->arena, struct ea_python);

	python->exe = exe;
	python->real_exe = real_path(prefix, exe);
	python->version = version;
	python->prefix = python->base_prefix = prefix->path;
	ea_vec_push(&prefix->inv->pythons, prefix->inv->arena, python);
	return python;
}

/* bin/python, or another name where that one is missing. */
static const char *usual_exe(const struct prefix *prefix)
{
	static const char *const names[] = { "bin/python", "bin/python3" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++)
		if (exists(prefix, below(prefix, names[i])))
			return below(prefix, names[i]);
	return NULL;
}

/* ---- virtual environments --------------------------------------------------------------- */

struct cfg {
	struct ea_str home, version, system_site;
};

/* As site.py reads it: `key = value`, keys in any case, the last one counts. */
static struct cfg parse_cfg(struct ea_str text)
{
	struct cfg cfg = { .system_site = EA_STR("true") };
	struct ea_str line;

	while (ea_str_line(&text, &line)) {
		struct ea_str key = { line.ptr, ea_str_find(line, '=') };
		struct ea_str value = ea_str_trim(ea_str_skip(line, key.len + 1));
		struct {
			const char *key;
			struct ea_str *value;
		} known[] = {
			{ "home", &cfg.home },
			{ "version", &cfg.version },
			{ "version_info", &cfg.version }, /* virtualenv, uv */
			{ "include-system-site-packages", &cfg.system_site },
		};

		if (key.len == line.len)
			continue;
		key = ea_str_trim(key);
		for (size_t i = 0; i < EA_ARRAY_SIZE(known); i++)
			if (key.len == strlen(known[i].key) &&
			    strncasecmp(key.ptr, known[i].key, key.len) == 0)
				*known[i].value = value;
	}
	return cfg;
}

static int read_venv(const struct prefix *prefix, struct ea_str text)
{
	struct ea_arena *arena = prefix->inv->arena;
	struct cfg cfg = parse_cfg(text);
	const char *exe = usual_exe(prefix), *version = NULL;
	struct ea_python *python;

	if (ea_str_find(cfg.version, '.') < cfg.version.len)
		version = ea_arena_dup_str(arena, cfg.version);
	else
		version = version_of_lib(prefix);
	python = add_python(prefix, exe ? exe : below(prefix, "bin/python"), version);
	python->is_venv = true;
	python->system_site = cfg.system_site.len == strlen("true") &&
			      strncasecmp(cfg.system_site.ptr, "true", cfg.system_site.len) == 0;
	if (ea_str_starts(cfg.home, "/")) {
		struct ea_buf home EA_CLEANUP(ea_buf_release) = { 0 };

		ea_path_normalize(&home, "/", cfg.home);
		python->base_prefix = ea_arena_dup_str(arena, ea_path_dir(ea_buf_text(&home)));
	}
	if (version)
		add_sites(prefix, python, folder_version(prefix, version));
	return 0;
}

/* ---- other prefixes --------------------------------------------------------------------- */

/* conda links python3.1 to python3.10: a name that leads to another version is none. */
static bool is_misnomer(const struct prefix *prefix, const char *path)
{
	const char *real = real_path(prefix, path), *base = real ? ea_path_base(real) : NULL;

	return base && has_version(base) && strcmp(base, ea_path_base(path)) != 0;
}

/* A version that is found under several names is called by the plainest one that leads to it. */
static const char *plainest_exe(const struct prefix *prefix, const char *versioned)
{
	const char *usual[] = { below(prefix, "bin/python"), below(prefix, "bin/python3") };

	for (size_t i = 0; i < EA_ARRAY_SIZE(usual); i++)
		if (same_folder(prefix, usual[i], versioned))
			return usual[i];
	return versioned;
}

static void add_plain(const struct prefix *prefix, const char *exe, const char *version,
		      bool is_conda)
{
	struct ea_python *python = add_python(prefix, exe, version);

	python->is_conda = is_conda;
	if (version)
		add_sites(prefix, python, version);
}

static int read_plain(const struct prefix *prefix, bool is_conda)
{
	uint32_t before = prefix->inv->pythons.n;
	struct ea_names names = { 0 };
	const char *exe;

	ea_inventory_list(prefix->inv, prefix->root, below(prefix, "bin"), has_version, &names);
	ea_vec_foreach(name, &names.list) {
		char *path =
			below(prefix, ea_arena_printf(prefix->inv->arena, "bin/%s", name->text));
		struct ea_str version = { 0 };

		if (is_misnomer(prefix, path))
			continue;
		version_of_name(ea_str(name->text), &version);
		add_plain(prefix, plainest_exe(prefix, path),
			  ea_arena_dup_str(prefix->inv->arena, version), is_conda);
	}
	exe = usual_exe(prefix);
	if (prefix->inv->pythons.n == before && exe)
		add_plain(prefix, exe, version_of_lib(prefix), is_conda);
	return prefix->inv->pythons.n == before;
}

int ea_python_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	struct prefix prefix = { root, inv, ea_arena_dup(inv->arena, folder) };
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	if (ea_inventory_text(inv, root, below(&prefix, "pyvenv.cfg"), EA_LIMIT_TEXT, &text))
		return read_venv(&prefix, ea_buf_str(&text));
	return read_plain(&prefix, ea_inventory_is_dir(root, below(&prefix, "conda-meta")));
}
