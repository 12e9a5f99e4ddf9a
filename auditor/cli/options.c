/* The command line: tables and parser. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>

#define IN(cmd) (1u << EA_CMD_##cmd)
#define IN_ALL	(~0u)

const struct ea_option ea_options[EA_OPT_MAX_] = {
#define X(id, letter_, name_, argument_, commands_, help_) \
	[EA_OPT_##id] = { letter_, name_, argument_, commands_, help_ },
#include "cli/options.def"
#undef X
};

const struct ea_command ea_commands[EA_CMD_MAX_] = {
#define X(id, name_, args_, help_) [EA_CMD_##id] = { .name = name_, .args = args_, .help = help_ },
#include "cli/commands.def"
#undef X
	[EA_CMD_AUDIT].run = ea_cmd_audit,	 [EA_CMD_WHY].run = ea_cmd_why,
	[EA_CMD_TREE].run = ea_cmd_tree,	 [EA_CMD_LIST].run = ea_cmd_list,
	[EA_CMD_EXPLAIN].run = ea_cmd_explain,	 [EA_CMD_CHECK_MATRIX].run = ea_cmd_check_matrix,
	[EA_CMD_SYMPTOMS].run = ea_cmd_symptoms,
};

#define FIRST_LONG 256 /* getopt_long's value of an option: this and its index */

/* The tables as getopt_long() wants them. */
struct getopt_tables {
	char letters[3 + 2 * EA_OPT_MAX_];
	struct option longs[EA_OPT_MAX_ + 1];
};

static void fill_tables(struct getopt_tables *tables)
{
	/* '-': arguments come as option 1, where they stand; ':': we say what is missing. */
	size_t n = (size_t)snprintf(tables->letters, sizeof(tables->letters), "-:");

	for (int i = 0; i < EA_OPT_MAX_; i++) {
		const struct ea_option *option = &ea_options[i];

		tables->longs[i] = (struct option){
			.name = option->name,
			.has_arg = option->argument ? required_argument : no_argument,
			.val = FIRST_LONG + i,
		};
		if (option->letter)
			tables->letters[n++] = option->letter;
	}
	tables->longs[EA_OPT_MAX_] = (struct option){ 0 };
	tables->letters[n] = '\0';
}

static enum ea_opt option_of(int value)
{
	int i = 0;

	if (value >= FIRST_LONG)
		return (enum ea_opt)(value - FIRST_LONG);
	while (i < EA_OPT_MAX_ && ea_options[i].letter != value)
		i++;
	return (enum ea_opt)i;
}

/* Index of WORD among those of "a|b|c"; -1 if it is none of them. */
static int word_index(const char *words, const char *word)
{
	struct ea_str rest = ea_str(words), token;

	for (int i = 0; ea_str_token(&rest, '|', &token); i++)
		if (ea_str_is(token, word))
			return i;
	return -1;
}

static int set_jobs(struct ea_cli *cli, const char *value, struct ea_err *err)
{
	unsigned long long jobs;

	if (!ea_str_u64(ea_str(value), &jobs) || jobs < 1 || jobs > 256)
		return ea_err_set(err, EA_E_USAGE, "--jobs takes a number from 1 to 256, not '%s'",
				  value);
	cli->jobs = (unsigned)jobs;
	return 0;
}

/* A number of bytes, or one with K, M, G or T behind it. */
static int set_tmp_limit(struct ea_cli *cli, const char *value, struct ea_err *err)
{
	static const char units[] = "KMGT";
	struct ea_str digits = ea_str(value);
	const char *unit = digits.len ? strchr(units, digits.ptr[digits.len - 1]) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	unsigned long long n;

	if (unit)
		digits.len--;
	if (!ea_str_u64(digits, &n) || n > (unsigned long long)INT64_MAX >> shift)
		return ea_err_set(err, EA_E_USAGE,
				  "--tmp-limit takes a size such as 500M or 64G, not '%s'", value);
	cli->tmp_limit = n << shift;
	return 0;
}

/* A typo, or an empty variable of a script, is no driver. */
static int set_driver(struct ea_cli *cli, const char *value, struct ea_err *err)
{
	bool number =
		value[0] >= '0' && value[0] <= '9' && strspn(value, "0123456789.") == strlen(value);

	if (!number && !ea_streq(value, "none"))
		return ea_err_set(err, EA_E_USAGE,
				  "--driver takes a version such as 535.104.05, or none, not '%s'",
				  value);
	cli->driver = value;
	return 0;
}

/* WORD is the index of VALUE where the option takes one of several words. */
static int apply(struct ea_cli *cli, enum ea_opt opt, const char *value, int word,
		 struct ea_err *err)
{
	static const int fail_on[] = { EA_SEVERITY_ERROR, EA_SEVERITY_WARNING, EA_SEVERITY_NOTE,
				       EA_SEVERITY_MAX_ };

