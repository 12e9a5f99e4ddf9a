/*
 * A copy: one path under which an elf is found, or should be found. Several copies may lead to one elf
 * (hard links, symbolic links, a folder reached twice); each has its own $ORIGIN and its own owners.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/component.h"
#include "model/elf.h"

struct ea_family;

enum ea_link_state {
	EA_LINK_NONE,		/* the path is the file itself */
	EA_LINK_OK,
	EA_LINK_DANGLING,	/* its target does not exist */
	EA_LINK_LOOP,
	EA_LINK_DIR,		/* leads to a folder */
	EA_LINK_UNREAD,		/* leads where this user may not look, or reading failed */
};

/* One package that records this path. */
struct ea_owner {
	const struct ea_component *component;
	const struct ea_record *record;
};

/* Whether some session can get this copy from the loader; decided by sessions. */
enum ea_reach {
	EA_REACH_UNKNOWN,
	EA_REACH_NONE,
	EA_REACH_SOME,
};

struct ea_copy {
	uint32_t id;			/* index in world.copies + 1; order of paths */
	const char *path;		/* inside the root; not resolved */
	const char *link;		/* text of the symbolic link, NULL for a file */
	const char *real;		/* where it ends: the same pointer as path for a file; NULL if broken */
	enum ea_link_state link_state;
	struct ea_elf *elf;		/* NULL for a broken link */
	const struct ea_family *family; /* of its name; the elf itself may tell another */
	uint16_t layer;			/* number of the image layer that brought it, the lowest 1; 0 = not of an image */
	bool inside;			/* below the target itself, not only around it */
	enum ea_reach reach;
	EA_VEC(struct ea_owner) owners;	/* in order of components */
};

/*
 * The file on disk is the one that this record describes, as far as hash and size can tell. A record
 * that rattler moved aside, and one without either, match nothing.
 */
bool ea_record_matches(const struct ea_record *record, const struct ea_elf *elf);
