/* The walk over worlds, and what the formats share. */
#include "report/report.h"

#include "report/formats.h"

const struct ea_report_ops *const ea_report_formats[] = {
	&ea_report_text, &ea_report_json, &ea_report_github, &ea_report_sarif, NULL,
};

const struct ea_report_ops *ea_report_format(const char *name)
{
	for (size_t i = 0; ea_report_formats[i]; i++)
		if (ea_streq(ea_report_formats[i]->name, name))
			return ea_report_formats[i];
	return NULL;
}

bool ea_report_gap_is_incomplete(const struct ea_gap *gap)
{
	return gap->matters && (gap->kind == EA_GAP_UNREAD || gap->kind == EA_GAP_LIMIT);
}

struct ea_report_counts ea_report_count(const struct ea_world *world)
{
	struct ea_report_counts counts = { .gaps = world->gaps.list.n };

	ea_vec_foreach(finding, &world->findings)
		counts.severity[(*finding)->severity]++;
	ea_vec_foreach(gap, &world->gaps.list)
		counts.incomplete += ea_report_gap_is_incomplete(gap);
	return counts;
}

void ea_report_begin(struct ea_report *report, const struct ea_report_ops *ops,
		     const struct ea_report_options *options, struct ea_out *out)
{
	*report = (struct ea_report){ .ops = ops, .options = *options, .out = out };
	ops->begin(report);
}

void ea_report_target(struct ea_report *report, const struct ea_world *world)
{
	struct ea_report_counts counts = ea_report_count(world);

	report->ops->target(report, world);
	report->n_targets++;
	for (size_t i = 0; i < EA_SEVERITY_MAX_; i++)
		report->total.severity[i] += counts.severity[i];
	report->total.gaps += counts.gaps;
	report->total.incomplete += counts.incomplete;
}

void ea_report_end(struct ea_report *report)
{
	report->ops->end(report);
}
