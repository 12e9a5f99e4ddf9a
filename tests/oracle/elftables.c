/* Versions, symbols and hash tables of a described ELF file. */
#include <string.h>

#include "elfwriter.h"

#define DRIVER "oracle_driver" /* what a program's start calls */

static uint32_t elf_hash(const char *name)
{
	uint32_t h = 0;

	for (; *name; name++) {
		h = (h << 4) + (unsigned char)*name;
		h ^= (h >> 24) & 0xf0;
		h &= 0x0fffffff;
	}
	return h;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

/* ---- versions ------------------------------------------------------------------------------ */

static uint16_t version_index(struct elf_writer *w, const char *name, const char *file,
			      uint16_t flags)
{
	ea_vec_foreach(version, &w->versions)
		if (ea_streq(version->name, name) && ea_streq(version->file, file))
			return version->index;
	*ea_vec_add(&w->versions, w->arena) = (struct elf_version){
		.name = name,
		.file = file,
		.flags = flags,
		.index = (uint16_t)(w->versions.n + 2),
	};
	return (uint16_t)(w->versions.n + 1);
}

void elf_collect_versions(struct elf_writer *w)
{
	ea_vec_foreach(name, &w->spec->versions)
		version_index(w, *name, NULL, 0);
	ea_vec_foreach(def, &w->spec->defs)
		if (def->version)
			version_index(w, def->version, NULL, 0);
	ea_vec_foreach(need, &w->spec->needs)
		version_index(w, need->version, need->file, need->weak ? VER_FLG_WEAK : 0);
	ea_vec_foreach(undef, &w->spec->undefs)
		if (undef->version)
			version_index(w, undef->version, undef->file, 0);
}

static void add_verdef(struct elf_writer *w, const char *name, uint16_t index, uint16_t flags,
		       bool last)
{
	Elf64_Verdef def = {
		.vd_version = 1,
		.vd_flags = flags,
		.vd_ndx = index,
		.vd_cnt = 1,
		.vd_hash = elf_hash(name),
		.vd_aux = sizeof(def),
		.vd_next = last ? 0 : sizeof(def) + sizeof(Elf64_Verdaux),
	};
	Elf64_Verdaux aux = { .vda_name = elf_add_string(w, name) };

	ea_buf_add(w->out, &def, sizeof(def));
	ea_buf_add(w->out, &aux, sizeof(aux));
}

static void write_verdefs(struct elf_writer *w)
{
	uint32_t n = 0, k = 0;

	ea_vec_foreach(version, &w->versions)
		n += version->file == NULL;
	if (n == 0)
		return;
	elf_add_tag(w, DT_VERDEF, elf_here(w));
	elf_add_tag(w, DT_VERDEFNUM, n + 1);
	add_verdef(w, w->spec->soname ? w->spec->soname : "base", 1, VER_FLG_BASE, false);
	ea_vec_foreach(version, &w->versions)
		if (!version->file)
			add_verdef(w, version->name, version->index, 0, ++k == n);
}

static uint32_t count_file(const struct elf_writer *w, const char *file,
			   const struct elf_version *from)
{
	uint32_t n = 0;

	ea_vec_foreach(version, &w->versions)
		n += version >= from && ea_streq(version->file, file);
	return n;
}

/* VERSION is the first that names its file. */
static bool is_first_of_file(const struct elf_writer *w, const struct elf_version *version)
{
	return version->file && count_file(w, version->file, w->versions.items) ==
					count_file(w, version->file, version);
}

static void add_verneed(struct elf_writer *w, const struct elf_version *first, bool last)
{
	uint32_t n = count_file(w, first->file, first), k = 0;
	Elf64_Verneed need = {
		.vn_version = 1,
		.vn_cnt = (uint16_t)n,
		.vn_file = elf_add_string(w, first->file),
		.vn_aux = sizeof(need),
		.vn_next = last ? 0 : (uint32_t)(sizeof(need) + n * sizeof(Elf64_Vernaux)),
	};

	ea_buf_add(w->out, &need, sizeof(need));
	ea_vec_foreach(version, &w->versions) {
		Elf64_Vernaux aux;

		if (!ea_streq(version->file, first->file))
			continue;
		aux = (Elf64_Vernaux){
			.vna_hash = elf_hash(version->name),
			.vna_flags = version->flags,
			.vna_other = version->index,
			.vna_name = elf_add_string(w, version->name),
			.vna_next = ++k == n ? 0 : sizeof(aux),
		};
		ea_buf_add(w->out, &aux, sizeof(aux));
	}
}

static void write_verneeds(struct elf_writer *w)
{
	uint32_t n = 0, k = 0;

	ea_vec_foreach(version, &w->versions)
		n += is_first_of_file(w, version);
	if (n == 0)
		return;
	elf_add_tag(w, DT_VERNEED, elf_here(w));
	elf_add_tag(w, DT_VERNEEDNUM, n);
	ea_vec_foreach(version, &w->versions)
		if (is_first_of_file(w, version))
			add_verneed(w, version, ++k == n);
}

void elf_write_versions(struct elf_writer *w)
{
	write_verdefs(w);
	write_verneeds(w);
}

/* ---- symbols ------------------------------------------------------------------------------- */

static uint32_t add_symbol(struct elf_writer *w, const struct elf_symbol *symbol, bool defined,
			   uint64_t value)
{
	uint8_t bind = symbol->unique ? STB_GNU_UNIQUE : symbol->weak ? STB_WEAK : STB_GLOBAL;
	uint8_t type = symbol->data || symbol->unique ? STT_OBJECT : STT_FUNC;
	uint16_t versym = defined || symbol->version ? 1 : 0;

	*ea_vec_add(&w->symbols, w->arena) = (Elf64_Sym){
		.st_name = elf_add_string(w, symbol->name),
		.st_info = ELF64_ST_INFO(bind, defined ? type : STT_NOTYPE),
		.st_other = symbol->invisible ? STV_HIDDEN : STV_DEFAULT,
		.st_shndx = symbol->zero ? SHN_ABS
			    : defined	 ? 1
					 : SHN_UNDEF,
		.st_value = symbol->zero ? 0 : value,
		.st_size = defined ? 1 : 0,
	};
	if (symbol->version)
		versym = version_index(w, symbol->version, defined ? NULL : symbol->file, 0);
	if (symbol->hidden_version)
		versym |= 0x8000;
	ea_vec_push(&w->versyms, w->arena, versym);
	return w->symbols.n - 1;
}

/* Undefined symbols with a slot each: those of data first, then those of the PLT. */
static void add_undefs(struct elf_writer *w)
{
	static const struct elf_symbol driver = { .name = DRIVER, .data = true };
	bool arm = elf_machine == EM_AARCH64;
	uint32_t data = arm ? R_AARCH64_GLOB_DAT : R_X86_64_GLOB_DAT;
	uint32_t plt = arm ? R_AARCH64_JUMP_SLOT : R_X86_64_JUMP_SLOT;

	ea_vec_foreach(undef, &w->spec->undefs) {
		uint32_t index = add_symbol(w, undef, false, 0);
		Elf64_Rela rela = {
			.r_info = ELF64_R_INFO(index, undef->data ? data : plt),
		};

		if (undef->data)
			ea_vec_push(&w->rela, w->arena, rela);
		else
			ea_vec_push(&w->plt, w->arena, rela);
	}
	if (w->spec->interp) {
		w->start_symbol = add_symbol(w, &driver, false, 0);
		ea_vec_push(&w->rela, w->arena,
			    ((Elf64_Rela){
				    .r_info = ELF64_R_INFO(w->start_symbol, data),
			    }));
	}
}

static void write_gnu_hash(struct elf_writer *w)
{
	uint32_t n = w->symbols.n - w->first_def;
	uint32_t header[4] = { 1, w->first_def, 1, 6 };
	uint32_t bucket = n ? w->first_def : 0;
	uint64_t bloom = 0;

	elf_add_tag(w, DT_GNU_HASH, elf_here(w));
	ea_vec_foreach(name, &w->def_names) {
		uint32_t hash = gnu_hash(*name);

		bloom |= UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63);
	}
	ea_buf_add(w->out, header, sizeof(header));
	ea_buf_add(w->out, &bloom, sizeof(bloom));
	ea_buf_add(w->out, &bucket, sizeof(bucket));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t hash = gnu_hash(w->def_names.items[i]) & ~1u;

		if (i + 1 == n)
			hash |= 1;
		ea_buf_add(w->out, &hash, sizeof(hash));
	}
}

