/* Sections by name, for what no segment tells of. Stripped files have none. Private to elf/. */
#pragma once

#include "elf/image.h"

/*
 * Finds sections with content in the file: RET[i] is the header of the first called NAMES[i], its
 * type SHT_NULL where there is none.
 */
void ea_sections_find(struct ea_image *image, const char *const *names, size_t n, Elf64_Shdr *ret);
