/*
 * The dynamic symbol table through its hash table: a look-up reads the bucket, the chain and the
 * symbols with the same hash. The Bloom filter, which answers most questions with no, is read as a
 * whole.
 */
#include "elf/symtab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define PAGE_SHIFT     12u
#define PAGE_SETS      8u /* × 8 pages: 256 KiB, 4 MiB for tables that make the pages grow */
#define BLOOM_MAX      (8u << 20)
#define BLOOM_PATIENCE 16u
#define CHAIN_MAX      65536u /* symbols in one bucket; beyond it the table is damaged */

/* ---- opening ------------------------------------------------------------------------------- */

/* Header of DT_GNU_HASH; without symbols in it, its sizes may be 0 (then nothing is ever found). */
static int open_gnu_hash(struct ea_symtab *t, uint64_t addr)
{
	size_t word = ea_image_is64(&t->image) ? 8 : 4;
	uint64_t off, end, need;
	uint8_t scratch[16];
	const uint8_t *h;

	if (!ea_image_range(&t->image, addr, &off, &end))
		return -EBADMSG;
	h = end - off >= 16 ? ea_image_bytes(&t->image, off, 16, scratch) : NULL;
	if (!h)
		return t->image.error ? t->image.error : -EBADMSG;
	t->n_buckets = ea_image_u32(&t->image, h);
	t->first = ea_image_u32(&t->image, h + 4);
	t->n_bloom = ea_image_u32(&t->image, h + 8);
	t->bloom_shift = ea_image_u32(&t->image, h + 12) & 63;
	t->bloom_at = off + 16;
	t->buckets = t->bloom_at + (uint64_t)t->n_bloom * word;
	t->chains = t->buckets + t->n_buckets * 4ull;
	t->chains_end = end;
	need = t->chains - off;
	/* The loader masks with n_bloom - 1. */
	if (need > end - off || t->n_buckets > EA_LIMIT_SYMBOLS || t->n_bloom == 0 ||
	    (t->n_bloom & (t->n_bloom - 1)) != 0)
		return -EBADMSG;
	return 0;
}

static int open_sysv_hash(struct ea_symtab *t, uint64_t addr)
{
	const struct ea_elf *elf = t->image.elf;
	bool wide =
		ea_image_is64(&t->image) && (elf->machine == EM_S390 || elf->machine == EM_ALPHA);
	uint64_t off, end, chains;
	uint8_t scratch[16];
	const uint8_t *h;

	t->word = wide ? 8 : 4;
	if (!ea_image_range(&t->image, addr, &off, &end))
		return -EBADMSG;
	h = end - off >= 2 * t->word ? ea_image_bytes(&t->image, off, 2 * t->word, scratch) : NULL;
	if (!h)
		return t->image.error ? t->image.error : -EBADMSG;
	t->n_heads = (uint32_t)(wide ? ea_image_u64(&t->image, h) : ea_image_u32(&t->image, h));
	h += t->word;
	t->n_chain = (uint32_t)(wide ? ea_image_u64(&t->image, h) : ea_image_u32(&t->image, h));
	t->heads = off + 2 * t->word;
	chains = ((uint64_t)t->n_heads + t->n_chain) * t->word;
	return chains <= end - t->heads ? 0 : -EBADMSG;
}

int ea_symtab_open(struct ea_file *file, const struct ea_elf *elf, struct ea_arena *arena,
		   struct ea_symtab **ret)
{
	const struct ea_dynamic_tables *d = &elf->tables;
	struct ea_symtab *t;
	int rc = 0;

	if (!d->symtab || !d->strtab)
		return 1;
	t = ea_xmalloc(sizeof(*t));
	*t = (struct ea_symtab){ .arena = arena };
	ea_image_init(&t->image, file, elf, PAGE_SHIFT, PAGE_SETS);
	if (!ea_image_range(&t->image, d->symtab, &t->symbols, &t->symbols_end) ||
	    !ea_image_range(&t->image, d->strtab, &t->strings, &t->strings_end))
		rc = -EBADMSG;
	if (rc == 0 && d->strsz < t->strings_end - t->strings)
		t->strings_end = t->strings + d->strsz;
	if (rc == 0 && d->versym)
		rc = ea_image_range(&t->image, d->versym, &t->versym, &t->versym_end) ? 0
										      : -EBADMSG;
	if (rc == 0 && d->gnu_hash)
		rc = open_gnu_hash(t, d->gnu_hash);
	else if (rc == 0 && d->hash)
		rc = open_sysv_hash(t, d->hash);
	if (rc) {
		ea_symtab_close(t);
		return rc;
	}
	*ret = t;
	return 0;
}

