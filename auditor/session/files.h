/* Files by name and pattern, asked of the provider. */
#pragma once

#include "base/arena.h"
#include "model/provider.h"

/* There is something at PATH, whatever it is. */
bool ea_files_exist(const struct ea_provider *provider, const char *path);

/*
 * Paths below DIR that match PATTERN: components with *, ? or [] are fnmatch(3) patterns, as
 * Python's glob takes them. Sorted within a folder. Only what exists.
 */
void ea_files_glob(const struct ea_provider *provider, struct ea_arena *arena, const char *dir,
		   const char *pattern, struct ea_names *ret);

/* TEXT has characters that make it a pattern. */
bool ea_files_is_pattern(const char *text);
