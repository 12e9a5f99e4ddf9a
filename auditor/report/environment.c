/* Which environment variables a report may show. */
#include "report/environment.h"

#include <stdlib.h>

/* Names, and prefixes that end in '*'. */
static const char *const shown[] = {
	"LD_*",
	"GLIBC_TUNABLES",
	"PATH",
	"VIRTUAL_ENV",
	"PYTHONPATH",
	"PYTHONHOME",
	"PYTHONNOUSERSITE",
	"PYTHONUSERBASE",
	"CONDA_PREFIX",
	"CONDA_OVERRIDE_*",
	"CUDA_*",
	"CUDNN_*",
	"NVIDIA_VISIBLE_DEVICES",
	"NVIDIA_DRIVER_CAPABILITIES",
	"NVIDIA_REQUIRE_CUDA",
	"NVIDIA_DISABLE_REQUIRE",
	"NCCL_HOME",
	"XLA_FLAGS",
	"TF_CUDA_*",
	"TORCH_CUDA_ARCH_LIST",
	"OMP_NUM_THREADS",
	"KMP_DUPLICATE_LIB_OK",
	"MKL_THREADING_LAYER",
	"MKL_SERVICE_FORCE_INTEL",
};

static bool is_shown(const char *name)
{
	for (size_t i = 0; i < EA_ARRAY_SIZE(shown); i++) {
		size_t len = strlen(shown[i]);

		if (shown[i][len - 1] == '*' ? strncmp(name, shown[i], len - 1) == 0
					     : ea_streq(name, shown[i]))
			return true;
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ea_env_var *)a)->name, ((const struct ea_env_var *)b)->name);
}

struct ea_shown_env ea_environment_shown(const struct ea_world *world, struct ea_arena *arena)
{
	struct ea_shown_env env = { 0 };

	ea_vec_foreach(var, &world->environment)
		if (is_shown(var->name))
			ea_vec_push(&env.vars, arena, *var);
	if (env.vars.n)
		qsort(env.vars.items, env.vars.n, sizeof(env.vars.items[0]), by_name);
	return env;
}
