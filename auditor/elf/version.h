/*
 * What the getters share that read a version out of a file (model/family.h). Private to elf/.
 */
#pragma once

#include "elf/elf.h"
#include "elf/image.h"

struct ea_version_reading {
	struct ea_image image;
	struct ea_arena *arena;
	struct ea_elf *elf;
	struct ea_symtab *symtab; /* NULL until it is needed, or if there is none */
	bool no_symtab;
	int error; /* of symtab; the image has its own */
};

/* The version of a build-id or number in the getter's table, NULL if it is not there. */
const char *ea_version_from_table(const struct ea_getter *getter, const char *key);

/* One function per kind of getter: the version as text, NULL where the file does not tell it. */
const char *ea_version_object(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_symbol(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_verdef(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_code(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_stores(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_property(struct ea_version_reading *r, const struct ea_getter *getter);
const char *ea_version_struct(struct ea_version_reading *r, const struct ea_getter *getter);
