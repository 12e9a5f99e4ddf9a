/* What a container of the target gets from the host's driver. */
#include "audit/container.h"

#include <string.h>

#include "base/range.h"
#include "inventory/toolkit.h"
#include "matrix/tables.h"

static bool has_variable(const struct ea_world *world)
{
	return ea_world_env(world, "NVIDIA_VISIBLE_DEVICES") ||
	       ea_world_env(world, "NVIDIA_DRIVER_CAPABILITIES");
}

static int refuse(struct ea_world *world, const char *name)
{
	const char *text = ea_arena_printf(
		&world->arena,
		"no NVIDIA driver is mounted into a container of this image, because %s is %s; "
		"--driver VERSION assumes one all the same",
		name, ea_world_env(world, name));

	ea_vec_foreach(gap, &world->gaps.list)
		if (ea_streq(gap->reason, text))
			return 1;
	(void)ea_gaps_add(&world->gaps, NULL, EA_GAP_ASSUMED, "%s", text);
	return 1;
}

/* 0, 1 for no driver, or a negative error. */
static int choose_files(struct ea_world *world, struct ea_matrix *facts,
			struct ea_scenario *scenario, struct ea_err *err)
{
	const char *driver = scenario->driver_version;
	const struct ea_row_list *rows;
	int rc;

	if (!ea_world_is_image(world) || !has_variable(world))
		return 0;
	if (ea_toolkit_refuses(world) && !driver)
		return refuse(world, "NVIDIA_VISIBLE_DEVICES");
	rc = ea_matrix_rows(facts, EA_TABLE_DRIVER_FILES, NULL, &rows, err);
	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_driver_file *file = (const struct ea_driver_file *)*row;

		if (ea_toolkit_mounts(world, file->capability) &&
		    (!driver || !file->drivers || ea_range_has(file->drivers, driver)))
			ea_vec_push(&scenario->driver_files, &world->arena, file->library);
	}
	return scenario->driver_files.n ? 0 : refuse(world, "NVIDIA_DRIVER_CAPABILITIES");
}

int ea_container_add_driver(struct ea_world *world, const struct ea_audit_options *options,
			    struct ea_scenarios *scenarios, uint32_t i, struct ea_err *err)
{
	struct ea_scenario scenario = scenarios->list.items[i];
	int rc;

	scenario.id = ea_arena_printf(&world->arena, "%s/driver", scenario.id);
	scenario.driver = EA_DRIVER_ASSUMED;
	scenario.driver_version = options->driver;
	rc = choose_files(world, options->facts, &scenario, err);
	if (rc)
		return rc < 0 ? rc : 0;
	(void)ea_vec_add(&scenarios->list, &world->arena);
	memmove(&scenarios->list.items[i + 2], &scenarios->list.items[i + 1],
		sizeof(scenario) * (scenarios->list.n - i - 2));
	scenarios->list.items[i + 1] = scenario;
	return 0;
}
