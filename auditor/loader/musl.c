/* musl's loader (ldso/dynlink.c): not modelled yet. */
#include "loader/process.h"

int ea_musl_start(struct ea_process *process, struct ea_request *start, const struct ea_opened *exe)
{
	(void)exe;
	start->outcome = EA_OUTCOME_ERROR;
	start->error = "its loader is musl's";
	process->dead = true;
	return 1;
}

void ea_musl_dlopen(struct ea_process *process, struct ea_request *request)
{
	(void)process;
	request->outcome = EA_OUTCOME_NOTHING;
}
