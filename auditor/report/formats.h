/* The back ends of report.h, one file each. */
#pragma once

#include "report/report.h"

extern const struct ea_report_ops ea_report_text;
extern const struct ea_report_ops ea_report_json;   /* doc/report.schema.json */
extern const struct ea_report_ops ea_report_github; /* workflow commands of GitHub Actions */
extern const struct ea_report_ops ea_report_sarif;  /* SARIF 2.1.0 */
