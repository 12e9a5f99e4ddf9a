/*
 * The search for a file (_dl_map_object and open_path in elf/dl-load.c): which folders, in which
 * order, and when it ends.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "loader/process.h"

#include "base/limits.h"
#include "base/path.h"

struct search {
	struct ea_process *process;
	struct ea_request *request;
	const char *name;
	bool other_class;
	struct ea_found found;
};

/* Results of the functions here: as ea_search(). */
enum { FOUND = 0, NOTHING = 1, FAILED = -1 };

/* PATH as the provider wants it: a relative one starts in the current folder. */
static const char *absolute(const struct ea_process *process, const char *path)
{
	if (path[0] == '/')
		return path;
	return ea_path_join(process->arena, process->cwd, path);
}

static int provider_open(const struct ea_process *process, const char *path, struct ea_opened *ret)
{
	if (path[0] == '\0')
		return ENOENT;
	if (strlen(path) >= EA_LIMIT_PATH)
		return ENAMETOOLONG;
	return process->provider->open(process->provider->ctx, absolute(process, path), ret);
}

static struct ea_try *add_try(struct search *search, const char *path, enum ea_how how,
			      uint32_t owner)
{
	struct ea_process *process = search->process;
	struct ea_try *try = ea_vec_add(&search->request->tries, process->arena);

	try->path = path;
	try->how = how;
	if (owner != EA_NONE)
		try->owner = process->maps.items[owner].map;
	return try;
}

/* open_verify(): opens PATH and looks at its header. */
static int open_verify(struct search *search, const char *path, enum ea_how how, uint32_t owner)
{
	struct ea_process *process = search->process;
	struct ea_try *try = add_try(search, path, how, owner);
	const char *text = NULL;
	enum ea_verdict verdict;
	int code;

	code = provider_open(process, path, &search->found.opened);
	if (code != 0) {
		process->error = code;
		try->result = EA_TRY_ABSENT;
		try->text = ea_arena_dup(process->arena, strerror(code));
		return NOTHING;
	}
	process->error = 0;
	verdict = ea_candidate(process, &search->found.opened, &text, &code);
	if (verdict == EA_VERDICT_GOOD) {
		try->result = EA_TRY_OPENED;
		search->found.path = path;
		search->request->how = how;
		return FOUND;
	}
	try->text = text;
	if (verdict != EA_VERDICT_FATAL) {
		search->other_class |= verdict == EA_VERDICT_OTHER_CLASS;
		process->error = ENOENT;
		try->result = EA_TRY_SKIPPED;
		return NOTHING;
	}
	try->result = EA_TRY_FATAL;
	process->error = code;
	return ea_fail(process, code, path, text);
}

/* What is to be said of subfolder CAPABILITY of DIR after a file in it could not be opened. */
static uint8_t look_at_dir(struct ea_process *process, struct ea_str dir, struct ea_str capability)
{
	const struct ea_provider *provider = process->provider;
	size_t len = dir.len + capability.len;
	char *text =
		ea_arena_printf(process->arena, "%.*s%s", (int)dir.len, dir.ptr, capability.ptr);
	int code;

	if (ea_policy_has(&process->policy, EA_POLICY_ROOT_FOLDER)) {
		/* With its slash, so that the text is never empty. */
		code = provider->dir(provider->ctx, text);
	} else if (len <= 1) {
		code = ENOENT; /* "/" without its slash is nothing */
	} else {
		text[len - 1] = '\0';
		code = provider->dir(provider->ctx, text);
		if (code == ENOTDIR)
			return EA_DIR_MISSING; /* stat(2) itself went well */
	}
	if (code != 0)
		process->error = code;
	return code == 0 ? EA_DIR_EXISTS : EA_DIR_MISSING;
}

/* One folder of a list, with all its subfolders; *ret_here: some of them exists. */
static int search_dir(struct search *search, uint32_t dir, enum ea_how how, uint32_t owner,
		      bool *ret_here)
{
	struct ea_process *process = search->process;
	struct ea_str name = process->dirs.items[dir].name;
	int result = NOTHING;

	*ret_here = false;
	for (uint32_t i = 0; i < process->n_capabilities && result == NOTHING; i++) {
		uint8_t *status = &ea_dir_status(process, dir)[i];
		char *path;

		if (*status == EA_DIR_MISSING)
			continue;
		if (process->tries_left == 0)
			return ea_fail(process, 0, search->name,
				       "too many paths to try (limit of this model)");
		process->tries_left--;
		path = ea_arena_printf(process->arena, "%.*s%s%s", (int)name.len, name.ptr,
				       process->capabilities[i].ptr, search->name);
		result = open_verify(search, path, how, owner);
		if (result == FAILED)
			return FAILED;
		if (*status == EA_DIR_UNKNOWN && result == FOUND)
			*status = EA_DIR_EXISTS;
		else if (*status == EA_DIR_UNKNOWN)
			*status = look_at_dir(process, name, process->capabilities[i]);
		*ret_here |= *status != EA_DIR_MISSING;
	}
	return result;
}

