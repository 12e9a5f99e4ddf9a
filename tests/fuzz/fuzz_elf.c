/*
 * libFuzzer target: everything that elf/ reads of a file. Nothing of it can fail in memory. Seeds:
 * any small libraries and programs. tests/fuzz/replay.c runs the same function without libFuzzer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "elf/elf.h"
#include "elf_memory.h"
#include "fuzz_target.h"

/* One getter of each kind, for names that real libraries have too. */
static struct ea_getter getters[] = {
	{ .kind = EA_GETTER_BUILD_ID },
	{ .kind = EA_GETTER_SONAME },
	{ .kind = EA_GETTER_OBJECT, .symbol = "table_version", .encoding = EA_ENCODING_BYTES },
	{ .kind = EA_GETTER_CODE, .symbol = "function", .min = 1, .max = UINT32_MAX, .follow = 8 },
	{ .kind = EA_GETTER_STORES, .symbol = "function", .count = 2 },
	{ .kind = EA_GETTER_PROPERTY, .symbol = "address" },
	{ .kind = EA_GETTER_STRUCT, .symbol = "address", .count = 3 },
	{ .kind = EA_GETTER_SYMBOL, .symbol = "old_" },
	{ .kind = EA_GETTER_VERDEF, .symbol = "NEW_" },
	{ .kind = EA_GETTER_BANNER, .section = ".comment", .size = 4096 },
};

static int use_symbol(void *arg, const struct ea_symbol *symbol)
{
	struct ea_symtab *table = arg;
	struct ea_symbol found[2];

	(void)ea_symtab_lookup(table, symbol->name, ea_symtab_gnu_hash(symbol->name), found, 2);
	return 0;
}

static void use_symbols(struct ea_file *file, const struct ea_elf *elf, struct ea_arena *arena)
{
	const struct ea_undefined *undefined;
	struct ea_symtab *table, *second;

	if (ea_symtab_open(file, elf, arena, &table))
		return;
	if (ea_symtab_open(file, elf, arena, &second) == 0) {
		(void)ea_symtab_each(table, use_symbol, second);
		ea_symtab_close(second);
	}
	(void)ea_symtab_undefined(table, &undefined);
	ea_symtab_close(table);
}

static void use_versions(struct ea_file *file, struct ea_arena *arena, struct ea_elf *elf)
{
	for (size_t i = 0; i < EA_ARRAY_SIZE(getters); i++) {
		struct ea_family family = { .name = "fuzz",
					    .compat_note = true,
					    .getters = { .items = &getters[i], .n = 1, .cap = 1 } };

		elf->claims = NULL;
		if (ea_elf_read_version(file, &family, arena, elf))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ea_arena arena = { 0 };
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_elf elf = { 0 };
	struct memory_file m;

	memory_file_init(&m, data, size);
	if (ea_elf_read(&m.file, "/fuzz", &arena, &gaps, &elf))
		abort();
	if (elf.format == EA_FORMAT_ELF) {
		use_symbols(&m.file, &elf, &arena);
		use_versions(&m.file, &arena, &elf);
		if (ea_elf_read_arches(&m.file, "/fuzz", &arena, &gaps, &elf))
			abort();
	}
	ea_arena_release(&arena);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct ea_getter *banner = &getters[EA_ARRAY_SIZE(getters) - 1];
	struct ea_err err;

	(void)argc;
	(void)argv;
	ea_elf_init();
	return ea_pattern_new("version (\\d+\\.\\d+)", true, &banner->pattern, &err) ? 1 : 0;
}
