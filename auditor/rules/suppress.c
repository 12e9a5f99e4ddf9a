/* Findings that a user does not want to see. */
#include "rules/suppress.h"

#include <fnmatch.h>
#include <string.h>

/* RULE is SLUG or the class that it is a part of. */
static bool covers(const char *rule, const char *slug)
{
	size_t n = strlen(rule);

	return strncmp(rule, slug, n) == 0 && (slug[n] == '\0' || slug[n] == '/');
}

static bool has_path(const struct ea_finding *finding, const char *pattern)
{
	ea_vec_foreach(evidence, &finding->evidence)
		if (evidence->path && fnmatch(pattern, evidence->path, 0) == 0)
			return true;
	return false;
}

static bool has_consumer(const struct ea_finding *finding, const char *consumer)
{
	ea_vec_foreach(id, &finding->consumers)
		if (covers(consumer, *id))
			return true;
	return false;
}

static bool is_meant(const struct ea_suppression *s, const char *today,
		     const struct ea_finding *finding)
{
	return covers(s->rule, finding->rule->slug) && (!s->path || has_path(finding, s->path)) &&
	       (!s->consumer || has_consumer(finding, s->consumer)) &&
	       (!s->until || strcmp(today, s->until) <= 0);
}

static struct ea_suppression *find(struct ea_suppressions *suppressions, const char *today,
				   const struct ea_finding *finding)
{
	ea_vec_foreach(s, &suppressions->list)
		if (is_meant(s, today, finding))
			return s;
	return NULL;
}

void ea_suppress(struct ea_suppressions *suppressions, const char *today, struct ea_world *world)
{
	uint32_t n = 0;

	ea_vec_foreach(item, &world->findings) {
		struct ea_finding *finding = *item;
		struct ea_suppression *s = find(suppressions, today, finding);

		if (!s) {
			world->findings.items[n++] = finding;
			continue;
		}
		s->used = true;
		ea_gaps_add(&world->gaps, NULL, EA_GAP_IGNORED, "%s is suppressed [%s]: %s",
			    finding->title, finding->rule->slug, s->reason);
	}
	world->findings.n = n;
}
