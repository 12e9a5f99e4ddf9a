/* The header of a METADATA or PKG-INFO file: the package's name, version and requirements. */
#pragma once

#include "inventory/inventory.h"

/*
 * Reads PATH up to the first blank line; what it says of name, version and requirements (but those
 * of extras) goes to COMPONENT. What cannot be read is noted.
 */
void ea_metadata_read(const struct ea_root *root, const char *path, struct ea_inventory *inv,
		      struct ea_component *component);
