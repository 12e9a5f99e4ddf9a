/* How musl finds and maps a library (load_library in ldso/dynlink.c). */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "loader/musl.h"

#include "base/limits.h"
#include "base/path.h"

#define PATH_ROOM 512u /* of a composed path: longer ones are passed over */

/* Results of opening along a list. */
enum { OPENED = 0, NOT_THERE = -1, GIVE_UP = -2 };

struct opening {
	struct ea_opened opened;
	const char *path;
};

/* Names that stand for musl itself, whatever follows the dot. */
static bool is_reserved(const char *name)
{
	static const char *const own[] = { "libc.",  "libpthread.", "librt.",  "libm.",
					   "libdl.", "libutil.",    "libxnet." };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strncmp(name, own[i], strlen(own[i])) == 0)
			return true;
	return false;
}

static uint32_t take_self(struct ea_process *process)
{
	struct ea_map_state *self = ea_state(process, process->musl.interp);

	if (self->pos == EA_NONE)
		ea_list_insert(process, process->musl.interp, process->list.n);
	return process->musl.interp;
}

/* open(2): 0 with *ret, or the errno, which is the loader's too. */
static int open_file(struct ea_process *process, struct ea_request *request, const char *path,
		     enum ea_how how, uint32_t owner, struct opening *ret)
{
	struct ea_try *try = ea_vec_add(&request->tries, process->arena);
	const char *absolute =
		path[0] == '/' ? path : ea_path_join(process->arena, process->cwd, path);
	int code = strlen(path) >= EA_LIMIT_PATH ? ENAMETOOLONG
						 : process->provider->open(process->provider->ctx,
									   absolute, &ret->opened);

	try->path = path;
	try->how = how;
	try->owner = owner == EA_NONE ? NULL : process->maps.items[owner].map;
	ret->path = path;
	if (code == 0) {
		try->result = EA_TRY_OPENED;
		request->how = how;
		return 0;
	}
	try->result = EA_TRY_ABSENT;
	try->text = ea_musl_strerror(process, code);
	process->error = code;
	return code;
}

/* path_open() */
static int open_along(struct ea_process *process, struct ea_request *request, const char *list,
		      enum ea_how how, uint32_t owner, struct opening *ret)
{
	for (;;) {
		size_t len;
		char *path;

		list += strspn(list, ":\n");
		len = strcspn(list, ":\n");
		if (len == 0 || process->tries_left == 0)
			return NOT_THERE;
		process->tries_left--;
		path = ea_arena_printf(process->arena, "%.*s/%s", (int)len, list, request->name);
		list += len;
		if (strlen(path) >= PATH_ROOM)
			continue;
		switch (open_file(process, request, path, how, owner, ret)) {
		case 0:
			return OPENED;
		case ENOENT:
		case ENOTDIR:
		case EACCES:
		case ENAMETOOLONG:
			break;
		default:
			return GIVE_UP;
		}
	}
}

/* What $ORIGIN stands for: the folder of the map's name, resolved for the program alone. */
static struct ea_str origin_of(const struct ea_process *process, uint32_t map)
{
	const struct ea_map *record = process->maps.items[map].map;
	const char *name = map == 0 && record->real ? record->real : record->path;
	const char *slash = strrchr(name, '/');

	return slash ? (struct ea_str){ name, (size_t)(slash - name) } : EA_STR(".");
}

/* fixup_rpath(): the map's RPATH or RUNPATH with $ORIGIN replaced; NULL if it has none that counts.
 */
static const char *rpath_of(struct ea_process *process, uint32_t map)
{
	const struct ea_elf *elf = ea_elf_of(process, map);
	const char *text = elf ? elf->runpath ? elf->runpath : elf->rpath : NULL, *dollar;
	EA_CLEANUP(ea_buf_release) struct ea_buf out = { 0 };

	if (!text || !strchr(text, '$'))
		return text;
	/* Any other token makes the whole list void. */
	for (dollar = text; (dollar = strchr(dollar, '$')); dollar++)
		if (strncmp(dollar, "$ORIGIN", 7) != 0 && strncmp(dollar, "${ORIGIN}", 9) != 0)
			return NULL;
	while ((dollar = strchr(text, '$'))) {
		ea_buf_add(&out, text, (size_t)(dollar - text));
		ea_buf_add_str(&out, origin_of(process, map));
		text = dollar + (dollar[1] == '{' ? 9 : 7);
	}
	ea_buf_add_text(&out, text);
	return ea_arena_dup_str(process->arena, ea_buf_str(&out));
}

/* "x86_64", as it stands in the loader's own name: ld-musl-x86_64.so.1. */
static struct ea_str arch_of(const char *interp)
{
	struct ea_str name = ea_str_skip(ea_str(ea_path_base(interp)), strlen("ld-musl-"));

	return (struct ea_str){ name.ptr, ea_str_find(name, '.') };
}

/* The loader's own list: a file below the folder above its own, or built in. */
static const char *system_path(struct ea_process *process)
{
	const char *interp = process->maps.items[process->musl.interp].map->path;
	struct ea_str prefix = ea_path_dir(interp), arch = arch_of(interp), file;
	const char *path;
	int code;

	if (process->musl.system_list)
		return process->musl.system_list;
	while (prefix.len > 0 && prefix.ptr[prefix.len - 1] != '/')
		prefix.len--;
	prefix.len -= prefix.len > 0;
	path = ea_arena_printf(process->arena, "%.*s/etc/ld-musl-%.*s.path", (int)prefix.len,
			       prefix.ptr, (int)arch.len, arch.ptr);
	code = process->provider->read(process->provider->ctx, path, EA_LIMIT_TEXT, &file);
	process->musl.system_list = "/lib:/usr/local/lib:/usr/lib";
	if (code == 0)
		process->musl.system_list = ea_arena_dup_str(process->arena, file);
	else if (code != ENOENT)
		process->musl.system_list = "";
	if (code != 0)
		process->error = code;
	return process->musl.system_list;
}

