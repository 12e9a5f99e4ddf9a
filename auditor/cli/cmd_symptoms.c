/* envaudit symptoms: what an error or a log complains of, and what on disk may be the cause. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/limits.h"
#include "base/path.h"
#include "cli/datadir.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/targets.h"
#include "matrix/symptoms.h"
#include "model/finding.h"
#include "report/layout.h"

/* Of longer lines, and of those with bytes that are no text, only the words that matched are shown.
 */
#define LINE_SHOWN 240u

/* A symptom in the log, with what it complains of. */
struct hit {
	const struct ea_symptom *symptom;
	const char *line;
	const char *subject; /* NULL where the line names nothing */
	unsigned number, times;
};

/* What is kept of a finding when its world is gone. */
struct found {
	const char *target, *slug, *title;
	EA_VEC(const char *) names; /* title and evidence: where a subject may be named */
};

struct run {
	struct ea_cli *cli;
	struct ea_symptoms *symptoms;
	struct ea_progress progress;
	EA_VEC(struct hit) hits;
	EA_VEC(struct found) found;
	bool audited;
	enum ea_exit status;
};

/* What the findings say of a cause: nothing, its class about another library, or about this one. */
enum proof { PROOF_NONE, PROOF_RELATED, PROOF_NAMED };

static void note_line(struct run *run, struct ea_str line, unsigned number)
{
	struct ea_arena *arena = &run->cli->arena;
	struct ea_match match;
	const struct ea_symptom *symptom = ea_symptoms_match(run->symptoms, line, &match);
	const char *subject;
	struct hit *hit;

	if (!symptom)
		return;
	subject = match.group[1].ptr ? ea_arena_dup_str(arena, match.group[1]) : NULL;
	ea_vec_foreach(other, &run->hits)
		if (other->symptom == symptom && ea_streq(other->subject, subject)) {
			other->times++;
			return;
		}
	if (line.len > LINE_SHOWN || ea_str_find(line, 0) < line.len)
		line = match.group[0];
	if (line.len > LINE_SHOWN)
		line.len = LINE_SHOWN;
	hit = ea_vec_add(&run->hits, arena);
	*hit = (struct hit){ symptom, ea_arena_dup_str(arena, ea_str_trim(line)), subject, number,
			     1 };
}

/*
 * The whole lines in BUFFER, and what is left of it if that is FULL; gives the number of bytes that
 * were used.
 */
static size_t take_lines(struct run *run, struct ea_str buffer, bool full, unsigned *number)
{
	struct ea_str rest = buffer;

	while (rest.len) {
		size_t n = ea_str_find(rest, '\n');

		if (n == rest.len && !(full && rest.len == buffer.len))
			break;
		note_line(run, ea_str_trim((struct ea_str){ rest.ptr, n }), *number);
		*number += n < rest.len;
		rest = ea_str_skip(rest, n + 1);
	}
	return buffer.len - rest.len;
}

/* Lines that are longer than the buffer are taken in pieces. */
static int read_log(struct run *run, const char *name, struct ea_err *err)
{
	bool is_stdin = ea_streq(name, "-");
	int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	char buffer[EA_LIMIT_LOG_LINE];
	size_t len = 0, used;
	unsigned number = 1;
	ssize_t n = 0;

	while (fd >= 0 && (n = read(fd, buffer + len, sizeof(buffer) - len)) > 0) {
		len += (size_t)n;
		used = take_lines(run, (struct ea_str){ buffer, len }, len == sizeof(buffer),
				  &number);
		memmove(buffer, buffer + used, len - used);
		len -= used;
	}
	if (fd < 0 || n < 0)
		ea_err_set(err, EA_E_USAGE, "cannot read %s: %s", name, strerror(errno));
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (fd < 0 || n < 0)
		return -EA_E_USAGE;
	take_lines(run, (struct ea_str){ buffer, len }, true, &number);
	return 0;
}

/* The world does not outlive this call. */
static int keep_findings(void *arg, const struct ea_world *world)
{
	struct run *run = arg;
	struct ea_arena *arena = &run->cli->arena;

	run->audited = true;
	ea_vec_foreach(finding, &world->findings) {
		struct found *found = ea_vec_add(&run->found, arena);

		found->target = ea_arena_dup(arena, world->target.name);
		found->slug = ea_arena_dup(arena, (*finding)->rule->slug);
		found->title = ea_arena_dup(arena, (*finding)->title);
		ea_vec_push(&found->names, arena, found->title);
		ea_vec_foreach(evidence, &(*finding)->evidence) {
			if (evidence->path)
				ea_vec_push(&found->names, arena,
					    ea_arena_dup(arena, evidence->path));
			if (evidence->text)
				ea_vec_push(&found->names, arena,
					    ea_arena_dup(arena, evidence->text));
		}
	}
	return 0;
}

/* Without a TARGET one is looked for, and it is no mistake if there is none. */
static void audit_targets(struct run *run, const struct ea_audit_options *options)
{
	const struct ea_cli *cli = run->cli;
	uint32_t i = 1;

	do {
		bool named = i < cli->args.n;
		struct ea_err err;
		int rc = ea_audit_run(named	      ? cli->args.items[i]
				      : cli->root_dir ? "/"
						      : NULL,
				      options, keep_findings, run, &err);

		ea_progress_wipe(&run->progress);
		if (rc < 0 && (named || rc != -EA_E_TARGET))
			run->status = ea_exit_worse(run->status, ea_cli_complain(&err));
	} while (++i < cli->args.n);
}

