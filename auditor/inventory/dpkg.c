/* Debian packages that own libraries or known programs: dpkg's status file and lists of files. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/lines.h"
#include "inventory/read.h"

struct dpkg {
	const struct ea_root *root;
	struct ea_inventory *inv;
	const char *folder;   /* "/" */
	const char *database; /* /var/lib/dpkg */
	struct ea_buf path;   /* scratch: a path made absolute */
	uint32_t missing;     /* packages without a list */
};

/* What is wanted of one paragraph of a status file. */
struct paragraph {
	struct ea_buf package, version, arch;
	bool installed, same; /* Multi-Arch: same */
};

static void release_dpkg(struct dpkg *dpkg)
{
	ea_buf_release(&dpkg->path);
}

static void release_paragraph(struct paragraph *paragraph)
{
	ea_buf_release(&paragraph->package);
	ea_buf_release(&paragraph->version);
	ea_buf_release(&paragraph->arch);
}

/* ---- paragraphs -------------------------------------------------------------------------- */

static bool field(struct ea_str line, const char *name, struct ea_str *ret)
{
	if (!ea_str_starts(line, name))
		return false;
	*ret = ea_str_trim(ea_str_skip(line, strlen(name)));
	return true;
}

static void set(struct ea_buf *buf, struct ea_str value)
{
	ea_buf_clear(buf);
	ea_buf_add_str(buf, value);
}

static void take_field(struct paragraph *paragraph, struct ea_str line)
{
	struct ea_str value;

	if (field(line, "Package:", &value))
		set(&paragraph->package, value);
	else if (field(line, "Version:", &value))
		set(&paragraph->version, value);
	else if (field(line, "Architecture:", &value))
		set(&paragraph->arch, value);
	else if (field(line, "Multi-Arch:", &value))
		paragraph->same = ea_str_is(value, "same");
	else if (field(line, "Status:", &value))
		paragraph->installed = !ea_str_ends(value, " not-installed") &&
				       !ea_str_ends(value, " config-files");
}

/* Reads up to an empty line; false at the end of the file. */
static bool next_paragraph(struct ea_lines *lines, struct paragraph *ret)
{
	struct ea_str line;
	bool any = false;

	ea_buf_clear(&ret->package);
	ea_buf_clear(&ret->version);
	ea_buf_clear(&ret->arch);
	ret->installed = true;
	ret->same = false;
	while (ea_lines_next(lines, &line)) {
		if (!line.len && any)
			break;
		any |= line.len > 0;
		take_field(ret, line);
	}
	return any;
}

/* ---- lists of files ---------------------------------------------------------------------- */

static struct ea_component *add_package(struct dpkg *dpkg, const struct paragraph *paragraph,
					const char *list)
{
	struct ea_component *component;

	component =
		ea_inventory_component(dpkg->inv, EA_MANAGER_DPKG, ea_buf_str(&paragraph->package));
	if (paragraph->version.len)
		component->version =
			ea_arena_dup_str(dpkg->inv->arena, ea_buf_str(&paragraph->version));
	if (paragraph->arch.len)
		component->build = ea_arena_dup_str(dpkg->inv->arena, ea_buf_str(&paragraph->arch));
	component->location = ea_arena_dup(dpkg->inv->arena, list);
	component->base = dpkg->folder;
	return component;
}

/*
 * Reads LIST, of which each line is a path, or with MD5 a hash, two blanks and a path. The package
 * becomes a component when it has a file that matters. A negative errno if the list cannot be
 * opened.
 */
static int read_list(struct dpkg *dpkg, const struct paragraph *paragraph, const char *list,
		     bool md5)
{
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	struct ea_component *component = NULL;
	struct ea_record *record;
	struct ea_str line, hash = { 0 };
	int rc = ea_lines_open(dpkg->root, list, EA_LIMIT_RECORD, &lines);

	if (rc < 0)
		return rc;
	while (ea_lines_next(&lines, &line)) {
		if (md5) {
			hash = (struct ea_str){ line.ptr, ea_str_find(line, ' ') };
			line = ea_str_skip(line, hash.len + 2);
		}
		if (lines.cut || !ea_record_matters(line))
			continue;
		if (!component)
			component = add_package(dpkg, paragraph, list);
		ea_inventory_below(&dpkg->path, dpkg->folder, line);
		record = ea_inventory_record(dpkg->inv, component, ea_buf_str(&dpkg->path));
		if (record && ea_inventory_hex(hash, record->digest, 16))
			record->flags |= EA_RECORD_HAS_MD5;
	}
	if (component)
		component->n_files = (uint32_t)lines.number;
	if (lines.error < 0)
		ea_inventory_unread(dpkg->inv, list, lines.error);
	return 0;
}

