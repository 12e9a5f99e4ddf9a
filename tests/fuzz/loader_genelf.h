/* Shared by the files that make random cases. */
#pragma once

#include "base/attr.h"
#include "loader_gen.h"

#define MAX_LIBS 14u

struct gen {
	struct ea_arena *arena;
	uint64_t state;
	const char *lib_dir;
	struct test_case *test;
	uint32_t n_libs, n_dirs;
	bool lib_filters, program_filters;
	const char *dirs[7];	       /* folders in which libraries lie */
	const char *names[MAX_LIBS];   /* file names */
	const char *sonames[MAX_LIBS]; /* NULL = none */
	const char *paths[MAX_LIBS];
	uint32_t n_paths;
	const char *all_paths[64]; /* with links and copies */
};

uint32_t gen_below(struct gen *g, uint32_t n);
bool gen_chance(struct gen *g, uint32_t percent); /* true in PERCENT of all cases */

#define PICK(g, array) ((array)[gen_below((g), EA_ARRAY_SIZE(array))])

const char *gen_dir(struct gen *g);
const char *gen_path(struct gen *g); /* of a library */
const char *gen_name(struct gen *g); /* what somebody may ask for */
const char *gen_path_list(struct gen *g, const char *separators);

/* Fills the description of a library or program (loader_genelf.c). */
void gen_needed(struct gen *g, struct elf_spec *elf);
void gen_tags(struct gen *g, struct elf_spec *elf);
void gen_defs(struct gen *g, struct elf_spec *elf);
void gen_undefs(struct gen *g, struct elf_spec *elf);
void gen_library(struct gen *g, struct elf_spec *elf, const char *soname);
