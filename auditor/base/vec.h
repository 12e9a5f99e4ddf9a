/*
 * Typed vectors in an arena: `EA_VEC(struct ea_copy) copies;`, zeroed when empty.
 *
 * Growing copies the items and leaves the old array to the arena, so a pointer to an item stays
 * readable but stale: keep indices, or push pointers.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

#define EA_VEC(type)             \
	struct {                 \
		type *items;     \
		uint32_t n, cap; \
	}

/* Appends one zeroed item and evaluates to its address. */
#define ea_vec_add(vec, arena)                                                            \
	({                                                                                \
		(vec)->items = ea_vec_grow_((arena), (vec)->items, (vec)->n, &(vec)->cap, \
					    sizeof(*(vec)->items));                       \
		&(vec)->items[(vec)->n++];                                                \
	})

/* Appends a value. */
#define ea_vec_push(vec, arena, value) (*ea_vec_add((vec), (arena)) = (value))

#define ea_vec_foreach(item, vec)                              \
	for (__typeof__((vec)->items + 0) item = (vec)->items; \
	     item && item < (vec)->items + (vec)->n; item++)

static inline void *ea_vec_grow_(struct ea_arena *arena, void *items, uint32_t n, uint32_t *cap,
				 size_t size)
{
	void *grown;

	if (items && n < *cap)
		return items;
	if (*cap > UINT32_MAX / 2)
		ea_oom();
	*cap = *cap ? *cap * 2 : 8;
	grown = ea_arena_alloc(arena, size * *cap);
	if (items)
		memcpy(grown, items, size * n);
	return grown;
}
