/* The start of a program (dl_main in elf/rtld.c): its own maps, preloads, what it needs, checks. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "loader/process.h"

#include "base/limits.h"
#include "base/path.h"

#define MAX_TRIES 1000000u /* paths that one process may try */

/* What a message line starts with when the program ends for it. */
#define LOADING "error while loading shared libraries"
#define LOOKUP	"symbol lookup error"

static const char *vdso_name(uint16_t machine)
{
	switch (machine) {
	case EM_386:
		return "linux-gate.so.1";
	case EM_PPC64:
	case EM_S390:
		return "linux-vdso64.so.1";
	default:
		return "linux-vdso.so.1";
	}
}

/* A program that needs nothing but the C library, for the machine of its loader. */
static const struct ea_elf *empty_program(struct ea_arena *arena, const struct ea_launch *launch,
					  const struct ea_elf *interp)
{
	struct ea_elf *elf = ea_arena_new(arena, struct ea_elf);

	*elf = (struct ea_elf){
		.format = EA_FORMAT_ELF,
		.type = ET_DYN,
		.machine = interp->machine,
		.interp = launch->interp,
		.stack = EA_STACK_PLAIN,
		.has_dynamic = true,
		.n_needed = 1,
		.needed = ea_arena_array(arena, const char *, 1),
	};
	memcpy(elf->ident, interp->ident, sizeof(elf->ident));
	elf->needed[0] = "libc.so.6";
	return elf;
}

static uint32_t add_start_map(struct ea_process *process, enum ea_map_kind kind, const char *path,
			      const char *real, const struct ea_elf *elf)
{
	struct ea_map draft = { .kind = kind, .path = path, .real = real, .elf = elf };
	uint32_t id;

	if (kind == EA_MAP_PROGRAM && real)
		draft.origin = ea_arena_dup_str(process->arena, ea_path_dir(real));
	id = ea_map_new(process, &draft, 0);
	ea_list_insert(process, id, process->list.n);
	ea_state(process, id)->relocated = kind != EA_MAP_PROGRAM;
	return id;
}

/* One name of a list of preloads; what cannot be loaded is only reported. */
static void preload(struct ea_process *process, const char *name, const char *where)
{
	struct ea_request *request;
	uint32_t map;

	if (*name == '\0')
		return;
	request = ea_request_add(process, EA_REQUEST_PRELOAD, name, 0);
	if (ea_map_object(process, request, 0, 0, &map) == 0) {
		request->map = process->maps.items[map].map;
		return;
	}
	request->outcome = process->failure.outcome;
	request->error = ea_failure_text(process);
	if (request->outcome == EA_OUTCOME_CRASH)
		return;
	ea_vec_push(&process->root->messages, process->arena,
		    ea_arena_printf(process->arena,
				    "ERROR: ld.so: object '%s' from %s cannot be preloaded (%s): "
				    "ignored.",
				    name, where, process->failure.text));
}

static void preload_all(struct ea_process *process, const char *list, const char *separators,
			const char *where)
{
	while (*list && process->failure.outcome != EA_OUTCOME_CRASH) {
		size_t len = strcspn(list, separators);

		if (len > 0 && len < EA_LIMIT_PATH)
			preload(process,
				ea_arena_dup_str(process->arena, (struct ea_str){ list, len }),
				where);
		list += len + (list[len] != '\0');
	}
}

/*
 * Blanks out comments as ld.so does: from a '#' to the end of the line, but it looks for the next
 * one from the start of the file again, no further than as many bytes as are left.
 */
static void blank_comments(char *text, size_t len)
{
	size_t rest = len;
	char *hash;

	while (rest > 0 && (hash = memchr(text, '#', rest))) {
		rest -= (size_t)(hash - text);
		do
			*hash = ' ';
		while (--rest > 0 && *++hash != '\n');
	}
}

static const char *read_preload_file(struct ea_process *process, const char *path)
{
	struct ea_str file;
	char *text;
	int code = process->provider->read(process->provider->ctx, path, EA_LIMIT_TEXT, &file);

	if (code != 0) {
		process->error = code;
		return NULL;
	}
	text = ea_arena_dup_str(process->arena, file);
	blank_comments(text, file.len);
	return text;
}

static struct ea_ids load_preloads(struct ea_process *process)
{
	static const char file[] = "/etc/ld.so.preload";
	const char *env = ea_env(process, "LD_PRELOAD"), *text;
	uint32_t first = process->list.n;

	if (env)
		preload_all(process, env, " :", "LD_PRELOAD");
	text = read_preload_file(process, file);
	if (text)
		preload_all(process, text, ": \t\n", file);
	return (struct ea_ids){
		ea_arena_dup_mem(process->arena, process->list.items + first,
				 sizeof(uint32_t) * (process->list.n - first)),
		process->list.n - first,
	};
}

