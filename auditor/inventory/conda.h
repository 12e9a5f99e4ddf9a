/* conda's records, inside inventory/: what the readers of a prefix and of one record share. */
#pragma once

#include "inventory/inventory.h"
#include "inventory/json.h"

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

/* The files of one record while it is read: both lists may come first. */
struct ea_conda_files {
	struct ea_conda_prefix *prefix;
	struct ea_json *json;
	struct ea_component *component; /* what `files` lists goes to its records */
	EA_VEC(struct ea_conda_described) described;
	uint32_t n_described;		/* with those that are not kept */
	struct ea_buf listed, original; /* scratch: _path and original_path */
};

/* The next value of the JSON is `files`, or paths_data. */
void ea_conda_take_files(struct ea_conda_files *files);
void ea_conda_take_paths_data(struct ea_conda_files *files);

/* At the end of the record: puts together what both say. */
void ea_conda_join_files(struct ea_conda_files *files);
void ea_conda_files_release(struct ea_conda_files *files);
