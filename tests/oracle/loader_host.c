/*
 * Every program of this machine under LD_TRACE_LOADED_OBJECTS and LD_BIND_NOW (as ldd -r does it),
 * and under the model: the same objects in the same order, and the same symbols missing (TAP).
 *
 *	loader_host [FOLDER…]		without FOLDER those of the usual PATH
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/elf.h"
#include "files.h"
#include "loader/loader.h"
#include "runner.h"

struct host {
	struct ea_root *root;
	struct files *files;
	struct ea_cpu cpu;
	unsigned run, failed;
};

static char environment[][32] = { "LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=yes", "LD_BIND_NOW=yes",
				  "LC_ALL=C" };

/* What the program's own loader prints, both streams; false if it could not be run. */
static bool run_real(const char *path, struct ea_buf *out)
{
	char *argv[] = { strdup(path), NULL };
	char *env[] = { environment[0], environment[1], environment[2], environment[3], NULL };
	int pipes[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) != 0)
		return false;
	pid = vfork();
	if (pid == 0) {
		dup2(pipes[1], 1);
		dup2(pipes[1], 2);
		execve(path, argv, env);
		_exit(126);
	}
	close(pipes[1]);
	do {
		n = read(pipes[0], ea_buf_reserve(out, 65536), 65536);
		if (n > 0)
			out->len += (size_t)n;
	} while (n > 0);
	close(pipes[0]);
	waitpid(pid, &status, 0);
	free(argv[0]);
	return WIFEXITED(status) && WEXITSTATUS(status) != 126;
}

/* "\tNAME => PATH (0xADDRESS)", "\tNAME => not found", "\tNAME (0xADDRESS)" and messages. */
static void read_real(struct ea_arena *arena, struct ea_str text, struct lines *maps,
		      struct lines *missing)
{
	struct ea_str line, arrow = EA_STR(" => "), address = EA_STR(" (0x");

	while (ea_str_line(&text, &line)) {
		size_t at;

		if (ea_str_starts(line, "undefined symbol: ")) {
			line.len = ea_str_find(line, '\t');
			ea_vec_push(missing, arena, ea_arena_dup_str(arena, line));
			continue;
		}
		if (!ea_str_starts(line, "\t"))
			continue;
		line = ea_str_skip(line, 1);
		at = ea_str_find_str(line, arrow);
		if (at < line.len && !ea_str_ends(line, "not found"))
			line = ea_str_skip(line, at + arrow.len);
		line.len = ea_str_find_str(line, address);
		ea_vec_push(maps, arena, ea_arena_dup_str(arena, line));
	}
}

static void read_model(struct ea_arena *arena, const struct ea_process *process, struct lines *maps)
{
	const struct ea_map *map;

	for (uint32_t i = 1; (map = ea_process_map(process, i)); i++)
		ea_vec_push(maps, arena,
			    map->kind == EA_MAP_FAKED
				    ? ea_arena_printf(arena, "%s => not found", map->path)
				    : map->path);
}

static int start(const struct host *host, struct ea_arena *arena, const char *path, bool trace,
		 struct ea_process **ret_process, const struct ea_request **ret_start,
		 struct ea_err *err)
{
	static const struct ea_env_var env[] = { { "LD_BIND_NOW", "yes" } };
	const struct ea_launch launch = {
		.program = path,
		.cpu = host->cpu,
		.trace = trace,
		.env = env,
		.n_env = 1,
	};
	const struct ea_process_setup setup = {
		.provider = files_provider(host->files),
		.arena = arena,
		.launch = &launch,
	};

	return ea_process_start(&setup, ret_process, ret_start, err);
}

static void compare(const struct lines *real, const struct lines *model, struct ea_buf *out)
{
	for (uint32_t i = 0; i < real->n || i < model->n; i++) {
		const char *a = i < real->n ? real->items[i] : "(nothing)";
		const char *b = i < model->n ? model->items[i] : "(nothing)";

		if (ea_streq(a, b))
			continue;
		ea_buf_printf(out, "  %u\n    real  %s\n    model %s\n", i, a, b);
		return;
	}
}

static void check_program(struct host *host, const char *path)
{
	struct ea_arena arena = { 0 };
	struct ea_buf text = { 0 }, differences = { 0 };
	struct lines real = { 0 }, real_missing = { 0 }, model = { 0 };
	const struct ea_request *request;
	struct ea_process *process;
	struct ea_err err;

	if (start(host, &arena, path, true, &process, &request, &err) != 0 ||
	    !run_real(path, &text))
		goto out;
	host->run++;
	read_real(&arena, ea_buf_str(&text), &real, &real_missing);
	read_model(&arena, process, &model);
	compare(&real, &model, &differences);
	if (start(host, &arena, path, false, &process, &request, &err) == 0 &&
	    (real_missing.n > 0) !=
		    (request->outcome == EA_OUTCOME_ERROR && request->missing.n > 0))
		ea_buf_printf(&differences, "  %u symbols missing really: %s; model: %s\n",
			      real_missing.n, real_missing.n ? real_missing.items[0] : "",
			      request->error ? request->error : "none");
	if (differences.len > 0) {
		host->failed++;
		printf("# %s\n", path);
		for (struct ea_str rest = ea_buf_str(&differences), line;
		     ea_str_line(&rest, &line);)
			printf("#%.*s\n", (int)line.len, line.ptr);
	}
out:
	files_forget(host->files);
	ea_buf_release(&text);
	ea_buf_release(&differences);
	ea_arena_release(&arena);
}

static void check_folder(struct host *host, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[4096];

	while (dir && (entry = readdir(dir))) {
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		/* Those that change the user are secure: their loader does not trace. */
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111) != 0 &&
		    (st.st_mode & (S_ISUID | S_ISGID)) == 0)
			check_program(host, path);
	}
	if (dir)
		closedir(dir);
}

int main(int argc, char **argv)
{
	static const char *const usual[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin" };
	struct host host = { .root = ea_root_host() };
	struct ea_buf text = { 0 };

	ea_elf_init();
	host.files = files_new(host.root);
	if (ea_root_read(host.root, "/proc/cpuinfo", 1 << 24, &text) == 0)
		ea_cpu_from_cpuinfo(ea_buf_str(&text), &host.cpu);
	ea_buf_release(&text);
	for (int i = 1; i < argc; i++)
		check_folder(&host, argv[i]);
	for (size_t i = 0; argc == 1 && i < EA_ARRAY_SIZE(usual); i++)
		check_folder(&host, usual[i]);
	printf("%s 1 - %u programs of this machine, %u differ\n1..1\n",
	       host.failed ? "not ok" : "ok", host.run, host.failed);
	files_free(host.files);
	ea_root_free(host.root);
	return host.failed > 0;
}