/*
 * Puts the loader's own map where the search list has it, or takes it out of the list of what is
 * loaded if nobody needs it.
 */
static void place_interp(struct ea_process *process, uint32_t interp, uint32_t vdso)
{
	struct ea_ids list = ea_state(process, 0)->searchlist;
	uint32_t i = 1, pos;

	ea_list_remove(process, interp);
	while (i < list.n && list.ids[i] != interp)
		i++;
	if (i >= list.n)
		return;
	pos = ea_state(process, list.ids[i - 1])->pos + 1;
	/* The vDSO stays directly behind the program. */
	if (pos < process->list.n && process->list.items[pos] == vdso && !process->launch.trace)
		pos++;
	ea_list_insert(process, interp, pos);
}

static void say_fatal(struct ea_process *process, const char *occasion)
{
	if (process->failure.outcome == EA_OUTCOME_CRASH)
		return;
	if (process->failure.outcome == EA_OUTCOME_ABORT) {
		ea_vec_push(&process->root->messages, process->arena, ea_failure_text(process));
		return;
	}
	ea_vec_push(&process->root->messages, process->arena,
		    ea_arena_printf(process->arena, "%s: %s: %s", process->argv0, occasion,
				    ea_failure_text(process)));
}

static int check_all_versions(struct ea_process *process)
{
	uint32_t misses = 0;

	for (uint32_t pos = 0; pos < process->list.n; pos++) {
		if (ea_check_versions(process, process->list.items[pos], &misses) != 0) {
			say_fatal(process, LOADING);
			return -1;
		}
	}
	if (misses == 0 || process->launch.trace)
		return 0;
	/* All was printed; the program ends with status 1. */
	return ea_fail(process, 0, "",
		       process->root->messages.items[process->root->messages.n - 1]);
}

static int relocate_all(struct ea_process *process)
{
	struct ea_ids order = ea_state(process, 0)->order;

	for (uint32_t i = order.n; i-- > 0;)
		if (ea_relocate(process, order.ids[i], !process->bind_now) != 0)
			return -1;
	return 0;
}

/* From the program's own map on: 0, or -1 with the failure and its message line. */
static int load_all(struct ea_process *process, uint32_t interp, uint32_t vdso)
{
	struct ea_ids preloads = load_preloads(process), list;

	if (process->failure.outcome == EA_OUTCOME_CRASH)
		return -1;
	if (ea_map_deps(process, 0, &preloads, 0) != 0) {
		say_fatal(process, LOADING);
		return -1;
	}
	list = ea_state(process, 0)->searchlist;
	for (uint32_t i = 0; i < list.n; i++)
		ea_state(process, list.ids[i])->global = true;
	place_interp(process, interp, vdso);
	if (check_all_versions(process) != 0)
		return -1;
	if (process->launch.trace)
		return 0;
	if (ea_check_isa(process, 0) != 0) {
		ea_vec_push(&process->root->messages, process->arena, ea_failure_text(process));
		return -1;
	}
	if (relocate_all(process) != 0) {
		say_fatal(process, LOOKUP);
		return -1;
	}
	return 0;
}

static void start_glibc(struct ea_process *process, struct ea_request *start,
			const struct ea_opened *exe, const char *interp_path,
			const struct ea_opened *interp)
{
	uint32_t interp_map, vdso;

	add_start_map(process, EA_MAP_PROGRAM, "", exe->real, exe->elf);
	start->map = process->maps.items[0].map;
	start->is_new = true;
	interp_map = add_start_map(process, EA_MAP_INTERP, interp_path, interp->real, interp->elf);
	if (interp->elf && interp->elf->soname)
		ea_name_add(process, interp_map, interp->elf->soname, false);
	vdso = add_start_map(process, EA_MAP_VDSO, vdso_name(process->machine), NULL, NULL);
	ea_hwcaps_start(process);
	ea_dirs_start(process);
	if (load_all(process, interp_map, vdso) != 0) {
		start->outcome = process->failure.outcome;
		start->error = ea_failure_text(process);
		process->dead = true;
		return;
	}
	process->started = true;
	ea_run_inits(process, 0);
}

static void read_environment(struct ea_process *process, const struct ea_elf *exe)
{
	const char *bind_now = ea_env(process, "LD_BIND_NOW");
	const char *tunables = ea_env(process, "GLIBC_TUNABLES");
	const char *audit = ea_env(process, "LD_AUDIT");

	process->bind_now = bind_now && *bind_now;
	process->dynamic_weak = ea_env(process, "LD_DYNAMIC_WEAK") != NULL;
	/* Without PT_GNU_STACK the kernel makes the stack executable where the ABI wants it so. */
	process->execstack = exe->stack == EA_STACK_EXEC ||
			     (exe->stack == EA_STACK_ABSENT && exe->machine == EM_X86_64);
	if (tunables && strstr(tunables, "glibc.rtld.execstack=2"))
		process->execstack = true;
	if (tunables && (strstr(tunables, "glibc.rtld.") || strstr(tunables, "glibc.cpu.")))
		ea_assume(process, "GLIBC_TUNABLES changes nothing in what is loaded");
	if (exe->privileged)
		ea_assume(process,
			  "its caller has all rights that the program takes on; for others "
			  "ld.so leaves LD_LIBRARY_PATH and most of LD_PRELOAD out");
	if ((audit && *audit) || exe->audit || exe->depaudit)
		ea_assume(process, "the audit module that is asked for changes no name");
}

