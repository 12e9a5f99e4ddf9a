/* Small things about a process that all files here use, and its fork. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/process.h"

struct ea_map_state *ea_state(struct ea_process *process, uint32_t id)
{
	return &process->maps.items[id];
}

const struct ea_elf *ea_elf_of(const struct ea_process *process, uint32_t id)
{
	return process->maps.items[id].map->elf;
}

/* The first SONAME "libc.so.6" is the C library for ld.so. */
bool ea_is_libc(const struct ea_process *process, uint32_t id)
{
	const struct ea_elf *elf = ea_elf_of(process, id);

	return elf && ea_streq(elf->soname, "libc.so.6");
}

const char *ea_env(const struct ea_process *process, const char *name)
{
	return ea_env_value(process->launch.env, process->launch.n_env, name);
}

/* FNV-1a */
uint32_t ea_hash(struct ea_str text)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.ptr[i]) * 16777619u;
	return hash;
}

void ea_assume(struct ea_process *process, const char *text)
{
	ea_vec_push(&process->assumptions, process->arena, text);
}

int ea_fail(struct ea_process *process, int code, const char *object, const char *text)
{
	process->failure.outcome = EA_OUTCOME_ERROR;
	process->failure.code = code;
	process->failure.object = object;
	process->failure.text = text;
	return -1;
}

int ea_fail_hard(struct ea_process *process, enum ea_outcome outcome, const char *text)
{
	process->failure.outcome = outcome;
	process->failure.code = 0;
	process->failure.object = "";
	process->failure.text = text;
	return -1;
}

/* ld.so's own strerror() knows little; once the C library is there, its own does the work. */
static const char *error_words(struct ea_process *process, int code)
{
	switch (code) {
	case ENOMEM:
	case EINVAL:
	case ENOENT:
	case EPERM:
	case EIO:
	case EACCES:
		return strerror(code);
	default:
		if (process->started)
			return ea_arena_dup(process->arena, strerror(code));
		return ea_arena_printf(process->arena, "Error %d", code);
	}
}

const char *ea_failure_text(struct ea_process *process)
{
	const char *object = process->failure.object;
	int code = process->failure.code;

	if (process->failure.outcome == EA_OUTCOME_ABORT)
		return ea_arena_printf(process->arena, "Inconsistency detected by ld.so: %s",
				       process->failure.text);
	return ea_arena_printf(process->arena, "%s%s%s%s%s", object, *object ? ": " : "",
			       process->failure.text, code ? ": " : "",
			       code ? error_words(process, code) : "");
}

const char *ea_map_name(const struct ea_process *process, uint32_t id)
{
	const char *path = process->maps.items[id].map->path;

	return *path ? path : process->argv0;
}

struct ea_request *ea_request_add(struct ea_process *process, enum ea_request_kind kind,
				  const char *name, uint32_t requester)
{
	struct ea_request *request = ea_arena_new(process->arena, struct ea_request);

	request->kind = kind;
	request->name = ea_arena_dup(process->arena, name);
	request->parent = process->root;
	if (requester != EA_NONE)
		request->requester = process->maps.items[requester].map;
	if (process->root)
		ea_vec_push(&process->root->nested, process->arena, request);
	return request;
}

#define COPY_VEC(to, from, arena)                                                   \
	do {                                                                        \
		(to)->items = ea_arena_dup_mem((arena), (from)->items,              \
					       sizeof(*(from)->items) * (from)->n); \
		(to)->cap = (to)->n = (from)->n;                                    \
	} while (0)

struct ea_process *ea_process_fork(const struct ea_process *process)
{
	struct ea_arena *arena = process->arena;
	struct ea_process *copy = ea_arena_new(arena, struct ea_process);

	*copy = *process;
	COPY_VEC(&copy->maps, &process->maps, arena);
	/* Shared until somebody adds to it: with no room left, that somebody copies it. */
	ea_vec_foreach(state, &copy->maps)
		state->scope.cap = state->scope.n;
	for (uint32_t i = 0; i < process->maps.n; i++)
		process->maps.items[i].scope.cap = process->maps.items[i].scope.n;
	COPY_VEC(&copy->list, &process->list, arena);
	COPY_VEC(&copy->names, &process->names, arena);
	COPY_VEC(&copy->uniques, &process->uniques, arena);
	COPY_VEC(&copy->dirs, &process->dirs, arena);
	COPY_VEC(&copy->musl.globals, &process->musl.globals, arena);
	COPY_VEC(&copy->assumptions, &process->assumptions, arena);
	copy->name_buckets = ea_arena_dup_mem(arena, process->name_buckets,
					      sizeof(uint32_t) * process->n_name_buckets);
	copy->dir_buckets = ea_arena_dup_mem(arena, process->dir_buckets,
					     sizeof(uint32_t) * process->n_dir_buckets);
	copy->dir_status = ea_arena_dup_mem(arena, process->dir_status, process->dir_status_cap);
	return copy;
}

const struct ea_map *ea_process_map(const struct ea_process *process, uint32_t pos)
{
	return pos < process->list.n ? process->maps.items[process->list.items[pos]].map : NULL;
}

bool ea_process_alive(const struct ea_process *process)
{
	return !process->dead;
}

enum ea_libc ea_process_libc(const struct ea_process *process)
{
	return process->facts.musl ? EA_LIBC_MUSL : EA_LIBC_GLIBC;
}

const char *ea_process_libc_version(const struct ea_process *process)
{
	return process->facts.version;
}

uint32_t ea_process_assumptions(const struct ea_process *process, const char *const **ret_texts)
{
	*ret_texts = process->assumptions.items;
	return process->assumptions.n;
}
