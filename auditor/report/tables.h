/* The inventory as tables for a terminal. */
#pragma once

#include "model/world.h"
#include "report/layout.h"
#include "report/report.h"

/* Libraries by family, then what is there twice. */
void ea_tables_libraries(const struct ea_layout *layout, const struct ea_report_options *options,
			 const struct ea_world *world);

void ea_tables_packages(const struct ea_layout *layout, const struct ea_world *world);
