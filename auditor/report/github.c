/*
 * Workflow commands of GitHub Actions, one annotation a finding. They name no file: a finding is
 * about an installed environment, not about a line of the repository.
 */
#include "report/formats.h"

#include "base/buf.h"
#include "base/escape.h"

static const char *const commands[EA_SEVERITY_MAX_] = {
	[EA_SEVERITY_NOTE] = "notice",
	[EA_SEVERITY_WARNING] = "warning",
	[EA_SEVERITY_ERROR] = "error",
};

/* Values end at a line break, those of properties at ':' and ',' too; '%' begins an escape. */
static void write_value(struct ea_out *out, const char *text, bool property)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\n' || *text == '\r' ||
		    (property && (*text == ':' || *text == ',')))
			ea_out_printf(out, "%%%02X", (unsigned char)*text);
		else
			ea_out_write(out, text, 1);
	}
}

static void write_annotation(struct ea_out *out, const char *command, const char *title,
			     const struct ea_buf *message)
{
	ea_out_printf(out, "::%s title=", command);
	write_value(out, title, true);
	ea_out_text(out, "::");
	write_value(out, ea_buf_text(message), false);
	ea_out_text(out, "\n");
}

static void add_line(struct ea_buf *buf, const char *indent, const char *text)
{
	if (!text)
		return;
	ea_buf_printf(buf, "\n%s", indent);
	ea_escape_text(buf, ea_str(text));
}

static void write_finding(struct ea_out *out, const struct ea_world *world,
			  const struct ea_finding *finding)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf title = { 0 }, message = { 0 };

	ea_buf_printf(&title, "%s %s", finding->rule->code, finding->rule->slug);
	ea_escape_text(&message, ea_str(world->target.name));
	ea_buf_add_text(&message, ": ");
	ea_escape_text(&message, ea_str(finding->title));
	ea_vec_foreach(evidence, &finding->evidence) {
		add_line(&message, "", evidence->path);
		add_line(&message, evidence->path ? "  " : "", evidence->text);
	}
	add_line(&message, "", finding->why);
	ea_vec_foreach(fix, &finding->fixes) {
		add_line(&message, "fix: ", fix->text ? fix->text : "");
		ea_vec_foreach(command, &fix->commands)
			add_line(&message, "  ", *command);
	}
	write_annotation(out, commands[finding->severity], ea_buf_text(&title), &message);
}

static void write_gap(struct ea_out *out, const struct ea_world *world, const struct ea_gap *gap)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf message = { 0 };

	ea_escape_text(&message, ea_str(world->target.name));
	ea_buf_add_text(&message, ": ");
	if (gap->path) {
		ea_escape_text(&message, ea_str(gap->path));
		ea_buf_add_text(&message, ": ");
	}
	ea_escape_text(&message, ea_str(gap->reason));
	write_annotation(out, "warning", "envaudit could not look at everything", &message);
}

static void write_nothing(struct ea_report *report)
{
	(void)report;
}

/* The worst first: GitHub shows only the first ten of a step. */
static void write_target(struct ea_report *report, const struct ea_world *world)
{
	if (report->options.parts & EA_REPORT_FINDINGS)
		for (int severity = EA_SEVERITY_MAX_ - 1; severity >= 0; severity--)
			ea_vec_foreach(finding, &world->findings)
				if ((int)(*finding)->severity == severity)
					write_finding(report->out, world, *finding);
	if (report->options.parts & EA_REPORT_GAPS)
		ea_vec_foreach(gap, &world->gaps.list)
			if (ea_report_gap_is_incomplete(gap))
				write_gap(report->out, world, gap);
}

const struct ea_report_ops ea_report_github = {
	.name = "github",
	.begin = write_nothing,
	.target = write_target,
	.end = write_nothing,
};
