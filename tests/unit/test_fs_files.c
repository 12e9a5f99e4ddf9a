/* fs: what is opened and what is not, reading, names of any bytes. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fs_ways.h"

static int open_error(const struct ea_root *root, const char *path, bool real)
{
	struct ea_file *file = NULL;
	int r = real ? ea_root_open_real(root, path, &file) : ea_root_open(root, path, &file);

	assert_true((r == 0) == (file != NULL));
	ea_file_close(file);
	return r;
}

static void make_socket(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(strlen(path) < sizeof(addr.sun_path));
	memcpy(addr.sun_path, path, strlen(path) + 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
}

/*
 * A writer that may not block can only open a FIFO while a reader has it open: it would notice.
 * The device is one without a driver: opening it would be ENXIO.
 */
static void only_regular_files_are_opened(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	bool device;

	(void)state;
	assert_int_equal(mkfifo(tree_path(&tree, "fifo"), 0644), 0);
	device = mknod(tree_path(&tree, "device"), S_IFCHR | 0644, makedev(0, 0)) == 0;
	make_socket(tree_path(&tree, "socket"));
	tree_link(&tree, "link", "fifo");
	tree_file(&tree, "dir/file", "x");
	tree_link(&tree, "file", "dir/file");
	alarm(20);
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		for (int real = 0; real < 2; real++) {
			assert_int_equal(open_error(root, "/fifo", real), -EPERM);
			assert_int_equal(open_error(root, "/dir", real), -EISDIR);
			assert_int_equal(open_error(root, "/dir/file", real), 0);
		}
		assert_int_equal(open_error(root, "/socket", false), -EPERM);
		assert_int_equal(open_error(root, "/link", false), -EPERM);
		assert_int_equal(open_error(root, "/file", true), -ELOOP);
		if (device)
			assert_int_equal(open_error(root, "/device", false), -EPERM);
		ea_root_free(root);
	}
	alarm(0);
}

/* Counts, in a child that keeps trying, how often somebody had the FIFO open for reading. */
static pid_t watch_fifo(const char *path)
{
	pid_t pid = fork();
	int fd;

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0)
			_exit(1);
	}
}

static void a_fifo_is_not_even_opened_for_a_moment(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(mkfifo(tree_path(&tree, "fifo"), 0644), 0);
	pid = watch_fifo(tree_path(&tree, "fifo"));
	assert_true(pid > 0);
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		for (int i = 0; i < 3000; i++)
			assert_int_equal(open_error(root, "/fifo", false), -EPERM);
		ea_root_free(root);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static void reads_are_bounded(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	char buf[16] = "";

	(void)state;
	tree_file(&tree, "ten", "0123456789");
	tree_file(&tree, "empty", "");
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);
		struct ea_file *file;

		if (!root)
			continue;
		assert_int_equal(ea_root_open(root, "/ten", &file), 0);
		assert_int_equal(file->stat.size, 10);
		assert_int_equal(file->stat.type, EA_FILE_REGULAR);
		assert_int_equal(file->stat.mode, 0644);
		assert_int_equal(ea_file_read(file, buf, 16, 0), 10);
		assert_memory_equal(buf, "0123456789", 10);
		assert_int_equal(ea_file_read(file, buf, 4, 8), 2);
		assert_int_equal(ea_file_read(file, buf, 4, 10), 0);
		assert_int_equal(ea_file_read(file, buf, 4, 11), 0);
		assert_int_equal(ea_file_read(file, buf, 4, INT64_MAX), 0);
		assert_int_equal(ea_file_read(file, buf, 4, UINT64_MAX), 0);
		assert_int_equal(ea_file_read_full(file, buf, 4, 6), 0);
		assert_memory_equal(buf, "6789", 4);
		assert_int_equal(ea_file_read_full(file, buf, 4, 7), -ENODATA);
		assert_int_equal(ea_file_read_full(file, buf, 0, 10), 0);
		assert_true(file->fd >= 0);
		assert_int_equal(fcntl(file->fd, F_GETFD), FD_CLOEXEC);
		ea_file_close(file);
		assert_int_equal(ea_root_open(root, "/empty", &file), 0);
		assert_int_equal(ea_file_read_full(file, buf, 1, 0), -ENODATA);
		ea_file_close(file);
		ea_root_free(root);
	}
}

static void whole_files_have_a_limit(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	EA_CLEANUP(ea_buf_release) struct ea_buf buf = { 0 };
	struct ea_root *root = ea_root_host();

	(void)state;
	tree_file(&tree, "ten", "0123456789");
	assert_int_equal(ea_root_read(root, tree_path(&tree, "ten"), 9, &buf), -EFBIG);
	ea_buf_add_text(&buf, "x");
	assert_int_equal(ea_root_read(root, tree_path(&tree, "ten"), 10, &buf), 0);
	assert_string_equal(buf.ptr, "x0123456789");
	assert_int_equal(buf.len, 11);
	/* What is too large is not even read: here it would not fit into memory. */
	assert_int_equal(truncate(tree_path(&tree, "ten"), (off_t)1 << 40), 0);
	assert_int_equal(ea_root_read(root, tree_path(&tree, "ten"), 1 << 20, &buf), -EFBIG);
	/* Files of /proc say size 0, and give a page at a time. */
	ea_buf_clear(&buf);
	assert_int_equal(ea_root_read(root, "/proc/self/smaps", 1 << 20, &buf), 0);
	assert_true(buf.len > 5000);
	assert_int_equal(strlen(buf.ptr), buf.len);
	ea_buf_clear(&buf);
	assert_int_equal(ea_root_read(root, "/proc/self/smaps", 5000, &buf), -EFBIG);
	assert_string_equal(ea_buf_text(&buf), "");
	ea_root_free(root);
}