	switch (opt) {
	case EA_OPT_FORMAT:
		cli->format = value;
		return 0;
	case EA_OPT_OUTPUT:
		cli->output = value;
		return 0;
	case EA_OPT_FAIL_ON:
		cli->fail_on = fail_on[word];
		return 0;
	case EA_OPT_ROOT:
		cli->root_dir = value;
		return 0;
	case EA_OPT_SET_ENV:
		if (value[0] == '=' || !strchr(value, '='))
			return ea_err_set(err, EA_E_USAGE, "--set-env takes NAME=VALUE, not '%s'",
					  value);
		ea_vec_push(&cli->set_env, &cli->arena, value);
		return 0;
	case EA_OPT_UNSET_ENV:
		if (!value[0] || strchr(value, '='))
			return ea_err_set(err, EA_E_USAGE, "--unset-env takes a NAME, not '%s'",
					  value);
		ea_vec_push(&cli->unset_env, &cli->arena, value);
		return 0;
	case EA_OPT_CLEAN_ENV:
		cli->clean_env = true;
		return 0;
	case EA_OPT_ENV_FILE:
		cli->env_file = value;
		return 0;
	case EA_OPT_PYTHON:
		cli->python = value;
		return 0;
	case EA_OPT_CPU:
		cli->cpu = value;
		return 0;
	case EA_OPT_FOR:
		cli->imports = value;
		return 0;
	case EA_OPT_STAGE:
		cli->stage = value;
		return 0;
	case EA_OPT_DRIVER:
		return set_driver(cli, value, err);
	case EA_OPT_GPU:
		cli->gpu = value;
		return 0;
	case EA_OPT_BASELINE:
		cli->baseline = value;
		return 0;
	case EA_OPT_CONFIG:
		cli->config = value;
		return 0;
	case EA_OPT_GLIBC:
		cli->glibc = value;
		return 0;
	case EA_OPT_PLATFORM:
		cli->platform = value;
		return 0;
	case EA_OPT_TMP_LIMIT:
		return set_tmp_limit(cli, value, err);
	case EA_OPT_MATRIX:
		ea_vec_push(&cli->matrix_dirs, &cli->arena, value);
		return 0;
	case EA_OPT_VERIFY:
		cli->verify = true;
		return 0;
	case EA_OPT_DEEP:
		cli->deep = true;
		return 0;
	case EA_OPT_JOBS:
		return set_jobs(cli, value, err);
	case EA_OPT_QUIET:
		cli->verbosity = -1;
		return 0;
	case EA_OPT_VERBOSE:
		cli->verbosity = 1;
		return 0;
	case EA_OPT_COLOR:
		cli->color = (enum ea_when)word;
		return 0;
	case EA_OPT_VERSION:
	case EA_OPT_HELP:
	case EA_OPT_MAX_:
		break;
	}
	return 0;
}

static int unknown_option(char **argv, struct ea_err *err)
{
	if (optopt >= FIRST_LONG) /* --deep=yes */
		return ea_err_set(err, EA_E_USAGE, "--%s takes no argument",
				  ea_options[optopt - FIRST_LONG].name);
	if (optopt)
		return ea_err_set(err, EA_E_USAGE, "there is no option '-%c'", optopt);
	return ea_err_set(err, EA_E_USAGE, "there is no option '%s'", argv[optind - 1]);
}

static int missing_argument(struct ea_err *err)
{
	const struct ea_option *option = &ea_options[option_of(optopt)];

	return ea_err_set(err, EA_E_USAGE, "--%s needs an argument: %s", option->name,
			  option->argument);
}

static int take_option(struct ea_cli *cli, enum ea_opt opt, const char *value, struct ea_err *err)
{
	const struct ea_option *option = &ea_options[opt];
	int word = 0;

	if (option->argument && strchr(option->argument, '|')) {
		word = word_index(option->argument, value);
		if (word < 0)
			return ea_err_set(err, EA_E_USAGE, "--%s takes %s, not '%s'", option->name,
					  option->argument, value);
	}
	return apply(cli, opt, value, word, err);
}

/* The first argument is the command if it names one, otherwise a target of `audit`. */
static void take_argument(struct ea_cli *cli, const char *value, bool *seen)
{
	if (!*seen) {
		*seen = true;
		for (int i = 0; i < EA_CMD_MAX_; i++) {
			if (!ea_streq(ea_commands[i].name, value))
				continue;
			cli->cmd = (enum ea_cmd_id)i;
			return;
		}
	}
	ea_vec_push(&cli->args, &cli->arena, value);
}

static int check_commands(const struct ea_cli *cli, const bool *given, struct ea_err *err)
{
	for (int i = 0; i < EA_OPT_MAX_; i++)
		if (given[i] && !(ea_options[i].commands & 1u << cli->cmd))
			return ea_err_set(err, EA_E_USAGE, "`%s` takes no --%s",
					  ea_commands[cli->cmd].name, ea_options[i].name);
	return 0;
}

int ea_cli_parse(struct ea_cli *cli, int argc, char **argv, enum ea_ask *ret_ask,
		 struct ea_err *err)
{
	bool given[EA_OPT_MAX_] = { false }, first_seen = false;
	struct getopt_tables tables;
	int value, rc;

	*cli = (struct ea_cli){ .cmd = EA_CMD_AUDIT,
				.format = "text",
				.tmp_limit = 64ull << 30,
				.fail_on = EA_SEVERITY_ERROR };
	fill_tables(&tables);
	while ((value = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		enum ea_opt opt;

		if (value == 1) {
			take_argument(cli, optarg, &first_seen);
			continue;
		}
		if (value == '?')
			return unknown_option(argv, err);
		if (value == ':')
			return missing_argument(err);
		opt = option_of(value);
		given[opt] = true;
		rc = take_option(cli, opt, optarg, err);
		if (rc)
			return rc;
	}
	for (; optind < argc; optind++)
		ea_vec_push(&cli->args, &cli->arena, argv[optind]);
	*ret_ask = given[EA_OPT_VERSION] ? EA_ASK_VERSION
		   : !given[EA_OPT_HELP] ? EA_ASK_RUN
		   : first_seen		 ? EA_ASK_COMMAND_HELP
					 : EA_ASK_HELP;
	return *ret_ask == EA_ASK_RUN ? check_commands(cli, given, err) : 0;
}

void ea_cli_release(struct ea_cli *cli)
{
	ea_arena_release(&cli->arena);
}
