/* The provider of the tests. */
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf.h"

/* One file that was opened: one inode. */
struct known {
	struct ea_elf elf;
	struct ea_file *file;
	struct ea_symtab *symbols;
	bool no_symbols;
	const char *real;
	struct known *next;
};

#define BUCKETS 4096u

struct files {
	struct ea_provider provider;
	struct ea_root *root;
	struct ea_arena base, arena;
	struct ea_gaps gaps;
	struct known *buckets[BUCKETS];
	struct known **keep; /* heads of the buckets at the first files_forget() */
};

static struct ea_arena *arena_of(struct files *files)
{
	return files->keep ? &files->arena : &files->base;
}

static struct known **bucket_of(struct files *files, uint64_t ino)
{
	return &files->buckets[ino * 2654435761u % BUCKETS];
}

static struct known *find(struct files *files, uint64_t dev, uint64_t ino)
{
	struct known *known = *bucket_of(files, ino);

	while (known && (known->elf.ino != ino || known->elf.dev != dev))
		known = known->next;
	return known;
}

static struct known *add(struct files *files, struct ea_file *file, const char *path)
{
	struct known *known = ea_arena_new(arena_of(files), struct known);
	struct known **bucket = bucket_of(files, file->stat.ino);

	files->gaps.arena = arena_of(files);
	if (ea_elf_read(file, path, arena_of(files), &files->gaps, &known->elf) != 0) {
		ea_file_close(file);
		return NULL;
	}
	known->elf.dev = file->stat.dev;
	known->elf.ino = file->stat.ino;
	known->elf.size = file->stat.size;
	known->file = file;
	known->next = *bucket;
	*bucket = known;
	return known;
}

static int do_open(void *ctx, const char *path, struct ea_opened *ret)
{
	struct files *files = ctx;
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	struct ea_opened opened = { 0 };
	struct known *known;
	struct ea_file *file;
	struct ea_stat stat;
	int rc = ea_root_stat(files->root, path, EA_FOLLOW, &stat);

	if (rc != 0)
		return -rc;
	opened.dev = stat.dev;
	opened.ino = stat.ino;
	rc = ea_root_resolve(files->root, path, EA_FOLLOW, &real);
	if (rc != 0)
		return -rc;
	opened.real = ea_arena_dup_str(arena_of(files), ea_buf_str(&real));
	if (stat.type == EA_FILE_DIR) {
		opened.is_dir = true;
		*ret = opened;
		return 0;
	}
	known = find(files, stat.dev, stat.ino);
	if (!known) {
		rc = ea_root_open(files->root, path, &file);
		if (rc != 0)
			return -rc;
		known = add(files, file, opened.real);
		if (!known)
			return EIO;
	}
	opened.elf = &known->elf;
	*ret = opened;
	return 0;
}

static int do_dir(void *ctx, const char *path)
{
	struct files *files = ctx;
	struct ea_stat stat;
	int rc = ea_root_stat(files->root, path, EA_FOLLOW, &stat);

	if (rc != 0)
		return -rc;
	return stat.type == EA_FILE_DIR ? 0 : ENOTDIR;
}

static int do_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	struct files *files = ctx;
	EA_CLEANUP(ea_buf_release) struct ea_buf content = { 0 };
	int rc = ea_root_read(files->root, path, limit, &content);

	if (rc != 0)
		return -rc;
	ret->ptr = ea_arena_dup_str(arena_of(files), ea_buf_str(&content));
	ret->len = content.len;
	return 0;
}

static struct ea_symtab *symbols_of(struct files *files, const struct ea_elf *elf)
{
	struct known *known = find(files, elf->dev, elf->ino);

	if (!known || known->no_symbols)
		return NULL;
	if (!known->symbols)
		known->no_symbols = ea_symtab_open(known->file, &known->elf, arena_of(files),
						   &known->symbols) != 0;
	return known->symbols;
}

static uint32_t do_lookup(void *ctx, const struct ea_elf *elf, const char *name, uint32_t gnu_hash,
			  struct ea_symbol *ret, uint32_t max)
{
	struct ea_symtab *symbols = symbols_of(ctx, elf);
	long n = symbols ? ea_symtab_lookup(symbols, name, gnu_hash, ret, max) : 0;

	return n < 0 ? 0 : (uint32_t)n;
}

static uint32_t do_undefined(void *ctx, const struct ea_elf *elf, const struct ea_undefined **ret)
{
	struct ea_symtab *symbols = symbols_of(ctx, elf);
	long n = symbols ? ea_symtab_undefined(symbols, ret) : 0;

	return n < 0 ? 0 : (uint32_t)n;
}

struct files *files_new(struct ea_root *root)
{
	struct files *files = ea_xmalloc(sizeof(*files));

	*files = (struct files){
		.root = root,
		.provider = {
			.ctx = files,
			.open = do_open,
			.dir = do_dir,
			.read = do_read,
			.lookup = do_lookup,
			.undefined = do_undefined,
		},
	};
	return files;
}

const struct ea_provider *files_provider(const struct files *files)
{
	return &files->provider;
}

static void close_down_to(struct known *known, struct known *stop)
{
	for (; known != stop; known = known->next) {
		ea_symtab_close(known->symbols);
		ea_file_close(known->file);
	}
}

void files_forget(struct files *files)
{
	if (!files->keep) {
		files->keep =
			ea_arena_dup_mem(&files->base, files->buckets, sizeof(files->buckets));
		return;
	}
	for (uint32_t i = 0; i < BUCKETS; i++) {
		close_down_to(files->buckets[i], files->keep[i]);
		files->buckets[i] = files->keep[i];
	}
	files->gaps.list.n = files->gaps.list.cap = 0;
	files->gaps.list.items = NULL;
	ea_arena_release(&files->arena);
}

void files_free(struct files *files)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		close_down_to(files->buckets[i], NULL);
	ea_arena_release(&files->arena);
	ea_arena_release(&files->base);
	free(files);
}
