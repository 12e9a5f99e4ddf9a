/* Makes a failing case small: takes away one thing after the other as long as it still fails. */
#include <string.h>

#include "loader_gen.h"

struct reduction {
	struct ea_arena *arena;
	struct test_case *best;
	bool (*fails)(void *arg, const struct test_case *test);
	void *arg;
	bool changed;
};

/* A copy whose vectors can be changed without the original's. */
#define COPY_VEC(vec, arena)                                                                       \
	((vec)->items = ea_arena_dup_mem((arena), (vec)->items, sizeof(*(vec)->items) * (vec)->n), \
	 (vec)->cap = (vec)->n)

static void copy_elf(struct elf_spec *elf, struct ea_arena *arena)
{
	COPY_VEC(&elf->needed, arena);
	COPY_VEC(&elf->filter, arena);
	COPY_VEC(&elf->auxiliary, arena);
	COPY_VEC(&elf->defs, arena);
	COPY_VEC(&elf->undefs, arena);
	COPY_VEC(&elf->versions, arena);
	COPY_VEC(&elf->needs, arena);
	COPY_VEC(&elf->pokes, arena);
}

static struct test_case *copy_case(const struct test_case *test, struct ea_arena *arena)
{
	struct test_case *copy = ea_arena_new(arena, struct test_case);

	*copy = *test;
	COPY_VEC(&copy->items, arena);
	COPY_VEC(&copy->env, arena);
	COPY_VEC(&copy->openings, arena);
	ea_vec_foreach(item, &copy->items)
		copy_elf(&item->elf, arena);
	copy_elf(&copy->program, arena);
	return copy;
}

/* Keeps CANDIDATE if it fails as well. */
static bool keep(struct reduction *r, struct test_case *candidate)
{
	if (!r->fails(r->arg, candidate))
		return false;
	r->best = candidate;
	r->changed = true;
	return true;
}

#define REMOVE_AT(vec, i)                                          \
	do {                                                       \
		(vec)->n--;                                        \
		memmove(&(vec)->items[i], &(vec)->items[(i) + 1],  \
			sizeof(*(vec)->items) * ((vec)->n - (i))); \
	} while (0)

/* Tries the case without each element of the vector that GET finds in a case. */
#define REMOVE_EACH(r, get)                                                 \
	for (uint32_t i_ = 0; i_ < (get((r)->best))->n;) {                  \
		struct test_case *copy_ = copy_case((r)->best, (r)->arena); \
                                                                            \
		REMOVE_AT(get(copy_), i_);                                  \
		if (!keep((r), copy_))                                      \
			i_++;                                               \
	}

#define ITEMS(test)    (&(test)->items)
#define ENV(test)      (&(test)->env)
#define OPENINGS(test) (&(test)->openings)

/* The description of ELF file WHICH: of an item, or of the program. */
static struct elf_spec *elf_at(struct test_case *test, uint32_t which)
{
	return which < test->items.n ? &test->items.items[which].elf : &test->program;
}

#define ELF_VEC(field)                                                  \
	for (uint32_t i_ = 0; i_ < elf_at(r->best, which)->field.n;) {  \
		struct test_case *copy_ = copy_case(r->best, r->arena); \
                                                                        \
		REMOVE_AT(&elf_at(copy_, which)->field, i_);            \
		if (!keep(r, copy_))                                    \
			i_++;                                           \
	}

#define ELF_CLEAR(field, value)                                         \
	if (elf_at(r->best, which)->field != (value)) {                 \
		struct test_case *copy_ = copy_case(r->best, r->arena); \
                                                                        \
		elf_at(copy_, which)->field = (value);                  \
		keep(r, copy_);                                         \
	}

/* Every text without one of its parts. */
static const char *without_part(struct ea_arena *arena, const char *text, uint32_t part)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf out = { 0 };
	struct ea_str rest = ea_str(text), token;
	bool first = true;

	for (uint32_t i = 0; ea_str_token(&rest, ':', &token); i++) {
		if (i == part)
			continue;
		if (!first)
			ea_buf_add_char(&out, ':');
		ea_buf_add_str(&out, token);
		first = false;
	}
	return ea_arena_dup_str(arena, ea_buf_str(&out));
}

