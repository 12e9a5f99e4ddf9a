/* ld.so.cache: all its entries, and each name looked up as old, newer and other loaders do. */
#include <elf.h>
#include <stdlib.h>

#include "fuzz_target.h"
#include "loader/cache.h"

/* Whatever comes out has to lie inside. */
static void check_inside(struct ea_str file, struct ea_str text)
{
	if (text.len > 0 && (text.ptr < file.ptr || text.ptr + text.len > file.ptr + file.len))
		abort();
}

static void look_up(const struct ea_ld_cache *cache, const char *name)
{
	static const struct ea_cpu cpus[] = {
		{ .level = 1, .platform = "x86_64" },
		{ .level = 4, .platform = "haswell", .capability = "avx512_1" },
		{ .platform = "aarch64" },
	};
	static const unsigned versions[] = { 31, 36, 39, 43 };

	for (size_t i = 0; i < EA_ARRAY_SIZE(cpus) * EA_ARRAY_SIZE(versions); i++) {
		struct ea_policy policy = ea_policy_of(versions[i / EA_ARRAY_SIZE(cpus)], 0);
		const struct ea_ld_cache_asker asker = {
			.policy = &policy,
			.cpu = &cpus[i % EA_ARRAY_SIZE(cpus)],
			.machine = cpus[i % EA_ARRAY_SIZE(cpus)].level ? EM_X86_64 : EM_AARCH64,
			.kernel = 0x060000,
		};
		struct ea_str path;

		if (ea_ld_cache_lookup(cache, name, &asker, &path) == 0)
			check_inside(cache->file, path);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ea_str file = { (const char *)data, size };
	struct ea_arena arena = { 0 };
	struct ea_ld_cache cache;

	if (ea_ld_cache_parse(file, &cache) != 0)
		return 0;
	check_inside(file, cache.generator);
	for (uint32_t i = 0; i < cache.n_entries; i++) {
		struct ea_ld_cache_entry entry;

		if (!ea_ld_cache_at(&cache, i, &entry))
			continue;
		check_inside(file, entry.key);
		check_inside(file, entry.value);
		check_inside(file, entry.hwcaps_folder);
		if (i < 64)
			look_up(&cache, ea_arena_dup_str(&arena, entry.key));
	}
	look_up(&cache, "libc.so.6");
	look_up(&cache, "");
	ea_arena_release(&arena);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}
