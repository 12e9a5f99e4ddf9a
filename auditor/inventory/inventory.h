/*
 * Inventory: what was installed, by whom, and which files each package claims, read from records
 * that package managers leave behind. Nothing is executed.
 *
 * Each job is an independent function that reads one folder of a root (an absolute, normalized
 * path) and appends to an inventory, so workers can run jobs side by side, each into an inventory
 * of its own. What a job appends is sorted (components by location), so merging inventories in a
 * fixed order always gives the same world. Ids stay 0: who merges numbers the records.
 *
 * Jobs return 0, or 1 when there is nothing of their kind in the folder. What could not be read is
 * a gap that names file, reason and, in text files, the line; the rest goes on. Where a streamed
 * source has to be passed over once more, `again` is set: throw the inventory away, advance the
 * root, run the job again.
 */
#pragma once

#include "base/str.h"
#include "base/vec.h"
#include "fs/root.h"
#include "model/component.h"
#include "model/family.h"
#include "model/gap.h"
#include "model/python.h"
#include "model/world.h"

struct ea_inventory {
	struct ea_arena *arena; /* everything below lives in it */
	struct ea_gaps gaps;	/* in the same arena */
	EA_VEC(struct ea_component *) components;
	EA_VEC(struct ea_python *) pythons;
	EA_VEC(struct ea_cuda_root *) cuda_roots;
	EA_VEC(struct ea_leftover) leftovers;
	EA_VEC(struct ea_claim) claims;
	/*
	 * dpkg: only packages with such a name, or with `others` only those without one. NULL =
	 * all. Set by the caller before the job.
	 */
	const struct ea_name_list *packages;
	bool others;
	struct ea_host host; /* only what ea_host_read() and ea_driver_read() found */
	bool again;
};

/* An empty inventory whose records live in ARENA. */
void ea_inventory_init(struct ea_inventory *inv, struct ea_arena *arena);

typedef int (*ea_inventory_fn)(const struct ea_root *root, const char *folder,
			       struct ea_inventory *inv);

/*
 * FOLDER is a prefix: a virtual environment, a conda environment, or the prefix of a plain
 * installation (/usr, /usr/local, /opt/python). One ea_python for each version of it. For a virtual
 * environment base_prefix comes from the text of pyvenv.cfg; the base itself is a job of its own.
 */
int ea_python_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is a site-packages or dist-packages folder: its dist-infos, egg-infos and leftovers. */
int ea_dist_info_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is such a folder, too: what the frameworks in it say of themselves. */
int ea_claims_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is a prefix with conda-meta/. */
int ea_conda_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is where a distribution is installed: "/". Only packages that own a file that matters. */
int ea_dpkg_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);
int ea_rpm_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is "/": the CUDA toolkits at the usual places. */
int ea_cuda_roots_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is a CUDA toolkit (/usr/local/cuda-12.4), however it is called. */
int ea_cuda_root_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/* FOLDER is "/": the kernel module's version and the user-space driver's files. Fills host. */
int ea_driver_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv);

/*
 * C library, operating system and machine. PROGRAM is the target's python or another program whose
 * ELF header says the machine; NULL: the root's shell.
 */
int ea_host_read(const struct ea_root *root, const char *program, struct ea_inventory *inv);

/*
 * Once all components of a world are together: marks each dist-info that a conda record lists
 * (conda_owned). The others of a conda prefix are pip's, whatever INSTALLER says.
 */
void ea_conda_claim_dists(struct ea_component *const *components, uint32_t n);

/*
 * The one decision on which recorded files are kept: shared libraries, programs of a CUDA toolkit
 * and interpreters. PATH may be relative. (Conda components also keep the files of
 * ea_conda_claim_dists().)
 */
bool ea_record_matters(struct ea_str path);

/* In an environment also what may be a program is kept, by the same kind of decision. */
bool ea_record_is_program(struct ea_str path);

/*
 * The folder that a record of SITE may write to: the prefix that `lib/pythonX.Y/site-packages` and
 * its variants lie in, else SITE itself.
 */
struct ea_str ea_site_prefix(const char *site);
