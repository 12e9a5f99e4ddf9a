/*
 * The provider over a scanned world: what the walk met is answered from memory, everything else is
 * read when the loader asks for it and joins the world's copies.
 */
#pragma once

#include "model/provider.h"
#include "model/world.h"
#include "scan/paths.h"
#include "scan/walk.h"

struct ea_scan_provider;

/*
 * WALK must have ended, PATHS be the index of the world's copies; all must outlive the provider. It
 * belongs to one thread at a time. A copy that it adds has no number and no owners yet, and lives
 * in the memory of the pool's first worker.
 */
struct ea_scan_provider *ea_scan_provider_new(struct ea_walk *walk, struct ea_world *world,
					      struct ea_paths *paths);

const struct ea_provider *ea_scan_provider_get(const struct ea_scan_provider *provider);
void ea_scan_provider_free(struct ea_scan_provider *provider); /* NULL is fine */
