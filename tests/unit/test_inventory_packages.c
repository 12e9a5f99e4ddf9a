/* inventory: packages of dpkg and rpm. */
#include "inventory_unit.h"

#include <sqlite3.h>

/* ---- dpkg -------------------------------------------------------------------------------- */

#define STATUS "var/lib/dpkg/status"
#define INFO   "var/lib/dpkg/info/"

static void packages_with_libraries_are_kept(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *zlib;

	(void)state;
	tree_file(
		&tree, STATUS,
		"Package: zlib1g\nStatus: install ok installed\nMulti-Arch: same\n"
		"Architecture: amd64\nVersion: 1:1.2.13\nDescription: x\n Package: not one\n .\n\n"
		"Package: libcudnn9-cuda-12\nStatus: hold ok installed\nArchitecture: amd64\n"
		"Version: 9.1.0.70-1\n\n\n"
		"Package: gone\nStatus: deinstall ok config-files\nArchitecture: amd64\n\n"
		"Package: docs\nStatus: install ok installed\nArchitecture: amd64\n\n"
		"Package: scripts\nStatus: install ok installed\nArchitecture: all");
	tree_file(&tree, INFO "zlib1g:amd64.list",
		  "/.\n/lib\n/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu/libz.so.1.2.13\n"
		  "/lib/x86_64-linux-gnu/libz.so.1\n");
	tree_file(&tree, INFO "libcudnn9-cuda-12.list", "/.\n/usr/lib/libcudnn.so.9\n");
	tree_file(&tree, INFO "gone.list", "/etc/gone.so\n");
	tree_file(&tree, INFO "docs.list", "/.\n/usr/share/doc/docs\n");
	tree_file(&tree, INFO "scripts.list", "/usr/lib/scripts/x.so\n");
	find(&found, &tree, ea_dpkg_read, "/");
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.gaps.list.n, 0);
	assert_int_equal(found.inv.components.n, 2);
	zlib = component(&found, "zlib1g");
	assert_int_equal(zlib->manager, EA_MANAGER_DPKG);
	assert_string_equal(zlib->version, "1:1.2.13");
	assert_string_equal(zlib->build, "amd64");
	assert_string_equal(zlib->location, "/" INFO "zlib1g:amd64.list");
	assert_string_equal(zlib->base, "/");
	assert_int_equal(zlib->records.n, 2);
	record(zlib, "/lib/x86_64-linux-gnu/libz.so.1");
	record(component(&found, "libcudnn9-cuda-12"), "/usr/lib/libcudnn.so.9");
}

static void missing_lists_are_one_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, STATUS,
		  "Package: a\nStatus: install ok installed\nArchitecture: amd64\n\n"
		  "Package: ../../../etc/b\nStatus: install ok installed\n\n"
		  "Package: c\nStatus: install ok installed\n\nno field\n\n");
	find(&found, &tree, ea_dpkg_read, "/");
	assert_gap(&found, "/" STATUS, EA_GAP_UNREAD, "2 packages");
	assert_int_equal(found.inv.components.n, 0);
}

static void distroless_images_have_a_folder(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_record *library;

	(void)state;
	tree_file(&tree, "var/lib/dpkg/status.d/libc6",
		  "Package: libc6\nArchitecture: amd64\nVersion: 2.36-9\n");
	tree_file(&tree, "var/lib/dpkg/status.d/libc6.md5sums",
		  "d41d8cd98f00b204e9800998ecf8427e  lib/libc.so.6\n"
		  "nonsense  lib/libm.so.6\n"
		  "d41d8cd98f00b204e9800998ecf8427e  usr/share/doc/libc6/copyright\n");
	find(&found, &tree, ea_dpkg_read, "/");
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.gaps.list.n, 0);
	assert_string_equal(component(&found, "libc6")->version, "2.36-9");
	assert_int_equal(component(&found, "libc6")->records.n, 2);
	library = record(component(&found, "libc6"), "/lib/libc.so.6");
	assert_int_equal(library->flags, EA_RECORD_HAS_MD5);
	assert_int_equal(library->digest[0], 0xd4);
	assert_int_equal(library->digest[15], 0x7e);
	assert_int_equal(record(component(&found, "libc6"), "/lib/libm.so.6")->flags, 0);
}

/* ---- rpm (a real data base is compared in tests/oracle) ---------------------------------- */

