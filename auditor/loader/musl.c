/* musl's loader (ldso/dynlink.c): start, dependencies, dlopen. */
#include "loader/musl.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/path.h"

const char *ea_musl_strerror(struct ea_process *process, int code)
{
	switch (code) {
	case 0:
		return "No error information";
	case ELOOP:
		return "Symbolic link loop";
	case ENAMETOOLONG:
		return "Filename too long";
	case ENOMEM:
		return "Out of memory";
	case EIO:
		return "I/O error";
	case EMFILE:
		return "No file descriptors available";
	default:
		return ea_arena_dup(process->arena, strerror(code));
	}
}

int ea_musl_error(struct ea_process *process, const char *text)
{
	ea_fail(process, 0, "", text);
	if (process->started)
		return -1;
	/* Before the program runs everything that is wrong is printed. */
	ea_vec_push(&process->root->messages, process->arena, text);
	process->musl.misses++;
	return 0;
}

static int load_direct_deps(struct ea_process *process, uint32_t map)
{
	const struct ea_elf *elf = ea_elf_of(process, map);
	EA_VEC(uint32_t) deps = { 0 };
	struct ea_map_state *state;

	/* Preloads count as dependencies of the program. */
	for (uint32_t i = 1; map == 0 && i < process->list.n; i++)
		ea_vec_push(&deps, process->arena, process->list.items[i]);
	for (uint32_t i = 0; elf && map != process->musl.interp && i < elf->n_needed; i++) {
		struct ea_request *request =
			ea_request_add(process, EA_REQUEST_NEEDED, elf->needed[i], map);
		uint32_t dep = ea_musl_load(process, request, map, false);

		if (dep != EA_NONE) {
			request->map = process->maps.items[dep].map;
			ea_vec_push(&deps, process->arena, dep);
			continue;
		}
		if (process->dead) {
			request->outcome = EA_OUTCOME_CRASH;
			request->error = process->failure.text;
			return -1;
		}
		request->outcome = EA_OUTCOME_ERROR;
		request->error = ea_arena_printf(
			process->arena, "Error loading shared library %s: %s (needed by %s)",
			elf->needed[i], ea_musl_strerror(process, process->error),
			process->maps.items[map].map->path);
		if (ea_musl_error(process, request->error) != 0)
			return -1;
	}
	state = ea_state(process, map);
	state->walked = true;
	state->order = (struct ea_ids){ deps.items, deps.n };
	return 0;
}

int ea_musl_load_deps(struct ea_process *process, uint32_t from)
{
	for (uint32_t i = from; i < process->list.n; i++)
		if (load_direct_deps(process, process->list.items[i]) != 0)
			return -1;
	return 0;
}

/* extend_bfs_deps(): all that ROOT needs, itself first. */
static void find_all_deps(struct ea_process *process, uint32_t root)
{
	EA_VEC(uint32_t) all = { 0 };

	if (ea_state(process, root)->searchlist.ids)
		return;
	ea_vec_push(&all, process->arena, root);
	for (uint32_t i = 0; i < all.n; i++) {
		struct ea_ids deps = ea_state(process, all.items[i])->order;

		for (uint32_t k = 0; k < deps.n; k++) {
			struct ea_map_state *dep = ea_state(process, deps.ids[k]);

			if (dep->reserved)
				continue;
			dep->reserved = true;
			if (deps.ids[k] != root)
				ea_vec_push(&all, process->arena, deps.ids[k]);
		}
	}
	for (uint32_t i = 0; i < process->maps.n; i++)
		ea_state(process, i)->reserved = false;
	ea_state(process, root)->searchlist = (struct ea_ids){ all.items, all.n };
}

struct frame {
	uint32_t map, next;
};

/* queue_ctors() and do_init_fini(): depth first, without going round. */
static void run_inits(struct ea_process *process, uint32_t root)
{
	struct frame *stack = ea_arena_array(process->arena, struct frame, process->maps.n + 1);
	EA_VEC(uint32_t) queue = { 0 };
	uint32_t depth = 0;

	for (uint32_t i = 0; i < process->maps.n; i++)
		ea_state(process, i)->visited = false;
	ea_state(process, root)->visited = true;
	stack[depth++] = (struct frame){ root, 0 };
	while (depth > 0) {
		struct frame *top = &stack[depth - 1];
		struct ea_ids deps = ea_state(process, top->map)->order;

		if (top->next < deps.n) {
			uint32_t dep = deps.ids[top->next++];

			if (!ea_state(process, dep)->visited) {
				ea_state(process, dep)->visited = true;
				stack[depth++] = (struct frame){ dep, 0 };
			}
			continue;
		}
		ea_vec_push(&queue, process->arena, top->map);
		depth--;
	}
	ea_vec_foreach(id, &queue)
		ea_run_init(process, *id);
}

/* Said to nobody. */
static void fail_preload(struct ea_process *process, struct ea_request *request)
{
	request->outcome = process->dead ? EA_OUTCOME_CRASH : EA_OUTCOME_ERROR;
	request->error =
		process->dead ? process->failure.text : ea_musl_strerror(process, process->error);
}

static void load_preloads(struct ea_process *process)
{
	const char *text = ea_env(process, "LD_PRELOAD");

	while (text && *text && !process->dead) {
		size_t len = 0;
		struct ea_request *request;
		uint32_t map;

		if (isspace((unsigned char)*text) || *text == ':') {
			text++;
			continue;
		}
		while (text[len] && !isspace((unsigned char)text[len]) && text[len] != ':')
			len++;
		request = ea_request_add(
			process, EA_REQUEST_PRELOAD,
			ea_arena_dup_str(process->arena, (struct ea_str){ text, len }), 0);
		map = ea_musl_load(process, request, EA_NONE, false);
		if (map != EA_NONE)
			request->map = process->maps.items[map].map;
		else
			fail_preload(process, request);
		text += len;
	}
}

