/* Scan: from a target to its world. */
#include "scan/scan.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "elf/elf.h"
#include "scan/around.h"
#include "scan/merge.h"
#include "scan/verify.h"

#define MAX_JOBS 8

static unsigned worker_count(const struct ea_scan_options *options)
{
	long n = options->jobs ? (long)options->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MAX_JOBS && !options->jobs ? MAX_JOBS : (unsigned)n;
}

/* ---- before the walk: small records that say where to walk
 * ------------------------------------------ */

/*
 * Runs a job of the inventory at once, and again while a streamed layer has to be passed over; its
 * memory becomes the world's.
 */
static void read_with(struct ea_root *root, struct ea_world *world, ea_inventory_fn fn,
		      const char *folder, const struct ea_name_list *packages, bool others)
{
	struct ea_inventory inv;

	do {
		ea_inventory_init(&inv, &world->arena);
		inv.packages = packages;
		inv.others = others;
		(void)fn(root, folder, &inv);
	} while (inv.again && ea_root_advance(root, NULL) == 0);
	ea_merge_inventory(world, &inv);
}

static void read_now(struct ea_root *root, struct ea_world *world, ea_inventory_fn fn,
		     const char *folder)
{
	read_with(root, world, fn, folder, NULL, false);
}

static const struct ea_python *first_python(const struct ea_world *world)
{
	return world->pythons.n ? world->pythons.items[0] : NULL;
}

/* A venv's programs are those of the installation that it was made from. */
static void read_base_python(struct ea_root *root, struct ea_world *world)
{
	const struct ea_python *python = first_python(world);

	if (python && python->is_venv && python->base_prefix &&
	    !ea_streq(python->base_prefix, python->prefix))
		read_now(root, world, ea_python_read, python->base_prefix);
}

static void read_host(const struct ea_root *root, struct ea_world *world)
{
	const struct ea_python *python = first_python(world);
	struct ea_inventory inv;

	ea_inventory_init(&inv, &world->arena);
	(void)ea_host_read(root, python ? python->real_exe : NULL, &inv);
	world->host = inv.host;
	inv.host = (struct ea_host){ 0 };
	ea_merge_inventory(world, &inv);
}

static void read_first(struct ea_root *root, struct ea_world *world)
{
	const char *path = world->target.path;

	switch (world->target.kind) {
	case EA_TARGET_VENV:
	case EA_TARGET_CONDA:
	case EA_TARGET_PYTHON:
		read_now(root, world, ea_python_read, path);
		read_base_python(root, world);
		break;
	case EA_TARGET_ROOTFS:
		read_now(root, world, ea_python_read, "/usr");
		read_now(root, world, ea_python_read, "/usr/local");
		break;
	case EA_TARGET_TOOLKIT:
		read_now(root, world, ea_cuda_root_read, path);
		break;
	case EA_TARGET_SITE:
	case EA_TARGET_ELF:
	case EA_TARGET_KIND_MAX_:
		break;
	}
	read_host(root, world);
	read_now(root, world, ea_cuda_roots_read, "/");
	read_now(root, world, ea_driver_read, "/");
}

/* ---- what is walked
 * ---------------------------------------------------------------------------------- */

static void queue_target(struct ea_walk *walk, const struct ea_world *world)
{
	const char *path = world->target.path;

	if (world->target.kind == EA_TARGET_ELF)
		ea_walk_file(walk, path);
	else
		(void)ea_walk_folder(walk, path, EA_WALK_TREE);
	/* Programs whose names have a dot: the walk would not know them. */
	ea_vec_foreach(python, &world->pythons)
		if ((*python)->real_exe && ea_path_within((*python)->real_exe, path))
			ea_walk_file(walk, (*python)->real_exe);
	if (world->target.kind == EA_TARGET_SITE)
		ea_walk_site(walk, path);
	if (world->target.kind == EA_TARGET_CONDA)
		ea_walk_inventory(walk, ea_conda_read, path);
	/* Packages that a python takes from outside its prefix: a base's, Debian's. */
	ea_vec_foreach(python, &world->pythons)
		ea_vec_foreach(site, &(*python)->sites)
			ea_walk_site(walk, *site);
}

/* ---- after it
 * ---------------------------------------------------------------------------------------- */

