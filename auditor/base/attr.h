/* Compiler attributes and small macros that every folder uses. */
#pragma once

#include <stddef.h>

#define EA_PRINTF(fmt_index, first_arg) __attribute__((format(printf, fmt_index, first_arg)))
#define EA_MUST_CHECK			__attribute__((warn_unused_result))
#define EA_NORETURN			__attribute__((noreturn))

/* Runs FN on the variable's address when it leaves scope; FN accepts "nothing there". */
#define EA_CLEANUP(fn) __attribute__((cleanup(fn)))

/* Hands a pointer over: evaluates to it and leaves NULL behind. */
#define EA_TAKE(ptr)                               \
	({                                         \
		__typeof__(ptr) ea_taken_ = (ptr); \
		(ptr) = NULL;                      \
		ea_taken_;                         \
	})

#define EA_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
