/*
 * The state of a process, for the files of loader/ alone. Maps are known by their ids: immutable
 * records (struct ea_map) are shared between forks, what changes lies in arrays that a fork copies.
 * The names of ld.so's own fields are given where it helps to compare.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "loader/cache.h"
#include "loader/facts.h"
#include "loader/loader.h"
#include "loader/policy.h"

#define EA_NONE UINT32_MAX

/* A list of map ids; never changed once it can be seen, replaced instead. */
struct ea_ids {
	const uint32_t *ids;
	uint32_t n;
};

enum ea_list_state {
	EA_LIST_UNREAD,
	EA_LIST_GONE, /* there is none, or none of its folders exists */
	EA_LIST_READY,
};

/* A list of folders to search: indices of process->dirs. */
struct ea_dir_list {
	const uint32_t *dirs;
	uint32_t n;
	enum ea_list_state state;
};

enum ea_dir_status {
	EA_DIR_UNKNOWN,
	EA_DIR_MISSING,
	EA_DIR_EXISTS,
};

/* A folder that some list names (r_search_path_elem); all lists share it and what is known of it.
 */
struct ea_dir {
	struct ea_str name;  /* with a final slash; empty is the current folder */
	uint32_t hash, next; /* chain of process->dir_buckets */
	uint32_t list;	     /* the last list that took it up */
};

/* A name by which a map is found. */
struct ea_name {
	const char *text;
	uint32_t hash, next; /* chain of process->name_buckets */
	uint32_t map;
	bool only_soname; /* matches a request, but was not asked for yet (l_soname_added) */
};

/* One list of maps in the scope of a map: the search list of MAP, or MAP alone. */
struct ea_scope_entry {
	uint32_t map;
	bool alone; /* DT_SYMBOLIC */
};

/* An entry of l_versions: what an index of .gnu.version stands for. */
struct ea_version_name {
	const char *name; /* NULL = unversioned */
	const char *file; /* of the Verneed entry; NULL for a definition */
	uint32_t hash;
	bool hidden;
};

struct ea_map_state {
	const struct ea_map *map;
	struct ea_dir_list rpath, runpath;
	/* l_searchlist; ids NULL until it is a root. The program's is the global scope and grows.
	 */
	struct ea_ids searchlist;
	struct ea_ids order; /* l_initfini: itself, then its dependencies */
	EA_VEC(struct ea_scope_entry) scope;
	const struct ea_version_name
		*versions; /* l_versions; NULL until checked, or if there are none */
	uint32_t n_versions;
	uint32_t root; /* the first of its chain of loaders */
	uint32_t pos;  /* in process->list; EA_NONE = not in it */
	bool removed, global, relocated, inited, walked, reserved, visited;
	bool in_table; /* known to _dl_find_object() */
	/* musl only */
	const char *short_name; /* by which a request finds it; NULL if it came by path */
	uint32_t needed_by;	/* whose search asked for it first; EA_NONE = nobody */
	bool lazy;		/* what it lacks behind PLT slots is left for later */
};

struct ea_process {
	struct ea_process_setup setup;
	struct ea_launch launch;
	struct ea_arena *arena;
	const struct ea_provider *provider;
	struct ea_loader_facts facts;
	struct ea_policy policy;
	uint16_t machine; /* of the program */
	uint8_t elf_class;

	EA_VEC(struct ea_map_state) maps; /* by id */
	EA_VEC(uint32_t) list;		  /* _ns_loaded: ids in order */
	EA_VEC(struct ea_name) names;
	uint32_t *name_buckets;
	uint32_t n_name_buckets;	/* a power of 2 */
	EA_VEC(struct ea_name) uniques; /* STB_GNU_UNIQUE symbols and who defines them */

	EA_VEC(struct ea_dir) dirs;
	uint32_t *dir_buckets;
	uint32_t n_dir_buckets;
	uint32_t n_lists;
	const struct ea_str *capabilities; /* subfolders with a final slash, "" last */
	uint32_t n_capabilities;
	uint8_t *dir_status; /* enum ea_dir_status, n_capabilities for each folder */
	size_t dir_status_cap;
	struct ea_dir_list library_path, system_path;

	struct ea_ld_cache cache;
	enum { EA_CACHE_UNREAD, EA_CACHE_READ, EA_CACHE_NONE } cache_state;

	const char *argv0;
	const char *cwd;
	int error; /* ld.so's errno */
	bool bind_now, dynamic_weak, execstack, started, dead;
	uint32_t initfirst; /* map with DF_1_INITFIRST */
	uint32_t tries_left;
	struct ea_request *root; /* the start or dlopen under way */
	struct {
		uint32_t interp;	  /* map of musl itself */
		uint32_t misses;	  /* errors that were printed at start */
		const char *system_list;  /* sys_path; NULL until it is needed */
		EA_VEC(uint32_t) globals; /* whose symbols everybody sees, in order */
	} musl;
	EA_VEC(const char *) assumptions;

	/* The error under way, as in ld.so's struct dl_exception. */
	struct {
		enum ea_outcome outcome;
		const char *object, *text;
		int code;
	} failure;
};

/* ---- process.c ---- */
struct ea_map_state *ea_state(struct ea_process *process, uint32_t id);
const struct ea_elf *ea_elf_of(const struct ea_process *process, uint32_t id);
bool ea_is_libc(const struct ea_process *process, uint32_t id);
const char *ea_env(const struct ea_process *process, const char *name);
uint32_t ea_hash(struct ea_str text);
void ea_assume(struct ea_process *process, const char *text);

