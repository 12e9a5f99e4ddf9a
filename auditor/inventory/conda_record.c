/* One of conda's records: a JSON file of any age and writer. */
#include "base/path.h"
#include "inventory/conda.h"
#include "inventory/read.h"

/* One record while it is read. */
struct reading {
	struct ea_conda_prefix *prefix;
	struct ea_json json;
	struct ea_component *component;
	struct ea_conda_files files;
	const char *url, *channel, *site;
	bool named;
};

static void release_reading(struct reading *reading)
{
	ea_json_release(&reading->json);
	ea_conda_files_release(&reading->files);
}

/* HOST/CHANNEL/SUBDIR: a channel is what stands between, and a URL without a host stays as it is.
 */
static const char *channel_of(struct ea_arena *arena, const char *url, bool has_subdir)
{
	char *clean = ea_inventory_url(arena, ea_str(url)), *end = clean + strlen(clean), *scheme,
	     *path;

	while (end > clean && end[-1] == '/')
		*--end = '\0';
	if (has_subdir && (end = strrchr(clean, '/')))
		*end = '\0';
	scheme = strstr(clean, "://");
	if (!scheme || strncmp(clean, "file:", 5) == 0)
		return clean;
	path = strchr(scheme + strlen("://"), '/');
	return path ? path + 1 : clean;
}

/* The record's url is CHANNEL/SUBDIR/FILE; `channel` has the subdir with conda, not with rattler.
 */
static void take_channel(struct reading *reading)
{
	struct ea_arena *arena = reading->prefix->inv->arena;
	const char *url = reading->url, *channel = reading->channel;
	struct ea_str folder;

	if (url && strchr(url, '/')) {
		folder = ea_path_dir(url);
		reading->component->channel =
			channel_of(arena, ea_arena_dup_str(arena, folder), true);
	} else if (channel && *channel) {
		reading->component->channel =
			channel_of(arena, channel, !ea_str_ends(ea_str(channel), "/"));
	}
}

static const char *take_text(struct reading *reading)
{
	struct ea_str text;

	if (!ea_json_string(&reading->json, &text))
		return NULL;
	return ea_arena_dup_str(reading->prefix->inv->arena, text);
}

static void take_depends(struct reading *reading)
{
	const char *spec;

	if (!ea_json_array(&reading->json))
		return;
	while (ea_json_item(&reading->json)) {
		spec = take_text(reading);
		if (spec)
			ea_vec_push(&reading->component->requires, reading->prefix->inv->arena,
				    spec);
	}
}

/* conda writes "None" for what nobody asked for; newer tools have a list, empty then. */
static bool take_requested(struct reading *reading, bool list)
{
	struct ea_json *json = &reading->json;
	struct ea_str spec;
	bool any = false;

	if (!list)
		return ea_json_string(json, &spec) && spec.len && !ea_str_is(spec, "None");
	if (!ea_json_array(json))
		return false;
	while (ea_json_item(json))
		any |= ea_json_string(json, &spec) && spec.len;
	return any;
}

static void take_name(struct reading *reading)
{
	const char *name = take_text(reading);

	if (!name)
		return;
	reading->named = true;
	reading->component->name = name;
	reading->component->key = ea_component_key(reading->prefix->inv->arena, ea_str(name));
}

static void take_member(struct reading *reading, struct ea_str key)
{
	struct ea_component *component = reading->component;

	if (ea_str_is(key, "name"))
		take_name(reading);
	else if (ea_str_is(key, "version"))
		component->version = take_text(reading);
	else if (ea_str_is(key, "build"))
		component->build = take_text(reading);
	else if (ea_str_is(key, "url"))
		reading->url = take_text(reading);
	else if (ea_str_is(key, "channel"))
		reading->channel = take_text(reading);
	else if (ea_str_is(key, "python_site_packages_path"))
		reading->site = take_text(reading);
	else if (ea_str_is(key, "requested_spec"))
		component->requested |= take_requested(reading, false);
	else if (ea_str_is(key, "requested_specs"))
		component->requested |= take_requested(reading, true);
	else if (ea_str_is(key, "depends"))
		take_depends(reading);
	else if (ea_str_is(key, "files"))
		ea_conda_take_files(&reading->files);
	else if (ea_str_is(key, "paths_data"))
		ea_conda_take_paths_data(&reading->files);
	else
		ea_json_skip(&reading->json);
}

int ea_conda_parse_record(struct ea_conda_prefix *prefix, struct ea_component *component)
{
	struct reading reading EA_CLEANUP(release_reading) = {
		.prefix = prefix,
		.component = component,
		.files = { .prefix = prefix, .component = component },
	};
	struct ea_str key;

	reading.files.json = &reading.json;
	ea_json_init(&reading.json, ea_buf_str(&prefix->text));
	if (ea_json_object(&reading.json))
		while (ea_json_member(&reading.json, &key))
			take_member(&reading, key);
	ea_json_end(&reading.json);
	if (reading.json.fault) {
		ea_inventory_bad_json(prefix->inv, component->location, &reading.json);
		component->no_record = true;
		component->records.n = 0;
		return 0;
	}
	if (!reading.named && !component->n_files)
		return 1;
	ea_conda_join_files(&reading.files);
	take_channel(&reading);
	if (reading.site && ea_streq(component->key, "python"))
		prefix->site = ea_arena_dup(prefix->inv->arena, reading.site);
	return 0;
}
