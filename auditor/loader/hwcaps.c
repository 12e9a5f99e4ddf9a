/*
 * Subfolders that are searched in every folder first, best first (elf/dl-hwcaps.c): glibc-hwcaps by
 * level of the processor, and up to 2.36 every mixture of its old capability names.
 */
#include <elf.h>

#include "loader/process.h"

static void add_text(struct ea_process *process, struct ea_str *caps, uint32_t *n, const char *text)
{
	caps[(*n)++] = ea_str(ea_arena_dup(process->arena, text));
}

static void add_levels(struct ea_process *process, struct ea_str *caps, uint32_t *n)
{
	static const char *const folders[] = {
		[2] = "glibc-hwcaps/x86-64-v2/",
		[3] = "glibc-hwcaps/x86-64-v3/",
		[4] = "glibc-hwcaps/x86-64-v4/",
	};

	if (!ea_policy_has(&process->policy, EA_POLICY_GLIBC_HWCAPS))
		return;
	for (uint8_t level = process->launch.cpu.level; level >= 2; level--)
		add_text(process, caps, n, folders[level]);
}

/*
 * All mixtures of the names, the last name being the most significant: with x86_64, haswell and tls
 * they are tls/haswell/x86_64/, tls/haswell/, tls/x86_64/, tls/, haswell/x86_64/, haswell/,
 * x86_64/.
 */
static void add_legacy(struct ea_process *process, struct ea_str *caps, uint32_t *n)
{
	const char *names[4], *platform = process->launch.cpu.platform;
	uint32_t n_names = 0;
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	if (!ea_policy_has(&process->policy, EA_POLICY_LEGACY_HWCAPS))
		return;
	if (process->machine == EM_X86_64)
		names[n_names++] = "x86_64";
	if (process->launch.cpu.capability)
		names[n_names++] = process->launch.cpu.capability;
	/* Where the kernel's platform is x86_64 too, the name comes twice, as in ld.so. */
	if (platform)
		names[n_names++] = platform;
	names[n_names++] = "tls";
	for (uint32_t set = (1u << n_names) - 1; set > 0; set--) {
		ea_buf_clear(&text);
		for (uint32_t i = n_names; i-- > 0;)
			if (set >> i & 1)
				ea_buf_printf(&text, "%s/", names[i]);
		add_text(process, caps, n, ea_buf_text(&text));
	}
}

void ea_hwcaps_start(struct ea_process *process)
{
	struct ea_str *caps = ea_arena_array(process->arena, struct ea_str, 3 + 16 + 1);
	uint32_t n = 0;

	add_levels(process, caps, &n);
	add_legacy(process, caps, &n);
	add_text(process, caps, &n, "");
	process->capabilities = caps;
	process->n_capabilities = n;
}
