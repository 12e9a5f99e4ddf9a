/* Versions behind exported symbols: data objects, names, and constants in functions. */
#include "elf/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "elf/code.h"

/* ---- numbers to text ----------------------------------------------------------------------- */

static const char *decode(struct ea_version_reading *r, const struct ea_getter *getter, uint32_t n)
{
	char key[16];

	switch (getter->encoding) {
	case EA_ENCODING_1000:
		return ea_arena_printf(r->arena, "%u.%u.%u", n / 1000, n / 100 % 10, n % 100);
	case EA_ENCODING_10000:
		return ea_arena_printf(r->arena, "%u.%u.%u", n / 10000, n / 100 % 100, n % 100);
	case EA_ENCODING_100:
		return ea_arena_printf(r->arena, "0.%u.%u", n / 100, n % 100);
	case EA_ENCODING_CUDA:
		return ea_arena_printf(r->arena, "%u.%u", n / 1000, n % 1000 / 10);
	case EA_ENCODING_BYTES:
		return ea_arena_printf(r->arena, "%u.%u.%u", n >> 16, n >> 8 & 255, n & 255);
	case EA_ENCODING_TABLE:
		snprintf(key, sizeof(key), "%u", n);
		return ea_version_from_table(getter, key);
	case EA_ENCODING_MAX_:
		break;
	}
	return NULL;
}

/* One number by its encoding, several joined by dots. */
static const char *decode_all(struct ea_version_reading *r, const struct ea_getter *getter,
			      const uint32_t numbers[3])
{
	if (getter->count == 1)
		return decode(r, getter, numbers[0]);
	if (getter->count == 2)
		return ea_arena_printf(r->arena, "%u.%u", numbers[0], numbers[1]);
	return ea_arena_printf(r->arena, "%u.%u.%u", numbers[0], numbers[1], numbers[2]);
}

/* ---- exported symbols ---------------------------------------------------------------------- */

static struct ea_symtab *symtab_of(struct ea_version_reading *r)
{
	int rc;

	if (r->symtab || r->no_symtab || r->error)
		return r->symtab;
	rc = ea_symtab_open(r->image.file, r->elf, r->arena, &r->symtab);
	r->no_symtab = rc != 0;
	if (rc < 0 && rc != -EBADMSG)
		r->error = rc;
	return r->symtab;
}

/* The definition of NAME with this type; a version function has no two. */
static bool find_symbol(struct ea_version_reading *r, const char *name, uint8_t type,
			struct ea_symbol *ret)
{
	struct ea_symtab *symtab = symtab_of(r);
	long n = symtab ? ea_symtab_lookup(symtab, name, ea_symtab_gnu_hash(name), ret, 1) : 0;

	if (n < 0 && n != -EBADMSG)
		r->error = (int)n;
	return n == 1 && ret->shndx != SHN_UNDEF && ret->type == type;
}

const char *ea_version_object(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct ea_symbol symbol;
	uint32_t number;
	uint64_t off;

	if (!find_symbol(r, getter->symbol, STT_OBJECT, &symbol) || symbol.size != 4 ||
	    !ea_image_offset(&r->image, symbol.value, 4, &off) ||
	    !ea_image_read_u32(&r->image, off, &number))
		return NULL;
	return decode(r, getter, number);
}

struct largest {
	const char *prefix;
	struct ea_arena *arena;
	const char *text; /* NULL while none was found */
};

/* "13_0" behind the prefix is 13.0. */
static void take_larger(struct largest *largest, const char *name)
{
	size_t n = strlen(largest->prefix);
	struct ea_version version;
	char *text;

	if (strncmp(name, largest->prefix, n) != 0 || strlen(name + n) > 32 ||
	    name[n + strspn(name + n, "0123456789._")] != '\0')
		return;
	text = ea_arena_dup(largest->arena, name + n);
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = '.';
	if (ea_version_parse(ea_str(text), &version) == 0 &&
	    (!largest->text || ea_version_cmp_text(text, largest->text) > 0))
		largest->text = text;
}

static int take_symbol(void *arg, const struct ea_symbol *symbol)
{
	take_larger(arg, symbol->name);
	return 0;
}

const char *ea_version_symbol(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct largest largest = { .prefix = getter->symbol, .arena = r->arena };
	struct ea_symtab *symtab = symtab_of(r);
	int rc = symtab ? ea_symtab_each(symtab, take_symbol, &largest) : 0;

	if (rc && rc != -EBADMSG)
		r->error = rc;
	return largest.text;
}

const char *ea_version_verdef(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct largest largest = { .prefix = getter->symbol, .arena = r->arena };

	for (uint32_t i = 0; i < r->elf->n_verdefs; i++)
		take_larger(&largest, r->elf->verdefs[i].name);
	return largest.text;
}

/* ---- code ---------------------------------------------------------------------------------- */

