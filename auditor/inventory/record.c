/* RECORD and installed-files.txt, line by line: tens of thousands, of which few name a library. */
#include "inventory/record.h"

#include "base/limits.h"
#include "base/path.h"
#include "inventory/lines.h"
#include "inventory/read.h"

struct reading {
	struct ea_inventory *inv;
	struct ea_component *component;
	const char *base;
	struct ea_str prefix;
	struct ea_buf path;		/* scratch */
	struct ea_buf field;		/* scratch: a field without its quotes */
	unsigned long broken, n_broken; /* the first broken line, and how many there are */
};

static void release_reading(struct reading *reading)
{
	ea_buf_release(&reading->path);
	ea_buf_release(&reading->field);
}

static bool within(struct ea_str path, struct ea_str dir)
{
	if (dir.len == 1)
		return true;
	return path.len > dir.len && path.ptr[dir.len] == '/' &&
	       memcmp(path.ptr, dir.ptr, dir.len) == 0;
}

static struct ea_record *add_path(struct reading *reading, struct ea_str listed)
{
	struct ea_record *record;

	ea_path_normalize(&reading->path, reading->base, listed);
	if (reading->path.len >= EA_LIMIT_PATH)
		return NULL;
	record = ea_inventory_record(reading->inv, reading->component, ea_buf_str(&reading->path));
	if (record && !within(ea_buf_str(&reading->path), reading->prefix))
		record->flags |= EA_RECORD_OUTSIDE;
	return record;
}

/* ---- fields ----------------------------------------------------------------------------- */

/* A field in quotes, in which "" is one quote; false if it does not end on this line. */
static bool quoted_field(struct ea_buf *field, struct ea_str *rest, struct ea_str *ret)
{
	struct ea_str in = ea_str_skip(*rest, 1);

	ea_buf_clear(field);
	for (;;) {
		size_t n = ea_str_find(in, '"');

		if (n == in.len)
			return false;
		ea_buf_add(field, in.ptr, n);
		in = ea_str_skip(in, n + 1);
		if (!ea_str_starts(in, "\""))
			break;
		ea_buf_add_char(field, '"');
		in = ea_str_skip(in, 1);
	}
	if (in.len && in.ptr[0] != ',')
		return false;
	*rest = ea_str_skip(in, 1);
	*ret = ea_buf_str(field);
	return true;
}

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '-' ? 62 : c == '_' ? 63 : -1;
}

/* 43 characters of URL-safe base64 without padding are 32 bytes. */
static bool decode_sha256(struct ea_str text, uint8_t digest[32])
{
	uint32_t bits = 0;
	unsigned have = 0, n = 0;

	if (text.len != 43)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		int value = base64_value(text.ptr[i]);

		if (value < 0)
			return false;
		bits = bits << 6 | (uint32_t)value;
		have += 6;
		if (have >= 8) {
			have -= 8;
			digest[n++] = (uint8_t)(bits >> have);
		}
	}
	return true;
}

static void take_hash(struct ea_record *record, struct ea_str hash)
{
	static const char sha256[] = "sha256=";

	if (ea_str_starts(hash, sha256) &&
	    decode_sha256(ea_str_skip(hash, strlen(sha256)), record->digest))
		record->flags |= EA_RECORD_HAS_SHA256;
}

static void take_size(struct ea_record *record, struct ea_str text)
{
	unsigned long long size;

	if (ea_str_u64(text, &size)) {
		record->size = size;
		record->flags |= EA_RECORD_HAS_SIZE;
	}
}

/* ---- lines ------------------------------------------------------------------------------ */

/* `path,sha256=hash,size`; false if the line is none. The last two may be missing or empty. */
static bool take_record_line(struct reading *reading, struct ea_str line)
{
	struct ea_str path, hash = { 0 };
	struct ea_record *record;

	if (line.ptr[0] == '"') {
		if (!quoted_field(&reading->field, &line, &path))
			return false;
	} else {
		path = (struct ea_str){ line.ptr, ea_str_find(line, ',') };
		line = ea_str_skip(line, path.len + 1);
	}
	if (!path.len)
		return false;
	reading->component->n_files++;
	if (!ea_record_matters(path) && !ea_record_is_program(path))
		return true;
	record = add_path(reading, path);
	if (record && ea_str_token(&line, ',', &hash)) {
		take_hash(record, hash);
		take_size(record, line);
	}
	return true;
}

static bool take_path_line(struct reading *reading, struct ea_str line)
{
	reading->component->n_files++;
	if (ea_record_matters(line))
		add_path(reading, line);
	return true;
}

static int read_lines(const struct ea_root *root, const char *path, struct reading *reading,
		      bool (*take)(struct reading *reading, struct ea_str line))
{
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	struct ea_str line;
	int rc = ea_lines_open(root, path, EA_LIMIT_RECORD, &lines);

	if (rc < 0) {
		ea_inventory_unread(reading->inv, path, rc);
		return 1;
	}
	while (ea_lines_next(&lines, &line)) {
		if (!line.len || (!lines.cut && take(reading, line)))
			continue;
		if (!reading->n_broken++)
			reading->broken = lines.number;
	}
	if (lines.error < 0)
		ea_inventory_unread(reading->inv, path, lines.error);
	if (reading->n_broken)
		ea_inventory_gap(reading->inv, path, EA_GAP_UNREAD,
				 "line %lu is malformed (%lu such lines)", reading->broken,
				 reading->n_broken);
	return 0;
}

int ea_record_read(const struct ea_root *root, const char *path, const char *base,
		   struct ea_str prefix, struct ea_inventory *inv, struct ea_component *component)
{
	struct reading reading EA_CLEANUP(release_reading) = {
		.inv = inv,
		.component = component,
		.base = base,
		.prefix = prefix,
	};

	return read_lines(root, path, &reading, take_record_line);
}

int ea_installed_files_read(const struct ea_root *root, const char *path, const char *base,
			    struct ea_str prefix, struct ea_inventory *inv,
			    struct ea_component *component)
{
	struct reading reading EA_CLEANUP(release_reading) = {
		.inv = inv,
		.component = component,
		.base = base,
		.prefix = prefix,
	};

	return read_lines(root, path, &reading, take_path_line);
}
