/*
 * ld.so.cache: layout (sysdeps/generic/dl-cache.h) and lookup (search_cache in elf/dl-cache.c). The
 * lookup keeps to ld.so's binary search step by step, so that a cache out of order misleads it
 * equally.
 */
#include "loader/cache.h"

#include <elf.h>

#include "base/num.h"

#define MAGIC_OLD	 "ld.so-1.7.0"
#define MAGIC_NEW	 "glibc-ld.so.cache1.1"
#define OLD_HEADER	 16u /* magic, padding, number of entries */
#define OLD_ENTRY	 12u
#define NEW_HEADER	 48u
#define NEW_ENTRY	 24u
#define EXTENSION_MAGIC	 0xEAA42174u
#define ENDIAN_LITTLE	 2u
#define HWCAP_EXTENSION	 (UINT64_C(1) << 30) /* of the upper half of hwcap */
#define HWCAP_LEVEL_MASK 0x3ffu

/* Bits of hwcap in entries of ldconfig before 2.37 (sysdeps/x86/dl-hwcap.h, dl-procinfo.h). */
#define LEGACY_X86_64	 (UINT64_C(1) << 1)
#define LEGACY_AVX512_1	 (UINT64_C(1) << 2)
#define LEGACY_HASWELL	 (UINT64_C(1) << 50)
#define LEGACY_XEON_PHI	 (UINT64_C(1) << 51)
#define LEGACY_PLATFORMS (UINT64_C(0xf) << 48)
#define LEGACY_TLS	 (UINT64_C(1) << 63)

static uint32_t u32_at(struct ea_str file, uint64_t off)
{
	return ea_le32(file.ptr + off);
}

/* The array of hwcaps names and the generator's name, where the file has them. */
static void parse_extensions(struct ea_ld_cache *cache, uint64_t header)
{
	struct ea_str file = cache->file;
	uint64_t dir = u32_at(file, header + 32);
	uint32_t count;

	if (dir == 0 || dir % 4 != 0 || !ea_range_ok(dir, 8, file.len) ||
	    u32_at(file, dir) != EXTENSION_MAGIC)
		return;
	count = u32_at(file, dir + 4);
	if (!ea_range_ok(dir + 8, (uint64_t)count * 16, file.len))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t section = dir + 8 + (uint64_t)i * 16;
		uint32_t tag = u32_at(file, section);
		uint32_t off = u32_at(file, section + 8), size = u32_at(file, section + 12);

		if (!ea_range_ok(off, size, file.len)) {
			cache->hwcaps = cache->n_hwcaps = 0;
			return;
		}
		if (tag == 0) {
			cache->generator = (struct ea_str){ file.ptr + off, size };
		} else if (tag == 1 && off % 4 == 0 && size % 4 == 0) {
			cache->hwcaps = off;
			cache->n_hwcaps = size / 4;
		}
	}
}

/* The new layout with its header at HEADER; false where ld.so refuses it. */
static bool parse_new(struct ea_ld_cache *cache, uint64_t header)
{
	struct ea_str file = cache->file;
	uint64_t room = (file.len - header - NEW_HEADER) / NEW_ENTRY;
	uint8_t flags;

	/* Inside an old cache ld.so does not check the count. */
	cache->n_entries = u32_at(file, header + 20);
	if (cache->n_entries > room)
		cache->n_entries = (uint32_t)room;
	flags = (uint8_t)file.ptr[header + 28];
	if (flags != 0 && (flags & 3) != ENDIAN_LITTLE)
		return false;
	cache->entries = header + NEW_HEADER;
	cache->entry_size = NEW_ENTRY;
	cache->strings = header;
	/* Counted from the header although the limit is the size of the file: ld.so does so too. */
	cache->strings_size = file.len;
	parse_extensions(cache, header);
	return true;
}

static bool has_magic(struct ea_str file, uint64_t off, const char *magic)
{
	size_t len = strlen(magic);

	return ea_range_ok(off, len, file.len) && memcmp(file.ptr + off, magic, len) == 0;
}

int ea_ld_cache_parse(struct ea_str file, struct ea_ld_cache *ret)
{
	struct ea_ld_cache cache = { .file = file };
	uint32_t n_old;
	uint64_t header;

	if (has_magic(file, 0, MAGIC_NEW) && file.len > NEW_HEADER &&
	    (file.len - NEW_HEADER) / NEW_ENTRY >= u32_at(file, 20)) {
		if (!parse_new(&cache, 0))
			return 1;
		*ret = cache;
		return 0;
	}
	if (!has_magic(file, 0, MAGIC_OLD) || file.len <= OLD_HEADER)
		return 1;
	n_old = u32_at(file, 12);
	if ((file.len - OLD_HEADER) / OLD_ENTRY < n_old)
		return 1;
	header = (OLD_HEADER + (uint64_t)n_old * OLD_ENTRY + 7) & ~UINT64_C(7);
	if (file.len >= header + NEW_HEADER && has_magic(file, header, MAGIC_NEW)) {
		if (!parse_new(&cache, header))
			return 1;
	} else {
		cache.entries = OLD_HEADER;
		cache.n_entries = n_old;
		cache.entry_size = OLD_ENTRY;
		cache.strings = OLD_HEADER + (uint64_t)n_old * OLD_ENTRY;
		cache.strings_size = file.len - cache.strings;
	}
	*ret = cache;
	return 0;
}

