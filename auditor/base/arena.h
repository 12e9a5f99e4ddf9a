/*
 * A bump arena: memory that lives as long as one audit (or one worker's pass), freed as a whole.
 *
 * Everything in model/ lives in arenas, so records point at each other freely and are never freed
 * singly. Allocation cannot fail: when memory ends the process ends in ea_oom(), exit status 4.
 * Sizes that come from a file are checked against a limit (base/limits.h) before they come here.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

struct ea_arena_block;

struct ea_arena {
	struct ea_arena_block *blocks; /* newest first */
	char *next, *end;	       /* free part of the newest block */
	size_t total;		       /* bytes held */
};

/* A zeroed struct ea_arena is a valid empty one. */
void ea_arena_release(struct ea_arena *arena);

/* Empties the arena but keeps one block for what comes next. */
void ea_arena_reset(struct ea_arena *arena);

/* Zeroed memory, aligned for any type. SIZE may be 0. */
void *ea_arena_alloc(struct ea_arena *arena, size_t size);
char *ea_arena_dup(struct ea_arena *arena, const char *text);	    /* NULL gives NULL */
char *ea_arena_dup_str(struct ea_arena *arena, struct ea_str text); /* NUL-terminated copy */
void *ea_arena_dup_mem(struct ea_arena *arena, const void *ptr, size_t size);
EA_PRINTF(2, 3) char *ea_arena_printf(struct ea_arena *arena, const char *fmt, ...);
EA_PRINTF(2, 0) char *ea_arena_vprintf(struct ea_arena *arena, const char *fmt, va_list args);

/* Moves all memory of FROM into ARENA without copying; FROM is empty afterwards. */
void ea_arena_absorb(struct ea_arena *arena, struct ea_arena *from);

#define ea_arena_new(arena, type)      ((type *)ea_arena_alloc((arena), sizeof(type)))
#define ea_arena_array(arena, type, n) ((type *)ea_arena_alloc((arena), sizeof(type) * (n)))

/* Ends the process with one line on standard error and status 4. */
EA_NORETURN void ea_oom(void);

/* malloc and realloc that end in ea_oom(). */
void *ea_xmalloc(size_t size);
void *ea_xrealloc(void *ptr, size_t size);

/* For EA_CLEANUP: frees what a pointer variable points to. */
void ea_free_ptr(void *ptr_address);
