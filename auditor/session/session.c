/* Sessions: scenarios run through the loader model. */
#include "session/session.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>

#include "base/limits.h"
#include "base/path.h"
#include "loader/interp.h"
#include "loader/loader.h"
#include "loader/facts.h"
#include "session/assumed.h"
#include "session/beyond.h"
#include "session/files.h"
#include "session/program.h"
#include "session/view.h"

/* A root in which the loader's file stands elsewhere than programs name it. */
struct moved_loader {
	struct ea_view view;
	const char *named, *found;
};

struct run {
	const struct ea_provider *provider;
	const struct ea_frameworks *frameworks;
	struct ea_arena *arena;
	struct ea_session *session;
	struct ea_launch launch;
};

static void assume(struct run *run, const char *text)
{
	ea_vec_foreach(old, &run->session->assumptions)
		if (ea_streq(*old, text))
			return;
	ea_vec_push(&run->session->assumptions, run->arena, text);
}

/* ---- the launch ------------------------------------------------------------------------------ */

static int set_cpu(struct run *run, uint16_t machine, struct ea_err *err)
{
	const struct ea_provider *provider = run->provider;
	const char *name = run->session->scenario.cpu;
	struct ea_str text;

	if (name) {
		if (ea_cpu_from_name(name, machine, &run->launch.cpu) == 0)
			return 0;
		return ea_err_set(
			err, EA_E_USAGE,
			"'%s' is no processor of this machine that the loader tells apart; "
			"there are x86-64, x86-64-v2, x86-64-v3, x86-64-v4, haswell, "
			"skylake-avx512 and aarch64",
			name);
	}
	if (provider->read(provider->ctx, "/proc/cpuinfo", EA_LIMIT_RECORD, &text) == 0 &&
	    ea_cpu_from_cpuinfo(text, &run->launch.cpu) == 0)
		return 0;
	if (machine == EM_X86_64) {
		(void)ea_cpu_from_name("x86-64-v3", machine, &run->launch.cpu);
		assume(run, "the processor is an x86-64-v3 (--cpu)");
	} else {
		(void)ea_cpu_from_name("aarch64", machine, &run->launch.cpu);
	}
	return 0;
}

static int set_launch(struct run *run, struct ea_err *err)
{
	const struct ea_scenario *scenario = &run->session->scenario;
	const struct ea_provider *provider = run->provider;
	uint16_t machine = scenario->machine;
	struct ea_opened opened;

	run->launch = (struct ea_launch){
		.program = scenario->program,
		.cwd = scenario->cwd,
		.env = scenario->env,
		.n_env = scenario->n_env,
		.libc_version = scenario->libc_version,
	};
	if (!scenario->program) {
		run->launch.interp =
			ea_loader_interp(provider, scenario->machine, scenario->elf_class);
		if (!run->launch.interp)
			return ea_err_set(err, EA_E_TARGET,
					  "%s: the root has no dynamic loader for its machine",
					  scenario->name);
	} else if (provider->open(provider->ctx, scenario->program, &opened) == 0 && opened.elf) {
		machine = opened.elf->machine;
		run->session->is_static =
			opened.elf->format == EA_FORMAT_ELF && !opened.elf->interp;
	}
	return set_cpu(run, machine, err);
}

static int moved_open(void *ctx, const char *path, struct ea_opened *ret)
{
	const struct moved_loader *moved = ctx;
	const struct ea_provider *base = moved->view.base;

	return base->open(base->ctx, ea_streq(path, moved->named) ? moved->found : path, ret);
}

static int moved_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	const struct moved_loader *moved = ctx;
	const struct ea_provider *base = moved->view.base;

	return base->read(base->ctx, ea_streq(path, moved->named) ? moved->found : path, limit,
			  ret);
}

/*
 * A root that was copied in part may lack the link by which its programs name their loader, while
 * the loader itself is there.
 */
