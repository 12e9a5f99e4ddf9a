/* Bytes of archives, their digests, and the temporary file. */
#include "fs/image_blob.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/num.h"

#define CHUNK (256u << 10)

enum ea_packing ea_blob_packing(const struct ea_blob *blob)
{
	static const struct {
		enum ea_packing packing;
		unsigned char len;
		unsigned char magic[6];
	} known[] = {
		{ EA_PACK_GZIP, 2, { 0x1f, 0x8b } },
		{ EA_PACK_XZ, 6, { 0xfd, '7', 'z', 'X', 'Z', 0 } },
		{ EA_PACK_ZSTD, 4, { 0x28, 0xb5, 0x2f, 0xfd } },
		{ EA_PACK_UNKNOWN, 3, { 'B', 'Z', 'h' } },
		{ EA_PACK_UNKNOWN, 4, { 0x04, 0x22, 0x4d, 0x18 } },
	};
	unsigned char head[6] = { 0 };
	long n = ea_blob_read(blob, head, sizeof(head), 0);

	for (size_t i = 0; i < EA_ARRAY_SIZE(known); i++)
		if (n >= known[i].len && memcmp(head, known[i].magic, known[i].len) == 0)
			return known[i].packing;
	return EA_PACK_NONE;
}

long ea_blob_read(const struct ea_blob *blob, void *buf, size_t len, uint64_t off)
{
	size_t done = 0;

	if (off >= blob->len)
		return 0;
	if (len > blob->len - off)
		len = (size_t)(blob->len - off);
	while (done < len) {
		ssize_t n = pread(blob->fd, (char *)buf + done, len - done,
				  (off_t)(blob->off + off + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (long)done;
}

int ea_blob_read_all(const struct ea_blob *blob, size_t limit, struct ea_buf *ret)
{
	char *at;
	long n;

	if (blob->len > limit)
		return -EFBIG;
	at = ea_buf_reserve(ret, (size_t)blob->len + 1);
	n = ea_blob_read(blob, at, (size_t)blob->len, 0);
	if (n < 0)
		return (int)n;
	if ((uint64_t)n < blob->len)
		return -ENODATA;
	ret->len += (size_t)n;
	ret->ptr[ret->len] = '\0';
	return 0;
}

/* ---- digests --------------------------------------------------------------------------------- */

void ea_sha256_hex(struct sha256_ctx *ctx, char ret_hex[EA_SHA256_TEXT])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++) {
		ret_hex[2 * i] = digits[digest[i] >> 4];
		ret_hex[2 * i + 1] = digits[digest[i] & 15];
	}
	ret_hex[EA_SHA256_TEXT - 1] = '\0';
}

int ea_blob_digest(const struct ea_blob *blob, char ret_hex[EA_SHA256_TEXT])
{
	EA_CLEANUP(ea_free_ptr) unsigned char *chunk = ea_xmalloc(CHUNK);
	struct sha256_ctx ctx;
	uint64_t off = 0;
	long n;

	sha256_init(&ctx);
	while ((n = ea_blob_read(blob, chunk, CHUNK, off)) > 0) {
		sha256_update(&ctx, (size_t)n, chunk);
		off += (uint64_t)n;
	}
	if (n < 0)
		return (int)n;
	ea_sha256_hex(&ctx, ret_hex);
	return 0;
}

/* ---- the temporary file ---------------------------------------------------------------------- */

/* /var/tmp and not /tmp: that is often memory. */
static int open_unnamed(struct ea_err *err)
{
	const char *dir = getenv("TMPDIR");
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	int fd;

	if (!dir || dir[0] != '/')
		dir = "/var/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		ea_buf_printf(&path, "%s/envaudit-XXXXXX", dir);
		fd = mkostemp(path.ptr, O_CLOEXEC);
		if (fd >= 0)
			unlink(path.ptr);
	}
	if (fd < 0)
		return ea_err_errno(err, errno, "cannot make a temporary file in %s (TMPDIR)", dir);
	return fd;
}

int ea_spool_write(struct ea_spool *spool, const void *buf, size_t len, struct ea_err *err)
{
	const char *from = buf;

	if (!ea_range_ok(spool->used, len, spool->limit))
		return ea_err_set(err, EA_E_TARGET,
				  "more than %llu bytes of temporary space are needed: see "
				  "--tmp-limit",
				  (unsigned long long)spool->limit);
	if (spool->fd < 0)
		spool->fd = open_unnamed(err);
	if (spool->fd < 0)
		return spool->fd;
	while (len) {
		ssize_t n = pwrite(spool->fd, from, len, (off_t)spool->used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return ea_err_errno(err, n ? errno : ENOSPC,
					    "cannot write to a temporary file");
		from += n;
		len -= (size_t)n;
		spool->used += (uint64_t)n;
	}
	return 0;
}

int ea_spool_fd(struct ea_spool *spool, int fd, struct ea_blob *ret_blob, struct ea_err *err)
{
	EA_CLEANUP(ea_free_ptr) unsigned char *chunk = ea_xmalloc(CHUNK);
	uint64_t start = spool->used;
	ssize_t n;

	do {
		n = read(fd, chunk, CHUNK);
		if (n < 0 && errno != EINTR)
			return ea_err_errno(err, errno, "cannot read standard input");
		if (n > 0) {
			int r = ea_spool_write(spool, chunk, (size_t)n, err);

			if (r < 0)
				return r;
		}
	} while (n != 0);
	*ret_blob = (struct ea_blob){ spool->fd, start, spool->used - start };
	return 0;
}

void ea_spool_release(struct ea_spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
}
