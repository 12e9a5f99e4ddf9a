/* Programs that are asked about a case. */
#include "ask.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/root.h"
#include "loader/loader.h"

static bool is_needed(const struct elf_spec *program, const char *name)
{
	ea_vec_foreach(needed, &program->needed)
		if (ea_streq(*needed, name))
			return true;
	return false;
}

void ask_for_start(struct test_case *test, struct ea_arena *arena)
{
	const char **own =
		ea_arena_array(arena, const char *, test->program.needed.n + test->openings.n + 1);
	uint32_t n = 0;

	ea_vec_foreach(needed, &test->program.needed)
		own[n++] = *needed;
	ea_vec_foreach(opening, &test->openings)
		if (*opening->name && !is_needed(&test->program, opening->name))
			own[n++] = opening->name;
	test->program.needed.items = own;
	test->program.needed.n = test->program.needed.cap = n;
	test->openings.n = 0;
	test->cwd = NULL;
}

static void run(const struct question *question, int out)
{
	dup2(out, STDOUT_FILENO);
	if (question->errors)
		dup2(out, STDERR_FILENO);
	close(out);
	alarm(question->seconds);
	if (question->root && (chroot(question->root) != 0 || chdir("/") != 0))
		_exit(126);
	if (question->env)
		execve(question->argv[0], (char *const *)(uintptr_t)question->argv,
		       (char *const *)(uintptr_t)question->env);
	else
		execv(question->argv[0], (char *const *)(uintptr_t)question->argv);
	_exit(126);
}

int ask(const struct question *question, struct ea_buf *output)
{
	int ends[2], status;
	pid_t pid;
	ssize_t n;

	if (pipe(ends) != 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		run(question, ends[1]);
	}
	close(ends[1]);
	while ((n = read(ends[0], ea_buf_reserve(output, 65536), 65536)) > 0)
		output->len += (size_t)n;
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EIO;
}

char *ask_path(const char *variable, const char *rest)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const char *top = getenv(variable);

	return realpath(ea_arena_printf(&arena, "%s/%s", top ? top : ".", rest), NULL);
}

const char *ask_cpu(void)
{
	static const char *const names[] = { "skylake-avx512", "haswell",   "x86-64-v4",
					     "x86-64-v3",      "x86-64-v2", "x86-64" };
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_root *host = ea_root_host();
	struct ea_cpu own = { 0 }, cpu;
	bool known = ea_root_read(host, "/proc/cpuinfo", 1 << 20, &text) == 0 &&
		     ea_cpu_from_cpuinfo(ea_buf_str(&text), &own) == 0;

	ea_root_free(host);
	for (size_t i = 0; known && i < EA_ARRAY_SIZE(names); i++)
		if (ea_cpu_from_name(names[i], EM_X86_64, &cpu) == 0 && cpu.level == own.level &&
		    ea_streq(cpu.platform, own.platform) &&
		    ea_streq(cpu.capability, own.capability))
			return names[i];
	return NULL;
}
