/*
 * A report: one walk over finished worlds into a writer. The formats are back ends of three
 *functions; a target is written as soon as it is ready, so that its world can be freed before the
 *next one.
 *
 *	struct ea_report report;
 *
 *	ea_report_begin(&report, ea_report_format("json"), &options, &out);
 *	ea_report_target(&report, world);	(any number of times)
 *	ea_report_end(&report);
 *
 * Errors of the output stick in OUT; the caller asks ea_out_finish().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/out.h"
#include "model/world.h"

/* What a command has to say. A part that is not asked for is left out, its JSON key too. */
enum ea_report_part {
	EA_REPORT_LIBRARIES = 1 << 0,
	EA_REPORT_PACKAGES = 1 << 1,
	EA_REPORT_FINDINGS = 1 << 2,
	EA_REPORT_GAPS = 1 << 3,
	EA_REPORT_TREE = 1 << 4, /* sessions: what they load */
	EA_REPORT_WHY = 1 << 5,	 /* sessions: why they load one thing from where they do */
};

struct ea_report_options {
	unsigned parts;
	int verbosity;	      /* -1 answers without reasons (text only), 0, 1 everything */
	bool colour;	      /* text only */
	bool wide;	      /* text only: a row of a table is one line, however long */
	unsigned width;	      /* text only: columns of the terminal */
	const char *matrices; /* date of the matrices; NULL = unknown */
};

/* Findings by severity, and gaps. */
struct ea_report_counts {
	uint32_t severity[EA_SEVERITY_MAX_];
	uint32_t gaps;
	uint32_t incomplete; /* gaps for which the audit may have missed something */
};

struct ea_report {
	const struct ea_report_ops *ops;
	struct ea_report_options options;
	struct ea_out *out;
	uint32_t n_targets;	       /* written before the current one */
	struct ea_report_counts total; /* of these */
};

struct ea_report_ops {
	const char *name; /* as --format takes it */
	void (*begin)(struct ea_report *report);
	void (*target)(struct ea_report *report, const struct ea_world *world);
	void (*end)(struct ea_report *report);
};

/* Ends in NULL. */
extern const struct ea_report_ops *const ea_report_formats[];

/* NULL if there is none of this name. */
const struct ea_report_ops *ea_report_format(const char *name);

void ea_report_begin(struct ea_report *report, const struct ea_report_ops *ops,
		     const struct ea_report_options *options, struct ea_out *out);
void ea_report_target(struct ea_report *report, const struct ea_world *world);
void ea_report_end(struct ea_report *report);

struct ea_report_counts ea_report_count(const struct ea_world *world);

/* The audit may have missed something for this gap. */
bool ea_report_gap_is_incomplete(const struct ea_gap *gap);
