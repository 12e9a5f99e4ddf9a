/* Version getters: where a file of a known family says its own version. */
#include "elf/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/version.h"
#include "elf/sections.h"

#define PARTS_ENOUGH 3u /* no further getter is asked */
#define PAGE_SHIFT   12u

const char *ea_version_from_table(const struct ea_getter *getter, const char *key)
{
	ea_vec_foreach(known, &getter->table)
		if (strcmp(known->key, key) == 0)
			return known->version;
	return NULL;
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *read_soname(struct ea_version_reading *r, const struct ea_getter *getter)
{
	const char *so = r->elf->soname ? strstr(r->elf->soname, ".so.") : NULL;
	struct ea_version version;

	(void)getter;
	/* One number is what the SONAME has anyway. */
	if (!so || ea_version_parse(ea_str(so + 4), &version) != 0 || version.n < 2)
		return NULL;
	return so + 4;
}

static const char *read_build_id(struct ea_version_reading *r, const struct ea_getter *getter)
{
	char hex[2 * sizeof(r->elf->build_id) + 1] = "";

	for (size_t i = 0; i < r->elf->build_id_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", r->elf->build_id[i]);
	return ea_version_from_table(getter, hex);
}

static const char *read_banner(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct ea_match match;
	Elf64_Shdr section;
	const char *text = NULL;
	size_t size;
	char *bytes;
	int rc;

	ea_sections_find(&r->image, &getter->section, 1, &section);
	if (section.sh_type == SHT_NULL ||
	    !ea_range_ok(section.sh_offset, section.sh_size, r->elf->size))
		return NULL;
	size = (size_t)(section.sh_size < getter->size ? section.sh_size : getter->size);
	bytes = ea_xmalloc(size + !size);
	rc = ea_file_read_full(r->image.file, bytes, size, section.sh_offset);
	if (rc)
		r->error = rc;
	else if (ea_pattern_match(getter->pattern, (struct ea_str){ bytes, size }, &match))
		text = ea_arena_dup_str(r->arena, match.group[1]);
	free(bytes);
	return text;
}

/* ---- all getters --------------------------------------------------------------------------- */

static const struct {
	const char *(*read)(struct ea_version_reading *r, const struct ea_getter *getter);
	enum ea_version_source source;
} kinds[EA_GETTER_KIND_MAX_] = {
	[EA_GETTER_BUILD_ID] = { read_build_id, EA_VERSION_BY_BUILD_ID },
	[EA_GETTER_SONAME] = { read_soname, EA_VERSION_BY_SONAME },
	[EA_GETTER_OBJECT] = { ea_version_object, EA_VERSION_BY_OBJECT },
	[EA_GETTER_CODE] = { ea_version_code, EA_VERSION_BY_GETTER },
	[EA_GETTER_STORES] = { ea_version_stores, EA_VERSION_BY_GETTER },
	[EA_GETTER_PROPERTY] = { ea_version_property, EA_VERSION_BY_GETTER },
	[EA_GETTER_STRUCT] = { ea_version_struct, EA_VERSION_BY_GETTER },
	[EA_GETTER_SYMBOL] = { ea_version_symbol, EA_VERSION_BY_SYMBOL },
	[EA_GETTER_VERDEF] = { ea_version_verdef, EA_VERSION_BY_SYMBOL },
	[EA_GETTER_BANNER] = { read_banner, EA_VERSION_BY_BANNER },
};

/* TEXT without what goes beyond PARTS numbers (0 = all of it); *ret_parts is what is left. */
static const char *cut_parts(struct ea_version_reading *r, const char *text, uint32_t parts,
			     uint32_t *ret_parts)
{
	size_t len = 0;

	for (*ret_parts = 1; text[len]; len++) {
		if (text[len] != '.')
			continue;
		if (*ret_parts == parts)
			break;
		++*ret_parts;
	}
	return text[len] ? ea_arena_dup_str(r->arena, (struct ea_str){ text, len }) : text;
}

static void add_claim(struct ea_version_reading *r, enum ea_version_source source, const char *text,
		      const char *detail)
{
	struct ea_version_claim **at = &r->elf->claims;
	struct ea_version_claim *claim = ea_arena_new(r->arena, struct ea_version_claim);

	while (*at && (*at)->source <= source)
		at = &(*at)->next;
	*claim = (struct ea_version_claim){ source, text, detail, *at };
	*at = claim;
}

static void read_getters(struct ea_version_reading *r, const struct ea_family *family)
{
	uint32_t known = 0, parts;

	ea_vec_foreach(getter, &family->getters) {
		const char *text = kinds[getter->kind].read(r, getter);

		if (!text)
			continue;
		text = cut_parts(r, text, getter->parts, &parts);
		add_claim(r, kinds[getter->kind].source, text, getter->symbol);
		known = parts > known ? parts : known;
		if (known >= PARTS_ENOUGH)
			break;
	}
}

/* The JSON text in a forward compatibility note, which is in no segment. */
static void read_compat_note(struct ea_version_reading *r)
{
	static const char *const name[] = { ".note.cuda.fwd_compatibility" };
	Elf64_Shdr section;
	const uint8_t *note;
	uint64_t desc;
	uint8_t *copy;

	ea_sections_find(&r->image, name, 1, &section);
	if (section.sh_type == SHT_NULL || section.sh_size > EA_LIMIT_NOTES ||
	    section.sh_size < sizeof(Elf64_Nhdr))
		return;
	copy = ea_xmalloc((size_t)section.sh_size);
	note = ea_image_bytes(&r->image, section.sh_offset, (size_t)section.sh_size, copy);
	if (note) {
		uint32_t descsz = ea_image_u32(&r->image, note + 4);

		desc = sizeof(Elf64_Nhdr) + ((ea_image_u32(&r->image, note) + 3ull) & ~3ull);
		if (ea_range_ok(desc, descsz, section.sh_size))
			r->elf->fwd_compat = ea_arena_dup_str(
				r->arena,
				(struct ea_str){ (const char *)note + desc,
						 strnlen((const char *)note + desc, descsz) });
	}
	free(copy);
}

int ea_elf_read_version(struct ea_file *file, const struct ea_family *family,
			struct ea_arena *arena, struct ea_elf *elf)
{
	struct ea_version_reading r = { .arena = arena, .elf = elf };

	ea_image_init(&r.image, file, elf, PAGE_SHIFT, 1);
	read_getters(&r, family);
	if (family->compat_note)
		read_compat_note(&r);
	ea_symtab_close(r.symtab);
	if (r.image.error)
		r.error = r.image.error;
	ea_image_release(&r.image);
	return r.error;
}
