/*
 * Constants in the machine code of a function, found without a disassembler: version functions are
 * a few instructions long, and what they do with a number takes few forms. Private to elf/.
 */
#pragma once

#include "elf/image.h"

#define EA_CODE_MAX	  2048u /* bytes of a body that are looked at */
#define EA_CODE_CONSTANTS 512u
#define EA_CODE_CALLS	  8u

/* The body of a function. */
struct ea_code {
	const uint8_t *bytes;
	size_t len;
	uint64_t addr;
};

/* What stands in it. */
struct ea_code_facts {
	uint32_t constants[EA_CODE_CONSTANTS]; /* loaded or stored, in order */
	uint32_t n_constants;
	uint64_t calls[EA_CODE_CALLS]; /* addresses that it calls or jumps to; some are none */
	uint32_t n_calls;
	bool stored[3];	   /* through pointer argument 0, 1, 2 … */
	uint32_t store[3]; /* … the first number */
};

static inline void ea_code_add_constant(struct ea_code_facts *facts, uint32_t value)
{
	if (facts->n_constants < EA_CODE_CONSTANTS)
		facts->constants[facts->n_constants++] = value;
}

static inline void ea_code_add_store(struct ea_code_facts *facts, unsigned arg, uint32_t value)
{
	if (!facts->stored[arg])
		facts->store[arg] = value;
	facts->stored[arg] = true;
}

static inline void ea_code_add_call(struct ea_code_facts *facts, uint64_t addr)
{
	if (facts->n_calls < EA_CODE_CALLS)
		facts->calls[facts->n_calls++] = addr;
}

/* x86-64. The scan looks at every offset; it may find more than there is, never less. */
void ea_x86_scan(const struct ea_code *code, struct ea_code_facts *ret);
/* The number that the function stores through its second argument when the first is KEY. */
bool ea_x86_property(const struct ea_code *code, uint32_t key, uint32_t *ret);
/* The address that the function returns, computed from its own. */
bool ea_x86_returned_address(const struct ea_code *code, uint64_t *ret);

/* The same for AArch64; IMAGE gives the constants that code loads from memory. */
void ea_a64_scan(struct ea_image *image, const struct ea_code *code, struct ea_code_facts *ret);
bool ea_a64_property(const struct ea_code *code, uint32_t key, uint32_t *ret);
bool ea_a64_returned_address(const struct ea_code *code, uint64_t *ret);
