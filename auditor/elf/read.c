/* ELF header and program headers; the other parts are called from here. */
#include "elf/elf.h"

#include <errno.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/limits.h"
#include "elf/parts.h"
#include "elf/sniff.h"

#define HEAD_SHIFT                                                                    \
	12u /* the first 4 KiB mostly hold all headers, the interpreter and the notes \
	     */

void ea_elf_init(void)
{
	elf_version(EV_CURRENT);
}

/* ---- header -------------------------------------------------------------------------------- */

/* What the loader insists on in e_ident. A file that fails here can still be read: its tables stand
 * where any have. */
static bool ident_is_ours(const struct ea_elf *elf)
{
	uint8_t abi = elf->ident[EI_OSABI];

	for (unsigned i = EI_PAD; i < EI_NIDENT; i++)
		if (elf->ident[i])
			return false;
	return abi == ELFOSABI_NONE || abi == ELFOSABI_GNU ||
	       (abi == ELFOSABI_ARM && elf->machine == EM_ARM);
}

/* What every loader insists on, whatever its machine; without it nothing behind the header has a
 * meaning. */
static bool header_is_sane(const struct ea_elf *elf)
{
	size_t phentsize =
		elf->ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	return (elf->type == ET_DYN || elf->type == ET_EXEC) &&
	       elf->ident[EI_VERSION] == EV_CURRENT && elf->version == EV_CURRENT &&
	       elf->phentsize == phentsize;
}

/* 0; 1 when there is nothing behind the header that could be read. */
static int read_header(struct ea_reading *reading)
{
	struct ea_elf *elf = reading->elf;
	Elf64_Ehdr header;
	uint64_t end;

	if (!ea_image_ehdr(&reading->image, &header)) {
		elf->faults |= EA_FAULT(TOO_SHORT);
		return 1;
	}
	elf->type = header.e_type;
	elf->machine = header.e_machine;
	elf->phentsize = header.e_phentsize;
	elf->phnum = header.e_phnum;
	elf->version = header.e_version;
	elf->flags = header.e_flags;
	elf->phoff = header.e_phoff;
	elf->shoff = header.e_shoff;
	if (!ident_is_ours(elf))
		elf->faults |= EA_FAULT(BAD_HEADER);
	if (!header_is_sane(elf)) {
		elf->faults |= EA_FAULT(BAD_HEADER);
		return 1;
	}
	/* A file with 65280 sections or more says 0 and has their number in the first. */
	end = (header.e_shnum ? header.e_shnum : 1ull) * header.e_shentsize;
	if (elf->shoff && !ea_range_ok(elf->shoff, end, elf->size))
		elf->faults |= EA_FAULT(CUT_SECTIONS);
	if (!ea_range_ok(elf->phoff, (uint64_t)elf->phnum * elf->phentsize, elf->size)) {
		elf->faults |= EA_FAULT(CUT_PHDRS);
		return 1;
	}
	return 0;
}

/* ---- program headers ----------------------------------------------------------------------- */

static void add_load(struct ea_reading *reading, const Elf64_Phdr *p)
{
	struct ea_elf *elf = reading->elf;
	uint64_t end;

	elf->loads[elf->n_loads++] = (struct ea_segment){
		.offset = p->p_offset,
		.filesz = p->p_filesz,
		.vaddr = p->p_vaddr,
		.memsz = p->p_memsz,
		.align = p->p_align,
		.flags = p->p_flags,
	};
	if (!ea_add_u64(p->p_offset, p->p_filesz, &end))
		end = UINT64_MAX;
	if (end > elf->load_end)
		elf->load_end = end;
	if (end > elf->size)
		elf->faults |= EA_FAULT(CUT_SEGMENTS);
}

static void read_interp(struct ea_reading *reading, const Elf64_Phdr *p)
{
	uint64_t end;

	if (ea_add_u64(p->p_offset, p->p_filesz, &end))
		reading->elf->interp =
			ea_image_string(&reading->image, p->p_offset, end, reading->arena);
}