static void find_loader(struct run *run)
{
	static const char *const folders[] = { "lib", "usr/lib", "lib/*-linux-gnu*",
					       "usr/lib/*-linux-gnu*", "usr/lib64" };
	const struct ea_scenario *scenario = &run->session->scenario;
	const struct ea_provider *provider = run->provider;
	struct ea_opened program, interp;
	struct ea_names found = { 0 };
	struct moved_loader *moved;

	if (!scenario->program || !provider->list ||
	    provider->open(provider->ctx, scenario->program, &program) || !program.elf ||
	    !program.elf->interp ||
	    provider->open(provider->ctx, program.elf->interp, &interp) != ENOENT)
		return;
	for (size_t i = 0; i < EA_ARRAY_SIZE(folders) && !found.list.n; i++)
		ea_files_glob(
			provider, run->arena, "/",
			ea_path_join(run->arena, folders[i], ea_path_base(program.elf->interp)),
			&found);
	if (!found.list.n)
		return;
	moved = ea_arena_new(run->arena, struct moved_loader);
	ea_view_init(&moved->view, provider);
	moved->view.provider.open = moved_open;
	moved->view.provider.read = moved_read;
	moved->named = program.elf->interp;
	moved->found = found.list.items[0];
	run->provider = &moved->view.provider;
	assume(run, ea_arena_printf(run->arena, "%s, which is not there, is %s", moved->named,
				    moved->found));
}

/* The driver that the scenario assumes, among the default folders of the program's loader. */
static void assume_driver(struct run *run)
{
	const struct ea_scenario *scenario = &run->session->scenario;
	const struct ea_provider *provider = run->provider;
	struct ea_loader_facts facts = { 0 };
	struct ea_opened program, interp;

	if (scenario->driver != EA_DRIVER_ASSUMED || !scenario->program ||
	    provider->open(provider->ctx, scenario->program, &program) || !program.elf ||
	    !program.elf->interp || provider->open(provider->ctx, program.elf->interp, &interp) ||
	    !interp.elf ||
	    ea_loader_facts_read(provider, program.elf->interp, run->arena, &facts) ||
	    !facts.system_dirs.n)
		return;
	run->provider =
		ea_assumed_driver(provider, run->frameworks, facts.system_dirs.items[0], interp.elf,
				  scenario->driver_version, scenario->driver_files.items,
				  scenario->driver_files.n, run->arena);
	assume(run, ea_arena_printf(run->arena, "the libraries of an NVIDIA driver are in %s",
				    facts.system_dirs.items[0]));
}

/* ---- what came of it ------------------------------------------------------------------------- */

static void take_requests(struct run *run, const struct ea_request *root)
{
	struct ea_session *session = run->session;

	ea_vec_push(&session->requests, run->arena, root);
	ea_vec_foreach(nested, &root->nested)
		ea_vec_push(&session->requests, run->arena, *nested);
}

/* A root request, with what was said about it. False if it is the end of the session. */
static bool take_root(struct run *run, const struct ea_request *root)
{
	struct ea_session *session = run->session;

	take_requests(run, root);
	ea_vec_foreach(message, &root->messages)
		ea_vec_push(&session->messages, run->arena, *message);
	if (root->outcome == EA_OUTCOME_OK)
		return true;
	session->outcome = EA_SESSION_FAILED;
	session->error = root->error ? root->error : "the process dies of a signal while it loads";
	ea_vec_foreach(missing, &root->missing)
		ea_vec_push(&session->missing, run->arena, *missing);
	return false;
}

/* One of the driver's libraries is mapped. */
static bool has_driver(const struct ea_session *session)
{
	ea_vec_foreach(map, &session->maps)
		if (ea_str_starts(ea_str(ea_path_base((*map)->path)), "libcuda.so"))
			return true;
	return false;
}

static void take_process(struct run *run, struct ea_process *process)
{
	struct ea_session *session = run->session;
	const char *const *texts;
	uint32_t n = ea_process_assumptions(process, &texts);
	const struct ea_map *map;

	session->libc = ea_process_libc(process) == EA_LIBC_MUSL ? "musl" : "glibc";
	session->libc_version = ea_process_libc_version(process);
	for (uint32_t i = 0; i < n; i++)
		assume(run, texts[i]);
	for (uint32_t i = 0; ea_process_alive(process) && (map = ea_process_map(process, i)); i++)
		if (map->kind != EA_MAP_VDSO)
			ea_vec_push(&session->maps, run->arena, map);
	if (session->scenario.driver != EA_DRIVER_ASSUMED)
		session->scenario.driver = has_driver(session) ? EA_DRIVER_PRESENT : EA_DRIVER_NONE;
}

static bool lacks_a_file(const struct ea_session *session)
{
	ea_vec_foreach(item, &session->requests) {
		const struct ea_request *request = *item;

		if (request->parent && !request->map && request->outcome != EA_OUTCOME_OK &&
		    request->kind != EA_REQUEST_PRELOAD && request->kind != EA_REQUEST_AUXILIARY)
			return true;
	}
	return false;
}

