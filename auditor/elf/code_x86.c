/* Constants in x86-64 code. */
#include "elf/code.h"

#include <string.h>

static bool starts(const struct ea_code *code, size_t at, const char *bytes, size_t n)
{
	return ea_range_ok(at, n, code->len) && memcmp(code->bytes + at, bytes, n) == 0;
}

#define STARTS(code, at, literal) starts((code), (at), (literal), sizeof(literal) - 1)
#define ENDBR64			  "\xf3\x0f\x1e\xfa"

static bool has_rex(const struct ea_code *code, size_t at, uint8_t low)
{
	return at > 0 && code->bytes[at - 1] >= low && code->bytes[at - 1] <= 0x4f;
}

/* Length of "c7 /0 modrm [sib] [disp]" in front of its constant; 0 if it is not that. */
static size_t store_length(const uint8_t *op, size_t len)
{
	static const size_t displacement[] = { 0, 1, 4, 0 };
	unsigned mod, rm;
	size_t n = 2;

	if (len < 3 || (op[1] & 0x38) != 0)
		return 0;
	mod = op[1] >> 6;
	rm = op[1] & 7;
	n += displacement[mod];
	if (mod == 0 && rm == 5)
		n += 4;
	if (mod != 3 && rm == 4)
		n += mod == 0 && (op[2] & 7) == 5 ? 5 : 1;
	return n;
}

static void scan_store(const struct ea_code *code, size_t at, struct ea_code_facts *ret)
{
	/* (%rdi), (%rsi), (%rdx) without displacement */
	static const uint8_t arguments[] = { 0x07, 0x06, 0x02 };
	const uint8_t *op = code->bytes + at;
	size_t n = store_length(op, code->len - at);
	uint32_t value;

	if (n == 0 || !ea_range_ok(at + n, 4, code->len))
		return;
	value = ea_le32(op + n);
	ea_code_add_constant(ret, value);
	for (unsigned i = 0; i < EA_ARRAY_SIZE(arguments); i++)
		if (op[1] == arguments[i] && !has_rex(code, at, 0x40))
			ea_code_add_store(ret, i, value);
}

void ea_x86_scan(const struct ea_code *code, struct ea_code_facts *ret)
{
	for (size_t at = 0; at + 5 <= code->len; at++) {
		uint8_t op = code->bytes[at];

		if (op >= 0xb8 && op <= 0xbf) { /* mov $imm32, %r32; movabs has a REX.W */
			if (!has_rex(code, at, 0x48))
				ea_code_add_constant(ret, ea_le32(code->bytes + at + 1));
		} else if (op == 0xc7) { /* mov $imm32, memory or register */
			scan_store(code, at, ret);
		} else if (op == 0xe8 || op == 0xe9) { /* call, jmp */
			int64_t delta = (int32_t)ea_le32(code->bytes + at + 1);

			ea_code_add_call(ret, code->addr + at + 5 + (uint64_t)delta);
		}
	}
}

/* The short conditional jump OP, after a comparison that left LEFT and RIGHT (unsigned). */
static bool jumps(uint8_t op, uint32_t left, uint32_t right)
{
	switch (op) {
	case 0x72:
		return left < right;
	case 0x74:
		return left == right;
	case 0x75:
		return left != right;
	default:
		return left > right; /* 0x77 */
	}
}

bool ea_x86_property(const struct ea_code *code, uint32_t key, uint32_t *ret)
{
	uint32_t left = 0, right = 0;
	bool compared = false;
	size_t at = 0;

	for (unsigned steps = 0; steps < 24; steps++) {
		if (STARTS(code, at, ENDBR64)) {
			at += 4;
		} else if (at < code->len && code->bytes[at] >= 0xb8 && code->bytes[at] <= 0xbd) {
			at += 5; /* mov $imm32: a result that is not the number */
		} else if (STARTS(code, at, "\x48\x85\xf6")) { /* test %rsi,%rsi: no NULL here */
			left = 1;
			right = 0;
			compared = true;
			at += 3;
		} else if (STARTS(code, at, "\x83\xff") &&
			   at + 2 < code->len) { /* cmp $imm8,%edi */
			left = key;
			right = code->bytes[at + 2];
			compared = true;
			at += 3;
		} else if (STARTS(code, at, "\x85\xff")) { /* test %edi,%edi */
			left = key;
			right = 0;
			compared = true;
			at += 2;
		} else if (STARTS(code, at, "\xc7\x06") && ea_range_ok(at, 6, code->len)) {
			*ret = ea_le32(code->bytes + at + 2); /* movl $imm32,(%rsi) */
			return true;
		} else if (compared && ea_range_ok(at, 2, code->len) &&
			   memchr("\x72\x74\x75\x77", code->bytes[at], 4)) {
			uint8_t op = code->bytes[at], delta = code->bytes[at + 1];

			at += 2;
			if (jumps(op, left, right)) {
				if (delta > 127) /* backwards */
					return false;
				at += delta;
			}
		} else {
			return false;
		}
	}
	return false;
}

bool ea_x86_returned_address(const struct ea_code *code, uint64_t *ret)
{
	size_t at = STARTS(code, 0, ENDBR64) ? 4 : 0;

	/* lea disp32(%rip),%rax; ret */
	if (!STARTS(code, at, "\x48\x8d\x05") || !ea_range_ok(at, 8, code->len) ||
	    code->bytes[at + 7] != 0xc3)
		return false;
	*ret = code->addr + at + 7 + (uint64_t)(int64_t)(int32_t)ea_le32(code->bytes + at + 3);
	return true;
}
