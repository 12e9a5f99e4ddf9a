/* rules: conditions that are hard to build on disk, over made-up worlds; and the rule files. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "rules/checks.h"
#include "rules/engine.h"

static const struct ea_rule rule = { .slug = "test",
				     .severity = EA_SEVERITY_WARNING,
				     .why = "why" };
static const struct ea_family family = { .name = "cudnn" };

static struct ea_copy *add_copy(struct ea_world *world, const char *path, const char *soname)
{
	struct ea_copy *copy = ea_arena_new(&world->arena, struct ea_copy);

	copy->path = copy->real = path;
	copy->inside = true;
	copy->elf = ea_arena_new(&world->arena, struct ea_elf);
	copy->elf->format = EA_FORMAT_ELF;
	copy->elf->soname = soname;
	copy->elf->family = &family;
	ea_vec_push(&world->copies, &world->arena, copy);
	return copy;
}

static struct ea_component *add_component(struct ea_world *world, enum ea_manager manager,
					  const char *name)
{
	struct ea_component *component = ea_arena_new(&world->arena, struct ea_component);

	component->manager = manager;
	component->name = component->key = name;
	component->version = "1.0";
	component->base = component->location = "/env";
	ea_vec_push(&world->components, &world->arena, component);
	return component;
}

static void own(struct ea_world *world, struct ea_copy *copy, struct ea_component *component,
		uint64_t size, uint8_t digest)
{
	struct ea_record *record = ea_arena_new(&world->arena, struct ea_record);

	record->path = copy->path;
	record->size = size;
	record->digest[0] = digest;
	record->flags = EA_RECORD_HAS_SIZE | EA_RECORD_HAS_SHA256;
	ea_vec_push(&copy->owners, &world->arena, ((struct ea_owner){ component, record }));
}

static uint32_t run(struct ea_world *world, void (*check)(struct ea_check *))
{
	world->findings.n = 0;
	world->target.path = "/env";
	check(&(struct ea_check){ .world = world, .rule = &rule });
	return world->findings.n;
}

/* Names and SONAMEs as real releases have them (CUDA 10.1, 11.8, 12.1, a driver, cuDNN). */
static void forged_names(void **state)
{
	static const struct {
		const char *path, *soname;
		uint32_t findings;
	} cases[] = {
		{ "/env/lib/libcudnn.so.8", "libcudnn.so.9", 1 },
		{ "/env/lib/libcudart.so.10.1", "libcudart.so.10.2", 1 },
		{ "/env/lib/libcudart.so.11.0", "libcudart.so.12", 1 },
		{ "/env/lib/libcudnn.so.9", "libcudnn.so.9", 0 },
		{ "/env/lib/libcudart.so.11.8.89", "libcudart.so.11.0", 0 },
		{ "/env/lib/libnvrtc.so.11.8.89", "libnvrtc.so.11.2", 0 },
		{ "/env/lib/libcuda.so.580.159.04", "libcuda.so.1", 0 },
		{ "/env/lib/libcudnn.so", "libcudnn.so.9", 0 },
		{ "/env/lib/libnvrtc.alt.so.13", "libnvrtc.so.13", 0 },
		/* how Debian's alternatives call it */
		{ "/etc/alternatives/libblas.so.3-x86_64-linux-gnu", "libblas.so.3", 0 },
		{ "/env/lib/libcudart.so.10.1.bak", "libcudart.so.10.1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct ea_world world;

		ea_world_init(&world);
		add_copy(&world, cases[i].path, cases[i].soname);
		if (run(&world, ea_check_broken_link_forged) != cases[i].findings)
			fail_msg("%s with SONAME %s", cases[i].path, cases[i].soname);
		ea_world_release(&world);
	}
}

static void owners_with_equal_bytes_are_no_conflict(void **state)
{
	struct ea_world world;
	struct ea_component *a, *b;
	struct ea_copy *copy;

	(void)state;
	ea_world_init(&world);
	copy = add_copy(&world, "/env/lib/libcudnn.so.9", "libcudnn.so.9");
	a = add_component(&world, EA_MANAGER_PIP, "a");
	b = add_component(&world, EA_MANAGER_CONDA, "b");
	own(&world, copy, a, 10, 1);
	own(&world, copy, b, 10, 1);
	assert_int_equal(run(&world, ea_check_dup_file_owner), 0);
	own(&world, copy, add_component(&world, EA_MANAGER_PIP, "c"), 10, 2);
	/* a and c, b and c */
	assert_int_equal(run(&world, ea_check_dup_file_owner), 2);
	/* The dist-info that came with a conda package is not a second owner. */
	world.components.items[2]->conda_owned = true;
	assert_int_equal(run(&world, ea_check_dup_file_owner), 0);
	ea_world_release(&world);
}

static void one_pair_is_one_finding(void **state)
{
	struct ea_world world;
	struct ea_component *a, *b;

	(void)state;
	ea_world_init(&world);
	a = add_component(&world, EA_MANAGER_PIP, "a");
	b = add_component(&world, EA_MANAGER_PIP, "b");
	for (int i = 0; i < 20; i++) {
		struct ea_copy *copy = add_copy(
			&world, ea_arena_printf(&world.arena, "/env/lib/lib%d.so", i), NULL);

		copy->elf->size = 20;
		own(&world, copy, a, 10, 1);
		own(&world, copy, b, 20, 2);
	}
	assert_int_equal(run(&world, ea_check_dup_file_owner), 1);
	assert_non_null(strstr(world.findings.items[0]->evidence.items[0].text, "is the one of b"));
	ea_world_release(&world);
}

static void fingerprints_leave_versions_and_prefixes_out(void **state)
{
	struct ea_world world;
	char first[17];

	(void)state;
	ea_world_init(&world);
	add_copy(&world, "/env/lib/libcudnn.so.8", "libcudnn.so.9");
	assert_int_equal(run(&world, ea_check_broken_link_forged), 1);
	memcpy(first, world.findings.items[0]->fingerprint, sizeof(first));
	world.copies.items[0]->path = "/elsewhere/env/lib/libcudnn.so.8";
	world.findings.n = 0;
	world.target.path = "/elsewhere/env";
	ea_check_broken_link_forged(&(struct ea_check){ .world = &world, .rule = &rule });
	assert_string_equal(world.findings.items[0]->fingerprint, first);
	ea_world_release(&world);
}

static void commands_quote_hostile_names(void **state)
{
	struct ea_world world;
	struct ea_check check = { .world = &world, .rule = &rule };

	(void)state;
	ea_world_init(&world);
	assert_string_equal(ea_shell_word(&check, "/a/b-1.0+cu12"), "/a/b-1.0+cu12");
	assert_string_equal(ea_shell_word(&check, "a b; rm"), "'a b; rm'");
	assert_string_equal(ea_shell_word(&check, "it's"), "'it'\\''s'");
	assert_string_equal(ea_shell_word(&check, ""), "''");
	/* What a report must escape is written so that a shell reads it back. */
	assert_string_equal(ea_shell_word(&check, "a\nb'\\"), "$'a\\nb\\'\\\\'");
	assert_string_equal(ea_shell_word(&check, "\033[1m\377"), "$'\\x1b[1m\\xff'");
	assert_string_equal(ea_shell_word(&check, "\303\244 b"), "'\303\244 b'");
	ea_world_release(&world);
}

static void what_is_gone_comes_back_in_its_version(void **state)
{
	static const char want[] =
		"python3 -m pip install --force-reinstall --no-deps nvidia-nccl-cu12==1.0";
	struct ea_world world;
	struct ea_component *component;
	struct ea_record *record;
	const struct ea_fix *fix;

	(void)state;
	ea_world_init(&world);
	component = add_component(&world, EA_MANAGER_PIP, "nvidia-nccl-cu12");
	record = ea_vec_add(&component->records, &world.arena);
	record->path = "/env/lib/libnccl.so.2";
	record->flags = EA_RECORD_MISSING;
	assert_int_equal(run(&world, ea_check_leftover_missing), 1);
	fix = &world.findings.items[0]->fixes.items[0];
	assert_string_equal(fix->commands.items[0], want);
	ea_vec_push(&world.leftovers, &world.arena,
		    ((struct ea_leftover){ .kind = EA_LEFTOVER_NO_FILES,
					   .path = "/env/x.dist-info",
					   .component = component }));
	assert_int_equal(run(&world, ea_check_leftover), 1);
	fix = &world.findings.items[0]->fixes.items[0];
	assert_string_equal(fix->commands.items[0], want);
	ea_world_release(&world);
}

static void every_check_has_its_file_and_every_file_its_check(void **state)
{
	const char *top = getenv("top_srcdir");
	struct ea_rules *rules;
	char dir[512];
	struct ea_err err;
	uint32_t n = 0;

	(void)state;
	snprintf(dir, sizeof(dir), "%s/matrices/rules", top ? top : ".");
	if (ea_rules_load(dir, &rules, &err))
		fail_msg("%s", err.text);
	for (const struct ea_rule_check *c = ea_rule_checks; c->slug; c++, n++)
		assert_non_null(ea_rules_find(rules, c->slug));
	assert_int_equal(ea_rules_count(rules), n);
	ea_rules_free(rules);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(forged_names),
	cmocka_unit_test(owners_with_equal_bytes_are_no_conflict),
	cmocka_unit_test(one_pair_is_one_finding),
	cmocka_unit_test(fingerprints_leave_versions_and_prefixes_out),
	cmocka_unit_test(commands_quote_hostile_names),
	cmocka_unit_test(what_is_gone_comes_back_in_its_version),
	cmocka_unit_test(every_check_has_its_file_and_every_file_its_check),
};

UNIT_MAIN(tests)
