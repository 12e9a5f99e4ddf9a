/* Names of what stands in an elf record. */
#include "model/elf.h"

#include <elf.h>
#include <stdio.h>

const char *const ea_format_names[EA_FORMAT_MAX_] = {
	[EA_FORMAT_UNREAD] = "unread",
	[EA_FORMAT_ELF] = "ELF",
	[EA_FORMAT_EMPTY] = "empty file",
	[EA_FORMAT_LINKER_SCRIPT] = "linker script",
	[EA_FORMAT_LFS_POINTER] = "git-lfs pointer",
	[EA_FORMAT_HTML] = "HTML page",
	[EA_FORMAT_TEXT] = "text",
	[EA_FORMAT_ARCHIVE] = "static archive",
	[EA_FORMAT_MACHO] = "Mach-O (macOS)",
	[EA_FORMAT_PE] = "PE (Windows)",
	[EA_FORMAT_COMPRESSED] = "compressed file",
	[EA_FORMAT_DATA] = "data",
};

const char *const ea_fault_words[EA_FAULT_COUNT] = {
#define X(name, word, text) [EA_FAULT_##name##_BIT] = word,
	EA_ELF_FAULTS(X)
#undef X
};

const char *const ea_fault_texts[EA_FAULT_COUNT] = {
#define X(name, word, text) [EA_FAULT_##name##_BIT] = text,
	EA_ELF_FAULTS(X)
#undef X
};

const char *const ea_version_source_words[EA_VERSION_SOURCE_MAX_] = {
	[EA_VERSION_UNKNOWN] = "unknown",
#define X(name, word) [EA_VERSION_BY_##name] = word,
	EA_VERSION_SOURCES(X)
#undef X
};

const char *ea_gpu_arch_text(const struct ea_gpu_arch *arch, char buf[24])
{
	static const char *const prefix[] = {
		[EA_GPU_CUBIN] = "sm",
		[EA_GPU_PTX] = "compute",
		[EA_GPU_LTO] = "lto",
	};
	char variant[2] = { arch->variant, '\0' };

	snprintf(buf, 24, "%s_%u%s", prefix[arch->code], (unsigned)arch->arch, variant);
	return buf;
}

const char *ea_machine_name(uint16_t machine, char buf[24])
{
	switch (machine) {
	case EM_X86_64:
		return "x86_64";
	case EM_AARCH64:
		return "aarch64";
	case EM_386:
		return "i386";
	case EM_ARM:
		return "arm";
	case EM_PPC64:
		return "ppc64le";
	case EM_S390:
		return "s390x";
	case EM_RISCV:
		return "riscv64";
	default:
		snprintf(buf, 24, "machine-%u", (unsigned)machine);
		return buf;
	}
}
