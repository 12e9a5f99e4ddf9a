/* elf/read: what is no ELF file, cuts at every length, damaged headers, failing reads. */
#include "unit.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "elf/elf.h"
#include "elf_memory.h"

/* The tests' own program, which the linker has made well. */
static struct ea_buf sample;

struct reading {
	struct memory_file m;
	struct ea_arena arena;
	struct ea_gaps gaps;
	struct ea_elf elf;
};

static int read_bytes(struct reading *r, const void *bytes, size_t size)
{
	memory_file_init(&r->m, bytes, size);
	r->arena = (struct ea_arena){ 0 };
	r->gaps = (struct ea_gaps){ .arena = &r->arena };
	return ea_elf_read(&r->m.file, "/x/libx.so", &r->arena, &r->gaps, &r->elf);
}

static void release(struct reading *r)
{
	ea_arena_release(&r->arena);
}

#define EXPECT_FORMAT(text, want) expect_format((text), sizeof(text) - 1, EA_FORMAT_##want)

static void expect_format(const char *text, size_t size, enum ea_format want)
{
	struct reading r = { 0 };
	/* On the heap and of the right size, so that reading behind the end is seen. */
	char *copy = malloc(size + !size);

	memcpy(copy, text, size);
	assert_int_equal(read_bytes(&r, copy, size), 0);
	assert_string_equal(ea_format_names[r.elf.format], ea_format_names[want]);
	assert_int_equal(r.elf.faults, EA_FAULT(NOT_ELF));
	assert_int_equal(r.elf.size, size);
	assert_int_equal(r.gaps.list.n, 0);
	free(copy);
	release(&r);
}

static void other_contents_are_told_apart(void **state)
{
	(void)state;
	EXPECT_FORMAT("", EMPTY);
	EXPECT_FORMAT("\x7f"
		      "EL",
		      DATA);
	EXPECT_FORMAT("INPUT(libtinfo.so.6 -ltinfo)\n", LINKER_SCRIPT);
	EXPECT_FORMAT("  GROUP ( /lib/libc.so.6 )", LINKER_SCRIPT);
	EXPECT_FORMAT("/* GNU ld script\n   Use the shared library */\nOUTPUT_FORMAT(elf64-x86-64)",
		      LINKER_SCRIPT);
	EXPECT_FORMAT("/* made by hand */ /* twice */\nVERSION\n{ A { global: x; }; }",
		      LINKER_SCRIPT);
	EXPECT_FORMAT("INPUTS(x)", TEXT);
	EXPECT_FORMAT("/* not closed", TEXT);
	EXPECT_FORMAT("libcudnn.so.9", TEXT);
	EXPECT_FORMAT("libcudnn.so.9\0", DATA);
	EXPECT_FORMAT("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
		      LFS_POINTER);
	EXPECT_FORMAT("\n <!DOCTYPE html><html>", HTML);
	EXPECT_FORMAT("\xef\xbb\xbf<HTML lang=en>", HTML);
	EXPECT_FORMAT("<?xml version=\"1.0\"?>\n<html>", HTML);
	EXPECT_FORMAT("<?xml version=\"1.0\"?><Error>", TEXT);
	EXPECT_FORMAT("!<arch>\n/               0           ", ARCHIVE);
	EXPECT_FORMAT("!<thin>\n", ARCHIVE);
	EXPECT_FORMAT("\xcf\xfa\xed\xfe\x07\0\0\1", MACHO);
	EXPECT_FORMAT("\xfe\xed\xfa\xce\0\0\0\x12", MACHO);
	EXPECT_FORMAT("\xca\xfe\xba\xbe\0\0\0\2\1\0\0\7", MACHO);
	EXPECT_FORMAT("\xca\xfe\xba\xbe\0\0\0\x41", DATA); /* a Java class */
	EXPECT_FORMAT("\x1f\x8b\x08\0\0\0\0\0", COMPRESSED);
	EXPECT_FORMAT("\xfd"
		      "7zXZ\0\0\4",
		      COMPRESSED);
	EXPECT_FORMAT("\x28\xb5\x2f\xfd\0", COMPRESSED);
	EXPECT_FORMAT("PK\3\4\x14\0\0\0", COMPRESSED);
	EXPECT_FORMAT("\x01\x02\x03", DATA);
}

