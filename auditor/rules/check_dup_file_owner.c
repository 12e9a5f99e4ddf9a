/* dup-file-owner: files that two packages claim with different content, and files changed since. */
#include "rules/checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

#define SHOWN 4u /* paths in the evidence of one finding */

/* Two packages that claim the same paths: one finding, however many paths. */
struct pair {
	const struct ea_component *a, *b;
	EA_VEC(const struct ea_copy *) copies;
};

struct pairs {
	EA_VEC(struct pair) list;
};

static bool digests_differ(const struct ea_record *a, const struct ea_record *b)
{
	uint32_t both = a->flags & b->flags;

	if (both & EA_RECORD_HAS_SHA256)
		return memcmp(a->digest, b->digest, 32) != 0;
	if (both & EA_RECORD_HAS_MD5)
		return memcmp(a->digest, b->digest, 16) != 0;
	return (both & EA_RECORD_HAS_SIZE) && a->size != b->size;
}

/*
 * A conda package may bring a dist-info that records the same files: one owner, not two. Two
 * records of one package are a leftover, which has a rule of its own.
 */
static bool is_conflict(const struct ea_owner *a, const struct ea_owner *b)
{
	uint32_t differ;

	if (a->component->conda_owned || b->component->conda_owned)
		return false;
	if (a->component->manager == b->component->manager &&
	    ea_streq(a->component->key, b->component->key))
		return false;
	differ = a->record->flags ^ b->record->flags;
	if (differ & EA_RECORD_LINK)
		return true;
	/* A link without a sum led out of its package: to something else than one that has a sum.
	 */
	if ((a->record->flags & EA_RECORD_LINK) && (differ & EA_RECORD_HAS_SHA256))
		return true;
	return digests_differ(a->record, b->record);
}

static struct pair *find_pair(struct pairs *pairs, struct ea_arena *arena,
			      const struct ea_component *a, const struct ea_component *b)
{
	struct pair *pair;

	ea_vec_foreach(known, &pairs->list)
		if (known->a == a && known->b == b)
			return known;
	pair = ea_vec_add(&pairs->list, arena);
	pair->a = a;
	pair->b = b;
	return pair;
}

static void collect(struct pairs *pairs, struct ea_arena *arena, const struct ea_copy *copy)
{
	for (uint32_t i = 0; i < copy->owners.n; i++)
		for (uint32_t j = i + 1; j < copy->owners.n; j++) {
			const struct ea_owner *a = &copy->owners.items[i];
			const struct ea_owner *b = &copy->owners.items[j];

			if (is_conflict(a, b)) {
				struct pair *pair =
					find_pair(pairs, arena, a->component, b->component);

				ea_vec_push(&pair->copies, arena, copy);
			}
		}
}

static const struct ea_record *record_of(const struct ea_copy *copy,
					 const struct ea_component *component)
{
	ea_vec_foreach(owner, &copy->owners)
		if (owner->component == component)
			return owner->record;
	return NULL;
}

/* Does the file on disk look like the one that this package brought? */
static bool looks_like(const struct ea_copy *copy, const struct ea_component *component)
{
	const struct ea_record *record = record_of(copy, component);

	return record && !copy->link && copy->elf && ea_record_matches(record, copy->elf);
}

static void add_evidence(struct ea_check *check, struct ea_finding *finding,
			 const struct pair *pair)
{
	for (uint32_t i = 0; i < pair->copies.n && i < SHOWN; i++) {
		const struct ea_copy *copy = pair->copies.items[i];
		bool a = looks_like(copy, pair->a), b = looks_like(copy, pair->b);

		if (a != b)
			ea_finding_evidence(check, finding, copy->path, "is the one of %s",
					    ea_component_text(check, a ? pair->a : pair->b));
		else if (!a && copy->elf && !copy->link)
			ea_finding_evidence(check, finding, copy->path, "is the one of neither");
		else
			ea_finding_evidence(check, finding, copy->path, NULL);
	}
	if (pair->copies.n > SHOWN)
		ea_finding_evidence(check, finding, NULL, "and %u more", pair->copies.n - SHOWN);
}

