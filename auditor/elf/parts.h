/* The parts that ea_elf_read() is made of. Private to elf/. */
#pragma once

#include "elf/image.h"

/* One file being read into ELF, whose memory comes from ARENA. */
struct ea_reading {
	struct ea_image image;
	struct ea_arena *arena;
	struct ea_elf *elf;
	size_t strings;	   /* bytes of strings that were kept */
	uint32_t versions; /* version records that were kept */
	const char *limit; /* what exceeded its limit, for a gap; NULL = nothing did */
};

static inline void ea_reading_fault(struct ea_reading *reading, uint32_t fault)
{
	/* Behind the end of a file that was cut short, everything looks damaged. */
	if (!(reading->elf->faults & EA_FAULT(CUT_SEGMENTS)))
		reading->elf->faults |= fault;
}

/* The dynamic section, at OFF with SIZE bytes in the file; goes on to the version tables. */
void ea_read_dynamic(struct ea_reading *reading, uint64_t off, uint64_t size);

/* Version definitions and needs at these addresses (0 = none), their names in the string table. */
void ea_read_verdefs(struct ea_reading *reading, uint64_t addr);
void ea_read_verneeds(struct ea_reading *reading, uint64_t addr);

/* String INDEX of the dynamic string table; NULL and a fault if there is none. */
const char *ea_read_dynstr(struct ea_reading *reading, uint64_t index);

/* A note segment. */
void ea_read_notes(struct ea_reading *reading, const Elf64_Phdr *segment);