static uint32_t count_parts(const char *text)
{
	uint32_t n = 1;

	for (; *text; text++)
		n += *text == ':';
	return n;
}

/* SLOT gives the address of the text in a case. */
static void shorten_list(struct reduction *r, const char **(*slot)(struct test_case *, uint32_t),
			 uint32_t which)
{
	const char *text = *slot(r->best, which);

	for (uint32_t part = 0; text && part < count_parts(text) && count_parts(text) > 1;) {
		struct test_case *copy = copy_case(r->best, r->arena);

		*slot(copy, which) = without_part(r->arena, text, part);
		if (keep(r, copy))
			text = *slot(r->best, which);
		else
			part++;
	}
}

static const char **rpath_of(struct test_case *test, uint32_t which)
{
	return &elf_at(test, which)->rpath;
}

static const char **runpath_of(struct test_case *test, uint32_t which)
{
	return &elf_at(test, which)->runpath;
}

static const char **variable_of(struct test_case *test, uint32_t which)
{
	return &test->env.items[which].value;
}

static void reduce_elf(struct reduction *r, uint32_t which)
{
	ELF_VEC(needed)
	ELF_VEC(filter)
	ELF_VEC(auxiliary)
	ELF_VEC(defs)
	ELF_VEC(undefs)
	ELF_VEC(versions)
	ELF_VEC(needs)
	ELF_VEC(pokes)
	ELF_CLEAR(soname, NULL)
	ELF_CLEAR(rpath, NULL)
	ELF_CLEAR(runpath, NULL)
	ELF_CLEAR(flags, 0)
	ELF_CLEAR(flags_1, 0)
	ELF_CLEAR(stack, ELF_STACK_PLAIN)
	ELF_CLEAR(kernel, 0)
	ELF_CLEAR(isa, 0)
	ELF_CLEAR(cut, 0)
	ELF_CLEAR(pad, 0)
	ELF_CLEAR(align, 0)
	ELF_CLEAR(skew, 0)
	ELF_CLEAR(type, 0)
	ELF_CLEAR(machine, 0)
	ELF_CLEAR(class32, false)
	ELF_CLEAR(sysv_hash, false)
	ELF_CLEAR(relr, false)
	ELF_CLEAR(no_dynamic, false)
	ELF_CLEAR(no_load, false)
	shorten_list(r, rpath_of, which);
	shorten_list(r, runpath_of, which);
}

static void reduce_openings(struct reduction *r)
{
	REMOVE_EACH(r, OPENINGS)
	for (uint32_t i = 0; i < r->best->openings.n; i++) {
		struct test_case *copy = copy_case(r->best, r->arena);

		copy->openings.items[i].from = NULL;
		if (r->best->openings.items[i].from)
			keep(r, copy);
	}
}

static void reduce_rest(struct reduction *r)
{
	struct test_case *copy;

	REMOVE_EACH(r, ENV)
	for (uint32_t i = 0; i < r->best->env.n; i++)
		shorten_list(r, variable_of, i);
	if (r->best->cwd) {
		copy = copy_case(r->best, r->arena);
		copy->cwd = NULL;
		keep(r, copy);
	}
	if (r->best->cache_form) {
		copy = copy_case(r->best, r->arena);
		copy->cache_form = NULL;
		keep(r, copy);
	}
}

struct test_case *reduce_case(struct ea_arena *arena, const struct test_case *test,
			      bool (*fails)(void *arg, const struct test_case *test), void *arg)
{
	struct reduction r = { .arena = arena, .fails = fails, .arg = arg };

	r.best = copy_case(test, arena);
	do {
		r.changed = false;
		reduce_openings(&r);
		REMOVE_EACH(&r, ITEMS)
		reduce_rest(&r);
		for (uint32_t i = 0; i <= r.best->items.n; i++)
			reduce_elf(&r, i);
	} while (r.changed);
	return r.best;
}