static uint32_t add_start_map(struct ea_process *process, const struct ea_map *draft)
{
	uint32_t id = ea_map_new(process, draft, 0);

	ea_state(process, id)->needed_by = EA_NONE;
	return id;
}

void ea_musl_start(struct ea_process *process, struct ea_request *start,
		   const struct ea_opened *exe, const char *interp_path,
		   const struct ea_opened *interp)
{
	uint32_t vdso, program;

	program = add_start_map(
		process,
		&(struct ea_map){
			.kind = EA_MAP_PROGRAM,
			.path = process->launch.program ? process->launch.program : process->argv0,
			.real = exe->real,
			.elf = exe->elf,
		});
	process->musl.interp = add_start_map(process, &(struct ea_map){
							      .kind = EA_MAP_INTERP,
							      .path = interp_path,
							      .real = interp->real,
							      .elf = interp->elf,
						      });
	ea_state(process, process->musl.interp)->relocated = true;
	start->map = process->maps.items[program].map;
	start->is_new = true;
	ea_list_insert(process, program, 0);
	load_preloads(process);
	if (process->dead || ea_musl_load_deps(process, 0) != 0) {
		start->outcome = process->failure.outcome;
		start->error = process->failure.text;
		return;
	}
	for (uint32_t i = 0; i < process->list.n; i++)
		ea_musl_add_global(process, process->list.items[i]);
	vdso = add_start_map(process, &(struct ea_map){ .kind = EA_MAP_VDSO, .path = "" });
	ea_state(process, vdso)->short_name = "linux-gate.so.1";
	ea_state(process, vdso)->walked = ea_state(process, vdso)->relocated = true;
	ea_list_insert(process, vdso, process->list.n);
	/* The program comes last, for its copies have to be of relocated data. */
	if (!process->launch.trace) {
		ea_musl_relocate(process, 1);
		ea_musl_relocate(process, 0);
	}
	if (process->musl.misses > 0 && !process->launch.trace) {
		start->outcome = EA_OUTCOME_ERROR;
		start->error = start->messages.items[0];
		process->dead = true;
		return;
	}
	process->started = true;
	find_all_deps(process, 0);
	run_inits(process, 0);
}

static void revert_globals(struct ea_process *process, uint32_t n)
{
	while (process->musl.globals.n > n)
		ea_state(process, process->musl.globals.items[--process->musl.globals.n])->global =
			false;
}

static void prepare_lazy(struct ea_process *process, uint32_t map)
{
	const struct ea_elf *elf = ea_elf_of(process, map);

	if (elf && !ea_state(process, map)->relocated && (elf->dt_flags & DF_BIND_NOW) == 0 &&
	    (elf->dt_flags_1 & DF_1_NOW) == 0)
		ea_state(process, map)->lazy = true;
}

static int open_map(struct ea_process *process, const struct ea_request *request, uint32_t map)
{
	struct ea_ids all;
	bool relocated = ea_state(process, map)->relocated;

	if (!ea_state(process, map)->walked &&
	    ea_musl_load_deps(process, ea_state(process, map)->pos) != 0)
		return -1;
	find_all_deps(process, map);
	all = ea_state(process, map)->searchlist;
	for (uint32_t i = 0; i < all.n; i++) {
		if (!relocated && (request->flags & RTLD_LAZY) != 0)
			prepare_lazy(process, all.ids[i]);
		if (!relocated || (request->flags & RTLD_GLOBAL) != 0)
			ea_musl_add_global(process, all.ids[i]);
	}
	return relocated ? 0 : ea_musl_relocate(process, ea_state(process, map)->pos);
}

/* A failed dlopen takes back all that it mapped. */
static void roll_back(struct ea_process *process, struct ea_request *request, uint32_t first_pos,
		      uint32_t n_globals)
{
	revert_globals(process, n_globals);
	while (process->list.n > first_pos) {
		uint32_t map = process->list.items[process->list.n - 1];

		ea_state(process, map)->removed = true;
		ea_list_remove(process, map);
	}
	ea_vec_foreach(nested, &request->nested)
		(*nested)->rolled_back = (*nested)->is_new;
	request->rolled_back = request->is_new;
}

void ea_musl_dlopen(struct ea_process *process, struct ea_request *request, bool is_program)
{
	uint32_t n_list = process->list.n, n_globals = process->musl.globals.n, map = 0;
	bool noload = (request->flags & RTLD_NOLOAD) != 0;

	if (!is_program)
		map = ea_musl_load(process, request, 0, noload);
	if (process->dead) {
		request->outcome = EA_OUTCOME_CRASH;
		request->error = process->failure.text;
		return;
	}
	if (map == EA_NONE) {
		request->outcome = EA_OUTCOME_ERROR;
		request->error =
			noload ? ea_arena_printf(process->arena, "Library %s is not already loaded",
						 request->name)
			       : ea_arena_printf(
					 process->arena, "Error loading shared library %s: %s",
					 request->name, ea_musl_strerror(process, process->error));
		return;
	}
	if (!is_program && open_map(process, request, map) != 0) {
		request->outcome = process->failure.outcome;
		request->error = process->failure.text;
		roll_back(process, request, n_list, n_globals);
		return;
	}
	if ((request->flags & RTLD_GLOBAL) == 0)
		revert_globals(process, n_globals);
	request->map = process->maps.items[map].map;
	run_inits(process, map);
}
