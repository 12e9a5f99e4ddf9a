/* The walk: folders are jobs, large folders are split into batches of files. */
#include "scan/walk.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "scan/candidate.h"

#define BATCH 48u /* files that one job reads */

struct folder_job {
	struct ea_job job;
	struct ea_walk *walk;
	enum ea_walk_mode mode;
	unsigned depth;
	bool is_conda; /* a conda prefix; known once it is listed */
	char path[];
};

struct files_job {
	struct ea_job job;
	struct ea_walk *walk;
	const char *dir; /* in the arena of the worker that listed it */
	uint32_t n;
	const char *names[BATCH];
};

struct inventory_job {
	struct ea_job job;
	struct ea_walk *walk;
	ea_inventory_fn fn;
	char folder[];
};

struct listed {
	const char *name;
	enum ea_file_type type;
};

struct listing {
	struct ea_arena *arena;
	EA_VEC(struct listed) entries;
};

void ea_walk_init(struct ea_walk *walk, const struct ea_root *root,
		  const struct ea_libraries *libraries, struct ea_pool *pool)
{
	*walk = (struct ea_walk){ .root = root, .libraries = libraries, .pool = pool };
	ea_seen_init(&walk->seen);
	for (unsigned i = 0; i < ea_pool_size(pool); i++) {
		struct ea_worker *worker = ea_pool_worker(pool, i);

		worker->data = ea_arena_new(&worker->arena, struct ea_walk_found);
	}
}

void ea_walk_release(struct ea_walk *walk)
{
	ea_seen_release(&walk->seen);
}

static int collect(void *arg, const struct ea_entry *entry)
{
	struct listing *listing = arg;

	ea_vec_push(&listing->entries, listing->arena,
		    ((struct listed){ ea_arena_dup(listing->arena, entry->name), entry->type }));
	return 0;
}

/* ---- files
 * ---------------------------------------------------------------------------------------- */

static void keep(struct ea_worker *worker, struct ea_copy *copy)
{
	struct ea_walk_found *found = worker->data;

	if (copy)
		ea_vec_push(&found->copies, &worker->arena, copy);
}

static void read_files(struct ea_worker *worker, struct ea_job *job)
{
	struct files_job *files = (struct files_job *)job;
	struct ea_walk_found *found = worker->data;
	struct files_job *again = NULL;

	for (uint32_t i = 0; i < files->n; i++) {
		struct ea_copy *copy = NULL;
		const char *path = ea_path_join(&worker->scratch, files->dir, files->names[i]);

		if (ea_candidate_read(files->walk, worker, path, &copy) != -EA_E_AGAIN) {
			keep(worker, copy);
			continue;
		}
		if (!again) {
			again = ea_xmalloc(sizeof(*again));
			*again = (struct files_job){ .job.run = read_files,
						     .walk = files->walk,
						     .dir = files->dir };
			ea_vec_push(&found->again, &worker->arena, &again->job);
		}
		again->names[again->n++] = files->names[i];
	}
	free(files);
}

struct ea_copy *ea_walk_read(struct ea_walk *walk, struct ea_worker *worker, const char *real)
{
	struct ea_copy *copy = NULL;

	return ea_candidate_read(walk, worker, real, &copy) == 0 ? copy : NULL;
}

/* ---- folders
 * -------------------------------------------------------------------------------------- */

static void walk_folder(struct ea_worker *worker, struct ea_job *job);

static void push_folder(struct ea_walk *walk, const char *path, enum ea_walk_mode mode,
			unsigned depth)
{
	size_t len = strlen(path);
	struct folder_job *folder = ea_xmalloc(sizeof(*folder) + len + 1);

	*folder = (struct folder_job){
		.job.run = walk_folder, .walk = walk, .mode = mode, .depth = depth
	};
	memcpy(folder->path, path, len + 1);
	ea_pool_push(walk->pool, &folder->job);
}

/* Package records that lie in a folder of this name are read by a job of the inventory. */
static void notice_records(struct ea_walk *walk, struct ea_worker *worker, const char *dir,
			   const char *name)
{
	if (ea_streq(name, "site-packages") || ea_streq(name, "dist-packages"))
		ea_walk_site(walk, ea_path_join(&worker->scratch, dir, name));
	else if (ea_streq(name, "conda-meta"))
		ea_walk_inventory(walk, ea_conda_read, dir);
}

