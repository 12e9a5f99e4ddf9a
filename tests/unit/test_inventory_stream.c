/* inventory: a root that cannot seek gives the same as a folder, after few passes. */
#include "inventory_unit.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "tar_source.h"

#define SITE "venv/lib/python3.11/site-packages/"

static void add_folders(struct archive *archive, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct archive_entry *entry = archive_entry_new();
		char folder[256];

		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		archive_entry_set_pathname(entry, folder);
		archive_entry_set_filetype(entry, AE_IFDIR);
		archive_entry_set_perm(entry, 0755);
		assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
		archive_entry_free(entry);
	}
}

static void add_entry(struct archive *archive, const struct tree *tree, const char *path)
{
	struct archive_entry *entry = archive_entry_new();
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	int fd = open(tree_path(tree, path), O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	do {
		n = read(fd, ea_buf_reserve(&text, 65536), 65536);
		text.len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	close(fd);
	archive_entry_set_pathname(entry, path);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (int64_t)text.len);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, text.ptr, text.len), text.len);
	archive_entry_free(entry);
}

static void put_rpmdb(const struct tree *tree)
{
	/* A header with a name, one file in one folder, and nothing else. */
	static const uint8_t
		blob[] = {
			0,   0,	  0,   4,    0,	  0,   0,   36, /* entries, bytes of data */
			0,   0,	  3,   0xe8, 0,	  0,   0,   6,	0,   0,	  0,   0,
			0,   0,	  0,   1, /* name */
			0,   0,	  4,   0x5c, 0,	  0,   0,   4,	0,   0,	  0,   4,
			0,   0,	  0,   1, /* index of the folder */
			0,   0,	  4,   0x5d, 0,	  0,   0,   8,	0,   0,	  0,   8,
			0,   0,	  0,   1, /* base name */
			0,   0,	  4,   0x5e, 0,	  0,   0,   8,	0,   0,	  0,   20,
			0,   0,	  0,   1, /* folder */
			'r', 'p', 'k', 0,    0,	  0,   0,   0,	'l', 'i', 'b', 'r',
			'.', 's', 'o', 0,    0,	  0,   0,   0,	'/', 'u', 's', 'r',
			'/', 'l', 'i', 'b',  '6', '4', '/', 0,	0,   0,	  0,   0,
		};
	sqlite3_stmt *statement;
	sqlite3 *db;

	tree_file(tree, "var/lib/rpm/rpmdb.sqlite", "");
	assert_int_equal(sqlite3_open(tree_path(tree, "var/lib/rpm/rpmdb.sqlite"), &db), SQLITE_OK);
	sqlite3_exec(db, "CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB)", NULL, NULL,
		     NULL);
	sqlite3_prepare_v2(db, "INSERT INTO Packages (blob) VALUES (?)", -1, &statement, NULL);
	sqlite3_bind_blob(statement, 1, blob, sizeof(blob), SQLITE_STATIC);
	assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
	sqlite3_finalize(statement);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static const char *const paths[] = {
	SITE "a-1.dist-info/METADATA",
	SITE "a-1.dist-info/RECORD",
	SITE "a-1.dist-info/INSTALLER",
	SITE "a-1.dist-info/direct_url.json",
	SITE "a/lib.so",
	SITE "b-2.egg-info",
	"venv/conda-meta/c-3-0.json",
	"venv/pyvenv.cfg",
	"var/lib/dpkg/status",
	"var/lib/dpkg/info/d.list",
	"var/lib/rpm/rpmdb.sqlite",
	"usr/local/cuda-12.4/version.json",
	"etc/os-release",
	"proc/driver/nvidia/version",
};

static void make_machine(const struct tree *tree, const struct tree *other)
{
	struct archive *archive = archive_write_new();

	tree_file(tree, paths[0], "Name: a\nVersion: 1\n\n");
	tree_file(tree, paths[1], "a/lib.so,,\n");
	tree_file(tree, paths[2], "pip\n");
	tree_file(tree, paths[3], "{\"url\":\"file:///a\"}");
	tree_file(tree, paths[4], "");
	tree_file(tree, paths[5], "Name: b\nVersion: 2\n");
	tree_file(tree, paths[6], "{\"name\":\"c\",\"version\":\"3\",\"files\":[\"lib/c.so\"]}");
	tree_file(tree, paths[7], "home = /usr/bin\nversion = 3.11.7\n");
	tree_file(tree, paths[8], "Package: d\nStatus: install ok installed\nVersion: 4\n");
	tree_file(tree, paths[9], "/usr/lib/libd.so\n");
	put_rpmdb(tree);
	tree_file(tree, paths[11], "{\"cuda\":{\"version\":\"12.4.1\"}}");
	tree_file(tree, paths[12], "PRETTY_NAME=\"Five\"\n");
	tree_file(tree, paths[13], "NVRM version: Kernel Module  550.54.14  x\n");
	archive_write_add_filter_gzip(archive);
	archive_write_set_format_ustar(archive);
	assert_int_equal(archive_write_open_filename(archive, tree_path(other, "machine.tar.gz")),
			 ARCHIVE_OK);
	for (size_t i = 0; i < EA_ARRAY_SIZE(paths); i++) {
		add_folders(archive, paths[i]);
		add_entry(archive, tree, paths[i]);
	}
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
}

static void describe(const struct ea_inventory *inv, struct ea_buf *out)
{
	ea_vec_foreach(item, &inv->components) {
		const struct ea_component *c = *item;

		ea_buf_printf(out, "%s %s %s %s %s %u %u\n", ea_manager_words[c->manager], c->name,
			      c->version, c->location, c->installer ? c->installer : "-",
			      c->n_files, c->records.n);
		ea_vec_foreach(record, &c->records)
			ea_buf_printf(out, " %s %x\n", record->path, record->flags);
	}
	ea_vec_foreach(python, &inv->pythons)
		ea_buf_printf(out, "%s %s\n", (*python)->exe, (*python)->version);
	ea_vec_foreach(toolkit, &inv->cuda_roots)
		ea_buf_printf(out, "%s %s\n", (*toolkit)->path, (*toolkit)->version);
	ea_vec_foreach(leftover, &inv->leftovers)
		ea_buf_printf(out, "%d %s\n", leftover->kind, leftover->path);
	ea_vec_foreach(gap, &inv->gaps.list)
		ea_buf_printf(out, "%s %s\n", gap->path, gap->reason);
	ea_buf_printf(out, "%s %s\n", inv->host.os ? inv->host.os : "-",
		      inv->host.driver ? inv->host.driver : "-");
}

/* Everything at once, as scan does it: a pass serves all jobs. */
static bool run_jobs(const struct ea_root *root, struct ea_buf *out)
{
	static const struct {
		ea_inventory_fn job;
		const char *folder;
	} jobs[] = {
		{ ea_python_read, "/venv" },
		{ ea_dist_info_read, "/venv/lib/python3.11/site-packages" },
		{ ea_conda_read, "/venv" },
		{ ea_dpkg_read, "/" },
		{ ea_rpm_read, "/" },
		{ ea_cuda_roots_read, "/" },
		{ ea_driver_read, "/" },
		{ ea_host_read, NULL },
	};
	bool again = false;

	ea_buf_clear(out);
	for (size_t i = 0; i < EA_ARRAY_SIZE(jobs); i++) {
		struct ea_arena arena EA_CLEANUP(ea_arena_release) = { 0 };
		struct ea_inventory inv;

		ea_inventory_init(&inv, &arena);
		(void)jobs[i].job(root, jobs[i].folder, &inv);
		describe(&inv, out);
		again |= inv.again;
	}
	return again;
}

static void a_stream_gives_the_same_as_a_folder(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct tree other EA_CLEANUP(tree_free) = tree_new();
	struct ea_buf want EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_buf got EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_source *source;
	struct ea_root *root;
	struct ea_err err;
	int passes = 0;

	(void)state;
	make_machine(&tree, &other);
	assert_int_equal(ea_root_folder(tree.dir, &root, &err), 0);
	assert_false(run_jobs(root, &want));
	ea_root_free(root);
	assert_non_null(strstr(ea_buf_text(&want), "\nrpm rpk - /var/lib/rpm/rpmdb.sqlite - 1 1\n"
						   " /usr/lib64/libr.so "));
	source = tar_source_new(tree_path(&other, "machine.tar.gz"), NULL);
	root = ea_root_new();
	ea_root_add_layer(root, source, "/", false);
	while (run_jobs(root, &got)) {
		assert_int_equal(ea_root_advance(root, &err), 0);
		assert_true(++passes < 10);
	}
	assert_string_equal(ea_buf_text(&got), ea_buf_text(&want));
	/* Contents once, and once more what a content led to: dpkg's list, a program's end. */
	assert_true(passes <= 3);
	ea_root_free(root);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_stream_gives_the_same_as_a_folder),
};

UNIT_MAIN(tests)
