/* The steps of load programs. */
#include "session/steps.h"

#include <dlfcn.h>
#include <fnmatch.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "session/condition.h"
#include "session/files.h"
#include "session/listed.h"

int ea_steps_fail(struct ea_program *program, const char *text, const struct ea_request *request)
{
	program->error = text;
	program->failed = request;
	return 1;
}

/* ---- dlopen ---------------------------------------------------------------------------------- */

static int flags_of(const struct ea_step *step)
{
	return (step->lazy ? RTLD_LAZY : RTLD_NOW) | (step->global ? RTLD_GLOBAL : 0) |
	       (step->noload ? RTLD_NOLOAD : 0);
}

static int open_name(struct ea_program *program, const char *name, int flags,
		     const struct ea_map *caller)
{
	const struct ea_request *request = ea_process_dlopen(program->process, name, flags, caller);

	program->took(program->arg, request);
	if (request->outcome == EA_OUTCOME_OK)
		return 0;
	if (request->outcome == EA_OUTCOME_ABORT || request->outcome == EA_OUTCOME_CRASH)
		program->outcome = EA_SESSION_FAILED;
	return ea_steps_fail(program,
			     request->error ? request->error
					    : "the process dies while it loads a library",
			     request);
}

const struct ea_map *ea_steps_mapped(const struct ea_program *program, const char *pattern)
{
	const struct ea_map *map;

	for (uint32_t i = 0; (map = ea_process_map(program->process, i)); i++)
		if (fnmatch(pattern, ea_path_base(map->path), 0) == 0)
			return map;
	return NULL;
}

/* Where ctypes calls dlopen: its extension module, which is imported first; NULL = built in. */
static const struct ea_map *ctypes(struct ea_program *program)
{
	static const char pattern[] = "_ctypes.*so";
	const struct ea_map *map = ea_steps_mapped(program, pattern);

	if (map)
		return map;
	ea_vec_foreach(folder, &program->scenario->sys_path) {
		struct ea_names found = { 0 };

		if (!ea_streq(ea_path_base(*folder), "lib-dynload"))
			continue;
		ea_files_glob(program->provider, program->arena, *folder, pattern, &found);
		if (found.list.n)
			(void)open_name(program, found.list.items[0], RTLD_NOW, NULL);
	}
	return ea_steps_mapped(program, pattern);
}

