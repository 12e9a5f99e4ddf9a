/* Symbols under musl: one flat chain of objects, no versions but the hidden bit. */
#include <elf.h>
#include <string.h>

#include "loader/musl.h"

#include "base/attr.h"
#include "base/version.h"

#define HIDDEN	    0x8000u
#define MAX_SAME    8u
#define MAX_MISSING 64u

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static bool is_ok(const struct ea_symbol *symbol, bool need_def)
{
	if (symbol->shndx == SHN_UNDEF && (need_def || symbol->type == STT_TLS))
		return false;
	if (symbol->value == 0 && symbol->type != STT_TLS)
		return false;
	switch (symbol->type) {
	case STT_NOTYPE:
	case STT_OBJECT:
	case STT_FUNC:
	case STT_COMMON:
	case STT_TLS:
		break;
	default:
		return false;
	}
	return symbol->bind == STB_GLOBAL || symbol->bind == STB_WEAK ||
	       symbol->bind == STB_GNU_UNIQUE;
}

/* Only the first entry that is not hidden counts, whatever it is. */
static bool defines(struct ea_process *process, const struct ea_elf *elf, const char *name,
		    uint32_t hash, bool need_def)
{
	struct ea_symbol symbols[MAX_SAME];
	uint32_t n = process->provider->lookup(process->provider->ctx, elf, name, hash, symbols,
					       MAX_SAME);

	for (uint32_t i = 0; i < n && i < MAX_SAME; i++)
		if ((symbols[i].versym & HIDDEN) == 0)
			return is_ok(&symbols[i], need_def);
	return false;
}

bool ea_musl_defines(struct ea_process *process, const struct ea_elf *elf, const char *name)
{
	return defines(process, elf, name, gnu_hash(name), true);
}

void ea_musl_add_global(struct ea_process *process, uint32_t map)
{
	if (ea_state(process, map)->global)
		return;
	ea_state(process, map)->global = true;
	ea_vec_push(&process->musl.globals, process->arena, map);
}

static uint32_t find(struct ea_process *process, const char *name, uint8_t use)
{
	uint32_t hash = gnu_hash(name);

	for (uint32_t i = use == EA_USE_COPY ? 1 : 0; i < process->musl.globals.n; i++) {
		const struct ea_elf *elf = ea_elf_of(process, process->musl.globals.items[i]);

		if (elf && defines(process, elf, name, hash, use == EA_USE_PLT))
			return process->musl.globals.items[i];
	}
	return EA_NONE;
}

/* Functions that had a second name with 64 at its end once. */
static const char *const lfs64[] = {
	"__fxstat",   "__fxstatat",  "__lxstat",      "__xstat",
	"aio_cancel", "aio_error",   "aio_fsync",     "aio_read",
	"aio_return", "aio_suspend", "aio_write",     "alphasort",
	"creat",      "fallocate",   "fgetpos",	      "fopen",
	"freopen",    "fseeko",	     "fsetpos",	      "fstat",
	"fstatat",    "fstatfs",     "fstatvfs",      "ftello",
	"ftruncate",  "ftw",	     "getdents",      "getrlimit",
	"glob",	      "globfree",    "lio_listio",    "lockf",
	"lseek",      "lstat",	     "mkostemp",      "mkostemps",
	"mkstemp",    "mkstemps",    "mmap",	      "nftw",
	"open",	      "openat",	     "posix_fadvise", "posix_fallocate",
	"pread",      "preadv",	     "prlimit",	      "pwrite",
	"pwritev",    "readdir",     "scandir",	      "sendfile",
	"setrlimit",  "stat",	     "statfs",	      "statvfs",
	"tmpfile",    "truncate",    "versionsort",
};

/* Since 1.2.4 such names find the functions without the 64; before, musl itself defines them. */
static bool is_old_name(struct ea_process *process, const char *name)
{
	size_t len = strlen(name);

	if (ea_version_cmp_text(process->facts.version, "1.2.4") < 0)
		return false;
	if (strcmp(name, "readdir64_r") == 0)
		return true;
	if (len < 3 || strcmp(name + len - 2, "64") != 0)
		return false;
	for (size_t i = 0; i < EA_ARRAY_SIZE(lfs64); i++)
		if (strlen(lfs64[i]) == len - 2 && strncmp(lfs64[i], name, len - 2) == 0)
			return true;
	return false;
}

/* One symbol in each way in which it is used; false if nobody defines it although it has to be. */
static bool bind(struct ea_process *process, uint32_t map, const struct ea_undefined *undefined)
{
	static const uint8_t uses[] = { EA_USE_PLT, EA_USE_DATA, EA_USE_COPY };
	const struct ea_process_setup *setup = &process->setup;
	const char *name = undefined->symbol.name;

	for (size_t i = 0; i < 3; i++) {
		uint32_t to;

		if ((undefined->uses & uses[i]) == 0)
			continue;
		to = find(process, name, uses[i]);
		if (to == EA_NONE && undefined->symbol.bind != STB_WEAK &&
		    !is_old_name(process, name))
			return false;
		if (to != EA_NONE && setup->bound)
			setup->bound(setup->bound_arg, process->maps.items[map].map, name, NULL,
				     process->maps.items[to].map);
	}
	return true;
}

static void note_missing(struct ea_process *process, uint32_t map, const char *symbol)
{
	struct ea_missing *missing;

	if (process->root->missing.n >= MAX_MISSING)
		return;
	missing = ea_vec_add(&process->root->missing, process->arena);
	missing->object = process->maps.items[map].map;
	missing->symbol = symbol;
}

/* LAZY: a missing symbol of a PLT or GOT slot is left for later. */
static int relocate(struct ea_process *process, uint32_t map)
{
	struct ea_map_state *state = ea_state(process, map);
	const struct ea_elf *elf = ea_elf_of(process, map);
	const struct ea_undefined *undefined;
	uint32_t n;

	if (state->relocated || !elf)
		return 0;
	n = process->provider->undefined(process->provider->ctx, elf, &undefined);
	/* musl works through the slots of the PLT first. */
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n; i++) {
			const char *text;

			if (((undefined[i].uses & EA_USE_PLT) != 0) != (pass == 0) ||
			    bind(process, map, &undefined[i]))
				continue;
			if (state->lazy)
				continue;
			note_missing(process, map, undefined[i].symbol.name);
			text = ea_arena_printf(process->arena,
					       "Error relocating %s: %s: symbol not found",
					       state->map->path, undefined[i].symbol.name);
			if (ea_musl_error(process, text) != 0)
				return -1;
		}
	}
	state->relocated = true;
	return 0;
}

int ea_musl_relocate(struct ea_process *process, uint32_t from)
{
	for (uint32_t i = from; i < process->list.n; i++)
		if (relocate(process, process->list.items[i]) != 0)
			return -1;
	return 0;
}
