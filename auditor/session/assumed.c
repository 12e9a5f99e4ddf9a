/* An assumed driver. */
#include "session/assumed.h"

#include <elf.h>
#include <errno.h>

#include "base/path.h"
#include "session/view.h"

struct assumed {
	struct ea_view view;
	const char *folder;
	struct ea_elf *elfs;
	const char **paths;
	const char *const *files;
	uint32_t n_files;
};

#define DEVICE UINT64_MAX /* no file system has it */

static bool is_ours(const struct assumed *assumed, const struct ea_elf *elf)
{
	return elf >= assumed->elfs && elf < assumed->elfs + assumed->n_files;
}

static int view_open(void *ctx, const char *path, struct ea_opened *ret)
{
	const struct assumed *assumed = ctx;
	const struct ea_provider *base = assumed->view.base;
	int error = base->open(base->ctx, path, ret);

	if (error != ENOENT ||
	    !ea_str_eq(ea_path_dir(path),
		       (struct ea_str){ assumed->folder, strlen(assumed->folder) - 1 }))
		return error;
	for (uint32_t i = 0; i < assumed->n_files; i++)
		if (ea_streq(ea_path_base(path), assumed->files[i])) {
			*ret = (struct ea_opened){ .elf = &assumed->elfs[i],
						   .dev = DEVICE,
						   .ino = i + 1,
						   .real = assumed->paths[i] };
			return 0;
		}
	return error;
}

static const char *view_version(void *ctx, const struct ea_elf *elf)
{
	const struct assumed *assumed = ctx;
	const struct ea_provider *base = assumed->view.base;

	if (is_ours(assumed, elf))
		return elf->exact_version;
	return base->version ? base->version(base->ctx, elf) : NULL;
}

/* The driver defines whatever is looked for under the names of its interfaces. */
static uint32_t view_lookup(void *ctx, const struct ea_elf *elf, const char *name,
			    uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max)
{
	const struct assumed *assumed = ctx;
	const struct ea_provider *base = assumed->view.base;

	if (!is_ours(assumed, elf))
		return base->lookup(base->ctx, elf, name, gnu_hash, ret, max);
	if (strncmp(name, "cu", 2) != 0 && strncmp(name, "nv", 2) != 0)
		return 0;
	if (max)
		*ret = (struct ea_symbol){ .name = name,
					   .index = 1,
					   .value = 1,
					   .shndx = 1,
					   .versym = 1,
					   .type = STT_FUNC,
					   .bind = STB_GLOBAL,
					   .visibility = STV_DEFAULT };
	return 1;
}

static uint32_t view_undefined(void *ctx, const struct ea_elf *elf, const struct ea_undefined **ret)
{
	const struct assumed *assumed = ctx;
	const struct ea_provider *base = assumed->view.base;

	*ret = NULL;
	return is_ours(assumed, elf) ? 0 : base->undefined(base->ctx, elf, ret);
}

/* A library that needs nothing, in the form that OBJECT has. */
static void make(struct ea_elf *elf, const struct ea_elf *object, const char *path,
		 const char *version)
{
	*elf = (struct ea_elf){ .dev = DEVICE,
				.size = object->size,
				.format = EA_FORMAT_ELF,
				.type = ET_DYN,
				.machine = object->machine,
				.phentsize = object->phentsize,
				.phnum = object->phnum,
				.version = object->version,
				.flags = object->flags,
				.phoff = object->phoff,
				.loads = object->loads,
				.n_loads = object->n_loads,
				.load_end = object->load_end,
				.stack = EA_STACK_PLAIN,
				.has_dynamic = true,
				.soname = ea_path_base(path),
				.exact_version = version,
				.version_source = EA_VERSION_BY_PACKAGE };
	memcpy(elf->ident, object->ident, sizeof(elf->ident));
}

const struct ea_provider *ea_assumed_driver(const struct ea_provider *provider,
					    const struct ea_frameworks *frameworks,
					    const char *folder, const struct ea_elf *object,
					    const char *version, const char *const *files,
					    uint32_t n_files, struct ea_arena *arena)
{
	struct assumed *assumed = ea_arena_new(arena, struct assumed);
	const struct ea_name_list *all = ea_frameworks_driver(frameworks);

	ea_view_init(&assumed->view, provider);
	assumed->view.provider.open = view_open;
	assumed->view.provider.version = view_version;
	assumed->view.provider.lookup = view_lookup;
	assumed->view.provider.undefined = view_undefined;
	assumed->folder = folder;
	assumed->files = n_files ? files : all->list.items;
	assumed->n_files = n_files ? n_files : all->list.n;
	assumed->elfs = ea_arena_array(arena, struct ea_elf, assumed->n_files);
	assumed->paths = ea_arena_array(arena, const char *, assumed->n_files);
	for (uint32_t i = 0; i < assumed->n_files; i++) {
		assumed->paths[i] = ea_path_join(arena, folder, assumed->files[i]);
		make(&assumed->elfs[i], object, assumed->paths[i], version);
	}
	return &assumed->view.provider;
}
