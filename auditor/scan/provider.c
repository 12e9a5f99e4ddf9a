/* The provider over a scanned world: paths. Each is asked of the file system once. */
#include "scan/provider.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/table.h"
#include "scan/candidate.h"
#include "scan/objects.h"

/*
 * Names that a folder may lack before it is listed as a whole. Most folders are asked for what they
 * have; those of a search path are asked for everything.
 */
#define MISSES 2u

struct name {
	UT_hash_handle hh;
	bool asked; /* error and opened are the answer; else a listing has the name */
	int error;
	struct ea_opened opened;
	struct ea_str content; /* of a file that was read; NULL = not yet */
	size_t content_limit;
	char text[];
};

struct folder {
	UT_hash_handle hh;
	int error;	  /* errno of looking into it */
	const char *real; /* after all symbolic links */
	struct name *names;
	unsigned n_missed;
	bool listed;	 /* what is not among the names is not there */
	bool unlistable; /* each name has to be asked for */
	bool has_listing;
	struct ea_names listing; /* sorted, as provide_list() gave it */
	char path[];
};

struct ea_scan_provider {
	struct ea_provider provider;
	struct ea_walk *walk;
	struct ea_world *world;
	struct ea_paths *paths;
	struct ea_arena arena;
	struct folder *folders;
	struct ea_objects objects;
};

/* ---- folders --------------------------------------------------------------------------------- */

static struct name *find_name(const struct folder *folder, const char *text)
{
	struct name *name;

	HASH_FIND(hh, folder->names, text, (unsigned)strlen(text), name);
	return name;
}

static struct name *add_name(struct ea_scan_provider *p, struct folder *folder, const char *text)
{
	size_t len = strlen(text);
	struct name *name = find_name(folder, text);

	if (name)
		return name;
	name = ea_arena_alloc(&p->arena, sizeof(*name) + len + 1);
	memcpy(name->text, text, len + 1);
	HASH_ADD(hh, folder->names, text, (unsigned)len, name);
	return name;
}

struct listing {
	struct ea_scan_provider *p;
	struct folder *folder;
	struct ea_names *names;
};

static int add_entry(void *arg, const struct ea_entry *entry)
{
	struct listing *listing = arg;

	(void)add_name(listing->p, listing->folder, entry->name);
	return 0;
}

static void list_folder(struct ea_scan_provider *p, struct folder *folder)
{
	struct listing listing = { .p = p, .folder = folder };

	/* One that may be searched but not listed has names all the same. */
	folder->listed = ea_root_list(p->walk->root, folder->real, add_entry, &listing) == 0;
	folder->unlistable = !folder->listed;
}

/* Where the name BASE of the real folder DIR leads to, and what is there. */
static int look_at(struct ea_scan_provider *p, const char *dir, const char *base,
		   const char **ret_real, struct ea_stat *ret_stat)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	const char *path = ea_path_join(&p->arena, dir, base);
	int rc = ea_root_stat(p->walk->root, path, EA_NOFOLLOW, ret_stat);

	if (!rc && ret_stat->type == EA_FILE_LINK) {
		rc = ea_root_resolve(p->walk->root, path, EA_FOLLOW, &real);
		if (!rc)
			rc = ea_root_stat(p->walk->root, ea_buf_text(&real), EA_NOFOLLOW, ret_stat);
		path = rc ? NULL : ea_arena_dup_str(&p->arena, ea_buf_str(&real));
	}
	if (!rc)
		*ret_real = path;
	return -rc;
}

/* FOLDER is known to lack BASE: 0, or the errno for it. */
static int known_absent(const struct folder *folder, const char *base)
{
	if (!folder->listed)
		return 0;
	return find_name(folder, base) ? 0 : strlen(base) > NAME_MAX ? ENAMETOOLONG : ENOENT;
}

static void count_miss(struct ea_scan_provider *p, struct folder *folder)
{
	if (++folder->n_missed == MISSES && !folder->unlistable)
		list_folder(p, folder);
}

static struct folder *find_folder(struct ea_scan_provider *p, struct ea_str path);

