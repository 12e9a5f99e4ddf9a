/* Checked arithmetic and unaligned loads for numbers that come out of files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The one predicate for every offset of a file: [off, off+len) lies inside [0, size). */
static inline bool ea_range_ok(uint64_t off, uint64_t len, uint64_t size)
{
	return off <= size && len <= size - off;
}

static inline bool ea_add_u64(uint64_t a, uint64_t b, uint64_t *ret_sum)
{
	return !__builtin_add_overflow(a, b, ret_sum);
}

static inline bool ea_mul_u64(uint64_t a, uint64_t b, uint64_t *ret_product)
{
	return !__builtin_mul_overflow(a, b, ret_product);
}

static inline uint16_t ea_le16(const void *ptr)
{
	uint16_t v;

	memcpy(&v, ptr, sizeof(v));
	return v;
}

static inline uint32_t ea_le32(const void *ptr)
{
	uint32_t v;

	memcpy(&v, ptr, sizeof(v));
	return v;
}

static inline uint64_t ea_le64(const void *ptr)
{
	uint64_t v;

	memcpy(&v, ptr, sizeof(v));
	return v;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ea_le16 and its sisters need byte swaps on this machine"
#endif
