/* Inventories: starting one, and what all its readers share. */
#include "inventory/inventory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "inventory/read.h"

void ea_inventory_init(struct ea_inventory *inv, struct ea_arena *arena)
{
	*inv = (struct ea_inventory){ .arena = arena, .gaps.arena = arena };
}

/* ---- which files matter ----------------------------------------------------------------- */

/* Programs whose owner tells which toolkit is meant. */
static const char *const known_programs[] = {
	"nvcc", "ptxas", "nvlink", "fatbinary", "cudafe++", "cicc", "nvidia-smi",
};

/* python, python3, python3.11 */
static bool is_interpreter(struct ea_str base)
{
	if (!ea_str_starts(base, "python"))
		return false;
	for (size_t i = strlen("python"); i < base.len; i++)
		if (base.ptr[i] != '.' && (base.ptr[i] < '0' || base.ptr[i] > '9'))
			return false;
	return true;
}

/* PATH is cut at its last slash; the part behind it is returned. */
static struct ea_str cut_base(struct ea_str *path)
{
	const char *slash = path->len ? memrchr(path->ptr, '/', path->len) : NULL;
	struct ea_str base = *path;

	path->len = slash ? (size_t)(slash - path->ptr) : 0;
	return slash ? ea_str_skip(base, path->len + 1) : base;
}

bool ea_record_matters(struct ea_str path)
{
	struct ea_str folder = path, base = cut_base(&folder);

	if (ea_path_may_be_library(base))
		return true;
	if (!ea_str_ends(folder, "bin"))
		return false;
	if (is_interpreter(base))
		return true;
	for (size_t i = 0; i < EA_ARRAY_SIZE(known_programs); i++)
		if (ea_str_is(base, known_programs[i]))
			return true;
	return false;
}

/*
 * Programs have no dot in their names. Neither have licences, headers of C++ and data in share, of
 * which there are more.
 */
bool ea_record_is_program(struct ea_str path)
{
	struct ea_str folder = path, base = cut_base(&folder);

	return base.len && ea_str_find(base, '.') == base.len && !ea_str_ends(folder, "-info") &&
	       ea_str_find_str(path, EA_STR(".dist-info/")) == path.len &&
	       ea_str_find_str(path, EA_STR("include/")) == path.len &&
	       ea_str_find_str(path, EA_STR("share/")) == path.len;
}

/* ---- appending -------------------------------------------------------------------------- */

void ea_inventory_unread(struct ea_inventory *inv, const char *path, int error)
{
	if (error == -EA_E_AGAIN)
		inv->again = true;
	else if (error == -EFBIG)
		ea_inventory_gap(inv, path, EA_GAP_LIMIT,
				 "is larger than this tool reads of such a file");
	else if (error != -ENOENT && error != -ENOTDIR)
		ea_inventory_gap(inv, path, EA_GAP_UNREAD, "cannot be read: %s", strerror(-error));
}

void ea_inventory_gap(struct ea_inventory *inv, const char *path, enum ea_gap_kind kind,
		      const char *fmt, ...)
{
	char reason[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	ea_gaps_add(&inv->gaps, path, kind, "%s", reason)->matters = true;
}

void ea_inventory_bad_json(struct ea_inventory *inv, const char *path, const struct ea_json *json)
{
	ea_inventory_gap(inv, path, json->too_deep ? EA_GAP_LIMIT : EA_GAP_UNREAD, "line %lu: %s",
			 ea_json_line(json), json->fault);
}

struct ea_component *ea_inventory_component(struct ea_inventory *inv, enum ea_manager manager,
					    struct ea_str name)
{
	struct ea_component *component = ea_arena_new(inv->arena, struct ea_component);

	component->manager = manager;
	component->name = ea_arena_dup_str(inv->arena, name);
	component->key = ea_component_key(inv->arena, name);
	ea_vec_push(&inv->components, inv->arena, component);
	return component;
}

struct ea_record *ea_inventory_record(struct ea_inventory *inv, struct ea_component *component,
				      struct ea_str path)
{
	struct ea_record *record;

	if (component->records.n == EA_LIMIT_RECORDS)
		return NULL;
	record = ea_vec_add(&component->records, inv->arena);
	record->path = ea_arena_dup_str(inv->arena, path);
	if (component->records.n == EA_LIMIT_RECORDS)
		ea_inventory_gap(inv, component->location, EA_GAP_LIMIT,
				 "lists more than %u libraries; the rest has no owner",
				 EA_LIMIT_RECORDS);
	return record;
}

/* ---- reading ---------------------------------------------------------------------------- */

struct listing {
	struct ea_arena *arena;
	struct ea_names *names;
	bool (*accept)(const char *name);
};

static int add_name(void *arg, const struct ea_entry *entry)
{
	struct listing *listing = arg;
	struct ea_name *name;

	if (listing->accept && !listing->accept(entry->name))
		return 0;
	name = ea_vec_add(&listing->names->list, listing->arena);
	name->text = ea_arena_dup(listing->arena, entry->name);
	name->type = entry->type;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ea_name *)a)->text, ((const struct ea_name *)b)->text);
}

