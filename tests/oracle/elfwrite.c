/* Writes a described ELF file. */
#include <string.h>

#include "elfwriter.h"

#include "base/attr.h"

#define ALIGN	  8u
#define PAGE	  4096u
#define MAX_PHDRS 8u

/* Calls its first argument with the others: dlopen, name, flags. */
static const uint8_t call_stub[] = {
	0x48, 0x83, 0xec, 0x08, /* sub $8,%rsp */
	0x48, 0x89, 0xf8,	/* mov %rdi,%rax */
	0x48, 0x89, 0xf7,	/* mov %rsi,%rdi */
	0x89, 0xd6,		/* mov %edx,%esi */
	0xff, 0xd0,		/* call *%rax */
	0x48, 0x83, 0xc4, 0x08, /* add $8,%rsp */
	0xc3,			/* ret */
};

/*
 * Where a program starts: passes its stack to the function whose address is in the slot. The other
 * stub follows 16 bytes behind it.
 */
static const uint8_t start_stub[] = {
	0x48, 0x89, 0xe7,	      /* mov %rsp,%rdi */
	0x48, 0x83, 0xe4, 0xf0,	      /* and $-16,%rsp */
	0xff, 0x15, 0,	  0,	0, 0, /* call *slot(%rip) */
	0xf4,			      /* hlt */
};

#define START_SLOT 9u /* offset of the slot's displacement in start_stub */

/* The same for aarch64. */
static const uint32_t call_aarch64[] = {
	0xa9bf7bfd, /* stp x29,x30,[sp,#-16]! */
	0xaa0003e3, /* mov x3,x0 */
	0xaa0103e0, /* mov x0,x1 */
	0xaa0203e1, /* mov x1,x2 */
	0xd63f0060, /* blr x3 */
	0xa8c17bfd, /* ldp x29,x30,[sp],#16 */
	0xd65f03c0, /* ret */
};
static const uint32_t start_aarch64[] = {
	0x910003e0, /* mov x0,sp */
	0x58000001, /* ldr x1,slot */
	0xd63f0020, /* blr x1 */
	0xd4200000, /* brk #0 */
};

uint16_t elf_machine = EM_X86_64;

uint32_t elf_add_string(struct elf_writer *w, const char *text)
{
	uint32_t at = (uint32_t)w->strings.len;

	ea_buf_add(&w->strings, text, strlen(text) + 1);
	return at;
}

size_t elf_here(struct elf_writer *w)
{
	while ((w->out->len - w->start) % ALIGN != 0)
		ea_buf_add_char(w->out, '\0');
	return w->out->len - w->start;
}

void elf_add_tag(struct elf_writer *w, int64_t tag, uint64_t value)
{
	*ea_vec_add(&w->tags, w->arena) = (Elf64_Dyn){ .d_tag = tag, .d_un.d_val = value };
}

static void add_string_tag(struct elf_writer *w, int64_t tag, const char *text)
{
	if (text)
		elf_add_tag(w, tag, elf_add_string(w, text));
}

static void write_relocations(struct elf_writer *w)
{
	w->slots = elf_here(w);
	/* Three words of the PLT's own, then a slot for each symbol. */
	for (uint32_t i = 0; i < 3 + w->rela.n + w->plt.n; i++)
		ea_buf_add(w->out, &(uint64_t){ 0 }, 8);
	for (uint32_t i = 0; i < w->rela.n; i++)
		w->rela.items[i].r_offset = w->slots + 24 + 8 * i;
	for (uint32_t i = 0; i < w->plt.n; i++)
		w->plt.items[i].r_offset = w->slots + 24 + 8 * (w->rela.n + i);
	if (w->rela.n > 0) {
		elf_add_tag(w, DT_RELA, elf_here(w));
		elf_add_tag(w, DT_RELASZ, sizeof(Elf64_Rela) * w->rela.n);
		elf_add_tag(w, DT_RELAENT, sizeof(Elf64_Rela));
		ea_buf_add(w->out, w->rela.items, sizeof(Elf64_Rela) * w->rela.n);
	}
	if (w->plt.n > 0) {
		elf_add_tag(w, DT_JMPREL, elf_here(w));
		elf_add_tag(w, DT_PLTRELSZ, sizeof(Elf64_Rela) * w->plt.n);
		elf_add_tag(w, DT_PLTREL, DT_RELA);
		elf_add_tag(w, DT_PLTGOT, w->slots);
		ea_buf_add(w->out, w->plt.items, sizeof(Elf64_Rela) * w->plt.n);
	}
	if (w->spec->relr) {
		elf_add_tag(w, DT_RELR, w->slots);
		elf_add_tag(w, DT_RELRSZ, 0);
		elf_add_tag(w, DT_RELRENT, 8);
	}
}

