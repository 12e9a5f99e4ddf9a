/* Whether tables of facts are valid, contradict themselves or each other, or leave holes. */
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

/* Whether a folder holds files with tables of facts. */
bool ea_facts_has(const char *dir);

/* All of them in DIR; errors are -EA_E_MATRIX, the first that is found. */
EA_MUST_CHECK int ea_facts_check(const char *dir, struct ea_err *err);

/* One file; 1 if files of its name hold no tables of facts. */
EA_MUST_CHECK int ea_facts_check_file(const char *file, struct ea_err *err);
