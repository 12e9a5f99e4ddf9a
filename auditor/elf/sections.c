/* The section header table. */
#include "elf/sections.h"

#include <string.h>

#define SECTIONS_MAX 65536u

struct section_table {
	uint64_t off, count, entsize;
	Elf64_Shdr strings;
};

static bool header_at(struct ea_image *image, const struct section_table *table, uint64_t index,
		      Elf64_Shdr *ret)
{
	return index < table->count &&
	       ea_image_shdr(image, table->off + index * table->entsize, ret);
}

static bool open_table(struct ea_image *image, struct section_table *ret)
{
	uint64_t names;
	Elf64_Ehdr header;
	Elf64_Shdr first;

	if (!ea_image_ehdr(image, &header) || !header.e_shoff ||
	    header.e_shentsize != ea_image_shdr_size(image))
		return false;
	*ret = (struct section_table){ .off = header.e_shoff,
				       .count = 1,
				       .entsize = header.e_shentsize };
	if (!header_at(image, ret, 0, &first))
		return false;
	/* Numbers that are too large for the header stand in the first entry. */
	ret->count = header.e_shnum ? header.e_shnum : first.sh_size;
	names = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
	return ret->count <= SECTIONS_MAX && header_at(image, ret, names, &ret->strings);
}

static bool name_is(struct ea_image *image, const struct section_table *table, uint64_t index,
		    const char *name)
{
	size_t size = strlen(name) + 1;
	const void *bytes;
	uint64_t off;
	char scratch[64];

	if (size > sizeof(scratch) || !ea_range_ok(index, size, table->strings.sh_size) ||
	    !ea_add_u64(table->strings.sh_offset, index, &off))
		return false;
	bytes = ea_image_bytes(image, off, size, scratch);
	return bytes && memcmp(bytes, name, size) == 0;
}

void ea_sections_find(struct ea_image *image, const char *const *names, size_t n, Elf64_Shdr *ret)
{
	struct section_table table;
	size_t missing = n;
	Elf64_Shdr header;

	memset(ret, 0, n * sizeof(*ret));
	if (!open_table(image, &table))
		return;
	for (uint64_t i = 1; i < table.count && missing; i++) {
		if (!header_at(image, &table, i, &header))
			return;
		if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL)
			continue;
		for (size_t k = 0; k < n; k++)
			if (ret[k].sh_type == SHT_NULL &&
			    name_is(image, &table, header.sh_name, names[k])) {
				ret[k] = header;
				missing--;
			}
	}
}
