/* Scan: from a target to its world. */
#include "scan/scan.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "elf/elf.h"
#include "scan/around.h"
#include "scan/merge.h"
#include "scan/provider.h"
#include "scan/target.h"
#include "scan/verify.h"

#define MAX_JOBS 8

struct ea_scan {
	struct ea_scan_options options;
	struct ea_root *root;
	struct ea_world *world;
	struct ea_pool *pool;
	struct ea_walk walk;
	struct ea_paths paths;
	struct ea_scan_provider *provider;
	uint32_t n_settled; /* copies that have their number, owners and version */
	bool asked_system;  /* the distribution's records were read */
};

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

static bool has_python(const struct ea_world *world, const char *prefix)
{
	ea_vec_foreach(python, &world->pythons)
		if (ea_streq((*python)->prefix, prefix))
			return true;
	return false;
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

/* What the file system's own processes call python. */
static void read_path_python(struct ea_root *root, struct ea_world *world)
{
	const char *prefix;

	if (ea_target_default(root, NULL, NULL, ea_world_env(world, "PATH"), &world->arena, &prefix,
			      NULL) == 0 &&
	    !ea_streq(prefix, "/usr") && !ea_streq(prefix, "/usr/local")) {
		read_now(root, world, ea_python_read, prefix);
		read_base_python(root, world);
	}
}

static void read_first(struct ea_root *root, struct ea_world *world)
{
	static const char *const system_prefixes[] = { "/usr", "/usr/local" };
	const char *path = world->target.path;

	switch (world->target.kind) {
	case EA_TARGET_VENV:
	case EA_TARGET_CONDA:
	case EA_TARGET_PYTHON:
		read_now(root, world, ea_python_read, path);
		read_base_python(root, world);
		break;
	case EA_TARGET_ROOTFS:
	case EA_TARGET_IMAGE:
		read_path_python(root, world);
		for (size_t i = 0; i < EA_ARRAY_SIZE(system_prefixes); i++)
			if (!has_python(world, system_prefixes[i]))
				read_now(root, world, ea_python_read, system_prefixes[i]);
		break;
	case EA_TARGET_TOOLKIT:
		read_now(root, world, ea_cuda_root_read, path);
		break;
	case EA_TARGET_ELF:
		path = ea_target_prefix(root, world->target.called, &world->arena);
		if (path)
			read_now(root, world, ea_python_read, path);
		read_base_python(root, world);
		break;
	case EA_TARGET_SITE:
	case EA_TARGET_KIND_MAX_:
		break;
	}
}

static void read_named_toolkit(struct ea_root *root, struct ea_world *world, const char *variable)
{
	const char *folder = ea_world_env(world, variable);

	if (folder && *folder == '/')
		read_now(root, world, ea_cuda_root_read, folder);
}

/* … and what says how the machine is. */
static void read_machine(struct ea_root *root, struct ea_world *world)
{
	read_host(root, world);
	read_now(root, world, ea_cuda_roots_read, "/");
	read_named_toolkit(root, world, "CUDA_HOME");
	read_named_toolkit(root, world, "CUDA_PATH");
	read_now(root, world, ea_driver_read, "/");
}

/* ---- what is walked
 * ---------------------------------------------------------------------------------- */

/* A venv has its base's programs, but not its packages unless it says so. */
static bool takes_from(const struct ea_world *world, const struct ea_python *python)
{
	const struct ea_python *first = first_python(world);

	return python == first || !first->is_venv || first->system_site;
}

/* A venv's program is that of its base. */
static bool is_first_with(const struct ea_world *world, const struct ea_python *python)
{
	ea_vec_foreach(other, &world->pythons)
		if (ea_streq((*other)->real_exe, python->real_exe))
			return *other == python;
	return true;
}

static void queue_target(struct ea_walk *walk, const struct ea_world *world)
{
	const char *path = world->target.path;

	if (world->target.kind == EA_TARGET_ELF)
		ea_walk_file(walk, path);
	else
		(void)ea_walk_folder(walk, path, EA_WALK_TREE);
	/* Programs whose names have a dot: the walk would not know them. */
	ea_vec_foreach(python, &world->pythons)
		if ((*python)->real_exe && ea_path_within((*python)->real_exe, path) &&
		    is_first_with(world, *python))
			ea_walk_file(walk, (*python)->real_exe);
}

static void queue_records(struct ea_walk *walk, const struct ea_world *world)
{
	const char *path = world->target.path;

	if (world->target.kind == EA_TARGET_SITE)
		ea_walk_site(walk, path);
	if (world->target.kind == EA_TARGET_CONDA)
		ea_walk_inventory(walk, ea_conda_read, path);
	if (ea_target_is_whole(world->target.kind) && world->pythons.n)
		ea_walk_inventory(walk, ea_conda_read, first_python(world)->prefix);
	/* Packages that a python takes from outside its prefix: a base's, Debian's. */
	ea_vec_foreach(python, &world->pythons)
		if (takes_from(world, *python))
			ea_vec_foreach(site, &(*python)->sites)
				ea_walk_site(walk, *site);
}

/* ---- after it
 * ---------------------------------------------------------------------------------------- */

/* What is inside these is pip's or conda's, never the distribution's. */
static bool is_environment(enum ea_target_kind kind)
{
	return kind == EA_TARGET_VENV || kind == EA_TARGET_CONDA || kind == EA_TARGET_SITE;
}

/*
 * A library of the system without an owner is worth asking the distribution's records for. LOCAL:
 * also where an administrator puts things, and only packages from elsewhere.
 */
static bool has_unowned(const struct ea_world *world, bool local)
{
	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *copy = *item;

		if (copy->owners.n || copy->link || !copy->elf || !copy->elf->family ||
		    (copy->inside && is_environment(world->target.kind)))
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
	if (ea_target_is_whole(world->target.kind))
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

/*
 * Wheels without a python, a toolkit that was copied here: such a target is for the machine that
 * most of its libraries are for.
 */
static uint16_t machine_of(const struct ea_world *world)
{
	uint32_t n_host = 0, n_other = 0;
	uint16_t other = 0;

	if (world->target.kind != EA_TARGET_SITE && world->target.kind != EA_TARGET_TOOLKIT)
		return world->host.machine;
	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *copy = *item;

		if (!copy->inside || copy->link || !copy->elf->family)
			continue;
		if (copy->elf->machine == world->host.machine) {
			n_host++;
		} else if (!n_other || copy->elf->machine == other) {
			other = copy->elf->machine;
			n_other++;
		}
	}
	return n_other > n_host ? other : world->host.machine;
}

static bool is_little_endian(uint16_t machine)
{
	return machine == EM_X86_64 || machine == EM_AARCH64 || machine == EM_386 ||
	       machine == EM_ARM || machine == EM_RISCV;
}

static void mark_other_machine(struct ea_elf *elf, uint16_t machine)
{
	if (elf->format != EA_FORMAT_ELF || (elf->faults & EA_FAULT(TOO_SHORT)))
		return;
	if (is_little_endian(machine) && elf->ident[EI_DATA] == ELFDATA2MSB)
		elf->faults |= EA_FAULT(ENDIAN);
	else if (machine && elf->machine != machine)
		elf->faults |= EA_FAULT(OTHER_MACHINE);
}

/*
 * An installation may run meanwhile: a file that looked damaged and is another one by now was met
 * half written, which is no fault of it.
 */
static void forgive_changed(const struct ea_root *root, struct ea_world *world)
{
	ea_vec_foreach(item, &world->copies) {
		struct ea_copy *copy = *item;
		struct ea_stat st;
		int rc;

		if (copy->link || !copy->elf || !copy->elf->faults)
			continue;
		rc = ea_root_stat(root, copy->path, EA_NOFOLLOW, &st);
		if (rc == 0 && st.size == copy->elf->size && st.ino == copy->elf->ino)
			continue;
		copy->elf->faults = 0;
		ea_gaps_add(&world->gaps, copy->path, EA_GAP_UNREAD, "changed while it was read");
	}
}

static void mark_other_machines(struct ea_world *world)
{
	uint16_t machine = machine_of(world);

	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->elf)
			mark_other_machine((*copy)->elf,
					   (*copy)->inside ? machine : world->host.machine);
}

