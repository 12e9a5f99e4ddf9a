/* The root file system for cases. */
#include "sandbox_files.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

/* ---- small file work ----------------------------------------------------------------------------
 */

int sandbox_write(const char *path, const void *ptr, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, ptr, len);
	close(fd);
	return n == (ssize_t)len ? 0 : -EIO;
}

int sandbox_read(const char *path, struct ea_buf *out)
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

int sandbox_copy(const char *from, const char *to)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };
	int rc = sandbox_read(from, &content);

	return rc != 0 ? rc : sandbox_write(to, content.ptr, content.len, 0755);
}

/* mkdir -p of the folder above PATH; folders that were made are noted. */
void sandbox_parents(struct sandbox *box, char *path)
{
	for (char *slash = path + strlen(box->dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) == 0)
			ea_vec_push(&box->made, &box->scratch, ea_arena_dup(&box->scratch, path));
		*slash = '/';
	}
}

char *sandbox_path(struct sandbox *box, const char *path)
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
static const char *const musl_interps[] = { "/lib/ld-musl-x86_64.so.1",
					    "/usr/lib/ld-musl-x86_64.so.1",
					    "/lib/ld-musl-aarch64.so.1",
					    "/usr/lib/ld-musl-aarch64.so.1", NULL };
static const char *const lib_dirs[] = { "/lib/x86_64-linux-gnu",
					"/usr/lib/x86_64-linux-gnu",
					"/lib/aarch64-linux-gnu",
					"/usr/lib/aarch64-linux-gnu",
					"/lib64",
					"/usr/lib64",
					"/lib",
					NULL };
/* Ubuntu's ldconfig is a script around the real one. */
static const char *const ldconfigs[] = { "/sbin/ldconfig.real", "/sbin/ldconfig",
					 "/usr/sbin/ldconfig", NULL };

static int install(struct sandbox *box, const char *from, const char *to)
{
	char *target = sandbox_path(box, to);
	char *real = realpath(from, NULL);
	int rc;

	sandbox_parents(box, target);
	rc = sandbox_copy(real ? real : from, target);
	free(real);
	return rc;
}

/* Another machine's programs run under qemu. */
static int install_qemu(struct sandbox *box, const char *interp)
{
	if (!strstr(interp, "aarch64"))
		return 0;
	elf_machine = EM_AARCH64;
#ifdef __aarch64__
	return 0;
#else
	box->emulated = true;
	return install(box, "/usr/bin/qemu-aarch64-static", SANDBOX_QEMU);
#endif
}

/* musl is one file. Its list of folders is for the cases to write. */
static int install_musl(struct sandbox *box, const char *root, const char *interp,
			const char *driver)
{
	int rc;

	box->musl = true;
	box->lib_dir = ea_arena_dup(&box->arena, "/lib");
	box->interp = ea_arena_printf(&box->arena, "/lib/%s", ea_path_base(interp));
	rc = install(box, ea_arena_printf(&box->arena, "%s%s", root, interp), box->interp);
	if (rc == 0)
		rc = install_qemu(box, interp);
	return rc == 0 ? install(box, driver, SANDBOX_DRIVER) : rc;
}

/* The loader, the C library and what the driver needs, out of ROOT or of this process. */
static int install_base(struct sandbox *box, const char *root, const char *driver)
{
	const char *own[2] = { NULL, NULL }, *interp, *lib, *ldconfig, *libc;
	int rc;

	if (root) {
		interp = find_in(box, root, musl_interps);
		if (interp)
			return install_musl(box, root, interp, driver);
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
		rc = install_qemu(box, interp);
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
	proc = sandbox_path(box, "/proc");
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
	mkdir(sandbox_path(box, "/etc"), 0755);
	mkdir(sandbox_path(box, SANDBOX_CASE), 0755);
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
	char *from = ea_arena_printf(&box->scratch, "/%s", name), *to = sandbox_path(box, from);
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