/* Folders that hold no library that a process could get. */
static bool is_passed_over(struct ea_worker *worker, const struct folder_job *folder,
			   const char *name)
{
	if (ea_streq(name, "__pycache__"))
		return !folder->walk->deep;
	if (ea_streq(name, "__clobbers__")) /* rattler's loser of two files with one path */
		return true;
	if (folder->path[1] == '\0') /* the top of a root: kernel file systems */
		return ea_streq(name, "proc") || ea_streq(name, "sys") || ea_streq(name, "dev");
	if (folder->is_conda && ea_streq(name, "pkgs")) {
		ea_gaps_add(&worker->gaps, ea_path_join(&worker->scratch, folder->path, name),
			    EA_GAP_IGNORED, "a cache of packages, from which nothing is loaded");
		return true;
	}
	/* Environments below the one that is audited are targets of their own. */
	return folder->is_conda && folder->depth == 0 && ea_streq(name, "envs");
}

static void enter_folder(struct ea_worker *worker, struct folder_job *folder, const char *name)
{
	const char *path;

	notice_records(folder->walk, worker, folder->path, name);
	if (is_passed_over(worker, folder, name))
		return;
	path = ea_path_join(&worker->scratch, folder->path, name);
	if (folder->depth >= EA_LIMIT_DEPTH)
		ea_gaps_add(&worker->gaps, path, EA_GAP_LIMIT,
			    "more than %u folders deep, not entered", EA_LIMIT_DEPTH);
	else if (ea_seen_first(&folder->walk->seen, path))
		push_folder(folder->walk, path, folder->mode, folder->depth + 1);
}

static void keep_link(struct ea_worker *worker, const struct folder_job *folder, const char *name)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	const char *path = ea_path_join(&worker->arena, folder->path, name);
	struct ea_copy *copy;
	int rc = ea_root_readlink(folder->walk->root, path, &text);

	if (rc) {
		ea_gaps_add(&worker->gaps, path, EA_GAP_UNREAD, "cannot read the link: %s",
			    strerror(-rc));
		return;
	}
	copy = ea_arena_new(&worker->arena, struct ea_copy);
	copy->path = path;
	copy->link = ea_arena_dup_str(&worker->arena, ea_buf_str(&text));
	copy->link_state = EA_LINK_OK; /* until it is followed */
	copy->family = ea_libraries_find(folder->walk->libraries, NULL, name);
	keep(worker, copy);
}

static enum ea_file_type type_of(struct ea_worker *worker, const struct folder_job *folder,
				 const struct listed *entry)
{
	struct ea_stat st;

	if (entry->type != EA_FILE_UNKNOWN)
		return entry->type;
	if (ea_root_stat(folder->walk->root,
			 ea_path_join(&worker->scratch, folder->path, entry->name), EA_NOFOLLOW,
			 &st))
		return EA_FILE_OTHER;
	return st.type;
}

static void add_file(struct ea_worker *worker, struct folder_job *folder, struct files_job **batch,
		     const char *name)
{
	if (!*batch) {
		*batch = ea_xmalloc(sizeof(**batch));
		**batch = (struct files_job){ .job.run = read_files,
					      .walk = folder->walk,
					      .dir = ea_arena_dup(&worker->arena, folder->path) };
	}
	(*batch)->names[(*batch)->n++] = ea_arena_dup(&worker->arena, name);
	if ((*batch)->n == BATCH)
		ea_pool_push(folder->walk->pool, &EA_TAKE(*batch)->job);
}

static void walk_folder(struct ea_worker *worker, struct ea_job *job)
{
	struct folder_job *folder = (struct folder_job *)job;
	struct listing listing = { .arena = &worker->scratch };
	struct files_job *batch = NULL;
	int rc = ea_root_list(folder->walk->root, folder->path, collect, &listing);

	if (rc)
		ea_gaps_add(&worker->gaps, folder->path, EA_GAP_UNREAD,
			    "cannot list the folder: %s", strerror(-rc));
	folder->walk->n_files += listing.entries.n;
	ea_vec_foreach(entry, &listing.entries)
		folder->is_conda |= ea_streq(entry->name, "conda-meta");
	ea_vec_foreach(entry, &listing.entries) {
		enum ea_file_type type = type_of(worker, folder, entry);

		if (type == EA_FILE_DIR && folder->mode == EA_WALK_TREE)
			enter_folder(worker, folder, entry->name);
		else if (type == EA_FILE_LINK &&
			 ea_candidate_is_link(folder->walk, folder->mode, entry->name))
			keep_link(worker, folder, entry->name);
		else if (type == EA_FILE_OTHER && ea_path_is_library_name(ea_str(entry->name)))
			ea_gaps_add(&worker->gaps,
				    ea_path_join(&worker->scratch, folder->path, entry->name),
				    EA_GAP_IGNORED,
				    "a device, FIFO or socket, which is never opened");
		else if (type == EA_FILE_REGULAR && ea_candidate_is_file(folder->walk, folder->mode,
									 folder->path, entry->name))
			add_file(worker, folder, &batch, entry->name);
	}
	if (batch)
		read_files(worker, &batch->job);
	free(folder);
}

