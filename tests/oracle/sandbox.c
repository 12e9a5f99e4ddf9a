/* The root file system for cases. */
#include "sandbox.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"

/* ---- small file work ----------------------------------------------------------------------------
 */

static int write_file(const char *path, const void *ptr, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, ptr, len);
	close(fd);
	return n == (ssize_t)len ? 0 : -EIO;
}

static int read_file(const char *path, struct ea_buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		n = read(fd, ea_buf_reserve(out, 65536), 65536);
		if (n > 0)
			out->len += (size_t)n;
	} while (n > 0);
	close(fd);
	return n < 0 ? -EIO : 0;
}

static int copy_file(const char *from, const char *to)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };
	int rc = read_file(from, &content);

	return rc != 0 ? rc : write_file(to, content.ptr, content.len, 0755);
}

/* mkdir -p of the folder above PATH; folders that were made are noted. */
static void make_parents(struct sandbox *box, char *path)
{
	for (char *slash = path + strlen(box->dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) == 0)
			ea_vec_push(&box->made, &box->scratch, ea_arena_dup(&box->scratch, path));
		*slash = '/';
	}
}

static char *host_path(struct sandbox *box, const char *path)
{
	return ea_arena_printf(&box->scratch, "%s%s", box->dir, path);
}

/* ---- the base -----------------------------------------------------------------------------------
 */

