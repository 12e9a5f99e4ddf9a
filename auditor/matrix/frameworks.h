/* Load programs of frameworks (model/framework.h), out of the files in matrices/frameworks/. */
#pragma once

#include "base/err.h"
#include "model/family.h"
#include "model/framework.h"

struct ea_frameworks;

/*
 * Reads every *.cfg of DIR, in the order of their names. Errors are -EA_E_MATRIX with file, line,
 * key and what was expected; frameworks that import each other in a circle are one, too.
 */
EA_MUST_CHECK int ea_frameworks_load(const char *dir, struct ea_frameworks **ret,
				     struct ea_err *err);
void ea_frameworks_free(struct ea_frameworks *frameworks); /* NULL is fine */

/* Only whether FILE is valid by itself. */
EA_MUST_CHECK int ea_frameworks_check(const char *file, struct ea_err *err);

uint32_t ea_frameworks_count(const struct ea_frameworks *frameworks);
const struct ea_framework *ea_frameworks_at(const struct ea_frameworks *frameworks, uint32_t index);

/* By its name or by a module that it is imported as; NULL = none. */
const struct ea_framework *ea_frameworks_find(const struct ea_frameworks *frameworks,
					      const char *name);

/* What a library with this file name opens by itself, one after the other; NULL after the last. */
const struct ea_opener *ea_frameworks_opener(const struct ea_frameworks *frameworks,
					     const char *file_name, enum ea_moment at,
					     uint32_t *pos);

/* Openers with this name, one after the other; NULL after the last. */
const struct ea_opener *ea_frameworks_named(const struct ea_frameworks *frameworks,
					    const char *name, uint32_t *pos);

/* File names of the libraries that an NVIDIA driver brings. */
const struct ea_name_list *ea_frameworks_driver(const struct ea_frameworks *frameworks);
