/* --help and --version, out of the tables. */
#include "cli/options.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/datadir.h"
#include "report/layout.h"

#define HELP_COLUMN 24
#define HELP_WIDTH  80

static enum ea_exit finish(struct ea_out *out)
{
	struct ea_err err;

	if (!ea_out_finish(out, "standard output", &err))
		return EA_EXIT_OK;
	return ea_cli_complain(&err);
}

/* NAME in the left column, TEXT in the right one. */
static void write_entry(const struct ea_layout *layout, const char *name, const char *text)
{
	ea_layout_pad(layout, 2);
	ea_out_text(layout->out, name);
	if (2 + strlen(name) + 2 > HELP_COLUMN) {
		ea_out_text(layout->out, "\n");
		ea_layout_pad(layout, HELP_COLUMN);
	} else {
		ea_layout_pad(layout, HELP_COLUMN - 2 - strlen(name));
	}
	ea_layout_words(layout, HELP_COLUMN, text);
}

static void write_options(const struct ea_layout *layout, unsigned commands)
{
	for (int i = 0; i < EA_OPT_MAX_; i++) {
		const struct ea_option *option = &ea_options[i];
		char name[80], letter[8] = "";

		if (!(option->commands & commands))
			continue;
		if (option->letter)
			snprintf(letter, sizeof(letter), "-%c, ", option->letter);
		snprintf(name, sizeof(name), "%s--%s%s%s", letter, option->name,
			 option->argument ? " " : "", option->argument ? option->argument : "");
		write_entry(layout, name, option->help);
	}
}

enum ea_exit ea_cli_help(enum ea_cmd_id cmd)
{
	static struct ea_out out;
	const struct ea_layout layout = { .out = &out, .width = HELP_WIDTH };

	ea_out_init(&out, STDOUT_FILENO);
	if (cmd == EA_CMD_MAX_) {
		ea_out_text(&out, "usage: envaudit [COMMAND] [OPTION...] [ARGUMENT...]\n\n"
				  "Says, before anything is run, whether the CUDA libraries of an "
				  "environment fit\ntogether and fit the machine.\n\ncommands:\n");
		for (int i = 0; i < EA_CMD_MAX_; i++)
			write_entry(&layout, ea_commands[i].name, ea_commands[i].help);
		ea_out_text(&out, "\noptions:\n");
		write_options(&layout, ~0u);
		ea_out_text(&out, "\n`envaudit COMMAND --help` says more; so does envaudit(1).\n");
	} else {
		ea_out_printf(&out, "usage: envaudit %s [OPTION...] %s\n\n", ea_commands[cmd].name,
			      ea_commands[cmd].args);
		ea_layout_words(&layout, 0, ea_commands[cmd].help);
		ea_out_text(&out, "\noptions:\n");
		write_options(&layout, 1u << cmd);
	}
	return finish(&out);
}

enum ea_exit ea_cli_version(void)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	static struct ea_out out;
	const char *dir, *date = NULL;

	if (!ea_datadir_find(&arena, &dir, NULL))
		date = ea_datadir_date(&arena, dir);
	ea_out_init(&out, STDOUT_FILENO);
	ea_out_printf(&out, "%s (matrices of %s)\n", PACKAGE_STRING, date ? date : "unknown date");
	return finish(&out);
}
