/* Candidates: which names are looked into, and what one file gives. */
#include "scan/candidate.h"

#include "base/path.h"
#include "elf/elf.h"

/* Folders whose files without a dot are text by definition. */
static bool is_text_folder(const char *dir)
{
	struct ea_str path = ea_str(dir);

	return ea_str_ends(path, ".dist-info") || ea_str_ends(path, ".egg-info") ||
	       ea_str_ends(path, "/licenses");
}

bool ea_candidate_is_file(const struct ea_walk *walk, enum ea_walk_mode mode, const char *dir,
			  const char *name)
{
	if (mode == EA_WALK_FAMILIES)
		return ea_libraries_find(walk->libraries, NULL, name) != NULL;
	return walk->deep || ea_path_may_be_library(ea_str(name)) ||
	       (!strchr(name, '.') && !is_text_folder(dir));
}

bool ea_candidate_is_link(const struct ea_walk *walk, enum ea_walk_mode mode, const char *name)
{
	if (mode == EA_WALK_FAMILIES)
		return ea_libraries_find(walk->libraries, NULL, name) != NULL;
	/* A session starts from an interpreter, by whatever name. */
	return ea_path_may_be_library(ea_str(name)) || ea_str_starts(ea_str(name), "python");
}

bool ea_candidate_is_kept(const char *path, const struct ea_elf *elf)
{
	return elf->format == EA_FORMAT_ELF ||
	       (elf->format != EA_FORMAT_UNREAD &&
		ea_path_is_library_name(ea_str(ea_path_base(path))));
}

static int read_facts(struct ea_walk *walk, struct ea_worker *worker, struct ea_file *file,
		      const char *path, struct ea_elf *elf)
{
	struct ea_elf fresh = { 0 };
	int rc = ea_elf_read(file, path, &worker->arena, &worker->gaps, &fresh);

	if (rc)
		return rc;
	if (fresh.format == EA_FORMAT_ELF) {
		fresh.family = ea_libraries_find(walk->libraries, fresh.soname, ea_path_base(path));
		if (fresh.family)
			rc = ea_elf_read_version(file, fresh.family, &worker->arena, &fresh);
		if (!rc && fresh.family && fresh.family->gpu_code && walk->arches)
			rc = ea_elf_read_arches(file, path, &worker->arena, &worker->gaps, &fresh);
	}
	if (rc == -EA_E_AGAIN)
		return rc;
	if (rc < 0)
		ea_gaps_add(&worker->gaps, path, EA_GAP_UNREAD, "cannot read the version: %s",
			    strerror(-rc));
	*elf = fresh;
	return 0;
}

/* As ea_candidate_read(); ANY: whatever the file holds, *ret is set unless it cannot be read. */
static int read_copy(struct ea_walk *walk, struct ea_worker *worker, const char *real, bool any,
		     struct ea_copy **ret)
{
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *file = NULL;
	bool library = ea_path_may_be_library(ea_str(ea_path_base(real)));
	bool first = true;
	struct ea_elf *elf;
	struct ea_copy *copy;
	int rc = ea_root_open_real(walk->root, real, &file);

	if (rc) {
		if (library)
			ea_gaps_add(&worker->gaps, real, EA_GAP_UNREAD, "cannot open: %s",
				    strerror(-rc));
		return any ? rc : 1;
	}
	/* A program that nobody may execute is data. */
	if (!any && !library && !walk->deep && !(file->stat.mode & 0111))
		return 1;
	elf = file->stat.nlink > 1
		      ? ea_seen_elf(&walk->seen, file->stat.dev, file->stat.ino, &first)
		      : ea_arena_new(&worker->arena, struct ea_elf);
	if (first || (any && elf->format == EA_FORMAT_UNREAD)) {
		rc = read_facts(walk, worker, file, real, elf);
		if (rc == -EA_E_AGAIN) {
			ea_seen_unclaim(&walk->seen, file->stat.dev, file->stat.ino);
			return rc;
		}
		if (rc < 0)
			ea_gaps_add(&worker->gaps, real, EA_GAP_UNREAD, "cannot read: %s",
				    strerror(-rc));
		if (rc || (!any && !ea_candidate_is_kept(real, elf)))
			return any ? rc : 1;
	}
	copy = ea_arena_new(&worker->arena, struct ea_copy);
	copy->path = copy->real = ea_arena_dup(&worker->arena, real);
	copy->elf = elf;
	copy->family = ea_libraries_find(walk->libraries, NULL, ea_path_base(real));
	*ret = copy;
	return 0;
}

int ea_candidate_read(struct ea_walk *walk, struct ea_worker *worker, const char *real,
		      struct ea_copy **ret)
{
	return read_copy(walk, worker, real, false, ret);
}

int ea_candidate_read_any(struct ea_walk *walk, struct ea_worker *worker, const char *real,
			  struct ea_copy **ret)
{
	return read_copy(walk, worker, real, true, ret);
}
