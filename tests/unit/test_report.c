/* report: what each format makes of a made-up world. Readers of the formats judge, not our own
 * texts. */
#include "unit.h"

#include <jansson.h>

#include "base/buf.h"
#include "report_world.h"

#define ALL_PARTS (EA_REPORT_LIBRARIES | EA_REPORT_PACKAGES | EA_REPORT_FINDINGS | EA_REPORT_GAPS)
#define HOSTILE	  "a\x1b[31m%\r\n::error::x, y\xff"

static const struct ea_report_options plain = { .parts = ALL_PARTS, .width = 80 };

static int setup(void **state)
{
	struct ea_world *world = calloc(1, sizeof(*world));

	*state = world;
	if (world)
		fill_world(world);
	return world ? 0 : -1;
}

static int teardown(void **state)
{
	ea_world_release(*state);
	free(*state);
	return 0;
}

static json_t *parse(char *text)
{
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	free(text);
	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

/* Follows keys and indices ("targets.0.kind"); must exist. */
static json_t *at(json_t *value, const char *path)
{
	struct ea_str rest = ea_str(path), step;

	while (ea_str_token(&rest, '.', &step)) {
		unsigned long long index;
		char key[64];

		snprintf(key, sizeof(key), EA_STR_FMT, EA_STR_ARG(step));
		value = json_is_array(value) && ea_str_u64(step, &index)
				? json_array_get(value, index)
				: json_object_get(value, key);
	}
	if (!value)
		fail_msg("no %s", path);
	return value;
}

static const char *text_at(json_t *root, const char *path)
{
	return json_string_value(at(root, path));
}

static unsigned count(const char *text, const char *part)
{
	unsigned n = 0;

	while ((text = strstr(text, part))) {
		n++;
		text += strlen(part);
	}
	return n;
}

/* ---- json ------------------------------------------------------------------------------------ */

static void json_holds_what_the_world_holds(void **state)
{
	json_t *root = parse(report_text("json", &plain, *state, 2));
	json_t *target = at(root, "targets.1");

	assert_int_equal(json_array_size(at(root, "targets")), 2);
	assert_int_equal(json_integer_value(at(root, "schema")), 0);
	assert_string_equal(text_at(root, "tool.name"), "envaudit");
	assert_string_equal(text_at(target, "target"), "my env");
	assert_string_equal(text_at(target, "kind"), "venv");
	assert_string_equal(text_at(target, "host.arch"), "x86_64");
	assert_true(json_is_null(at(target, "host.driver")));
	assert_string_equal(text_at(target, "libraries.0.path"), "/e/lib/libcudnn.so.9");
	assert_string_equal(text_at(target, "libraries.0.names.0"), "/e/lib/libcudnn.so");
	assert_int_equal(json_array_size(at(target, "libraries.0.names")), 2);
	assert_int_equal(json_array_size(at(target, "libraries.0.owners")), 1);
	assert_string_equal(text_at(target, "libraries.0.version_source"), "object");
	assert_string_equal(text_at(target, "libraries.0.build_id"), "dead");
	assert_string_equal(text_at(target, "libraries.0.runpath.1"), "/opt/x");
	assert_string_equal(text_at(target, "libraries.0.arches.0"), "sm_90a");
	assert_true(json_is_null(at(target, "libraries.1.version")));
	assert_true(json_is_null(at(target, "libraries.1.needed")));
	assert_string_equal(text_at(target, "libraries.1.faults.0"), "not-elf");
	assert_string_equal(text_at(target, "packages.0.version"), "9.1.0.70");
	assert_string_equal(text_at(target, "findings.1.severity"), "error");
	assert_string_equal(text_at(target, "findings.1.evidence.0.path"), "/e/lib/libcudnn.so.9");
	assert_string_equal(text_at(target, "gaps.0.kind"), "unread");
	assert_true(json_is_true(at(target, "gaps.0.matters")));
	json_decref(root);
}

static void json_leaves_out_parts_that_nobody_asked_for(void **state)
{
	struct ea_report_options options = plain;
	json_t *root;

	options.parts = EA_REPORT_PACKAGES;
	root = parse(report_text("json", &options, *state, 1));
	assert_non_null(json_object_get(at(root, "targets.0"), "packages"));
	assert_null(json_object_get(at(root, "targets.0"), "libraries"));
	assert_null(json_object_get(at(root, "targets.0"), "findings"));
	assert_null(json_object_get(at(root, "targets.0"), "gaps"));
	json_decref(root);
	root = parse(report_text("json", &options, *state, 0));
	assert_int_equal(json_array_size(at(root, "targets")), 0);
	json_decref(root);
}

static void json_is_ascii_whatever_comes_in(void **state)
{
	struct ea_world *world = *state;
	char *text;
	json_t *root;

	world->target.name = HOSTILE "\xe2\x80\xae\x7f";
	text = report_text("json", &plain, world, 1);
	for (const char *p = text; *p; p++)
		assert_true(*p == '\n' || (*p >= ' ' && *p <= '~') || *p == 0x7f);
	root = parse(text);
	assert_string_equal(text_at(root, "targets.0.target"),
			    "a\x1b[31m%\r\n::error::x, y\\xff\xe2\x80\xae\x7f");
	json_decref(root);
}

static void json_keeps_secrets_of_the_environment_out(void **state)
{
	json_t *root = parse(report_text("json", &plain, *state, 1));

	assert_string_equal(text_at(root, "targets.0.environment.LD_LIBRARY_PATH"), "/x");
	assert_null(json_object_get(at(root, "targets.0.environment"), "API_TOKEN"));
	json_decref(root);
}

static void json_is_the_same_twice(void **state)
{
	char *a = report_text("json", &plain, *state, 1),
	     *b = report_text("json", &plain, *state, 1);

	assert_string_equal(a, b);
	free(a);
	free(b);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void text_fits_the_terminal(void **state)
{
	static const char word[] = "word of a title that goes on and on ";
	struct ea_world *world = *state;
	EA_CLEANUP(ea_buf_release) struct ea_buf title = { 0 };
	struct ea_str rest, line;
	char *text;

	for (int i = 0; i < 20; i++)
		ea_buf_add_text(&title, word);
	world->findings.items[1]->title = ea_buf_text(&title);
	world->findings.items[1]->evidence.items[0].text = ea_buf_text(&title);
	text = report_text("text", &plain, world, 2);
	rest = ea_str(text);
	while (ea_str_line(&rest, &line))
		if (line.len > 80)
			fail_msg("%zu columns: " EA_STR_FMT, line.len, EA_STR_ARG(line));
	assert_int_equal(count(text, "title"), 2 * 2 * 20);
	free(text);
}

static void text_never_cuts_a_path_or_a_command(void **state)
{
	struct ea_report_options options = plain;
	char *text;

	options.width = 10;
	text = report_text("text", &options, *state, 1);
	assert_non_null(strstr(text, "\n    /usr/lib/a-folder-whose-name-is-rather-long/"
				     "libcudnn.so.9.14.0\n"));
	assert_non_null(strstr(text, "\n        pip install nvidia-cudnn-cu12==9.1.0.70\n"));
	free(text);
}

static void text_wide_rows_are_one_line(void **state)
{
	struct ea_report_options options = plain;
	char *text;

	options.wide = true;
	text = report_text("text", &options, *state, 1);
	assert_non_null(strstr(text, "  /usr/lib/a-folder-whose-name-is-rather-long/"));
	assert_null(strstr(text, "\n    /usr/lib/a-folder"));
	free(text);
}

static void text_is_harmless_and_plain(void **state)
{
	struct ea_world *world = *state;
	char *text;

	world->target.name = HOSTILE;
	world->findings.items[1]->title = HOSTILE;
	world->findings.items[1]->evidence.items[0].path = HOSTILE;
	world->findings.items[1]->fixes.items[0].commands.items[0] = HOSTILE;
	world->gaps.list.items[0].reason = HOSTILE;
	world->components.items[0]->name = HOSTILE;
	world->copies.items[2]->path = HOSTILE;
	text = report_text("text", &plain, world, 1);
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\xff'));
	free(text);
}

static void text_has_the_worst_first_and_notes_short(void **state)
{
	char *text = report_text("text", &plain, *state, 1);
	const char *error = strstr(text, "error EA0201: an error [cudnn-mixed-set]\n");
	const char *note = strstr(text, "note EA0201: a note [cudnn-mixed-set]\n");

	assert_true(error && note && error < note);
	assert_int_equal(count(text, "The first convolution fails."), 1);
	assert_non_null(strstr(text, "1 error, 1 note in 2 GPU libraries"));
	assert_non_null(strstr(text, "unread: /e/lib/libx.so: permission denied\n"));
	assert_null(strstr(text, "not of interest"));
	free(text);
}

static void text_verbosity_adds_and_takes_away(void **state)
{
	struct ea_report_options options = plain;
	char *text;

	options.verbosity = 1;
	text = report_text("text", &options, *state, 1);
	assert_int_equal(count(text, "The first convolution fails."), 2);
	assert_non_null(strstr(text, "ignored: not of interest\n"));
	assert_non_null(strstr(text, "also libcudnn.so\n"));
	assert_non_null(strstr(text, "0123456789abcdef"));
	free(text);
	options.verbosity = -1;
	text = report_text("text", &options, *state, 1);
	assert_int_equal(count(text, "The first convolution fails."), 0);
	assert_non_null(strstr(text, "error EA0201: an error"));
	assert_null(strstr(text, "permission denied"));
	assert_non_null(strstr(text, "incomplete: 1 gap"));
	free(text);
}

static void text_counts_what_it_does_not_name(void **state)
{
	struct ea_world *world = *state;
	char *text;

	world->gaps.list.items[0].matters = false;
	text = report_text("text", &plain, *state, 1);
	assert_null(strstr(text, "permission denied"));
	assert_non_null(strstr(text, "\n\n1 file or folder could not be read (-v shows it)\n\n"));
	free(text);
}

static void text_has_colour_only_when_asked(void **state)
{
	struct ea_report_options options = plain;
	char *text = report_text("text", &options, *state, 1);

	assert_null(strchr(text, '\x1b'));
	free(text);
	options.colour = true;
	text = report_text("text", &options, *state, 1);
	assert_non_null(strstr(text, "\x1b[1;31merror EA0201:\x1b[0m an error"));
	free(text);
}

/* ---- github and sarif ------------------------------------------------------------------------ */

/* https://docs.github.com/actions: a command is one line; '%', CR and LF are escaped, in properties
 * ':' and ',' too. */
static void github_commands_cannot_be_broken_out_of(void **state)
{
	struct ea_world *world = *state;
	struct ea_str rest, line;
	unsigned n = 0;
	char *text;

	world->findings.items[1]->title = HOSTILE;
	world->findings.items[1]->evidence.items[0].path = HOSTILE;
	text = report_text("github", &plain, world, 1);
	rest = ea_str(text);
	while (ea_str_line(&rest, &line)) {
		static const char *const want[] = { "::error title=EA0201 ",
						    "::notice title=EA0201 ", "::warning title=" };

		assert_true(n < 3);
		assert_true(ea_str_starts(line, want[n++]));
	}
	assert_int_equal(n, 3);
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\x1b'));
	assert_non_null(strstr(text, "my env: a\\e[31m%25\\x0d\\n::error::x, y\\xff%0A"));
	free(text);
}

static void sarif_names_files_but_no_lines(void **state)
{
	struct ea_world *world = *state;
	json_t *root;
	char *text;

	world->findings.items[1]->evidence.items[0].path = "/e/l b\xff%,x.so";
	text = report_text("sarif", &plain, world, 2);
	assert_null(strstr(text, "region"));
	root = parse(text);
	assert_string_equal(text_at(root, "version"), "2.1.0");
	assert_int_equal(json_array_size(at(root, "runs")), 2);
	assert_int_equal(json_array_size(at(root, "runs.0.tool.driver.rules")), 1);
	assert_string_equal(text_at(root, "runs.0.tool.driver.rules.0.id"), "EA0201");
	assert_string_equal(text_at(root, "runs.0.results.1.ruleId"), "EA0201");
	assert_int_equal(json_integer_value(at(root, "runs.0.results.1.ruleIndex")), 0);
	assert_string_equal(text_at(root, "runs.0.results.1.level"), "error");
	assert_string_equal(text_at(root, "runs.0.results.1.locations.0.physicalLocation"
					  ".artifactLocation.uri"),
			    "e/l%20b%FF%25%2Cx.so");
	assert_string_equal(text_at(root, "runs.0.originalUriBaseIds.ROOT.uri"), "file:///");
	json_decref(root);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(json_holds_what_the_world_holds),
		T(json_leaves_out_parts_that_nobody_asked_for),
		T(json_is_ascii_whatever_comes_in),
		T(json_keeps_secrets_of_the_environment_out),
		T(json_is_the_same_twice),
		T(text_fits_the_terminal),
		T(text_never_cuts_a_path_or_a_command),
		T(text_wide_rows_are_one_line),
		T(text_is_harmless_and_plain),
		T(text_has_the_worst_first_and_notes_short),
		T(text_verbosity_adds_and_takes_away),
		T(text_counts_what_it_does_not_name),
		T(text_has_colour_only_when_asked),
		T(github_commands_cannot_be_broken_out_of),
		T(sarif_names_files_but_no_lines),
	};
#undef T
	return cmocka_run_group_tests(tests, NULL, NULL);
}
