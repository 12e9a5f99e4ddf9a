/* Plain headers of tar archives: POSIX and GNU ones, with long names and pax records. */
#include <string.h>

#include "fs/image_tar.h"

enum {
	NAME = 0,
	MODE = 100,
	SIZE = 124,
	CHECKSUM = 148,
	TYPE = 156,
	LINK = 157,
	MAGIC = 257,
	PREFIX = 345,
};

/* Digits to the base 8, spaces around them, an end. Other ways to write numbers are for libarchive.
 */
static bool read_octal(const unsigned char *field, size_t n, uint64_t *ret)
{
	size_t i = 0;

	*ret = 0;
	while (i < n && field[i] == ' ')
		i++;
	for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
		*ret = *ret << 3 | (unsigned)(field[i] - '0');
	while (i < n && (field[i] == ' ' || field[i] == '\0'))
		i++;
	return i == n;
}

static bool is_sound(const unsigned char *block)
{
	uint64_t said;
	unsigned sum = 0;

	for (size_t i = 0; i < EA_TAR_BLOCK; i++)
		sum += i >= CHECKSUM && i < CHECKSUM + 8 ? ' ' : block[i];
	return read_octal(block + CHECKSUM, 8, &said) && said == sum;
}

static struct ea_str text_of(const unsigned char *field, size_t n)
{
	return (struct ea_str){ (const char *)field, strnlen((const char *)field, n) };
}

/* A name from an earlier header of the group stands. */
static void take_name(const unsigned char *block, bool posix, struct ea_buf *name)
{
	if (name->len)
		return;
	if (posix && block[PREFIX]) {
		ea_buf_add_str(name, text_of(block + PREFIX, 155));
		ea_buf_add_char(name, '/');
	}
	ea_buf_add_str(name, text_of(block + NAME, 100));
}

static bool take_type(const unsigned char *block, struct ea_tar_entry *entry)
{
	entry->hard_link = false;
	switch (block[TYPE]) {
	case '\0':
	case '0':
		entry->type = EA_FILE_REGULAR;
		/* Old archives wrote folders so. */
		return entry->name.ptr[entry->name.len - 1] != '/';
	case '1':
		entry->type = EA_FILE_REGULAR;
		entry->hard_link = true;
		break;
	case '2':
		entry->type = EA_FILE_LINK;
		break;
	case '5':
		entry->type = EA_FILE_DIR;
		break;
	case '3':
	case '4':
	case '6':
		entry->type = EA_FILE_OTHER;
		break;
	default:
		return false;
	}
	if ((entry->hard_link || entry->type == EA_FILE_LINK) && !entry->target.len)
		ea_buf_add_str(&entry->target, text_of(block + LINK, 100));
	return entry->size == 0 &&
	       (entry->target.len || (!entry->hard_link && entry->type != EA_FILE_LINK));
}

enum ea_tar_head ea_tar_read_head(const unsigned char *block, struct ea_tar_entry *entry,
				  bool size_is_known, uint64_t *ret_size)
{
	bool posix = memcmp(block + MAGIC, "ustar\00000", 8) == 0;
	bool gnu = memcmp(block + MAGIC, "ustar  \0", 8) == 0;
	uint64_t mode;

	if ((!posix && !gnu) || !is_sound(block) || !read_octal(block + SIZE, 12, ret_size) ||
	    !read_octal(block + MODE, 8, &mode))
		return EA_TAR_UNSURE;
	if (block[TYPE] == 'x' || block[TYPE] == 'L' || block[TYPE] == 'K')
		return EA_TAR_NAMES;
	take_name(block, posix, &entry->name);
	if (size_is_known)
		*ret_size = entry->size;
	entry->size = *ret_size;
	entry->mode = (uint16_t)(mode & 07777);
	return entry->name.len && take_type(block, entry) ? EA_TAR_ENTRY : EA_TAR_UNSURE;
}

/* ---- what belongs to the next header --------------------------------------------------------- */

/* Keys that change nothing of what is kept of an entry. */
static bool is_passed_over(struct ea_str key)
{
	static const char *const keys[] = { "atime", "ctime", "mtime", "uid",
					    "gid",   "uname", "gname", "comment" };
	static const char *const prefixes[] = { "SCHILY.xattr.", "LIBARCHIVE.", "SCHILY.acl." };

	for (size_t i = 0; i < EA_ARRAY_SIZE(keys); i++)
		if (ea_str_is(key, keys[i]))
			return true;
	for (size_t i = 0; i < EA_ARRAY_SIZE(prefixes); i++)
		if (ea_str_starts(key, prefixes[i]))
			return true;
	return false;
}

static bool take_text(struct ea_buf *buf, struct ea_str value)
{
	ea_buf_clear(buf);
	ea_buf_add_str(buf, value);
	return value.len && !memchr(value.ptr, '\0', value.len);
}

static bool take_record(struct ea_str key, struct ea_str value, struct ea_tar_entry *entry,
			bool *ret_size_is_known)
{
	unsigned long long size;

	if (ea_str_is(key, "path"))
		return take_text(&entry->name, value);
	if (ea_str_is(key, "linkpath"))
		return take_text(&entry->target, value);
	if (!ea_str_is(key, "size"))
		return is_passed_over(key);
	if (!ea_str_u64(value, &size) || size > INT64_MAX)
		return false;
	entry->size = size;
	*ret_size_is_known = true;
	return true;
}

/* Records are "LENGTH KEY=VALUE\n", and LENGTH counts all of it. */
static bool read_pax(struct ea_str data, struct ea_tar_entry *entry, bool *ret_size_is_known)
{
	while (data.len) {
		size_t space = ea_str_find(data, ' '), equals;
		unsigned long long len;
		struct ea_str record;

		if (space >= data.len || !ea_str_u64((struct ea_str){ data.ptr, space }, &len) ||
		    len > data.len || len < space + 2 || data.ptr[len - 1] != '\n')
			return false;
		record = (struct ea_str){ data.ptr + space + 1, (size_t)len - space - 2 };
		equals = ea_str_find(record, '=');
		if (equals >= record.len ||
		    !take_record((struct ea_str){ record.ptr, equals },
				 ea_str_skip(record, equals + 1), entry, ret_size_is_known))
			return false;
		data = ea_str_skip(data, (size_t)len);
	}
	return true;
}

bool ea_tar_read_names(const unsigned char *block, struct ea_str data, struct ea_tar_entry *entry,
		       bool *ret_size_is_known)
{
	if (block[TYPE] == 'x')
		return read_pax(data, entry, ret_size_is_known);
	data.len = strnlen(data.ptr, data.len);
	return take_text(block[TYPE] == 'L' ? &entry->name : &entry->target, data);
}
