/* Packages of rpm that own libraries or known programs: the SQLite data base of rpm 4.16 and later.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/path.h"
#include "inventory/database.h"
#include "inventory/inventory.h"
#include "inventory/read.h"

/* ---- headers ----------------------------------------------------------------------------- */

/*
 * A package header: two big-endian counts, an index of 16-byte entries (tag, type, offset, count),
 * and the data that the offsets lead into.
 */
struct header {
	const uint8_t *index, *data;
	uint32_t n_index, data_size;
};

enum tag {
	TAG_NAME = 1000,
	TAG_VERSION = 1001,
	TAG_RELEASE = 1002,
	TAG_EPOCH = 1003,
	TAG_ARCH = 1022,
	TAG_FILE_SIZES = 1028,
	TAG_FILE_MODES = 1030,
	TAG_FILE_DIGESTS = 1035,
	TAG_DIR_INDEXES = 1116,
	TAG_BASE_NAMES = 1117,
	TAG_DIR_NAMES = 1118,
	TAG_DIGEST_ALGORITHM = 5011,
};

enum type {
	TYPE_INT16 = 3,
	TYPE_INT32 = 4,
	TYPE_STRING = 6,
	TYPE_STRINGS = 8,
	TYPE_I18N = 9,
};

/* Values of one tag. */
struct values {
	const uint8_t *ptr, *end;
	uint32_t n;
};

static uint32_t be32(const uint8_t *ptr)
{
	return __builtin_bswap32(ea_le32(ptr));
}

static uint16_t be16(const uint8_t *ptr)
{
	return __builtin_bswap16(ea_le16(ptr));
}

static bool parse_header(const uint8_t *blob, size_t size, struct header *ret)
{
	uint64_t index_size;

	if (size < 8 || size > EA_LIMIT_RPM_HEADER)
		return false;
	ret->n_index = be32(blob);
	ret->data_size = be32(blob + 4);
	index_size = (uint64_t)ret->n_index * 16;
	if (!ea_range_ok(8, index_size, size) || !ea_range_ok(8 + index_size, ret->data_size, size))
		return false;
	ret->index = blob + 8;
	ret->data = ret->index + index_size;
	return true;
}

static struct values find_tag(const struct header *header, enum tag tag, enum type type)
{
	size_t width = type == TYPE_INT16 ? 2 : type == TYPE_INT32 ? 4 : 1;

	for (uint32_t i = 0; i < header->n_index; i++) {
		const uint8_t *entry = header->index + (size_t)i * 16;
		uint32_t offset = be32(entry + 8), n = be32(entry + 12);

		if (be32(entry) != tag)
			continue;
		if (be32(entry + 4) != type ||
		    !ea_range_ok(offset, (uint64_t)n * width, header->data_size))
			break;
		return (struct values){ header->data + offset, header->data + header->data_size,
					n };
	}
	return (struct values){ 0 };
}

/* The next of a tag's strings; empty at the end. */
static struct ea_str next_string(struct values *values)
{
	const uint8_t *end;
	struct ea_str text;

	if (!values->n || !(end = memchr(values->ptr, '\0', (size_t)(values->end - values->ptr))))
		return EA_STR("");
	text = (struct ea_str){ (const char *)values->ptr, (size_t)(end - values->ptr) };
	values->ptr = end + 1;
	values->n--;
	return text;
}

static struct ea_str string_of(const struct header *header, enum tag tag)
{
	struct values values = find_tag(header, tag, TYPE_STRING);

	return next_string(&values);
}

static bool number_of(const struct header *header, enum tag tag, uint32_t *ret)
{
	struct values values = find_tag(header, tag, TYPE_INT32);

	if (!values.n)
		return false;
	*ret = be32(values.ptr);
	return true;
}

/* ---- files of a package ------------------------------------------------------------------ */

