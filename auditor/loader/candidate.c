/*
 * Whether a file can be what is looked for: the tests of open_verify() and _dl_map_object_from_fd()
 * in elf/dl-load.c, in their order and with their texts.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "loader/process.h"

#include "base/num.h"

#define PAGE_SIZE 4096u /* the smallest that files of the known machines are laid out for */

/* Highest EI_ABIVERSION of ELFOSABI_GNU: LIBC_ABI_MAX of libc-abis. */
static unsigned abi_max(uint16_t machine)
{
	return machine == EM_X86_64 || machine == EM_386 ? 4 : 3;
}

static bool is_valid_abi(const struct ea_process *process, const uint8_t *ident)
{
	return ident[EI_ABIVERSION] == 0 || (ident[EI_OSABI] == ELFOSABI_GNU &&
					     ident[EI_ABIVERSION] < abi_max(process->machine));
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

static enum ea_verdict check_ident(const struct ea_process *process, const uint8_t *ident,
				   const char **ret_text)
{
	if (memcmp(ident, ELFMAG, SELFMAG) != 0) {
		*ret_text = "invalid ELF header";
	} else if (ident[EI_CLASS] != process->elf_class) {
		*ret_text = "is for another word size";
		return EA_VERDICT_OTHER_CLASS;
	} else if (ident[EI_DATA] != ELFDATA2LSB) {
		*ret_text = "ELF file data encoding not little-endian";
	} else if (ident[EI_VERSION] != EV_CURRENT) {
		*ret_text = "ELF file version ident does not match current one";
	} else if (ident[EI_OSABI] != ELFOSABI_SYSV && ident[EI_OSABI] != ELFOSABI_GNU) {
		*ret_text = "ELF file OS ABI invalid";
	} else if (!is_valid_abi(process, ident)) {
		*ret_text = "ELF file ABI version invalid";
	} else if (!is_zero(&ident[EI_PAD], EI_NIDENT - EI_PAD)) {
		*ret_text = "nonzero padding in e_ident";
	} else {
		return EA_VERDICT_GOOD;
	}
	return EA_VERDICT_FATAL;
}

/* The program headers can be read; otherwise the errno of the attempt, 0 for an early end. */
static bool has_phdrs(const struct ea_elf *elf, int *ret_code)
{
	uint64_t len = (uint64_t)elf->phnum * elf->phentsize;

	*ret_code = 0;
	if (ea_range_ok(elf->phoff, len, elf->size))
		return true;
	if (elf->phoff > INT64_MAX)
		*ret_code = EINVAL;
	return false;
}

/* NT_GNU_ABI_TAG asks for another system or a newer kernel. */
static bool is_for_other_kernel(const struct ea_process *process, const struct ea_elf *elf)
{
	uint32_t version;

	if (!elf->has_abi_tag || !ea_policy_has(&process->policy, EA_POLICY_ABI_NOTE))
		return false;
	version = (elf->abi_tag[1] & 0xff) << 16 | (elf->abi_tag[2] & 0xff) << 8 |
		  (elf->abi_tag[3] & 0xff);
	return elf->abi_tag[0] != ELF_NOTE_OS_LINUX ||
	       (process->launch.kernel != 0 && process->launch.kernel < version);
}

enum ea_verdict ea_candidate(const struct ea_process *process, const struct ea_opened *opened,
			     const char **ret_text, int *ret_code)
{
	const struct ea_elf *elf = opened->elf;
	enum ea_verdict verdict;

	*ret_code = 0;
	if (opened->is_dir) {
		*ret_code = EISDIR;
		*ret_text = "cannot read file data";
		return EA_VERDICT_FATAL;
	}
	if (elf->size < sizeof(Elf64_Ehdr)) {
		*ret_text = "file too short";
		return EA_VERDICT_FATAL;
	}
	verdict = check_ident(process, elf->ident, ret_text);
	if (verdict != EA_VERDICT_GOOD)
		return verdict;
	if (elf->version != EV_CURRENT) {
		*ret_text = "ELF file version does not match current one";
		return EA_VERDICT_FATAL;
	}
	if (elf->machine != process->machine) {
		*ret_text = "is for another processor";
		return EA_VERDICT_SKIP;
	}
	if (elf->type != ET_DYN && elf->type != ET_EXEC) {
		*ret_text = "only ET_DYN and ET_EXEC can be loaded";
		return EA_VERDICT_FATAL;
	}
	if (elf->phentsize != sizeof(Elf64_Phdr)) {
		*ret_text = "ELF file's phentsize not the expected size";
		return EA_VERDICT_FATAL;
	}
	if (!has_phdrs(elf, ret_code)) {
		*ret_text = "cannot read file data";
		return EA_VERDICT_FATAL;
	}
	if (is_for_other_kernel(process, elf)) {
		*ret_text = "asks for a newer kernel";
		return EA_VERDICT_SKIP;
	}
	return EA_VERDICT_GOOD;
}

static const char *check_alignment(const struct ea_process *process, const struct ea_segment *load)
{
	if (ea_policy_has(&process->policy, EA_POLICY_PAGE_CONGRUENT))
		return ((load->vaddr - load->offset) & (PAGE_SIZE - 1)) != 0
			       ? "ELF load command address/offset not page-aligned"
			       : NULL;
	if ((load->align & (PAGE_SIZE - 1)) != 0)
		return "ELF load command alignment not page-aligned";
	if (((load->vaddr - load->offset) & (load->align - 1)) != 0)
		return "ELF load command address/offset not properly aligned";
	return NULL;
}

bool ea_is_cut(const struct ea_elf *elf)
{
	uint64_t pages = (elf->size + PAGE_SIZE - 1) / PAGE_SIZE;

	for (uint32_t i = 0; i < elf->n_loads; i++) {
		uint64_t end;

		if (!ea_add_u64(elf->loads[i].offset, elf->loads[i].filesz, &end) ||
		    end > pages * PAGE_SIZE)
			return true;
	}
	return false;
}

/* The object wants an executable stack and the process has none yet. */
static bool wants_execstack(const struct ea_process *process, const struct ea_elf *elf)
{
	if (process->execstack)
		return false;
	/* An object without PT_GNU_STACK is taken for one that wants it where the ABI says so. */
	return elf->stack == EA_STACK_EXEC ||
	       (elf->stack == EA_STACK_ABSENT && process->machine == EM_X86_64);
}

const char *ea_unmappable(struct ea_process *process, const struct ea_elf *elf, bool dlopened,
			  int *ret_code)
{
	*ret_code = 0;
	for (uint32_t i = 0; i < elf->n_loads; i++) {
		const char *text = check_alignment(process, &elf->loads[i]);

		if (text)
			return text;
	}
	if (elf->n_loads == 0)
		return "object file has no loadable segments";
	if (elf->type != ET_DYN)
		return "cannot dynamically load executable";
	if (!elf->has_dynamic)
		return "object file has no dynamic section";
	if ((elf->dt_flags_1 & DF_1_PIE) != 0 &&
	    ea_policy_has(&process->policy, EA_POLICY_NO_PIE_DLOPEN))
		return "cannot dynamically load position-independent executable";
	if ((elf->dt_flags_1 & DF_1_NOOPEN) != 0 && dlopened)
		return "shared object cannot be dlopen()ed";
	if (wants_execstack(process, elf)) {
		if (dlopened && ea_policy_has(&process->policy, EA_POLICY_NO_EXECSTACK_DLOPEN)) {
			*ret_code = EINVAL;
			return "cannot enable executable stack as shared object requires";
		}
		process->execstack = true;
	}
	return NULL;
}
