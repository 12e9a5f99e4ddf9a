/*
 * An assumed driver: where a root has no NVIDIA driver, the libraries that it would bring, as the
 * loader would find them. They stand in one of the loader's default folders, so whatever else has
 * such a name in the root wins as it would on a real machine. They need no other library and define
 * every function of the driver's interfaces.
 */
#pragma once

#include "base/arena.h"
#include "matrix/frameworks.h"
#include "model/provider.h"

/*
 * A view on PROVIDER with the driver's libraries in FOLDER (with a final slash), made as OBJECT is:
 * any library of the root for the same machine. VERSION is the driver's. FILES are their names, or
 * none: all that are known. Lives in ARENA.
 */
const struct ea_provider *ea_assumed_driver(const struct ea_provider *provider,
					    const struct ea_frameworks *frameworks,
					    const char *folder, const struct ea_elf *object,
					    const char *version, const char *const *files,
					    uint32_t n_files, struct ea_arena *arena);
