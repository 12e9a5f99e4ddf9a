/*
 * Symbol versions: what a file defines and what it needs. The records form chains, which are
 * followed as the loader does: to the record whose link is 0, whatever DT_VERDEFNUM says.
 */
#include "base/limits.h"
#include "base/vec.h"
#include "elf/parts.h"

/* The record of SIZE bytes at OFF of a chain that ends in front of END; NULL and a fault if
 * outside. */
static const uint8_t *record_at(struct ea_reading *reading, uint64_t off, uint64_t end, size_t size,
				void *scratch)
{
	const uint8_t *bytes = NULL;

	if (ea_range_ok(off, size, end))
		bytes = ea_image_bytes(&reading->image, off, size, scratch);
	if (!bytes)
		ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
	return bytes;
}

/* Whether one more may be kept; what a file has of them is bounded as a whole. */
static bool take_version(struct ea_reading *reading)
{
	if (reading->versions < EA_LIMIT_VERSIONS) {
		reading->versions++;
		return true;
	}
	reading->limit = "symbol versions";
	return false;
}

static bool chain_start(struct ea_reading *reading, uint64_t addr, uint64_t *ret_off,
			uint64_t *ret_end)
{
	if (!addr)
		return false;
	if (ea_image_range(&reading->image, addr, ret_off, ret_end))
		return true;
	ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
	return false;
}

void ea_read_verdefs(struct ea_reading *reading, uint64_t addr)
{
	EA_VEC(struct ea_verdef) defs = { 0 };
	const struct ea_image *image = &reading->image;
	uint64_t off, end;
	uint32_t next;

	if (!chain_start(reading, addr, &off, &end))
		return;
	do {
		uint8_t scratch[sizeof(Elf64_Verdef)];
		const uint8_t *r = record_at(reading, off, end, sizeof(scratch), scratch);
		struct ea_verdef def;
		uint64_t aux;

		if (!r)
			break;
		if (ea_image_u16(image, r + offsetof(Elf64_Verdef, vd_version)) !=
		    VER_DEF_CURRENT) {
			ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
			break;
		}
		def = (struct ea_verdef){
			.hash = ea_image_u32(image, r + offsetof(Elf64_Verdef, vd_hash)),
			.flags = ea_image_u16(image, r + offsetof(Elf64_Verdef, vd_flags)),
			.index = ea_image_u16(image, r + offsetof(Elf64_Verdef, vd_ndx)),
		};
		aux = off + ea_image_u32(image, r + offsetof(Elf64_Verdef, vd_aux));
		next = ea_image_u32(image, r + offsetof(Elf64_Verdef, vd_next));
		r = record_at(reading, aux, end, sizeof(Elf64_Verdaux), scratch);
		if (!r)
			break;
		def.name = ea_read_dynstr(reading, ea_image_u32(image, r));
		if (def.name)
			ea_vec_push(&defs, reading->arena, def);
		off += next;
	} while (next && take_version(reading));
	reading->elf->verdefs = defs.items;
	reading->elf->n_verdefs = defs.n;
}

/* The versions needed of one file: a chain that begins at OFF. */
static void read_vernauxs(struct ea_reading *reading, uint64_t off, uint64_t end,
			  struct ea_verneed *need)
{
	EA_VEC(struct ea_vernaux) list = { 0 };
	const struct ea_image *image = &reading->image;
	uint32_t next;

	do {
		uint8_t scratch[sizeof(Elf64_Vernaux)];
		const uint8_t *r = record_at(reading, off, end, sizeof(scratch), scratch);
		struct ea_vernaux aux;

		if (!r)
			break;
		aux = (struct ea_vernaux){
			.hash = ea_image_u32(image, r + offsetof(Elf64_Vernaux, vna_hash)),
			.flags = ea_image_u16(image, r + offsetof(Elf64_Vernaux, vna_flags)),
			.index = ea_image_u16(image, r + offsetof(Elf64_Vernaux, vna_other)),
		};
		next = ea_image_u32(image, r + offsetof(Elf64_Vernaux, vna_next));
		aux.name = ea_read_dynstr(
			reading, ea_image_u32(image, r + offsetof(Elf64_Vernaux, vna_name)));
		if (aux.name)
			ea_vec_push(&list, reading->arena, aux);
		off += next;
	} while (next && take_version(reading));
	need->aux = list.items;
	need->n_aux = list.n;
}

void ea_read_verneeds(struct ea_reading *reading, uint64_t addr)
{
	EA_VEC(struct ea_verneed) needs = { 0 };
	const struct ea_image *image = &reading->image;
	uint64_t off, end;
	uint32_t next;

	if (!chain_start(reading, addr, &off, &end))
		return;
	do {
		uint8_t scratch[sizeof(Elf64_Verneed)];
		const uint8_t *r = record_at(reading, off, end, sizeof(scratch), scratch);
		struct ea_verneed need = { 0 };
		uint32_t file, aux;

		if (!r)
			break;
		if (ea_image_u16(image, r + offsetof(Elf64_Verneed, vn_version)) !=
		    VER_NEED_CURRENT) {
			ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
			break;
		}
		file = ea_image_u32(image, r + offsetof(Elf64_Verneed, vn_file));
		aux = ea_image_u32(image, r + offsetof(Elf64_Verneed, vn_aux));
		next = ea_image_u32(image, r + offsetof(Elf64_Verneed, vn_next));
		need.file = ea_read_dynstr(reading, file);
		read_vernauxs(reading, off + aux, end, &need);
		if (need.file)
			ea_vec_push(&needs, reading->arena, need);
		off += next;
	} while (next && take_version(reading));
	reading->elf->verneeds = needs.items;
	reading->elf->n_verneeds = needs.n;
}