/*
 * A library of the system without an owner is worth asking the distribution's records for. LOCAL:
 * also where an administrator puts things, and only packages from elsewhere.
 */
static bool has_unowned(const struct ea_world *world, bool local)
{
	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *copy = *item;

		if (copy->owners.n || copy->link || !copy->elf || !copy->elf->family ||
		    (copy->inside && world->target.kind != EA_TARGET_ROOTFS))
			continue;
		if (local ||
		    !(ea_path_within(copy->path, "/usr/local") ||
		      ea_path_within(copy->path, "/opt") || ea_path_within(copy->path, "/home")))
			return true;
	}
	return false;
}

static void read_owners(struct ea_root *root, struct ea_world *world,
			const struct ea_libraries *libraries, struct ea_paths *paths)
{
	const struct ea_name_list *packages = ea_libraries_system_packages(libraries);

	if (!has_unowned(world, true))
		return;
	if (world->target.kind == EA_TARGET_ROOTFS)
		packages = NULL;
	read_with(root, world, ea_dpkg_read, "/", packages, false);
	read_now(root, world, ea_rpm_read, "/");
	ea_merge_number(world);
	ea_merge_owners(root, world, paths);
	if (!packages || !has_unowned(world, false))
		return;
	read_with(root, world, ea_dpkg_read, "/", packages, true);
	ea_merge_number(world);
	ea_merge_owners(root, world, paths);
}

/*
 * Of the system around a target only the packages count that own something that was found; a system
 * has hundreds that do not matter.
 */
static void drop_idle_packages(struct ea_world *world)
{
	bool *owns = ea_arena_array(&world->arena, bool, world->components.n + 1);
	uint32_t n = 0;

	if (world->target.kind == EA_TARGET_ROOTFS)
		return;
	ea_vec_foreach(copy, &world->copies)
		ea_vec_foreach(owner, &(*copy)->owners)
			owns[owner->component->id] = true;
	ea_vec_foreach(item, &world->components) {
		struct ea_component *component = *item;

		if ((component->manager != EA_MANAGER_DPKG &&
		     component->manager != EA_MANAGER_RPM) ||
		    owns[component->id]) {
			world->components.items[n++] = component;
			component->id = n;
		}
	}
	world->components.n = n;
}

static void mark_other_machines(struct ea_world *world)
{
	ea_vec_foreach(item, &world->elfs) {
		struct ea_elf *elf = *item;

		if (elf->format == EA_FORMAT_ELF && world->host.machine &&
		    elf->machine != world->host.machine && !(elf->faults & EA_FAULT(ENDIAN)))
			elf->faults |= EA_FAULT(OTHER_MACHINE);
	}
}

struct tick {
	const struct ea_scan_options *options;
	const struct ea_walk *walk;
};

static void tick(void *arg)
{
	const struct tick *t = arg;

	t->options->progress(t->options->progress_arg, "looking at files", t->walk->n_files);
}

static void finish(struct ea_walk *walk, struct ea_root *root, struct ea_world *world,
		   struct ea_paths *paths, bool verify)
{
	ea_merge(walk, world, paths);
	ea_merge_owners(root, world, paths);
	read_owners(root, world, walk->libraries, paths);
	drop_idle_packages(world);
	ea_conda_claim_dists(world->components.items, world->components.n);
	ea_verify(walk, world, verify);
	ea_merge_versions(world);
	mark_other_machines(world);
	ea_merge_duplicates(root, world);
}

int ea_scan_run(struct ea_root *root, const struct ea_scan_options *options, struct ea_world *world,
		struct ea_err *err)
{
	struct ea_pool *pool = ea_pool_new(worker_count(options));
	struct ea_paths paths = { 0 };
	struct ea_walk walk;
	int rc;

	ea_elf_init();
	ea_walk_init(&walk, root, options->libraries, pool);
	walk.deep = options->deep;
	walk.arches = options->arches;
	read_first(root, world);
	queue_target(&walk, world);
	ea_around_queue(&walk, world);
	rc = ea_walk_run(&walk, root, options->progress ? tick : NULL,
			 &(struct tick){ options, &walk }, err);
	if (!rc)
		finish(&walk, root, world, &paths, options->verify);
	ea_paths_release(&paths);
	ea_walk_release(&walk);
	ea_pool_free(pool);
	return rc;
}
