/* elf-bad: libraries that are cut short, empty, no ELF at all, or for another machine. */
#include "rules/checks.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"

/* A loader reads these without complaint. */
#define HARMLESS EA_FAULT(CUT_SECTIONS)

/* Programs that no process on this machine loads are none of our business. */
static bool is_library(const struct ea_copy *copy)
{
	struct ea_str name = ea_str(ea_path_base(copy->path));

	/* Archives are for the linker. */
	return (copy->family && !ea_str_ends(name, ".a")) || ea_path_may_be_library(name);
}

/* A file is judged once, under its own name if that is a library's, else under a link that has one.
 */
static bool is_judged(const struct ea_copy *copy)
{
	return copy->elf &&
	       (!copy->link || !ea_path_is_library_name(ea_str(ea_path_base(copy->real))));
}

/* `INPUT(…)` under the name of a development link is how the linker is told of several libraries.
 */
static bool is_linker_file(const struct ea_copy *copy)
{
	return copy->elf->format == EA_FORMAT_LINKER_SCRIPT &&
	       ea_str_ends(ea_str(copy->path), ".so");
}

/* An environment whose libraries a python is meant to load. */
static bool is_for_python(const struct ea_check *check, const struct ea_copy *copy)
{
	ea_vec_foreach(owner, &copy->owners)
		if (owner->component->manager == EA_MANAGER_PIP ||
		    owner->component->manager == EA_MANAGER_CONDA)
			return true;
	return check->world->target.kind == EA_TARGET_VENV ||
	       check->world->target.kind == EA_TARGET_CONDA ||
	       check->world->target.kind == EA_TARGET_SITE;
}

/*
 * The loader passes over a library for another processor, and systems and packages carry such on
 * purpose: it matters only where a GPU library was meant to be.
 */
static bool is_other_machine(const struct ea_check *check, const struct ea_copy *copy)
{
	return (copy->elf->faults & ~HARMLESS) == EA_FAULT(OTHER_MACHINE) &&
	       (!copy->family || strstr(copy->path, "/targets/") || !is_for_python(check, copy));
}

/*
 * Whole files that were made for something else: nobody on this system asks for them unless they
 * have the name of a library that somebody does ask for.
 */
static bool is_foreign(const struct ea_copy *copy)
{
	switch (copy->elf->format) {
	case EA_FORMAT_ELF:
		return !(copy->elf->faults & ~HARMLESS &
			 ~(EA_FAULT(OTHER_MACHINE) | EA_FAULT(ENDIAN) | EA_FAULT(BAD_HEADER)));
	case EA_FORMAT_MACHO:
	case EA_FORMAT_PE:
	case EA_FORMAT_ARCHIVE:
	case EA_FORMAT_COMPRESSED:
		return true;
	case EA_FORMAT_UNREAD:
	case EA_FORMAT_EMPTY:
	case EA_FORMAT_LINKER_SCRIPT:
	case EA_FORMAT_LFS_POINTER:
	case EA_FORMAT_HTML:
	case EA_FORMAT_TEXT:
	case EA_FORMAT_DATA:
	case EA_FORMAT_MAX_:
		break;
	}
	return false;
}

static void add_reason(struct ea_check *check, struct ea_finding *finding,
		       const struct ea_copy *copy)
{
	const struct ea_elf *elf = copy->elf;
	char machine[24];

	if (elf->format != EA_FORMAT_ELF) {
		ea_finding_evidence(check, finding, copy->path, "%s, %llu bytes",
				    ea_format_names[elf->format], (unsigned long long)elf->size);
		return;
	}
	for (unsigned bit = 0; bit < EA_FAULT_COUNT; bit++) {
		if (!(elf->faults & ~HARMLESS & 1u << bit))
			continue;
		if (bit == EA_FAULT_OTHER_MACHINE_BIT)
			ea_finding_evidence(check, finding, copy->path, "is for %s",
					    ea_machine_name(elf->machine, machine));
		else if (bit == EA_FAULT_CUT_SEGMENTS_BIT)
			ea_finding_evidence(check, finding, copy->path,
					    "%llu bytes long, its segments reach to byte %llu",
					    (unsigned long long)elf->size,
					    (unsigned long long)elf->load_end);
		else
			ea_finding_evidence(check, finding, copy->path, "%s", ea_fault_texts[bit]);
	}
}

static const char *what_is_wrong(const struct ea_elf *elf)
{
	if (elf->format == EA_FORMAT_EMPTY)
		return "is empty";
	if (elf->format == EA_FORMAT_LFS_POINTER)
		return "is a git-lfs pointer, not the library";
	if (elf->format == EA_FORMAT_HTML)
		return "is an HTML page, not a library";
	if (elf->faults & (EA_FAULT(CUT_SEGMENTS) | EA_FAULT(CUT_PHDRS) | EA_FAULT(TOO_SHORT)))
		return "is cut short";
	if (elf->faults & EA_FAULT(OTHER_MACHINE))
		return "is for another processor";
	if (elf->format != EA_FORMAT_ELF)
		return "is not an ELF file";
	return "is damaged";
}

static void add_fix(struct ea_check *check, struct ea_finding *finding, const struct ea_copy *copy)
{
	const struct ea_component *owner = copy->owners.n ? copy->owners.items[0].component : NULL;
	struct ea_fix *fix;

	if (!owner)
		return;
	if (owner->manager == EA_MANAGER_PIP) {
		fix = ea_finding_fix(check, finding, "install its package again");
		ea_fix_command(check, fix, "%s install --force-reinstall --no-deps %s==%s",
			       ea_pip_of(check), ea_shell_word(check, owner->name),
			       ea_shell_word(check, owner->version ? owner->version : "VERSION"));
	} else if (owner->manager == EA_MANAGER_CONDA) {
		fix = ea_finding_fix(check, finding, "install its package again");
		ea_fix_command(check, fix, "conda install -p %s --force-reinstall %s",
			       ea_shell_word(check, owner->base), owner->name);
	} else if (owner->manager == EA_MANAGER_DPKG) {
		fix = ea_finding_fix(check, finding, "install its package again");
		ea_fix_command(check, fix, "apt-get install --reinstall %s", owner->name);
	}
}

void ea_check_elf_bad(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		struct ea_finding *finding;

		if (!is_judged(copy) || !(copy->elf->faults & ~HARMLESS) || !is_library(copy) ||
		    is_linker_file(copy) || is_other_machine(check, copy))
			continue;
		finding = ea_finding_new(check, "%s %s", ea_path_base(copy->path),
					 what_is_wrong(copy->elf));
		if (is_foreign(copy) && !copy->family)
			finding->severity = EA_SEVERITY_NOTE;
		ea_finding_identity(check, finding, copy->path);
		add_reason(check, finding, copy);
		ea_vec_foreach(owner, &copy->owners)
			ea_finding_evidence(check, finding, NULL, "belongs to %s",
					    ea_component_text(check, owner->component));
		add_fix(check, finding, copy);
	}
}