void ea_symtab_close(struct ea_symtab *t)
{
	if (!t)
		return;
	ea_image_release(&t->image);
	free(t->bloom);
	free(t);
}

int ea_symtab_take_error(struct ea_symtab *t)
{
	int error = t->image.error;

	t->image.error = 0;
	return error;
}

/* ---- one entry ----------------------------------------------------------------------------- */

bool ea_symtab_entry(struct ea_symtab *t, uint32_t index, struct ea_symbol *ret, uint32_t *ret_name)
{
	uint64_t off = t->symbols + (uint64_t)index * ea_image_sym_size(&t->image);
	uint64_t at = t->versym + index * 2ull;
	uint16_t scratch;
	const void *versym = NULL;
	Elf64_Sym sym;

	if (!ea_range_ok(off, ea_image_sym_size(&t->image), t->symbols_end) ||
	    !ea_image_sym(&t->image, off, &sym))
		return false;
	if (ea_range_ok(at, 2, t->versym_end))
		versym = ea_image_bytes(&t->image, at, 2, &scratch);
	*ret_name = sym.st_name;
	*ret = (struct ea_symbol){
		.index = index,
		.value = sym.st_value,
		.size = sym.st_size,
		.shndx = sym.st_shndx,
		.versym = versym ? ea_image_u16(&t->image, versym) : VER_NDX_GLOBAL,
		.type = ELF64_ST_TYPE(sym.st_info),
		.bind = ELF64_ST_BIND(sym.st_info),
		.visibility = ELF64_ST_VISIBILITY(sym.st_other),
	};
	return true;
}

/* The string at INDEX of the string table is NAME, of LEN bytes. */
static bool name_is(struct ea_symtab *t, uint32_t index, const char *name, size_t len)
{
	uint64_t off = t->strings + index;
	size_t n;

	if (!ea_range_ok(index, len + 1, t->strings_end - t->strings))
		return false;
	for (len++; len; len -= n) {
		const uint8_t *span = ea_image_span(&t->image, off, &n);

		if (!span)
			return false;
		if (n > len)
			n = len;
		if (memcmp(span, name, n) != 0)
			return false;
		off += n;
		name += n;
	}
	return true;
}

/* ---- look-up ------------------------------------------------------------------------------- */

struct lookup {
	const char *name;
	struct ea_symbol *ret;
	uint32_t max, found;
};

static void take_if_named(struct ea_symtab *t, uint32_t index, struct lookup *l)
{
	struct ea_symbol symbol;
	uint32_t name;

	if (l->found >= l->max || !ea_symtab_entry(t, index, &symbol, &name) ||
	    !name_is(t, name, l->name, strlen(l->name)))
		return;
	symbol.name = l->name;
	l->ret[l->found++] = symbol;
}

/* Reads the Bloom filter as a whole when the table turns out to be asked often. */
static void load_bloom(struct ea_symtab *t, size_t size)
{
	int rc;

	if (t->bloom || size > BLOOM_MAX || t->n_lookups++ < BLOOM_PATIENCE || t->image.error)
		return;
	t->bloom = ea_xmalloc(size);
	rc = ea_file_read_full(t->image.file, t->bloom, size, t->bloom_at);
	if (rc) {
		t->image.error = rc;
		free(t->bloom);
		t->bloom = NULL;
	}
}

static bool bloom_says_no(struct ea_symtab *t, uint32_t hash)
{
	unsigned bits = ea_image_is64(&t->image) ? 64 : 32;
	size_t at = (size_t)(hash / bits & (t->n_bloom - 1)) * bits / 8;
	uint32_t other = t->bloom_shift < 32 ? hash >> t->bloom_shift : 0;
	uint64_t scratch, word;
	const void *ptr;

	load_bloom(t, (size_t)t->n_bloom * bits / 8);
	ptr = t->bloom ? t->bloom + at
		       : ea_image_bytes(&t->image, t->bloom_at + at, bits / 8, &scratch);
	if (!ptr)
		return false;
	word = ea_image_word(&t->image, ptr);
	return !(word >> hash % bits & word >> other % bits & 1);
}

static int lookup_gnu(struct ea_symtab *t, uint32_t hash, struct lookup *l)
{
	uint32_t index, word;

	if (t->n_buckets == 0 || bloom_says_no(t, hash))
		return 0;
	if (!ea_image_read_u32(&t->image, t->buckets + hash % t->n_buckets * 4ull, &index) ||
	    index == 0)
		return 0;
	if (index < t->first)
		return -EBADMSG;
	for (uint32_t steps = 0; steps < CHAIN_MAX; steps++, index++) {
		uint64_t at = t->chains + (uint64_t)(index - t->first) * 4;

		if (!ea_range_ok(at, 4, t->chains_end) || !ea_image_read_u32(&t->image, at, &word))
			return -EBADMSG;
		if ((word | 1) == (hash | 1))
			take_if_named(t, index, l);
		if (word & 1)
			return 0;
	}
	return -EBADMSG;
}

