/*
 * What the variables of a container image ask of the NVIDIA container toolkit, which mounts the
 * host's driver when the container is started.
 */
#pragma once

#include "model/world.h"

/* Where something is not known, what depends on it is not known either. */
enum ea_require { EA_REQUIRE_MET, EA_REQUIRE_UNMET, EA_REQUIRE_UNKNOWN };

/* The machine on which the container will be started; NULL = not known. */
struct ea_toolkit_host {
	const char *cuda;   /* newest that the driver knows, "12.2" */
	const char *driver; /* "535.104.05" */
	const char *arch;   /* compute capability, "8.6" */
	const char *brand;  /* "tesla" */
};

/* NVIDIA_VISIBLE_DEVICES is void or none: no GPU, and with void no driver either. */
bool ea_toolkit_refuses(const struct ea_world *world);

/*
 * Files of the class CAPABILITY ("compute", "utility", "video", "graphics", "ngx") are mounted:
 * NVIDIA_DRIVER_CAPABILITIES has it, or "all". Without that variable there are compute and utility,
 * and everything in old images, which have CUDA_VERSION but no NVIDIA_REQUIRE_CUDA.
 */
bool ea_toolkit_mounts(const struct ea_world *world, const char *capability);

/* The toolkit compares requirements: NVIDIA_DISABLE_REQUIRE is not set to a true value. */
bool ea_toolkit_checks(const struct ea_world *world);

/*
 * What a variable NVIDIA_REQUIRE_* says: alternatives, separated by spaces, of conditions,
 * separated by commas: "cuda>=12.4 brand=tesla,driver>=470,driver<471". What is not of this form is
 * unknown.
 */
enum ea_require ea_toolkit_require(const char *text, const struct ea_toolkit_host *host);