static void a_windows_library_is_pe(void **state)
{
	char image[256] = "MZ";

	(void)state;
	image[60] = (char)128;
	expect_format(image, sizeof(image), EA_FORMAT_DATA);
	memcpy(image + 128, "PE\0\0", 4);
	expect_format(image, sizeof(image), EA_FORMAT_PE);
	expect_format(image, 100, EA_FORMAT_PE);
}

/* The faults that the gABI makes of SIZE bytes of a good 64-bit file. */
static uint32_t faults_of_cut(size_t size, const Elf64_Ehdr *header, uint64_t load_end)
{
	uint32_t faults = 0;

	if (size < sizeof(*header))
		return EA_FAULT(TOO_SHORT);
	if (size < header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize)
		faults |= EA_FAULT(CUT_SECTIONS);
	if (size < header->e_phoff + (uint64_t)header->e_phnum * header->e_phentsize)
		return faults | EA_FAULT(CUT_PHDRS);
	if (size < load_end)
		faults |= EA_FAULT(CUT_SEGMENTS);
	return faults;
}

static void cuts_are_seen_at_every_length(void **state)
{
	const Elf64_Ehdr *header = (const void *)sample.ptr;
	const Elf64_Phdr *phdrs = (const void *)(sample.ptr + header->e_phoff);
	uint64_t load_end = 0;

	(void)state;
	for (int i = 0; i < header->e_phnum; i++)
		if (phdrs[i].p_type == PT_LOAD && phdrs[i].p_offset + phdrs[i].p_filesz > load_end)
			load_end = phdrs[i].p_offset + phdrs[i].p_filesz;
	/* Every length of the first pages, then a step that meets no structure's size. */
	for (size_t size = 4; size <= sample.len; size += size < 8192 ? 1 : 1021) {
		struct reading r = { 0 };
		char *copy = malloc(size);

		memcpy(copy, sample.ptr, size);
		assert_int_equal(read_bytes(&r, copy, size), 0);
		assert_int_equal(r.elf.format, EA_FORMAT_ELF);
		assert_int_equal(r.elf.faults, faults_of_cut(size, header, load_end));
		assert_int_equal(r.gaps.list.n, 0);
		free(copy);
		release(&r);
	}
}

static void a_whole_file_has_no_fault(void **state)
{
	struct reading r = { 0 };
	char *copy = malloc(sample.len);

	(void)state;
	memcpy(copy, sample.ptr, sample.len);
	assert_int_equal(read_bytes(&r, copy, sample.len), 0);
	assert_int_equal(r.elf.faults, 0);
	assert_int_equal(r.elf.ino, 42);
	assert_int_equal(r.elf.dev, 7);
	assert_true(r.elf.n_needed > 0);
	assert_true(r.elf.n_verneeds > 0);
	assert_non_null(r.elf.interp);
	assert_true(r.m.reads <= 8);
	free(copy);
	release(&r);
}