static void add_tags(struct elf_writer *w)
{
	const struct elf_spec *spec = w->spec;

	ea_vec_foreach(name, &spec->needed)
		add_string_tag(w, DT_NEEDED, *name);
	add_string_tag(w, DT_SONAME, spec->soname);
	add_string_tag(w, DT_RPATH, spec->rpath);
	add_string_tag(w, DT_RUNPATH, spec->runpath);
	ea_vec_foreach(name, &spec->filter)
		add_string_tag(w, DT_FILTER, *name);
	ea_vec_foreach(name, &spec->auxiliary)
		add_string_tag(w, DT_AUXILIARY, *name);
	if (spec->flags)
		elf_add_tag(w, DT_FLAGS, spec->flags);
	if (spec->flags_1)
		elf_add_tag(w, DT_FLAGS_1, spec->flags_1);
}

static void add_phdr(Elf64_Phdr *phdrs, uint32_t *n, uint32_t type, size_t off, size_t size,
		     uint32_t flags, uint64_t align)
{
	phdrs[(*n)++] = (Elf64_Phdr){
		.p_type = type,
		.p_flags = flags,
		.p_offset = off,
		.p_vaddr = off,
		.p_paddr = off,
		.p_filesz = size,
		.p_memsz = size,
		.p_align = align,
	};
}

static void write_notes(struct elf_writer *w, Elf64_Phdr *phdrs, uint32_t *n)
{
	uint32_t kernel = w->spec->kernel;
	uint32_t abi[8] = { 4, 16,	     NT_GNU_ABI_TAG,	 0x00554e47,
			    0, kernel >> 16, kernel >> 8 & 0xff, kernel & 0xff };
	uint32_t isa[8] = { 4,		16, NT_GNU_PROPERTY_TYPE_0, 0x00554e47,
			    0xc0008002, 4,  w->spec->isa,	    0 };

	if (kernel) {
		add_phdr(phdrs, n, PT_NOTE, elf_here(w), sizeof(abi), PF_R, 4);
		ea_buf_add(w->out, abi, sizeof(abi));
	}
	if (w->spec->isa) {
		add_phdr(phdrs, n, PT_NOTE, elf_here(w), sizeof(isa), PF_R, 8);
		ea_buf_add(w->out, isa, sizeof(isa));
	}
}

static void write_header(struct elf_writer *w, const Elf64_Phdr *phdrs, uint32_t n, size_t entry)
{
	const struct elf_spec *spec = w->spec;
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', spec->class32 ? ELFCLASS32 : ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = spec->type ? spec->type : ET_DYN,
		.e_machine = spec->machine ? spec->machine : elf_machine,
		.e_version = EV_CURRENT,
		.e_entry = entry,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (uint16_t)n,
	};

	memcpy(w->out->ptr + w->start, &header, sizeof(header));
	memcpy(w->out->ptr + w->start + sizeof(header), phdrs, sizeof(*phdrs) * n);
}

/* Returns the offset of the entry; *RET_INIT is that of an instruction that only returns. */
static size_t write_code(struct elf_writer *w, size_t *ret_init)
{
	bool arm = elf_machine == EM_AARCH64;
	size_t entry = elf_here(w);

	if (w->spec->interp && arm)
		ea_buf_add(w->out, start_aarch64, sizeof(start_aarch64));
	else if (w->spec->interp)
		ea_buf_add(w->out, start_stub, sizeof(start_stub));
	elf_here(w);
	if (arm)
		ea_buf_add(w->out, call_aarch64, sizeof(call_aarch64));
	else
		ea_buf_add(w->out, call_stub, sizeof(call_stub));
	*ret_init = w->out->len - w->start - (arm ? 4 : 1);
	return entry;
}