/* The string with index INDEX; false where ld.so would not look at it. */
static bool string_at(const struct ea_ld_cache *cache, uint32_t index, struct ea_str *ret)
{
	uint64_t off = cache->strings + index;
	struct ea_str rest;

	if (index >= cache->strings_size)
		return false;
	/* A text that runs out of the file ends with it: the rest of the page reads as zeros. */
	rest = ea_str_skip(cache->file, off > cache->file.len ? cache->file.len : (size_t)off);
	*ret = (struct ea_str){ rest.ptr, ea_str_find(rest, '\0') };
	return true;
}

static uint64_t entry_offset(const struct ea_ld_cache *cache, uint32_t index)
{
	return cache->entries + (uint64_t)index * cache->entry_size;
}

static bool key_at(const struct ea_ld_cache *cache, uint32_t index, struct ea_str *ret)
{
	return string_at(cache, u32_at(cache->file, entry_offset(cache, index) + 4), ret);
}

static bool is_hwcaps_entry(uint64_t hwcap)
{
	return ((hwcap >> 32) & ~(uint64_t)HWCAP_LEVEL_MASK) == HWCAP_EXTENSION;
}

static bool hwcaps_name(const struct ea_ld_cache *cache, uint32_t index, struct ea_str *ret)
{
	uint64_t off;
	struct ea_str rest;

	if (index >= cache->n_hwcaps)
		return false;
	off = u32_at(cache->file, cache->hwcaps + (uint64_t)index * 4);
	if (off >= cache->file.len)
		return false;
	rest = ea_str_skip(cache->file, (size_t)off);
	*ret = (struct ea_str){ rest.ptr, ea_str_find(rest, '\0') };
	return true;
}

bool ea_ld_cache_at(const struct ea_ld_cache *cache, uint32_t index, struct ea_ld_cache_entry *ret)
{
	struct ea_ld_cache_entry entry = { 0 };
	uint64_t off;

	if (index >= cache->n_entries)
		return false;
	off = entry_offset(cache, index);
	entry.flags = (int32_t)u32_at(cache->file, off);
	if (!key_at(cache, index, &entry.key) ||
	    !string_at(cache, u32_at(cache->file, off + 8), &entry.value))
		return false;
	if (cache->entry_size == NEW_ENTRY) {
		entry.osversion = u32_at(cache->file, off + 12);
		entry.hwcap = ea_le64(cache->file.ptr + off + 16);
		if (is_hwcaps_entry(entry.hwcap))
			hwcaps_name(cache, (uint32_t)entry.hwcap, &entry.hwcaps_folder);
	}
	*ret = entry;
	return true;
}

static bool is_digit(signed char c)
{
	return c >= '0' && c <= '9';
}

/* Signed, as ld.so's own char is on x86. */
static signed char char_at(struct ea_str text, size_t i)
{
	return i < text.len ? (signed char)text.ptr[i] : 0;
}

/* The run of digits at *I, as ld.so's int has it: it wraps around. */
static int32_t number_at(struct ea_str text, size_t *i)
{
	uint32_t value = 0;

	while (is_digit(char_at(text, *i)))
		value = value * 10 + (uint32_t)(text.ptr[(*i)++] - '0');
	return (int32_t)value;
}

int ea_ld_cache_compare(struct ea_str a, struct ea_str b)
{
	size_t i = 0, k = 0;

	while (i < a.len) {
		signed char ca = char_at(a, i), cb = char_at(b, k);

		if (is_digit(ca) && is_digit(cb)) {
			int32_t na = number_at(a, &i), nb = number_at(b, &k);

			if (na != nb)
				return na < nb ? -1 : 1;
		} else if (is_digit(ca)) {
			return 1;
		} else if (is_digit(cb)) {
			return -1;
		} else if (ca != cb) {
			return ca < cb ? -1 : 1;
		} else {
			i++;
			k++;
		}
	}
	return char_at(b, k) > 0 ? -1 : char_at(b, k) < 0;
}

static int32_t wanted_flags(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:
		return 0x0303;
	case EM_AARCH64:
		return 0x0a03;
	case EM_PPC64:
		return 0x0503;
	case EM_S390:
		return 0x0403;
	case EM_RISCV:
		return 0x1003; /* double-precision ABI */
	default:
		return 0x0003;
	}
}

static int compare_names(struct ea_str a, struct ea_str b)
{
	int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);

	return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

/*
 * Rank of an entry out of glibc-hwcaps, 1 being the best; 0 = it cannot be used; -1 where a name of
 * a folder lies outside the file: ld.so does not get past it and writes on until it dies.
 */
