/* elf/fatbin: entries are counted by kind and architecture; damage is a gap and does no harm. */
#include "unit.h"

#include <elf.h>

#include "elf/elf.h"
#include "elf_memory.h"

/* An ELF file with one section of fatbins, as its makers describe the form. */
struct image {
	uint8_t bytes[8192];
	size_t len;
	size_t container; /* where the last container begins */
};

#define FATBIN_AT 0x200u

static void put(struct image *image, const void *ptr, size_t len)
{
	assert_true(image->len + len <= sizeof(image->bytes));
	memcpy(image->bytes + image->len, ptr, len);
	image->len += len;
}

static void put16(struct image *image, uint16_t v)
{
	put(image, &v, sizeof(v));
}

static void put32(struct image *image, uint32_t v)
{
	put(image, &v, sizeof(v));
}

static void put64(struct image *image, uint64_t v)
{
	put(image, &v, sizeof(v));
}

static void put_zeros(struct image *image, size_t n)
{
	assert_true(image->len + n <= sizeof(image->bytes));
	image->len += n;
}

static void start_container(struct image *image)
{
	image->container = image->len;
	put32(image, 0xba55ed50);
	put16(image, 1);  /* version */
	put16(image, 16); /* header size */
	put64(image, 0);  /* size of the entries: end_container() */
}

static void end_container(struct image *image)
{
	uint64_t size = image->len - image->container - 16;

	memcpy(image->bytes + image->container + 8, &size, sizeof(size));
}

static void put_entry(struct image *image, uint16_t kind, uint32_t arch, uint64_t flags,
		      uint32_t header, uint64_t payload)
{
	size_t start = image->len;

	put16(image, kind);
	put16(image, 0x0101);
	put32(image, header);
	put64(image, payload);
	put_zeros(image, 12);
	put32(image, arch);
	put_zeros(image, 8);
	put64(image, flags);
	put_zeros(image, start + header + payload - image->len);
}

static void start_image(struct image *image)
{
	*image = (struct image){ .len = FATBIN_AT };
}

/* Header, one segment and the section table around what was put. */
static void end_image(struct image *image, const char *section)
{
	static const char names[] = "\0.shstrtab\0.nv_fatbin\0__nv_relfatbin";
	size_t end = image->len, table;
	Elf64_Ehdr header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			      .e_type = ET_DYN,
			      .e_machine = EM_X86_64,
			      .e_version = 1,
			      .e_phoff = sizeof(header),
			      .e_ehsize = sizeof(header),
			      .e_phentsize = sizeof(Elf64_Phdr),
			      .e_phnum = 1,
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = 3,
			      .e_shstrndx = 1 };
	Elf64_Phdr load = {
		.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = end, .p_memsz = end, .p_align = 4096
	};
	Elf64_Shdr sections[3] = { { 0 } };

	put(image, names, sizeof(names));
	put_zeros(image, -image->len & 7);
	table = image->len;
	sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = end, .sh_size = sizeof(names)
	};
	sections[2] = (Elf64_Shdr){ .sh_name = section[0] == '.' ? 11 : 22,
				    .sh_type = SHT_PROGBITS,
				    .sh_offset = FATBIN_AT,
				    .sh_size = end - FATBIN_AT };
	put(image, sections, sizeof(sections));
	header.e_shoff = table;
	memcpy(image->bytes, &header, sizeof(header));
	memcpy(image->bytes + sizeof(header), &load, sizeof(load));
}

struct reading {
	struct memory_file m;
	struct ea_arena arena;
	struct ea_gaps gaps;
	struct ea_elf elf;
};

static void read_image(struct reading *r, const uint8_t *bytes, size_t size)
{
	*r = (struct reading){ 0 };
	memory_file_init(&r->m, bytes, size);
	r->gaps.arena = &r->arena;
	assert_int_equal(ea_elf_read(&r->m.file, "/x", &r->arena, &r->gaps, &r->elf), 0);
	if (r->elf.format == EA_FORMAT_ELF)
		assert_int_equal(ea_elf_read_arches(&r->m.file, "/x", &r->arena, &r->gaps, &r->elf),
				 0);
}

static void make_sample(struct image *image, const char *section)
{
	start_image(image);
	start_container(image);
	put_entry(image, 2, 90, 0x11, 64, 40);
	put_entry(image, 2, 90, 0x100011, 72, 0);
	put_entry(image, 1, 120, 0x8011, 240, 16);
	end_container(image);
	put_zeros(image, 24);
	start_container(image);
	put_entry(image, 2, 90, 0x11, 120, 8);
	put_entry(image, 2, 100, 0x1200011, 64, 8);
	put_entry(image, 8, 80, 0x18011, 64, 8);
	put_entry(image, 77, 80, 0, 64, 8); /* a kind that is not known */
	end_container(image);
	put_zeros(image, 8);
	end_image(image, section);
}