struct files {
	struct values base_names, dir_indexes, digests, sizes, modes;
	struct ea_str *dirs;
	uint32_t n_dirs;
	unsigned digest_flag; /* EA_RECORD_HAS_SHA256 or _MD5; 0 = another algorithm */
};

static void find_files(const struct header *header, struct ea_arena *arena, struct files *ret)
{
	struct values dirs = find_tag(header, TAG_DIR_NAMES, TYPE_STRINGS);
	uint32_t algorithm = 1;

	ret->base_names = find_tag(header, TAG_BASE_NAMES, TYPE_STRINGS);
	ret->dir_indexes = find_tag(header, TAG_DIR_INDEXES, TYPE_INT32);
	ret->digests = find_tag(header, TAG_FILE_DIGESTS, TYPE_STRINGS);
	ret->sizes = find_tag(header, TAG_FILE_SIZES, TYPE_INT32);
	ret->modes = find_tag(header, TAG_FILE_MODES, TYPE_INT16);
	number_of(header, TAG_DIGEST_ALGORITHM, &algorithm);
	ret->digest_flag = algorithm == 8   ? EA_RECORD_HAS_SHA256
			   : algorithm == 1 ? EA_RECORD_HAS_MD5
					    : 0;
	ret->n_dirs = dirs.n < EA_LIMIT_RECORDS ? dirs.n : EA_LIMIT_RECORDS;
	ret->dirs = ea_arena_array(arena, struct ea_str, ret->n_dirs);
	for (uint32_t i = 0; i < ret->n_dirs; i++)
		ret->dirs[i] = next_string(&dirs);
}

static void describe(const struct files *files, uint32_t i, struct ea_str digest,
		     struct ea_record *record)
{
	size_t size = files->digest_flag == EA_RECORD_HAS_MD5 ? 16 : sizeof(record->digest);

	if (i < files->modes.n && S_ISLNK(be16(files->modes.ptr + (size_t)i * 2))) {
		record->flags |= EA_RECORD_LINK;
		return;
	}
	if (i < files->sizes.n) {
		record->size = be32(files->sizes.ptr + (size_t)i * 4);
		record->flags |= EA_RECORD_HAS_SIZE;
	}
	if (files->digest_flag && ea_inventory_hex(digest, record->digest, size))
		record->flags |= files->digest_flag;
}

struct rpm {
	struct ea_inventory *inv;
	const char *folder, *database; /* "/", and the data base's path */
	struct ea_buf listed, path;    /* scratch: a path as recorded, and below FOLDER */
	uint32_t n_broken;	       /* headers that make no sense */
};

static void release_rpm(struct rpm *rpm)
{
	ea_buf_release(&rpm->listed);
	ea_buf_release(&rpm->path);
}

static struct ea_component *add_package(struct rpm *rpm, const struct header *header,
					struct ea_str name)
{
	struct ea_arena *arena = rpm->inv->arena;
	struct ea_str version = string_of(header, TAG_VERSION);
	struct ea_str release = string_of(header, TAG_RELEASE), arch = string_of(header, TAG_ARCH);
	struct ea_component *component;
	char epoch[16] = "";
	uint32_t number;

	if (number_of(header, TAG_EPOCH, &number))
		snprintf(epoch, sizeof(epoch), "%u:", number);
	component = ea_inventory_component(rpm->inv, EA_MANAGER_RPM, name);
	component->version = ea_arena_printf(arena, "%s" EA_STR_FMT "-" EA_STR_FMT, epoch,
					     EA_STR_ARG(version), EA_STR_ARG(release));
	component->build = arch.len ? ea_arena_dup_str(arena, arch) : NULL;
	component->location = rpm->database;
	component->base = rpm->folder;
	return component;
}

