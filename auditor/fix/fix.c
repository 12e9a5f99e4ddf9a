/* Trying what fixes propose. */
#include "fix/fix.h"

#include <string.h>

#include "base/limits.h"
#include "rules/engine.h"
#include "session/session.h"

/* A change that was tried, and what the rules found then. */
struct trial {
	const char *variable, *value;
	EA_VEC(struct ea_finding *) findings;
};

struct trials {
	const struct ea_fix_ground *ground;
	struct ea_world *world;
	EA_VEC(struct trial) list;
};

/* The variables of a scenario, with the change in them. */
static void change(struct ea_scenario *scenario, const struct trial *trial, struct ea_arena *arena)
{
	struct ea_env_var *env = ea_arena_array(arena, struct ea_env_var, scenario->n_env + 1);
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_env; i++)
		if (!ea_streq(scenario->env[i].name, trial->variable))
			env[n++] = scenario->env[i];
	if (trial->value)
		env[n++] = (struct ea_env_var){ trial->variable, trial->value };
	scenario->env = env;
	scenario->n_env = n;
}

static int run_sessions(const struct trials *trials, const struct trial *trial,
			const struct ea_world *before, struct ea_err *err)
{
	struct ea_world *world = trials->world;
	const struct ea_fix_ground *ground = trials->ground;
	int rc = 0;

	ea_vec_foreach(old, &before->sessions) {
		struct ea_scenario scenario = (*old)->scenario;
		struct ea_session *session;

		change(&scenario, trial, &world->arena);
		rc = ea_session_run(ground->provider, ground->frameworks, &scenario, &world->arena,
				    &session, err);
		if (rc)
			break;
		ea_vec_push(&world->sessions, &world->arena, session);
	}
	return rc;
}

/* Runs the sessions and rules once more; the world is then as it was, its arena apart. */
static int run(const struct trials *trials, struct trial *trial, struct ea_err *err)
{
	struct ea_world *world = trials->world;
	const struct ea_world before = *world;
	int rc;

	memset(&world->sessions, 0, sizeof(world->sessions));
	memset(&world->findings, 0, sizeof(world->findings));
	rc = run_sessions(trials, trial, &before, err);
	if (!rc)
		rc = ea_rules_run(trials->ground->rules, trials->ground->facts, world, err);
	ea_vec_foreach(finding, &world->findings)
		ea_vec_push(&trial->findings, &world->arena, *finding);
	world->sessions.items = before.sessions.items;
	world->sessions.n = before.sessions.n;
	world->sessions.cap = before.sessions.cap;
	world->findings.items = before.findings.items;
	world->findings.n = before.findings.n;
	world->findings.cap = before.findings.cap;
	/* Files that only the trial came to, and what it could not read. */
	world->copies.n = before.copies.n;
	world->gaps.list.n = before.gaps.list.n;
	return rc;
}

/* The trial of what FIX changes; NULL where it changes no variable, or too much was tried. */
static int try_fix(struct trials *trials, const struct ea_fix *fix, const struct trial **ret,
		   struct ea_err *err)
{
	struct trial trial = { .variable = fix->variable, .value = fix->value };
	int rc;

	*ret = NULL;
	if (!fix->variable)
		return 0;
	ea_vec_foreach(old, &trials->list)
		if (ea_streq(old->variable, fix->variable) && ea_streq(old->value, fix->value)) {
			*ret = old;
			return 0;
		}
	if (trials->list.n == EA_LIMIT_TRIED_FIXES)
		return 0;
	rc = run(trials, &trial, err);
	if (rc)
		return rc;
	ea_vec_push(&trials->list, &trials->world->arena, trial);
	*ret = &trials->list.items[trials->list.n - 1];
	return 0;
}

static bool is_among(const char *fingerprint, struct ea_finding *const *findings, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (ea_streq(findings[i]->fingerprint, fingerprint))
			return true;
	return false;
}

/* Nothing worse has come. */
static bool is_clean(const struct trials *trials, const struct trial *trial)
{
	const struct ea_world *world = trials->world;

	ea_vec_foreach(item, &trial->findings)
		if ((*item)->severity > EA_SEVERITY_NOTE &&
		    !is_among((*item)->fingerprint, world->findings.items, world->findings.n))
			return false;
	return true;
}

/* Tries the fixes of FINDING; those that leave it as it is are no fixes. */
static int recheck(struct trials *trials, struct ea_finding *finding, struct ea_err *err)
{
	uint32_t n = finding->fixes.n;

	finding->fixes.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct ea_fix fix = finding->fixes.items[i];
		const struct trial *trial;
		int rc = try_fix(trials, &fix, &trial, err);

		if (rc)
			return rc;
		if (trial &&
		    is_among(finding->fingerprint, trial->findings.items, trial->findings.n))
			continue;
		fix.rechecked = trial && is_clean(trials, trial);
		finding->fixes.items[finding->fixes.n++] = fix;
	}
	return 0;
}

int ea_fixes_recheck(const struct ea_fix_ground *ground, struct ea_world *world, struct ea_err *err)
{
	struct trials trials = { .ground = ground, .world = world };

	ea_vec_foreach(finding, &world->findings) {
		int rc = recheck(&trials, *finding, err);

		if (rc)
			return rc;
	}
	return 0;
}
