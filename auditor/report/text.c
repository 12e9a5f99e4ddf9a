/* The report for a person at a terminal: the answer first, then why, then what to type. */
#include "report/formats.h"

#include "base/buf.h"
#include "base/path.h"
#include "report/layout.h"
#include "report/sessions.h"
#include "report/tables.h"

#define SHOWN_EVIDENCE 6  /* lines of a finding, without -v */
#define SHOWN_GAPS     10 /* without -v */

static const enum ea_style severity_styles[EA_SEVERITY_MAX_] = {
	[EA_SEVERITY_NOTE] = EA_STYLE_NOTE,
	[EA_SEVERITY_WARNING] = EA_STYLE_WARNING,
	[EA_SEVERITY_ERROR] = EA_STYLE_ERROR,
};

static struct ea_layout layout_of(const struct ea_report *report)
{
	return (struct ea_layout){
		.out = report->out,
		.width = report->options.width,
		.colour = report->options.colour,
	};
}

/* "1 error", "2 errors" */
static void add_count(struct ea_buf *buf, uint32_t n, const char *noun)
{
	ea_buf_printf(buf, "%s%u %s%s", buf->len ? ", " : "", n, noun, n == 1 ? "" : "s");
}

/* ---- what was looked at ---------------------------------------------------------------------- */

/* Those of the target; the one that it is built upon, or that merely is there, only if it has none.
 */
static void add_pythons(struct ea_buf *facts, const struct ea_world *world)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf list = { 0 };

	ea_vec_foreach(python, &world->pythons) {
		const char *version = (*python)->version;

		if (ea_path_within((*python)->prefix, world->target.path))
			ea_buf_printf(&list, ", Python %s",
				      version ? version : "of unknown version");
	}
	if (!list.len && world->pythons.n)
		ea_buf_printf(&list, ", Python %s outside",
			      world->pythons.items[0]->version ? world->pythons.items[0]->version
							       : "of unknown version");
	ea_buf_add_str(facts, ea_buf_str(&list));
}

static void add_toolkits(struct ea_buf *facts, const struct ea_world *world)
{
	uint32_t n = 0;

	ea_vec_foreach(root, &world->cuda_roots) {
		if ((*root)->broken)
			continue;
		n++;
		ea_buf_printf(facts, ", CUDA %s in %s",
			      (*root)->version ? (*root)->version : "of unknown version",
			      (*root)->path);
	}
	if (!n)
		ea_buf_add_text(facts, ", no CUDA toolkit");
}

static void write_head(const struct ea_layout *layout, const struct ea_world *world)
{
	const struct ea_target *target = &world->target;
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, facts = { 0 };

	ea_buf_printf(&label, "%s:", target->name);
	ea_buf_add_text(&facts, ea_target_texts[target->kind]);
	if (!ea_streq(target->root, "/"))
		ea_buf_printf(&facts, " in root %s", target->root);
	add_pythons(&facts, world);
	add_toolkits(&facts, world);
	if (world->host.driver || world->host.driver_user)
		ea_buf_printf(&facts, ", NVIDIA driver %s",
			      world->host.driver ? world->host.driver : world->host.driver_user);
	else
		ea_buf_add_text(&facts, ", no NVIDIA driver");
	ea_layout_wrap(layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label), ea_buf_text(&facts));
}

/* ---- findings -------------------------------------------------------------------------------- */

static void write_evidence(const struct ea_layout *layout, const struct ea_evidence *evidence)
{
	if (evidence->path) {
		ea_layout_pad(layout, 4);
		ea_layout_text(layout, EA_STYLE_PLAIN, evidence->path);
		ea_out_text(layout->out, "\n");
	}
	if (evidence->text)
		ea_layout_wrap(layout, evidence->path ? 8 : 4, evidence->path ? 8 : 6,
			       EA_STYLE_PLAIN, NULL, evidence->text);
	if (evidence->layer)
		ea_layout_wrap(layout, 8, 10, EA_STYLE_DIM, NULL, evidence->layer);
}

static void write_fix(const struct ea_layout *layout, const struct ea_fix *fix)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	ea_buf_add_text(&text, fix->text ? fix->text : "");
	if (fix->rechecked)
		ea_buf_add_text(&text, " (tried on a copy: the finding goes, nothing new comes)");
	ea_layout_wrap(layout, 4, 8, EA_STYLE_GOOD, "fix:", ea_buf_text(&text));
	ea_vec_foreach(command, &fix->commands) {
		ea_layout_pad(layout, 8);
		ea_layout_text(layout, EA_STYLE_STRONG, *command);
		ea_out_text(layout->out, "\n");
	}
}

