/* shadow-cudnn and cudnn-mixed-set: which cuDNN a process gets, and whether its parts are of one.
 */
#include "base/path.h"
#include "base/version.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

#define PARTS 3 /* of a version of cuDNN that tell releases apart */

static bool is_cudnn(const struct ea_map *map, struct ea_version *ret)
{
	return map->elf && map->elf->family && ea_streq(map->elf->family->set, "cudnn") &&
	       map->elf->exact_version &&
	       ea_version_parse(ea_str(map->elf->exact_version), ret) == 0 && ret->n >= PARTS;
}

/* Of one major version, but another release. */
static bool differ(const struct ea_version *a, const struct ea_version *b)
{
	if (a->part[0] != b->part[0])
		return false;
	for (unsigned i = 1; i < PARTS; i++)
		if (a->part[i] != b->part[i])
			return true;
	return false;
}

/* Two files of different releases; false if there are none. */
static bool find_mix(const struct ea_session *session, const struct ea_map **ret_a,
		     const struct ea_map **ret_b)
{
	ea_vec_foreach(a, &session->maps) {
		struct ea_version va, vb;

		if (!is_cudnn(*a, &va))
			continue;
		ea_vec_foreach(b, &session->maps)
			if (is_cudnn(*b, &vb) && differ(&va, &vb)) {
				*ret_a = *a;
				*ret_b = *b;
				return true;
			}
	}
	return false;
}

/* The file that came by a variable, or from somewhere else than the framework's own packages. */
static const struct ea_map *intruder(const struct ea_check *check, const struct ea_map *a,
				     const struct ea_map *b)
{
	const struct ea_component *owner = ea_session_owner(check, a);

	return owner && owner->manager == EA_MANAGER_PIP ? b : a;
}

static struct ea_finding *find_old(const struct ea_check *check, const struct ea_map *map)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule)
			ea_vec_foreach(evidence, &(*finding)->evidence)
				if (ea_streq(evidence->path, map->path))
					return *finding;
	return NULL;
}

/* All files of the set, one line each. */
static void add_set(struct ea_check *check, struct ea_finding *finding,
		    const struct ea_session *session)
{
	struct ea_version version;

	ea_vec_foreach(map, &session->maps)
		if (is_cudnn(*map, &version))
			ea_session_evidence(check, finding, session, *map);
}

static void add_fixes(struct ea_check *check, struct ea_finding *finding,
		      const struct ea_session *session, const struct ea_map *map)
{
	const struct ea_component *owner = ea_session_owner(check, map);
	struct ea_fix *fix;

	if (ea_session_fix_variable(check, finding, session, map))
		return;
	if (owner && owner->manager == EA_MANAGER_DPKG) {
		fix = ea_finding_fix(check, finding,
				     "remove the system's cuDNN, if nothing else needs it");
		ea_fix_command(check, fix, "apt-get remove %s", ea_shell_word(check, owner->name));
	}
}

static void check_mixes(struct ea_check *check, bool failed)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_map *a, *b, *guilty;
		struct ea_finding *finding;

		if ((session->outcome == EA_SESSION_FAILED) != failed ||
		    !ea_session_is_judged(check->world, session) || !find_mix(session, &a, &b))
			continue;
		guilty = intruder(check, a, b);
		finding = find_old(check, guilty);
		if (finding) {
			ea_session_note(check, finding, session);
			continue;
		}
		finding = ea_finding_new(
			check, "%s mixes cuDNN %s with %s from %s",
			ea_session_consumer(check, session),
			(guilty == a ? b : a)->elf->exact_version, guilty->elf->exact_version,
			ea_arena_dup_str(&check->world->arena, ea_path_dir(guilty->path)));
		/* A mix that is not refused may still compute: it fails where the parts do not fit.
		 */
		if (!failed)
			finding->severity = EA_SEVERITY_WARNING;
		ea_finding_identity(check, finding, ea_path_base(guilty->path));
		ea_session_note(check, finding, session);
		if (failed)
			ea_finding_evidence(check, finding, NULL, "%s", session->error);
		add_set(check, finding, session);
		add_fixes(check, finding, session, guilty);
		ea_session_temper(finding, session);
	}
}

/* Who refuses the mix gives the finding; who goes on with the same files is named in it. */
void ea_check_cudnn_mixed_set(struct ea_check *check)
{
	check_mixes(check, true);
	check_mixes(check, false);
}

/* The whole set is another one than the framework was built with, and it refuses that. */
void ea_check_shadow_cudnn(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_map *a, *b, *map;
		struct ea_version version;
		struct ea_finding *finding;

		if (session->outcome != EA_SESSION_FAILED || !session->failed ||
		    !ea_session_is_judged(check->world, session) || find_mix(session, &a, &b))
			continue;
		map = session->failed->map;
		if (!map || session->failed->outcome != EA_OUTCOME_OK || !is_cudnn(map, &version))
			continue;
		finding = find_old(check, map);
		if (finding) {
			ea_session_note(check, finding, session);
			continue;
		}
		finding = ea_finding_new(
			check, "%s takes cuDNN %s from %s, which it refuses",
			ea_session_consumer(check, session), map->elf->exact_version,
			ea_arena_dup_str(&check->world->arena, ea_path_dir(map->path)));
		ea_finding_identity(check, finding, ea_path_base(map->path));
		ea_session_note(check, finding, session);
		ea_finding_evidence(check, finding, NULL, "%s", session->error);
		add_set(check, finding, session);
		add_fixes(check, finding, session, map);
		(void)ea_session_fix_pin(check, finding, ea_session_culprit(session),
					 "nvidia-cudnn-cu*");
		ea_session_temper(finding, session);
	}
}