static void a_file_may_change_while_it_is_read(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	struct ea_root *root = root_by(BY_WALK, tree.dir);
	struct ea_file *file;
	char buf[16];

	(void)state;
	tree_file(&tree, "file", "0123456789");
	assert_int_equal(ea_root_open(root, "/file", &file), 0);
	assert_int_equal(truncate(tree_path(&tree, "file"), 4), 0);
	assert_int_equal(ea_file_read(file, buf, 10, 0), 4);
	assert_int_equal(ea_file_read_full(file, buf, 2, 6), -ENODATA);
	tree_file(&tree, "file", "0123456789abcd");
	assert_int_equal(ea_file_read_full(file, buf, 14, 0), 0);
	ea_file_close(file);
	ea_root_free(root);
}

static void names_are_bytes(void **state)
{
	static const char *const names[] = {
		"new\nline", "\xff\xfe", "e\xcc\x81", " ",  "-rf",
		"a\\b",	     "..x",	 "...",	      ".h", "\x1b[31m"
	};
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	char path[32];

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		tree_file(&tree, names[i], names[i]);
		snprintf(path, sizeof(path), "link%zu", i);
		tree_link(&tree, path, names[i]);
	}
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
			snprintf(path, sizeof(path), "/%s", names[i]);
			assert_string_equal(text_at(root, path), names[i]);
			assert_non_null(strstr(names_at(root, "/"), names[i]));
			snprintf(path, sizeof(path), "/link%zu", i);
			assert_string_equal(text_at(root, path), names[i]);
		}
		ea_root_free(root);
	}
}

/* More entries than one getdents64 gives. */
static void large_folders_come_whole(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	char name[256];

	(void)state;
	memset(name, 'n', sizeof(name));
	for (int i = 0; i < 800; i++) {
		snprintf(name + 240, 8, "%d", i);
		tree_file(&tree, name, "");
	}
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);
		const char *names;
		size_t n = 0;

		if (!root)
			continue;
		names = names_at(root, "/");
		for (; *names; names++)
			n += *names == ' ';
		assert_int_equal(n, 800);
		ea_root_free(root);
	}
}

/* Root may read all; so another user looks, in a child. */
static int look_as_nobody(const struct tree *tree)
{
	struct ea_stat stat;
	int bad = 0;

	if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		return 77;
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree->dir);

		if (!root)
			continue;
		bad |= strcmp(names_at(root, "/closed"), "!EACCES") != 0;
		bad |= strcmp(text_at(root, "/closed/x"), "!EACCES") != 0;
		bad |= strcmp(text_at(root, "/secret"), "!EACCES") != 0;
		bad |= ea_root_stat(root, "/secret", EA_FOLLOW, &stat) != 0;
		bad |= ea_root_stat(root, "/closed", EA_FOLLOW, &stat) != 0;
		/* A folder that may be passed but not listed. */
		bad |= strcmp(names_at(root, "/passage"), "!EACCES") != 0;
		bad |= strcmp(text_at(root, "/passage/x"), "x") != 0;
		/* Files of another user have no O_NOATIME: that must not stop us. */
		bad |= strcmp(text_at(root, "/open"), "open") != 0;
		bad |= open_error(root, "/open", true) != 0;
		ea_root_free(root);
	}
	return bad;
}

static void what_may_not_be_read_is_eacces(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	int status;
	pid_t pid;

	(void)state;
	tree_file(&tree, "closed/x", "x");
	tree_file(&tree, "passage/x", "x");
	tree_file(&tree, "secret", "secret");
	tree_file(&tree, "open", "open");
	chmod(tree_path(&tree, "closed"), 0);
	chmod(tree_path(&tree, "passage"), 0711);
	chmod(tree_path(&tree, "secret"), 0);
	pid = fork();
	if (pid == 0)
		_exit(look_as_nobody(&tree));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		print_message("needs root to become another user\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void reading_keeps_the_access_time(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 2000 } };
	struct stat st;

	(void)state;
	tree_file(&tree, "file", "x");
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		utimensat(AT_FDCWD, tree_path(&tree, "file"), old, 0);
		assert_string_equal(text_at(root, "/file"), "x");
		assert_int_equal(stat(tree_path(&tree, "file"), &st), 0);
		assert_int_equal(st.st_atim.tv_sec, 1000);
		ea_root_free(root);
	}
}

static void a_root_needs_a_folder(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	struct ea_root *root;
	struct ea_err err;

	(void)state;
	tree_file(&tree, "file", "x");
	assert_int_equal(ea_root_folder(tree_path(&tree, "file"), &root, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "/file: "));
	assert_int_equal(ea_root_folder(tree_path(&tree, "nothing"), &root, &err), -ENOENT);
	assert_int_equal(ea_root_folder("", &root, &err), -ENOENT);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(only_regular_files_are_opened),
	cmocka_unit_test(a_fifo_is_not_even_opened_for_a_moment),
	cmocka_unit_test(reads_are_bounded),
	cmocka_unit_test(whole_files_have_a_limit),
	cmocka_unit_test(a_file_may_change_while_it_is_read),
	cmocka_unit_test(names_are_bytes),
	cmocka_unit_test(large_folders_come_whole),
	cmocka_unit_test(what_may_not_be_read_is_eacces),
	cmocka_unit_test(reading_keeps_the_access_time),
	cmocka_unit_test(a_root_needs_a_folder),
};

UNIT_MAIN(tests)