static int find_own(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char **paths = arg, *base = strrchr(info->dlpi_name, '/');

	(void)size;
	if (!base)
		return 0;
	if (strncmp(base, "/libc.so", 8) == 0)
		paths[0] = info->dlpi_name;
	if (strncmp(base, "/ld-", 4) == 0)
		paths[1] = info->dlpi_name;
	return 0;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The first of "ROOT" + candidate that exists. */
static const char *find_in(struct sandbox *box, const char *root, const char *const *candidates)
{
	for (; *candidates; candidates++) {
		const char *path = ea_arena_printf(&box->arena, "%s%s", root, *candidates);
		char *real = realpath(path, NULL);
		bool found = real || exists(path);

		free(real);
		if (found)
			return *candidates;
	}
	return NULL;
}

static const char *const interps[] = { "/lib64/ld-linux-x86-64.so.2",
				       "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
				       "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
				       "/usr/lib64/ld-linux-x86-64.so.2",
				       "/lib/ld-linux-aarch64.so.1",
				       "/usr/lib/ld-linux-aarch64.so.1",
				       "/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
				       NULL };
static const char *const lib_dirs[] = { "/lib/x86_64-linux-gnu",
					"/usr/lib/x86_64-linux-gnu",
					"/lib/aarch64-linux-gnu",
					"/usr/lib/aarch64-linux-gnu",
					"/lib64",
					"/usr/lib64",
					NULL };
static const char *const ldconfigs[] = { "/sbin/ldconfig", "/usr/sbin/ldconfig", NULL };

static int install(struct sandbox *box, const char *from, const char *to)
{
	char *target = host_path(box, to);
	char *real = realpath(from, NULL);
	int rc;

	make_parents(box, target);
	rc = copy_file(real ? real : from, target);
	free(real);
	return rc;
}

/* The loader, the C library and what the driver needs, out of ROOT or of this process. */
static int install_base(struct sandbox *box, const char *root, const char *driver)
{
	const char *own[2] = { NULL, NULL }, *interp, *lib, *ldconfig, *libc;
	int rc;

	if (root) {
		interp = find_in(box, root, interps);
		lib = NULL;
		for (const char *const *dir = lib_dirs; *dir && !lib; dir++)
			if (exists(ea_arena_printf(&box->arena, "%s%s/libc.so.6", root, *dir)))
				lib = *dir;
		if (!interp || !lib)
			return -ENOENT;
		interp = ea_arena_printf(&box->arena, "%s%s", root, interp);
	} else {
		dl_iterate_phdr(find_own, own);
		if (!own[0] || !own[1])
			return -ENOENT;
		root = "";
		lib = ea_arena_dup_str(&box->arena, ea_path_dir(own[0]));
		interp = own[1];
	}
	/* Where programs of this machine look for it, whatever this root's own files are called. */
	box->interp = ea_arena_dup(&box->arena, strstr(interp, "aarch64")
							? "/lib/ld-linux-aarch64.so.1"
							: "/lib64/ld-linux-x86-64.so.2");
	if (ea_str_starts(ea_str(lib), "/usr/lib"))
		lib += 4;
	box->lib_dir = ea_arena_dup(&box->arena, lib);
	libc = ea_arena_printf(&box->arena, "%s%s/libc.so.6", root, lib);
	if (!exists(libc))
		libc = ea_arena_printf(&box->arena, "%s/usr%s/libc.so.6", root, lib);
	rc = install(box, interp, box->interp);
	if (rc == 0)
		rc = install(box, libc, ea_arena_printf(&box->arena, "%s/libc.so.6", lib));
	libc = ea_arena_printf(&box->arena, "%.*s/libdl.so.2", (int)ea_path_dir(libc).len, libc);
	if (rc == 0)
		rc = install(box, libc, ea_arena_printf(&box->arena, "%s/libdl.so.2", lib));
	if (rc == 0)
		rc = install(box, driver, SANDBOX_DRIVER);
	ldconfig = find_in(box, root, ldconfigs);
	if (ldconfig && install(box, ea_arena_printf(&box->arena, "%s%s", root, ldconfig),
				"/sbin/ldconfig") == 0)
		box->has_ldconfig = true;
	return rc;
}

static int enter_namespaces(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();
	char map[64];
	int fd;

	if (unshare(uid == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0)
		return -errno;
	if (uid == 0)
		return 0;
	snprintf(map, sizeof(map), "0 %u 1\n", (unsigned)uid);
	fd = open("/proc/self/uid_map", O_WRONLY);
	if (fd < 0 || write(fd, map, strlen(map)) < 0)
		return -errno;
	close(fd);
	fd = open("/proc/self/setgroups", O_WRONLY);
	if (fd >= 0 && write(fd, "deny\n", 5) > 0)
		close(fd);
	snprintf(map, sizeof(map), "0 %u 1\n", (unsigned)gid);
	fd = open("/proc/self/gid_map", O_WRONLY);
	if (fd < 0 || write(fd, map, strlen(map)) < 0)
		return -errno;
	close(fd);
	return 0;
}

/* An empty root on a file system of its own, with /proc. */
static int mount_root(struct sandbox *box, struct ea_err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *proc;
	int rc;

	*box = (struct sandbox){ 0 };
	box->dir = ea_arena_printf(&box->arena, "%s/oracle-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	rc = enter_namespaces();
	if (rc != 0) {
		ea_err_errno(err, -rc, "no mount namespace");
		return 1;
	}
	if (!mkdtemp(box->dir))
		return ea_err_errno(err, errno, "%s", box->dir);
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("oracle", box->dir, "tmpfs", 0, "mode=755") != 0) {
		ea_err_errno(err, errno, "no mount on %s", box->dir);
		rmdir(box->dir);
		return 1;
	}
	proc = host_path(box, "/proc");
	mkdir(proc, 0755);
	if (mount("/proc", proc, NULL, MS_BIND | MS_REC, NULL) != 0) {
		ea_err_errno(err, errno, "no mount on %s", proc);
		return 1;
	}
	return 0;
}

static int finish_root(struct sandbox *box, int rc, const char *root, struct ea_err *err)
{
	if (rc != 0)
		return ea_err_errno(err, -rc, "the loader of %s", root ? root : "this machine");
	mkdir(host_path(box, "/etc"), 0755);
	mkdir(host_path(box, SANDBOX_CASE), 0755);
	box->made.n = box->made.cap = 0;
	box->made.items = NULL;
	ea_arena_release(&box->scratch);
	return 0;
}

int sandbox_open(struct sandbox *box, const char *root, const char *driver, struct ea_err *err)
{
	int rc = mount_root(box, err);

	return rc != 0 ? rc : finish_root(box, install_base(box, root, driver), root, err);
}

/* A folder or link of the machine's root, seen inside. */
static int show_entry(struct sandbox *box, const char *name)
{
	char *from = ea_arena_printf(&box->scratch, "/%s", name), *to = host_path(box, from);
	char target[256];
	ssize_t len = readlink(from, target, sizeof(target) - 1);

	if (len > 0) {
		target[len] = '\0';
		return symlink(target, to) == 0 ? 0 : -errno;
	}
	if (mkdir(to, 0755) != 0)
		return 0; /* is there already, or is no folder */
	return mount(from, to, NULL, MS_BIND | MS_REC, NULL) == 0 ? 0 : -errno;
}

int sandbox_open_host(struct sandbox *box, const char *driver, struct ea_err *err)
{
	static const char *const shown[] = { "usr", "lib", "lib64", "bin", "etc", "opt" };
	const char *own[2] = { NULL, NULL };
	int rc = mount_root(box, err);

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]) && rc == 0; i++)
		if (exists(ea_arena_printf(&box->scratch, "/%s", shown[i])))
			rc = show_entry(box, shown[i]);
	dl_iterate_phdr(find_own, own);
	if (rc == 0 && (!own[0] || !own[1]))
		rc = -ENOENT;
	if (rc == 0) {
		box->interp = ea_arena_dup(&box->arena, own[1]);
		box->lib_dir = ea_arena_dup_str(&box->arena, ea_path_dir(own[0]));
		rc = install(box, driver, SANDBOX_DRIVER);
	}
	return finish_root(box, rc, NULL, err);
}

