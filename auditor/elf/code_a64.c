/* Constants in AArch64 code. */
#include "elf/code.h"

/* Bits LOW to LOW + N - 1 of an instruction, as a signed number. */
static int64_t signed_field(uint32_t word, unsigned low, unsigned n)
{
	int64_t value = word >> low & ((1u << n) - 1);

	return value - ((value >> (n - 1)) << n);
}

/* What registers hold while the code is read from top to bottom. */
struct registers {
	bool known[32]; /* a constant */
	uint64_t value[32];
	int8_t argument[32]; /* the argument whose value it is, -1 = none */
	bool paged[32];	     /* the address of a page */
	uint64_t page[32];
};

static void registers_init(struct registers *r)
{
	*r = (struct registers){ 0 };
	for (int i = 0; i < 32; i++)
		r->argument[i] = (int8_t)(i < 3 ? i : -1);
}

static bool is_movz(uint32_t w)
{
	return (w & 0x7f800000) == 0x52800000;
}

static uint64_t moved_bits(uint32_t w)
{
	return (uint64_t)(w >> 5 & 0xffff) << 16 * (w >> 21 & 3);
}

static uint64_t adrp_page(uint32_t w, uint64_t addr)
{
	int64_t pages = signed_field(w, 5, 19) * 4 + (w >> 29 & 3);

	return (addr & ~UINT64_C(0xfff)) + (uint64_t)pages * 4096;
}

/* movk: the half-made constant was none. */
static void amend(struct registers *r, unsigned rd, uint32_t w, struct ea_code_facts *ret)
{
	uint64_t mask = UINT64_C(0xffff) << 16 * (w >> 21 & 3);

	for (uint32_t i = ret->n_constants; i > 0; i--) {
		if (ret->constants[i - 1] == (uint32_t)r->value[rd]) {
			ret->constants[i - 1] = ret->constants[--ret->n_constants];
			break;
		}
	}
	r->value[rd] = (r->value[rd] & ~mask) | moved_bits(w);
	ea_code_add_constant(ret, (uint32_t)r->value[rd]);
}

/* str wT,[xN] */
static void scan_store(const struct registers *r, uint32_t w, struct ea_code_facts *ret)
{
	unsigned rt = w & 31, rn = w >> 5 & 31;

	if (r->argument[rn] >= 0 && (rt == 31 || r->known[rt]))
		ea_code_add_store(ret, (unsigned)r->argument[rn],
				  rt == 31 ? 0 : (uint32_t)r->value[rt]);
}

/* ldr s/dT,[page + offset]: one or two constants in memory. */
static void scan_load(struct ea_image *image, const struct registers *r, uint32_t w,
		      struct ea_code_facts *ret)
{
	uint64_t size = 4u << (w >> 30 & 1);
	unsigned rn = w >> 5 & 31;
	uint64_t off;
	uint32_t value;

	if (!r->paged[rn] ||
	    !ea_image_offset(image, r->page[rn] + (w >> 10 & 0xfff) * size, size, &off))
		return;
	for (unsigned i = 0; i < size; i += 4)
		if (ea_image_read_u32(image, off + i, &value))
			ea_code_add_constant(ret, value);
}

static void scan_word(struct ea_image *image, struct registers *r, uint32_t w, uint64_t addr,
		      struct ea_code_facts *ret)
{
	unsigned rd = w & 31;

	if (is_movz(w)) {
		r->known[rd] = true;
		r->value[rd] = moved_bits(w);
		ea_code_add_constant(ret, (uint32_t)r->value[rd]);
	} else if ((w & 0x7f800000) == 0x72800000 && r->known[rd]) {
		amend(r, rd, w, ret);
	} else if ((w & 0xffe0ffe0) == 0xaa0003e0) { /* mov xD,xM */
		r->argument[rd] = r->argument[w >> 16 & 31];
		r->known[rd] = false;
	} else if ((w & 0xfffffc00) == 0xb9000000) {
		scan_store(r, w, ret);
	} else if ((w & 0x9f000000) == 0x90000000) {
		r->paged[rd] = true;
		r->page[rd] = adrp_page(w, addr);
	} else if ((w & 0xbfc00000) == 0xbd400000) {
		scan_load(image, r, w, ret);
	} else if ((w & 0x7c000000) == 0x14000000) { /* b, bl */
		ea_code_add_call(ret, addr + (uint64_t)(signed_field(w, 0, 26) * 4));
	}
}

