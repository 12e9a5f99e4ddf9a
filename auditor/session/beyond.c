/* Beyond a missing library. */
#include "session/beyond.h"

#include <elf.h>

/* A path that no file has: where the made-up program lies if the scenario has none. */
#define NOWHERE "/dev/null/program"

/* The provider of the session, but for one program. */
struct made_up {
	struct ea_provider provider;
	const struct ea_provider *base;
	const char *program;
	struct ea_opened opened;
};

static int made_up_open(void *ctx, const char *path, struct ea_opened *ret)
{
	const struct made_up *m = ctx;

	if (!ea_streq(path, m->program))
		return m->base->open(m->base->ctx, path, ret);
	*ret = m->opened;
	return 0;
}

static int made_up_dir(void *ctx, const char *path)
{
	const struct made_up *m = ctx;

	return m->base->dir(m->base->ctx, path);
}

static int made_up_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	const struct made_up *m = ctx;

	return m->base->read(m->base->ctx, path, limit, ret);
}

/* Nothing is bound in a trace. */
static uint32_t made_up_lookup(void *ctx, const struct ea_elf *elf, const char *name,
			       uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max)
{
	(void)ctx, (void)elf, (void)name, (void)gnu_hash, (void)ret, (void)max;
	return 0;
}

static uint32_t made_up_undefined(void *ctx, const struct ea_elf *elf,
				  const struct ea_undefined **ret)
{
	(void)ctx, (void)elf, (void)ret;
	return 0;
}

/* What an empty program is like: its loader, for the loader's machine, and libc. */
static bool make_empty(struct made_up *m, const char *interp, struct ea_arena *arena,
		       struct ea_elf *ret)
{
	struct ea_opened opened;

	if (m->base->open(m->base->ctx, interp, &opened) || !opened.elf)
		return false;
	*ret = (struct ea_elf){
		.format = EA_FORMAT_ELF,
		.type = ET_DYN,
		.machine = opened.elf->machine,
		.interp = interp,
		.stack = EA_STACK_PLAIN,
		.has_dynamic = true,
		.n_needed = 1,
		.needed = ea_arena_array(arena, const char *, 1),
	};
	memcpy(ret->ident, opened.elf->ident, sizeof(ret->ident));
	ret->needed[0] = "libc.so.6";
	m->opened.real = NOWHERE;
	return true;
}

static bool make_program(struct made_up *m, const struct ea_scenario *scenario,
			 const struct ea_launch *launch, struct ea_arena *arena)
{
	struct ea_elf *elf = ea_arena_new(arena, struct ea_elf);
	const char **needed;

	if (!scenario->program) {
		m->program = NOWHERE;
		if (!make_empty(m, launch->interp, arena, elf))
			return false;
	} else {
		m->program = scenario->program;
		if (m->base->open(m->base->ctx, m->program, &m->opened) || !m->opened.elf)
			return false;
		*elf = *m->opened.elf;
	}
	m->opened.elf = elf;
	if (!scenario->library)
		return true;
	needed = ea_arena_array(arena, const char *, elf->n_needed + 1);
	if (elf->n_needed)
		memcpy(needed, elf->needed, sizeof(*needed) * elf->n_needed);
	needed[elf->n_needed++] = scenario->library;
	elf->needed = needed;
	return true;
}

const struct ea_request *ea_beyond_run(const struct ea_provider *provider,
				       const struct ea_scenario *scenario,
				       const struct ea_launch *launch, struct ea_arena *arena)
{
	struct made_up *m = ea_arena_new(arena, struct made_up);
	struct ea_launch traced = *launch;
	const struct ea_process_setup setup = {
		.provider = &m->provider,
		.arena = arena,
		.launch = &traced,
	};
	const struct ea_request *start;
	struct ea_process *process;

	m->provider = (struct ea_provider){
		.ctx = m,
		.open = made_up_open,
		.dir = made_up_dir,
		.read = made_up_read,
		.lookup = made_up_lookup,
		.undefined = made_up_undefined,
	};
	m->base = provider;
	if (!make_program(m, scenario, launch, arena))
		return NULL;
	traced.program = m->program;
	traced.trace = true;
	return ea_process_start(&setup, &process, &start, NULL) == 0 ? start : NULL;
}
