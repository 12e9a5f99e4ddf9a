/* sys.path: what getpath and site.py of CPython do, without running them. */
#include "inventory/sys_path.h"

#include <errno.h>
#include <fnmatch.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/version.h"

struct maker {
	const struct ea_sys_path_setup *setup;
	struct ea_names *ret;
	struct ea_version version;
	const char *folder; /* "python3.11"; NULL = version unknown */
	const char *home;   /* PYTHONHOME; NULL = none */
};

static bool exists(const struct maker *maker, const char *path)
{
	const struct ea_provider *provider = maker->setup->provider;
	struct ea_opened opened;

	return provider->dir(provider->ctx, path) == 0 ||
	       provider->open(provider->ctx, path, &opened) == 0;
}

static bool is_dir(const struct maker *maker, const char *path)
{
	return maker->setup->provider->dir(maker->setup->provider->ctx, path) == 0;
}

/* NULL where it is not set, or empty: CPython makes no difference. */
static const char *variable(const struct maker *maker, const char *name)
{
	const char *value = ea_env_value(maker->setup->env, maker->setup->n_env, name);

	return value && *value ? value : NULL;
}

static const char *absolute(const struct maker *maker, const char *base, struct ea_str path)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	ea_path_normalize(&text, base, path);
	return ea_arena_dup_str(maker->setup->arena, ea_buf_str(&text));
}

static bool is_known(const struct maker *maker, const char *path)
{
	ea_vec_foreach(old, &maker->ret->list)
		if (ea_streq(*old, path))
			return true;
	return false;
}

static void add(struct maker *maker, const char *path)
{
	if (!is_known(maker, path))
		ea_vec_push(&maker->ret->list, maker->setup->arena, path);
}

/* ---- PYTHONPATH and the standard library ----------------------------------------------------- */

static void add_pythonpath(struct maker *maker)
{
	struct ea_str rest = ea_str(variable(maker, "PYTHONPATH")), entry;
	const char *cwd = maker->setup->cwd ? maker->setup->cwd : "/";

	while (rest.len && ea_str_token(&rest, ':', &entry))
		add(maker, absolute(maker, cwd, entry));
}

/* "3.13.1" is python3.13, or python3.13t where only that is there. */
static void set_folder(struct maker *maker)
{
	const struct ea_sys_path_setup *setup = maker->setup;
	const char *version = setup->python->version, *plain;

	if (!version || ea_version_parse(ea_str(version), &maker->version) || maker->version.n < 2)
		return;
	plain = ea_arena_printf(setup->arena, "python%u.%u", maker->version.part[0],
				maker->version.part[1]);
	maker->folder = plain;
	if (!exists(maker,
		    ea_arena_printf(setup->arena, "%s/lib/%s", setup->python->prefix, plain)) &&
	    exists(maker,
		   ea_arena_printf(setup->arena, "%s/lib/%st", setup->python->prefix, plain)))
		maker->folder = ea_arena_printf(setup->arena, "%st", plain);
}

static void add_standard(struct maker *maker)
{
	const struct ea_sys_path_setup *setup = maker->setup;
	const char *prefix = maker->home ? maker->home : setup->python->base_prefix;
	const char *lib64 = ea_path_join(setup->arena, prefix, "lib64");
	const char *lib = ea_path_join(setup->arena, prefix, "lib");
	const char *os = ea_arena_printf(setup->arena, "%s/os.py", maker->folder);

	if (!exists(maker, ea_path_join(setup->arena, lib, os)) &&
	    exists(maker, ea_path_join(setup->arena, lib64, os)))
		lib = lib64;
	add(maker, ea_arena_printf(setup->arena, "%s/python%u%u%s.zip", lib, maker->version.part[0],
				   maker->version.part[1],
				   ea_str_ends(ea_str(maker->folder), "t") ? "t" : ""));
	lib = ea_path_join(setup->arena, lib, maker->folder);
	add(maker, lib);
	add(maker, ea_path_join(setup->arena, lib, "lib-dynload"));
}

/* ---- .pth files ------------------------------------------------------------------------------ */

/* Code that adds nothing a framework is imported from. */
static bool is_harmless(const char *name)
{
	static const char *const known[] = { "distutils-precedence.pth", "_virtualenv.pth",
					     "*-nspkg.pth" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(known); i++)
		if (fnmatch(known[i], name, 0) == 0)
			return true;
	return false;
}