/* ---- cases --------------------------------------------------------------------------------------
 */

static int build_elf(struct sandbox *box, const char *path, const struct elf_spec *elf, mode_t mode)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };

	elf_write(elf, &box->scratch, &content);
	return write_file(path, content.ptr, content.len, mode);
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
	char *path = host_path(box, item->path);
	int rc = 0;

	if (item->kind == ITEM_CACHE)
		return 0;
	if (item->kind == ITEM_MODE)
		return chmod(path, (mode_t)strtoul(item->text, NULL, 8)) == 0 ? 0 : -errno;
	if (item->kind == ITEM_LDCONFIG) {
		ea_vec_push(&box->made, &box->scratch, host_path(box, "/etc/ld.so.cache"));
		return run_ldconfig(box, item->text);
	}
	make_parents(box, path);
	switch (item->kind) {
	case ITEM_ELF:
		rc = build_elf(box, path, &item->elf, 0644);
		break;
	case ITEM_TEXT:
		rc = write_file(path, item->text, strlen(item->text), 0644);
		break;
	case ITEM_LINK:
		rc = symlink(item->text, path) == 0 ? 0 : -errno;
		break;
	case ITEM_HARD:
		rc = link(host_path(box, item->text), path) == 0 ? 0 : -errno;
		break;
	case ITEM_COPY:
		rc = copy_file(host_path(box, item->text), path);
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
	char *path = host_path(box, "/etc/ld.so.cache");
	bool any = false;

	ea_vec_foreach(item, &test->items)
		any |= item->kind == ITEM_CACHE;
	if (!any)
		return 0;
	ldcache_write(test, &box->scratch, &content);
	ea_vec_push(&box->made, &box->scratch, path);
	return write_file(path, content.ptr, content.len, 0644);
}

static int build_program(struct sandbox *box, const struct test_case *test)
{
	struct elf_spec program = test->program;
	char *path = host_path(box, SANDBOX_PROGRAM);

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
		make_parents(box, host_path(box, ea_arena_printf(&box->scratch, "%s/", test->cwd)));

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
	nftw(host_path(box, SANDBOX_CASE), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
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
	char **argv = ea_arena_array(&box->scratch, char *, test->openings.n + 2);
	uint32_t n = 0;

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
	char *log = host_path(box, "/log");
	int fd = open(log, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600), rc;
	pid_t pid;

	if (fd < 0)
		return ea_err_errno(err, errno, "%s", log);
	pid = vfork();
	if (pid == 0) {
		if (chroot(box->dir) == 0 && chdir(cwd) == 0 && dup2(fd, 1) == 1 &&
		    dup2(fd, 2) == 2) {
			alarm(10);
			execve(SANDBOX_PROGRAM, argv, env);
		}
		_exit(126);
	}
	close(fd);
	if (pid < 0)
		return ea_err_errno(err, errno, "vfork");
	while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
		;
	rc = read_file(log, output);
	return rc == 0 ? 0 : ea_err_errno(err, -rc, "%s", log);
}
