/* A package header of rpm inside of a sound data base. */
#include "inventory_fuzz.h"

#include <sqlite3.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file = { .path = "/var/lib/rpm/rpmdb.sqlite" };
	sqlite3_stmt *statement;
	sqlite3_int64 length;
	unsigned char *image;
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		abort();
	sqlite3_exec(db, "CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)",
		     NULL, NULL, NULL);
	sqlite3_prepare_v2(db, "INSERT INTO Packages (blob) VALUES (?)", -1, &statement, NULL);
	sqlite3_bind_blob(statement, 1, data, (int)size, SQLITE_STATIC);
	sqlite3_step(statement);
	sqlite3_finalize(statement);
	image = sqlite3_serialize(db, "main", &length, 0);
	file.data = image;
	file.size = (size_t)length;
	fuzz_job(ea_rpm_read, "/", &file, 1);
	sqlite3_free(image);
	sqlite3_close(db);
	return 0;
}