/* All but what needs the segments first. */
static void read_segment(struct ea_reading *reading, const Elf64_Phdr *p)
{
	struct ea_elf *elf = reading->elf;

	switch (p->p_type) {
	case PT_LOAD:
		add_load(reading, p);
		break;
	case PT_TLS:
		elf->has_tls = true;
		break;
	case PT_GNU_STACK:
		elf->stack = p->p_flags & PF_X ? EA_STACK_EXEC : EA_STACK_PLAIN;
		break;
	case PT_INTERP:
		read_interp(reading, p);
		break;
	case PT_NOTE:
	case PT_GNU_PROPERTY:
		ea_read_notes(reading, p);
		break;
	default:
		break;
	}
}

static void read_segments(struct ea_reading *reading)
{
	struct ea_elf *elf = reading->elf;
	Elf64_Phdr p, dynamic = { 0 };
	uint32_t n = elf->phnum;

	if (n > EA_LIMIT_PHDRS) {
		n = EA_LIMIT_PHDRS;
		reading->limit = "program headers";
	}
	elf->loads = ea_arena_array(reading->arena, struct ea_segment, n);
	for (uint32_t i = 0; i < n; i++) {
		if (!ea_image_phdr(&reading->image, elf->phoff + (uint64_t)i * elf->phentsize, &p))
			return;
		read_segment(reading, &p);
		if (p.p_type == PT_DYNAMIC)
			dynamic = p;
	}
	elf->has_dynamic = dynamic.p_filesz > 0;
	if (elf->has_dynamic)
		ea_read_dynamic(reading, dynamic.p_offset, dynamic.p_filesz);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void read_file(struct ea_reading *reading)
{
	struct ea_elf *elf = reading->elf;
	const uint8_t *head;
	size_t n;

	head = ea_image_span(&reading->image, 0, &n);
	if (reading->image.error)
		return;
	if (n < SELFMAG || memcmp(head, ELFMAG, SELFMAG) != 0) {
		elf->format = ea_sniff((struct ea_str){ (const char *)head, n });
		elf->faults |= EA_FAULT(NOT_ELF);
		return;
	}
	elf->format = EA_FORMAT_ELF;
	memcpy(elf->ident, head, n < EI_NIDENT ? n : EI_NIDENT);
	if (n < EI_NIDENT) {
		elf->faults |= EA_FAULT(TOO_SHORT);
		return;
	}
	if ((elf->ident[EI_CLASS] != ELFCLASS32 && elf->ident[EI_CLASS] != ELFCLASS64) ||
	    (elf->ident[EI_DATA] != ELFDATA2LSB && elf->ident[EI_DATA] != ELFDATA2MSB)) {
		elf->faults |= EA_FAULT(BAD_HEADER);
		return;
	}
	if (read_header(reading) == 0)
		read_segments(reading);
}

/* For which the kernel sets AT_SECURE, if they are more than the caller has. */
static bool has_own_rights(const struct ea_file *file)
{
	return (file->stat.mode & S_ISUID) ||
	       (file->stat.mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) ||
	       (file->fd >= 0 && fgetxattr(file->fd, "security.capability", NULL, 0) > 0);
}

int ea_elf_read(struct ea_file *file, const char *path, struct ea_arena *arena,
		struct ea_gaps *gaps, struct ea_elf *ret)
{
	struct ea_reading reading = { .arena = arena, .elf = ret };
	int error;

	*ret = (struct ea_elf){
		.id = ret->id,
		.dev = file->stat.dev,
		.ino = file->stat.ino,
		.size = file->stat.size,
	};
	ea_image_init(&reading.image, file, ret, HEAD_SHIFT, 1);
	read_file(&reading);
	error = reading.image.error;
	ea_image_release(&reading.image);
	ret->privileged = ret->interp && has_own_rights(file);
	if (error == -EA_E_AGAIN)
		return error;
	if (error)
		ea_gaps_add(gaps, path, EA_GAP_UNREAD, "cannot be read: %s",
			    error == -ENODATA ? "it became shorter meanwhile" : strerror(-error));
	if (reading.limit)
		ea_gaps_add(gaps, path, EA_GAP_LIMIT, "has more %s than are looked at",
			    reading.limit);
	return 0;
}
