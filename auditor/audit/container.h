/* What a container of the target gets from the host's driver. */
#pragma once

#include "audit/consumers.h"

/*
 * Behind scenario I of the list the same once more, with the driver that was not there: named with
 * --driver or the newest, and of its files those that an image asks for. Where an image asks for no
 * driver there is none, and a gap says so. Negative when a table is invalid.
 */
EA_MUST_CHECK int ea_container_add_driver(struct ea_world *world,
					  const struct ea_audit_options *options,
					  struct ea_scenarios *scenarios, uint32_t i,
					  struct ea_err *err);
