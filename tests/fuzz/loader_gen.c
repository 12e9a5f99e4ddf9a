/*
 * Random cases: a few libraries in a few folders, that need each other by names, SONAMEs and paths,
 * with random tags, symbols, versions, damage, links and copies; then a random environment, program
 * and sequence of dlopens. Choices are weighted so that most things work and what fails fails late.
 */
#include "loader_genelf.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>

static struct item *add_item(struct gen *g, enum item_kind kind, const char *path)
{
	struct item *item;

	ea_vec_foreach(other, &g->test->items)
		if (ea_streq(other->path, path))
			return NULL;
	item = ea_vec_add(&g->test->items, g->arena);
	item->kind = kind;
	item->path = path;
	if (g->n_paths < EA_ARRAY_SIZE(g->all_paths))
		g->all_paths[g->n_paths++] = path;
	return item;
}

static void add_not_elf(struct gen *g, const char *path)
{
	static const char *const contents[] = {
		"",
		"GROUP ( libx.so )",
		"<html><head><title>404 Not Found</title></head><body>nothing to see "
		"here</body></html>",
	};
	struct item *item = add_item(g, gen_chance(g, 25) ? ITEM_DIR : ITEM_TEXT, path);

	if (item && item->kind == ITEM_TEXT)
		item->text = PICK(g, contents);
}

/* Of a link that leads nowhere. */
static const char *odd_target(struct gen *g, const char *path)
{
	switch (gen_below(g, 3)) {
	case 0:
		return path; /* itself */
	case 1:
		return ea_arena_printf(g->arena, "%s/x", g->paths[0]); /* a file for a folder */
	default:
		return "none";
	}
}

/* A second file, link or folder called as a library, mostly in another folder. */
static void add_twin(struct gen *g, uint32_t lib)
{
	static const char *const folders[] = { "glibc-hwcaps/x86-64-v2",
					       "glibc-hwcaps/x86-64-v3",
					       "glibc-hwcaps/x86-64-v4",
					       "haswell",
					       "tls",
					       "x86_64",
					       "tls/x86_64" };
	const char *path = ea_arena_printf(g->arena, "%s/%s", gen_dir(g), g->names[lib]);
	struct item *item;

	if (gen_chance(g, 20))
		path = ea_arena_printf(g->arena, "%s/%s/%s", gen_dir(g), PICK(g, folders),
				       g->names[lib]);
	switch (gen_below(g, 6)) {
	case 0:
		item = add_item(g, ITEM_LINK, path);
		if (item)
			item->text = gen_chance(g, 80) ? g->paths[lib] : odd_target(g, path);
		break;
	case 1:
		item = add_item(g, ITEM_HARD, path);
		if (item)
			item->text = g->paths[lib];
		break;
	case 2:
		item = add_item(g, ITEM_COPY, path);
		if (item)
			item->text = g->paths[lib];
		break;
	case 3:
		if (gen_chance(g, 40)) {
			add_not_elf(g, path);
			break;
		}
		/* FALLTHROUGH */
	default:
		item = add_item(g, ITEM_ELF, path);
		if (item)
			gen_library(g, &item->elf, g->sonames[lib]);
		break;
	}
}

static void choose_names(struct gen *g)
{
	for (uint32_t i = 0; i < g->n_libs; i++) {
		uint32_t kind = gen_below(g, 100);

		g->names[i] = ea_arena_printf(g->arena, "lib%u.so", i);
		if (kind < 45)
			g->sonames[i] = g->names[i];
		else if (kind < 65)
			g->sonames[i] = ea_arena_printf(g->arena, "lib%u.so.1", i);
		else if (kind < 70)
			g->sonames[i] =
				ea_arena_printf(g->arena, "lib%u.so", gen_below(g, g->n_libs));
		g->paths[i] = ea_arena_printf(g->arena, "%s/%s", gen_dir(g), g->names[i]);
	}
}

