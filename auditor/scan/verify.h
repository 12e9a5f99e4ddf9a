/* Hashes of whole files, where a record's size cannot tell. */
#pragma once

#include "model/world.h"
#include "scan/walk.h"

/*
 * Fills elf->sha256 of the target's files that have to be hashed: with ALL every file whose record
 * has a SHA-256, else only those that two packages claim with equal sizes and different sums. What
 * cannot be read is a gap. Runs on the walk's pool, after the walk.
 */
void ea_verify(struct ea_walk *walk, struct ea_world *world, bool all);
