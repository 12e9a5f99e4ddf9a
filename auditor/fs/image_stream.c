/*
 * Unpacking ahead. libarchive's filters are enabled one by one: its catch-all set decodes what no
 * image has, and starts programs for it.
 */
#include "fs/image_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define PACKED	 (256u << 10)
#define UNPACKED (512u << 10)
#define AHEAD	 4

struct chunk {
	unsigned char *bytes;
	size_t len;
};

struct ea_stream {
	const struct ea_blob *blob;
	struct archive *archive;
	unsigned char *packed;
	uint64_t at; /* bytes of the blob that were read */
	struct sha256_ctx sha256;
	const unsigned char *block; /* unpacked, not yet in a chunk */
	size_t block_len;
	bool opened, ended; /* the unpacking side's own */
	int error;
	char error_text[200];

	struct chunk chunks[AHEAD];
	uint32_t first, n; /* full ones */
	bool lent;	   /* the first is with the caller */
	bool started, threaded, stop;
	bool done; /* no more chunks will come */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

/* ---- unpacking: the thread's side ------------------------------------------------------------ */

static long take_packed(struct ea_stream *stream)
{
	long n = ea_blob_read(stream->blob, stream->packed, PACKED, stream->at);

	if (n > 0) {
		sha256_update(&stream->sha256, (size_t)n, stream->packed);
		stream->at += (uint64_t)n;
	}
	return n;
}

static la_ssize_t give(struct archive *archive, void *arg, const void **ret)
{
	struct ea_stream *stream = arg;
	long n = take_packed(stream);

	if (n < 0) {
		archive_set_error(archive, (int)-n, "%s", strerror((int)-n));
		return -1;
	}
	*ret = stream->packed;
	return n;
}

/* Whatever stands inside is one entry without a name. */
static int open_archive(struct ea_stream *stream)
{
	struct archive_entry *entry;
	int r;

	stream->opened = true;
	archive_read_set_callback_data(stream->archive, stream);
	archive_read_set_read_callback(stream->archive, give);
	r = archive_read_open1(stream->archive);
	return r == ARCHIVE_OK ? archive_read_next_header(stream->archive, &entry) : r;
}

static void next_block(struct ea_stream *stream)
{
	const void *block;
	la_int64_t off;
	int r = stream->opened ? ARCHIVE_OK : open_archive(stream);

	if (r == ARCHIVE_OK)
		r = archive_read_data_block(stream->archive, &block, &stream->block_len, &off);
	if (r == ARCHIVE_OK) {
		stream->block = block;
		return;
	}
	stream->block_len = 0;
	stream->ended = true;
	if (r != ARCHIVE_EOF) {
		const char *text = archive_error_string(stream->archive);

		stream->error = -EA_E_TARGET;
		snprintf(stream->error_text, sizeof(stream->error_text), "%s", text ?: "damaged");
	}
}

static void fill(struct ea_stream *stream, struct chunk *chunk)
{
	chunk->len = 0;
	if (!chunk->bytes)
		chunk->bytes = ea_xmalloc(UNPACKED);
	while (chunk->len < UNPACKED && !stream->ended) {
		size_t n = UNPACKED - chunk->len;

		if (!stream->block_len)
			next_block(stream);
		if (n > stream->block_len)
			n = stream->block_len;
		if (n)
			memcpy(chunk->bytes + chunk->len, stream->block, n);
		chunk->len += n;
		stream->block += n;
		stream->block_len -= n;
	}
}

static void *run(void *arg)
{
	struct ea_stream *stream = arg;
	bool last = false;

	while (!last) {
		struct chunk *chunk;

		pthread_mutex_lock(&stream->mutex);
		while (stream->n == AHEAD && !stream->stop)
			pthread_cond_wait(&stream->changed, &stream->mutex);
		chunk = &stream->chunks[(stream->first + stream->n) % AHEAD];
		last = stream->stop;
		pthread_mutex_unlock(&stream->mutex);
		if (last)
			break;
		fill(stream, chunk);
		last = stream->ended;
		pthread_mutex_lock(&stream->mutex);
		stream->n++;
		stream->done = last;
		pthread_cond_broadcast(&stream->changed);
		pthread_mutex_unlock(&stream->mutex);
	}
	return NULL;
}

/* ---- the caller's side ----------------------------------------------------------------------- */

int ea_stream_open(const struct ea_blob *blob, struct ea_stream **ret, struct ea_err *err)
{
	enum ea_packing packing = ea_blob_packing(blob);
	struct ea_stream *stream;

	if (packing == EA_PACK_UNKNOWN)
		return ea_err_set(err, EA_E_TARGET,
				  "its compression is not read: gzip, zstd and xz are");
	stream = ea_xmalloc(sizeof(*stream));
	*stream = (struct ea_stream){ .blob = blob,
				      .archive = archive_read_new(),
				      .packed = ea_xmalloc(PACKED) };
	if (!stream->archive)
		ea_oom();
	sha256_init(&stream->sha256);
	if (packing == EA_PACK_GZIP)
		archive_read_support_filter_gzip(stream->archive);
	if (packing == EA_PACK_XZ)
		archive_read_support_filter_xz(stream->archive);
	if (packing == EA_PACK_ZSTD)
		archive_read_support_filter_zstd(stream->archive);
	archive_read_support_format_raw(stream->archive);
	archive_read_support_format_empty(stream->archive);
	pthread_mutex_init(&stream->mutex, NULL);
	pthread_cond_init(&stream->changed, NULL);
	*ret = stream;
	return 0;
}

/* Where no thread is to be had, the caller unpacks for itself. */
static void start(struct ea_stream *stream)
{
	stream->started = true;
	stream->threaded = pthread_create(&stream->thread, NULL, run, stream) == 0;
}

static void join(struct ea_stream *stream)
{
	if (!stream->threaded)
		return;
	pthread_mutex_lock(&stream->mutex);
	stream->stop = true;
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->mutex);
	pthread_join(stream->thread, NULL);
	stream->threaded = false;
}

