/*
 * Parts of files that hold archives: read at any place, checked against their digest, or spooled to
 * a temporary file without a name. Only image*.c include this.
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
