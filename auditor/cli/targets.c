/* Runs the audit over the targets of the command line and reports each. */
#include "cli/targets.h"

#include "audit/audit.h"
#include "cli/datadir.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "model/session.h"
#include "matrix/config.h"
#include "report/baseline.h"
#include "report/report.h"

#define STOP 1 /* from the callback: nobody reads the report any more */

struct run {
	struct ea_cli *cli;
	const struct ea_targets *targets;
	struct ea_output output;
	struct ea_report report;
	struct ea_progress progress;
	enum ea_exit status;
};

static void note_status(struct run *run, enum ea_exit status)
{
	run->status = ea_exit_worse(run->status, status);
}

static void note_error(struct run *run, const struct ea_err *err)
{
	ea_progress_wipe(&run->progress);
	note_status(run, ea_cli_complain(err));
}

static enum ea_exit judge(const struct run *run, const struct ea_world *world)
{
	struct ea_report_counts counts = ea_report_count(world);

	for (int severity = run->cli->fail_on; severity < EA_SEVERITY_MAX_; severity++)
		if (run->targets->judges && counts.severity[severity])
			return EA_EXIT_FINDINGS;
	return counts.incomplete ? EA_EXIT_INCOMPLETE : EA_EXIT_OK;
}

static bool is_asked_for(const struct ea_world *world)
{
	ea_vec_foreach(session, &world->sessions)
		if ((*session)->whys.n)
			return true;
	return false;
}

/* Nobody asks for the library: that is no answer, but for programs it is a report. */
static bool miss_library(struct run *run, const struct ea_world *world)
{
	const char *library = run->targets->library;
	struct ea_err err;

	if (!library || is_asked_for(world))
		return false;
	ea_err_set(&err, EA_E_USAGE, "%s: nothing here asks the loader for '%s'",
		   world->target.name, library);
	note_error(run, &err);
	return ea_streq(run->cli->format, "text");
}

static int report_world(void *arg, const struct ea_world *world)
{
	struct run *run = arg;

	ea_progress_wipe(&run->progress);
	if (miss_library(run, world))
		return 0;
	note_status(run, judge(run, world));
	ea_report_target(&run->report, world);
	ea_out_flush(&run->output.out);
	return run->output.out.error ? STOP : 0;
}

static void audit_all(struct run *run, const struct ea_audit_options *options)
{
	const struct ea_cli *cli = run->cli;
	const char *none = cli->root_dir ? "/" : NULL;
	uint32_t i = run->targets->library ? 1 : 0;
	int rc;

	do {
		struct ea_err err;

		rc = ea_audit_run(i < cli->args.n ? cli->args.items[i] : none, options,
				  report_world, run, &err);
		if (rc < 0)
			note_error(run, &err);
	} while (++i < cli->args.n && rc != STOP);
}

int ea_targets_options(struct ea_cli *cli, struct ea_audit_options *options, struct ea_err *err)
{
	struct ea_env env;
	int rc = ea_cli_environment(cli, &env, err);

	if (!rc)
		rc = ea_datadir_find(&cli->arena, &options->data_dir, err);
	if (!rc)
		rc = ea_datadir_facts(options->data_dir, cli->matrix_dirs.items, cli->matrix_dirs.n,
				      &options->facts, err);
	if (rc)
		return rc;
	options->env = env.vars.items;
	options->n_env = env.vars.n;
	options->env_changes = env.changes.items;
	options->n_env_changes = env.changes.n;
	options->clean_env = cli->clean_env;
	options->platform = cli->platform;
	options->tmp_limit = cli->tmp_limit;
	options->root_dir = cli->root_dir;
	options->verify = cli->verify;
	options->deep = cli->deep;
	options->cpu = cli->cpu;
	options->glibc = cli->glibc;
	options->gpu = cli->gpu;
	options->config = cli->config;
	options->python = cli->python;
	options->imports = cli->imports;
	options->stage = cli->stage;
	options->driver = cli->driver;
	options->jobs = cli->jobs;
	return 0;
}

static void begin_report(struct run *run, const char *data_dir)
{
	struct ea_cli *cli = run->cli;
	bool is_text = ea_streq(cli->format, "text");
	const struct ea_report_options options = {
		.parts = is_text ? run->targets->text_parts : run->targets->data_parts,
		.verbosity = cli->verbosity,
		.colour = run->output.colour,
		.wide = !run->output.terminal,
		.width = run->output.width,
		.matrices = ea_datadir_date(&cli->arena, data_dir),
	};

	ea_report_begin(&run->report, ea_report_format(cli->format), &options, &run->output.out);
}

/* A suppression that nothing needs any more hides the next fault. */
static void tell_unused(struct ea_cli *cli, const struct ea_suppression_use *use)
{
	ea_vec_foreach(where, &use->all) {
		bool used = false;

		ea_vec_foreach(other, &use->used)
			used |= ea_streq(*where, *other);
		if (!used)
			ea_cli_tell(ea_arena_printf(&cli->arena, "%s: this suppressed nothing",
						    *where));
	}
}

static int open_baseline(const struct ea_cli *cli, struct ea_baseline **ret, struct ea_err *err)
{
	return cli->baseline ? ea_baseline_load(cli->baseline, ret, err) : 0;
}

enum ea_exit ea_targets_run(struct ea_cli *cli, const struct ea_targets *targets)
{
	struct run run = { .cli = cli, .targets = targets };
	struct ea_baseline *baseline = NULL;
	struct ea_suppression_use use = { .arena = &cli->arena };
	struct ea_audit_options options = {
		.use = &use,
		/* No text shows architectures, and reading them takes longer than all else. */
		.parts = ea_streq(cli->format, "text") ? targets->parts & ~(unsigned)EA_PART_ARCHES
						       : targets->parts,
		.library = targets->library,
		.progress = ea_progress_tell,
		.progress_arg = &run.progress,
	};
	struct ea_err err;

	if (targets->no_findings && !ea_streq(cli->format, "text") &&
	    !ea_streq(cli->format, "json")) {
		ea_err_set(&err, EA_E_USAGE, "`%s` has no findings: --format text or json",
			   ea_commands[cli->cmd].name);
		return ea_cli_complain(&err);
	}
	if (open_baseline(cli, &baseline, &err) || ea_targets_options(cli, &options, &err) ||
	    ea_output_open(&run.output, cli, &err)) {
		ea_baseline_free(baseline);
		ea_matrix_free(options.facts);
		return ea_cli_complain(&err);
	}
	options.baseline = baseline;
	ea_progress_start(&run.progress, cli->verbosity < 0);
	begin_report(&run, options.data_dir);
	audit_all(&run, &options);
	ea_report_end(&run.report);
	ea_progress_wipe(&run.progress);
	if (cli->verbosity > 0)
		ea_vec_foreach(change, &ea_matrix_changes(options.facts)->list)
			ea_cli_tell(*change);
	tell_unused(cli, &use);
	ea_baseline_free(baseline);
	ea_matrix_free(options.facts);
	if (ea_output_close(&run.output, &err))
		note_error(&run, &err);
	return run.status;
}