/* Whom it concerns; a finding about a file that no framework was followed to says so. */
static void write_consumers(const struct ea_layout *layout, const struct ea_finding *finding)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	ea_vec_foreach(consumer, &finding->consumers)
		ea_buf_printf(&text, "%s%s", text.len ? ", " : "", *consumer);
	if (text.len)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM, "consumers:", ea_buf_text(&text));
	else
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM, "reach unknown:",
			       "whether a framework gets this file was not worked out");
}

/* What only -v shows, and a confidence that is not high. */
static void write_particulars(const struct ea_layout *layout, const struct ea_finding *finding,
			      bool all)
{
	if (all || finding->confidence != EA_CONFIDENCE_HIGH)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM,
			       "confidence:", ea_confidence_words[finding->confidence]);
	write_consumers(layout, finding);
	if (all)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM, "fingerprint:", finding->fingerprint);
}

static void write_details(const struct ea_layout *layout, const struct ea_finding *finding,
			  bool all)
{
	uint32_t shown = all ? finding->evidence.n : SHOWN_EVIDENCE;

	for (uint32_t i = 0; i < finding->evidence.n && i < shown; i++)
		write_evidence(layout, &finding->evidence.items[i]);
	if (finding->evidence.n > shown) {
		ea_layout_pad(layout, 4);
		ea_out_printf(layout->out, "and %u more (-v shows them)\n",
			      finding->evidence.n - shown);
	}
	if (finding->why)
		ea_layout_wrap(layout, 4, 4, EA_STYLE_PLAIN, NULL, finding->why);
	write_particulars(layout, finding, all);
	ea_vec_foreach(fix, &finding->fixes)
		write_fix(layout, fix);
}

/* Notes are one line each unless everything is asked for: they bite nobody. */
static bool is_detailed(const struct ea_report *report, const struct ea_finding *finding)
{
	int verbosity = report->options.verbosity;

	return verbosity > 0 || (verbosity == 0 && finding->severity != EA_SEVERITY_NOTE);
}

static void write_finding(const struct ea_report *report, const struct ea_layout *layout,
			  const struct ea_finding *finding)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, title = { 0 };

	ea_buf_printf(&label, "%s %s:", ea_severity_words[finding->severity], finding->rule->code);
	ea_buf_printf(&title, "%s [%s]", finding->title, finding->rule->slug);
	ea_layout_wrap(layout, 0, 4, severity_styles[finding->severity], ea_buf_text(&label),
		       ea_buf_text(&title));
	if (is_detailed(report, finding))
		write_details(layout, finding, report->options.verbosity > 0);
}

static void write_findings(const struct ea_report *report, const struct ea_layout *layout,
			   const struct ea_world *world)
{
	bool apart = report->options.verbosity >= 0; /* a blank line comes first */

	for (int severity = EA_SEVERITY_MAX_ - 1; severity >= 0; severity--) {
		ea_vec_foreach(finding, &world->findings) {
			if ((int)(*finding)->severity != severity)
				continue;
			if (apart || is_detailed(report, *finding))
				ea_out_text(layout->out, "\n");
			write_finding(report, layout, *finding);
			apart = is_detailed(report, *finding);
		}
	}
}

/* ---- gaps ------------------------------------------------------------------------------------ */

static void write_gap(const struct ea_layout *layout, const struct ea_gap *gap)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, text = { 0 };

	ea_buf_printf(&label, "%s:", ea_gap_words[gap->kind]);
	if (gap->path)
		ea_buf_printf(&text, "%s: ", gap->path);
	ea_buf_add_text(&text, gap->reason);
	ea_layout_wrap(layout, 0, 4,
		       ea_report_gap_is_incomplete(gap) ? EA_STYLE_WARNING : EA_STYLE_DIM,
		       ea_buf_text(&label), ea_buf_text(&text));
}

static void write_gaps(const struct ea_report *report, const struct ea_layout *layout,
		       const struct ea_world *world)
{
	bool all = report->options.verbosity > 0;
	uint32_t n = 0, hidden = 0;

	if (report->options.verbosity < 0)
		return;
	ea_vec_foreach(gap, &world->gaps.list) {
		if (!all && !gap->matters) {
			hidden += gap->kind == EA_GAP_UNREAD || gap->kind == EA_GAP_LIMIT;
			continue;
		}
		if (!n++)
			ea_out_text(layout->out, "\n");
		if (all || n <= SHOWN_GAPS)
			write_gap(layout, gap);
	}
	if (!all && n > SHOWN_GAPS)
		ea_out_printf(layout->out, "and %u more such gaps (-v shows them)\n",
			      n - SHOWN_GAPS);
	if (hidden)
		ea_out_printf(layout->out,
			      "%s%u file%s or folder%s could not be read (-v shows %s)\n",
			      n ? "" : "\n", hidden, hidden == 1 ? "" : "s", hidden == 1 ? "" : "s",
			      hidden == 1 ? "it" : "them");
}

