/* Maps: from a request to an object in the list (_dl_map_object, _dl_new_object). */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "loader/process.h"

#include "base/path.h"

/* With a segment each, the kernel's vm.max_map_count would allow four times as many. */
#define MAX_MAPS 16384u

void ea_list_insert(struct ea_process *process, uint32_t map, uint32_t pos)
{
	ea_vec_push(&process->list, process->arena, map);
	for (uint32_t i = process->list.n - 1; i > pos; i--)
		process->list.items[i] = process->list.items[i - 1];
	process->list.items[pos] = map;
	for (uint32_t i = pos; i < process->list.n; i++)
		process->maps.items[process->list.items[i]].pos = i;
}

void ea_list_remove(struct ea_process *process, uint32_t map)
{
	struct ea_map_state *state = ea_state(process, map);

	for (uint32_t i = state->pos + 1; i < process->list.n; i++) {
		process->list.items[i - 1] = process->list.items[i];
		process->maps.items[process->list.items[i]].pos = i - 1;
	}
	process->list.n--;
	state->pos = EA_NONE;
}

/* What its symbols are looked up in: the global scope, then that of the root that brought it in. */
static void init_scope(struct ea_process *process, struct ea_map_state *state, unsigned mode)
{
	const struct ea_elf *elf = state->map->elf;
	struct ea_scope_entry global = { 0, false }, local;
	bool deep = (mode & EA_MODE_DEEPBIND) != 0;

	local = (struct ea_scope_entry){ state->root, false };
	if (!deep && state->map->id != 0 && elf && (elf->dt_flags & DF_SYMBOLIC) != 0)
		ea_vec_push(&state->scope, process->arena,
			    ((struct ea_scope_entry){ state->map->id, true }));
	if (state->root == 0) {
		ea_vec_push(&state->scope, process->arena, global);
		return;
	}
	ea_vec_push(&state->scope, process->arena, deep ? local : global);
	ea_vec_push(&state->scope, process->arena, deep ? global : local);
}

uint32_t ea_map_new(struct ea_process *process, const struct ea_map *draft, unsigned mode)
{
	struct ea_map *map = ea_arena_new(process->arena, struct ea_map);
	struct ea_map_state *state = ea_vec_add(&process->maps, process->arena);

	*map = *draft;
	map->id = process->maps.n - 1;
	state->map = map;
	state->pos = EA_NONE;
	state->root = map->loader ? process->maps.items[map->loader->id].root : map->id;
	if (map->kind != EA_MAP_FAKED) {
		ea_name_add(process, map->id, map->path, false);
		if (map->elf && map->elf->soname)
			ea_name_add(process, map->id, map->elf->soname, true);
	}
	init_scope(process, state, mode);
	return map->id;
}

/* Folder of a path as the loader names it: what $ORIGIN stands for. */
static const char *origin_of(const struct ea_process *process, const char *path)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	if (path[0] != '/') {
		ea_buf_add_text(&text, process->cwd);
		if (!ea_str_ends(ea_buf_str(&text), "/"))
			ea_buf_add_char(&text, '/');
	}
	ea_buf_add_text(&text, path);
	while (text.ptr[text.len - 1] != '/')
		text.len--;
	if (text.len > 1)
		text.len--;
	return ea_arena_dup_str(process->arena, ea_buf_str(&text));
}

/* The first map of the list that is the same file. */
static uint32_t find_inode(const struct ea_process *process, const struct ea_opened *opened)
{
	for (uint32_t i = 0; i < process->list.n; i++) {
		const struct ea_map *map = process->maps.items[process->list.items[i]].map;

		if (map->ino == opened->ino && map->dev == opened->dev && map->ino != 0)
			return map->id;
	}
	return EA_NONE;
}

static const struct ea_map *loader_of(const struct ea_process *process, uint32_t loader,
				      unsigned mode)
{
	return mode & EA_MODE_CALLMAP ? NULL : process->maps.items[loader].map;
}