/* A class stands for its parts as well. */
static bool is_of_class(const char *slug, const char *class_slug)
{
	size_t n = strlen(class_slug);

	return strncmp(slug, class_slug, n) == 0 && (!slug[n] || slug[n] == '/');
}

static bool names_subject(const struct found *found, const char *subject)
{
	const char *base = ea_path_base(subject);

	ea_vec_foreach(name, &found->names)
		if (strstr(*name, base))
			return true;
	return false;
}

static enum proof prove(const struct found *found, const struct ea_cause *cause,
			const char *subject)
{
	if (!cause->rule || !is_of_class(found->slug, cause->rule))
		return PROOF_NONE;
	return !subject || names_subject(found, subject) ? PROOF_NAMED : PROOF_RELATED;
}

static enum proof best_proof(const struct run *run, const struct ea_cause *cause,
			     const char *subject)
{
	enum proof best = PROOF_NONE;

	ea_vec_foreach(found, &run->found) {
		enum proof proof = prove(found, cause, subject);

		best = proof > best ? proof : best;
	}
	return best;
}

static void write_cause(const struct ea_layout *layout, const struct run *run,
			const struct ea_cause *cause, const struct hit *hit, enum proof proof)
{
	static const struct {
		enum ea_style style;
		const char *label;
	} words[] = {
		[PROOF_NONE] = { EA_STYLE_DIM, "possible:" },
		[PROOF_RELATED] = { EA_STYLE_WARNING, "related:" },
		[PROOF_NAMED] = { EA_STYLE_ERROR, "found:" },
	};
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	ea_buf_add_text(&text, cause->text);
	if (cause->rule)
		ea_buf_printf(&text, " (%s)", cause->rule);
	ea_layout_wrap(layout, 4, 8, words[proof].style, words[proof].label, ea_buf_text(&text));
	ea_vec_foreach(found, &run->found) {
		EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 };

		if (proof == PROOF_NONE || prove(found, cause, hit->subject) != proof)
			continue;
		ea_buf_printf(&label, "%s:", found->target);
		ea_layout_wrap(layout, 8, 12, EA_STYLE_PLAIN, ea_buf_text(&label), found->title);
	}
}

static void write_hit(const struct ea_layout *layout, const struct run *run, const char *log,
		      const struct hit *hit)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 };

	ea_buf_printf(&label, "%s:%u:", ea_streq(log, "-") ? "standard input" : log, hit->number);
	ea_layout_wrap(layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label), hit->line);
	ea_buf_clear(&label);
	ea_buf_add_text(&label, hit->symptom->title);
	if (hit->times > 1)
		ea_buf_printf(&label, " (%u times)", hit->times);
	ea_layout_wrap(layout, 4, 4, EA_STYLE_PLAIN, NULL, ea_buf_text(&label));
	for (int proof = PROOF_NAMED; proof >= PROOF_NONE; proof--)
		ea_vec_foreach(cause, &hit->symptom->causes)
			if (best_proof(run, cause, hit->subject) == (enum proof)proof)
				write_cause(layout, run, cause, hit, (enum proof)proof);
}

static void write_answer(const struct ea_layout *layout, const struct run *run, const char *log)
{
	if (!run->hits.n)
		ea_layout_wrap(layout, 0, 0, EA_STYLE_PLAIN, NULL, "No known symptom.");
	ea_vec_foreach(hit, &run->hits) {
		ea_out_text(layout->out, hit == run->hits.items ? "" : "\n");
		write_hit(layout, run, log, hit);
	}
	if (run->hits.n && !run->audited) {
		ea_out_text(layout->out, "\n");
		ea_layout_wrap(layout, 0, 0, EA_STYLE_DIM, NULL,
			       "No environment was audited: name one to see which of these it is.");
	}
}

/* The audit is only worth its time where there is something to explain. */
static int look(struct run *run, const char *log, struct ea_err *err)
{
	struct ea_audit_options options = {
		.parts = EA_PART_LIBRARIES | EA_PART_PACKAGES | EA_PART_FINDINGS | EA_PART_SESSIONS,
		.progress = ea_progress_tell,
		.progress_arg = &run->progress,
	};
	int rc = ea_targets_options(run->cli, &options, err);

	if (!rc)
		rc = ea_symptoms_load(
			ea_path_join(&run->cli->arena, options.data_dir, "symptoms.cfg"),
			&run->symptoms, err);
	if (!rc)
		rc = read_log(run, log, err);
	if (!rc && run->hits.n) {
		ea_progress_start(&run->progress, run->cli->verbosity < 0);
		audit_targets(run, &options);
	}
	ea_matrix_free(options.facts);
	return rc;
}

enum ea_exit ea_cmd_symptoms(struct ea_cli *cli)
{
	struct run run = { .cli = cli };
	const char *log = cli->args.n ? cli->args.items[0] : "-";
	struct ea_output output;
	struct ea_err err;

	if (look(&run, log, &err) || ea_output_open(&output, cli, &err)) {
		ea_symptoms_free(run.symptoms);
		return ea_cli_complain(&err);
	}
	write_answer(&(struct ea_layout){ &output.out, output.width, output.colour }, &run, log);
	ea_symptoms_free(run.symptoms);
	if (ea_output_close(&output, &err))
		run.status = ea_exit_worse(run.status, ea_cli_complain(&err));
	return run.status;
}