/* False: the library whose code would call is not there. */
static bool caller_of(struct ea_program *program, const struct ea_step *step,
		      const struct ea_map **ret)
{
	if (step->extension)
		*ret = NULL;
	else if (step->from)
		*ret = ea_steps_mapped(program, step->from);
	else if (program->library)
		*ret = program->library;
	else
		*ret = ctypes(program);
	return *ret || !step->from;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* NAME with {version}, {minor}, {major} of the library that opens it; NULL where that is unknown.
 */
static const char *expand(const struct ea_program *program, const char *name)
{
	const char *brace = strchr(name, '{');
	struct ea_str version = ea_str(program->library_version), rest = version, part;
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	unsigned parts;

	if (!brace)
		return name;
	parts = strncmp(brace, "{major}", 7) == 0 ? 1 : strncmp(brace, "{minor}", 7) == 0 ? 2 : 3;
	ea_buf_add(&text, name, (size_t)(brace - name));
	for (unsigned i = 0; i < parts; i++) {
		if (!version.len || !ea_str_token(&rest, '.', &part))
			return NULL;
		ea_buf_printf(&text, "%s" EA_STR_FMT, i ? "." : "", EA_STR_ARG(part));
	}
	ea_buf_add_text(&text, strchr(brace, '}') ? strchr(brace, '}') + 1 : "");
	return ea_arena_dup_str(program->arena, ea_buf_str(&text));
}

static int run_open(struct ea_program *program, const struct ea_step *step)
{
	const struct ea_request *failed = NULL;
	const char *error = NULL;
	const struct ea_map *caller;
	int rc = 0;

	if (!caller_of(program, step, &caller))
		return 0;
	ea_vec_foreach(item, &step->names) {
		const char *name = expand(program, *item);

		if (!name)
			continue;
		rc = open_name(program, name, flags_of(step), caller);
		if (program->outcome == EA_SESSION_FAILED)
			return 1;
		if (rc == 0 && !step->every)
			return 0;
		if (rc && !error) {
			error = program->error;
			failed = program->failed;
		}
	}
	/* The rest of several was opened all the same; the first that was missing is the cause. */
	return step->every && error ? ea_steps_fail(program, error, failed) : rc;
}

/* The library that CUDA's toolkit has for linking, which answers every call with an error. */
static bool is_stub(const struct ea_program *program)
{
	const struct ea_map *map = ea_steps_mapped(program, "libcuda.so*");

	return map && map->real && strstr(map->real, "/stubs/") != NULL;
}

/* The driver's library is what the rest of the use needs. */
static int run_driver(struct ea_program *program, const struct ea_step *step)
{
	if (run_open(program, step) == 0 && !is_stub(program))
		return 0;
	if (program->outcome == EA_SESSION_COMPLETE)
		program->outcome = EA_SESSION_NO_DRIVER;
	program->error = NULL;
	return 1;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Those of NAME below the first element of sys.path that has any. */
static void find_files(const struct ea_program *program, const char *name, struct ea_names *ret)
{
	ea_vec_foreach(folder, &program->scenario->sys_path) {
		ea_files_glob(program->provider, program->arena, *folder, name, ret);
		if (ret->list.n)
			return;
	}
}

static int missing_file(struct ea_program *program, const struct ea_step *step, const char *name,
			const struct ea_map *caller)
{
	const char *folder = program->current ? program->current->folder : "/";

	if (!ea_files_is_pattern(name) && !step->extension)
		return open_name(program, ea_path_join(program->arena, folder, name),
				 flags_of(step), caller);
	return ea_steps_fail(program,
			     ea_arena_printf(program->arena, "there is no %s in %s", name, folder),
			     NULL);
}

/* Which one of FOUND this python imports: there may be one for each version of it. */
static const char *importable(const struct ea_program *program, const struct ea_names *found)
{
	struct ea_str rest = ea_str(program->scenario->python_version), major, minor;
	const char *tag;

	if (!ea_str_token(&rest, '.', &major) || !ea_str_token(&rest, '.', &minor))
		return found->list.items[0];
	tag = ea_arena_printf(program->arena, ".cpython-" EA_STR_FMT EA_STR_FMT "-",
			      EA_STR_ARG(major), EA_STR_ARG(minor));
	ea_vec_foreach(path, &found->list)
		if (strstr(ea_path_base(*path), tag))
			return *path;
	return found->list.items[0];
}

static int run_load(struct ea_program *program, const struct ea_step *step)
{
	const struct ea_map *caller;
	int rc = 0;

	if (!caller_of(program, step, &caller))
		return 0;
	ea_vec_foreach(name, &step->names) {
		struct ea_names found = { 0 };

		find_files(program, *name, &found);
		if (!found.list.n) {
			rc = missing_file(program, step, *name, caller);
		} else if (step->every) {
			ea_vec_foreach(path, &found.list) {
				rc = open_name(program, *path, flags_of(step), caller);
				if (rc && step->on_error == EA_ON_ERROR_FAIL)
					return rc;
			}
			rc = 0;
		} else {
			rc = open_name(program,
				       step->extension ? importable(program, &found)
						       : found.list.items[0],
				       flags_of(step), caller);
		}
		if (program->outcome == EA_SESSION_FAILED)
			return 1;
		if (rc == 0 && !step->every)
			return 0;
		if (rc && step->every && step->on_error == EA_ON_ERROR_FAIL)
			return rc;
	}
	return rc;
}

/* The first of NAMES that exists below FOLDER; NULL where none does. */
static const char *first_below(struct ea_program *program, const char *folder,
			       const struct ea_names *names)
{
	ea_vec_foreach(name, &names->list) {
		struct ea_names found = { 0 };

		ea_files_glob(program->provider, program->arena, folder, *name, &found);
		if (found.list.n > 1)
			program->assume(program->arg,
					ea_arena_printf(program->arena,
							"of %u files %s/%s the first by "
							"name is taken",
							found.list.n, folder, *name));
		if (found.list.n)
			return found.list.items[0];
	}
	return NULL;
}

/* The first of NAMES that exists along sys.path, for each element of it in turn. */
int ea_steps_preload(struct ea_program *program, const struct ea_names *names, int flags,
		     const struct ea_map *caller, bool required, const char *what)
{
	ea_vec_foreach(folder, &program->scenario->sys_path) {
		const char *path = first_below(program, *folder, names);

		if (path)
			return open_name(program, path, flags, caller);
	}
	if (!required)
		return 0;
	return ea_steps_fail(
		program, ea_arena_printf(program->arena, "%s not found in the system path", what),
		NULL);
}

/*
 * The only element of sys.path that an import of NAME's first folder looks at, because the folder
 * is a regular package there; NULL where it is one of several parts.
 */
static const char *regular_package(const struct ea_program *program, const char *name)
{
	const char *slash = strchr(name, '/');
	const char *init = ea_arena_printf(program->arena, "%.*s/__init__.py",
					   slash ? (int)(slash - name) : 0, name);

	ea_vec_foreach(folder, &program->scenario->sys_path)
		if (ea_files_exist(program->provider, ea_path_join(program->arena, *folder, init)))
			return *folder;
	return NULL;
}

static int run_preload(struct ea_program *program, const struct ea_step *step)
{
	const char *only = step->package ? regular_package(program, step->names.items[0]) : NULL;
	struct ea_names names = { 0 };
	const struct ea_map *caller;
	const char *path;

	if (!caller_of(program, step, &caller))
		return 0;
	ea_vec_foreach(name, &step->names)
		ea_vec_push(&names.list, program->arena, *name);
	if (!only)
		return ea_steps_preload(program, &names, flags_of(step), caller, false, NULL);
	path = first_below(program, only, &names);
	return path ? open_name(program, path, flags_of(step), caller) : 0;
}

static int run_listed(struct ea_program *program, const struct ea_step *step)
{
	const struct ea_map *caller;

	if (!caller_of(program, step, &caller))
		return 0;
	return ea_listed_run(program, &step->listing, flags_of(step), caller);
}

static int run_import(struct ea_program *program, const struct ea_step *step)
{
	ea_vec_foreach(name, &step->names) {
		const struct ea_installed *found = NULL;
		int rc;

		ea_vec_foreach(installed, &program->scenario->installed)
			if (ea_streq((*installed)->framework->name, *name))
				found = *installed;
		if (!found)
			return ea_steps_fail(
				program,
				ea_arena_printf(program->arena, "No module named '%s'", *name),
				NULL);
		rc = ea_program_import(program, found);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- one step, and lists of them ------------------------------------------------------------- */

static int run_once(struct ea_program *program, const struct ea_step *step)
{
	switch (step->kind) {
	case EA_STEP_LOAD:
		return run_load(program, step);
	case EA_STEP_OPEN:
		return run_open(program, step);
	case EA_STEP_PRELOAD:
		return run_preload(program, step);
	case EA_STEP_LISTED:
		return run_listed(program, step);
	case EA_STEP_IMPORT:
		return run_import(program, step);
	case EA_STEP_DRIVER:
		return run_driver(program, step);
	case EA_STEP_CALL:
		return ea_steps_call(program, step);
	case EA_STEP_CHECK:
		return ea_steps_check(program, step);
	case EA_STEP_STEPS:
		return ea_steps_run(program, &step->steps);
	}
	return 0;
}

static int run_step(struct ea_program *program, const struct ea_step *step)
{
	int rc = run_once(program, step);

	if (!rc || !step->rescue.list.n || program->outcome != EA_SESSION_COMPLETE)
		return rc;
	rc = ea_steps_run(program, &step->rescue);
	if (rc)
		return rc;
	program->error = NULL;
	return run_once(program, step);
}

int ea_steps_run(struct ea_program *program, const struct ea_steps *steps)
{
	ea_vec_foreach(item, &steps->list) {
		const struct ea_step *step = *item;

		if (!ea_condition_holds(program, &step->when) || !run_step(program, step))
			continue;
		if (program->outcome != EA_SESSION_COMPLETE || step->on_error == EA_ON_ERROR_FAIL)
			return 1;
		if (step->on_error == EA_ON_ERROR_STOP)
			return 0;
		program->error = NULL;
		program->failed = NULL;
	}
	return 0;
}