static void damaged_headers_are_named(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		uint32_t faults;
	} cases[] = {
		{ EI_CLASS, 0, EA_FAULT(BAD_HEADER) },
		{ EI_CLASS, 3, EA_FAULT(BAD_HEADER) },
		{ EI_DATA, 0, EA_FAULT(BAD_HEADER) },
		{ EI_DATA, 3, EA_FAULT(BAD_HEADER) },
		{ EI_VERSION, 0, EA_FAULT(BAD_HEADER) },
		{ EI_OSABI, ELFOSABI_GNU, 0 },
		{ EI_OSABI, ELFOSABI_FREEBSD, EA_FAULT(BAD_HEADER) },
		{ EI_OSABI, ELFOSABI_ARM, EA_FAULT(BAD_HEADER) },
		{ EI_PAD, 1, EA_FAULT(BAD_HEADER) },
		{ EI_NIDENT - 1, 1, EA_FAULT(BAD_HEADER) },
		{ offsetof(Elf64_Ehdr, e_version), 2, EA_FAULT(BAD_HEADER) },
		{ offsetof(Elf64_Ehdr, e_phentsize), 32, EA_FAULT(BAD_HEADER) },
		{ offsetof(Elf64_Ehdr, e_phoff) + 7, 0x80, EA_FAULT(CUT_PHDRS) },
		{ offsetof(Elf64_Ehdr, e_phnum) + 1, 0xff, EA_FAULT(CUT_PHDRS) },
		{ offsetof(Elf64_Ehdr, e_shoff) + 7, 0x80, EA_FAULT(CUT_SECTIONS) },
		{ offsetof(Elf64_Ehdr, e_machine), EM_S390, 0 },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct reading r = { 0 };
		/* 3 MiB behind the headers keep a large e_phnum inside of nothing. */
		uint8_t *copy = malloc(sample.len);

		memcpy(copy, sample.ptr, sample.len);
		copy[cases[i].at] = cases[i].value;
		assert_int_equal(read_bytes(&r, copy, sample.len), 0);
		assert_int_equal(r.elf.faults, cases[i].faults);
		free(copy);
		release(&r);
	}
}

/* As readelf prints the segments of a program for FreeBSD: no loader here takes it, but its tables
 * are whole. */
static void another_system_leaves_the_tables_readable(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
	} cases[] = { { EI_OSABI, ELFOSABI_FREEBSD }, { EI_PAD, 1 } };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct reading r = { 0 }, whole = { 0 };
		uint8_t *copy = malloc(sample.len);

		memcpy(copy, sample.ptr, sample.len);
		assert_int_equal(read_bytes(&whole, copy, sample.len), 0);
		copy[cases[i].at] = cases[i].value;
		assert_int_equal(read_bytes(&r, copy, sample.len), 0);
		assert_true(whole.elf.n_loads > 0);
		assert_int_equal(r.elf.n_loads, whole.elf.n_loads);
		assert_int_equal(r.elf.has_dynamic, whole.elf.has_dynamic);
		free(copy);
		release(&r);
		release(&whole);
	}
}

/* Symbols too: whatever the bytes say, reading ends, inside the file. */
static int count(void *arg, const struct ea_symbol *symbol)
{
	(*(uint32_t *)arg)++;
	return symbol->name == NULL;
}

static void use_everything(const uint8_t *bytes, size_t size)
{
	struct reading r = { 0 };
	const struct ea_undefined *undefined;
	struct ea_symbol found[4];
	struct ea_symtab *table;
	uint32_t n = 0;

	assert_int_equal(read_bytes(&r, bytes, size), 0);
	if (r.elf.format == EA_FORMAT_ELF &&
	    ea_symtab_open(&r.m.file, &r.elf, &r.arena, &table) == 0) {
		(void)ea_symtab_each(table, count, &n);
		(void)ea_symtab_undefined(table, &undefined);
		(void)ea_symtab_lookup(table, "memcpy", ea_symtab_gnu_hash("memcpy"), found, 4);
		ea_symtab_close(table);
	}
	release(&r);
}

static void no_flipped_byte_does_harm(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	uint8_t *copy = malloc(sample.len);
	const Elf64_Ehdr *header = (const void *)sample.ptr;
	const Elf64_Phdr *phdrs = (const void *)(sample.ptr + header->e_phoff);
	size_t dynamic = 0, dynamic_end = 0;

	(void)state;
	for (int i = 0; i < header->e_phnum; i++)
		if (phdrs[i].p_type == PT_DYNAMIC) {
			dynamic = phdrs[i].p_offset;
			dynamic_end = dynamic + phdrs[i].p_filesz;
		}
	memcpy(copy, sample.ptr, sample.len);
	/* The first page with headers, notes and hash table, then the dynamic section. */
	for (size_t at = 4; at < dynamic_end; at++) {
		if (at == 2048)
			at = dynamic;
		for (size_t i = 0; i < EA_ARRAY_SIZE(values); i++) {
			copy[at] = values[i];
			use_everything(copy, sample.len);
		}
		copy[at] = (uint8_t)sample.ptr[at];
	}
	free(copy);
}

