/*
 * A file of a root as SQLite's file system. Each data base registers one of its own, so there is no
 * state between them; it holds one file, which never changes, and nothing else.
 */
#include "inventory/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/limits.h"

struct ea_database_file {
	sqlite3_vfs vfs; /* pAppData is this struct */
	char name[32];
	struct ea_file *file;
	struct ea_buf whole; /* the content of a file that cannot be read at random */
	int error;	     /* first error of a read */
	unsigned long turns; /* how often STEPS were taken */
};

struct handle {
	sqlite3_file base;
	struct ea_database_file *file;
};

/* ---- the open file ----------------------------------------------------------------------- */

static long read_some(struct ea_database_file *file, void *buf, size_t len, uint64_t off)
{
	if (file->file->fd >= 0)
		return ea_file_read(file->file, buf, len, off);
	if (off >= file->whole.len)
		return 0;
	if (len > file->whole.len - off)
		len = (size_t)(file->whole.len - off);
	memcpy(buf, file->whole.ptr + off, len);
	return (long)len;
}

static int vfs_read(sqlite3_file *base, void *buf, int len, sqlite3_int64 off)
{
	struct ea_database_file *file = ((struct handle *)base)->file;
	long n = read_some(file, buf, (size_t)len, (uint64_t)off);

	if (n == len)
		return SQLITE_OK;
	if (n < 0) {
		if (!file->error)
			file->error = (int)n;
		return SQLITE_IOERR_READ;
	}
	memset((char *)buf + n, 0, (size_t)(len - n));
	return SQLITE_IOERR_SHORT_READ;
}

static int vfs_size(sqlite3_file *base, sqlite3_int64 *ret)
{
	*ret = (sqlite3_int64)((struct handle *)base)->file->file->stat.size;
	return SQLITE_OK;
}

static int vfs_close(sqlite3_file *base)
{
	(void)base;
	return SQLITE_OK;
}

static int vfs_write(sqlite3_file *base, const void *buf, int len, sqlite3_int64 off)
{
	(void)base, (void)buf, (void)len, (void)off;
	return SQLITE_READONLY;
}

static int vfs_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	(void)base, (void)size;
	return SQLITE_READONLY;
}

static int vfs_flags(sqlite3_file *base, int flags)
{
	(void)base, (void)flags;
	return SQLITE_OK;
}

static int vfs_reserved(sqlite3_file *base, int *ret)
{
	(void)base;
	*ret = 0;
	return SQLITE_OK;
}

static int vfs_control(sqlite3_file *base, int op, void *arg)
{
	(void)base, (void)op, (void)arg;
	return SQLITE_NOTFOUND;
}

static int vfs_sector_size(sqlite3_file *base)
{
	(void)base;
	return 4096;
}

/* It never changes: no locks, and no write-ahead log although the header may ask for one. */
static int vfs_characteristics(sqlite3_file *base)
{
	(void)base;
	return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = vfs_close,
	.xRead = vfs_read,
	.xWrite = vfs_write,
	.xTruncate = vfs_truncate,
	.xSync = vfs_flags,
	.xFileSize = vfs_size,
	.xLock = vfs_flags,
	.xUnlock = vfs_flags,
	.xCheckReservedLock = vfs_reserved,
	.xFileControl = vfs_control,
	.xSectorSize = vfs_sector_size,
	.xDeviceCharacteristics = vfs_characteristics,
};

/* ---- the file system --------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
		    int *ret_flags)
{
	struct handle *handle = (struct handle *)base;

	(void)name;
	if (!(flags & SQLITE_OPEN_MAIN_DB)) {
		base->pMethods = NULL;
		return SQLITE_CANTOPEN;
	}
	handle->base.pMethods = &methods;
	handle->file = vfs->pAppData;
	if (ret_flags)
		*ret_flags = SQLITE_OPEN_READONLY;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs, (void)name, (void)sync;
	return SQLITE_READONLY;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *ret)
{
	(void)vfs, (void)name, (void)flags;
	*ret = 0;
	return SQLITE_OK;
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int size, char *ret)
{
	(void)vfs;
	return snprintf(ret, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_randomness(sqlite3_vfs *vfs, int len, char *ret)
{
	(void)vfs;
	memset(ret, 0, (size_t)len);
	return len;
}

static int vfs_time(sqlite3_vfs *vfs, double *ret)
{
	(void)vfs;
	*ret = 0;
	return SQLITE_OK;
}

/* ---- opening ----------------------------------------------------------------------------- */

/* A streamed file is wanted whole, or each page would take another pass. */
static int load(struct ea_database_file *file)
{
	size_t size = (size_t)file->file->stat.size;
	int rc;

	if (file->file->fd >= 0)
		return 0;
	if (file->file->stat.size > EA_LIMIT_DATABASE)
		return -EFBIG;
	rc = ea_file_read_full(file->file, ea_buf_reserve(&file->whole, size), size, 0);
	if (rc == 0)
		file->whole.len = size;
	return rc;
}

/* A hostile schema can make any query endless; a package takes some ten steps. */
#define STEPS	  1000
#define MAX_TURNS 10000

static int count_turn(void *arg)
{
	struct ea_database_file *file = arg;

	return ++file->turns > MAX_TURNS;
}

static void limit(sqlite3 *db, struct ea_database_file *file)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, EA_LIMIT_RPM_HEADER);
	sqlite3_progress_handler(db, STEPS, count_turn, file);
}

static int open_database(const struct ea_root *root, const char *path, struct ea_database *database)
{
	struct ea_database_file *file = database->file;
	int rc = ea_root_open(root, path, &file->file);

	if (rc == 0)
		rc = load(file);
	if (rc < 0)
		return rc;
	snprintf(file->name, sizeof(file->name), "ea-%p", (void *)file);
	file->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = sizeof(struct handle),
		.mxPathname = 64,
		.zName = file->name,
		.pAppData = file,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_full_name,
		.xRandomness = vfs_randomness,
		.xCurrentTime = vfs_time,
	};
	if (sqlite3_vfs_register(&file->vfs, 0) != SQLITE_OK)
		return -EBADMSG;
	if (sqlite3_open_v2("database", &database->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
			    file->name) != SQLITE_OK)
		return file->error ? file->error : -EBADMSG;
	limit(database->db, file);
	return 0;
}

int ea_database_open(const struct ea_root *root, const char *path, struct ea_database *ret)
{
	struct ea_database database = { .file = ea_xmalloc(sizeof(*database.file)) };
	int rc;

	*database.file = (struct ea_database_file){ 0 };
	rc = open_database(root, path, &database);
	if (rc < 0)
		ea_database_close(&database);
	else
		*ret = database;
	return rc;
}

void ea_database_close(struct ea_database *database)
{
	struct ea_database_file *file = database->file;

	sqlite3_close(database->db);
	if (file) {
		if (file->vfs.zName)
			sqlite3_vfs_unregister(&file->vfs);
		ea_file_close(file->file);
		ea_buf_release(&file->whole);
		free(file);
	}
	*database = (struct ea_database){ 0 };
}

int ea_database_error(const struct ea_database *database)
{
	return database->file->error;
}