/* Opening hundreds of lists is most of the work: the caller may want some first. */
static bool is_asked_for(const struct dpkg *dpkg, const char *package)
{
	if (!dpkg->inv->packages)
		return true;
	ea_vec_foreach(pattern, &dpkg->inv->packages->list)
		if (fnmatch(*pattern, package, 0) == 0)
			return !dpkg->inv->others;
	return dpkg->inv->others;
}

/*
 * info/PACKAGE.list, or info/PACKAGE:ARCH.list where several architectures may be installed.
 * Packages for all architectures hold nothing that is linked, and are a third of a system: their
 * lists stay closed.
 */
static void read_installed(struct dpkg *dpkg, const struct paragraph *paragraph)
{
	const char *package = ea_buf_text(&paragraph->package);
	char *plain, *of_arch;
	int rc;

	if (!paragraph->installed || !paragraph->package.len || strchr(package, '/') ||
	    ea_str_is(ea_buf_str(&paragraph->arch), "all") || !is_asked_for(dpkg, package))
		return;
	plain = ea_arena_printf(dpkg->inv->arena, "%s/info/%s.list", dpkg->database, package);
	of_arch = ea_arena_printf(dpkg->inv->arena, "%s/info/%s:%s.list", dpkg->database, package,
				  ea_buf_text(&paragraph->arch));
	rc = read_list(dpkg, paragraph, paragraph->same ? of_arch : plain, false);
	if (rc == -ENOENT)
		rc = read_list(dpkg, paragraph, paragraph->same ? plain : of_arch, false);
	if (rc == -ENOENT)
		dpkg->missing++;
	else if (rc < 0)
		ea_inventory_unread(dpkg->inv, plain, rc);
}

/* ---- databases --------------------------------------------------------------------------- */

static int read_status(struct dpkg *dpkg)
{
	struct paragraph paragraph EA_CLEANUP(release_paragraph) = { 0 };
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	char *status = ea_path_join(dpkg->inv->arena, dpkg->database, "status");
	int rc = ea_lines_open(dpkg->root, status, EA_LIMIT_RECORD, &lines);

	if (rc < 0) {
		ea_inventory_unread(dpkg->inv, status, rc);
		return 1;
	}
	while (next_paragraph(&lines, &paragraph))
		read_installed(dpkg, &paragraph);
	if (lines.error < 0)
		ea_inventory_unread(dpkg->inv, status, lines.error);
	if (dpkg->missing)
		ea_inventory_gap(dpkg->inv, status, EA_GAP_UNREAD,
				 "%u packages have no list of files; theirs are without an owner",
				 dpkg->missing);
	return 0;
}

static bool is_md5sums(const char *name)
{
	return ea_str_ends(ea_str(name), ".md5sums");
}

/* Distroless images have one file a package, status.d/NAME, and beside it NAME.md5sums as its list.
 */
static int read_status_folder(struct dpkg *dpkg)
{
	char *folder = ea_path_join(dpkg->inv->arena, dpkg->database, "status.d");
	struct ea_names names;

	if (!ea_inventory_list(dpkg->inv, dpkg->root, folder, is_md5sums, &names))
		return 1;
	ea_vec_foreach(name, &names.list) {
		struct paragraph paragraph EA_CLEANUP(release_paragraph) = { 0 };
		struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
		char *list = ea_path_join(dpkg->inv->arena, folder, name->text);
		char *status = ea_arena_dup(dpkg->inv->arena, list);
		int rc;

		status[strlen(status) - strlen(".md5sums")] = '\0';
		rc = ea_lines_open(dpkg->root, status, EA_LIMIT_RECORD, &lines);
		if (rc == 0 && next_paragraph(&lines, &paragraph))
			rc = read_list(dpkg, &paragraph, list, true);
		if (rc < 0)
			ea_inventory_unread(dpkg->inv, status, rc);
	}
	return 0;
}

static int by_location(const void *a, const void *b)
{
	const struct ea_component *one = *(struct ea_component *const *)a;
	const struct ea_component *two = *(struct ea_component *const *)b;

	return strcmp(one->location, two->location);
}

int ea_dpkg_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	struct dpkg dpkg EA_CLEANUP(release_dpkg) = { .root = root, .inv = inv };
	uint32_t before = inv->components.n;
	int none, none_there;

	dpkg.folder = ea_arena_dup(inv->arena, folder);
	dpkg.database = ea_path_join(inv->arena, folder, "var/lib/dpkg");
	none = read_status(&dpkg);
	none_there = read_status_folder(&dpkg);
	if (inv->components.n > before)
		qsort(inv->components.items + before, inv->components.n - before,
		      sizeof(*inv->components.items), by_location);
	return none && none_there;
}