/* The driver's slot is the last of the data slots. */
static void link_start(struct elf_writer *w, size_t entry)
{
	size_t slot = w->slots + 24 + 8 * (w->rela.n - 1);
	char *code = w->out->ptr + w->start + entry;

	if (elf_machine == EM_AARCH64) {
		uint32_t load = start_aarch64[1] | (uint32_t)(slot - (entry + 4)) / 4 << 5;

		memcpy(code + 4, &load, 4);
	} else {
		int32_t distance = (int32_t)(slot - (entry + START_SLOT + 4));

		memcpy(code + START_SLOT, &distance, 4);
	}
}

static void finish(struct elf_writer *w, size_t entry)
{
	if (w->spec->interp)
		link_start(w, entry);
	ea_vec_foreach(poke, &w->spec->pokes)
		if (poke->offset < w->out->len - w->start)
			w->out->ptr[w->start + poke->offset] = (char)poke->value;
	if (w->spec->cut && w->spec->cut < w->out->len - w->start)
		w->out->len = w->start + w->spec->cut;
}

void elf_write(const struct elf_spec *spec, struct ea_arena *arena, struct ea_buf *out)
{
	struct elf_writer w = { .spec = spec, .arena = arena, .out = out, .start = out->len };
	Elf64_Phdr phdrs[MAX_PHDRS];
	uint32_t n = 0, first;
	size_t entry, init, at;

	memset(phdrs, 0, sizeof(phdrs));
	memset(ea_buf_reserve(out, sizeof(Elf64_Ehdr) + sizeof(phdrs)), 0,
	       sizeof(Elf64_Ehdr) + sizeof(phdrs));
	out->len += sizeof(Elf64_Ehdr) + sizeof(phdrs);
	/* PT_PHDR and PT_LOAD come first, their sizes are known at the end. */
	n = (spec->interp != NULL) + !spec->no_load;
	ea_buf_add_char(&w.strings, '\0');
	elf_collect_versions(&w);
	if (spec->interp) {
		add_phdr(phdrs, &n, PT_INTERP, elf_here(&w), strlen(spec->interp) + 1, PF_R, 1);
		ea_buf_add(out, spec->interp, strlen(spec->interp) + 1);
	}
	entry = write_code(&w, &init);
	add_tags(&w);
	/* A constructor that does nothing. */
	elf_add_tag(&w, DT_INIT, init);
	elf_write_symbols(&w, entry);
	elf_write_versions(&w);
	write_relocations(&w);
	write_notes(&w, phdrs, &n);
	elf_add_tag(&w, DT_STRTAB, elf_here(&w));
	elf_add_tag(&w, DT_STRSZ, w.strings.len);
	ea_buf_add(out, w.strings.ptr, w.strings.len);
	elf_add_tag(&w, DT_NULL, 0);
	for (uint32_t i = 0; i < spec->pad; i++)
		ea_buf_add_char(out, '\0');
	at = elf_here(&w);
	ea_buf_add(out, w.tags.items, sizeof(Elf64_Dyn) * w.tags.n);
	add_phdr(phdrs, &n, PT_DYNAMIC, at, spec->no_dynamic ? 0 : sizeof(Elf64_Dyn) * w.tags.n,
		 PF_R | PF_W, 8);
	if (spec->stack != ELF_STACK_NONE)
		add_phdr(phdrs, &n, PT_GNU_STACK, 0, 0,
			 spec->stack == ELF_STACK_EXEC ? PF_R | PF_W | PF_X : PF_R | PF_W, 16);
	first = 0;
	if (spec->interp)
		add_phdr(phdrs, &first, PT_PHDR, sizeof(Elf64_Ehdr), sizeof(*phdrs) * n, PF_R, 8);
	if (!spec->no_load) {
		add_phdr(phdrs, &first, PT_LOAD, 0, out->len - w.start, PF_R | PF_W | PF_X,
			 spec->align ? spec->align : PAGE);
		phdrs[first - 1].p_vaddr += spec->skew;
	}
	write_header(&w, phdrs, n, entry);
	finish(&w, entry);
	ea_buf_release(&w.strings);
}