static void tick(void *arg)
{
	const struct ea_scan *scan = arg;

	scan->options.progress(scan->options.progress_arg, "looking at files", scan->walk.n_files);
}

static void find_owners(struct ea_scan *scan)
{
	struct ea_world *world = scan->world;

	ea_merge_owners(scan->root, world, &scan->paths);
	if (!scan->asked_system && has_unowned(world, true)) {
		scan->asked_system = true;
		read_owners(scan->root, world, scan->options.libraries, &scan->paths);
	}
	drop_idle_packages(world);
	ea_conda_claim_dists(world->components.items, world->components.n);
}

static void set_layers(const struct ea_root *root, struct ea_world *world)
{
	for (uint32_t i = 0; world->layers.n && i < world->copies.n; i++) {
		int layer = ea_root_image_layer(root, world->copies.items[i]->path);

		world->copies.items[i]->layer = layer < 0 ? 0 : (uint16_t)(layer + 1);
	}
}

/* What can be said when all copies are there. */
static void complete(struct ea_scan *scan)
{
	struct ea_world *world = scan->world;

	if (scan->options.packages)
		find_owners(scan);
	if (!scan->options.on_demand)
		ea_verify(&scan->walk, world, scan->options.verify);
	ea_merge_versions(world);
	set_layers(scan->root, world);
	forgive_changed(scan->root, world);
	mark_other_machines(world);
	if (!scan->options.on_demand)
		ea_merge_duplicates(scan->root, world);
	scan->n_settled = world->copies.n;
}

