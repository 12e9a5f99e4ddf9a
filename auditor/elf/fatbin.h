/* GPU code embedded in a file. Private to elf/. */
#pragma once

#include "elf/image.h"

#define EA_FATBIN_ARCHES 128u /* different kinds, architectures and variants */

struct ea_fatbins {
	struct ea_image *image;
	uint8_t *window; /* bytes of the file … */
	uint64_t window_off;
	size_t window_len;
	uint64_t stride; /* size of the last entry: how far the next header will be */
	uint32_t n_entries;
	struct ea_gpu_arch arches[EA_FATBIN_ARCHES];
	uint32_t n_arches;
};

/* Counts the container at OFF, which ends in front of LIMIT; false if it is none or damaged. */
bool ea_fatbin_container(struct ea_fatbins *fatbins, uint64_t off, uint64_t limit,
			 uint64_t *ret_end);

/* Counts the containers that descriptors in data segments point to, for files without sections. */
bool ea_fatbin_wrappers(struct ea_fatbins *fatbins);
