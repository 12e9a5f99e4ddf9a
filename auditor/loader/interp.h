/* Where the ABI of a machine has its dynamic loader. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/provider.h"

/*
 * Path of the loader of the root for MACHINE (EM_…) and ELF_CLASS, glibc's before musl's; NULL if
 * there is none, or none that is known.
 */
const char *ea_loader_interp(const struct ea_provider *provider, uint16_t machine,
			     uint8_t elf_class);
