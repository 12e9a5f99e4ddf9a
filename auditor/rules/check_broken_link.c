/* broken-link: links that lead nowhere, and names that promise another SONAME than the file has. */
#include "rules/checks.h"

#include <string.h>

#include "base/path.h"

/* A toolkit's stubs are for the linker only. */
static bool is_stub(const struct ea_copy *copy)
{
	return strstr(copy->path, "/stubs/") != NULL;
}

/* Links that a package brought dangling are its own affair unless somebody loads such a name. */
static bool is_of_interest(const struct ea_check *check, const struct ea_copy *copy)
{
	return ea_path_within(copy->path, check->world->target.path) &&
	       !ea_target_is_whole(check->world->target.kind);
}

static void check_copy(struct ea_check *check, const struct ea_copy *copy)
{
	bool loop = copy->link_state == EA_LINK_LOOP;
	const struct ea_component *recorder;
	struct ea_finding *finding;

	finding = ea_finding_new(check,
				 loop ? "link %s leads back to itself"
				      : "link %s leads to a file that does not exist",
				 ea_path_base(copy->path));
	/* Only a GPU library's name is one that somebody is known to ask for. */
	if (!copy->family)
		finding->severity = EA_SEVERITY_NOTE;
	ea_finding_identity(check, finding, copy->path);
	ea_finding_evidence(check, finding, copy->path, "-> %s", copy->link);
	ea_vec_foreach(owner, &copy->owners)
		ea_finding_evidence(check, finding, NULL, "belongs to %s",
				    ea_component_text(check, owner->component));
	recorder = ea_recorder_of_target(check->world, copy);
	if (recorder)
		ea_finding_evidence(check, finding, NULL, "%s recorded the file, but it is gone",
				    ea_component_text(check, recorder));
	ea_fix_command(
		check,
		ea_finding_fix(check, finding, "remove it, or point it to the file that is meant"),
		"rm %s", ea_shell_word(check, copy->path));
}

void ea_check_broken_link(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;

		if ((copy->link_state == EA_LINK_DANGLING || copy->link_state == EA_LINK_LOOP) &&
		    !is_stub(copy) && is_of_interest(check, copy))
			check_copy(check, copy);
	}
	ea_vec_foreach(item, &check->world->cuda_roots) {
		const struct ea_cuda_root *root = *item;
		struct ea_finding *finding;

		if (!root->broken)
			continue;
		finding = ea_finding_new(check, "%s leads to a folder that does not exist",
					 root->path);
		/* An environment can do without the system's toolkit. */
		if (!ea_path_within(root->path, check->world->target.path))
			finding->severity = EA_SEVERITY_NOTE;
		ea_finding_identity(check, finding, root->path);
		ea_finding_evidence(check, finding, root->path, "-> %s", root->broken);
	}
}

/* ---- forged names
 * ----------------------------------------------------------------------------------- */

static const char *so_suffix(const char *name)
{
	const char *at = strstr(name, ".so.");

	return at ? at + 4 : NULL;
}

static size_t count_dots(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '.';
	return n;
}

/* A suffix that is more than numbers is no version: Debian's libblas.so.3-x86_64-linux-gnu. */
static bool is_numbers(const char *text)
{
	return text[strspn(text, ".0123456789")] == '\0';
}

/*
 * A name is forged if it has the form of a SONAME and is another one: as many numbers, or one or
 * two of which the first differs. Full versions may differ from the SONAME freely:
 * libnvrtc.so.11.8.89 has libnvrtc.so.11.2, and a driver's libcuda.so.580.159.04 has libcuda.so.1.
 */
static bool is_forged(const char *name, const char *soname)
{
	const char *a = so_suffix(name), *b = so_suffix(soname);
	bool same_form, other_major;

	if (!a || !b || !is_numbers(a) || (a - name) != (b - soname) ||
	    strncmp(name, soname, (size_t)(a - name)) != 0 || strcmp(a, b) == 0)
		return false;
	same_form = count_dots(a) == count_dots(b);
	other_major = strcspn(a, ".") != strcspn(b, ".") || strncmp(a, b, strcspn(a, ".")) != 0;
	return same_form || (count_dots(a) < 2 && other_major);
}

void ea_check_broken_link_forged(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		struct ea_finding *finding;

		if (!copy->elf || !copy->elf->family || !copy->elf->soname ||
		    !is_forged(ea_path_base(copy->path), copy->elf->soname))
			continue;
		finding = ea_finding_new(check, "%s is really %s", ea_path_base(copy->path),
					 copy->elf->soname);
		ea_finding_identity(check, finding, copy->path);
		ea_finding_evidence(check, finding, copy->path, copy->link ? "-> %s" : "SONAME %s",
				    copy->link ? copy->link : copy->elf->soname);
		if (copy->real && copy->link)
			ea_finding_evidence(check, finding, copy->real, "SONAME %s",
					    copy->elf->soname);
		ea_fix_command(
			check,
			ea_finding_fix(
				check, finding,
				"remove the forged name and install the version that is asked for"),
			"rm %s", ea_shell_word(check, copy->path));
	}
}
