/*
 * Families of libraries, out of matrices/libraries.cfg (model/family.h says what one is).
 */
#pragma once

#include "base/err.h"
#include "model/family.h"

struct ea_libraries;

/* Reads FILE; errors are -EA_E_MATRIX with file, line, key and what was expected. */
EA_MUST_CHECK int ea_libraries_load(const char *file, struct ea_libraries **ret,
				    struct ea_err *err);
void ea_libraries_free(struct ea_libraries *libraries);

/*
 * The family of a library with this file name or SONAME (either may be NULL; the SONAME is asked
 * first), NULL if none. What counts is the part in front of ".so", without the digest that packers
 * of wheels put there. Thread-safe, and cheap for names that are no GPU library's.
 */
const struct ea_family *ea_libraries_find(const struct ea_libraries *libraries, const char *soname,
					  const char *file_name);

const struct ea_family *ea_libraries_by_name(const struct ea_libraries *libraries,
					     const char *family);

/* Patterns for names of a distribution's packages that bring libraries of these families. */
const struct ea_name_list *ea_libraries_system_packages(const struct ea_libraries *libraries);
