/* The model's account of a case. */
#include <elf.h>
#include <fcntl.h>
#include <string.h>

#include "loader/loader.h"
#include "transcript.h"

struct writer {
	struct ea_arena *arena;
	const struct sandbox *box;
	struct transcript *transcript;
	const struct constructor *constructors;
	struct lines binds, late_tries;
};

static bool is_base(const struct writer *w, const char *path)
{
	struct ea_str text = ea_str(path);

	return ea_str_starts(text, "/drv/") || ea_str_starts(text, "linux-vdso") ||
	       ea_streq(path, w->box->interp) || ea_str_ends(text, "libc.so.6") ||
	       ea_str_ends(text, "libdl.so.2");
}

static const char *name_of(const struct ea_map *map)
{
	return *map->path ? map->path : SANDBOX_PROGRAM;
}

static void note_bound(void *arg, const struct ea_map *from, const char *symbol,
		       const char *version, const struct ea_map *to)
{
	struct writer *w = arg;

	if (is_base(w, name_of(from)))
		return;
	ea_vec_push(&w->binds, w->arena,
		    ea_arena_printf(w->arena, "%s %s%s%s%s %s", name_of(from), symbol,
				    version ? " [" : "", version ? version : "", version ? "]" : "",
				    name_of(to)));
}

static void add_tries(struct writer *w, struct lines *tries, const struct ea_request *request)
{
	ea_vec_foreach(try, &request->tries)
		if (try->how != EA_HOW_PATH)
			ea_vec_push(tries, w->arena, try->path);
	ea_vec_foreach(nested, &request->nested)
		add_tries(w, tries, *nested);
}

/* What a constructor opens comes after all that brought it. */
static void run_constructor(void *arg, struct ea_process *process, const struct ea_map *map)
{
	struct writer *w = arg;
	const struct constructor *c = w->constructors;

	for (; c && c->soname; c++)
		if (map->elf && ea_streq(map->elf->soname, c->soname))
			add_tries(w, &w->late_tries,
				  ea_process_dlopen(process, c->opens, c->flags, map));
}

/* What only LD_DEBUG says. */
static void add_debug(struct writer *w, struct step *step, const struct ea_request *request)
{
	add_tries(w, &step->tries, request);
	ea_vec_foreach(late, &w->late_tries)
		ea_vec_push(&step->tries, w->arena, *late);
	w->late_tries = (struct lines){ 0 };
	step->binds = w->binds;
	w->binds = (struct lines){ 0 };
	ea_vec_foreach(map, &request->inits)
		if (!is_base(w, (*map)->path))
			ea_vec_push(&step->inits, w->arena, (*map)->path);
}

static struct step *add_step(struct writer *w, struct ea_process *process,
			     const struct ea_request *request)
{
	struct step *step = ea_vec_add(w->transcript, w->arena);

	if (!w->box->musl)
		add_debug(w, step, request);
	ea_vec_foreach(message, &request->messages)
		ea_vec_push(&step->messages, w->arena, *message);
	if (!ea_process_alive(process))
		return step;
	for (uint32_t i = 0; ea_process_map(process, i); i++)
		if (!w->box->emulated || ea_process_map(process, i)->kind != EA_MAP_VDSO)
			ea_vec_push(&step->maps, w->arena, ea_process_map(process, i)->path);
	return step;
}

/* Nothing worse than versions that are missing, of which all are named first. */
static bool is_version_miss(const struct ea_request *request)
{
	return request->missing.n > 0 && !request->missing.items[0].symbol &&
	       !strstr(request->messages.items[request->messages.n - 1], ": error while loading");
}

static const char *result_of(struct writer *w, const struct ea_request *request, bool start)
{
	switch (request->outcome) {
	case EA_OUTCOME_OK:
		return start ? "started" : ea_arena_printf(w->arena, "ok %s", request->map->path);
	case EA_OUTCOME_NOTHING:
		return "null";
	case EA_OUTCOME_ERROR:
		if (!start)
			return ea_arena_printf(w->arena, "error %s", request->error);
		return is_version_miss(request) ? "exit 1" : "exit 127";
	case EA_OUTCOME_ABORT:
		return "exit 127";
	case EA_OUTCOME_CRASH:
		return CRASHED;
	}
	return "?";
}

static const struct ea_map *find_caller(const struct ea_process *process, const char *path)
{
	const struct ea_map *map;

	for (uint32_t i = 0; (map = ea_process_map(process, i)); i++)
		if (ea_streq(map->path, path))
			return map;
	return NULL;
}

static void run_openings(struct writer *w, struct ea_process *process, const struct test_case *test)
{
	ea_vec_foreach(opening, &test->openings) {
		const struct ea_map *caller = NULL;
		const struct ea_request *request;
		struct step *step;

		if (opening->from)
			caller = find_caller(process, opening->from);
		if (opening->from && !caller) {
			ea_vec_add(w->transcript, w->arena)->result = "nocaller";
			continue;
		}
		request = ea_process_dlopen(process, opening->name, opening->flags, caller);
		step = add_step(w, process, request);
		step->result = result_of(w, request, false);
		if (!ea_process_alive(process))
			return;
	}
}

static struct ea_cpu own_cpu(void)
{
	static struct ea_cpu cpu;
	static bool known;
	/* As qemu has it. */
	static const struct ea_cpu arm = { .platform = "aarch64", .capability = "atomics" };
	struct ea_buf text = { 0 };
	struct ea_root *host;

	if (elf_machine == EM_AARCH64)
		return arm;
	if (known)
		return cpu;
	host = ea_root_host();
	if (ea_root_read(host, "/proc/cpuinfo", 1 << 20, &text) == 0)
		ea_cpu_from_cpuinfo(ea_buf_str(&text), &cpu);
	/* The words of the launch outlive the text: they are literals. */
	ea_buf_release(&text);
	ea_root_free(host);
	known = true;
	return cpu;
}

int transcript_of_model(struct ea_arena *arena, const struct sandbox *box,
			const struct test_case *test, const struct files *files,
			const struct prediction *how, struct transcript *ret, struct ea_err *err)
{
	struct writer w = {
		.arena = arena,
		.box = box,
		.transcript = ret,
		.constructors = how->constructors,
	};
	struct ea_env_var *env = ea_arena_array(arena, struct ea_env_var, test->env.n + 1);
	const struct ea_launch launch = {
		.program = SANDBOX_PROGRAM,
		.cwd = test->cwd,
		.env = env,
		.n_env = test->env.n,
		.cpu = own_cpu(),
		.kernel = 0x060000,
		.libc_version = how->libc_version,
	};
	const struct ea_process_setup setup = {
		.provider = files_provider(files),
		.arena = arena,
		.launch = &launch,
		.bound = box->no_bindings ? NULL : note_bound,
		.bound_arg = &w,
		.init = run_constructor,
		.init_arg = &w,
		.flip = how->flip,
	};
	const struct ea_request *start;
	struct ea_process *process;
	struct step *step;
	int rc;

	for (uint32_t i = 0; i < test->env.n; i++)
		env[i] = (struct ea_env_var){ test->env.items[i].name, test->env.items[i].value };
	rc = ea_process_start(&setup, &process, &start, err);
	if (rc < 0)
		return rc;
	if (rc > 0)
		return ea_err_set(err, -EA_E_TARGET, "%s", start->error);
	step = add_step(&w, process, start);
	step->result = result_of(&w, start, true);
	if (ea_process_alive(process))
		run_openings(&w, process, test);
	return 0;
}