bool ea_inventory_list(struct ea_inventory *inv, const struct ea_root *root, const char *folder,
		       bool (*accept)(const char *name), struct ea_names *ret)
{
	struct listing listing = { inv->arena, ret, accept };
	int rc;

	*ret = (struct ea_names){ 0 };
	rc = ea_root_list(root, folder, add_name, &listing);
	if (rc < 0) {
		ea_inventory_unread(inv, folder, rc);
		return false;
	}
	if (ret->list.n)
		qsort(ret->list.items, ret->list.n, sizeof(*ret->list.items), by_name);
	return true;
}

bool ea_inventory_text(struct ea_inventory *inv, const struct ea_root *root, const char *path,
		       size_t limit, struct ea_buf *ret)
{
	int rc;

	ea_buf_clear(ret);
	rc = ea_root_read(root, path, limit, ret);
	if (rc < 0)
		ea_inventory_unread(inv, path, rc);
	return rc == 0;
}

/* The longest number that is taken. */
#define NUMBER_SIZE 64

static char *number_at(struct ea_arena *arena, struct ea_str text)
{
	struct ea_str number = { text.ptr, 0 };

	while (number.len < text.len && number.len < NUMBER_SIZE &&
	       memchr(".0123456789", text.ptr[number.len], 11))
		number.len++;
	while (ea_str_ends(number, "."))
		number.len--;
	return number.len ? ea_arena_dup_str(arena, number) : NULL;
}

/* Blocks overlap by what a needle and its number may need. */
char *ea_inventory_find_number(struct ea_inventory *inv, const struct ea_root *root,
			       const char *path, struct ea_str needle)
{
	const size_t block = 262144, overlap = needle.len + NUMBER_SIZE;
	struct ea_file *file EA_CLEANUP(ea_file_close_ptr) = NULL;
	char *text EA_CLEANUP(ea_free_ptr) = NULL;
	int rc = ea_root_open(root, path, &file);
	long n;

	if (rc < 0) {
		ea_inventory_unread(inv, path, rc);
		return NULL;
	}
	text = ea_xmalloc(block);
	for (uint64_t at = 0; at < EA_LIMIT_PROGRAM; at += block - overlap) {
		struct ea_str seen = { text, 0 };
		size_t hit;

		n = ea_file_read(file, text, block, at);
		if (n < 0)
			ea_inventory_unread(inv, path, (int)n);
		if (n <= 0)
			break;
		seen.len = (size_t)n;
		hit = ea_str_find_str(seen, needle);
		if (hit < seen.len && (hit + overlap <= seen.len || seen.len < block))
			return number_at(inv->arena, ea_str_skip(seen, hit + needle.len));
		if (seen.len < block)
			break;
	}
	return NULL;
}

bool ea_inventory_is_dir(const struct ea_root *root, const char *path)
{
	struct ea_stat stat;

	return ea_root_stat(root, path, EA_FOLLOW, &stat) == 0 && stat.type == EA_FILE_DIR;
}

/* ---- text ------------------------------------------------------------------------------- */

void ea_inventory_below(struct ea_buf *out, const char *folder, struct ea_str path)
{
	while (ea_str_starts(path, "/"))
		path = ea_str_skip(path, 1);
	ea_path_normalize(out, folder, path);
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool ea_inventory_hex(struct ea_str text, uint8_t *ret, size_t n)
{
	if (text.len != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = hex_value(text.ptr[2 * i]), low = hex_value(text.ptr[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		ret[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* "python3.11", "python3.13t" */
static bool is_python_folder(struct ea_str name)
{
	return ea_str_starts(name, "python") && name.len > strlen("python");
}

struct ea_str ea_site_prefix(const char *site)
{
	struct ea_str whole = ea_str(site), rest = whole;
	struct ea_str packages = cut_base(&rest), python = cut_base(&rest), lib = cut_base(&rest);

	if (!ea_str_is(packages, "site-packages") && !ea_str_is(packages, "dist-packages"))
		return whole;
	if (!is_python_folder(python) || !ea_str_starts(lib, "lib"))
		return whole;
	return rest.len ? rest : EA_STR("/");
}

char *ea_inventory_url(struct ea_arena *arena, struct ea_str url)
{
	size_t scheme = ea_str_find_str(url, EA_STR("://"));
	struct ea_str host = ea_str_skip(url, scheme + strlen("://")), path, user;
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	if (scheme == url.len)
		return ea_arena_dup_str(arena, url);
	path = ea_str_skip(host, ea_str_find(host, '/'));
	host.len -= path.len;
	user.len = host.len ? ea_str_find(host, '@') : 0;
	if (user.len < host.len)
		host = ea_str_skip(host, user.len + 1);
	if (ea_str_starts(path, "/t/")) {
		path = ea_str_skip(path, strlen("/t/"));
		path = ea_str_skip(path, ea_str_find(path, '/'));
	}
	ea_buf_add(&text, url.ptr, scheme + strlen("://"));
	ea_buf_add_str(&text, host);
	ea_buf_add_str(&text, path);
	return ea_arena_dup_str(arena, ea_buf_str(&text));
}