void ea_scan_settle(struct ea_scan *scan)
{
	ea_merge_memory(&scan->walk, scan->world);
	if (scan->world->copies.n == scan->n_settled)
		return;
	ea_merge_number(scan->world);
	complete(scan);
}

static int run(struct ea_scan *scan, struct ea_err *err)
{
	const struct ea_scan_options *options = &scan->options;
	struct ea_world *world = scan->world;
	int rc;

	read_first(scan->root, world);
	if (options->packages)
		read_machine(scan->root, world);
	if (!options->on_demand) {
		queue_target(&scan->walk, world);
		ea_around_queue(&scan->walk, world);
	}
	if (options->packages)
		queue_records(&scan->walk, world);
	rc = ea_walk_run(&scan->walk, scan->root, options->progress ? tick : NULL, scan, err);
	if (rc)
		return rc;
	ea_merge(&scan->walk, world, &scan->paths);
	complete(scan);
	return 0;
}

int ea_scan_new(struct ea_root *root, const struct ea_scan_options *options, struct ea_world *world,
		struct ea_scan **ret_scan, struct ea_err *err)
{
	struct ea_scan *scan = ea_xmalloc(sizeof(*scan));
	int rc;

	*scan = (struct ea_scan){
		.options = *options,
		.root = root,
		.world = world,
		.pool = ea_pool_new(worker_count(options)),
	};
	ea_elf_init();
	ea_walk_init(&scan->walk, root, options->libraries, scan->pool);
	scan->walk.deep = options->deep;
	scan->walk.arches = options->arches;
	rc = run(scan, err);
	if (rc) {
		ea_scan_free(scan);
		return rc;
	}
	*ret_scan = scan;
	return 0;
}

const struct ea_provider *ea_scan_provider(struct ea_scan *scan)
{
	if (!scan->provider)
		scan->provider = ea_scan_provider_new(&scan->walk, scan->world, &scan->paths);
	return ea_scan_provider_get(scan->provider);
}

void ea_scan_free(struct ea_scan *scan)
{
	if (!scan)
		return;
	/* The world points into the workers' memory. */
	ea_merge_memory(&scan->walk, scan->world);
	ea_scan_provider_free(scan->provider);
	ea_paths_release(&scan->paths);
	ea_walk_release(&scan->walk);
	ea_pool_free(scan->pool);
	free(scan);
}
