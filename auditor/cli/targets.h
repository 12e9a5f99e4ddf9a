/* Runs the audit over the targets of the command line and reports each: what all such commands
 * share. */
#pragma once

#include "audit/audit.h"
#include "cli/cli.h"

struct ea_targets {
	unsigned parts;	     /* enum ea_audit_part: what to find out */
	unsigned text_parts; /* enum ea_report_part for a person */
	unsigned data_parts; /* … for programs */
	bool judges;	     /* findings count for the exit status */
	bool no_findings;    /* formats that are made of findings have nothing to say */
	const char *library; /* the first argument, which is asked about; NULL = all are targets */
};

/* Fills in what the command line says. The caller frees options->facts. */
EA_MUST_CHECK int ea_targets_options(struct ea_cli *cli, struct ea_audit_options *options,
				     struct ea_err *err);

enum ea_exit ea_targets_run(struct ea_cli *cli, const struct ea_targets *targets);
