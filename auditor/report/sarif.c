/*
 * SARIF 2.1.0, one run a target, so that a run can be written as soon as its target is ready.
 * Findings are about files, not lines: locations carry no region.
 */
#include "report/formats.h"

#include "base/buf.h"
#include "report/values.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static const char *const levels[EA_SEVERITY_MAX_] = {
	[EA_SEVERITY_NOTE] = "note",
	[EA_SEVERITY_WARNING] = "warning",
	[EA_SEVERITY_ERROR] = "error",
};

static json_t *message(const char *text)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "text", ea_value_text(text));
	return object;
}

/* RFC 3986: everything but unreserved characters and '/' as %XX. */
static void add_uri(struct ea_buf *buf, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	for (; *path; path++) {
		if (strchr(plain, *path))
			ea_buf_add_char(buf, *path);
		else
			ea_buf_printf(buf, "%%%02X", (unsigned char)*path);
	}
}

/* PATH of the target's root, relative to the base ROOT that the run defines. */
static json_t *location(const char *path)
{
	json_t *artifact = ea_value_object(), *physical = ea_value_object();
	json_t *object = ea_value_object();
	EA_CLEANUP(ea_buf_release) struct ea_buf uri = { 0 };

	add_uri(&uri, path + (path[0] == '/'));
	ea_value_set(artifact, "uri", ea_value_text(ea_buf_text(&uri)));
	ea_value_set(artifact, "uriBaseId", ea_value_text("ROOT"));
	ea_value_set(physical, "artifactLocation", artifact);
	ea_value_set(object, "physicalLocation", physical);
	return object;
}

static json_t *root_base(const char *root)
{
	json_t *bases = ea_value_object(), *base = ea_value_object();
	EA_CLEANUP(ea_buf_release) struct ea_buf uri = { 0 };

	if (root && root[0] == '/') {
		ea_buf_add_text(&uri, "file://");
		add_uri(&uri, root);
		if (uri.ptr[uri.len - 1] != '/')
			ea_buf_add_char(&uri, '/');
		ea_value_set(base, "uri", ea_value_text(ea_buf_text(&uri)));
	}
	ea_value_set(base, "description", message("root file system of the target"));
	ea_value_set(bases, "ROOT", base);
	return bases;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* The rules that found something, in order of their first finding. */
struct rules {
	struct ea_arena arena;
	EA_VEC(const struct ea_rule *) list;
};

static void rules_release(struct rules *rules)
{
	ea_arena_release(&rules->arena);
}

static uint32_t rule_index(struct rules *rules, const struct ea_rule *rule)
{
	uint32_t i = 0;

	while (i < rules->list.n && rules->list.items[i] != rule)
		i++;
	if (i == rules->list.n)
		ea_vec_push(&rules->list, &rules->arena, rule);
	return i;
}

static json_t *rule(const struct ea_rule *rule)
{
	json_t *object = ea_value_object(), *defaults = ea_value_object();

	ea_value_set(object, "id", ea_value_text(rule->code));
	ea_value_set(object, "name", ea_value_text(rule->slug));
	if (rule->title)
		ea_value_set(object, "shortDescription", message(rule->title));
	if (rule->explain)
		ea_value_set(object, "fullDescription", message(rule->explain));
	if (rule->fix)
		ea_value_set(object, "help", message(rule->fix));
	ea_value_set(defaults, "level", ea_value_text(levels[rule->severity]));
	ea_value_set(object, "defaultConfiguration", defaults);
	return object;
}

static json_t *tool(const struct rules *rules)
{
	json_t *object = ea_value_object(), *list = ea_value_array(), *tool = ea_value_object();

	ea_vec_foreach(item, &rules->list)
		ea_value_add(list, rule(*item));
	ea_value_set(object, "name", ea_value_text(PACKAGE_NAME));
	ea_value_set(object, "version", ea_value_text(PACKAGE_VERSION));
	ea_value_set(object, "rules", list);
	ea_value_set(tool, "driver", object);
	return tool;
}

/* ---- results --------------------------------------------------------------------------------- */

static void add_line(struct ea_buf *buf, const char *indent, const char *text)
{
	if (text)
		ea_buf_printf(buf, "\n%s%s", indent, text);
}

static json_t *result_message(const struct ea_finding *finding)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	ea_buf_add_text(&text, finding->title);
	add_line(&text, "", finding->why);
	ea_vec_foreach(fix, &finding->fixes) {
		add_line(&text, "fix: ", fix->text ? fix->text : "");
		ea_vec_foreach(command, &fix->commands)
			add_line(&text, "  ", *command);
	}
	return message(ea_buf_text(&text));
}