static uint32_t sysv_hash(const char *name)
{
	uint32_t hash = 0;

	for (; *name; name++) {
		hash = (hash << 4) + (unsigned char)*name;
		hash ^= hash >> 24 & 0xf0;
		hash &= 0x0fffffff;
	}
	return hash;
}

/* Number I of DT_HASH behind its two counts. */
static bool sysv_word(struct ea_symtab *t, uint64_t i, uint32_t *ret)
{
	/* The numbers fit 32 bits; of a wide big-endian one these are the second half. */
	unsigned skip = t->word == 8 && ea_image_swapped(&t->image) ? 4 : 0;

	return ea_image_read_u32(&t->image, t->heads + i * t->word + skip, ret);
}

static int lookup_sysv(struct ea_symtab *t, struct lookup *l)
{
	uint32_t index;

	if (!sysv_word(t, sysv_hash(l->name) % t->n_heads, &index))
		return 0;
	for (uint32_t steps = 0; index != 0; steps++) {
		if (steps == CHAIN_MAX || index >= t->n_chain)
			return -EBADMSG;
		take_if_named(t, index, l);
		if (!sysv_word(t, (uint64_t)t->n_heads + index, &index))
			return 0;
	}
	return 0;
}

uint32_t ea_symtab_gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

long ea_symtab_lookup(struct ea_symtab *t, const char *name, uint32_t gnu_hash,
		      struct ea_symbol *ret, uint32_t max)
{
	struct lookup l = { .name = name, .ret = ret, .max = max };
	int rc = 0, error;

	if (t->n_buckets)
		rc = lookup_gnu(t, gnu_hash, &l);
	else if (t->n_heads)
		rc = lookup_sysv(t, &l);
	error = ea_symtab_take_error(t);
	if (error || rc)
		return error ? error : rc;
	return l.found;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void note_highest(void *arg, uint32_t index, bool lazy, enum ea_use use)
{
	uint32_t *count = arg;

	(void)lazy;
	(void)use;
	if (index >= *count)
		*count = index + 1;
}

/* The end of the last chain; symbols in front of the first are in no chain. */
static int count_gnu(struct ea_symtab *t, uint32_t *ret)
{
	uint32_t last = 0, index, word;

	for (uint32_t i = 0; i < t->n_buckets; i++) {
		if (!ea_image_read_u32(&t->image, t->buckets + i * 4ull, &index))
			return -EBADMSG;
		last = index > last ? index : last;
	}
	*ret = t->first;
	if (last < t->first)
		return 0;
	do {
		uint64_t at = t->chains + (uint64_t)(last++ - t->first) * 4;

		if (last > EA_LIMIT_SYMBOLS || !ea_range_ok(at, 4, t->chains_end) ||
		    !ea_image_read_u32(&t->image, at, &word))
			return -EBADMSG;
	} while (!(word & 1));
	*ret = last;
	return 0;
}

static int count_symbols(struct ea_symtab *t, uint32_t *ret)
{
	int rc = 0;

	*ret = t->n_chain;
	if (t->n_buckets)
		rc = count_gnu(t, ret);
	/* With nothing in the hash table, undefined symbols may still stand behind its `first`. */
	if (rc == 0 && *ret <= 1)
		rc = ea_symtab_relocations(t, note_highest, ret);
	return *ret > EA_LIMIT_SYMBOLS ? -EBADMSG : rc;
}

int ea_symtab_each(struct ea_symtab *t, int (*fn)(void *arg, const struct ea_symbol *symbol),
		   void *arg)
{
	struct ea_arena names = { 0 };
	uint32_t count;
	int rc = count_symbols(t, &count), error;

	for (uint32_t i = 1; rc == 0 && i < count; i++) {
		struct ea_symbol symbol;
		uint32_t name;

		if (!ea_symtab_entry(t, i, &symbol, &name)) {
			rc = -EBADMSG;
			break;
		}
		symbol.name = ea_image_string(&t->image, t->strings + name, t->strings_end, &names);
		rc = symbol.name ? fn(arg, &symbol) : -EBADMSG;
		if (names.total > (1u << 20))
			ea_arena_release(&names);
	}
	ea_arena_release(&names);
	error = ea_symtab_take_error(t);
	return error ? error : rc;
}