static void check_sample(const struct ea_elf *elf)
{
	static const struct {
		const char *text;
		uint32_t entries;
	} want[] = { { "sm_90", 2 },
		     { "sm_90a", 1 },
		     { "sm_100f", 1 },
		     { "compute_120", 1 },
		     { "lto_80", 1 } };
	char text[24];

	assert_true(elf->arches_read);
	assert_int_equal(elf->n_arches, EA_ARRAY_SIZE(want));
	for (size_t i = 0; i < EA_ARRAY_SIZE(want); i++) {
		assert_string_equal(ea_gpu_arch_text(&elf->arches[i], text), want[i].text);
		assert_int_equal(elf->arches[i].entries, want[i].entries);
	}
}

static void entries_are_counted(void **state)
{
	static const char *const sections[] = { ".nv_fatbin", "__nv_relfatbin" };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(sections); i++) {
		struct image image;
		struct reading r;

		make_sample(&image, sections[i]);
		read_image(&r, image.bytes, image.len);
		check_sample(&r.elf);
		assert_int_equal(r.gaps.list.n, 0);
		ea_arena_release(&r.arena);
	}
}

static void a_file_without_gpu_code_has_none(void **state)
{
	struct image image;
	struct reading r;

	(void)state;
	start_image(&image);
	put_zeros(&image, 64);
	end_image(&image, ".nv_fatbin");
	read_image(&r, image.bytes, image.len);
	assert_true(r.elf.arches_read);
	assert_int_equal(r.elf.n_arches, 0);
	assert_int_equal(r.gaps.list.n, 0);
	ea_arena_release(&r.arena);
}

static void damage_is_a_gap(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} cases[] = {
		{ FATBIN_AT, 0x12345678 },	    /* magic of the first container */
		{ FATBIN_AT + 4, 0x00080001 },	    /* its header is too small */
		{ FATBIN_AT + 8, 0x7fffffff },	    /* its size leads out of the section */
		{ FATBIN_AT + 8, 96 },		    /* its size ends inside of an entry */
		{ FATBIN_AT + 16 + 4, 8 },	    /* an entry's header is too small */
		{ FATBIN_AT + 16 + 8, 0xffffffff }, /* its payload too large */
		{ FATBIN_AT + 16 + 12, 0xffffffff },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct image image;
		struct reading r;

		make_sample(&image, ".nv_fatbin");
		memcpy(image.bytes + cases[i].at, &cases[i].value, sizeof(cases[i].value));
		read_image(&r, image.bytes, image.len);
		assert_int_equal(r.gaps.list.n, 1);
		assert_int_equal(r.gaps.list.items[0].kind, EA_GAP_UNREAD);
		assert_string_equal(r.gaps.list.items[0].reason,
				    "has GPU code that is damaged or of an unknown form");
		ea_arena_release(&r.arena);
	}
}

static void no_byte_and_no_cut_does_harm(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct image image;
	struct reading r;

	(void)state;
	make_sample(&image, ".nv_fatbin");
	for (size_t size = 4; size <= image.len; size++) {
		uint8_t *copy = malloc(size);

		memcpy(copy, image.bytes, size);
		read_image(&r, copy, size);
		ea_arena_release(&r.arena);
		free(copy);
	}
	for (size_t at = 4; at < image.len; at++) {
		uint8_t was = image.bytes[at];

		for (size_t i = 0; i < EA_ARRAY_SIZE(values); i++) {
			image.bytes[at] = values[i];
			read_image(&r, image.bytes, image.len);
			ea_arena_release(&r.arena);
		}
		image.bytes[at] = was;
	}
}

/* Descriptors in the data of a file that is not relocated. */
static void descriptors_replace_sections(void **state)
{
	struct image image;
	struct reading r;
	Elf64_Ehdr *header;
	Elf64_Phdr load;

	(void)state;
	start_image(&image);
	start_container(&image);
	put_entry(&image, 2, 90, 0x11, 64, 40);
	end_container(&image);
	put_zeros(&image, 0x400 - image.len);
	put32(&image, 0x466243b1);
	put32(&image, 1);
	put64(&image, FATBIN_AT);
	put64(&image, 0);
	end_image(&image, ".nv_fatbin");
	header = (Elf64_Ehdr *)(void *)image.bytes;
	header->e_shoff = 0;
	header->e_shnum = 0;
	memcpy(&load, image.bytes + sizeof(*header), sizeof(load));
	load.p_flags |= PF_W;
	memcpy(image.bytes + sizeof(*header), &load, sizeof(load));
	read_image(&r, image.bytes, image.len);
	assert_int_equal(r.elf.n_arches, 1);
	assert_int_equal(r.elf.arches[0].arch, 90);
	assert_int_equal(r.gaps.list.n, 0);
	ea_arena_release(&r.arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_counted),
		cmocka_unit_test(a_file_without_gpu_code_has_none),
		cmocka_unit_test(damage_is_a_gap),
		cmocka_unit_test(no_byte_and_no_cut_does_harm),
		cmocka_unit_test(descriptors_replace_sections),
	};

	ea_elf_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
