/*
 * The JSON report, doc/report.schema.json. The frame is written here, one record a line; jansson
 * makes the records, so that only one of them is in memory at a time.
 */
#include "report/formats.h"

#include <stdio.h>

#include "base/escape.h"
#include "report/copies.h"
#include "report/environment.h"
#include "report/json_sessions.h"
#include "report/values.h"

#define SCHEMA "0"

/* Where a list stands: an item knows whether a comma comes before it. */
struct list {
	struct ea_out *out;
	bool any;
};

static struct list open_list(struct ea_out *out, const char *key)
{
	ea_out_printf(out, ",\n   \"%s\": [", key);
	return (struct list){ .out = out };
}

static void add_item(struct list *list, json_t *value)
{
	ea_out_text(list->out, list->any ? ",\n    " : "\n    ");
	list->any = true;
	ea_value_write(list->out, value);
}

static void close_list(struct list *list)
{
	ea_out_text(list->out, list->any ? "\n   ]" : "]");
}

static void write_member(struct ea_out *out, const char *key, json_t *value)
{
	ea_out_printf(out, ",\n   \"%s\": ", key);
	ea_value_write(out, value);
}

static json_t *texts(const char *const *items, uint32_t n)
{
	json_t *array = ea_value_array();

	for (uint32_t i = 0; i < n; i++)
		ea_value_add(array, ea_value_text(items[i]));
	return array;
}

/* ---- the target ------------------------------------------------------------------------------ */

static json_t *host(const struct ea_host *host)
{
	json_t *object = ea_value_object();
	char buf[24];

	ea_value_set(object, "libc", ea_value_text(host->libc));
	ea_value_set(object, "libc_version", ea_value_text(host->libc_version));
	ea_value_set(object, "arch",
		     ea_value_text(host->machine ? ea_machine_name(host->machine, buf) : NULL));
	ea_value_set(object, "os", ea_value_text(host->os));
	ea_value_set(object, "driver", ea_value_text(host->driver));
	ea_value_set(object, "driver_user", ea_value_text(host->driver_user));
	ea_value_set(object, "gpus", texts(host->gpus.items, host->gpus.n));
	return object;
}

static json_t *environment(const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct ea_shown_env env = ea_environment_shown(world, &arena);
	json_t *object = ea_value_object();

	ea_vec_foreach(var, &env.vars) {
		EA_CLEANUP(ea_buf_release) struct ea_buf name = { 0 };

		ea_escape_utf8(&name, ea_str(var->name));
		ea_value_set(object, ea_buf_text(&name), ea_value_text(var->value));
	}
	return object;
}

static json_t *python(const struct ea_python *python)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "exe", ea_value_text(python->exe));
	ea_value_set(object, "version", ea_value_text(python->version));
	ea_value_set(object, "prefix", ea_value_text(python->prefix));
	ea_value_set(object, "sites", texts(python->sites.items, python->sites.n));
	return object;
}

static json_t *toolkit(const struct ea_cuda_root *root)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "path", ea_value_text(root->path));
	ea_value_set(object, "version", ea_value_text(root->version));
	ea_value_set(object, "links", texts(root->links.items, root->links.n));
	return object;
}

/* ---- libraries and packages ------------------------------------------------------------------ */

static json_t *search_path(const char *path)
{
	struct ea_str rest = ea_str(path), token;
	json_t *array = ea_value_array();

	while (path && ea_str_token(&rest, ':', &token)) {
		EA_CLEANUP(ea_buf_release) struct ea_buf buf = { 0 };

		ea_buf_add_str(&buf, token);
		ea_value_add(array, ea_value_text(ea_buf_text(&buf)));
	}
	return array;
}

static json_t *owners(const struct ea_owners *owners)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(owner, &owners->list) {
		json_t *object = ea_value_object();

		ea_value_set(object, "manager", ea_value_text(ea_manager_words[(*owner)->manager]));
		ea_value_set(object, "name", ea_value_text((*owner)->name));
		ea_value_set(object, "version", ea_value_text((*owner)->version));
		ea_value_add(array, object);
	}
	return array;
}

static json_t *build_id(const struct ea_elf *elf)
{
	char hex[2 * sizeof(elf->build_id) + 1];

	if (!elf->build_id_len)
		return ea_value_text(NULL);
	for (size_t i = 0; i < elf->build_id_len && i < sizeof(elf->build_id); i++)
		snprintf(hex + 2 * i, 3, "%02x", elf->build_id[i]);
	return ea_value_text(hex);
}

