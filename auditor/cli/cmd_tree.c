/* envaudit tree: what is loaded, by whom and from where. */
#include "audit/audit.h"
#include "cli/targets.h"
#include "report/report.h"

enum ea_exit ea_cmd_tree(struct ea_cli *cli)
{
	static const struct ea_targets targets = {
		.parts = EA_PART_SESSIONS | EA_PART_PACKAGES,
		.text_parts = EA_REPORT_TREE | EA_REPORT_GAPS,
		.data_parts = EA_REPORT_TREE | EA_REPORT_LIBRARIES | EA_REPORT_GAPS,
		.no_findings = true,
	};

	return ea_targets_run(cli, &targets);
}