void ea_a64_scan(struct ea_image *image, const struct ea_code *code, struct ea_code_facts *ret)
{
	uint8_t words[EA_CODE_MAX];
	struct registers r;
	size_t len = code->len < sizeof(words) ? code->len : sizeof(words);

	/* Loads from memory use the image, whose bytes the body may be. */
	memcpy(words, code->bytes, len);
	registers_init(&r);
	for (size_t at = 0; at + 4 <= len; at += 4)
		scan_word(image, &r, ea_le32(words + at), code->addr + at, ret);
}

/* ---- property functions -------------------------------------------------------------------- */

/* A walk through compares and jumps with known arguments. */
struct walk {
	struct registers r;
	bool compared;
	int64_t difference; /* of the last compare */
};

/* Condition COND of a b.cond after a compare of unsigned numbers that are small. */
static bool holds(unsigned cond, int64_t difference, bool *ret)
{
	switch (cond) {
	case 0:
		*ret = difference == 0;
		return true;
	case 1:
		*ret = difference != 0;
		return true;
	case 2:
	case 10:
		*ret = difference >= 0;
		return true;
	case 3:
	case 11:
		*ret = difference < 0;
		return true;
	case 8:
	case 12:
		*ret = difference > 0;
		return true;
	case 9:
	case 13:
		*ret = difference <= 0;
		return true;
	default:
		return false;
	}
}

/* One jump: *ret_delta is where it goes, 4 if it does not. False if W is none that can be followed.
 */
static bool follow(const struct walk *walk, uint32_t w, int64_t *ret_delta)
{
	bool taken;

	if ((w & 0xfc000000) == 0x14000000) { /* b */
		*ret_delta = signed_field(w, 0, 26) * 4;
		return true;
	}
	if ((w & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		if (!walk->r.known[w & 31])
			return false;
		taken = (walk->r.value[w & 31] == 0) != (w >> 24 & 1);
	} else if ((w & 0xff000010) == 0x54000000) { /* b.cond */
		if (!walk->compared || !holds(w & 15, walk->difference, &taken))
			return false;
	} else {
		return false;
	}
	*ret_delta = taken ? signed_field(w, 5, 19) * 4 : 4;
	return true;
}

bool ea_a64_property(const struct ea_code *code, uint32_t key, uint32_t *ret)
{
	struct walk walk = { 0 };
	int64_t delta;
	size_t at = 0;

	walk.r.known[0] = walk.r.known[1] = walk.r.known[31] = true;
	walk.r.value[0] = key;
	walk.r.value[1] = 1; /* the pointer: not NULL */
	for (unsigned steps = 0; steps < 32 && ea_range_ok(at, 4, code->len); steps++) {
		uint32_t w = ea_le32(code->bytes + at);

		delta = 4;
		if (is_movz(w)) {
			walk.r.known[w & 31] = true;
			walk.r.value[w & 31] = moved_bits(w);
		} else if ((w & 0xffc003ff) == 0x7100001f) { /* cmp wN,#imm */
			unsigned rn = w >> 5 & 31;

			walk.compared = walk.r.known[rn];
			walk.difference = (int64_t)walk.r.value[rn] - (w >> 10 & 0xfff);
		} else if ((w & 0xffffffe0) == 0xb9000020) { /* str wT,[x1] */
			*ret = (uint32_t)walk.r.value[w & 31];
			return walk.r.known[w & 31];
		} else if ((w & 0x7fe0ffe0) == 0x2a0003e0) { /* mov */
			walk.r.known[w & 31] = walk.r.known[w >> 16 & 31];
			walk.r.value[w & 31] = walk.r.value[w >> 16 & 31];
		} else if (!follow(&walk, w, &delta)) {
			return false;
		}
		if (delta < 0)
			return false;
		at += (size_t)delta;
	}
	return false;
}

bool ea_a64_returned_address(const struct ea_code *code, uint64_t *ret)
{
	uint32_t first, second;

	if (code->len < 8)
		return false;
	first = ea_le32(code->bytes);
	second = ea_le32(code->bytes + 4);
	/* adrp x0,page; add x0,x0,#offset, which linkers make nop; adr x0,address if it is near */
	if (first == 0xd503201f && (second & 0x9f00001f) == 0x10000000) {
		int64_t delta = signed_field(second, 5, 19) * 4 + (second >> 29 & 3);

		*ret = code->addr + 4 + (uint64_t)delta;
		return true;
	}
	if ((first & 0x9f00001f) != 0x90000000 || (second & 0xffc003ff) != 0x91000000)
		return false;
	*ret = adrp_page(first, code->addr) + (second >> 10 & 0xfff);
	return true;
}
