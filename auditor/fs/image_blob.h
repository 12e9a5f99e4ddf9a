/*
 * Parts of files that hold archives: read at any place, read as tar through libarchive, checked
 * against their digest, or spooled to a temporary file without a name. Only image*.c include this.
 */
#pragma once

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define EA_SHA256_TEXT 65 /* hex digits and a NUL */

/* Bytes of a file on the host; the descriptor belongs to somebody else. */
struct ea_blob {
	int fd;
	uint64_t off, len;
};

enum ea_packing {
	EA_PACK_NONE,
	EA_PACK_GZIP,
	EA_PACK_XZ,
	EA_PACK_ZSTD,
	EA_PACK_UNKNOWN, /* a compression that is not read: bzip2, lz4 */
};

/* By its first bytes. */
enum ea_packing ea_blob_packing(const struct ea_blob *blob);

/* Up to LEN bytes at OFF of the blob, or a negative errno. */
long ea_blob_read(const struct ea_blob *blob, void *buf, size_t len, uint64_t off);

/* The whole of a small blob, appended: -EFBIG when larger than LIMIT. */
int ea_blob_read_all(const struct ea_blob *blob, size_t limit, struct ea_buf *ret);

/* SHA-256 of the whole as hex digits. */
int ea_blob_digest(const struct ea_blob *blob, char ret_hex[EA_SHA256_TEXT]);

void ea_sha256_hex(struct sha256_ctx *ctx, char ret_hex[EA_SHA256_TEXT]);

/* ---- a temporary file without a name --------------------------------------------------------- */

struct ea_spool {
	int fd;		      /* -1 before the first byte */
	uint64_t used, limit; /* --tmp-limit */
};

/* Appends: 0, or an error that names the limit or what the file system said. */
EA_MUST_CHECK int ea_spool_write(struct ea_spool *spool, const void *buf, size_t len,
				 struct ea_err *err);

/* Appends what a descriptor that cannot seek still gives, as one blob. */
EA_MUST_CHECK int ea_spool_fd(struct ea_spool *spool, int fd, struct ea_blob *ret_blob,
			      struct ea_err *err);
void ea_spool_release(struct ea_spool *spool);

/* ---- tar ------------------------------------------------------------------------------------- */

struct archive;
struct archive_entry;

/* A tar archive that is gone through once. */
struct ea_tar {
	struct archive *archive;
	const struct ea_blob *blob;
	uint64_t at; /* bytes of the blob that were given to libarchive or skipped */
	bool packed;
	bool hash; /* keep sha256 of what was read; whole only if nothing was skipped */
	struct sha256_ctx sha256;
	unsigned char *chunk;
};

/*
 * Opens BLOB as a tar archive, packed or not; RAW: only unpacks it, whatever is inside.
 * -EA_E_TARGET: not read, the text says why.
 */
EA_MUST_CHECK int ea_tar_open(struct ea_tar *tar, const struct ea_blob *blob, bool raw,
			      struct ea_err *err);

/*
 * The next entry: 0, 1 at the end, else a negative error that ends the archive. *RET_WARNING is
 * NULL or what libarchive says against the entry; then bytes were passed over or misunderstood.
 */
EA_MUST_CHECK int ea_tar_next(struct ea_tar *tar, struct archive_entry **ret_entry,
			      const char **ret_warning, struct ea_err *err);

/* An unpacked blob that begins as a tar archive does. */
bool ea_tar_is(const struct ea_blob *blob);

/* One that was opened RAW: all its bytes go to SPOOL and become *RET_BLOB. */
EA_MUST_CHECK int ea_tar_unpack(struct ea_tar *tar, struct ea_spool *spool,
				struct ea_blob *ret_blob, struct ea_err *err);

/* Where in an unpacked blob the data of the current entry begin. */
uint64_t ea_tar_data_offset(const struct ea_tar *tar);

/* Reads what is left of a packed blob and gives the digest of the whole. */
int ea_tar_finish(struct ea_tar *tar, char ret_hex[EA_SHA256_TEXT]);
void ea_tar_close(struct ea_tar *tar);