static void failing_reads_are_gaps(void **state)
{
	struct reading r = { 0 };

	(void)state;
	memory_file_init(&r.m, sample.ptr, sample.len);
	r.gaps.arena = &r.arena;
	r.m.error = -EIO;
	assert_int_equal(ea_elf_read(&r.m.file, "/x", &r.arena, &r.gaps, &r.elf), 0);
	assert_int_equal(r.elf.format, EA_FORMAT_UNREAD);
	assert_int_equal(r.gaps.list.n, 1);
	assert_string_equal(r.gaps.list.items[0].reason, "cannot be read: Input/output error");
	assert_int_equal(r.gaps.list.items[0].kind, EA_GAP_UNREAD);

	/* Only the header could be read. */
	r.m.fail_at = 4096;
	assert_int_equal(ea_elf_read(&r.m.file, "/x", &r.arena, &r.gaps, &r.elf), 0);
	assert_int_equal(r.elf.format, EA_FORMAT_ELF);
	assert_int_equal(r.gaps.list.n, 2);

	/* A stream that has to be passed over once more gives no gap, and all facts at the end. */
	r.m.error = -EA_E_AGAIN;
	assert_int_equal(ea_elf_read(&r.m.file, "/x", &r.arena, &r.gaps, &r.elf), -EA_E_AGAIN);
	r.m.error = 0;
	assert_int_equal(ea_elf_read(&r.m.file, "/x", &r.arena, &r.gaps, &r.elf), 0);
	assert_int_equal(r.gaps.list.n, 2);
	assert_true(r.elf.n_needed > 0);

	/* It becomes shorter between stat and read. */
	r.m.end = 4096;
	assert_int_equal(ea_elf_read(&r.m.file, "/x", &r.arena, &r.gaps, &r.elf), 0);
	assert_string_equal(r.gaps.list.items[2].reason,
			    "cannot be read: it became shorter meanwhile");
	release(&r);
}

static void a_table_waits_for_its_stream(void **state)
{
	struct reading r = { 0 };
	const struct ea_undefined *undefined;
	struct ea_symtab *table;
	struct ea_symbol found;
	const char *name;
	long n;

	(void)state;
	assert_int_equal(read_bytes(&r, sample.ptr, sample.len), 0);
	assert_int_equal(ea_symtab_open(&r.m.file, &r.elf, &r.arena, &table), 0);
	r.m.error = -EA_E_AGAIN;
	assert_int_equal(ea_symtab_undefined(table, &undefined), -EA_E_AGAIN);
	r.m.error = 0;
	n = ea_symtab_undefined(table, &undefined);
	assert_true(n > 0);
	/* Undefined symbols stand in front of the hash table. */
	name = undefined[0].symbol.name;
	assert_int_equal(ea_symtab_lookup(table, name, ea_symtab_gnu_hash(name), &found, 1), 0);
	ea_symtab_close(table);
	release(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_contents_are_told_apart),
		cmocka_unit_test(a_windows_library_is_pe),
		cmocka_unit_test(a_whole_file_has_no_fault),
		cmocka_unit_test(cuts_are_seen_at_every_length),
		cmocka_unit_test(damaged_headers_are_named),
		cmocka_unit_test(another_system_leaves_the_tables_readable),
		cmocka_unit_test(no_flipped_byte_does_harm),
		cmocka_unit_test(failing_reads_are_gaps),
		cmocka_unit_test(a_table_waits_for_its_stream),
	};
	int failed;

	ea_elf_init();
	memory_load("/proc/self/exe", &sample);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ea_buf_release(&sample);
	return failed;
}
