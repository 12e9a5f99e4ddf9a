/*
 * Sets of versions as matrices and wheels write them: alternatives with '|' between them, each a
 * list of conditions with ',' between them that hold together: ">=11.8,<13", "12 | 13.0",
 * ">=9.1,!=9.10.0".
 *
 * A bare number means itself and what is written longer: "12" has 12, 12.4 and 12.4.1; so do "12.x"
 * and "==12.*". "==2.4.1" has 2.4.1 and 2.4.1+cu121. "~=2.1" is ">=2.1,<3". "*" has every version.
 */
#pragma once

#include <stdbool.h>

#include "base/version.h"

/* Whether TEXT can be read as a range. */
bool ea_range_is_valid(const char *text);

/* False also when RANGE or VERSION cannot be read. */
bool ea_range_has(const char *range, const char *version);

/*
 * Bounds are a range of comparisons alone: ">=2.5,<2.9", without alternatives, exclusions and
 * wildcards. "==1.13" here also has 1.13.1.
 */
bool ea_bounds_are_valid(const char *text);
bool ea_bounds_have(const char *bounds, const char *version);