static void choose_dirs(struct gen *g)
{
	static const char *const own[] = { "/c/a", "/c/b", "/c/d", "/c/e", "/c/a/b" };

	g->n_dirs = 0;
	for (uint32_t i = 0; i < EA_ARRAY_SIZE(own); i++)
		if (i < 2 || gen_chance(g, 40))
			g->dirs[g->n_dirs++] = own[i];
	if (gen_chance(g, 30))
		g->dirs[g->n_dirs++] = "/usr/lib";
	if (gen_chance(g, 20))
		g->dirs[g->n_dirs++] = g->lib_dir;
}

static void add_libraries(struct gen *g)
{
	uint32_t n_twins = gen_below(g, 6);

	for (uint32_t i = 0; i < g->n_libs; i++) {
		struct item *item = add_item(g, ITEM_ELF, g->paths[i]);

		if (item)
			gen_library(g, &item->elf, g->sonames[i]);
	}
	for (uint32_t i = 0; i < n_twins; i++)
		add_twin(g, gen_below(g, g->n_libs));
	if (gen_chance(g, 10))
		add_item(g, ITEM_LINK, "/c/link")->text = "a";
	if (gen_chance(g, 5))
		add_item(g, ITEM_LINK, "/c/loop")->text = "loop";
	if (gen_chance(g, 15))
		add_item(g, ITEM_TEXT, "/c/file")->text = "a file";
	if (gen_chance(g, 15))
		add_item(g, ITEM_DIR, "/c/empty");
}

/* ---- the rest ------------------------------------------------------------------------------ */

/*
 * Bytes of the header, the entries or anywhere. Not the count of entries: what a loader reads that
 * believes a wrong one depends on what lies behind the file in memory.
 */
static void spoil_cache(struct gen *g, uint32_t n_entries)
{
	uint32_t header = 0;

	if (ea_streq(g->test->cache_form, "compat"))
		header = (16 + n_entries * 12 + 7) & ~7u;
	for (uint32_t n = 1 + gen_below(g, 3); n > 0; n--) {
		uint32_t offset = gen_below(g, gen_chance(g, 40)   ? header + 48
					       : gen_chance(g, 50) ? header + 240
								   : 999);
		struct elf_poke *poke;

		if ((offset >= 12 && offset < 16) ||
		    (offset >= header + 20 && offset < header + 24))
			continue;
		poke = ea_vec_add(&g->test->spoilt, g->arena);
		/* No newlines: paths with them cannot be told in the loader's messages. */
		*poke = (struct elf_poke){ offset, (uint8_t)(11 + gen_below(g, 255)) };
	}
}

static void add_cache(struct gen *g)
{
	static const char *const folders[] = { "x86-64-v2", "x86-64-v3", "x86-64-v4", "other" };
	static const uint64_t hwcaps[] = {
		2, 4, 0x10, UINT64_C(1) << 50, UINT64_C(1) << 51, UINT64_C(1) << 63
	};
	uint32_t n = 1 + gen_below(g, 8);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t lib = gen_below(g, g->n_libs);
		struct item *item = ea_vec_add(&g->test->items, g->arena);

		item->kind = ITEM_CACHE;
		item->path = g->sonames[lib] && gen_chance(g, 70) ? g->sonames[lib] : g->names[lib];
		item->text = gen_chance(g, 70) ? g->paths[lib] : gen_path(g);
		if (gen_chance(g, 15))
			item->folder = PICK(g, folders);
		else if (gen_chance(g, 10))
			item->hwcap = PICK(g, hwcaps);
		if (gen_chance(g, 5))
			item->flags = gen_chance(g, 50) ? 3 : 0x803;
		if (gen_chance(g, 5))
			item->osversion = 0x630000;
	}
	if (gen_chance(g, 20))
		g->test->cache_form = gen_chance(g, 50) ? "old" : "compat";
	if (gen_chance(g, 5))
		spoil_cache(g, n);
}

static void set_env(struct gen *g, const char *name, const char *value)
{
	struct variable *variable = ea_vec_add(&g->test->env, g->arena);

	variable->name = name;
	variable->value = value;
}