/* One bucket with all definitions in their order. */
static void write_sysv_hash(struct elf_writer *w)
{
	uint32_t n = w->symbols.n, first = w->first_def < n ? w->first_def : 0;
	uint32_t header[3] = { 1, n, first };

	elf_add_tag(w, DT_HASH, elf_here(w));
	ea_buf_add(w->out, header, sizeof(header));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i >= w->first_def && i + 1 < n ? i + 1 : 0;

		ea_buf_add(w->out, &next, sizeof(next));
	}
}

void elf_write_symbols(struct elf_writer *w, uint64_t code)
{
	ea_vec_push(&w->symbols, w->arena, (Elf64_Sym){ 0 });
	ea_vec_push(&w->versyms, w->arena, 0);
	add_undefs(w);
	w->first_def = w->symbols.n;
	ea_vec_foreach(def, &w->spec->defs) {
		add_symbol(w, def, true, code);
		ea_vec_push(&w->def_names, w->arena, def->name);
	}
	elf_add_tag(w, DT_SYMTAB, elf_here(w));
	elf_add_tag(w, DT_SYMENT, sizeof(Elf64_Sym));
	ea_buf_add(w->out, w->symbols.items, sizeof(Elf64_Sym) * w->symbols.n);
	if (w->versions.n > 0) {
		elf_add_tag(w, DT_VERSYM, elf_here(w));
		ea_buf_add(w->out, w->versyms.items, sizeof(uint16_t) * w->versyms.n);
	}
	if (w->spec->sysv_hash)
		write_sysv_hash(w);
	else
		write_gnu_hash(w);
}