static int hwcaps_rank(const struct ea_ld_cache *cache, const struct ea_ld_cache_asker *asker,
		       uint64_t hwcap)
{
	static const char *const folders[] = { "x86-64-v2", "x86-64-v3", "x86-64-v4" };
	uint32_t level = asker->cpu->level, n = level >= 2 ? level - 1 : 0, at = 0;
	int rank = 0;

	/* The entry's level is a bit number; 0 is the baseline. */
	if (((hwcap >> 32) & HWCAP_LEVEL_MASK) >= level)
		return 0;
	/* Both lists are taken for sorted. */
	for (uint32_t i = 0; i < cache->n_hwcaps && at < n;) {
		struct ea_str name;
		int order;

		if (!hwcaps_name(cache, i, &name))
			return -1;
		order = compare_names(name, ea_str(folders[at]));
		if (order == 0 && i == (uint32_t)hwcap)
			rank = (int)(n - at);
		i += order <= 0;
		at += order >= 0;
	}
	return rank;
}

/* An entry of the time before glibc-hwcaps fits: its hwcap bits and platform are the processor's.
 */
static bool legacy_fits(const struct ea_ld_cache_asker *asker, uint64_t hwcap, uint32_t osversion)
{
	const struct ea_cpu *cpu = asker->cpu;
	uint64_t have = LEGACY_PLATFORMS | LEGACY_TLS, platform = 0;

	if (ea_policy_has(asker->policy, EA_POLICY_ABI_NOTE) && asker->kernel != 0 &&
	    osversion > asker->kernel)
		return false;
	if (!ea_policy_has(asker->policy, EA_POLICY_LEGACY_CACHE))
		return hwcap == 0;
	if (asker->machine == EM_X86_64)
		have |= LEGACY_X86_64 | (cpu->capability ? LEGACY_AVX512_1 : 0);
	if (ea_streq(cpu->platform, "haswell"))
		platform = LEGACY_HASWELL;
	else if (ea_streq(cpu->platform, "xeon_phi"))
		platform = LEGACY_XEON_PHI;
	return (hwcap & ~have) == 0 &&
	       ((hwcap & LEGACY_PLATFORMS) == 0 || (hwcap & LEGACY_PLATFORMS) == platform);
}

/* The entry to use among those from FIRST to LAST that are named NAME; KNOWN are certain to be. */
static int pick(const struct ea_ld_cache *cache, struct ea_str name, uint32_t first, uint32_t known,
		uint32_t last, const struct ea_ld_cache_asker *asker, struct ea_str *ret_path)
{
	int32_t wanted = wanted_flags(asker->machine);
	bool extensions = ea_policy_has(asker->policy, EA_POLICY_GLIBC_HWCAPS);
	int best_rank = 0;
	bool found = false;

	for (uint32_t i = first; i <= last; i++) {
		uint64_t off = entry_offset(cache, i), hwcap = 0;
		struct ea_str key, value;
		uint32_t osversion = 0;
		int rank = 0;

		if (i > known && (!key_at(cache, i, &key) || ea_ld_cache_compare(name, key) != 0))
			break;
		if ((int32_t)u32_at(cache->file, off) != wanted ||
		    !string_at(cache, u32_at(cache->file, off + 8), &value))
			continue;
		if (cache->entry_size == NEW_ENTRY) {
			osversion = u32_at(cache->file, off + 12);
			hwcap = ea_le64(cache->file.ptr + off + 16);
		}
		if (extensions && is_hwcaps_entry(hwcap)) {
			rank = hwcaps_rank(cache, asker, hwcap);
			if (rank < 0)
				return -1;
			if (rank == 0 || (found && rank >= best_rank))
				continue;
			best_rank = rank;
		} else {
			if (extensions && found)
				break; /* those out of glibc-hwcaps come first */
			if (!legacy_fits(asker, hwcap, osversion))
				continue;
		}
		*ret_path = value;
		found = true;
		if (rank == 0)
			break;
	}
	return found ? 0 : 1;
}

int ea_ld_cache_lookup(const struct ea_ld_cache *cache, const char *name,
		       const struct ea_ld_cache_asker *asker, struct ea_str *ret_path)
{
	struct ea_str wanted = ea_str(name), key;
	int64_t left = 0, right = (int64_t)cache->n_entries - 1;

	while (left <= right) {
		int64_t middle = (left + right) / 2, first = middle;
		int order;

		if (!key_at(cache, (uint32_t)middle, &key))
			return 1;
		order = ea_ld_cache_compare(wanted, key);
		if (order < 0) {
			left = middle + 1;
			continue;
		}
		if (order > 0) {
			right = middle - 1;
			continue;
		}
		while (first > 0 && key_at(cache, (uint32_t)first - 1, &key) &&
		       ea_ld_cache_compare(wanted, key) == 0)
			first--;
		return pick(cache, wanted, (uint32_t)first, (uint32_t)middle, (uint32_t)right,
			    asker, ret_path);
	}
	return 1;
}
