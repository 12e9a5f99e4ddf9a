/* Elfs whose symbols are asked for. */
#include "scan/objects.h"

#include <errno.h>
#include <string.h>
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

void ea_objects_init(struct ea_objects *objects, const struct ea_root *root, struct ea_arena *arena,
		     struct ea_gaps *gaps)
{
	struct rlimit limit = { .rlim_cur = 1024 };
	rlim_t files;

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	files = limit.rlim_cur > 2 * SPARE_FILES ? limit.rlim_cur - SPARE_FILES
						 : limit.rlim_cur / 2;
	*objects = (struct ea_objects){
		.gaps = gaps,
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
static void make_room(struct ea_objects *objects)
{
	if (objects->n_open < objects->max_open || !objects->last)
		return;
	close_object(objects->last);
	objects->last = NULL;
	objects->n_open--;
}

/* Without its table, what the object defines is unknown: answers go on as if it were nothing. */
static void lacks_table(struct ea_objects *objects, struct ea_object *object, int error)
{
	object->broken = true;
	(void)ea_gaps_add(
		objects->gaps, object->real, EA_GAP_UNREAD, "its symbols cannot be read: %s",
		error == -EBADMSG ? "the symbol or hash table is damaged" : strerror(-error));
}

static struct ea_symtab *table_of(struct ea_objects *objects, struct ea_object *object)
{
	int rc;

	if (object->broken)
		return NULL;
	if (object->table)
		return object->table;
	make_room(objects);
	rc = ea_root_open_real(objects->root, object->real, &object->file);
	if (rc == 0)
		rc = ea_symtab_open(object->file, object->elf, objects->arena, &object->table);
	if (rc == 0) {
		objects->n_open++;
		if (objects->n_open == objects->max_open)
			objects->last = object;
		return object->table;
	}
	close_object(object);
	if (rc < 0)
		lacks_table(objects, object, rc);
	else
		object->broken = true; /* it has none */
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

	if (n < 0)
		lacks_table(objects, object, (int)n);
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
		if (n < 0)
			lacks_table(objects, object, (int)n);
		object->n_undefined = n > 0 ? (uint32_t)n : 0;
		object->undefined_known = true;
	}
	*ret = object->undefined;
	return object->n_undefined;
}