/* Marks the last try, which had opened the file, as what ended the request. */
static int refuse(struct ea_process *process, struct ea_request *request, const char *text,
		  int code)
{
	struct ea_try *try = &request->tries.items[request->tries.n - 1];

	try->result = EA_TRY_FATAL;
	try->text = text;
	request->how = EA_HOW_NOT_FOUND;
	return ea_fail(process, code, request->name, text);
}

/* _dl_map_object_from_fd() for what the search has found. */
static int map_found(struct ea_process *process, struct ea_request *request, uint32_t loader,
		     unsigned mode, const struct ea_found *found, uint32_t *ret_map)
{
	const struct ea_elf *elf = found->opened.elf;
	bool dlopened = (mode & EA_MODE_DLOPEN) != 0;
	const char *text;
	uint32_t same = find_inode(process, &found->opened);
	int code;

	if (same != EA_NONE) {
		request->by_inode = true;
		ea_name_add(process, same, request->name, false);
		*ret_map = same;
		return 0;
	}
	if (mode & EA_MODE_NOLOAD) {
		request->how = EA_HOW_NOT_FOUND;
		*ret_map = EA_NONE;
		return 0;
	}
	text = ea_unmappable(process, elf, dlopened, &code);
	if (!text && process->maps.n >= MAX_MAPS) {
		text = "failed to map segment from shared object";
		code = ENOMEM;
	}
	if (text)
		return refuse(process, request, text, code);
	if (ea_is_cut(elf))
		return ea_fail_hard(process, EA_OUTCOME_CRASH,
				    "the file ends before its last segment: SIGBUS");
	request->is_new = true;
	*ret_map = ea_map_new(process,
			      &(struct ea_map){
				      .kind = dlopened ? EA_MAP_DLOPENED : EA_MAP_LIBRARY,
				      .path = found->path,
				      .real = found->opened.real,
				      .origin = origin_of(process, found->path),
				      .elf = elf,
				      .dev = found->opened.dev,
				      .ino = found->opened.ino,
				      .loader = loader_of(process, loader, mode),
				      .request = request,
			      },
			      mode);
	ea_name_add(process, *ret_map, request->name, false);
	ea_list_insert(process, *ret_map, process->list.n);
	if ((elf->dt_flags_1 & DF_1_INITFIRST) != 0)
		process->initfirst = *ret_map;
	return 0;
}

/* Stands for a library that is missing, so that the start can go on to the next. */
static uint32_t map_faked(struct ea_process *process, struct ea_request *request, uint32_t loader)
{
	uint32_t map = ea_map_new(process,
				  &(struct ea_map){
					  .kind = EA_MAP_FAKED,
					  .path = request->name,
					  .loader = process->maps.items[loader].map,
					  .request = request,
				  },
				  0);

	ea_state(process, map)->relocated = true;
	ea_list_insert(process, map, process->list.n);
	return map;
}

int ea_map_object(struct ea_process *process, struct ea_request *request, uint32_t loader,
		  unsigned mode, uint32_t *ret_map)
{
	struct ea_found found;
	bool other_class;
	int result;

	*ret_map = ea_name_find(process, request->name);
	if (*ret_map != EA_NONE) {
		request->how = EA_HOW_LOADED;
		return 0;
	}
	result = ea_search(process, request, loader, request->name, &found, &other_class);
	if (result == 0)
		return map_found(process, request, loader, mode, &found, ret_map);
	if (result < 0)
		return -1;
	if (process->launch.trace && !process->started) {
		*ret_map = map_faked(process, request, loader);
		return 0;
	}
	if (other_class)
		return ea_fail(process, 0, request->name,
			       process->elf_class == ELFCLASS64 ? "wrong ELF class: ELFCLASS32"
								: "wrong ELF class: ELFCLASS64");
	return ea_fail(process, process->error, request->name, "cannot open shared object file");
}
