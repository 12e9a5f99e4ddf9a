/* Lists of folders: LD_LIBRARY_PATH, RPATH, RUNPATH and the default ones (fillin_rpath in
 * elf/dl-load.c). */
#include "loader/process.h"

#include "loader/tokens.h"

static uint32_t *dir_bucket(struct ea_process *process, uint32_t hash)
{
	return &process->dir_buckets[hash & (process->n_dir_buckets - 1)];
}

static void grow_buckets(struct ea_process *process)
{
	uint32_t n = process->n_dir_buckets ? process->n_dir_buckets * 2 : 64;

	process->dir_buckets = ea_arena_array(process->arena, uint32_t, n);
	process->n_dir_buckets = n;
	memset(process->dir_buckets, 0xff, sizeof(uint32_t) * n);
	for (uint32_t i = 0; i < process->dirs.n; i++) {
		struct ea_dir *dir = &process->dirs.items[i];
		uint32_t *bucket = dir_bucket(process, dir->hash);

		dir->next = *bucket;
		*bucket = i;
	}
}

uint8_t *ea_dir_status(struct ea_process *process, uint32_t dir)
{
	return &process->dir_status[(size_t)dir * process->n_capabilities];
}

/* Room for the status of one more folder, which starts as STATUS. */
static void add_status(struct ea_process *process, uint32_t dir, enum ea_dir_status status)
{
	size_t n = process->n_capabilities, used = (size_t)dir * n;

	if (used + n > process->dir_status_cap) {
		size_t cap = (used + n) * 2;
		uint8_t *grown = ea_arena_alloc(process->arena, cap);

		if (used > 0)
			memcpy(grown, process->dir_status, used);
		process->dir_status = grown;
		process->dir_status_cap = cap;
	}
	memset(&process->dir_status[used], (int)status, n);
}

/* The folder called NAME (with its final slash), made if no list had it so far. */
static uint32_t intern_dir(struct ea_process *process, struct ea_str name)
{
	uint32_t hash = ea_hash(name), index, *bucket;
	struct ea_dir *dir;

	if (process->dirs.n >= process->n_dir_buckets)
		grow_buckets(process);
	bucket = dir_bucket(process, hash);
	for (index = *bucket; index != EA_NONE; index = process->dirs.items[index].next)
		if (process->dirs.items[index].hash == hash &&
		    ea_str_eq(process->dirs.items[index].name, name))
			return index;
	index = process->dirs.n;
	dir = ea_vec_add(&process->dirs, process->arena);
	dir->name = ea_str(ea_arena_dup_str(process->arena, name));
	dir->hash = hash;
	dir->next = *bucket;
	*bucket = index;
	/* The current folder may change: what is relative is never taken for missing. */
	add_status(process, index,
		   name.len > 0 && name.ptr[0] == '/' ? EA_DIR_UNKNOWN : EA_DIR_EXISTS);
	return index;
}

static struct ea_token_values token_values(const struct ea_process *process, uint32_t map)
{
	return (struct ea_token_values){
		.origin = process->maps.items[map].map->origin,
		.lib = process->facts.lib,
		.platform = process->launch.cpu.platform,
		.prefix = ea_policy_has(&process->policy, EA_POLICY_TOKEN_PREFIX),
	};
}

bool ea_expand(struct ea_process *process, uint32_t map, const char *text, const char **ret_text)
{
	struct ea_token_values values = token_values(process, map);
	EA_CLEANUP(ea_buf_release) struct ea_buf out = { 0 };

	if (!strchr(text, '$')) {
		*ret_text = text;
		return true;
	}
	if (!ea_tokens_expand(&out, ea_str(text), &values) || out.len == 0)
		return false;
	*ret_text = ea_arena_dup_str(process->arena, ea_buf_str(&out));
	return true;
}

/* One element of a list in the form in which folders are compared; false if it drops out. */
static bool element_name(struct ea_buf *out, struct ea_str element,
			 const struct ea_token_values *values)
{
	ea_buf_clear(out);
	if (element.len == 0)
		return true;
	if (!ea_tokens_expand(out, element, values) || out->len == 0)
		return false;
	while (out->len > 1 && out->ptr[out->len - 1] == '/')
		out->len--;
	if (out->ptr[out->len - 1] != '/')
		ea_buf_add_char(out, '/');
	return true;
}

/* TEXT cut at ':', and at ';' too where MAP's program is asked for LD_LIBRARY_PATH. */
static struct ea_dir_list fill_list(struct ea_process *process, const char *text, bool semicolons,
				    uint32_t map)
{
	struct ea_token_values values = token_values(process, map);
	EA_CLEANUP(ea_buf_release) struct ea_buf name = { 0 };
	EA_VEC(uint32_t) dirs = { 0 };
	uint32_t list = ++process->n_lists;
	const char *end;

	do {
		uint32_t dir;

		end = text + strcspn(text, semicolons ? ":;" : ":");
		if (element_name(&name, (struct ea_str){ text, (size_t)(end - text) }, &values)) {
			dir = intern_dir(process, ea_buf_str(&name));
			if (process->dirs.items[dir].list != list) {
				process->dirs.items[dir].list = list;
				ea_vec_push(&dirs, process->arena, dir);
			}
		}
		text = end + 1;
	} while (*end != '\0');
	return (struct ea_dir_list){ dirs.items, dirs.n, dirs.n ? EA_LIST_READY : EA_LIST_GONE };
}

bool ea_dirs_of(struct ea_process *process, uint32_t map, struct ea_dir_list *list,
		const char *text)
{
	if (list->state == EA_LIST_UNREAD) {
		if (text && *text)
			*list = fill_list(process, text, false, map);
		else
			list->state = EA_LIST_GONE;
	}
	return list->state == EA_LIST_READY;
}

void ea_dirs_start(struct ea_process *process)
{
	struct ea_map_state *program = ea_state(process, 0);
	const struct ea_elf *elf = ea_elf_of(process, 0);
	const char *path = ea_env(process, "LD_LIBRARY_PATH");
	EA_VEC(uint32_t) dirs = { 0 };

	ea_vec_foreach(dir, &process->facts.system_dirs)
		ea_vec_push(&dirs, process->arena, intern_dir(process, ea_str(*dir)));
	process->system_path =
		(struct ea_dir_list){ dirs.items, dirs.n, dirs.n ? EA_LIST_READY : EA_LIST_GONE };
	ea_dirs_of(process, 0, &program->runpath, elf->runpath);
	ea_dirs_of(process, 0, &program->rpath, elf->runpath ? NULL : elf->rpath);
	process->library_path.state = EA_LIST_GONE;
	if (path && *path)
		process->library_path = fill_list(process, path, true, 0);
}
