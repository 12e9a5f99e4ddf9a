/* Sessions: scenarios run through the loader model. */
#include "session/session.h"

#include <dlfcn.h>
#include <elf.h>

#include "base/limits.h"
#include "loader/interp.h"
#include "loader/loader.h"
#include "session/beyond.h"

struct run {
	const struct ea_provider *provider;
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
	session->complete = false;
	session->error = root->error ? root->error : "the process dies of a signal while it loads";
	ea_vec_foreach(missing, &root->missing)
		ea_vec_push(&session->missing, run->arena, *missing);
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

static int run_process(struct run *run, struct ea_err *err)
{
	const struct ea_process_setup setup = {
		.provider = run->provider,
		.arena = run->arena,
		.launch = &run->launch,
	};
	struct ea_session *session = run->session;
	const struct ea_request *request;
	struct ea_process *process;
	int rc = ea_process_start(&setup, &process, &request, err);

	if (rc < 0)
		return rc;
	if (take_root(run, request) && session->scenario.library)
		(void)take_root(
			run, ea_process_dlopen(process, session->scenario.library, RTLD_NOW, NULL));
	if (rc == 0)
		take_process(run, process);
	if (!session->complete && lacks_a_file(session))
		go_beyond(run);
	return 0;
}

int ea_session_run(const struct ea_provider *provider, const struct ea_scenario *scenario,
		   struct ea_arena *arena, struct ea_session **ret_session, struct ea_err *err)
{
	struct ea_session *session = ea_arena_new(arena, struct ea_session);
	struct run run = { .provider = provider, .arena = arena, .session = session };
	int rc;

	session->scenario = *scenario;
	session->complete = true;
	ea_vec_foreach(text, &scenario->assumptions)
		assume(&run, *text);
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