/* The version that decides which habits hold; -EA_E_TARGET if it is none. */
static int set_policy(struct ea_process *process, struct ea_err *err)
{
	const char *version = process->launch.libc_version;
	unsigned long minor;
	char *end;

	if (!version)
		version = process->facts.version;
	if (process->facts.musl)
		return 0;
	if (!version) {
		version = "2.36";
		ea_assume(process, "glibc is of version 2.36: its own could not be read");
	}
	minor = strncmp(version, "2.", 2) == 0 ? strtoul(version + 2, &end, 10) : 0;
	if (minor == 0 || (*end != '\0' && *end != '.'))
		return ea_err_set(err, -EA_E_TARGET, "%s is no version of glibc", version);
	process->facts.version = version;
	process->policy = ea_policy_of((unsigned)minor, process->setup.flip);
	if (!ea_policy_confirmed(&process->policy))
		ea_assume(process, "the rules of this version of glibc are those of its source; no "
				   "loader of this version was compared with the model");
	return 0;
}

static void set_basics(struct ea_process *process, const struct ea_process_setup *setup)
{
	const struct ea_launch *launch = setup->launch;

	process->setup = *setup;
	process->launch = *launch;
	process->arena = setup->arena;
	process->provider = setup->provider;
	process->cwd = launch->cwd ? launch->cwd : "/";
	process->argv0 = launch->argv0 ? launch->argv0 : launch->program;
	if (!process->argv0)
		process->argv0 = "<program name unknown>";
	process->initfirst = EA_NONE;
	process->tries_left = MAX_TRIES;
}

/* Nothing can be started: the start says so. */
static int refuse(struct ea_process *process, struct ea_request *start, const char *text)
{
	start->outcome = EA_OUTCOME_ERROR;
	start->error = text;
	process->dead = true;
	return 1;
}

static int open_program(struct ea_process *process, struct ea_request *start,
			struct ea_opened *ret_exe)
{
	const char *program = process->launch.program;
	int code;

	if (!program)
		return 0;
	code = process->provider->open(process->provider->ctx, program, ret_exe);
	if (code != 0)
		return refuse(process, start,
			      ea_arena_printf(process->arena, "%s: %s", program, strerror(code)));
	if (ret_exe->is_dir || ret_exe->elf->format != EA_FORMAT_ELF ||
	    (ret_exe->elf->type != ET_EXEC && ret_exe->elf->type != ET_DYN))
		return refuse(process, start, "is no ELF program");
	if (!ret_exe->elf->interp)
		return refuse(process, start, "is statically linked");
	return 0;
}

int ea_process_start(const struct ea_process_setup *setup, struct ea_process **ret_process,
		     const struct ea_request **ret_start, struct ea_err *err)
{
	struct ea_process *process = ea_arena_new(setup->arena, struct ea_process);
	struct ea_opened exe = { 0 }, interp = { 0 };
	const char *interp_path = setup->launch->interp;
	struct ea_request *start;
	int code;

	set_basics(process, setup);
	start = ea_request_add(process, EA_REQUEST_PROGRAM,
			       setup->launch->program ? setup->launch->program : "", EA_NONE);
	start->how = EA_HOW_PATH;
	process->root = start;
	*ret_process = process;
	*ret_start = start;
	if (open_program(process, start, &exe) != 0)
		return 1;
	if (exe.elf)
		interp_path = exe.elf->interp;
	code = setup->provider->open(setup->provider->ctx, interp_path, &interp);
	if (code == 0)
		code = ea_loader_facts_read(setup->provider, interp_path, setup->arena,
					    &process->facts);
	if (code != 0)
		return refuse(process, start,
			      ea_arena_printf(setup->arena, "its loader %s: %s", interp_path,
					      strerror(code)));
	if (!exe.elf)
		exe.elf = empty_program(setup->arena, setup->launch, interp.elf);
	process->machine = exe.elf->machine;
	process->elf_class = exe.elf->ident[EI_CLASS];
	code = set_policy(process, err);
	if (code != 0)
		return code;
	read_environment(process, exe.elf);
	if (process->facts.musl)
		ea_musl_start(process, start, &exe, interp_path, &interp);
	else
		start_glibc(process, start, &exe, interp_path, &interp);
	process->root = NULL;
	return code;
}
