/*
 * elf_dump [-s | -v LIBRARIES.CFG] FILE…: what elf/ reads of each file, one fact a line, for
 * comparison with readelf. -s adds the dynamic symbols and the undefined ones that relocations use,
 * -v the family and what the file says of its version.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "elf/elf.h"
#include "matrix/libraries.h"

static void text(const char *key, const char *value)
{
	if (value)
		printf("%s %s\n", key, value);
}

static void texts(const char *key, const char *const *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		text(key, list[i]);
}

static void hex(const char *key, uint64_t value)
{
	printf("%s 0x%" PRIx64 "\n", key, value);
}

static void dump_header(const struct ea_elf *elf)
{
	printf("ident");
	for (unsigned i = 0; i < 16; i++)
		printf(" %02x", elf->ident[i]);
	printf("\ntype %u\nmachine %u\n", elf->type, elf->machine);
	hex("version", elf->version);
	hex("flags", elf->flags);
	printf("phoff %" PRIu64 "\nshoff %" PRIu64 "\nphentsize %u\nphnum %u\n", elf->phoff,
	       elf->shoff, elf->phentsize, elf->phnum);
	for (uint32_t i = 0; i < elf->n_loads; i++) {
		const struct ea_segment *s = &elf->loads[i];

		printf("load 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
		       " 0x%x 0x%" PRIx64 "\n",
		       s->offset, s->vaddr, s->filesz, s->memsz, s->flags, s->align);
	}
	text("interp", elf->interp);
	printf("stack %d\ntls %d\ndynamic %d\n", (int)elf->stack, elf->has_tls, elf->has_dynamic);
}

static void dump_dynamic(const struct ea_elf *elf)
{
	const struct ea_dynamic_tables *t = &elf->tables;

	text("soname", elf->soname);
	text("rpath", elf->rpath);
	text("runpath", elf->runpath);
	text("audit", elf->audit);
	text("depaudit", elf->depaudit);
	texts("needed", elf->needed, elf->n_needed);
	texts("filter", elf->filter, elf->n_filter);
	texts("auxiliary", elf->auxiliary, elf->n_auxiliary);
	hex("dt_flags", elf->dt_flags);
	hex("dt_flags_1", elf->dt_flags_1);
	hex("symtab", t->symtab);
	hex("strtab", t->strtab);
	hex("strsz", t->strsz);
	hex("gnu_hash", t->gnu_hash);
	hex("hash", t->hash);
	hex("versym", t->versym);
	hex("rela", t->rela);
	hex("relasz", t->relasz);
	hex("relacount", t->relacount);
	hex("rel", t->rel);
	hex("relsz", t->relsz);
	hex("relcount", t->relcount);
	hex("jmprel", t->jmprel);
	hex("pltrelsz", t->pltrelsz);
	printf("plt_is_rela %d\nrelr %d\n", t->plt_is_rela, t->relr);
}

static void dump_versions(const struct ea_elf *elf)
{
	for (uint32_t i = 0; i < elf->n_verdefs; i++)
		printf("verdef %u 0x%x %s\n", elf->verdefs[i].index, elf->verdefs[i].flags,
		       elf->verdefs[i].name);
	for (uint32_t i = 0; i < elf->n_verneeds; i++) {
		printf("verneed %s\n", elf->verneeds[i].file);
		for (uint32_t j = 0; j < elf->verneeds[i].n_aux; j++)
			printf("vernaux %u 0x%x %s\n", elf->verneeds[i].aux[j].index,
			       elf->verneeds[i].aux[j].flags, elf->verneeds[i].aux[j].name);
	}
}

static void dump_notes(const struct ea_elf *elf)
{
	if (elf->build_id_len)
		printf("build_id ");
	for (unsigned i = 0; i < elf->build_id_len; i++)
		printf("%02x%s", elf->build_id[i], i + 1 == elf->build_id_len ? "\n" : "");
	if (elf->has_abi_tag)
		printf("abi_tag %u %u.%u.%u\n", elf->abi_tag[0], elf->abi_tag[1], elf->abi_tag[2],
		       elf->abi_tag[3]);
	hex("isa_needed", elf->isa_needed);
	hex("features_1", elf->features_1);
}

static int dump_symbol(void *arg, const struct ea_symbol *s)
{
	struct ea_symtab *table = arg;
	struct ea_symbol found[64];
	long n;

	printf("symbol %u 0x%" PRIx64 " %" PRIu64 " %u %u %u %u 0x%x %s\n", s->index, s->value,
	       s->size, s->type, s->bind, s->visibility, s->shndx, s->versym, s->name);
	/* What is defined is found by its name, at its own index. */
	if (s->shndx == SHN_UNDEF || s->bind == STB_LOCAL)
		return 0;
	n = ea_symtab_lookup(table, s->name, ea_symtab_gnu_hash(s->name), found, 64);
	for (long i = 0; i < n; i++)
		if (found[i].index == s->index)
			return 0;
	printf("lost %u %s\n", s->index, s->name);
	return 0;
}

