/* Roots over one folder by each way that there is. */
#include "fs_ways.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fs/folder.h"
#include "unit.h"

static bool have_openat2(void)
{
#ifdef SYS_openat2
	static const uint64_t how[3] = { O_PATH };
	long fd = syscall(SYS_openat2, AT_FDCWD, "/", how, sizeof(how));

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
#else
	return false;
#endif
}

struct ea_root *root_by(enum way way, const char *dir)
{
	enum ea_folder_way folder = way == BY_OPENAT2 ? EA_FOLDER_OPENAT2 : EA_FOLDER_WALK;
	struct ea_root *root = ea_root_new();
	struct ea_source *source;
	struct tree none;
	int r;

	if (way == BY_LAYERS) {
		none = tree_new();
		assert_int_equal(ea_source_folder(none.dir, &source, NULL), 0);
		ea_root_add_layer(root, source, "/", false);
		tree_free(&none);
	}
	r = ea_source_folder_by(dir, folder, &source, NULL);
	if (r == -ENOSYS && !have_openat2()) {
		ea_root_free(root);
		return NULL;
	}
	assert_int_equal(r, 0);
	ea_root_add_layer(root, source, "/", false);
	return root;
}

static const char *error_text(int r)
{
	static const struct {
		int number;
		const char *text;
	} errors[] = {
		{ ENOENT, "!ENOENT" },	  { ENOTDIR, "!ENOTDIR" },
		{ EISDIR, "!EISDIR" },	  { ELOOP, "!ELOOP" },
		{ EPERM, "!EPERM" },	  { EACCES, "!EACCES" },
		{ EFBIG, "!EFBIG" },	  { ENAMETOOLONG, "!ENAMETOOLONG" },
		{ EA_E_AGAIN, "!AGAIN" },
	};

	for (size_t i = 0; i < EA_ARRAY_SIZE(errors); i++)
		if (errors[i].number == -r)
			return errors[i].text;
	return "!?";
}

const char *text_at(const struct ea_root *root, const char *path)
{
	static struct ea_buf buf;
	int r;

	ea_buf_clear(&buf);
	r = ea_root_read(root, path, 1 << 20, &buf);
	return r < 0 ? error_text(r) : ea_buf_text(&buf);
}

const char *real_at(const struct ea_root *root, const char *path, enum ea_follow follow)
{
	static struct ea_buf buf;
	int r;

	ea_buf_clear(&buf);
	r = ea_root_resolve(root, path, follow, &buf);
	return r < 0 ? error_text(r) : ea_buf_text(&buf);
}

struct names {
	char *names[1024];
	size_t n;
};

static int add_name(void *arg, const struct ea_entry *entry)
{
	static const char *const marks[] = {
		[EA_FILE_UNKNOWN] = "?", [EA_FILE_REGULAR] = "", [EA_FILE_DIR] = "/",
		[EA_FILE_LINK] = "@",	 [EA_FILE_OTHER] = "=",
	};
	struct names *names = arg;
	struct ea_buf name = { 0 };

	assert_true(names->n < EA_ARRAY_SIZE(names->names));
	ea_buf_printf(&name, "%s%s ", entry->name, marks[entry->type]);
	names->names[names->n++] = name.ptr;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *names_at(const struct ea_root *root, const char *path)
{
	static struct ea_buf buf;
	struct names names = { 0 };
	int r = ea_root_list(root, path, add_name, &names);

	ea_buf_clear(&buf);
	qsort(names.names, names.n, sizeof(names.names[0]), compare);
	for (size_t i = 0; i < names.n; i++) {
		ea_buf_add_text(&buf, names.names[i]);
		free(names.names[i]);
	}
	return r < 0 ? error_text(r) : ea_buf_text(&buf);
}