static json_t *arches(const struct ea_elf *elf)
{
	json_t *array;
	char buf[24];

	if (!elf->arches_read)
		return ea_value_text(NULL);
	array = ea_value_array();
	for (uint32_t i = 0; i < elf->n_arches; i++)
		ea_value_add(array, ea_value_text(ea_gpu_arch_text(&elf->arches[i], buf)));
	return array;
}

static json_t *faults(const struct ea_elf *elf)
{
	json_t *array = ea_value_array();

	for (uint32_t bit = 0; bit < EA_FAULT_COUNT; bit++)
		if (elf->faults & 1u << bit)
			ea_value_add(array, ea_value_text(ea_fault_words[bit]));
	return array;
}

static json_t *layer(const struct ea_world *world, const struct ea_copy *copy)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	if (!copy || !copy->layer || copy->layer > world->layers.n)
		return ea_value_text(NULL);
	ea_buf_printf(&text, "%u %s", copy->layer, world->layers.items[copy->layer - 1].digest);
	return ea_value_text(text.ptr);
}

static json_t *library(const struct ea_world *world, const struct ea_copies *copies,
		       const struct ea_elf *elf)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct ea_owners owner_list = ea_copies_owners(copies, elf, &arena);
	const struct ea_copy *copy = ea_copies_main(copies, elf);
	bool is_elf = elf->format == EA_FORMAT_ELF;
	json_t *object = ea_value_object(), *names = ea_value_array();

	for (uint32_t i = 0; i < ea_copies_count(copies, elf); i++)
		ea_value_add(names, ea_value_text(ea_copies_at(copies, elf, i)->path));
	ea_value_set(object, "path", ea_value_text(copy ? copy->path : NULL));
	ea_value_set(object, "names", names);
	ea_value_set(object, "soname", ea_value_text(elf->soname));
	ea_value_set(object, "family", ea_value_text(elf->family ? elf->family->name : NULL));
	ea_value_set(object, "version", ea_value_text(elf->exact_version));
	ea_value_set(object, "version_source",
		     ea_value_text(elf->exact_version ? ea_version_source_words[elf->version_source]
						      : NULL));
	ea_value_set(object, "build_id", build_id(elf));
	ea_value_set(object, "owners", owners(&owner_list));
	ea_value_set(object, "needed",
		     is_elf ? texts(elf->needed, elf->n_needed) : ea_value_text(NULL));
	ea_value_set(object, "rpath", is_elf ? search_path(elf->rpath) : ea_value_text(NULL));
	ea_value_set(object, "runpath", is_elf ? search_path(elf->runpath) : ea_value_text(NULL));
	ea_value_set(object, "arches", arches(elf));
	ea_value_set(object, "faults", faults(elf));
	ea_value_set(object, "layer", layer(world, copy));
	return object;
}

static void write_libraries(struct ea_out *out, const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct list list = open_list(out, "libraries");
	struct ea_copies copies;

	ea_copies_index(&copies, world, &arena);
	ea_vec_foreach(elf, &world->elfs)
		add_item(&list, library(world, &copies, *elf));
	close_list(&list);
}

static json_t *package(const struct ea_component *component)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "manager", ea_value_text(ea_manager_words[component->manager]));
	ea_value_set(object, "name", ea_value_text(component->name));
	ea_value_set(object, "version", ea_value_text(component->version));
	ea_value_set(object, "build", ea_value_text(component->build));
	ea_value_set(object, "location", ea_value_text(component->location));
	return object;
}

static void write_consumers(struct ea_out *out, const struct ea_world *world,
			    enum ea_json_requests which)
{
	struct list list = open_list(out, "consumers");

	ea_vec_foreach(session, &world->sessions)
		add_item(&list, ea_json_consumer(*session, which));
	close_list(&list);
}

/* ---- findings and gaps ----------------------------------------------------------------------- */

static json_t *evidence(const struct ea_evidence *evidence)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "path", ea_value_text(evidence->path));
	ea_value_set(object, "text", ea_value_text(evidence->text));
	if (evidence->layer)
		ea_value_set(object, "layer", ea_value_text(evidence->layer));
	return object;
}

static json_t *fix(const struct ea_fix *fix)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "text", ea_value_text(fix->text));
	ea_value_set(object, "commands", texts(fix->commands.items, fix->commands.n));
	ea_value_set(object, "rechecked", ea_value_bool(fix->rechecked));
	return object;
}

