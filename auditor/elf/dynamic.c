/* The dynamic section and its strings. */
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "elf/parts.h"

/* A tag whose value is an index into the string table, which may be found only later. */
struct string_tag {
	uint64_t tag, index;
};

struct dynamic {
	EA_VEC(struct string_tag) strings;
	uint64_t verdef, verneed; /* addresses, 0 = none */
};

static void read_flags(struct ea_elf *elf, uint64_t tag, uint64_t value)
{
	switch (tag) {
	case DT_FLAGS:
		elf->dt_flags |= value;
		break;
	case DT_FLAGS_1:
		elf->dt_flags_1 = value;
		break;
	case DT_SYMBOLIC:
		elf->dt_flags |= DF_SYMBOLIC;
		break;
	case DT_BIND_NOW:
		elf->dt_flags |= DF_BIND_NOW;
		break;
	case DT_TEXTREL:
		elf->dt_flags |= DF_TEXTREL;
		break;
	default:
		break;
	}
}

/* Where the number of TAG goes; NULL if it is not one of the tables. */
static uint64_t *table_slot(struct ea_dynamic_tables *t, uint64_t tag)
{
	switch (tag) {
	case DT_SYMTAB:
		return &t->symtab;
	case DT_STRTAB:
		return &t->strtab;
	case DT_STRSZ:
		return &t->strsz;
	case DT_GNU_HASH:
		return &t->gnu_hash;
	case DT_HASH:
		return &t->hash;
	case DT_VERSYM:
		return &t->versym;
	case DT_RELA:
		return &t->rela;
	case DT_RELASZ:
		return &t->relasz;
	case DT_RELACOUNT:
		return &t->relacount;
	case DT_REL:
		return &t->rel;
	case DT_RELSZ:
		return &t->relsz;
	case DT_RELCOUNT:
		return &t->relcount;
	case DT_JMPREL:
		return &t->jmprel;
	case DT_PLTRELSZ:
		return &t->pltrelsz;
	default:
		return NULL;
	}
}

static bool is_string_tag(uint64_t tag)
{
	switch (tag) {
	case DT_NEEDED:
	case DT_SONAME:
	case DT_RPATH:
	case DT_RUNPATH:
	case DT_AUDIT:
	case DT_DEPAUDIT:
	case DT_FILTER:
	case DT_AUXILIARY:
		return true;
	default:
		return false;
	}
}

static void read_entry(struct ea_reading *reading, struct dynamic *dynamic, const Elf64_Dyn *dyn)
{
	struct ea_dynamic_tables *tables = &reading->elf->tables;
	uint64_t tag = (uint64_t)dyn->d_tag, value = dyn->d_un.d_val;
	uint64_t *slot = table_slot(tables, tag);

	if (slot) {
		*slot = value;
	} else if (is_string_tag(tag)) {
		*ea_vec_add(&dynamic->strings, reading->arena) = (struct string_tag){ tag, value };
	} else if (tag == DT_PLTREL) {
		tables->plt_is_rela = value == DT_RELA;
	} else if (tag == DT_RELR) {
		tables->relr = true;
	} else if (tag == DT_VERDEF) {
		dynamic->verdef = value;
	} else if (tag == DT_VERNEED) {
		dynamic->verneed = value;
	} else {
		read_flags(reading->elf, tag, value);
	}
}

/* ---- strings ------------------------------------------------------------------------------- */

const char *ea_read_dynstr(struct ea_reading *reading, uint64_t index)
{
	const struct ea_dynamic_tables *tables = &reading->elf->tables;
	const char *text = NULL;
	uint64_t off, end;

	if (reading->strings > EA_LIMIT_STRINGS) {
		reading->limit = "strings in its dynamic section";
		return NULL;
	}
	if (tables->strtab && ea_image_range(&reading->image, tables->strtab, &off, &end)) {
		if (tables->strsz < end - off)
			end = off + tables->strsz;
		if (index < end - off)
			text = ea_image_string(&reading->image, off + index, end, reading->arena);
	}
	if (text)
		reading->strings += strlen(text) + 1;
	else
		ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
	return text;
}

/* The strings of all entries with TAG, in file order. */
static const char **read_list(struct ea_reading *reading, const struct dynamic *dynamic,
			      uint64_t tag, uint32_t *ret_n)
{
	EA_VEC(const char *) list = { 0 };

	ea_vec_foreach(string, &dynamic->strings) {
		const char *text;

		if (string->tag != tag)
			continue;
		if (list.n == EA_LIMIT_NEEDED) {
			reading->limit = "DT_NEEDED entries";
			break;
		}
		text = ea_read_dynstr(reading, string->index);
		if (text)
			ea_vec_push(&list, reading->arena, text);
	}
	*ret_n = list.n;
	return list.items;
}

/* The string of the last entry with TAG, which is the one that loaders see. */
static const char *read_one(struct ea_reading *reading, const struct dynamic *dynamic, uint64_t tag)
{
	for (uint32_t i = dynamic->strings.n; i > 0; i--)
		if (dynamic->strings.items[i - 1].tag == tag)
			return ea_read_dynstr(reading, dynamic->strings.items[i - 1].index);
	return NULL;
}

static void read_strings(struct ea_reading *reading, const struct dynamic *dynamic)
{
	struct ea_elf *elf = reading->elf;

	elf->soname = read_one(reading, dynamic, DT_SONAME);
	elf->rpath = read_one(reading, dynamic, DT_RPATH);
	elf->runpath = read_one(reading, dynamic, DT_RUNPATH);
	elf->audit = read_one(reading, dynamic, DT_AUDIT);
	elf->depaudit = read_one(reading, dynamic, DT_DEPAUDIT);
	elf->needed = read_list(reading, dynamic, DT_NEEDED, &elf->n_needed);
	elf->filter = read_list(reading, dynamic, DT_FILTER, &elf->n_filter);
	elf->auxiliary = read_list(reading, dynamic, DT_AUXILIARY, &elf->n_auxiliary);
}

void ea_read_dynamic(struct ea_reading *reading, uint64_t off, uint64_t size)
{
	uint64_t entsize = ea_image_dyn_size(&reading->image), n = size / entsize, i;
	struct dynamic dynamic = { 0 };
	Elf64_Dyn dyn;

	if (!ea_range_ok(off, size, reading->elf->size)) {
		ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
		return;
	}
	if (n > EA_LIMIT_DYNAMIC) {
		n = EA_LIMIT_DYNAMIC;
		reading->limit = "entries in its dynamic section";
	}
	for (i = 0; i < n; i++) {
		if (!ea_image_dyn(&reading->image, off + i * entsize, &dyn))
			return;
		if (dyn.d_tag == DT_NULL)
			break;
		read_entry(reading, &dynamic, &dyn);
	}
	if (i == n)
		ea_reading_fault(reading, EA_FAULT(BAD_DYNAMIC));
	read_strings(reading, &dynamic);
	ea_read_verdefs(reading, dynamic.verdef);
	ea_read_verneeds(reading, dynamic.verneed);
}
