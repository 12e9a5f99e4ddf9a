/* The table of rules and how they are run. */
#include "rules/engine.h"

#include <stdlib.h>
#include <string.h>

#include "rules/checks.h"

const struct ea_rule_check ea_rule_checks[] = {
	{ "elf-bad", ea_check_elf_bad },
	{ "dup-file-owner", ea_check_dup_file_owner },
	{ "dup-file-owner/replaced", ea_check_dup_file_owner_replaced },
	{ "broken-link", ea_check_broken_link },
	{ "broken-link/forged", ea_check_broken_link_forged },
	{ "leftover", ea_check_leftover },
	{ "leftover/twice", ea_check_leftover_twice },
	{ "leftover/missing", ea_check_leftover_missing },
	{ "leftover/unowned", ea_check_leftover_unowned },
	{ "soname-missing", ea_check_soname_missing },
	{ "shadow-cudnn", ea_check_shadow_cudnn },
	{ "cudnn-mixed-set", ea_check_cudnn_mixed_set },
	{ "second-level-skew", ea_check_missing_symbol },
	{ "nccl-skew", ea_check_missing_symbol },
	{ "torch-ext-abi", ea_check_torch_ext_abi },
	{ "libstdcxx", ea_check_missing_symbol },
	{ "mkl-skew", ea_check_missing_symbol },
	{ "torch-family-pin", ea_check_torch_family_pin },
	{ "torch-family-pin/release", ea_check_torch_family_pin_release },
	{ "torch-family-pin/cuda", ea_check_torch_family_pin_cuda },
	{ "cpu-build", ea_check_cpu_build },
	{ "kmod-mismatch", ea_check_kmod_mismatch },
	{ "libcuda-stub", ea_check_libcuda_stub },
	{ "driver-files-in-image", ea_check_driver_files_in_image },
	{ "glibc", ea_check_glibc },
	{ "kmod-mismatch/too-old", ea_check_driver_too_old },
	{ "kmod-mismatch/require", ea_check_image_require },
	{ "kmod-mismatch/capabilities", ea_check_image_capabilities },
	{ "gpu-arch", ea_check_gpu_arch },
	{ "libcuda-compat", ea_check_libcuda_compat },
	{ "wsl-libcuda", ea_check_wsl_libcuda },
	{ "openmp-dup", ea_check_openmp_dup },
	{ "openmp-dup/linked", ea_check_openmp_linked },
	{ "openmp-dup/layer", ea_check_openmp_layer },
	{ "py-shadow", ea_check_py_shadow },
	{ "known-bad", ea_check_known_bad },
	{ "preload", ea_check_preload },
	{ "preload/ignored", ea_check_preload_ignored },
	{ "relocated", ea_check_relocated },
	{ "rpath-layout", ea_check_rpath_layout },
	{ "unversioned-dlopen", ea_check_unversioned_dlopen },
	{ "toolchain", ea_check_toolchain },
	{ "toolchain/other", ea_check_toolchain_other },
	{ NULL, NULL },
};

static int compare_findings(const void *a, const void *b)
{
	const struct ea_finding *fa = *(const struct ea_finding *const *)a;
	const struct ea_finding *fb = *(const struct ea_finding *const *)b;
	int order = (int)fb->severity - (int)fa->severity;

	if (!order)
		order = strcmp(fa->rule->slug, fb->rule->slug);
	if (!order)
		order = strcmp(fa->title, fb->title);
	return order ? order : strcmp(fa->fingerprint, fb->fingerprint);
}

int ea_rules_run(const struct ea_rules *rules, struct ea_matrix *facts, struct ea_world *world,
		 struct ea_err *err)
{
	for (const struct ea_rule_check *c = ea_rule_checks; c->slug; c++) {
		struct ea_check check = {
			.world = world,
			.rules = rules,
			.facts = facts,
			.err = err,
			.rule = ea_rules_find(rules, c->slug),
		};

		if (!check.rule)
			return ea_err_set(err, EA_E_MATRIX,
					  "rule '%s' has no file in the folder of rules", c->slug);
		if (check.rule->enabled)
			c->run(&check);
		if (check.rc)
			return check.rc;
	}
	if (world->findings.n > 1)
		qsort(world->findings.items, world->findings.n, sizeof(*world->findings.items),
		      compare_findings);
	return 0;
}
