/* What the readers of inventory/ share: gaps with a path, listings in order, small files. */
#pragma once

#include <stdbool.h>

#include "inventory/inventory.h"
#include "inventory/json.h"

/* Notes that PATH could not be read: ERROR is a negative errno. Absence (-ENOENT, -ENOTDIR) is no
 * gap. */
void ea_inventory_unread(struct ea_inventory *inv, const char *path, int error);

/* A gap about a package record: an audit without it may be incomplete. */
EA_PRINTF(4, 5)
void ea_inventory_gap(struct ea_inventory *inv, const char *path, enum ea_gap_kind kind,
		      const char *fmt, ...);

/* Notes where JSON has a fault and which. */
void ea_inventory_bad_json(struct ea_inventory *inv, const char *path, const struct ea_json *json);

/* Appends a component with its name and key. */
struct ea_component *ea_inventory_component(struct ea_inventory *inv, enum ea_manager manager,
					    struct ea_str name);

/*
 * Appends a record for PATH (absolute, normalized) if the component may have another: else NULL,
 * and the limit is noted once.
 */
struct ea_record *ea_inventory_record(struct ea_inventory *inv, struct ea_component *component,
				      struct ea_str path);

struct ea_name {
	const char *text;
	enum ea_file_type type;
};

struct ea_names {
	EA_VEC(struct ea_name) list;
};

/*
 * The names in FOLDER that ACCEPT takes (NULL: all), sorted by bytes. False if there is no such
 * folder or it cannot be listed, which is noted.
 */
bool ea_inventory_list(struct ea_inventory *inv, const struct ea_root *root, const char *folder,
		       bool (*accept)(const char *name), struct ea_names *ret);

/* The whole of a small file; false if there is none or it cannot be read, which is noted. */
bool ea_inventory_text(struct ea_inventory *inv, const struct ea_root *root, const char *path,
		       size_t limit, struct ea_buf *ret);

/*
 * The dotted number that follows the first NEEDLE in a file ("12.4.131" but also "12040"), of which
 * up to EA_LIMIT_PROGRAM bytes are searched; NULL if there is none.
 */
char *ea_inventory_find_number(struct ea_inventory *inv, const struct ea_root *root,
			       const char *path, struct ea_str needle);

/* PATH exists and is a folder; links are followed. */
bool ea_inventory_is_dir(const struct ea_root *root, const char *path);

/* OUT becomes PATH, absolute or not, as seen from outside of FOLDER; normalized. */
void ea_inventory_below(struct ea_buf *out, const char *folder, struct ea_str path);

/* TEXT is N bytes in hexadecimal digits. */
bool ea_inventory_hex(struct ea_str text, uint8_t *ret, size_t n);

/* URL without user names, passwords and conda tokens: it may end up in a report. */
char *ea_inventory_url(struct ea_arena *arena, struct ea_str url);