static const char *name_list(struct gen *g, const char *separators)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	uint32_t n = 1 + gen_below(g, 3);

	for (uint32_t i = 0; i < n; i++) {
		ea_buf_add_text(&text, gen_name(g));
		if (i + 1 < n || gen_chance(g, 20))
			ea_buf_add_char(&text,
					separators[gen_below(g, (uint32_t)strlen(separators))]);
	}
	return ea_arena_dup_str(g->arena, ea_buf_str(&text));
}

static void add_environment(struct gen *g)
{
	static const char *const tunables[] = { "glibc.rtld.execstack=2", "glibc.rtld.execstack=1",
						"glibc.malloc.check=1", "" };

	if (gen_chance(g, 50))
		set_env(g, "LD_LIBRARY_PATH", gen_chance(g, 95) ? gen_path_list(g, ":::;") : "");
	if (gen_chance(g, 20))
		set_env(g, "LD_PRELOAD", name_list(g, " :"));
	if (gen_chance(g, 10))
		set_env(g, "LD_BIND_NOW", gen_chance(g, 80) ? "1" : "");
	if (gen_chance(g, 4))
		set_env(g, "LD_DYNAMIC_WEAK", "");
	if (gen_chance(g, 2))
		set_env(g, "GLIBC_TUNABLES", PICK(g, tunables));
	if (gen_chance(g, 40))
		g->test->cwd = gen_chance(g, 80) ? "/c" : "/c/a";
	if (gen_chance(g, 4)) {
		struct item *item = add_item(g, ITEM_TEXT, "/etc/ld.so.preload");

		item->text = ea_arena_printf(g->arena, "%s%s", name_list(g, " \n:\t"),
					     gen_chance(g, 30) ? "# comment\n" : "");
	}
}

static void add_program(struct gen *g)
{
	struct elf_spec *program = &g->test->program;

	gen_needed(g, program);
	gen_tags(g, program);
	gen_defs(g, program);
	if (gen_chance(g, 50))
		gen_undefs(g, program);
	if (gen_chance(g, 5))
		program->flags_1 |= DF_1_NODEFLIB;
	if (gen_chance(g, 10))
		program->flags |= DF_BIND_NOW;
	if (gen_chance(g, 3))
		program->stack = ELF_STACK_EXEC;
}

static void add_openings(struct gen *g)
{
	uint32_t n = 1 + gen_below(g, 6);

	for (uint32_t i = 0; i < n; i++) {
		struct opening *opening = ea_vec_add(&g->test->openings, g->arena);

		opening->name = gen_name(g);
		opening->flags = gen_chance(g, 60) ? RTLD_NOW : gen_chance(g, 98) ? RTLD_LAZY : 0;
		if (gen_chance(g, 30))
			opening->flags |= RTLD_GLOBAL;
		if (gen_chance(g, 6))
			opening->flags |= RTLD_NOLOAD;
		if (gen_chance(g, 6))
			opening->flags |= RTLD_DEEPBIND;
		if (gen_chance(g, 4))
			opening->flags |= RTLD_NODELETE;
		if (i > 0 && gen_chance(g, 50))
			opening->from = gen_path(g);
	}
}

struct test_case *gen_case(struct ea_arena *arena, uint64_t seed, const char *lib_dir)
{
	struct gen g = { .arena = arena, .state = seed * 2 + 1, .lib_dir = lib_dir };

	for (int i = 0; i < 8; i++)
		gen_below(&g, 1);
	g.test = ea_arena_new(arena, struct test_case);
	g.test->name = ea_arena_printf(arena, "seed-%llu", (unsigned long long)seed);
	g.lib_filters = gen_chance(&g, 10);
	g.program_filters = !g.lib_filters && gen_chance(&g, 5);
	g.n_libs = 2 + gen_below(&g, MAX_LIBS - 2);
	choose_dirs(&g);
	choose_names(&g);
	/* Names that are asked for may be paths of libraries that come later. */
	for (uint32_t i = 0; i < g.n_libs; i++)
		g.all_paths[g.n_paths++] = g.paths[i];
	add_libraries(&g);
	if (gen_chance(&g, 35))
		add_cache(&g);
	add_environment(&g);
	add_program(&g);
	add_openings(&g);
	return g.test;
}
