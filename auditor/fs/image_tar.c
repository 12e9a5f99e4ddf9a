/*
 * Tar archives through libarchive. Formats and filters are enabled one by one: its catch-all sets
 * decode what no image has, and start programs for it.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fs/image_blob.h"

/* Headers of an unpacked archive stand between data that are skipped; a packed one is read whole.
 */
#define CHUNK_HEADERS (16u << 10)
#define CHUNK_PACKED  (256u << 10)

static la_ssize_t give(struct archive *archive, void *arg, const void **ret)
{
	struct ea_tar *tar = arg;
	long n = ea_blob_read(tar->blob, tar->chunk, tar->packed ? CHUNK_PACKED : CHUNK_HEADERS,
			      tar->at);

	if (n < 0) {
		archive_set_error(archive, (int)-n, "%s", strerror((int)-n));
		return -1;
	}
	if (tar->hash)
		sha256_update(&tar->sha256, (size_t)n, tar->chunk);
	tar->at += (uint64_t)n;
	*ret = tar->chunk;
	return n;
}

/* What is asked for may reach over the end of a blob that was cut: then reading finds it out. */
static la_int64_t skip(struct archive *archive, void *arg, la_int64_t n)
{
	struct ea_tar *tar = arg;
	uint64_t left = tar->blob->len - tar->at;

	(void)archive;
	if (tar->packed || n <= 0 || (uint64_t)n > left)
		return 0;
	tar->at += (uint64_t)n;
	return n;
}

static int refuse(const struct ea_tar *tar, struct ea_err *err)
{
	const char *text = archive_error_string(tar->archive);

	return ea_err_set(err, EA_E_TARGET, "cannot be read as an archive: %s",
			  text ? text : "damaged");
}

int ea_tar_open(struct ea_tar *tar, const struct ea_blob *blob, bool raw, struct ea_err *err)
{
	enum ea_packing packing = ea_blob_packing(blob);

	if (packing == EA_PACK_UNKNOWN)
		return ea_err_set(err, EA_E_TARGET,
				  "its compression is not read: gzip, zstd and xz are");
	*tar = (struct ea_tar){
		.archive = archive_read_new(),
		.blob = blob,
		.packed = packing != EA_PACK_NONE,
		.hash = packing != EA_PACK_NONE,
		.chunk = ea_xmalloc(CHUNK_PACKED),
	};
	if (!tar->archive)
		ea_oom();
	sha256_init(&tar->sha256);
	if (packing == EA_PACK_GZIP)
		archive_read_support_filter_gzip(tar->archive);
	if (packing == EA_PACK_XZ)
		archive_read_support_filter_xz(tar->archive);
	if (packing == EA_PACK_ZSTD)
		archive_read_support_filter_zstd(tar->archive);
	if (raw)
		archive_read_support_format_raw(tar->archive);
	else
		archive_read_support_format_tar(tar->archive);
	archive_read_set_callback_data(tar->archive, tar);
	archive_read_set_read_callback(tar->archive, give);
	archive_read_set_skip_callback(tar->archive, skip);
	if (archive_read_open1(tar->archive) == ARCHIVE_OK)
		return 0;
	refuse(tar, err);
	ea_tar_close(tar);
	return -EA_E_TARGET;
}

/*
 * Names are bytes to us. libarchive warns that it cannot turn them into the locale's characters,
 * and gives the bytes all the same.
 */
static bool is_about_characters(const char *warning)
{
	return warning && strstr(warning, "can't be converted");
}

int ea_tar_next(struct ea_tar *tar, struct archive_entry **ret_entry, const char **ret_warning,
		struct ea_err *err)
{
	int r = archive_read_next_header(tar->archive, ret_entry);
	const char *text;

	*ret_warning = NULL;
	if (r == ARCHIVE_OK)
		return 0;
	if (r == ARCHIVE_EOF)
		return 1;
	if (r != ARCHIVE_WARN && r != ARCHIVE_RETRY)
		return refuse(tar, err);
	text = archive_error_string(tar->archive);
	if (r == ARCHIVE_WARN && is_about_characters(text))
		return 0;
	*ret_warning = text ? text : "damaged";
	/* A header that is to be tried again left no entry. */
	if (r == ARCHIVE_RETRY)
		*ret_entry = NULL;
	return 0;
}

bool ea_tar_is(const struct ea_blob *blob)
{
	struct ea_tar tar;
	struct archive_entry *entry;
	bool yes;

	if (ea_tar_open(&tar, blob, false, NULL) < 0)
		return false;
	yes = archive_read_next_header(tar.archive, &entry) >= ARCHIVE_WARN;
	ea_tar_close(&tar);
	return yes;
}

int ea_tar_unpack(struct ea_tar *tar, struct ea_spool *spool, struct ea_blob *ret_blob,
		  struct ea_err *err)
{
	uint64_t start = spool->used;
	struct archive_entry *entry;
	const void *block;
	la_int64_t off;
	size_t len;
	int r = archive_read_next_header(tar->archive, &entry);

	while (r == ARCHIVE_OK &&
	       (r = archive_read_data_block(tar->archive, &block, &len, &off)) == ARCHIVE_OK) {
		int w = ea_spool_write(spool, block, len, err);

		if (w < 0)
			return w;
	}
	if (r != ARCHIVE_EOF)
		return refuse(tar, err);
	*ret_blob = (struct ea_blob){ spool->fd, start, spool->used - start };
	return 0;
}

uint64_t ea_tar_data_offset(const struct ea_tar *tar)
{
	return (uint64_t)archive_filter_bytes(tar->archive, -1);
}

int ea_tar_finish(struct ea_tar *tar, char ret_hex[EA_SHA256_TEXT])
{
	long n;

	while ((n = ea_blob_read(tar->blob, tar->chunk, CHUNK_PACKED, tar->at)) > 0) {
		sha256_update(&tar->sha256, (size_t)n, tar->chunk);
		tar->at += (uint64_t)n;
	}
	if (n < 0)
		return (int)n;
	ea_sha256_hex(&tar->sha256, ret_hex);
	return 0;
}

void ea_tar_close(struct ea_tar *tar)
{
	archive_read_free(tar->archive);
	free(tar->chunk);
	*tar = (struct ea_tar){ 0 };
}