/* A package becomes a component when it has a file that matters. */
static void read_package(struct rpm *rpm, const uint8_t *blob, size_t size)
{
	struct ea_component *component = NULL;
	struct header header;
	struct files files;
	struct ea_str name;
	uint32_t n_files;

	if (!parse_header(blob, size, &header) || !(name = string_of(&header, TAG_NAME)).len) {
		rpm->n_broken++;
		return;
	}
	find_files(&header, rpm->inv->arena, &files);
	n_files = files.base_names.n;
	for (uint32_t i = 0; i < n_files && i < files.dir_indexes.n; i++) {
		struct ea_str base = next_string(&files.base_names);
		struct ea_str digest = next_string(&files.digests);
		uint32_t dir = be32(files.dir_indexes.ptr + (size_t)i * 4);
		struct ea_record *record;

		if (dir >= files.n_dirs)
			continue;
		ea_buf_clear(&rpm->listed);
		ea_buf_add_str(&rpm->listed, files.dirs[dir]);
		ea_buf_add_str(&rpm->listed, base);
		if (!ea_record_matters(ea_buf_str(&rpm->listed)))
			continue;
		if (!component)
			component = add_package(rpm, &header, name);
		ea_inventory_below(&rpm->path, rpm->folder, ea_buf_str(&rpm->listed));
		record = ea_inventory_record(rpm->inv, component, ea_buf_str(&rpm->path));
		if (record)
			describe(&files, i, digest, record);
	}
	if (component)
		component->n_files = n_files;
}

/* ---- data bases -------------------------------------------------------------------------- */

static void read_packages(struct rpm *rpm, struct ea_database *database)
{
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(database->db, "SELECT blob FROM Packages ORDER BY hnum", -1,
				    &statement, NULL);

	while (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
		const uint8_t *blob = sqlite3_column_blob(statement, 0);

		read_package(rpm, blob, (size_t)sqlite3_column_bytes(statement, 0));
		rc = SQLITE_OK;
	}
	if (rc != SQLITE_DONE && ea_database_error(database))
		ea_inventory_unread(rpm->inv, rpm->database, ea_database_error(database));
	else if (rc != SQLITE_DONE)
		ea_inventory_gap(rpm->inv, rpm->database, EA_GAP_UNREAD, "cannot be read: %s",
				 sqlite3_errmsg(database->db));
	sqlite3_finalize(statement);
	if (rpm->n_broken)
		ea_inventory_gap(rpm->inv, rpm->database, EA_GAP_UNREAD,
				 "%u package headers are malformed", rpm->n_broken);
}

/* What older rpms kept: there is something, but it is not read. */
static bool note_old_database(const struct ea_root *root, const char *folder,
			      struct ea_inventory *inv)
{
	static const char *const names[] = { "Packages", "Packages.db" };
	struct ea_stat stat;

	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		char *path = ea_path_join(inv->arena, folder, names[i]);

		if (ea_root_stat(root, path, EA_FOLLOW, &stat) < 0)
			continue;
		ea_inventory_gap(
			inv, path, EA_GAP_UNREAD,
			"is a package data base in a format that is not read (%s); files of "
			"packages are without an owner",
			i ? "ndb" : "Berkeley DB");
		return true;
	}
	return false;
}

int ea_rpm_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	static const char *const places[] = { "usr/lib/sysimage/rpm", "var/lib/rpm" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(places); i++) {
		struct rpm rpm EA_CLEANUP(release_rpm) = { .inv = inv };
		struct ea_database database EA_CLEANUP(ea_database_close) = { 0 };
		char *place = ea_path_join(inv->arena, folder, places[i]);
		int rc;

		rpm.folder = ea_arena_dup(inv->arena, folder);
		rpm.database = ea_path_join(inv->arena, place, "rpmdb.sqlite");
		rc = ea_database_open(root, rpm.database, &database);
		if (rc == 0)
			read_packages(&rpm, &database);
		else
			ea_inventory_unread(inv, rpm.database, rc);
		if ((rc < 0 && rc != -ENOENT && rc != -ENOTDIR) || rc == 0 ||
		    note_old_database(root, place, inv))
			return 0;
	}
	return 1;
}
