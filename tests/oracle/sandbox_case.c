/* Building a case in the sandbox, and running it. */
#include "sandbox_files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int build_elf(struct sandbox *box, const char *path, const struct elf_spec *elf, mode_t mode)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };

	elf_write(elf, &box->scratch, &content);
	return sandbox_write(path, content.ptr, content.len, mode);
}

static int run_ldconfig(struct sandbox *box, const char *folders)
{
	char *command = ea_arena_printf(&box->scratch,
					"/sbin/ldconfig -C /etc/ld.so.cache -f /etc/ld.so.conf %s",
					folders ? folders : "");
	char *argv[64], *word, *rest = command;
	int n = 0, status;
	pid_t pid;

	if (!box->has_ldconfig)
		return -ENOSYS;
	while ((word = strsep(&rest, " ")) && n < 63)
		if (*word)
			argv[n++] = word;
	argv[n] = NULL;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		int fd = open("/dev/null", O_WRONLY);

		dup2(fd, 2);
		if (chroot(box->dir) == 0 && chdir("/") == 0)
			execv("/sbin/ldconfig", argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status == 0 ? 0 : -EIO;
}

static int build_item(struct sandbox *box, const struct item *item)
{
	char *path = sandbox_path(box, item->path);
	int rc = 0;

	if (item->kind == ITEM_CACHE)
		return 0;
	if (item->kind == ITEM_MODE)
		return chmod(path, (mode_t)strtoul(item->text, NULL, 8)) == 0 ? 0 : -errno;
	if (item->kind == ITEM_LDCONFIG) {
		ea_vec_push(&box->made, &box->scratch, sandbox_path(box, "/etc/ld.so.cache"));
		return run_ldconfig(box, item->text);
	}
	sandbox_parents(box, path);
	switch (item->kind) {
	case ITEM_ELF:
		rc = build_elf(box, path, &item->elf, 0644);
		break;
	case ITEM_TEXT:
		rc = sandbox_write(path, item->text, strlen(item->text), 0644);
		break;
	case ITEM_LINK:
		rc = symlink(item->text, path) == 0 ? 0 : -errno;
		break;
	case ITEM_HARD:
		rc = link(sandbox_path(box, item->text), path) == 0 ? 0 : -errno;
		break;
	case ITEM_COPY:
		rc = sandbox_copy(sandbox_path(box, item->text), path);
		break;
	case ITEM_DIR:
		rc = mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : -errno;
		break;
	case ITEM_MODE:
	case ITEM_CACHE:
	case ITEM_LDCONFIG:
		break;
	}
	if (rc == 0)
		ea_vec_push(&box->made, &box->scratch, path);
	return rc;
}

static int build_cache(struct sandbox *box, const struct test_case *test)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };
	char *path = sandbox_path(box, "/etc/ld.so.cache");
	bool any = false;

	ea_vec_foreach(item, &test->items)
		any |= item->kind == ITEM_CACHE;
	if (!any)
		return 0;
	ldcache_write(test, &box->scratch, &content);
	ea_vec_push(&box->made, &box->scratch, path);
	return sandbox_write(path, content.ptr, content.len, 0644);
}

static int build_program(struct sandbox *box, const struct test_case *test)
{
	struct elf_spec program = test->program;
	char *path = sandbox_path(box, SANDBOX_PROGRAM);

	program.interp = box->interp;
	program.needed.cap = program.needed.n;
	ea_vec_push(&program.needed, &box->scratch, SANDBOX_DRIVER);
	ea_vec_push(&box->made, &box->scratch, path);
	return build_elf(box, path, &program, 0755);
}

int sandbox_build(struct sandbox *box, const struct test_case *test, struct ea_err *err)
{
	int rc;

	if (test->cwd)
		sandbox_parents(
			box, sandbox_path(box, ea_arena_printf(&box->scratch, "%s/", test->cwd)));

	ea_vec_foreach(item, &test->items) {
		rc = build_item(box, item);
		if (rc != 0)
			return ea_err_errno(err, -rc, "%s: %s", test->name, item->path);
	}
	rc = build_cache(box, test);
	if (rc == 0)
		rc = build_program(box, test);
	return rc == 0 ? 0 : ea_err_errno(err, -rc, "%s", test->name);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	return ftw->level == 0 ? 0 : remove(path);
}

void sandbox_clear(struct sandbox *box)
{
	/* Everything, for ldconfig makes links of its own. */
	nftw(sandbox_path(box, SANDBOX_CASE), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	while (box->made.n > 0) {
		const char *path = box->made.items[--box->made.n];

		if (unlink(path) != 0)
			rmdir(path);
	}
	box->made.items = NULL;
	box->made.cap = 0;
	ea_arena_release(&box->scratch);
}

static char **make_argv(struct sandbox *box, const struct test_case *test)
{
	char **argv = ea_arena_array(&box->scratch, char *, test->openings.n + 3);
	uint32_t n = 0;

	if (box->emulated)
		argv[n++] = ea_arena_dup(&box->scratch, SANDBOX_QEMU);
	argv[n++] = ea_arena_dup(&box->scratch, SANDBOX_PROGRAM);
	ea_vec_foreach(opening, &test->openings)
		argv[n++] = ea_arena_printf(&box->scratch, "%x:%s:%s", (unsigned)opening->flags,
					    opening->from ? opening->from : "", opening->name);
	return argv;
}

static char **make_env(struct sandbox *box, const struct test_case *test)
{
	char **env = ea_arena_array(&box->scratch, char *, test->env.n + 2);
	uint32_t n = 0;

	ea_vec_foreach(variable, &test->env)
		env[n++] = ea_arena_printf(&box->scratch, "%s=%s", variable->name, variable->value);
	env[n] = ea_arena_dup(&box->scratch,
			      box->no_bindings ? "LD_DEBUG=libs" : "LD_DEBUG=libs,bindings");
	return env;
}

int sandbox_run(struct sandbox *box, const struct test_case *test, struct ea_buf *output,
		int *ret_status, struct ea_err *err)
{
	char **argv = make_argv(box, test), **env = make_env(box, test);
	const char *cwd = test->cwd ? test->cwd : "/";
	char *log = sandbox_path(box, "/log");
	int fd = open(log, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600), rc;
	pid_t pid;

	if (fd < 0)
		return ea_err_errno(err, errno, "%s", log);
	pid = vfork();
	if (pid == 0) {
		if (chroot(box->dir) == 0 && chdir(cwd) == 0 && dup2(fd, 1) == 1 &&
		    dup2(fd, 2) == 2) {
			alarm(10);
			execve(argv[0], argv, env);
		}
		_exit(126);
	}
	close(fd);
	if (pid < 0)
		return ea_err_errno(err, errno, "vfork");
	while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
		;
	rc = sandbox_read(log, output);
	return rc == 0 ? 0 : ea_err_errno(err, -rc, "%s", log);
}
