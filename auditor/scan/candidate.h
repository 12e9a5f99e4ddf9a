/* Candidates: which names of a folder are looked into, and what one file gives. */
#pragma once

#include "scan/walk.h"

/* A candidate is `*.so`, `*.so.*`, or a name without a dot whose bytes will decide. */
bool ea_candidate_is_file(const struct ea_walk *walk, enum ea_walk_mode mode, const char *dir,
			  const char *name);
bool ea_candidate_is_link(const struct ea_walk *walk, enum ea_walk_mode mode, const char *name);

/*
 * Reads the file at REAL (no links in it): facts, family, version. *ret stays NULL when there is
 * nothing to keep: a program that is a script, a file that went away meanwhile (a gap says so).
 * -EA_E_AGAIN: once more after ea_root_advance().
 */
int ea_candidate_read(struct ea_walk *walk, struct ea_worker *worker, const char *real,
		      struct ea_copy **ret);

/*
 * Reads what the loader tries, whatever its name and its bytes are: 0 or a negative errno. Not for
 * use while workers run.
 */
int ea_candidate_read_any(struct ea_walk *walk, struct ea_worker *worker, const char *real,
			  struct ea_copy **ret);

/*
 * What only its bytes make a candidate is kept only if they are ELF. A second name of an inode is
 * judged when the walk has ended, for its elf may still be filled by another worker.
 */
bool ea_candidate_is_kept(const char *path, const struct ea_elf *elf);
