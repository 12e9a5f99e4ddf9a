/* envaudit check-matrix: whether matrix files are valid, for those who write their own. */
#include <stdio.h>

#include "cli/cli.h"
#include "matrix/check.h"

enum ea_exit ea_cmd_check_matrix(struct ea_cli *cli)
{
	enum ea_exit status = EA_EXIT_OK;
	struct ea_err err;

	if (!cli->args.n) {
		ea_err_set(&err, EA_E_USAGE, "check-matrix needs a FILE");
		return ea_cli_complain(&err);
	}
	ea_vec_foreach(file, &cli->args)
		if (ea_matrix_check(*file, &err))
			status = ea_exit_worse(status, ea_cli_complain(&err));
	return status;
}
