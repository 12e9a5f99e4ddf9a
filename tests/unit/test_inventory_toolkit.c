/* inventory: what the variables of an image ask of the NVIDIA container toolkit. */
#include "unit.h"

#include "inventory/toolkit.h"

/* As NVIDIA's own image for CUDA 12.4 has it, shortened. */
#define CUDA_12_4                                                                  \
	"cuda>=12.4 brand=tesla,driver>=470,driver<471 brand=unknown,driver>=470," \
	"driver<471 brand=tesla,driver>=535,driver<536 brand=unknown,driver>=535," \
	"driver<536"

/* The documented meaning: spaces are OR, commas AND, each a comparison of cuda, driver, arch or
 * brand. */
static const struct {
	const char *text;
	struct ea_toolkit_host host;
	enum ea_require want;
} requirements[] = {
	{ CUDA_12_4, { .cuda = "12.4", .driver = "550.54.14" }, EA_REQUIRE_MET },
	{ CUDA_12_4, { .cuda = "13.0", .driver = "580.65.06" }, EA_REQUIRE_MET },
	{ CUDA_12_4, { .cuda = "12.2", .driver = "535.104.05", .brand = "tesla" }, EA_REQUIRE_MET },
	{ CUDA_12_4,
	  { .cuda = "12.2", .driver = "535.104.05", .brand = "geforce" },
	  EA_REQUIRE_UNMET },
	{ CUDA_12_4, { .cuda = "12.2", .driver = "535.104.05" }, EA_REQUIRE_UNKNOWN },
	{ CUDA_12_4, { .cuda = "12.0", .driver = "525.60.13" }, EA_REQUIRE_UNMET },
	{ CUDA_12_4, { .cuda = "11.4", .driver = "471.11" }, EA_REQUIRE_UNMET },
	{ CUDA_12_4, { .driver = "525.60.13" }, EA_REQUIRE_UNKNOWN },
	{ "cuda>=9.0", { .cuda = "12.2" }, EA_REQUIRE_MET },
	{ "cuda>=12.10", { .cuda = "12.9" }, EA_REQUIRE_UNMET },
	{ "cuda=12.2", { .cuda = "12.2" }, EA_REQUIRE_MET },
	{ "cuda!=12.2", { .cuda = "12.2" }, EA_REQUIRE_UNMET },
	{ "cuda<=12.2,cuda>12.1", { .cuda = "12.2" }, EA_REQUIRE_MET },
	{ "cuda<12.2", { .cuda = "12.2" }, EA_REQUIRE_UNMET },
	{ "arch>=8.0", { .arch = "7.5" }, EA_REQUIRE_UNMET },
	{ "arch>=8.0", { .arch = "10.0" }, EA_REQUIRE_MET },
	{ "brand!=tesla", { .brand = "tesla" }, EA_REQUIRE_UNMET },
	{ "CUDA>=12.3", { .cuda = "12.2" }, EA_REQUIRE_UNMET },
	{ "", { .cuda = "12.2" }, EA_REQUIRE_MET },
	{ "  ", { .cuda = "12.2" }, EA_REQUIRE_MET },
	{ "cuda>=12.3 ", { .cuda = "12.2" }, EA_REQUIRE_UNMET },
	{ "gpus>=2", { .cuda = "12.2" }, EA_REQUIRE_UNKNOWN },
	{ "cuda>=new", { .cuda = "12.2" }, EA_REQUIRE_UNKNOWN },
	{ "cuda~12", { .cuda = "12.2" }, EA_REQUIRE_UNKNOWN },
	{ ",", { .cuda = "12.2" }, EA_REQUIRE_UNKNOWN },
	{ "cuda>=11,gpus>=2", { .cuda = "10.2" }, EA_REQUIRE_UNMET },
};

static void requirements_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(requirements); i++)
		if (ea_toolkit_require(requirements[i].text, &requirements[i].host) !=
		    requirements[i].want)
			fail_msg("requirement %zu: %s", i, requirements[i].text);
}

static void set(struct ea_world *world, const char *name, const char *value)
{
	if (value)
		ea_vec_push(&world->environment, &world->arena,
			    ((struct ea_env_var){ name, value }));
}

static const struct {
	const char *capabilities, *cuda, *require;
	bool compute, utility, video;
} mounts[] = {
	{ NULL, NULL, NULL, true, true, false },
	{ "", NULL, NULL, true, true, false },
	{ "all", NULL, NULL, true, true, true },
	{ "utility", NULL, NULL, false, true, false },
	{ "compute, video", NULL, NULL, true, false, true },
	{ NULL, "9.0", NULL, true, true, true },
	{ NULL, "12.4.1", "cuda>=12.4", true, true, false },
};

static void capabilities_choose_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(mounts); i++) {
		struct ea_world world;

		ea_world_init(&world);
		set(&world, "NVIDIA_DRIVER_CAPABILITIES", mounts[i].capabilities);
		set(&world, "CUDA_VERSION", mounts[i].cuda);
		set(&world, "NVIDIA_REQUIRE_CUDA", mounts[i].require);
		if (ea_toolkit_mounts(&world, "compute") != mounts[i].compute ||
		    ea_toolkit_mounts(&world, "utility") != mounts[i].utility ||
		    ea_toolkit_mounts(&world, "video") != mounts[i].video)
			fail_msg("row %zu", i);
		ea_world_release(&world);
	}
}

static void variables_turn_it_off(void **state)
{
	struct ea_world world;

	(void)state;
	ea_world_init(&world);
	assert_true(ea_toolkit_checks(&world));
	assert_false(ea_toolkit_refuses(&world));
	set(&world, "NVIDIA_DISABLE_REQUIRE", "true");
	set(&world, "NVIDIA_VISIBLE_DEVICES", "void");
	assert_false(ea_toolkit_checks(&world));
	assert_true(ea_toolkit_refuses(&world));
	ea_world_release(&world);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(requirements_are_judged),
	cmocka_unit_test(capabilities_choose_files),
	cmocka_unit_test(variables_turn_it_off),
};

UNIT_MAIN(tests)