static void put_rpmdb(const struct tree *tree, const void *blob, int size)
{
	sqlite3_stmt *statement;
	sqlite3 *db;

	tree_file(tree, "var/lib/rpm/rpmdb.sqlite", "");
	assert_int_equal(sqlite3_open(tree_path(tree, "var/lib/rpm/rpmdb.sqlite"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "PRAGMA journal_mode=WAL; CREATE TABLE Packages (hnum INTEGER"
				      " PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_prepare_v2(db, "INSERT INTO Packages (blob) VALUES (?)", -1, &statement, NULL);
	sqlite3_bind_blob(statement, 1, blob, size, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
	sqlite3_finalize(statement);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void nonsense_in_rpms_data_base(void **state)
{
	static const uint8_t blobs[][32] = {
		{ 0 },				     /* no name */
		{ 0xff, 0xff, 0xff, 0xff, 0, 0, 0 }, /* an index of 64 GiB */
		{ 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff },
		/* the name's string lies outside of the data */
		{ 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 3, 0xe8, 0, 0, 0, 6, 0, 0, 0, 9, 0, 0, 0, 1, 'x' },
		/* the name's string does not end */
		{ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 3, 0xe8, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1, 'x' },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(blobs); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);

		put_rpmdb(&tree, blobs[i], i == 4 ? 25 : sizeof(blobs[i]));
		find(&found, &tree, ea_rpm_read, "/");
		assert_gap(&found, "/var/lib/rpm/rpmdb.sqlite", EA_GAP_UNREAD,
			   "1 package headers are malformed");
	}
}

/* A table that is a view, and never ends; or one of another shape. */
static void hostile_schemas_end(void **state)
{
	static const struct {
		const char *schema, *reason;
	} cases[] = {
		{ "CREATE VIEW Packages AS WITH RECURSIVE n(hnum) AS (SELECT 1 UNION ALL SELECT"
		  " hnum + 1 FROM n) SELECT hnum, NULL AS blob FROM n WHERE hnum < 0;",
		  "interrupted" },
		{ "CREATE TABLE Packages (x);", "no such column" },
		{ "CREATE TABLE Other (x);", "no such table" },
		{ "CREATE TABLE Packages (hnum, blob); INSERT INTO Packages VALUES (1, NULL);",
		  "1 package headers are malformed" },
		{ "CREATE TABLE Packages (hnum, blob);"
		  "INSERT INTO Packages VALUES (1, zeroblob(200000000));",
		  "too big" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);
		sqlite3 *db;

		tree_file(&tree, "var/lib/rpm/rpmdb.sqlite", "");
		assert_int_equal(sqlite3_open(tree_path(&tree, "var/lib/rpm/rpmdb.sqlite"), &db),
				 SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, cases[i].schema, NULL, NULL, NULL), SQLITE_OK);
		assert_int_equal(sqlite3_close(db), SQLITE_OK);
		find(&found, &tree, ea_rpm_read, "/");
		assert_gap(&found, "/var/lib/rpm/rpmdb.sqlite", EA_GAP_UNREAD, cases[i].reason);
	}
}

static void a_file_that_is_no_data_base(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "var/lib/rpm/rpmdb.sqlite",
		  "not a data base, but longer than a header..."
		  "...........................................");
	find(&found, &tree, ea_rpm_read, "/");
	assert_gap(&found, "/var/lib/rpm/rpmdb.sqlite", EA_GAP_UNREAD, "not a database");
}

static void old_data_bases_are_a_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "var/lib/rpm/Packages", "");
	find(&found, &tree, ea_rpm_read, "/");
	assert_int_equal(found.result, 0);
	assert_gap(&found, "/var/lib/rpm/Packages", EA_GAP_UNREAD, "Berkeley DB");
	found_release(&found);
	find(&found, &tree, ea_rpm_read, "/var");
	assert_int_equal(found.result, 1);
	assert_int_equal(found.inv.gaps.list.n, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(packages_with_libraries_are_kept),
	cmocka_unit_test(missing_lists_are_one_gap),
	cmocka_unit_test(distroless_images_have_a_folder),
	cmocka_unit_test(nonsense_in_rpms_data_base),
	cmocka_unit_test(hostile_schemas_end),
	cmocka_unit_test(a_file_that_is_no_data_base),
	cmocka_unit_test(old_data_bases_are_a_gap),
};

UNIT_MAIN(tests)