static int search(struct ea_process *process, struct ea_request *request, uint32_t needed_by,
		  struct opening *ret)
{
	const char *library_path = ea_env(process, "LD_LIBRARY_PATH");
	int result = NOT_THERE;

	if (library_path)
		result = open_along(process, request, library_path, EA_HOW_LD_LIBRARY_PATH, EA_NONE,
				    ret);
	for (uint32_t map = needed_by; result == NOT_THERE && map != EA_NONE;
	     map = ea_state(process, map)->needed_by) {
		const char *list = rpath_of(process, map);

		if (list)
			result = open_along(process, request, list,
					    ea_elf_of(process, map)->runpath ? EA_HOW_RUNPATH
									     : EA_HOW_RPATH,
					    map, ret);
	}
	if (result == NOT_THERE)
		result = open_along(process, request, system_path(process), EA_HOW_DEFAULT, EA_NONE,
				    ret);
	return result;
}

/* map_library(): what it does not take for a library, as an errno; 0 = all is well. */
static int check_file(const struct ea_process *process, const struct ea_opened *opened)
{
	const struct ea_elf *elf = opened->elf;

	if (opened->is_dir)
		return EISDIR;
	if (elf->ident[EI_CLASS] != process->elf_class || elf->size < sizeof(Elf64_Ehdr) ||
	    (elf->type != ET_DYN && elf->type != ET_EXEC) || !elf->has_dynamic ||
	    elf->phoff + (uint64_t)elf->phnum * elf->phentsize > elf->size)
		return ENOEXEC;
	return elf->n_loads == 0 ? ENOMEM : 0;
}

static const char *base_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

static uint32_t find_inode(const struct ea_process *process, const struct ea_opened *opened)
{
	for (uint32_t i = 1; i < process->list.n; i++) {
		const struct ea_map *map = process->maps.items[process->list.items[i]].map;

		if (map->ino == opened->ino && map->dev == opened->dev && map->ino != 0)
			return map->id;
	}
	return EA_NONE;
}

static uint32_t find_short_name(const struct ea_process *process, const char *name)
{
	for (uint32_t i = 1; i < process->list.n; i++) {
		const struct ea_map_state *state = &process->maps.items[process->list.items[i]];

		if (ea_streq(state->short_name, name))
			return state->map->id;
	}
	return EA_NONE;
}

static uint32_t add_map(struct ea_process *process, struct ea_request *request, uint32_t needed_by,
			const struct opening *found, bool searched)
{
	const struct ea_map draft = {
		.kind = process->started ? EA_MAP_DLOPENED : EA_MAP_LIBRARY,
		.path = found->path,
		.real = found->opened.real,
		.origin = ea_arena_dup_str(process->arena, ea_path_dir(found->path)),
		.elf = found->opened.elf,
		.dev = found->opened.dev,
		.ino = found->opened.ino,
		.loader = needed_by == EA_NONE ? NULL : process->maps.items[needed_by].map,
		.request = request,
	};
	uint32_t map = ea_map_new(process, &draft, 0);

	request->is_new = true;
	ea_state(process, map)->needed_by = needed_by;
	if (searched)
		ea_state(process, map)->short_name = base_of(found->path);
	ea_list_insert(process, map, process->list.n);
	return map;
}

/* Another libc, by path: musl takes itself instead. */
static bool is_other_libc(struct ea_process *process, const struct ea_elf *elf)
{
	return ea_musl_defines(process, elf, "__libc_start_main") &&
	       ea_musl_defines(process, elf, "stdin");
}

uint32_t ea_musl_load(struct ea_process *process, struct ea_request *request, uint32_t needed_by,
		      bool noload)
{
	const char *name = request->name;
	bool searched = !strchr(name, '/');
	struct opening found;
	uint32_t map;
	int code;

	request->how = EA_HOW_LOADED;
	if (*name == '\0') {
		process->error = EINVAL;
		request->how = EA_HOW_NOT_FOUND;
		return EA_NONE;
	}
	if (is_reserved(name) ||
	    ea_streq(name, process->maps.items[process->musl.interp].map->path))
		return take_self(process);
	map = searched ? find_short_name(process, name) : EA_NONE;
	if (map != EA_NONE)
		return map;
	request->how = EA_HOW_NOT_FOUND;
	if (searched && strlen(name) > NAME_MAX)
		return EA_NONE;
	code = searched ? search(process, request, needed_by, &found)
			: open_file(process, request, name, EA_HOW_PATH, EA_NONE, &found);
	if (code != 0)
		return EA_NONE;
	map = find_inode(process, &found.opened);
	if (map != EA_NONE) {
		request->by_inode = true;
		if (!ea_state(process, map)->short_name && searched)
			ea_state(process, map)->short_name =
				base_of(process->maps.items[map].map->path);
		return map;
	}
	code = noload ? 0 : check_file(process, &found.opened);
	if (noload || code != 0) {
		struct ea_try *try = &request->tries.items[request->tries.n - 1];

		request->how = EA_HOW_NOT_FOUND;
		if (code != 0) {
			process->error = code;
			try->result = EA_TRY_FATAL;
			try->text = ea_musl_strerror(process, code);
		}
		return EA_NONE;
	}
	if (ea_is_cut(found.opened.elf)) {
		ea_fail_hard(process, EA_OUTCOME_CRASH,
			     "the file ends before its last segment: SIGBUS");
		process->dead = true;
		return EA_NONE;
	}
	if (is_other_libc(process, found.opened.elf))
		return take_self(process);
	return add_map(process, request, needed_by, &found, searched);
}
