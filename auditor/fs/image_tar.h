/*
 * Tar archives that are gone through once. Plain headers, which nearly all are, are read here; from
 * the first other one on (sparse files, global pax headers, damage) libarchive reads the rest of
 * the archive. Only image*.c include this.
 */
#pragma once

#include "fs/image_stream.h"
#include "fs/source.h"

struct archive;
struct archive_entry;

struct ea_tar_entry {
	struct ea_buf name;   /* as the archive has it */
	struct ea_buf target; /* of a link of either kind */
	bool hard_link;	      /* another name for a file that has been */
	enum ea_file_type type;
	uint64_t size; /* of the file's bytes, holes included */
	uint16_t mode;
	struct archive_entry *whole; /* libarchive's, which knows the holes; else NULL */
};

struct ea_tar {
	const struct ea_blob *blob;
	struct ea_stream *stream; /* of a packed blob */
	bool packed;
	uint64_t at;		     /* the next byte of the unpacked archive */
	const unsigned char *window; /* bytes that are there */
	uint64_t window_at;
	size_t window_len, window_want;
	uint64_t data_left, padding; /* of the entry */
	struct ea_buf group;	     /* what was read of the headers of one entry */
	struct ea_tar_entry entry;
	struct archive *archive; /* once libarchive reads */
	uint64_t archive_at;	 /* where it began */
	bool any;		 /* plain entries came before */
	bool sound_given, group_given;
	unsigned char sound[512];
	unsigned char *chunk;
	struct ea_err error; /* of the stream, for libarchive */
};

/* Opens BLOB, packed or not. -EA_E_TARGET: not read, the text says why. */
EA_MUST_CHECK int ea_tar_open(struct ea_tar *tar, const struct ea_blob *blob, struct ea_err *err);

/*
 * The next entry: 0, 1 at the end, else a negative error that ends the archive. *RET_WARNING is
 * NULL or what libarchive says against the entry; then bytes were passed over or misunderstood, and
 * *RET_ENTRY may be NULL. An entry is valid until the next call.
 */
EA_MUST_CHECK int ea_tar_next(struct ea_tar *tar, const struct ea_tar_entry **ret_entry,
			      const char **ret_warning, struct ea_err *err);

/* More bytes of the entry's file in a packed archive, at *RET_OFF of it: 0, 1 at the end, or -1. */
int ea_tar_data(struct ea_tar *tar, const void **ret, size_t *ret_len, uint64_t *ret_off);

/* An unpacked blob that begins as a tar archive does. */
bool ea_tar_is(const struct ea_blob *blob);

/* Where in an unpacked blob the data of the current entry begin. */
uint64_t ea_tar_data_offset(const struct ea_tar *tar);

/* Reads what is left of a packed blob and gives the digest of the whole. */
int ea_tar_finish(struct ea_tar *tar, char ret_hex[EA_SHA256_TEXT]);
void ea_tar_close(struct ea_tar *tar);

/* ---- headers: image_tarhead.c -----------------------------------------------------------------
 */

#define EA_TAR_BLOCK 512u

enum ea_tar_head {
	EA_TAR_ENTRY,  /* the entry is whole */
	EA_TAR_NAMES,  /* what follows in this header's data belongs to the next one */
	EA_TAR_UNSURE, /* libarchive must read it */
};

/* One block of headers. ENTRY has what earlier ones of its group said; *RET_SIZE is that of the
 * data. */
enum ea_tar_head ea_tar_read_head(const unsigned char *block, struct ea_tar_entry *entry,
				  bool size_is_known, uint64_t *ret_size);

/* The data of a header of kind EA_TAR_NAMES; false: libarchive must read it. */
bool ea_tar_read_names(const unsigned char *block, struct ea_str data, struct ea_tar_entry *entry,
		       bool *ret_size_is_known);

/* ---- bytes, for image_tarlib.c ----------------------------------------------------------------
 */

/* At least one more block, or less at the very end: 0; 1: nothing is left. */
int ea_tar_look(struct ea_tar *tar, struct ea_err *err);

/* What was found so, and its length. */
size_t ea_tar_window(const struct ea_tar *tar, const void **ret);

/* ---- through libarchive: image_tarlib.c -------------------------------------------------------
 */

/* From the first header of the group on; it is not gone back from. */
int ea_tar_begin_archive(struct ea_tar *tar, struct ea_err *err);
int ea_tar_next_of_archive(struct ea_tar *tar, const struct ea_tar_entry **ret_entry,
			   const char **ret_warning, struct ea_err *err);
int ea_tar_archive_data(struct ea_tar *tar, const void **ret, size_t *ret_len, uint64_t *ret_off);
uint64_t ea_tar_archive_offset(const struct ea_tar *tar);
void ea_tar_archive_close(struct ea_tar *tar);