static bool wait_for_chunk(struct ea_stream *stream)
{
	bool any;

	pthread_mutex_lock(&stream->mutex);
	if (stream->lent) {
		stream->lent = false;
		stream->first = (stream->first + 1) % AHEAD;
		stream->n--;
		pthread_cond_broadcast(&stream->changed);
	}
	while (!stream->n && stream->threaded && !stream->done)
		pthread_cond_wait(&stream->changed, &stream->mutex);
	any = stream->n != 0;
	pthread_mutex_unlock(&stream->mutex);
	return any;
}

int ea_stream_next(struct ea_stream *stream, const unsigned char **ret, size_t *ret_len,
		   struct ea_err *err)
{
	const struct chunk *chunk;
	bool any;

	if (!stream->started)
		start(stream);
	any = wait_for_chunk(stream);
	if (!any && !stream->threaded && !stream->done) {
		fill(stream, &stream->chunks[stream->first]);
		stream->done = stream->ended;
		stream->n = 1;
		any = true;
	}
	chunk = &stream->chunks[stream->first];
	if (any && chunk->len) {
		*ret = chunk->bytes;
		*ret_len = chunk->len;
		stream->lent = true;
		return 0;
	}
	return stream->error ? ea_err_set(err, EA_E_TARGET, "cannot be read as an archive: %s",
					  stream->error_text)
			     : 1;
}

int ea_stream_finish(struct ea_stream *stream, char ret_hex[EA_SHA256_TEXT])
{
	long n;

	join(stream);
	stream->started = true;
	while ((n = take_packed(stream)) > 0)
		;
	if (n < 0)
		return (int)n;
	ea_sha256_hex(&stream->sha256, ret_hex);
	return 0;
}

void ea_stream_close(struct ea_stream *stream)
{
	if (!stream)
		return;
	join(stream);
	archive_read_free(stream->archive);
	pthread_mutex_destroy(&stream->mutex);
	pthread_cond_destroy(&stream->changed);
	for (size_t i = 0; i < AHEAD; i++)
		free(stream->chunks[i].bytes);
	free(stream->packed);
	free(stream);
}

int ea_stream_unpack(const struct ea_blob *blob, struct ea_spool *spool, struct ea_blob *ret_blob,
		     struct ea_err *err)
{
	uint64_t begin = spool->used;
	const unsigned char *bytes;
	struct ea_stream *stream;
	size_t len;
	int r = ea_stream_open(blob, &stream, err);

	if (r < 0)
		return r;
	while ((r = ea_stream_next(stream, &bytes, &len, err)) == 0) {
		r = ea_spool_write(spool, bytes, len, err);
		if (r < 0)
			break;
	}
	ea_stream_close(stream);
	if (r < 0)
		return r;
	*ret_blob = (struct ea_blob){ spool->fd, begin, spool->used - begin };
	return 0;
}
