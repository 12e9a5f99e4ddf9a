/* leftover: what half-done installs and removals left behind. */
#include "rules/checks.h"

#include "base/path.h"
#include "base/table.h"

static void two_versions(struct ea_check *check, const struct ea_leftover *left)
{
	struct ea_finding *finding;
	struct ea_fix *fix;

	finding = ea_finding_new(check, "%s is installed twice: %s and %s", left->component->name,
				 left->component->version ? left->component->version : "?",
				 left->other->version ? left->other->version : "?");
	ea_finding_identity(check, finding, left->component->key);
	ea_finding_identity(check, finding, left->component->base);
	ea_finding_evidence(check, finding, left->component->location, NULL);
	ea_finding_evidence(check, finding, left->other->location, NULL);
	fix = ea_finding_fix(check, finding, "uninstall until none is left, then install one");
	for (int i = 0; i < 2; i++)
		ea_fix_command(check, fix, "%s uninstall -y %s", ea_pip_of(check),
			       ea_shell_word(check, left->component->name));
	ea_fix_command(check, fix, "%s install %s", ea_pip_of(check),
		       ea_shell_word(check, left->component->name));
}

/* Distributions ship an egg-info beside the dist-info of the same version. */
static bool is_one_package(const struct ea_leftover *left)
{
	bool egg = ea_str_ends(ea_str(left->component->location), ".egg-info");
	bool other_egg = ea_str_ends(ea_str(left->other->location), ".egg-info");

	return egg != other_egg && ea_streq(left->component->version, left->other->version);
}

static void reinstall(struct ea_check *check, struct ea_finding *finding,
		      const struct ea_component *component)
{
	struct ea_fix *fix = ea_finding_fix(check, finding, "install it again");

	if (component->manager == EA_MANAGER_CONDA)
		ea_fix_command(check, fix, "conda install -p %s --force-reinstall %s",
			       ea_shell_word(check, component->base), component->name);
	else
		ea_fix_command(check, fix, "%s install --force-reinstall --no-deps %s%s%s",
			       ea_pip_of(check), ea_shell_word(check, component->name),
			       component->version ? "==" : "",
			       component->version ? ea_shell_word(check, component->version) : "");
}

static void single(struct ea_check *check, const struct ea_leftover *left)
{
	static const char *const texts[] = {
		[EA_LEFTOVER_PIP_TEMP] = "is a copy that pip renamed and could not delete",
		[EA_LEFTOVER_NO_FILES] = "records files that are gone",
		[EA_LEFTOVER_NO_METADATA] = "is package metadata without a METADATA file",
	};
	struct ea_finding *finding;

	finding = ea_finding_new(check, "%s %s", ea_path_base(left->path), texts[left->kind]);
	/* A folder that Python cannot import is waste, nothing more. */
	if (left->kind == EA_LEFTOVER_PIP_TEMP)
		finding->severity = EA_SEVERITY_NOTE;
	ea_finding_identity(check, finding, left->path);
	ea_finding_evidence(check, finding, left->path, NULL);
	if (left->kind == EA_LEFTOVER_NO_FILES)
		reinstall(check, finding, left->component);
	else
		ea_fix_command(check, ea_finding_fix(check, finding, "remove it"), "rm -r %s",
			       ea_shell_word(check, left->path));
}

void ea_check_leftover(struct ea_check *check)
{
	ea_vec_foreach(left, &check->world->leftovers)
		if (left->kind != EA_LEFTOVER_TWO_VERSIONS)
			single(check, left);
}

void ea_check_leftover_twice(struct ea_check *check)
{
	ea_vec_foreach(left, &check->world->leftovers)
		if (left->kind == EA_LEFTOVER_TWO_VERSIONS && !is_one_package(left))
			two_versions(check, left);
}

/* Dangling links with names of libraries: few, where a machine has a hundred thousand copies. */
struct dangling {
	EA_VEC(const struct ea_copy *) list;
};

static void collect_dangling(const struct ea_world *world, struct ea_arena *arena,
			     struct dangling *ret)
{
	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->link_state == EA_LINK_DANGLING && (*copy)->family)
			ea_vec_push(&ret->list, arena, *copy);
}

/* Where a dangling link names the file, the rule for links tells the story. */
static bool is_end_of_link(const struct dangling *dangling, const char *path)
{
	struct ea_str dir = ea_path_dir(path);

	ea_vec_foreach(item, &dangling->list) {
		const struct ea_copy *copy = *item;

		if (ea_str_eq(ea_path_dir(copy->path), dir) &&
		    ea_streq(copy->link, ea_path_base(path)))
			return true;
	}
	return false;
}

/* ---- recorded libraries that are not there
 * ---------------------------------------------------------- */

static bool is_missing(const struct dangling *dangling, const struct ea_record *record)
{
	return (record->flags & EA_RECORD_MISSING) && !(record->flags & EA_RECORD_CLOBBERED) &&
	       ea_path_may_be_library(ea_str(ea_path_base(record->path))) &&
	       !is_end_of_link(dangling, record->path);
}

/* The package that another manager put over this one; NULL if none. */
static const struct ea_component *successor(const struct ea_world *world,
					    const struct ea_component *component)
{
	ea_vec_foreach(item, &world->components)
		if (*item != component && (*item)->manager != component->manager &&
		    !(*item)->conda_owned && ea_streq((*item)->key, component->key))
			return *item;
	return NULL;
}