static int dump_symbols(struct ea_file *file, const struct ea_elf *elf, struct ea_arena *arena)
{
	static const char *const absent[] = { "", "no_such_symbol", "printf_", "\xff" };
	const struct ea_undefined *undefined;
	struct ea_symtab *table, *second;
	struct ea_symbol symbol;
	long n;
	int rc = ea_symtab_open(file, elf, arena, &table);

	if (rc)
		return rc < 0;
	if (ea_symtab_open(file, elf, arena, &second))
		return 1;
	rc = ea_symtab_each(table, dump_symbol, second);
	for (unsigned i = 0; i < EA_ARRAY_SIZE(absent); i++)
		if (ea_symtab_lookup(table, absent[i], ea_symtab_gnu_hash(absent[i]), &symbol, 1))
			printf("found %s\n", absent[i]);
	n = ea_symtab_undefined(table, &undefined);
	for (long i = 0; i < n; i++)
		printf("undefined %u %d %s\n", undefined[i].symbol.index, undefined[i].lazy,
		       undefined[i].symbol.name);
	ea_symtab_close(second);
	ea_symtab_close(table);
	return rc != 0 || n < 0;
}

static int dump_version(struct ea_file *file, const char *path,
			const struct ea_libraries *libraries, struct ea_arena *arena,
			struct ea_gaps *gaps, struct ea_elf *elf)
{
	char arch[24];
	const struct ea_family *family =
		ea_libraries_find(libraries, elf->soname, ea_path_base(path));
	int rc;

	rc = ea_elf_read_arches(file, path, arena, gaps, elf);
	for (uint32_t i = 0; i < elf->n_arches; i++)
		printf("arch %s %u\n", ea_gpu_arch_text(&elf->arches[i], arch),
		       elf->arches[i].entries);
	ea_vec_foreach(gap, &gaps->list)
		printf("gap %s\n", gap->reason);
	if (!family)
		return rc;
	printf("family %s\n", family->name);
	rc |= ea_elf_read_version(file, family, arena, elf);
	for (const struct ea_version_claim *c = elf->claims; c; c = c->next)
		printf("claim %s %s\n", ea_version_source_words[c->source], c->text);
	text("fwd_compat", elf->fwd_compat);
	return rc;
}

static int dump_file(const struct ea_root *root, const char *path, bool symbols,
		     const struct ea_libraries *libraries)
{
	struct ea_arena arena = { 0 };
	struct ea_gaps gaps = { .arena = &arena };
	struct ea_elf elf = { 0 };
	struct ea_file *file;
	int rc = ea_root_open(root, path, &file);

	printf("file %s\n", path);
	if (rc) {
		printf("error %s\n", strerror(-rc));
		return 1;
	}
	rc = ea_elf_read(file, path, &arena, &gaps, &elf);
	printf("format %s\n", ea_format_names[elf.format]);
	for (int i = 0; i < EA_FAULT_COUNT; i++)
		if (elf.faults & (1u << i))
			printf("fault %s\n", ea_fault_words[i]);
	ea_vec_foreach(gap, &gaps.list)
		printf("gap %s\n", gap->reason);
	if (elf.format == EA_FORMAT_ELF) {
		dump_header(&elf);
		dump_dynamic(&elf);
		dump_versions(&elf);
		dump_notes(&elf);
	}
	if (symbols && elf.format == EA_FORMAT_ELF)
		rc |= dump_symbols(file, &elf, &arena);
	if (libraries && elf.format == EA_FORMAT_ELF)
		rc |= dump_version(file, path, libraries, &arena, &gaps, &elf);
	ea_file_close(file);
	ea_arena_release(&arena);
	return rc != 0;
}

int main(int argc, char **argv)
{
	bool symbols = argc > 1 && strcmp(argv[1], "-s") == 0;
	bool versions = argc > 2 && strcmp(argv[1], "-v") == 0;
	struct ea_libraries *libraries = NULL;
	struct ea_root *root = ea_root_host();
	struct ea_err err;
	int failed = 0;

	ea_elf_init();
	if (versions && ea_libraries_load(argv[2], &libraries, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	for (int i = versions ? 3 : symbols ? 2 : 1; i < argc; i++)
		failed |= dump_file(root, argv[i], symbols, libraries);
	ea_libraries_free(libraries);
	ea_root_free(root);
	return failed;
}