/* Up to SIZE bytes of code at ADDR; BUFFER has EA_CODE_MAX. */
static bool load_code(struct ea_version_reading *r, uint64_t addr, uint64_t size, uint8_t *buffer,
		      struct ea_code *ret)
{
	uint64_t off, end;

	if (!ea_image_range(&r->image, addr, &off, &end))
		return false;
	if (size > end - off)
		size = end - off;
	if (size > EA_CODE_MAX)
		size = EA_CODE_MAX;
	*ret = (struct ea_code){
		.bytes = ea_image_bytes(&r->image, off, (size_t)size, buffer),
		.len = (size_t)size,
		.addr = addr,
	};
	return ret->bytes != NULL;
}

/* Body of function NAME: at most MAX bytes, DEFAULT_SIZE where the symbol has no size. */
static bool load_function(struct ea_version_reading *r, const char *name, uint64_t default_size,
			  uint64_t max, uint8_t *buffer, struct ea_code *ret)
{
	struct ea_symbol symbol;
	uint64_t size;

	if (!find_symbol(r, name, STT_FUNC, &symbol))
		return false;
	size = symbol.size ? symbol.size : default_size;
	return load_code(r, symbol.value, size < max ? size : max, buffer, ret);
}

static void scan_code(struct ea_version_reading *r, const struct ea_code *code,
		      struct ea_code_facts *ret)
{
	*ret = (struct ea_code_facts){ 0 };
	if (r->elf->machine == EM_X86_64)
		ea_x86_scan(code, ret);
	else if (r->elf->machine == EM_AARCH64)
		ea_a64_scan(&r->image, code, ret);
}

/* The constant between min and max; false if there are two, *ret stays 0 if there is none. */
static bool only_constant(const struct ea_getter *getter, const struct ea_code_facts *facts,
			  uint32_t *ret)
{
	for (uint32_t i = 0; i < facts->n_constants; i++) {
		uint32_t value = facts->constants[i];

		if (value < getter->min || value > getter->max)
			continue;
		if (*ret && *ret != value)
			return false;
		*ret = value;
	}
	return true;
}

const char *ea_version_code(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct ea_code_facts facts, callee;
	uint8_t buffer[EA_CODE_MAX];
	struct ea_code code;
	uint32_t number = 0;

	if (!load_function(r, getter->symbol, 256, EA_CODE_MAX, buffer, &code))
		return NULL;
	scan_code(r, &code, &facts);
	if (!only_constant(getter, &facts, &number))
		return NULL;
	for (uint32_t i = 0; number == 0 && i < facts.n_calls && i < getter->follow; i++) {
		if (!load_code(r, facts.calls[i], 32, buffer, &code))
			continue;
		scan_code(r, &code, &callee);
		if (!only_constant(getter, &callee, &number))
			return NULL;
	}
	return number ? decode(r, getter, number) : NULL;
}

const char *ea_version_stores(struct ea_version_reading *r, const struct ea_getter *getter)
{
	struct ea_code_facts facts;
	uint8_t buffer[EA_CODE_MAX];
	struct ea_code code;

	if (!load_function(r, getter->symbol, 64, 256, buffer, &code))
		return NULL;
	scan_code(r, &code, &facts);
	for (uint32_t i = 0; i < getter->count; i++)
		if (!facts.stored[i])
			return NULL;
	return decode_all(r, getter, facts.store);
}

const char *ea_version_property(struct ea_version_reading *r, const struct ea_getter *getter)
{
	bool x86 = r->elf->machine == EM_X86_64;
	uint8_t buffer[EA_CODE_MAX];
	struct ea_code code;
	uint32_t n[3];

	if ((!x86 && r->elf->machine != EM_AARCH64) ||
	    !load_function(r, getter->symbol, 256, 256, buffer, &code))
		return NULL;
	for (uint32_t key = 0; key < 3; key++)
		if (!(x86 ? ea_x86_property(&code, key, &n[key])
			  : ea_a64_property(&code, key, &n[key])))
			return NULL;
	return ea_arena_printf(r->arena, "%u.%u.%u", n[0], n[1], n[2]);
}

const char *ea_version_struct(struct ea_version_reading *r, const struct ea_getter *getter)
{
	uint8_t buffer[EA_CODE_MAX];
	struct ea_code code;
	uint32_t n[3] = { 0 };
	uint64_t addr = 0, off;
	bool found = false;

	if (!load_function(r, getter->symbol, 16, 16, buffer, &code))
		return NULL;
	if (r->elf->machine == EM_X86_64)
		found = ea_x86_returned_address(&code, &addr);
	else if (r->elf->machine == EM_AARCH64)
		found = ea_a64_returned_address(&code, &addr);
	if (!found || !ea_image_offset(&r->image, addr, getter->count * 4ull, &off))
		return NULL;
	for (uint32_t i = 0; i < getter->count; i++)
		if (!ea_image_read_u32(&r->image, off + i * 4ull, &n[i]))
			return NULL;
	return n[0] || n[1] || n[2] ? decode_all(r, getter, n) : NULL;
}