int ea_walk_folder(struct ea_walk *walk, const char *path, enum ea_walk_mode mode)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	struct ea_stat st;

	if (ea_root_resolve(walk->root, path, EA_FOLLOW, &real) ||
	    ea_root_stat(walk->root, ea_buf_text(&real), EA_NOFOLLOW, &st) ||
	    st.type != EA_FILE_DIR)
		return 1;
	if (ea_seen_first(&walk->seen, ea_buf_text(&real)))
		push_folder(walk, ea_buf_text(&real), mode, 0);
	return 0;
}

void ea_walk_file(struct ea_walk *walk, const char *path)
{
	struct ea_worker *worker = ea_pool_worker(walk->pool, 0);
	struct files_job *files = ea_xmalloc(sizeof(*files));

	*files = (struct files_job){ .job.run = read_files, .walk = walk, .n = 1 };
	files->dir = ea_arena_dup_str(&worker->arena, ea_path_dir(path));
	files->names[0] = ea_arena_dup(&worker->arena, ea_path_base(path));
	ea_pool_push(walk->pool, &files->job);
}

/* ---- inventory
 * ------------------------------------------------------------------------------------ */

static void run_inventory(struct ea_worker *worker, struct ea_job *job)
{
	struct inventory_job *inventory = (struct inventory_job *)job;
	struct ea_walk_found *found = worker->data;
	struct ea_inventory *inv = ea_arena_new(&worker->arena, struct ea_inventory);
	int rc;

	ea_inventory_init(inv, &worker->arena);
	rc = inventory->fn(inventory->walk->root, inventory->folder, inv);
	if (inv->again) {
		ea_vec_push(&found->again, &worker->arena, job);
		return;
	}
	if (rc == 0 || inv->gaps.list.n)
		ea_vec_push(&found->inventories, &worker->arena, inv);
	free(inventory);
}

void ea_walk_site(struct ea_walk *walk, const char *folder)
{
	ea_walk_inventory(walk, ea_dist_info_read, folder);
	ea_walk_inventory(walk, ea_claims_read, folder);
}

void ea_walk_inventory(struct ea_walk *walk, ea_inventory_fn fn, const char *folder)
{
	size_t len = strlen(folder);
	struct inventory_job *job = ea_xmalloc(sizeof(*job) + len + 1);
	char key[EA_LIMIT_PATH + 32];

	snprintf(key, sizeof(key), "%p:%s", (void *)(uintptr_t)fn, folder);
	*job = (struct inventory_job){ .job.run = run_inventory, .walk = walk, .fn = fn };
	memcpy(job->folder, folder, len + 1);
	if (ea_seen_first(&walk->seen, key))
		ea_pool_push(walk->pool, &job->job);
	else
		free(job);
}

/* ---- running
 * -------------------------------------------------------------------------------------- */

static bool requeue(struct ea_walk *walk)
{
	bool any = false;

	for (unsigned i = 0; i < ea_pool_size(walk->pool); i++) {
		struct ea_walk_found *found = ea_pool_worker(walk->pool, i)->data;

		ea_vec_foreach(job, &found->again) {
			ea_pool_push(walk->pool, *job);
			any = true;
		}
		found->again.n = 0;
	}
	return any;
}

int ea_walk_run(struct ea_walk *walk, struct ea_root *root, void (*tick)(void *arg), void *arg,
		struct ea_err *err)
{
	do {
		int rc;

		ea_pool_run(walk->pool, tick, arg);
		rc = ea_root_advance(root, err);
		if (rc < 0)
			return rc;
	} while (requeue(walk));
	return 0;
}