/* Sets the failure: what _dl_signal_error() throws; returns -1. */
int ea_fail(struct ea_process *process, int code, const char *object, const char *text);

/* The same for what ends the process at once. */
int ea_fail_hard(struct ea_process *process, enum ea_outcome outcome, const char *text);

/* The failure as dlerror() words it. */
const char *ea_failure_text(struct ea_process *process);

/* The name of a map in messages: its path, or that of the program. */
const char *ea_map_name(const struct ea_process *process, uint32_t id);

struct ea_request *ea_request_add(struct ea_process *process, enum ea_request_kind kind,
				  const char *name, uint32_t requester);

/* ---- names.c ---- */
void ea_name_add(struct ea_process *process, uint32_t map, const char *text, bool only_soname);
uint32_t ea_name_find(struct ea_process *process, const char *text); /* _dl_lookup_map */
bool ea_name_is(const struct ea_process *process, uint32_t map, const char *text);
uint32_t ea_name_needed(const struct ea_process *process, const char *text); /* find_needed */

/* ---- dirs.c ---- */
void ea_dirs_start(struct ea_process *process); /* the lists that do not depend on maps */
bool ea_dirs_of(struct ea_process *process, uint32_t map, struct ea_dir_list *list,
		const char *text); /* cache_rpath */
bool ea_expand(struct ea_process *process, uint32_t map, const char *text, const char **ret_text);
uint8_t *ea_dir_status(struct ea_process *process, uint32_t dir);

/* ---- hwcaps.c ---- */
void ea_hwcaps_start(struct ea_process *process);

/* ---- candidate.c ---- */
enum ea_verdict {
	EA_VERDICT_GOOD,
	EA_VERDICT_SKIP,
	EA_VERDICT_OTHER_CLASS, /* skipped, and remembered for the error text */
	EA_VERDICT_FATAL,
};

/* What open_verify() makes of a file that could be opened; *ret_text where it is not good. */
enum ea_verdict ea_candidate(const struct ea_process *process, const struct ea_opened *opened,
			     const char **ret_text, int *ret_code);

/* What _dl_map_object_from_fd() does not accept; NULL = all is well, and the stack as it has to be.
 */
const char *ea_unmappable(struct ea_process *process, const struct ea_elf *elf, bool dlopened,
			  int *ret_code);

/* Whole pages of a segment are missing in the file: touching them kills the process. */
bool ea_is_cut(const struct ea_elf *elf);

/* ---- search.c ---- */
struct ea_found {
	struct ea_opened opened;
	const char *path; /* as the loader has put it together */
};

/*
 * Looks for NAME as _dl_map_object() does: 0 with *ret, 1 if there is nothing (process->error and
 * *ret_other_class say why), -1 with the failure set.
 */
int ea_search(struct ea_process *process, struct ea_request *request, uint32_t loader,
	      const char *name, struct ea_found *ret, bool *ret_other_class);

/* ---- map.c ---- */
enum ea_map_mode {
	EA_MODE_DLOPEN = 1,
	EA_MODE_CALLMAP = 2, /* the loader only counts for the search */
	EA_MODE_DEEPBIND = 4,
	EA_MODE_NOLOAD = 8,
};

/* _dl_map_object() for request->name: 0 with *ret_map (EA_NONE under NOLOAD), or -1. */
int ea_map_object(struct ea_process *process, struct ea_request *request, uint32_t loader,
		  unsigned mode, uint32_t *ret_map);

/* _dl_new_object(): a map that is in no list yet; DRAFT has all but its id. */
uint32_t ea_map_new(struct ea_process *process, const struct ea_map *draft, unsigned mode);
void ea_list_insert(struct ea_process *process, uint32_t map, uint32_t pos);
void ea_list_remove(struct ea_process *process, uint32_t map);

/* ---- deps.c ---- */
int ea_map_deps(struct ea_process *process, uint32_t map, const struct ea_ids *preloads,
		unsigned mode);

/* ---- sort.c ---- */
void ea_sort_maps(struct ea_process *process, uint32_t *ids, uint32_t n, bool root_first);

/* Which objects dlopen relocates, from the end to the start. */
struct ea_ids ea_relocation_order(struct ea_process *process, uint32_t root);

/* ---- versions.c ---- */

/* _dl_check_map_versions(): 0 or -1; at start all misses are printed and counted in *misses. */
int ea_check_versions(struct ea_process *process, uint32_t map, uint32_t *misses);

/* ---- scope.c ---- */
struct ea_ids ea_scope_ids(const struct ea_process *process, const struct ea_scope_entry *entry);
void ea_scopes_update(struct ea_process *process, uint32_t root);
void ea_scopes_globalize(struct ea_process *process, uint32_t root);

/* ---- bind.c ---- */
int ea_relocate(struct ea_process *process, uint32_t map, bool lazy);

/* ---- open.c ---- */
int ea_check_isa(struct ea_process *process, uint32_t root);
void ea_run_inits(struct ea_process *process, uint32_t root);
void ea_run_init(struct ea_process *process, uint32_t map);

/* ---- musl.c ---- */
void ea_musl_start(struct ea_process *process, struct ea_request *start,
		   const struct ea_opened *exe, const char *interp_path,
		   const struct ea_opened *interp);
void ea_musl_dlopen(struct ea_process *process, struct ea_request *request, bool is_program);
