/* Elfs whose symbols are asked for. */
#include "scan/objects.h"

#include <sys/resource.h>

#include "base/table.h"
#include "elf/elf.h"

#define SPARE_FILES 64u /* descriptors left for everything else */
#define MAX_OPEN    4096u

struct ea_object {
	UT_hash_handle hh;
	const struct ea_elf *elf;
	const char *real;
	struct ea_file *file;
	struct ea_symtab *table; /* NULL while it is closed */
	bool broken;		 /* it has none, or none that can be read */
	const struct ea_undefined *undefined;
	uint32_t n_undefined;
	bool undefined_known;
};

void ea_objects_init(struct ea_objects *objects, const struct ea_root *root, struct ea_arena *arena)
{
	struct rlimit limit = { .rlim_cur = 1024 };
	rlim_t files;

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	files = limit.rlim_cur > 2 * SPARE_FILES ? limit.rlim_cur - SPARE_FILES
						 : limit.rlim_cur / 2;
	*objects = (struct ea_objects){
		.root = root,
		.arena = arena,
		.max_open = files < 1	       ? 1
			    : files > MAX_OPEN ? MAX_OPEN
					       : (unsigned)files,
	};
}

static void close_object(struct ea_object *object)
{
	ea_symtab_close(object->table);
	ea_file_close(object->file);
	object->table = NULL;
	object->file = NULL;
}

void ea_objects_release(struct ea_objects *objects)
{
	struct ea_object *object, *next;

	HASH_ITER(hh, objects->all, object, next)
		close_object(object);
	HASH_CLEAR(hh, objects->all);
}

void ea_objects_add(struct ea_objects *objects, const struct ea_elf *elf, const char *real)
{
	struct ea_object *object;

	HASH_FIND_PTR(objects->all, &elf, object);
	if (object)
		return;
	object = ea_arena_new(objects->arena, struct ea_object);
	object->elf = elf;
	object->real = real;
	HASH_ADD_PTR(objects->all, elf, object);
}

/* Makes room for one more table. */
static void take_slot(struct ea_objects *objects, struct ea_object *object)
{
	if (objects->n_open < objects->max_open)
		objects->n_open++;
	else if (objects->last)
		close_object(objects->last);
	if (objects->n_open == objects->max_open)
		objects->last = object;
}

static struct ea_symtab *table_of(struct ea_objects *objects, struct ea_object *object)
{
	if (object->table || object->broken)
		return object->table;
	take_slot(objects, object);
	if (ea_root_open_real(objects->root, object->real, &object->file) == 0 &&
	    ea_symtab_open(object->file, object->elf, objects->arena, &object->table) == 0)
		return object->table;
	object->broken = true;
	close_object(object);
	return NULL;
}

static struct ea_object *find(struct ea_objects *objects, const struct ea_elf *elf)
{
	struct ea_object *object;

	HASH_FIND_PTR(objects->all, &elf, object);
	return object;
}

uint32_t ea_objects_lookup(struct ea_objects *objects, const struct ea_elf *elf, const char *name,
			   uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max)
{
	struct ea_object *object = find(objects, elf);
	struct ea_symtab *table = object ? table_of(objects, object) : NULL;
	long n = table ? ea_symtab_lookup(table, name, gnu_hash, ret, max) : 0;

	return n > 0 ? (uint32_t)n : 0;
}

uint32_t ea_objects_undefined(struct ea_objects *objects, const struct ea_elf *elf,
			      const struct ea_undefined **ret)
{
	struct ea_object *object = find(objects, elf);
	struct ea_symtab *table;

	if (!object)
		return 0;
	if (!object->undefined_known) {
		long n;

		table = table_of(objects, object);
		n = table ? ea_symtab_undefined(table, &object->undefined) : 0;
		object->n_undefined = n > 0 ? (uint32_t)n : 0;
		object->undefined_known = true;
	}
	*ret = object->undefined;
	return object->n_undefined;
}
