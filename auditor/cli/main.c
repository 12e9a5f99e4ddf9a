/* envaudit: entry point, exit statuses and messages. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "cli/options.h"

enum ea_exit ea_exit_worse(enum ea_exit a, enum ea_exit b)
{
	static const int rank[] = {
		[EA_EXIT_OK] = 0,    [EA_EXIT_INCOMPLETE] = 1, [EA_EXIT_FINDINGS] = 2,
		[EA_EXIT_USAGE] = 3, [EA_EXIT_FAILED] = 4,
	};

	return rank[a] >= rank[b] ? a : b;
}

static enum ea_exit exit_of(const struct ea_err *err)
{
	switch (-err->code) {
	case EA_E_USAGE:
	case EA_E_TARGET:
	case EA_E_MATRIX:
		return EA_EXIT_USAGE;
	default:
		return EA_EXIT_FAILED;
	}
}

void ea_cli_tell(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };

	ea_escape_text(&escaped, ea_str(text));
	fprintf(stderr, "%s: %s\n", PACKAGE_NAME, ea_buf_text(&escaped));
}

enum ea_exit ea_cli_complain(const struct ea_err *err)
{
	ea_cli_tell(err->text);
	return exit_of(err);
}

/* A closed standard stream would give its number to the next file that is opened. */
static void occupy_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static enum ea_exit run(struct ea_cli *cli, enum ea_ask ask)
{
	switch (ask) {
	case EA_ASK_HELP:
		return ea_cli_help(EA_CMD_MAX_);
	case EA_ASK_COMMAND_HELP:
		return ea_cli_help(cli->cmd);
	case EA_ASK_VERSION:
		return ea_cli_version();
	case EA_ASK_RUN:
		break;
	}
	return ea_commands[cli->cmd].run(cli);
}

int main(int argc, char **argv)
{
	EA_CLEANUP(ea_cli_release) struct ea_cli cli;
	enum ea_ask ask;
	struct ea_err err;

	occupy_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	if (ea_cli_parse(&cli, argc, argv, &ask, &err)) {
		enum ea_exit status = ea_cli_complain(&err);

		fputs("Try `envaudit --help`.\n", stderr);
		return (int)status;
	}
	return (int)run(&cli, ask);
}
