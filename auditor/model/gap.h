/*
 * A gap: something that the audit could not read, had to assume, or skipped on purpose. Gaps are data:
 * they stand in the report and never stop the run.
 */
#pragma once

#include <stdbool.h>

#include "base/vec.h"

/* X(enum suffix, JSON word) */
#define EA_GAP_KINDS(X)                                                                            \
	X(UNREAD, "unread")	/* could not be read or understood */                              \
	X(LIMIT, "limit")	/* larger, deeper or more than a limit allows */                   \
	X(ASSUMED, "assumed")	/* static knowledge ended; what was assumed instead */             \
	X(IGNORED, "ignored")	/* skipped on purpose */

enum ea_gap_kind {
#define X(name, word) EA_GAP_##name,
	EA_GAP_KINDS(X)
#undef X
	EA_GAP_KIND_MAX_
};

extern const char *const ea_gap_words[EA_GAP_KIND_MAX_];

struct ea_gap {
	const char *path;	/* NULL where none applies */
	enum ea_gap_kind kind;
	const char *reason;	/* one sentence without a final dot */
	/* The audit may be incomplete for it: a session tried it, or it is a package record or a layer. */
	bool matters;
};

/* A list that knows where its memory comes from, so that workers can have one each. */
struct ea_gaps {
	struct ea_arena *arena;
	EA_VEC(struct ea_gap) list;
};

/* Adds a gap; PATH and the formatted reason are copied. Valid until the next call: to set `matters`. */
EA_PRINTF(4, 5) struct ea_gap *ea_gaps_add(struct ea_gaps *gaps, const char *path,
					   enum ea_gap_kind kind, const char *fmt, ...);
