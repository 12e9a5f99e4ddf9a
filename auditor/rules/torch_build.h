/* Which torch a package meets, and what that torch was built for. */
#pragma once

#include "base/str.h"
#include "model/world.h"

/* The torch in COMPONENT's folder; NULL if there is none or more than one. */
const struct ea_component *ea_torch_beside(const struct ea_world *world,
					   const struct ea_component *component);

/* "2.4.1+cu121" -> "cu121"; empty if there is no local part. */
struct ea_str ea_version_local(const char *version);
