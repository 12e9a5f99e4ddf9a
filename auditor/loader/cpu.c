/* The processor as ld.so sees it: which hwcaps folders it may use, and $PLATFORM. */
#include <elf.h>

#include "loader/loader.h"

#include "base/attr.h"

/* Flags of /proc/cpuinfo that make up the x86-64 levels (sysdeps/x86/get-isa-level.h). */
static const char *const level_flags[] = {
	[2] = "cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2",
	[3] = "avx avx2 bmi1 bmi2 f16c fma abm movbe",
	[4] = "avx512f avx512bw avx512cd avx512dq avx512vl",
};

static bool has_flag(struct ea_str flags, struct ea_str flag)
{
	struct ea_str token;

	while (ea_str_token(&flags, ' ', &token))
		if (ea_str_eq(token, flag))
			return true;
	return false;
}

static bool has_flags(struct ea_str flags, const char *wanted)
{
	struct ea_str rest = ea_str(wanted), flag;

	while (ea_str_token(&rest, ' ', &flag))
		if (!has_flag(flags, flag))
			return false;
	return true;
}

/* What glibc makes of an Intel processor (sysdeps/x86/cpu-features.c). */
static void set_intel(struct ea_cpu *cpu, struct ea_str flags)
{
	if (has_flags(flags, "avx512cd avx512er avx512pf"))
		cpu->platform = "xeon_phi";
	else if (has_flags(flags, "avx2 bmi1 bmi2 abm movbe popcnt fma"))
		cpu->platform = "haswell";
	if (has_flags(flags, "avx512cd avx512bw avx512dq avx512vl") &&
	    !has_flags(flags, "avx512er"))
		cpu->capability = "avx512_1";
}

/* The value of the first line "KEY : value". */
static bool find_value(struct ea_str text, const char *key, struct ea_str *ret_value)
{
	struct ea_str line;

	while (ea_str_line(&text, &line)) {
		size_t colon = ea_str_find(line, ':');

		if (colon == line.len ||
		    !ea_str_is(ea_str_trim((struct ea_str){ line.ptr, colon }), key))
			continue;
		*ret_value = ea_str_trim(ea_str_skip(line, colon + 1));
		return true;
	}
	return false;
}

int ea_cpu_from_cpuinfo(struct ea_str text, struct ea_cpu *ret_cpu)
{
	struct ea_cpu cpu = { .level = 1, .platform = "x86_64" };
	struct ea_str flags, vendor;

	if (find_value(text, "Features", &flags)) {
		*ret_cpu = (struct ea_cpu){
			.platform = "aarch64",
			.capability = has_flags(flags, "atomics") ? "atomics" : NULL,
		};
		return 0;
	}
	if (!find_value(text, "flags", &flags))
		return 1;
	while (cpu.level < 4 && has_flags(flags, level_flags[cpu.level + 1]))
		cpu.level++;
	if (find_value(text, "vendor_id", &vendor) && ea_str_is(vendor, "GenuineIntel"))
		set_intel(&cpu, flags);
	*ret_cpu = cpu;
	return 0;
}

int ea_cpu_from_name(const char *name, uint16_t machine, struct ea_cpu *ret_cpu)
{
	static const struct {
		const char *name;
		struct ea_cpu cpu;
	} known[] = {
		{ "x86-64", { 1, NULL, "x86_64" } },
		{ "x86-64-v1", { 1, NULL, "x86_64" } },
		{ "x86-64-v2", { 2, NULL, "x86_64" } },
		{ "x86-64-v3", { 3, NULL, "x86_64" } },
		{ "x86-64-v4", { 4, NULL, "x86_64" } },
		{ "haswell", { 3, NULL, "haswell" } },
		{ "skylake-avx512", { 4, "avx512_1", "haswell" } },
	};

	if (machine == EM_AARCH64 && ea_streq(name, "aarch64")) {
		*ret_cpu = (struct ea_cpu){ .platform = "aarch64" };
		return 0;
	}
	for (size_t i = 0; machine == EM_X86_64 && i < EA_ARRAY_SIZE(known); i++) {
		if (!ea_streq(known[i].name, name))
			continue;
		*ret_cpu = known[i].cpu;
		return 0;
	}
	return 1;
}
