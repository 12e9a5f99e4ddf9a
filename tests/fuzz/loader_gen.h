/* Random cases for the loader, and making a failing one small. */
#pragma once

#include <stdint.h>

#include "case.h"

/* The same SEED gives the same case. */
struct test_case *gen_case(struct ea_arena *arena, uint64_t seed, const char *lib_dir);

/*
 * Makes TEST smaller as long as FAILS says that it still fails. FAILS must not keep its argument.
 */
struct test_case *reduce_case(struct ea_arena *arena, const struct test_case *test,
			      bool (*fails)(void *arg, const struct test_case *test), void *arg);
