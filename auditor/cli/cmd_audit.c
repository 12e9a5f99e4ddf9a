/* envaudit audit: what will go wrong, why, and what to do. */
#include "audit/audit.h"
#include "cli/targets.h"
#include "report/report.h"

enum ea_exit ea_cmd_audit(struct ea_cli *cli)
{
	static const struct ea_targets targets = {
		.parts = EA_PART_LIBRARIES | EA_PART_PACKAGES | EA_PART_FINDINGS | EA_PART_ARCHES |
			 EA_PART_SESSIONS,
		.text_parts = EA_REPORT_FINDINGS | EA_REPORT_GAPS,
		.data_parts = EA_REPORT_LIBRARIES | EA_REPORT_PACKAGES | EA_REPORT_FINDINGS |
			      EA_REPORT_TREE | EA_REPORT_GAPS,
		.judges = true,
	};

	return ea_targets_run(cli, &targets);
}
