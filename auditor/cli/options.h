/* The options as a table, out of options.def. */
#pragma once

#include "cli/cli.h"

enum ea_opt {
#define X(id, letter, name, argument, commands, help) EA_OPT_##id,
#include "cli/options.def"
#undef X
	EA_OPT_MAX_
};

struct ea_option {
	char letter; /* 0 = none */
	const char *name;
	const char *argument; /* NULL = none; "a|b" = one of these words */
	unsigned commands;    /* bits 1 << enum ea_cmd_id */
	const char *help;
};

struct ea_command {
	const char *name, *args, *help;
	enum ea_exit (*run)(struct ea_cli *cli);
};

extern const struct ea_option ea_options[EA_OPT_MAX_];
extern const struct ea_command ea_commands[EA_CMD_MAX_];

/* Help for one command, or EA_CMD_MAX_ for all; and the version. On standard output. */
enum ea_exit ea_cli_help(enum ea_cmd_id cmd);
enum ea_exit ea_cli_version(void);
