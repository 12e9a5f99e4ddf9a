/* Gaps: names of kinds, adding one. */
#include "model/gap.h"

#include <stdarg.h>
#include <stdio.h>

const char *const ea_gap_words[EA_GAP_KIND_MAX_] = {
#define X(name, word) [EA_GAP_##name] = word,
	EA_GAP_KINDS(X)
#undef X
};

struct ea_gap *ea_gaps_add(struct ea_gaps *gaps, const char *path, enum ea_gap_kind kind,
			   const char *fmt, ...)
{
	struct ea_gap *gap = ea_vec_add(&gaps->list, gaps->arena);
	char reason[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	gap->path = ea_arena_dup(gaps->arena, path);
	gap->kind = kind;
	gap->reason = ea_arena_dup(gaps->arena, reason);
	return gap;
}
