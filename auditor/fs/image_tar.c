/* Going through a tar archive: plain entries without help, all others through libarchive. */
#include "fs/image_tar.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"

/*
 * Between large files only headers are read; where small files follow each other, more at once is
 * read each time.
 */
#define WINDOW_LEAST 4096u
#define WINDOW_MOST  (256u << 10)

/* What names and records of one entry may need before libarchive has to judge them. */
#define GROUP_MOST (1u << 20)

/* ---- bytes of the unpacked archive, in order ------------------------------------------------- */

static size_t in_window(const struct ea_tar *tar)
{
	return tar->at >= tar->window_at && tar->at - tar->window_at < tar->window_len
		       ? tar->window_len - (size_t)(tar->at - tar->window_at)
		       : 0;
}

static int next_chunk(struct ea_tar *tar, struct ea_err *err)
{
	const unsigned char *bytes;
	size_t len;
	int r = ea_stream_next(tar->stream, &bytes, &len, err);

	if (r)
		return r;
	tar->window_at += tar->window_len;
	tar->window = bytes;
	tar->window_len = len;
	return 0;
}

/* In an unpacked one; what was jumped over says how much is worth reading at once. */
static int read_window(struct ea_tar *tar, struct ea_err *err)
{
	bool near = tar->at - tar->window_at <= tar->window_len + WINDOW_LEAST;
	long n;

	tar->window_want = !near			    ? WINDOW_LEAST
			   : tar->window_want < WINDOW_MOST ? tar->window_want * 2
							    : WINDOW_MOST;
	n = ea_blob_read(tar->blob, tar->chunk, tar->window_want, tar->at);
	if (n < 0)
		return ea_err_errno(err, (int)-n, "cannot be read");
	tar->window = tar->chunk;
	tar->window_at = tar->at;
	tar->window_len = (size_t)n;
	return n ? 0 : 1;
}

int ea_tar_look(struct ea_tar *tar, struct ea_err *err)
{
	int r = 0;

	if (!tar->packed)
		return in_window(tar) >= EA_TAR_BLOCK ? 0 : read_window(tar, err);
	while (r == 0 && !in_window(tar))
		r = next_chunk(tar, err);
	return r;
}

static const unsigned char *here(const struct ea_tar *tar)
{
	return tar->window + (tar->at - tar->window_at);
}

size_t ea_tar_window(const struct ea_tar *tar, const void **ret)
{
	*ret = here(tar);
	return in_window(tar);
}

/* Consumes N bytes into the group: 1 if there are not so many. */
static int take(struct ea_tar *tar, uint64_t n, struct ea_err *err)
{
	while (n) {
		int r = ea_tar_look(tar, err);
		size_t part = in_window(tar);

		if (r)
			return r;
		if (part > n)
			part = (size_t)n;
		ea_buf_add(&tar->group, here(tar), part);
		tar->at += part;
		n -= part;
	}
	return 0;
}

/* What is left of the entry before. */
static int leave_entry(struct ea_tar *tar, struct ea_err *err)
{
	uint64_t n = tar->data_left + tar->padding;
	int r = 0;

	tar->data_left = tar->padding = 0;
	if (!tar->packed) {
		tar->at += n;
		return 0;
	}
	while (n && r == 0) {
		size_t part;

		r = ea_tar_look(tar, err);
		part = in_window(tar);
		if (part > n)
			part = (size_t)n;
		tar->at += part;
		n -= part;
	}
	return r == 1 ? ea_err_set(err, EA_E_TARGET, "cannot be read as an archive: truncated") : r;
}

/* ---- entries --------------------------------------------------------------------------------- */

int ea_tar_open(struct ea_tar *tar, const struct ea_blob *blob, struct ea_err *err)
{
	*tar = (struct ea_tar){
		.blob = blob,
		.packed = ea_blob_packing(blob) != EA_PACK_NONE,
		.window_want = WINDOW_LEAST,
	};
	if (tar->packed)
		return ea_stream_open(blob, &tar->stream, err);
	tar->chunk = ea_xmalloc(WINDOW_MOST);
	return 0;
}

static uint64_t padded(uint64_t size)
{
	return (size + EA_TAR_BLOCK - 1) / EA_TAR_BLOCK * EA_TAR_BLOCK;
}