/* The first path is where the finding is; the others are related to it. */
static void set_locations(json_t *result, const struct ea_finding *finding)
{
	json_t *first = ea_value_array(), *related = ea_value_array();

	ea_vec_foreach(evidence, &finding->evidence) {
		json_t *where;

		if (!evidence->path)
			continue;
		where = location(evidence->path);
		if (evidence->text)
			ea_value_set(where, "message", message(evidence->text));
		ea_value_add(json_array_size(first) ? related : first, where);
	}
	ea_value_set(result, "locations", first);
	ea_value_set(result, "relatedLocations", related);
}

static json_t *result(struct rules *rules, const struct ea_finding *finding)
{
	json_t *object = ea_value_object(), *prints = ea_value_object();

	ea_value_set(object, "ruleId", ea_value_text(finding->rule->code));
	ea_value_set(object, "ruleIndex", ea_value_number(rule_index(rules, finding->rule)));
	ea_value_set(object, "level", ea_value_text(levels[finding->severity]));
	ea_value_set(object, "message", result_message(finding));
	set_locations(object, finding);
	ea_value_set(prints, "envaudit/v1", ea_value_text(finding->fingerprint));
	ea_value_set(object, "partialFingerprints", prints);
	return object;
}

static json_t *notification(const struct ea_gap *gap)
{
	json_t *object = ea_value_object();

	ea_value_set(object, "level",
		     ea_value_text(ea_report_gap_is_incomplete(gap) ? "warning" : "note"));
	ea_value_set(object, "message", message(gap->reason));
	if (gap->path) {
		json_t *where = ea_value_array();

		ea_value_add(where, location(gap->path));
		ea_value_set(object, "locations", where);
	}
	return object;
}

static json_t *invocations(const struct ea_report *report, const struct ea_world *world)
{
	json_t *array = ea_value_array(), *object = ea_value_object();
	json_t *notifications = ea_value_array();

	if (report->options.parts & EA_REPORT_GAPS)
		ea_vec_foreach(gap, &world->gaps.list)
			ea_value_add(notifications, notification(gap));
	ea_value_set(object, "executionSuccessful", ea_value_bool(true));
	ea_value_set(object, "toolExecutionNotifications", notifications);
	ea_value_add(array, object);
	return array;
}

static json_t *run(const struct ea_report *report, const struct ea_world *world)
{
	json_t *object = ea_value_object(), *results = ea_value_array();
	json_t *details = ea_value_object();
	EA_CLEANUP(ea_buf_release) struct ea_buf id = { 0 };
	EA_CLEANUP(rules_release) struct rules rules = { 0 };

	if (report->options.parts & EA_REPORT_FINDINGS)
		ea_vec_foreach(finding, &world->findings)
			ea_value_add(results, result(&rules, *finding));
	ea_buf_printf(&id, "envaudit/%s/", world->target.name);
	ea_value_set(details, "id", ea_value_text(ea_buf_text(&id)));
	ea_value_set(object, "tool", tool(&rules));
	ea_value_set(object, "automationDetails", details);
	ea_value_set(object, "originalUriBaseIds", root_base(world->target.root));
	ea_value_set(object, "invocations", invocations(report, world));
	ea_value_set(object, "results", results);
	return object;
}

static void write_begin(struct ea_report *report)
{
	ea_out_text(report->out,
		    "{\"$schema\": \"" SCHEMA "\", \"version\": \"2.1.0\", \"runs\": [");
}

static void write_target(struct ea_report *report, const struct ea_world *world)
{
	ea_out_text(report->out, report->n_targets ? ",\n" : "\n");
	ea_value_write(report->out, run(report, world));
}

static void write_end(struct ea_report *report)
{
	ea_out_text(report->out, "\n]}\n");
}

const struct ea_report_ops ea_report_sarif = {
	.name = "sarif",
	.begin = write_begin,
	.target = write_target,
	.end = write_end,
};