/* ---- the last line --------------------------------------------------------------------------- */

static void add_findings(struct ea_buf *buf, const struct ea_report_counts *counts)
{
	for (int severity = EA_SEVERITY_MAX_ - 1; severity >= 0; severity--)
		if (counts->severity[severity])
			add_count(buf, counts->severity[severity], ea_severity_words[severity]);
	if (!buf->len)
		ea_buf_add_text(buf, "no findings");
}

static void add_looked_at(struct ea_buf *buf, const struct ea_world *world)
{
	uint32_t gpu = 0, frameworks = 0;

	ea_vec_foreach(elf, &world->elfs) {
		if ((*elf)->family && (*elf)->family->framework)
			frameworks++;
		else if ((*elf)->family)
			gpu++;
	}
	ea_buf_printf(buf, "%u GPU librar%s", gpu, gpu == 1 ? "y" : "ies");
	if (frameworks)
		add_count(buf, frameworks, "framework file");
	add_count(buf, world->elfs.n - gpu - frameworks, "other file");
	add_count(buf, world->components.n, "package");
}

static void add_incomplete(struct ea_buf *buf, const struct ea_report_counts *counts)
{
	if (counts->incomplete)
		ea_buf_printf(buf, "; incomplete: %u gap%s", counts->incomplete,
			      counts->incomplete == 1 ? "" : "s");
}

static enum ea_style verdict_style(const struct ea_report_counts *counts)
{
	if (counts->severity[EA_SEVERITY_ERROR])
		return EA_STYLE_ERROR;
	return counts->severity[EA_SEVERITY_WARNING] || counts->incomplete ? EA_STYLE_WARNING
									   : EA_STYLE_GOOD;
}

static void write_verdict(const struct ea_report *report, const struct ea_layout *layout,
			  const struct ea_world *world)
{
	struct ea_report_counts counts = ea_report_count(world);
	EA_CLEANUP(ea_buf_release) struct ea_buf verdict = { 0 }, text = { 0 };
	bool rules = report->options.parts & EA_REPORT_FINDINGS;

	if (report->options.verbosity >= 0)
		ea_out_text(layout->out, "\n");
	if (rules)
		add_findings(&verdict, &counts);
	add_looked_at(&text, world);
	if (rules) {
		ea_buf_add_text(&verdict, " in");
		add_incomplete(&text, &counts);
		ea_layout_wrap(layout, 0, 4, verdict_style(&counts), ea_buf_text(&verdict),
			       ea_buf_text(&text));
	} else {
		add_incomplete(&text, &counts);
		ea_layout_wrap(layout, 0, 4, EA_STYLE_PLAIN, NULL, ea_buf_text(&text));
	}
}

/* ---- the report ------------------------------------------------------------------------------ */

static void write_begin(struct ea_report *report)
{
	(void)report;
}

static void write_target(struct ea_report *report, const struct ea_world *world)
{
	const struct ea_report_options *options = &report->options;
	struct ea_layout layout = layout_of(report);

	if (report->n_targets)
		ea_out_text(layout.out, "\n");
	if (options->parts & EA_REPORT_TREE)
		ea_sessions_tree(&layout, options, world);
	if (options->parts & EA_REPORT_WHY)
		ea_sessions_why(&layout, options, world);
	if (options->parts & (EA_REPORT_TREE | EA_REPORT_WHY)) {
		write_gaps(report, &layout, world);
		return;
	}
	write_head(&layout, world);
	if (options->parts & EA_REPORT_LIBRARIES)
		ea_tables_libraries(&layout, options, world);
	if ((options->parts & EA_REPORT_PACKAGES) && options->verbosity > 0)
		ea_tables_packages(&layout, world);
	if (options->parts & EA_REPORT_FINDINGS)
		write_findings(report, &layout, world);
	if (options->parts & EA_REPORT_GAPS)
		write_gaps(report, &layout, world);
	write_verdict(report, &layout, world);
}

static void write_end(struct ea_report *report)
{
	struct ea_layout layout = layout_of(report);
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, text = { 0 };

	if (report->n_targets < 2 || !(report->options.parts & EA_REPORT_FINDINGS))
		return;
	ea_buf_printf(&label, "%u targets:", report->n_targets);
	add_findings(&text, &report->total);
	add_incomplete(&text, &report->total);
	ea_out_text(layout.out, "\n");
	ea_layout_wrap(&layout, 0, 4, verdict_style(&report->total), ea_buf_text(&label),
		       ea_buf_text(&text));
}

const struct ea_report_ops ea_report_text = {
	.name = "text",
	.begin = write_begin,
	.target = write_target,
	.end = write_end,
};
