/* conda's records, inside inventory/: what the readers of a prefix and of one record share. */
#pragma once

#include "inventory/inventory.h"

struct ea_conda_prefix {
	const struct ea_root *root;
	struct ea_inventory *inv;
	const char *path, *meta; /* PREFIX and PREFIX/conda-meta */
	char *site;		 /* "lib/python3.11/site-packages": where noarch packages went */
	struct ea_buf text;	 /* scratch: the record's file */
	struct ea_buf scratch;	 /* a path made absolute */
	uint32_t forbidden;	 /* records that only their owner may read */
};

/*
 * Fills COMPONENT, whose location is known, from the JSON in prefix->text. 1 when that is no
 * package record; a fault is noted, and the component then has no record.
 */
int ea_conda_parse_record(struct ea_conda_prefix *prefix, struct ea_component *component);

/*
 * The path is one of those by which conda decides which dist-infos are its own: the RECORD of a
 * dist-info, the PKG-INFO of an egg-info, an egg-info file.
 */
bool ea_conda_is_anchor(struct ea_str path);
