/* Versions: all that is said of a file's version, and which of it is believed. */
#include "scan/merge.h"

#include <fnmatch.h>

#include "base/path.h"
#include "base/version.h"
#include "model/family.h"

static void add_claim(struct ea_world *world, struct ea_elf *elf, enum ea_version_source source,
		      const char *text, const char *detail)
{
	struct ea_version_claim **at = &elf->claims;
	struct ea_version_claim *claim;

	for (; *at && (*at)->source <= source; at = &(*at)->next)
		if ((*at)->source == source && ea_streq((*at)->text, text))
			return;
	claim = ea_arena_new(&world->arena, struct ea_version_claim);
	*claim = (struct ea_version_claim){ source, text, detail, *at };
	*at = claim;
}

static void claim_by_name(struct ea_world *world, const struct ea_copy *copy)
{
	const char *text = ea_family_name_version(copy->elf->family, ea_path_base(copy->path));

	if (text)
		add_claim(world, copy->elf, EA_VERSION_BY_FILENAME, text, copy->path);
}

/*
 * "1:9.1.0.70-1" -> "9.1.0.70": without a deb's or rpm's epoch and packaging revision; a wheel's
 * "2.26.2.post1" was packed a second time.
 */
static const char *upstream_version(struct ea_world *world, const struct ea_component *component)
{
	struct ea_str text = ea_str(component->version);
	size_t colon;

	if (component->manager == EA_MANAGER_DPKG || component->manager == EA_MANAGER_RPM) {
		colon = ea_str_find(text, ':');
		if (colon < text.len)
			text = ea_str_skip(text, colon + 1);
		text.len = ea_str_find(text, '-');
	} else if (component->manager == EA_MANAGER_PIP) {
		text.len = ea_str_find_str(text, EA_STR(".post"));
	}
	return ea_arena_dup_str(&world->arena, text);
}

static void claim_by_packages(struct ea_world *world, const struct ea_copy *copy)
{
	ea_vec_foreach(owner, &copy->owners) {
		const struct ea_component *component = owner->component;

		/* Of several owners the one whose file it is has a say. */
		if (!component->version || (copy->owners.n > 1 && !copy->link &&
					    !ea_record_matches(owner->record, copy->elf)))
			continue;
		ea_vec_foreach(pattern, &copy->elf->family->packages)
			if (fnmatch(*pattern, component->key, 0) == 0) {
				add_claim(world, copy->elf, EA_VERSION_BY_PACKAGE,
					  upstream_version(world, component), component->name);
				break;
			}
	}
}

/* The folder of its package is what stands before and with "/torch/" in ".../torch/version.py". */
static bool is_of_package(const char *path, const struct ea_claim *claim)
{
	struct ea_str text = ea_str(claim->path);
	size_t name = strlen(claim->framework);

	for (size_t i = 0; i + name + 1 < text.len; i++)
		if (text.ptr[i] == '/' && strncmp(text.ptr + i + 1, claim->framework, name) == 0 &&
		    text.ptr[i + 1 + name] == '/')
			return strncmp(path, claim->path, i + name + 2) == 0;
	return false;
}

static void claim_by_metadata(struct ea_world *world, const struct ea_copy *copy)
{
	ea_vec_foreach(claim, &world->claims)
		if (claim->value && ea_streq(claim->what, "version") &&
		    is_of_package(copy->path, claim))
			add_claim(world, copy->elf, EA_VERSION_BY_METADATA, claim->value,
				  claim->path);
}

/* Members of one set in one folder are installed together: the next best where nothing else is
 * known. */
static void claim_by_siblings(struct ea_world *world, const struct ea_copy *copy)
{
	struct ea_str dir = ea_path_dir(copy->path);

	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *other = *item;

		if (!other->elf || other->elf == copy->elf || other->link || !other->elf->family ||
		    !other->elf->exact_version ||
		    !ea_streq(other->elf->family->set, copy->elf->family->set) ||
		    !ea_str_eq(ea_path_dir(other->path), dir) ||
		    other->elf->version_source == EA_VERSION_BY_SIBLING)
			continue;
		add_claim(world, copy->elf, EA_VERSION_BY_SIBLING, other->elf->exact_version,
			  other->path);
		return;
	}
}

/*
 * The best source decides; a lesser one that says the same with more parts completes it, since a
 * getter often leaves out the build number that the package has.
 */
static void choose(struct ea_elf *elf)
{
	const struct ea_version_claim *best = elf->claims;

	if (!best)
		return;
	elf->exact_version = best->text;
	elf->version_source = best->source;
	for (const struct ea_version_claim *claim = best->next; claim; claim = claim->next)
		if (strlen(claim->text) > strlen(elf->exact_version) &&
		    ea_version_agrees(claim->text, elf->exact_version)) {
			elf->exact_version = claim->text;
			elf->version_source = claim->source;
		}
}

void ea_merge_versions(struct ea_world *world)
{
	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *copy = *item;

		if (!copy->elf || !copy->elf->family)
			continue;
		if (!copy->link)
			claim_by_name(world, copy);
		claim_by_packages(world, copy);
		if (copy->elf->family->framework)
			claim_by_metadata(world, copy);
	}
	ea_vec_foreach(elf, &world->elfs)
		choose(*elf);
	/* Siblings give what they are known by now, none gives what a sibling gave it. */
	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->elf && !(*copy)->link && (*copy)->elf->family &&
		    (*copy)->elf->family->set && !(*copy)->elf->claims) {
			claim_by_siblings(world, *copy);
			choose((*copy)->elf);
		}
}
