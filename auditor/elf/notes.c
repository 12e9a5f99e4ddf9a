/* Notes: build-id, ABI tag, GNU properties. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "elf/parts.h"

#define PROPERTY_AARCH64_FEATURE_1_AND 0xc0000000u
#define PROPERTY_X86_FEATURE_1_AND     0xc0000002u
#define PROPERTY_X86_ISA_1_NEEDED      0xc0008002u

static void read_build_id(struct ea_elf *elf, const uint8_t *desc, uint32_t size)
{
	if (size > sizeof(elf->build_id))
		size = sizeof(elf->build_id);
	memcpy(elf->build_id, desc, size);
	elf->build_id_len = (uint8_t)size;
}

static void read_properties(const struct ea_image *image, struct ea_elf *elf, const uint8_t *desc,
			    uint32_t size)
{
	uint32_t align = ea_image_is64(image) ? 8 : 4, at = 0;

	while (size - at >= 8) {
		uint32_t type = ea_image_u32(image, desc + at);
		uint32_t len = ea_image_u32(image, desc + at + 4);

		at += 8;
		if (len > size - at)
			return;
		if (len == 4) {
			uint32_t value = ea_image_u32(image, desc + at);

			if (type == PROPERTY_X86_ISA_1_NEEDED)
				elf->isa_needed = value;
			else if (type == PROPERTY_X86_FEATURE_1_AND ||
				 type == PROPERTY_AARCH64_FEATURE_1_AND)
				elf->features_1 = value;
		}
		len = (len + align - 1) & ~(align - 1);
		if (len > size - at)
			return;
		at += len;
	}
}

static void read_note(const struct ea_image *image, struct ea_elf *elf, uint32_t type,
		      const uint8_t *desc, uint32_t size)
{
	switch (type) {
	case NT_GNU_BUILD_ID:
		read_build_id(elf, desc, size);
		break;
	case NT_GNU_ABI_TAG:
		elf->has_abi_tag = size >= 16;
		for (unsigned i = 0; i < 4 && elf->has_abi_tag; i++)
			elf->abi_tag[i] = ea_image_u32(image, desc + i * 4ul);
		break;
	case NT_GNU_PROPERTY_TYPE_0:
		read_properties(image, elf, desc, size);
		break;
	default:
		break;
	}
}

void ea_read_notes(struct ea_reading *reading, const Elf64_Phdr *segment)
{
	uint64_t align = segment->p_align == 8 ? 8 : 4, size = segment->p_filesz, at = 0;
	static const char gnu[4] = "GNU";
	const uint8_t *notes;
	void *copy;

	if (size > EA_LIMIT_NOTES) {
		size = EA_LIMIT_NOTES;
		reading->limit = "notes";
	}
	copy = ea_xmalloc(size);
	notes = ea_image_bytes(&reading->image, segment->p_offset, (size_t)size, copy);
	while (notes && size - at >= sizeof(Elf64_Nhdr)) {
		uint32_t namesz = ea_image_u32(&reading->image, notes + at);
		uint32_t descsz = ea_image_u32(&reading->image, notes + at + 4);
		uint32_t type = ea_image_u32(&reading->image, notes + at + 8);
		uint64_t desc = (at + 12 + namesz + align - 1) & ~(align - 1);

		if (!ea_range_ok(desc, descsz, size))
			break;
		if (namesz == sizeof(gnu) && memcmp(notes + at + 12, gnu, sizeof(gnu)) == 0)
			read_note(&reading->image, reading->elf, type, notes + desc, descsz);
		at = (desc + descsz + align - 1) & ~(align - 1);
		if (at > size)
			break;
	}
	free(copy);
}
