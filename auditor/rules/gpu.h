/* GPUs by their names, and what runs on them. */
#pragma once

#include "matrix/compat.h"
#include "model/elf.h"

/*
 * The compute capability of a GPU that is called "sm_90", "sm_90a", "9.0", "RTX 4090" or as its
 * driver calls it: 0 and 90, for 9.0; 1 if no such GPU is known; negative when the table is
 * invalid.
 */
EA_MUST_CHECK int ea_gpu_capability(struct ea_matrix *matrix, const char *name, unsigned *ret,
				    struct ea_err *err);

/*
 * Whether some code in ELF runs on a GPU of this capability: binary code within its major version,
 * PTX for it or an older one. True also where ELF has code that is neither, of which nothing is
 * known.
 */
bool ea_gpu_runs(const struct ea_elf *elf, unsigned capability);