/* open_path(): a list of folders. MAY_DROP: it is forgotten when none of them exists. */
static int search_list(struct search *search, struct ea_dir_list *list, enum ea_how how,
		       uint32_t owner, bool may_drop)
{
	struct ea_process *process = search->process;
	bool any = false;

	for (uint32_t i = 0; i < list->n; i++) {
		bool here;
		int result = search_dir(search, list->dirs[i], how, owner, &here);

		if (result != NOTHING)
			return result;
		if (here && process->error != ENOENT && process->error != EACCES &&
		    !(process->error == ENOTDIR &&
		      ea_policy_has(&process->policy, EA_POLICY_ENOTDIR_GOES_ON)))
			return NOTHING;
		any |= here;
	}
	if (!any && may_drop)
		list->state = EA_LIST_GONE;
	return NOTHING;
}

static int search_rpath(struct search *search, uint32_t map)
{
	struct ea_map_state *state = ea_state(search->process, map);

	return search_list(search, &state->rpath, EA_HOW_RPATH, map, true);
}

static bool has_rpath(struct ea_process *process, uint32_t map)
{
	const struct ea_elf *elf = ea_elf_of(process, map);

	return elf && ea_dirs_of(process, map, &ea_state(process, map)->rpath,
				 elf->runpath ? NULL : elf->rpath);
}

/* The RPATHs of LOADER, of what brought it in, and so on; then that of the program. */
static int search_rpaths(struct search *search, uint32_t loader)
{
	struct ea_process *process = search->process;
	bool did_program = false;
	int result = NOTHING;

	for (const struct ea_map *map = process->maps.items[loader].map; map; map = map->loader) {
		if (!has_rpath(process, map->id))
			continue;
		result = search_rpath(search, map->id);
		if (result != NOTHING)
			return result;
		did_program |= map->id == 0;
	}
	if (!did_program && has_rpath(process, 0))
		result = search_rpath(search, 0);
	return result;
}

static const struct ea_ld_cache *get_cache(struct ea_process *process)
{
	struct ea_str file;
	int code;

	if (process->cache_state == EA_CACHE_UNREAD) {
		code = process->provider->read(process->provider->ctx, EA_LD_CACHE_PATH,
					       EA_LIMIT_LD_CACHE, &file);
		if (code != 0)
			process->error = code;
		process->cache_state = code == 0 && ea_ld_cache_parse(file, &process->cache) == 0
					       ? EA_CACHE_READ
					       : EA_CACHE_NONE;
	}
	return process->cache_state == EA_CACHE_READ ? &process->cache : NULL;
}

static bool is_in_system_dirs(const struct ea_process *process, struct ea_str path)
{
	ea_vec_foreach(dir, &process->facts.system_dirs)
		if (ea_str_starts(path, *dir))
			return true;
	return false;
}

static int search_cache(struct search *search, bool no_defaults)
{
	struct ea_process *process = search->process;
	const struct ea_ld_cache *cache = get_cache(process);
	const struct ea_ld_cache_asker asker = {
		.policy = &process->policy,
		.cpu = &process->launch.cpu,
		.machine = process->machine,
		.kernel = process->launch.kernel,
	};
	struct ea_str path;
	int result = cache ? ea_ld_cache_lookup(cache, search->name, &asker, &path) : 1;

	if (result > 0)
		return NOTHING;
	if (result < 0) {
		ea_fail_hard(process, EA_OUTCOME_CRASH,
			     "a name in ld.so.cache lies outside of it: ld.so runs out of memory");
		return FAILED;
	}
	if (no_defaults && is_in_system_dirs(process, path)) {
		struct ea_try *try = add_try(search, ea_arena_dup_str(process->arena, path),
					     EA_HOW_CACHE, EA_NONE);

		try->result = EA_TRY_SKIPPED;
		try->text = "lies in a default folder, which the requester excludes";
		return NOTHING;
	}
	return open_verify(search, ea_arena_dup_str(process->arena, path), EA_HOW_CACHE, EA_NONE);
}

static int search_all(struct search *search, uint32_t loader)
{
	struct ea_process *process = search->process;
	const struct ea_elf *elf = ea_elf_of(process, loader);
	bool no_defaults = elf && (elf->dt_flags_1 & DF_1_NODEFLIB) != 0;
	int result = NOTHING;

	if (!elf || !elf->runpath)
		result = search_rpaths(search, loader);
	if (result == NOTHING && process->library_path.state == EA_LIST_READY)
		result = search_list(search, &process->library_path, EA_HOW_LD_LIBRARY_PATH,
				     EA_NONE, false);
	if (result == NOTHING && elf &&
	    ea_dirs_of(process, loader, &ea_state(process, loader)->runpath, elf->runpath))
		result = search_list(search, &ea_state(process, loader)->runpath, EA_HOW_RUNPATH,
				     loader, true);
	if (result == NOTHING)
		result = search_cache(search, no_defaults);
	if (result == NOTHING && !no_defaults && process->system_path.state == EA_LIST_READY)
		result = search_list(search, &process->system_path, EA_HOW_DEFAULT, EA_NONE, false);
	return result;
}

int ea_search(struct ea_process *process, struct ea_request *request, uint32_t loader,
	      const char *name, struct ea_found *ret, bool *ret_other_class)
{
	struct search search = { .process = process, .request = request, .name = name };
	const char *path;
	int result;

	if (!strchr(name, '/'))
		result = search_all(&search, loader);
	else if (ea_expand(process, loader, name, &path))
		result = open_verify(&search, path, EA_HOW_PATH, EA_NONE);
	else
		result = open_verify(&search, "", EA_HOW_PATH, EA_NONE);
	if (result == FOUND)
		*ret = search.found;
	*ret_other_class = search.other_class;
	return result;
}
