/*
 * What inventory/ finds, as lines of tab-separated fields, for comparison with what the real tools
 * say. usage: inventory_dump JOB FOLDER [JOB FOLDER…]
 */
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "inventory/inventory.h"

static const struct {
	const char *name;
	ea_inventory_fn job;
} jobs[] = {
	{ "python", ea_python_read }, { "dist-info", ea_dist_info_read },
	{ "conda", ea_conda_read },   { "dpkg", ea_dpkg_read },
	{ "rpm", ea_rpm_read },	      { "host", ea_host_read },
};

static const char *text(const char *text_or_null)
{
	return text_or_null ? text_or_null : "-";
}

static void dump_component(const struct ea_component *component)
{
	printf("component\t%s\t%s\t%s\t%s\t%s\t%u\t%d\t%d\t%s\n",
	       ea_manager_words[component->manager], component->name, text(component->version),
	       text(component->build), text(component->installer), component->n_files,
	       component->requested, component->editable, text(component->location));
	ea_vec_foreach(requirement, &component->requires)
		printf("requires\t%s\t%s\n", component->name, *requirement);
	ea_vec_foreach(record, &component->records) {
		printf("record\t%s\t%s\t%#x\t%llu\t", component->name, record->path, record->flags,
		       (unsigned long long)record->size);
		for (size_t i = 0; i < sizeof(record->digest); i++)
			printf("%02x", record->digest[i]);
		putchar('\n');
	}
}

static void dump_python(const struct ea_python *python)
{
	printf("python\t%s\t%s\t%s\t%s\t%s\t%d\n", python->exe, text(python->real_exe),
	       text(python->version), python->prefix, python->base_prefix, python->system_site);
	ea_vec_foreach(site, &python->sites)
		printf("site\t%s\t%s\n", python->exe, *site);
}

int main(int argc, char **argv)
{
	struct ea_arena arena EA_CLEANUP(ea_arena_release) = { 0 };
	struct ea_root *root = ea_root_host();
	struct ea_inventory inv;

	ea_inventory_init(&inv, &arena);
	for (int i = 1; i + 1 < argc; i += 2)
		for (size_t j = 0; j < EA_ARRAY_SIZE(jobs); j++)
			if (strcmp(argv[i], jobs[j].name) == 0)
				(void)jobs[j].job(root, argv[i + 1], &inv);
	ea_vec_foreach(component, &inv.components)
		dump_component(*component);
	ea_vec_foreach(python, &inv.pythons)
		dump_python(*python);
	if (inv.host.libc)
		printf("host\t%s\t%s\t%u\t%s\n", inv.host.libc, text(inv.host.libc_version),
		       inv.host.machine, text(inv.host.os));
	ea_vec_foreach(gap, &inv.gaps.list)
		printf("gap\t%s\t%s\t%s\n", ea_gap_words[gap->kind], text(gap->path), gap->reason);
	ea_root_free(root);
	return 0;
}
