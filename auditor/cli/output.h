/* Where a report goes: standard output or a file, with what is known of the terminal behind it. */
#pragma once

#include <stdbool.h>

#include "base/out.h"
#include "cli/cli.h"

struct ea_output {
	struct ea_out out;
	const char *name; /* for messages */
	bool terminal;
	bool colour;
	unsigned width;
};

/* Opens cli->output, or takes standard output. Errors are -EA_E_OUTPUT. */
EA_MUST_CHECK int ea_output_open(struct ea_output *output, const struct ea_cli *cli,
				 struct ea_err *err);

/* Flushes and closes; an error that came up earlier is told here. */
EA_MUST_CHECK int ea_output_close(struct ea_output *output, struct ea_err *err);
