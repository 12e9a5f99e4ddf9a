/* envaudit list: the inventory, without a judgement. */
#include "audit/audit.h"
#include "cli/targets.h"
#include "report/report.h"

enum ea_exit ea_cmd_list(struct ea_cli *cli)
{
	static const struct ea_targets targets = {
		.parts = EA_PART_LIBRARIES | EA_PART_PACKAGES | EA_PART_ARCHES,
		.text_parts = EA_REPORT_LIBRARIES | EA_REPORT_PACKAGES | EA_REPORT_GAPS,
		.data_parts = EA_REPORT_LIBRARIES | EA_REPORT_PACKAGES | EA_REPORT_GAPS,
		.no_findings = true,
	};

	return ea_targets_run(cli, &targets);
}
