/* envaudit why: why a library comes from where it comes. */
#include "audit/audit.h"
#include "cli/targets.h"
#include "report/report.h"

enum ea_exit ea_cmd_why(struct ea_cli *cli)
{
	struct ea_targets targets = {
		.parts = EA_PART_SESSIONS | EA_PART_PACKAGES,
		.text_parts = EA_REPORT_WHY | EA_REPORT_GAPS,
		.data_parts = EA_REPORT_WHY | EA_REPORT_LIBRARIES | EA_REPORT_GAPS,
		.no_findings = true,
	};

	if (!cli->args.n) {
		struct ea_err err;

		ea_err_set(&err, EA_E_USAGE, "`why` needs a LIBRARY: libcudnn.so.9, cudnn, ...");
		return ea_cli_complain(&err);
	}
	targets.library = cli->args.items[0];
	return ea_targets_run(cli, &targets);
}
