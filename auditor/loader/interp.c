/* Where the ABI of a machine has its dynamic loader. */
#include "loader/interp.h"

#include <elf.h>

#include "base/attr.h"

static const struct {
	uint16_t machine;
	uint8_t elf_class;
	const char *path;
} known[] = {
	{ EM_X86_64, ELFCLASS64, "/lib64/ld-linux-x86-64.so.2" },
	{ EM_X86_64, ELFCLASS64, "/lib/ld-musl-x86_64.so.1" },
	{ EM_X86_64, ELFCLASS32, "/libx32/ld-linux-x32.so.2" },
	{ EM_AARCH64, ELFCLASS64, "/lib/ld-linux-aarch64.so.1" },
	{ EM_AARCH64, ELFCLASS64, "/lib/ld-musl-aarch64.so.1" },
	{ EM_386, ELFCLASS32, "/lib/ld-linux.so.2" },
	{ EM_386, ELFCLASS32, "/lib/ld-musl-i386.so.1" },
	{ EM_ARM, ELFCLASS32, "/lib/ld-linux-armhf.so.3" },
	{ EM_PPC64, ELFCLASS64, "/lib64/ld64.so.2" },
	{ EM_S390, ELFCLASS64, "/lib/ld64.so.1" },
	{ EM_RISCV, ELFCLASS64, "/lib/ld-linux-riscv64-lp64d.so.1" },
};

const char *ea_loader_interp(const struct ea_provider *provider, uint16_t machine,
			     uint8_t elf_class)
{
	struct ea_opened opened;

	for (size_t i = 0; i < EA_ARRAY_SIZE(known); i++)
		if (known[i].machine == machine && known[i].elf_class == elf_class &&
		    provider->open(provider->ctx, known[i].path, &opened) == 0 && opened.elf)
			return known[i].path;
	return NULL;
}
