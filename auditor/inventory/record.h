/* Lists of installed files of Python packages: a dist-info's RECORD, an egg-info's
 * installed-files.txt. */
#pragma once

#include "inventory/inventory.h"

/*
 * Adds what PATH lists to COMPONENT: paths are relative to BASE, and what leaves PREFIX is marked.
 * RECORD is CSV with hash and size; otherwise each line is a path. 0, or 1 when there is no such
 * file or it cannot be read; the latter is noted.
 */
int ea_record_read(const struct ea_root *root, const char *path, const char *base,
		   struct ea_str prefix, struct ea_inventory *inv, struct ea_component *component);
int ea_installed_files_read(const struct ea_root *root, const char *path, const char *base,
			    struct ea_str prefix, struct ea_inventory *inv,
			    struct ea_component *component);