/* Puts the requests of a trace in the place of those that the first missing library cut short. */
static void go_beyond(struct run *run)
{
	struct ea_session *session = run->session;
	const struct ea_request *traced =
		ea_beyond_run(run->provider, &session->scenario, &run->launch, run->arena);

	if (!traced)
		return;
	session->beyond = true;
	session->requests.n = 0;
	take_requests(run, traced);
}

static void took(void *arg, const struct ea_request *request)
{
	take_requests(arg, request);
}

static void assume_too(void *arg, const char *text)
{
	assume(arg, text);
}

static void run_imports(struct run *run, struct ea_program *program, struct ea_process *process)
{
	struct ea_session *session = run->session;

	program->process = process;
	ea_program_run(program);
	session->outcome = program->outcome;
	if (program->outcome != EA_SESSION_FAILED)
		return;
	session->failed_import = program->failed_import;
	session->failed_at = program->failed_at;
	session->failed = program->failed;
	session->error = program->error ? program->error : "the process dies";
	if (program->failed)
		ea_vec_foreach(missing, &program->failed->missing)
			ea_vec_push(&session->missing, run->arena, *missing);
}

static int run_process(struct run *run, struct ea_err *err)
{
	struct ea_program program = {
		.provider = run->provider,
		.arena = run->arena,
		.frameworks = run->frameworks,
		.scenario = &run->session->scenario,
		.took = took,
		.assume = assume_too,
		.arg = run,
	};
	const struct ea_process_setup setup = {
		.provider = run->provider,
		.arena = run->arena,
		.launch = &run->launch,
		.init = run->frameworks ? ea_program_constructor : NULL,
		.init_arg = &program,
	};
	struct ea_session *session = run->session;
	const struct ea_request *request;
	struct ea_process *process;
	int rc = ea_process_start(&setup, &process, &request, err);

	if (rc < 0)
		return rc;
	(void)take_root(run, request);
	if (session->outcome == EA_SESSION_COMPLETE && session->scenario.imports.n)
		run_imports(run, &program, process);
	if (session->outcome == EA_SESSION_COMPLETE && session->scenario.library)
		(void)take_root(
			run, ea_process_dlopen(process, session->scenario.library, RTLD_NOW, NULL));
	if (rc == 0)
		take_process(run, process);
	if (session->outcome == EA_SESSION_FAILED && !session->scenario.imports.n &&
	    lacks_a_file(session))
		go_beyond(run);
	return 0;
}

int ea_session_run(const struct ea_provider *provider, const struct ea_frameworks *frameworks,
		   const struct ea_scenario *scenario, struct ea_arena *arena,
		   struct ea_session **ret_session, struct ea_err *err)
{
	struct ea_session *session = ea_arena_new(arena, struct ea_session);
	struct run run = {
		.provider = provider, .frameworks = frameworks, .arena = arena, .session = session
	};
	int rc;

	session->scenario = *scenario;
	ea_vec_foreach(text, &scenario->assumptions)
		assume(&run, *text);
	find_loader(&run);
	if (frameworks)
		assume_driver(&run);
	rc = set_launch(&run, err);
	if (!rc && !session->is_static)
		rc = run_process(&run, err);
	if (!rc)
		*ret_session = session;
	return rc;
}

/* ---- reach ----------------------------------------------------------------------------------- */

static bool is_reached(const struct ea_world *world, const struct ea_copy *copy)
{
	ea_vec_foreach(session, &world->sessions)
		ea_vec_foreach(map, &(*session)->maps)
			if ((*map)->elf == copy->elf && (ea_streq((*map)->real, copy->path) ||
							 ea_streq((*map)->path, copy->path)))
				return true;
	return false;
}

void ea_sessions_reach(struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena scratch = { 0 };
	bool *loaded = ea_arena_array(&scratch, bool, world->elfs.n + 1);

	ea_vec_foreach(session, &world->sessions)
		ea_vec_foreach(map, &(*session)->maps)
			if ((*map)->elf)
				loaded[(*map)->elf->id] = true;
	loaded[0] = false;
	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->elf && loaded[(*copy)->elf->id] && is_reached(world, *copy))
			(*copy)->reach = EA_REACH_SOME;
}
