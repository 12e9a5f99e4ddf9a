/*
 * The command line: what was asked for, as a plain value. Only cli prints and exits. A command is a
 * function of struct ea_cli that gives the exit status; to add one: a line in commands.def, its bit
 * in options.def, a file cmd_NAME.c, a section in doc/envaudit.1.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"
#include "model/world.h"

/* Exit statuses; with several targets the worst is kept, see ea_exit_worse(). */
enum ea_exit {
	EA_EXIT_OK = 0,
	EA_EXIT_FINDINGS = 1,	/* a finding at or above --fail-on */
	EA_EXIT_USAGE = 2,	/* command line, matrices, or a target that is none */
	EA_EXIT_INCOMPLETE = 3, /* no such finding, but something that matters was not read */
	EA_EXIT_FAILED = 4,	/* internal or output error */
};

enum ea_exit ea_exit_worse(enum ea_exit a, enum ea_exit b);

enum ea_cmd_id {
#define X(id, name, args, help) EA_CMD_##id,
#include "cli/commands.def"
#undef X
	EA_CMD_MAX_
};

enum ea_when { EA_AUTO, EA_ALWAYS, EA_NEVER };

struct ea_cli {
	struct ea_arena arena;
	enum ea_cmd_id cmd;
	EA_VEC(const char *) args;

	const char *format; /* one of options.def */
	const char *output; /* NULL = standard output */
	int fail_on;	    /* enum ea_severity; EA_SEVERITY_MAX_ = never */
	const char *root_dir;
	const char *cpu, *baseline, *config, *glibc, *gpu, *python;
	const char *imports, *stage, *driver;
	bool verify, deep;
	unsigned jobs; /* 0 = decided below */
	int verbosity;
	enum ea_when color;

	const char *platform;
	uint64_t tmp_limit;

	bool clean_env;
	const char *env_file;
	EA_VEC(const char *) set_env, unset_env;
	EA_VEC(const char *) matrix_dirs;
};

/* What the command line asks for beside a command. */
enum ea_ask { EA_ASK_RUN, EA_ASK_HELP, EA_ASK_COMMAND_HELP, EA_ASK_VERSION };

/* Errors are -EA_E_USAGE. */
EA_MUST_CHECK int ea_cli_parse(struct ea_cli *cli, int argc, char **argv, enum ea_ask *ret_ask,
			       struct ea_err *err);
void ea_cli_release(struct ea_cli *cli);

/*
 * The environment of the audited processes: caller's or empty, then what the options change. The
 * changes also apply to the environment that an image brings; there a value NULL unsets.
 */
struct ea_env {
	EA_VEC(struct ea_env_var) vars, changes;
};

EA_MUST_CHECK int ea_cli_environment(struct ea_cli *cli, struct ea_env *ret, struct ea_err *err);

/* Prints "envaudit: " and the text of ERR on standard error, escaped; gives the status for it. */
enum ea_exit ea_cli_complain(const struct ea_err *err);

/* Prints "envaudit: " and a line of text on standard error, escaped. */
void ea_cli_tell(const char *text);

/* The commands. */
enum ea_exit ea_cmd_audit(struct ea_cli *cli);
enum ea_exit ea_cmd_why(struct ea_cli *cli);
enum ea_exit ea_cmd_tree(struct ea_cli *cli);
enum ea_exit ea_cmd_list(struct ea_cli *cli);
enum ea_exit ea_cmd_symptoms(struct ea_cli *cli);
enum ea_exit ea_cmd_explain(struct ea_cli *cli);
enum ea_exit ea_cmd_check_matrix(struct ea_cli *cli);