/* The package to keep is the user's to choose; what has to be run is the same for both. */
static void add_fix(struct ea_check *check, struct ea_finding *finding, const struct pair *pair)
{
	const struct ea_component *pip = pair->b->manager == EA_MANAGER_PIP ? pair->b : pair->a;
	struct ea_fix *fix;

	if (pair->a->manager == EA_MANAGER_PIP && pair->b->manager == EA_MANAGER_PIP) {
		fix = ea_finding_fix(check, finding,
				     "remove both, then install the one that is needed");
		ea_fix_command(check, fix, "%s uninstall -y %s %s", ea_pip_of(check),
			       ea_shell_word(check, pair->a->name),
			       ea_shell_word(check, pair->b->name));
		ea_fix_command(check, fix, "%s install %s==%s", ea_pip_of(check),
			       ea_shell_word(check, pair->b->name),
			       ea_shell_word(check, pair->b->version ? pair->b->version : ""));
	} else if (pip->manager == EA_MANAGER_PIP) {
		const struct ea_component *conda = pip == pair->a ? pair->b : pair->a;

		fix = ea_finding_fix(check, finding,
				     "remove pip's package and bring conda's files back");
		ea_fix_command(check, fix, "%s uninstall -y %s", ea_pip_of(check),
			       ea_shell_word(check, pip->name));
		ea_fix_command(check, fix, "conda install -p %s --force-reinstall %s",
			       ea_shell_word(check, conda->base), conda->name);
	} else if (pair->a->manager == EA_MANAGER_CONDA) {
		fix = ea_finding_fix(check, finding, "remove the one that is not needed");
		ea_fix_command(check, fix, "conda remove -p %s --force %s",
			       ea_shell_word(check, pair->a->base), pair->a->name);
		ea_fix_command(check, fix, "conda install -p %s --force-reinstall %s",
			       ea_shell_word(check, pair->b->base), pair->b->name);
	}
}

static void report_pair(struct ea_check *check, const struct pair *pair)
{
	struct ea_finding *finding;

	finding = ea_finding_new(
		check, "%s and %s both own %s%s", ea_component_text(check, pair->a),
		ea_component_text(check, pair->b), ea_path_base(pair->copies.items[0]->path),
		pair->copies.n > 1 ? " and more" : "");
	ea_finding_identity(check, finding, pair->a->key);
	ea_finding_identity(check, finding, pair->b->key);
	ea_finding_identity(check, finding, pair->a->base);
	add_evidence(check, finding, pair);
	add_fix(check, finding, pair);
}

void ea_check_dup_file_owner(struct ea_check *check)
{
	struct ea_arena scratch = { 0 };
	struct pairs pairs = { 0 };

	ea_vec_foreach(copy, &check->world->copies)
		if ((*copy)->owners.n > 1)
			collect(&pairs, &scratch, *copy);
	ea_vec_foreach(pair, &pairs.list)
		report_pair(check, pair);
	ea_arena_release(&scratch);
}

/* ---- changed since it was installed
 * ----------------------------------------------------------------- */

static const struct ea_version_claim *claim_by(const struct ea_elf *elf,
					       enum ea_version_source source)
{
	for (const struct ea_version_claim *claim = elf->claims; claim; claim = claim->next)
		if (claim->source == source)
			return claim;
	return NULL;
}

/* One owner, no quarrel between packages: somebody else changed the file. */
static bool is_replaced(const struct ea_copy *copy)
{
	const struct ea_owner *owner;

	if (copy->owners.n != 1 || copy->link || !copy->elf || copy->elf->faults)
		return false;
	owner = &copy->owners.items[0];
	/* A distribution strips the files of a wheel that it packages, and leaves INSTALLER out. */
	if (owner->component->manager == EA_MANAGER_PIP && !owner->component->installer)
		return false;
	if (owner->record->flags & (EA_RECORD_REWRITTEN | EA_RECORD_LINK | EA_RECORD_CLOBBERED))
		return false;
	if (copy->elf->has_sha256 && (owner->record->flags & EA_RECORD_HAS_SHA256))
		return memcmp(copy->elf->sha256, owner->record->digest, 32) != 0;
	return (owner->record->flags & EA_RECORD_HAS_SIZE) &&
	       owner->record->size != copy->elf->size;
}

void ea_check_dup_file_owner_replaced(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		const struct ea_version_claim *package;
		struct ea_finding *finding;

		if (!is_replaced(copy))
			continue;
		finding = ea_finding_new(check, "%s is not the file that %s installed",
					 ea_path_base(copy->path),
					 ea_component_text(check, copy->owners.items[0].component));
		ea_finding_identity(check, finding, copy->path);
		if (copy->elf->size != copy->owners.items[0].record->size)
			ea_finding_evidence(check, finding, copy->path, "%llu bytes, recorded %llu",
					    (unsigned long long)copy->elf->size,
					    (unsigned long long)copy->owners.items[0].record->size);
		else
			ea_finding_evidence(check, finding, copy->path,
					    "has another SHA-256 than was recorded");
		package = claim_by(copy->elf, EA_VERSION_BY_PACKAGE);
		if (package && copy->elf->claims->source < EA_VERSION_BY_FILENAME)
			ea_finding_evidence(check, finding, NULL,
					    "the file says %s, its package %s",
					    copy->elf->claims->text, package->text);
	}
}
