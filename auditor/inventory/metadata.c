/* Package metadata: header lines `Key: value`, of which a line that starts with a blank goes on. */
#include "inventory/metadata.h"

#include <strings.h>

#include "base/limits.h"
#include "inventory/lines.h"
#include "inventory/read.h"

/* A requirement that stands only for an extra: `mkl; extra == "fast"`. */
static bool is_of_extra(struct ea_str requirement)
{
	struct ea_str marker = ea_str_skip(requirement, ea_str_find(requirement, ';'));
	size_t at = ea_str_find_str(marker, EA_STR("extra"));
	struct ea_str rest = ea_str_trim(ea_str_skip(marker, at + strlen("extra")));

	return at < marker.len && ea_str_starts(rest, "==");
}

static bool key_is(struct ea_str key, const char *word)
{
	return key.len == strlen(word) && strncasecmp(key.ptr, word, key.len) == 0;
}

struct reading {
	struct ea_arena *arena;
	struct ea_component *component;
	bool named, versioned; /* the first of each header counts */
};

/* One whole header, continuation lines joined. */
static void take_header(struct reading *reading, struct ea_str header)
{
	struct ea_component *component = reading->component;
	struct ea_str key = { header.ptr, ea_str_find(header, ':') };
	struct ea_str value = ea_str_trim(ea_str_skip(header, key.len + 1));

	if (!value.len)
		return;
	if (key_is(key, "Name") && !reading->named) {
		reading->named = true;
		component->name = ea_arena_dup_str(reading->arena, value);
		component->key = ea_component_key(reading->arena, value);
	} else if (key_is(key, "Version") && !reading->versioned) {
		reading->versioned = true;
		component->version = ea_arena_dup_str(reading->arena, value);
	} else if (key_is(key, "Requires-Dist") && !is_of_extra(value)) {
		ea_vec_push(&component->requires, reading->arena,
			    ea_arena_dup_str(reading->arena, value));
	}
}

/* Long descriptions are folded headers too: only what may matter is put together. */
static bool may_matter(struct ea_str line)
{
	switch (line.len ? line.ptr[0] : '\0') {
	case 'N':
	case 'n':
	case 'V':
	case 'v':
	case 'R':
	case 'r':
		return true;
	default:
		return false;
	}
}

void ea_metadata_read(const struct ea_root *root, const char *path, struct ea_inventory *inv,
		      struct ea_component *component)
{
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	struct ea_buf header EA_CLEANUP(ea_buf_release) = { 0 };
	struct reading reading = { .arena = inv->arena, .component = component };
	struct ea_str line;
	int rc = ea_lines_open(root, path, EA_LIMIT_METADATA, &lines);

	if (rc < 0) {
		ea_inventory_unread(inv, path, rc);
		return;
	}
	while (ea_lines_next(&lines, &line) && line.len) {
		if (line.ptr[0] == ' ' || line.ptr[0] == '\t') {
			if (header.len)
				ea_buf_add_str(&header, line);
			continue;
		}
		take_header(&reading, ea_buf_str(&header));
		ea_buf_clear(&header);
		if (may_matter(line))
			ea_buf_add_str(&header, line);
	}
	take_header(&reading, ea_buf_str(&header));
	if (lines.error < 0)
		ea_inventory_unread(inv, path, lines.error);
}
