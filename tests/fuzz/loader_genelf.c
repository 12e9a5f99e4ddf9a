/* Random choices, names and ELF files for cases. */
#include <elf.h>
#include <string.h>

#include "loader_genelf.h"

static uint32_t next(struct gen *g)
{
	/* xorshift64* */
	g->state ^= g->state >> 12;
	g->state ^= g->state << 25;
	g->state ^= g->state >> 27;
	return (uint32_t)(g->state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

uint32_t gen_below(struct gen *g, uint32_t n)
{
	return n ? next(g) % n : 0;
}

/* True in PERCENT of all cases. */
bool gen_chance(struct gen *g, uint32_t percent)
{
	return gen_below(g, 100) < percent;
}

/* ---- names and paths ----------------------------------------------------------------------- */

const char *gen_dir(struct gen *g)
{
	return g->dirs[gen_below(g, g->n_dirs)];
}

const char *gen_path(struct gen *g)
{
	return g->n_paths ? g->all_paths[gen_below(g, g->n_paths)] : "/c/none.so";
}

/* What somebody may ask for. */
const char *gen_name(struct gen *g)
{
	uint32_t lib = gen_below(g, g->n_libs), kind = gen_below(g, 100);

	if (kind < 40)
		return g->sonames[lib] ? g->sonames[lib] : g->names[lib];
	if (kind < 75)
		return g->names[lib];
	if (kind < 90)
		return gen_path(g);
	if (kind < 93)
		return ea_arena_printf(g->arena, "%s/%s", gen_dir(g), g->names[lib]);
	if (kind < 96)
		return ea_arena_printf(g->arena, "%s/../%s", "$ORIGIN", gen_path(g) + 3);
	if (kind < 97)
		return ea_arena_printf(g->arena, "${ORIGIN}/%s", g->names[lib]);
	if (kind < 98)
		return ea_arena_printf(g->arena, "./%s", gen_path(g) + 1);
	return "libnone.so";
}

static const char *path_element(struct gen *g)
{
	static const char *const odd[] = { "",
					   "/c/none",
					   "/c/none/",
					   "/",
					   "/c/file",
					   ".",
					   "a",
					   "a/",
					   "/c/./a",
					   "/c//b",
					   "$ORIGIN",
					   "${ORIGIN}",
					   "$ORIGIN/../b",
					   "$LIB",
					   "/c/$LIB",
					   "/c/$FOO",
					   "/c/$PLATFORM",
					   "$ORIGINx",
					   "$ORIGIN_",
					   "$ORIGIN-a",
					   "${ORIGIN",
					   "${ORIGINx}",
					   "$",
					   "/c/$",
					   "/c/${LIB}/",
					   "/c/link",
					   "/c/loop",
					   "../c/a",
					   "/c/a/../b",
					   "/c/empty" };

	if (gen_chance(g, 70))
		return gen_dir(g);
	return PICK(g, odd);
}

const char *gen_path_list(struct gen *g, const char *separators)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	uint32_t n = 1 + gen_below(g, 4);

	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			ea_buf_add_char(&text,
					separators[gen_below(g, (uint32_t)strlen(separators))]);
		ea_buf_add_text(&text, path_element(g));
		if (gen_chance(g, 8))
			ea_buf_add_char(&text, '/');
	}
	return ea_arena_dup_str(g->arena, ea_buf_str(&text));
}

/* ---- symbols ------------------------------------------------------------------------------- */

static const char *const symbol_names[] = { "s0", "s1", "s2", "s3", "s4", "s5" };
static const char *const version_names[] = { "V1", "V2", "V3" };

void gen_defs(struct gen *g, struct elf_spec *elf)
{
	bool versioned = gen_chance(g, 35);
	uint32_t n = gen_below(g, 5);

	for (uint32_t i = 0; i < n; i++) {
		struct elf_symbol *symbol = ea_vec_add(&elf->defs, g->arena);

		symbol->name = PICK(g, symbol_names);
		symbol->weak = gen_chance(g, 15);
		symbol->unique = gen_chance(g, 5);
		symbol->invisible = gen_chance(g, 5);
		symbol->zero = gen_chance(g, 2);
		if (versioned && gen_chance(g, 80)) {
			symbol->version = PICK(g, version_names);
			symbol->hidden_version = gen_chance(g, 35);
		}
	}
	if (versioned && gen_chance(g, 40))
		ea_vec_push(&elf->versions, g->arena, PICK(g, version_names));
	elf->sysv_hash = gen_chance(g, 25);
}

static const char *needed_file(struct gen *g, const struct elf_spec *elf)
{
	if (elf->needed.n > 0 && gen_chance(g, 97))
		return elf->needed.items[gen_below(g, elf->needed.n)];
	return gen_name(g);
}

