/* An earlier report, and what of it is still there. */
#include "report/baseline.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/arena.h"

struct ea_baseline {
	struct ea_arena arena;
	EA_VEC(const char *) fingerprints;
};

static void read_findings(struct ea_baseline *baseline, const json_t *findings)
{
	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *finding = json_array_get(findings, i);
		const char *text = json_string_value(json_object_get(finding, "fingerprint"));

		if (text)
			ea_vec_push(&baseline->fingerprints, &baseline->arena,
				    ea_arena_dup(&baseline->arena, text));
	}
}

static void read_targets(struct ea_baseline *baseline, const json_t *targets)
{
	for (size_t i = 0; i < json_array_size(targets); i++)
		read_findings(baseline, json_object_get(json_array_get(targets, i), "findings"));
}

int ea_baseline_load(const char *file, struct ea_baseline **ret, struct ea_err *err)
{
	json_error_t error;
	json_t *report = json_load_file(file, 0, &error);
	const json_t *targets = json_object_get(report, "targets");
	struct ea_baseline *baseline;

	if (!report)
		return ea_err_set(err, EA_E_USAGE, "--baseline %s:%d: %s", file, error.line,
				  error.text);
	if (!json_is_array(targets)) {
		json_decref(report);
		return ea_err_set(err, EA_E_USAGE,
				  "--baseline %s: no report that `--format json` wrote", file);
	}
	baseline = ea_xmalloc(sizeof(*baseline));
	*baseline = (struct ea_baseline){ 0 };
	read_targets(baseline, targets);
	json_decref(report);
	*ret = baseline;
	return 0;
}

void ea_baseline_free(struct ea_baseline *baseline)
{
	if (!baseline)
		return;
	ea_arena_release(&baseline->arena);
	free(baseline);
}

static bool has(const struct ea_baseline *baseline, const char *fingerprint)
{
	ea_vec_foreach(known, &baseline->fingerprints)
		if (ea_streq(*known, fingerprint))
			return true;
	return false;
}

void ea_baseline_apply(const struct ea_baseline *baseline, struct ea_world *world)
{
	uint32_t n = 0;

	ea_vec_foreach(item, &world->findings) {
		struct ea_finding *finding = *item;

		if (has(baseline, finding->fingerprint))
			ea_gaps_add(&world->gaps, NULL, EA_GAP_IGNORED,
				    "%s [%s] stands in the baseline", finding->title,
				    finding->rule->slug);
		else
			world->findings.items[n++] = finding;
	}
	world->findings.n = n;
}