/* Names and records for the next header: 0; 1: libarchive must read the group. */
static int take_names(struct ea_tar *tar, uint64_t size, bool *ret_size_is_known,
		      struct ea_err *err)
{
	size_t begin = tar->group.len;
	int r;

	if (!size || size > GROUP_MOST || begin > GROUP_MOST)
		return 1;
	r = take(tar, EA_TAR_BLOCK + padded(size), err);
	if (r)
		return r;
	return !ea_tar_read_names(
		(unsigned char *)tar->group.ptr + begin,
		(struct ea_str){ tar->group.ptr + begin + EA_TAR_BLOCK, (size_t)size }, &tar->entry,
		ret_size_is_known);
}

/* The file's data follow: 1 if the archive ends before they do. */
static int enter_data(struct ea_tar *tar, uint64_t size)
{
	if (size > INT64_MAX - EA_TAR_BLOCK ||
	    (!tar->packed && !ea_range_ok(tar->at + EA_TAR_BLOCK, padded(size), tar->blob->len)))
		return 1;
	tar->at += EA_TAR_BLOCK;
	tar->data_left = size;
	tar->padding = padded(size) - size;
	return 0;
}

/* 0: an entry; 1: libarchive must read this group. */
static int next_plain(struct ea_tar *tar, struct ea_err *err)
{
	bool size_is_known = false;
	uint64_t size;
	int r = leave_entry(tar, err);

	ea_buf_clear(&tar->group);
	ea_buf_clear(&tar->entry.name);
	ea_buf_clear(&tar->entry.target);
	while (r == 0) {
		r = ea_tar_look(tar, err);
		if (r || in_window(tar) < EA_TAR_BLOCK)
			return r < 0 ? r : 1;
		switch (ea_tar_read_head(here(tar), &tar->entry, size_is_known, &size)) {
		case EA_TAR_ENTRY:
			return enter_data(tar, size);
		case EA_TAR_NAMES:
			r = take_names(tar, size, &size_is_known, err);
			break;
		case EA_TAR_UNSURE:
			return 1;
		}
	}
	return r;
}

int ea_tar_next(struct ea_tar *tar, const struct ea_tar_entry **ret_entry, const char **ret_warning,
		struct ea_err *err)
{
	int r = tar->archive ? 1 : next_plain(tar, err);

	*ret_entry = NULL;
	*ret_warning = NULL;
	if (r == 0) {
		tar->any = true;
		*ret_entry = &tar->entry;
	}
	if (r <= 0)
		return r;
	if (!tar->archive) {
		r = ea_tar_begin_archive(tar, err);
		if (r < 0)
			return r;
	}
	return ea_tar_next_of_archive(tar, ret_entry, ret_warning, err);
}

int ea_tar_data(struct ea_tar *tar, const void **ret, size_t *ret_len, uint64_t *ret_off)
{
	if (tar->archive)
		return ea_tar_archive_data(tar, ret, ret_len, ret_off);
	if (!tar->data_left)
		return 1;
	if (ea_tar_look(tar, NULL))
		return -1;
	*ret_len = ea_tar_window(tar, ret);
	if (*ret_len > tar->data_left)
		*ret_len = (size_t)tar->data_left;
	*ret_off = tar->entry.size - tar->data_left;
	tar->at += *ret_len;
	tar->data_left -= *ret_len;
	return 0;
}

bool ea_tar_is(const struct ea_blob *blob)
{
	struct ea_tar tar;
	const struct ea_tar_entry *entry;
	const char *warning;
	bool yes;

	if (ea_tar_open(&tar, blob, NULL) < 0)
		return false;
	yes = ea_tar_next(&tar, &entry, &warning, NULL) == 0 && entry;
	ea_tar_close(&tar);
	return yes;
}

uint64_t ea_tar_data_offset(const struct ea_tar *tar)
{
	return tar->archive ? ea_tar_archive_offset(tar) : tar->at;
}

int ea_tar_finish(struct ea_tar *tar, char ret_hex[EA_SHA256_TEXT])
{
	return ea_stream_finish(tar->stream, ret_hex);
}

void ea_tar_close(struct ea_tar *tar)
{
	ea_tar_archive_close(tar);
	ea_stream_close(tar->stream);
	ea_buf_release(&tar->group);
	ea_buf_release(&tar->entry.name);
	ea_buf_release(&tar->entry.target);
	free(tar->chunk);
	*tar = (struct ea_tar){ 0 };
}
