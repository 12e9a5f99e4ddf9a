/* Which torch a package meets, and what that torch was built for. */
#include "rules/torch_build.h"

#include <string.h>

const struct ea_component *ea_torch_beside(const struct ea_world *world,
					   const struct ea_component *component)
{
	const struct ea_component *torch = NULL;

	ea_vec_foreach(item, &world->components) {
		if ((*item)->manager != EA_MANAGER_PIP || !ea_streq((*item)->key, "torch") ||
		    !ea_streq((*item)->base, component->base))
			continue;
		if (torch)
			return NULL;
		torch = *item;
	}
	return torch;
}

struct ea_str ea_version_local(const char *version)
{
	const char *plus = version ? strchr(version, '+') : NULL;

	return plus ? ea_str(plus + 1) : (struct ea_str){ 0 };
}
