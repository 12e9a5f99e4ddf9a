/* SQLite over a file of a root: read-only, page by page, without a path of the host. */
#pragma once

#include <sqlite3.h>

#include "fs/root.h"

struct ea_database {
	sqlite3 *db;
	struct ea_database_file *file;
};

/*
 * Opens the data base at PATH. What a writer has not yet moved out of its write-ahead log is not
 * seen. 0 or a negative errno; -EBADMSG when it is no SQLite file. A zeroed struct is one that is
 * closed.
 */
EA_MUST_CHECK int ea_database_open(const struct ea_root *root, const char *path,
				   struct ea_database *ret);
/* The first error of a read, a negative errno; 0 if all went well. */
int ea_database_error(const struct ea_database *database);

void ea_database_close(struct ea_database *database);