/* Where both have a file, the rule for files with two owners tells the same story. */
static bool shares_files(const struct ea_world *world, const struct ea_component *a,
			 const struct ea_component *b)
{
	ea_vec_foreach(copy, &world->copies) {
		bool has_a = false, has_b = false;

		ea_vec_foreach(owner, &(*copy)->owners) {
			has_a |= owner->component == a;
			has_b |= owner->component == b;
		}
		if (has_a && has_b)
			return true;
	}
	return false;
}

static bool is_gone(const struct ea_world *world, const struct ea_component *component)
{
	ea_vec_foreach(left, &world->leftovers)
		if (left->kind == EA_LEFTOVER_NO_FILES && left->component == component)
			return true;
	return false;
}

static void missing_of(struct ea_check *check, const struct dangling *dangling,
		       const struct ea_component *component)
{
	const struct ea_component *other;
	struct ea_finding *finding;
	uint32_t missing = 0;

	ea_vec_foreach(record, &component->records)
		missing += is_missing(dangling, record);
	if (!missing || component->conda_owned || is_gone(check->world, component))
		return;
	other = successor(check->world, component);
	if (other && shares_files(check->world, component, other))
		return;
	if (other)
		finding = ea_finding_new(
			check, "%s %s was put over %s %s, which still has a record",
			ea_manager_words[other->manager], ea_component_text(check, other),
			ea_manager_words[component->manager], ea_component_text(check, component));
	else
		finding = ea_finding_new(check, "%s lacks %u of its libraries",
					 ea_component_text(check, component), missing);
	ea_finding_identity(check, finding, component->key);
	ea_finding_identity(check, finding, component->base);
	ea_finding_evidence(check, finding, component->location, "records them");
	ea_vec_foreach(record, &component->records) {
		if (!is_missing(dangling, record))
			continue;
		if (finding->evidence.n > 6) {
			ea_finding_evidence(check, finding, NULL, "and more, %u in all", missing);
			break;
		}
		ea_finding_evidence(check, finding, record->path, "does not exist");
	}
	if (!other)
		reinstall(check, finding, component);
}

void ea_check_leftover_missing(struct ea_check *check)
{
	struct ea_arena scratch = { 0 };
	struct dangling dangling = { 0 };

	collect_dangling(check->world, &scratch, &dangling);
	ea_vec_foreach(component, &check->world->components)
		if ((*component)->manager == EA_MANAGER_PIP ||
		    (*component)->manager == EA_MANAGER_CONDA)
			missing_of(check, &dangling, *component);
	ea_arena_release(&scratch);
}

/* ---- libraries that nobody records
 * ------------------------------------------------------------------ */

/* Folders in which packages have libraries. */
struct owned_folder {
	UT_hash_handle hh;
};

static void note_folders(struct owned_folder **folders, const struct ea_world *world,
			 struct ea_arena *arena)
{
	ea_vec_foreach(copy, &world->copies) {
		struct ea_str dir = ea_path_dir((*copy)->path);
		struct owned_folder *folder;

		/* A distribution's folders are open to administrators. */
		if (!(*copy)->owners.n ||
		    (*copy)->owners.items[0].component->manager == EA_MANAGER_DPKG ||
		    (*copy)->owners.items[0].component->manager == EA_MANAGER_RPM)
			continue;
		HASH_FIND(hh, *folders, dir.ptr, (unsigned)dir.len, folder);
		if (folder)
			continue;
		folder = ea_arena_new(arena, struct owned_folder);
		HASH_ADD_KEYPTR(hh, *folders, dir.ptr, (unsigned)dir.len, folder);
	}
}

/* Where a record could not be read, a file without an owner means nothing. */
static bool is_record_missing(const struct ea_world *world)
{
	ea_vec_foreach(gap, &world->gaps.list)
		if (gap->matters && gap->path && ea_path_within(gap->path, world->target.path))
			return true;
	return false;
}

/* Elfs that some package has under one of their names, by id. */
static bool *owned_elfs(const struct ea_world *world, struct ea_arena *arena)
{
	bool *owned = ea_arena_array(arena, bool, world->elfs.n + 1);

	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->owners.n && (*copy)->elf)
			owned[(*copy)->elf->id] = true;
	return owned;
}

static void report_unowned(struct ea_check *check, const struct ea_copy *copy)
{
	const char *version = copy->elf->exact_version;
	struct ea_finding *finding;

	finding = ea_finding_new(check, "%s%s%s lies among packaged files, but no package has it",
				 ea_path_base(copy->path), version ? " " : "",
				 version ? version : "");
	ea_finding_identity(check, finding, copy->path);
	ea_finding_evidence(check, finding, copy->path, NULL);
}

void ea_check_leftover_unowned(struct ea_check *check)
{
	struct owned_folder *folders = NULL;
	struct ea_arena scratch = { 0 };
	bool *owned;

	if (ea_target_is_whole(check->world->target.kind) || is_record_missing(check->world))
		return;
	note_folders(&folders, check->world, &scratch);
	owned = owned_elfs(check->world, &scratch);
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		struct ea_str dir = ea_path_dir(copy->path);
		struct owned_folder *folder;

		if (!copy->inside || copy->link || owned[copy->elf->id] || copy->elf->faults ||
		    !ea_path_may_be_library(ea_str(ea_path_base(copy->path))))
			continue;
		HASH_FIND(hh, folders, dir.ptr, (unsigned)dir.len, folder);
		if (folder)
			report_unowned(check, copy);
	}
	HASH_CLEAR(hh, folders);
	ea_arena_release(&scratch);
}
