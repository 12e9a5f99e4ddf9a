/* Where a report goes. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH	  80
#define WIDTH_MIN 40
#define WIDTH_MAX 160

/* https://no-color.org: set and not empty, whatever the value. */
static bool wants_colour(enum ea_when when, bool terminal)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != EA_AUTO)
		return when == EA_ALWAYS;
	return terminal && !(no_color && no_color[0]) && term && !ea_streq(term, "dumb");
}

static unsigned terminal_width(int fd)
{
	struct winsize size = { 0 };

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH;
	return size.ws_col < WIDTH_MIN	 ? WIDTH_MIN
	       : size.ws_col > WIDTH_MAX ? WIDTH_MAX
					 : size.ws_col;
}

int ea_output_open(struct ea_output *output, const struct ea_cli *cli, struct ea_err *err)
{
	int fd = STDOUT_FILENO;

	output->name = cli->output ? cli->output : "standard output";
	if (cli->output) {
		fd = open(cli->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return ea_err_set(err, EA_E_OUTPUT, "cannot write %s: %s", cli->output,
					  strerror(errno));
	}
	ea_out_init(&output->out, fd);
	output->terminal = isatty(fd);
	output->colour = wants_colour(cli->color, output->terminal);
	output->width = output->terminal ? terminal_width(fd) : WIDTH;
	return 0;
}

int ea_output_close(struct ea_output *output, struct ea_err *err)
{
	int rc = ea_out_finish(&output->out, output->name, err);

	/* Some file systems tell only now that there was no room. */
	if (close(output->out.fd) && !rc)
		rc = ea_err_set(err, EA_E_OUTPUT, "cannot write %s: %s", output->name,
				strerror(errno));
	return rc;
}
