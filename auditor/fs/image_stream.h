/*
 * A packed blob, unpacked by a thread of its own that runs a little ahead and keeps the digest of
 * what it reads. Only image*.c include this.
 */
#pragma once

#include "fs/image_blob.h"

struct ea_stream;

/* Nothing is read before ea_stream_next(). -EA_E_TARGET: its compression is not read. */
EA_MUST_CHECK int ea_stream_open(const struct ea_blob *blob, struct ea_stream **ret,
				 struct ea_err *err);

/*
 * The next bytes, valid until the next call; each piece but the last is a multiple of 512 bytes.
 * 0, 1 at the end, else a negative error that says what is wrong with the blob.
 */
EA_MUST_CHECK int ea_stream_next(struct ea_stream *stream, const unsigned char **ret,
				 size_t *ret_len, struct ea_err *err);

/* Only reads what is left, without unpacking it, and gives the digest of the whole blob. */
int ea_stream_finish(struct ea_stream *stream, char ret_hex[EA_SHA256_TEXT]);
void ea_stream_close(struct ea_stream *stream); /* NULL is fine */

/* All of it goes to SPOOL and becomes *RET_BLOB. */
EA_MUST_CHECK int ea_stream_unpack(const struct ea_blob *blob, struct ea_spool *spool,
				   struct ea_blob *ret_blob, struct ea_err *err);
