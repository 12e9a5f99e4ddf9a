/* An earlier report (--baseline): what stands in it is known, and only what is new is a finding. */
#pragma once

#include "base/err.h"
#include "model/world.h"

struct ea_baseline;

/* FILE is what `--format json` wrote; an error names it and what is wrong with it. */
EA_MUST_CHECK int ea_baseline_load(const char *file, struct ea_baseline **ret, struct ea_err *err);
void ea_baseline_free(struct ea_baseline *baseline); /* NULL is fine */

/* Takes findings whose fingerprints it has out of WORLD and leaves a gap, `ignored`, in place of
 * each. */
void ea_baseline_apply(const struct ea_baseline *baseline, struct ea_world *world);
