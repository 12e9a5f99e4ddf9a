/* GPUs by their names, and what runs on them. */
#include "rules/gpu.h"

#include <stdio.h>

/* "sm_90a", "90", "9.0", "compute_120": its digits, the last of which is the minor version. */
static int parse(const char *name, unsigned *ret)
{
	struct ea_str text = ea_str(name), minor;
	unsigned long long major, number;
	size_t dot;

	if (ea_str_starts(text, "sm_"))
		text = ea_str_skip(text, 3);
	else if (ea_str_starts(text, "compute_"))
		text = ea_str_skip(text, 8);
	if (text.len > 1 && (text.ptr[text.len - 1] == 'a' || text.ptr[text.len - 1] == 'f'))
		text.len--;
	dot = ea_str_find(text, '.');
	if (dot < text.len) {
		minor = ea_str_skip(text, dot + 1);
		text.len = dot;
		if (minor.len != 1 || !ea_str_u64(minor, &number) || !ea_str_u64(text, &major))
			return 1;
		number += major * 10;
	} else if (!ea_str_u64(text, &number)) {
		return 1;
	}
	if (number < 20 || number > 999)
		return 1;
	*ret = (unsigned)number;
	return 0;
}

int ea_gpu_capability(struct ea_matrix *matrix, const char *name, unsigned *ret, struct ea_err *err)
{
	const struct ea_gpu_model *model;
	int rc;

	if (parse(name, ret) == 0)
		return 0;
	rc = ea_compat_gpu(matrix, name, &model, err);
	if (rc == 0 && (!model->sm || parse(model->sm, ret)))
		return 1;
	return rc;
}

bool ea_gpu_runs(const struct ea_elf *elf, unsigned capability)
{
	char code[16], gpu[16];

	snprintf(gpu, sizeof(gpu), "%u.%u", capability / 10, capability % 10);
	for (uint32_t i = 0; i < elf->n_arches; i++) {
		const struct ea_gpu_arch *arch = &elf->arches[i];

		if (arch->code == EA_GPU_LTO)
			return true;
		/* Code with an `a` is for one processor alone. */
		if (arch->variant == 'a' && arch->arch != capability)
			continue;
		snprintf(code, sizeof(code), "%u.%u", arch->arch / 10u, arch->arch % 10u);
		if (ea_compat_runs_on(arch->code == EA_GPU_CUBIN ? code : NULL,
				      arch->code == EA_GPU_PTX ? code : NULL, gpu))
			return true;
	}
	return false;
}
