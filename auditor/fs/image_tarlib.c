/* Tar archives through libarchive, from the first header on that is not plain. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "fs/image_tar.h"

#define FOR_ARCHIVE (16u << 10)

static la_ssize_t give_stream(struct ea_tar *tar, const void **ret)
{
	size_t n;
	int r = ea_tar_look(tar, &tar->error);

	if (r)
		return r < 0 ? -1 : 0;
	n = ea_tar_window(tar, ret);
	tar->at += n;
	return (la_ssize_t)n;
}

static la_ssize_t give(struct archive *archive, void *arg, const void **ret)
{
	struct ea_tar *tar = arg;
	la_ssize_t n;

	if (tar->any && !tar->sound_given) {
		tar->sound_given = true;
		*ret = tar->sound;
		return EA_TAR_BLOCK;
	}
	if (!tar->group_given) {
		tar->group_given = true;
		*ret = tar->group.ptr;
		if (tar->group.len)
			return (la_ssize_t)tar->group.len;
	}
	if (tar->packed) {
		n = give_stream(tar, ret);
		if (n < 0)
			archive_set_error(archive, EIO, "%s", tar->error.text);
		return n;
	}
	n = ea_blob_read(tar->blob, tar->chunk, FOR_ARCHIVE, tar->at);
	if (n < 0) {
		archive_set_error(archive, (int)-n, "%s", strerror((int)-n));
		return -1;
	}
	tar->at += (uint64_t)n;
	*ret = tar->chunk;
	return n;
}

/* What is asked for may reach over the end of a blob that was cut: then reading finds it out. */
static la_int64_t skip(struct archive *archive, void *arg, la_int64_t n)
{
	struct ea_tar *tar = arg;

	(void)archive;
	if (tar->packed || n <= 0 || tar->at > tar->blob->len ||
	    (uint64_t)n > tar->blob->len - tar->at)
		return 0;
	tar->at += (uint64_t)n;
	return n;
}

static int refuse(const struct ea_tar *tar, struct ea_err *err)
{
	const char *text = archive_error_string(tar->archive);

	/* The stream's own words say already what cannot be done. */
	if (tar->error.text[0])
		return ea_err_set(err, EA_E_TARGET, "%s", tar->error.text);
	return ea_err_set(err, EA_E_TARGET, "cannot be read as an archive: %s",
			  text ? text : "damaged");
}

/*
 * libarchive tells by the first header whether it is given a tar archive at all, and goes on behind
 * damage only after that. So where entries have been, it gets one that is in order, to be dropped.
 */
static void write_sound_head(struct ea_tar *tar)
{
	unsigned char block[EA_TAR_BLOCK] = "x";
	unsigned sum = 8 * ' ';

	memcpy(block + 100, "0000644", 8);
	memcpy(block + 124, "00000000000", 12);
	memcpy(block + 156, "0", 1);
	memcpy(block + 257, "ustar\00000", 8);
	for (size_t i = 0; i < sizeof(block); i++)
		sum += block[i];
	snprintf((char *)block + 148, 8, "%06o", sum);
	memcpy(tar->sound, block, sizeof(block));
}

/* From the first header of the group on. */
int ea_tar_begin_archive(struct ea_tar *tar, struct ea_err *err)
{
	struct archive_entry *dropped;
	int r;

	tar->archive = archive_read_new();
	if (!tar->archive)
		ea_oom();
	tar->archive_at = tar->at - tar->group.len;
	if (tar->any) {
		write_sound_head(tar);
		tar->archive_at -= EA_TAR_BLOCK;
	}
	archive_read_support_format_tar(tar->archive);
	archive_read_set_callback_data(tar->archive, tar);
	archive_read_set_read_callback(tar->archive, give);
	archive_read_set_skip_callback(tar->archive, skip);
	r = archive_read_open1(tar->archive);
	if (r == ARCHIVE_OK && tar->any)
		r = archive_read_next_header(tar->archive, &dropped);
	return r == ARCHIVE_OK ? 0 : refuse(tar, err);
}

/*
 * Names are bytes to us. libarchive warns that it cannot turn them into the locale's characters,
 * and gives the bytes all the same.
 */
static bool is_about_characters(const char *warning)
{
	return warning && strstr(warning, "can't be converted");
}

static enum ea_file_type type_of(struct archive_entry *entry)
{
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		return EA_FILE_REGULAR;
	case AE_IFDIR:
		return EA_FILE_DIR;
	case AE_IFLNK:
		return EA_FILE_LINK;
	default:
		return EA_FILE_OTHER;
	}
}

static void take_whole(struct ea_tar_entry *entry, struct archive_entry *whole)
{
	const char *hard = archive_entry_hardlink(whole);
	la_int64_t size = archive_entry_size(whole);

	ea_buf_clear(&entry->name);
	ea_buf_clear(&entry->target);
	ea_buf_add_text(&entry->name, archive_entry_pathname(whole) ?: "");
	ea_buf_add_text(&entry->target, hard ?: archive_entry_symlink(whole) ?: "");
	entry->hard_link = hard != NULL;
	entry->type = type_of(whole);
	entry->size = size > 0 ? (uint64_t)size : 0;
	entry->mode = (uint16_t)(archive_entry_perm(whole) & 07777);
	entry->whole = whole;
}

int ea_tar_next_of_archive(struct ea_tar *tar, const struct ea_tar_entry **ret_entry,
			   const char **ret_warning, struct ea_err *err)
{
	struct archive_entry *whole;
	int r = archive_read_next_header(tar->archive, &whole);
	const char *text;

	if (r == ARCHIVE_EOF)
		return 1;
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN && r != ARCHIVE_RETRY)
		return refuse(tar, err);
	text = archive_error_string(tar->archive);
	if (r != ARCHIVE_OK && !(r == ARCHIVE_WARN && is_about_characters(text)))
		*ret_warning = text ? text : "damaged";
	/* A header that is to be tried again left no entry. */
	if (r == ARCHIVE_RETRY)
		return 0;
	take_whole(&tar->entry, whole);
	*ret_entry = &tar->entry;
	return 0;
}

int ea_tar_archive_data(struct ea_tar *tar, const void **ret, size_t *ret_len, uint64_t *ret_off)
{
	la_int64_t off;
	int r = archive_read_data_block(tar->archive, ret, ret_len, &off);

	*ret_off = (uint64_t)off;
	return r == ARCHIVE_OK ? 0 : r == ARCHIVE_EOF ? 1 : -1;
}

uint64_t ea_tar_archive_offset(const struct ea_tar *tar)
{
	return tar->archive_at + (uint64_t)archive_filter_bytes(tar->archive, -1);
}

void ea_tar_archive_close(struct ea_tar *tar)
{
	if (tar->archive)
		archive_read_free(tar->archive);
}