/* Fills in what FOLDER is, from the folder that it is in. */
static void enter(struct ea_scan_provider *p, struct folder *folder)
{
	const char *base = ea_path_base(folder->path);
	struct folder *parent;
	struct ea_stat st;

	if (!*base) {
		folder->real = "/";
		return;
	}
	parent = find_folder(p, ea_path_dir(folder->path));
	folder->error = parent->error;
	if (folder->error)
		return;
	if (ea_streq(base, ".")) {
		folder->real = parent->real;
	} else if (ea_streq(base, "..")) {
		folder->real = ea_arena_dup_str(&p->arena, ea_path_dir(parent->real));
	} else {
		folder->error = known_absent(parent, base);
		if (folder->error)
			return;
		folder->error = look_at(p, parent->real, base, &folder->real, &st);
		if (folder->error == ENOENT)
			count_miss(p, parent);
		if (!folder->error && st.type != EA_FILE_DIR)
			folder->error = ENOTDIR;
	}
}

static struct folder *find_folder(struct ea_scan_provider *p, struct ea_str path)
{
	struct folder *folder;

	while (path.len > 1 && path.ptr[path.len - 1] == '/')
		path.len--;
	HASH_FIND(hh, p->folders, path.ptr, (unsigned)path.len, folder);
	if (folder)
		return folder;
	folder = ea_arena_alloc(&p->arena, sizeof(*folder) + path.len + 1);
	memcpy(folder->path, path.ptr, path.len);
	enter(p, folder);
	HASH_ADD(hh, p->folders, path, (unsigned)path.len, folder);
	return folder;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void set_opened(struct ea_scan_provider *p, struct ea_opened *ret,
		       const struct ea_copy *copy)
{
	*ret = (struct ea_opened){
		.elf = copy->elf, .dev = copy->elf->dev, .ino = copy->elf->ino, .real = copy->real
	};
	ea_objects_add(&p->objects, copy->elf, copy->real);
}

/* A copy of the world that leads to a file. */
static const struct ea_copy *known(const struct ea_scan_provider *p, const char *path)
{
	const struct ea_copy *copy = ea_paths_find(p->paths, path);

	return copy && copy->elf && copy->real && copy->elf->format != EA_FORMAT_UNREAD ? copy
											: NULL;
}

/* A file that the walk did not keep; whatever it holds, the loader has an opinion on it. */
static int read_file(struct ea_scan_provider *p, const char *real, struct ea_opened *ret)
{
	struct ea_worker *worker = ea_pool_worker(p->walk->pool, 0);
	struct ea_copy *copy;
	int rc = ea_candidate_read_any(p->walk, worker, real, &copy);

	ea_arena_reset(&worker->scratch);
	if (rc)
		return -rc;
	ea_paths_add(p->paths, &p->world->arena, copy);
	if (ea_candidate_is_kept(real, copy->elf))
		ea_vec_push(&p->world->copies, &p->world->arena, copy);
	set_opened(p, ret, copy);
	return 0;
}

/* BASE is a name in the real folder DIR. */
static int open_name(struct ea_scan_provider *p, const char *dir, const char *base,
		     struct ea_opened *ret)
{
	const struct ea_copy *copy = known(p, ea_path_join(&p->arena, dir, base));
	struct ea_stat st;
	const char *real;
	int error;