static void read_pth(struct maker *maker, const char *site, const char *path, struct ea_str text)
{
	struct ea_str line;

	if (maker->version.part[1] >= 13 && ea_str_starts(text, "\xef\xbb\xbf"))
		text = ea_str_skip(text, 3);
	for (unsigned number = 1; ea_str_line(&text, &line); number++) {
		const char *entry;

		if (ea_str_starts(line, "#") || !ea_str_trim(line).len)
			continue;
		if (ea_str_starts(line, "import ") || ea_str_starts(line, "import\t")) {
			if (!is_harmless(ea_path_base(path)))
				ea_gaps_add(maker->setup->gaps, path, EA_GAP_ASSUMED,
					    "line %u is code that python runs when it starts; it "
					    "is taken to add nothing to sys.path",
					    number);
			continue;
		}
		while (line.len && strchr(" \t\r\v\f", line.ptr[line.len - 1]))
			line.len--;
		entry = absolute(maker, site, line);
		if (!is_known(maker, entry) && exists(maker, entry))
			add(maker, entry);
	}
}

/* Hidden ones count until 3.11.8 and 3.12.2. */
static bool takes_hidden(const struct ea_version *version)
{
	unsigned minor = version->part[1], patch = version->n > 2 ? version->part[2] : 0;

	return minor < 11 || (minor == 11 && patch < 8) || (minor == 12 && patch < 2);
}

static void add_site(struct maker *maker, const char *site)
{
	const struct ea_provider *provider = maker->setup->provider;
	struct ea_names names = { 0 };
	struct ea_str text;

	if (is_known(maker, site) || !is_dir(maker, site))
		return;
	add(maker, site);
	if (provider->list(provider->ctx, site, &names))
		return;
	ea_vec_foreach(name, &names.list) {
		const char *path;
		int rc;

		if (!ea_str_ends(ea_str(*name), ".pth") ||
		    (**name == '.' && !takes_hidden(&maker->version)))
			continue;
		path = ea_path_join(maker->setup->arena, site, *name);
		rc = provider->read(provider->ctx, path, EA_LIMIT_TEXT, &text);
		if (rc == 0)
			read_pth(maker, site, path, text);
		else if (rc == EFBIG)
			ea_gaps_add(maker->setup->gaps, path, EA_GAP_LIMIT,
				    "is larger than this tool reads of such a file");
		else if (rc != ENOENT && rc != EISDIR)
			ea_gaps_add(maker->setup->gaps, path, EA_GAP_UNREAD, "cannot be read: %s",
				    strerror(rc));
	}
}

/* ---- sites ----------------------------------------------------------------------------------- */

static void add_user_site(struct maker *maker)
{
	struct ea_arena *arena = maker->setup->arena;
	const char *base = variable(maker, "PYTHONUSERBASE"), *home = variable(maker, "HOME");

	if (!maker->folder || variable(maker, "PYTHONNOUSERSITE") || (!base && !home))
		return;
	if (!base)
		base = ea_path_join(arena, home, ".local");
	base = absolute(maker, maker->setup->cwd ? maker->setup->cwd : "/", ea_str(base));
	add_site(maker, ea_arena_printf(arena, "%s/lib/%s/site-packages",
					ea_streq(base, "/") ? "" : base, maker->folder));
}

static void add_sites(struct maker *maker, const struct ea_python *python)
{
	ea_vec_foreach(site, &python->sites)
		add_site(maker, *site);
}

static void add_base_sites(struct maker *maker)
{
	const struct ea_sys_path_setup *setup = maker->setup;
	const struct ea_python *base = setup->python->is_venv ? setup->base : setup->python;

	if (maker->home && maker->folder)
		add_site(maker, ea_arena_printf(setup->arena, "%s/lib/%s/site-packages",
						maker->home, maker->folder));
	else if (base)
		add_sites(maker, base);
}

void ea_sys_path_find(const struct ea_sys_path_setup *setup, struct ea_names *ret)
{
	struct maker maker = { .setup = setup, .ret = ret };
	struct ea_str home = ea_str(variable(&maker, "PYTHONHOME"));

	home.len = home.len ? ea_str_find(home, ':') : 0;
	if (home.len)
		maker.home = ea_arena_dup_str(setup->arena, home);
	set_folder(&maker);
	add_pythonpath(&maker);
	if (maker.folder)
		add_standard(&maker);
	if (setup->python->is_venv)
		add_sites(&maker, setup->python);
	if (setup->python->is_venv && !setup->python->system_site)
		return;
	add_user_site(&maker);
	add_base_sites(&maker);
}