void gen_undefs(struct gen *g, struct elf_spec *elf)
{
	uint32_t n = gen_chance(g, 60) ? gen_below(g, 4) : 0;

	for (uint32_t i = 0; i < n; i++) {
		struct elf_symbol *symbol = ea_vec_add(&elf->undefs, g->arena);

		symbol->name = gen_chance(g, 97) ? PICK(g, symbol_names) : "nosuch";
		symbol->weak = gen_chance(g, 50);
		symbol->data = gen_chance(g, 40);
		if (elf->needed.n > 0 && gen_chance(g, 30)) {
			symbol->version = PICK(g, version_names);
			symbol->file = needed_file(g, elf);
		}
	}
	if (elf->needed.n > 0 && gen_chance(g, 12)) {
		struct elf_need *need = ea_vec_add(&elf->needs, g->arena);

		need->file = needed_file(g, elf);
		need->version = PICK(g, version_names);
		need->weak = gen_chance(g, 60);
	}
}

/* ---- libraries ----------------------------------------------------------------------------- */

void gen_tags(struct gen *g, struct elf_spec *elf)
{
	uint32_t kind = gen_below(g, 100);

	if (kind < 30)
		elf->rpath = gen_path_list(g, ":::;");
	else if (kind < 60)
		elf->runpath = gen_path_list(g, ":::;");
	else if (kind < 64)
		elf->rpath = elf->runpath = gen_path_list(g, ":");
	else if (kind < 66)
		elf->runpath = "";
	else if (kind < 68)
		elf->rpath = "";
}

void gen_needed(struct gen *g, struct elf_spec *elf)
{
	uint32_t n = gen_chance(g, 70) ? gen_below(g, 4) : 0;

	for (uint32_t i = 0; i < n; i++)
		ea_vec_push(&elf->needed, g->arena, gen_name(g));
	/* What filters the program cannot be found any more: with filters itself it would go round.
	 */
	if (elf == &g->test->program ? !g->program_filters : !g->lib_filters)
		return;
	if (gen_chance(g, 10))
		ea_vec_push(&elf->filter, g->arena, gen_name(g));
	if (gen_chance(g, 10))
		ea_vec_push(&elf->auxiliary, g->arena, gen_name(g));
}

static void add_oddities(struct gen *g, struct elf_spec *elf)
{
	static const uint64_t flags_1[] = { DF_1_NODEFLIB,  DF_1_NODELETE, DF_1_NOW,
					    DF_1_INITFIRST, DF_1_NOOPEN,   DF_1_PIE };

	if (gen_chance(g, 12))
		elf->flags |= DF_SYMBOLIC;
	if (gen_chance(g, 8))
		elf->flags |= DF_BIND_NOW;
	if (gen_chance(g, 15))
		elf->flags_1 |= flags_1[gen_below(g, gen_chance(g, 90) ? 4 : 6)];
	if (gen_chance(g, 2))
		elf->stack = gen_chance(g, 50) ? ELF_STACK_EXEC : ELF_STACK_NONE;
	if (gen_chance(g, 3))
		elf->kernel = gen_chance(g, 50) ? 0x630000 : 0x020620;
	if (gen_chance(g, 2))
		elf->isa = 1u << gen_below(g, 5);
	if (gen_chance(g, 2))
		elf->relr = true;
}

/* Damage that the loader notices. */
static void damage(struct gen *g, struct elf_spec *elf)
{
	static const struct elf_poke pokes[] = { { 0, 0 },   { 5, 2 },	{ 6, 7 }, { 7, 3 },
						 { 7, 9 },   { 8, 1 },	{ 9, 1 }, { 20, 2 },
						 { 54, 57 }, { 56, 0 }, { 39, 1 } };

	switch (gen_below(g, 9)) {
	case 0:
		elf->class32 = true;
		break;
	case 1:
		elf->machine = EM_AARCH64;
		break;
	case 2:
		elf->cut = 1 + gen_below(g, 170);
		break;
	case 3:
		elf->type = (uint16_t)(1 + gen_below(g, 4));
		break;
	case 4:
		elf->no_dynamic = true;
		break;
	case 5:
		elf->no_load = true;
		break;
	case 6:
		elf->skew = 16;
		break;
	case 7:
		elf->align = gen_chance(g, 50) ? 16 : 65536;
		break;
	default:
		ea_vec_push(&elf->pokes, g->arena, PICK(g, pokes));
		break;
	}
}

void gen_library(struct gen *g, struct elf_spec *elf, const char *soname)
{
	elf->soname = soname;
	gen_needed(g, elf);
	gen_tags(g, elf);
	gen_defs(g, elf);
	gen_undefs(g, elf);
	add_oddities(g, elf);
	if (gen_chance(g, 4))
		damage(g, elf);
}