static json_t *finding(const struct ea_finding *finding)
{
	json_t *object = ea_value_object();
	json_t *proof = ea_value_array(), *fixes = ea_value_array();

	ea_vec_foreach(item, &finding->evidence)
		ea_value_add(proof, evidence(item));
	ea_vec_foreach(item, &finding->fixes)
		ea_value_add(fixes, fix(item));
	ea_value_set(object, "code", ea_value_text(finding->rule->code));
	ea_value_set(object, "rule", ea_value_text(finding->rule->slug));
	ea_value_set(object, "fingerprint", ea_value_text(finding->fingerprint));
	ea_value_set(object, "severity", ea_value_text(ea_severity_words[finding->severity]));
	ea_value_set(object, "consumers", texts(finding->consumers.items, finding->consumers.n));
	ea_value_set(object, "title", ea_value_text(finding->title));
	ea_value_set(object, "why", ea_value_text(finding->why));
	ea_value_set(object, "evidence", proof);
	ea_value_set(object, "fixes", fixes);
	ea_value_set(object, "confidence", ea_value_text(ea_confidence_words[finding->confidence]));
	return object;
}

static json_t *gap(const struct ea_gap *gap)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "path", ea_value_text(gap->path));
	ea_value_set(object, "kind", ea_value_text(ea_gap_words[gap->kind]));
	ea_value_set(object, "reason", ea_value_text(gap->reason));
	ea_value_set(object, "matters", ea_value_bool(gap->matters));
	return object;
}

/* Writes a vector of the world as one list: each item, or what it points to, through MAKE. */
#define write_list(out, key, vec, make, deref)               \
	do {                                                 \
		struct list list_ = open_list((out), (key)); \
		ea_vec_foreach(item_, (vec))                 \
			add_item(&list_, make(deref item_)); \
		close_list(&list_);                          \
	} while (0)

static void write_target(struct ea_report *report, const struct ea_world *world)
{
	const struct ea_target *target = &world->target;
	unsigned parts = report->options.parts;
	struct ea_out *out = report->out;

	ea_out_text(out, report->n_targets ? ",\n  {\n   \"target\": " : "\n  {\n   \"target\": ");
	ea_value_write(out, ea_value_text(target->name));
	write_member(out, "kind", ea_value_text(ea_target_words[target->kind]));
	write_member(out, "path", ea_value_text(target->path));
	write_member(out, "root", ea_value_text(target->root));
	write_member(out, "host", host(&world->host));
	write_member(out, "environment", environment(world));
	write_list(out, "pythons", &world->pythons, python, *);
	write_list(out, "toolkits", &world->cuda_roots, toolkit, *);
	if (parts & EA_REPORT_LIBRARIES)
		write_libraries(out, world);
	if (parts & EA_REPORT_PACKAGES)
		write_list(out, "packages", &world->components, package, *);
	if (parts & (EA_REPORT_TREE | EA_REPORT_WHY))
		write_consumers(out, world,
				parts & EA_REPORT_WHY		? EA_JSON_ANSWERS
				: report->options.verbosity > 0 ? EA_JSON_SEARCHES
								: EA_JSON_REQUESTS);
	if (parts & EA_REPORT_FINDINGS)
		write_list(out, "findings", &world->findings, finding, *);
	if (parts & EA_REPORT_GAPS)
		write_list(out, "gaps", &world->gaps.list, gap, );
	ea_out_text(out, "\n  }");
}

static void write_begin(struct ea_report *report)
{
	json_t *tool = ea_value_object();

	ea_value_set(tool, "name", ea_value_text(PACKAGE_NAME));
	ea_value_set(tool, "version", ea_value_text(PACKAGE_VERSION));
	ea_value_set(tool, "matrices", ea_value_text(report->options.matrices));
	ea_out_text(report->out, "{\n \"schema\": " SCHEMA ",\n \"tool\": ");
	ea_value_write(report->out, tool);
	ea_out_text(report->out, ",\n \"targets\": [");
}

static void write_end(struct ea_report *report)
{
	ea_out_text(report->out, report->n_targets ? "\n ]\n}\n" : "]\n}\n");
}

const struct ea_report_ops ea_report_json = {
	.name = "json",
	.begin = write_begin,
	.target = write_target,
	.end = write_end,
};