	if (!copy) {
		error = look_at(p, dir, base, &real, &st);
		if (error)
			return error;
		if (st.type == EA_FILE_DIR) {
			*ret = (struct ea_opened){
				.is_dir = true, .dev = st.dev, .ino = st.ino, .real = real
			};
			return 0;
		}
		if (st.type != EA_FILE_REGULAR)
			return ENXIO;
		copy = known(p, real);
		if (!copy)
			return read_file(p, real, ret);
	}
	set_opened(p, ret, copy);
	return 0;
}

/* A path that names a folder by its form. */
static int open_folder(struct ea_scan_provider *p, const char *path, struct ea_opened *ret)
{
	const struct folder *folder = find_folder(p, ea_str(path));
	struct ea_stat st;
	int rc;

	if (folder->error)
		return folder->error;
	rc = ea_root_stat(p->walk->root, folder->real, EA_NOFOLLOW, &st);
	if (!rc)
		*ret = (struct ea_opened){
			.is_dir = true, .dev = st.dev, .ino = st.ino, .real = folder->real
		};
	return -rc;
}

/* What this process lacks is no answer of the loader's. */
static void note_own_trouble(struct ea_scan_provider *p, const char *path, int error)
{
	if (error == EMFILE || error == ENFILE || error == ENOMEM)
		ea_gaps_add(&p->world->gaps, path, EA_GAP_UNREAD, "cannot be opened here: %s",
			    strerror(error))
			->matters = true;
}

static int provide_open(void *ctx, const char *path, struct ea_opened *ret)
{
	struct ea_scan_provider *p = ctx;
	struct folder *folder = find_folder(p, ea_path_dir(path));
	const char *base = ea_path_base(path);
	struct name *name;
	int error = folder->error ? folder->error : known_absent(folder, base);

	if (!*base || ea_streq(base, ".") || ea_streq(base, ".."))
		return open_folder(p, path, ret);
	if (error)
		return error;
	name = add_name(p, folder, base);
	if (!name->asked) {
		name->asked = true;
		name->error = open_name(p, folder->real, base, &name->opened);
		if (name->error == ENOENT)
			count_miss(p, folder);
		note_own_trouble(p, path, name->error);
	}
	if (!name->error)
		*ret = name->opened;
	return name->error;
}

static int provide_dir(void *ctx, const char *path)
{
	return find_folder(ctx, ea_str(path))->error;
}

static int add_listed(void *arg, const struct ea_entry *entry)
{
	struct listing *listing = arg;

	ea_vec_push(&listing->names->list, &listing->p->arena,
		    ea_arena_dup(&listing->p->arena, entry->name));
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const char *const *name_a = a, *const *name_b = b;

	return strcmp(*name_a, *name_b);
}

static int provide_list(void *ctx, const char *path, struct ea_names *ret)
{
	struct ea_scan_provider *p = ctx;
	struct folder *folder = find_folder(p, ea_str(path));
	struct ea_names names = { 0 };
	struct listing listing = { .p = p, .names = &names };
	int rc;

	if (folder->error)
		return folder->error;
	if (!folder->has_listing) {
		rc = -ea_root_list(p->walk->root, folder->real, add_listed, &listing);
		if (rc)
			return rc;
		if (names.list.n)
			qsort(names.list.items, names.list.n, sizeof(*names.list.items),
			      compare_names);
		folder->has_listing = true;
		folder->listing = names;
	}
	*ret = folder->listing;
	return 0;
}

static const char *provide_version(void *ctx, const struct ea_elf *elf)
{
	(void)ctx;
	return elf->exact_version ? elf->exact_version : elf->claims ? elf->claims->text : NULL;
}

static int provide_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_scan_provider *p = ctx;
	struct folder *folder = find_folder(p, ea_path_dir(path));
	struct name *name = find_name(folder, ea_path_base(path));
	int rc;

	if (name && name->content.ptr && name->content_limit == limit) {
		*ret = name->content;
		return 0;
	}
	rc = ea_root_read(p->walk->root, path, limit, &text);
	if (rc)
		return -rc;
	*ret = (struct ea_str){ ea_arena_dup_str(&p->arena, ea_buf_str(&text)), text.len };
	name = add_name(p, folder, ea_path_base(path));
	name->content = *ret;
	name->content_limit = limit;
	return 0;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static uint32_t provide_lookup(void *ctx, const struct ea_elf *elf, const char *name,
			       uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max)
{
	struct ea_scan_provider *p = ctx;

	return ea_objects_lookup(&p->objects, elf, name, gnu_hash, ret, max);
}

static uint32_t provide_undefined(void *ctx, const struct ea_elf *elf,
				  const struct ea_undefined **ret)
{
	struct ea_scan_provider *p = ctx;

	return ea_objects_undefined(&p->objects, elf, ret);
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct ea_scan_provider *ea_scan_provider_new(struct ea_walk *walk, struct ea_world *world,
					      struct ea_paths *paths)
{
	struct ea_scan_provider *p = ea_xmalloc(sizeof(*p));

	*p = (struct ea_scan_provider){
		.provider = { .ctx = p,
			      .open = provide_open,
			      .dir = provide_dir,
			      .read = provide_read,
			      .list = provide_list,
			      .version = provide_version,
			      .lookup = provide_lookup,
			      .undefined = provide_undefined },
		.walk = walk,
		.world = world,
		.paths = paths,
	};
	ea_objects_init(&p->objects, walk->root, &p->arena, &world->gaps);
	return p;
}

const struct ea_provider *ea_scan_provider_get(const struct ea_scan_provider *provider)
{
	return &provider->provider;
}

void ea_scan_provider_free(struct ea_scan_provider *p)
{
	struct folder *folder, *next;

	if (!p)
		return;
	HASH_ITER(hh, p->folders, folder, next)
		HASH_CLEAR(hh, folder->names);
	HASH_CLEAR(hh, p->folders);
	ea_objects_release(&p->objects);
	ea_arena_release(&p->arena);
	free(p);
}
