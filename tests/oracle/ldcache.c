/* Writes an ld.so.cache by hand, in each of its layouts, sorted as ldconfig sorts it. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cache.h"
#include "sandbox.h"

struct entry {
	const struct item *item;
	uint32_t order, key, value, folder;
};

struct file_entry {
	int32_t flags;
	uint32_t key, value;
};

struct file_entry_new {
	struct file_entry entry;
	uint32_t osversion;
	uint64_t hwcap;
};

/* Descending by name, what comes out of glibc-hwcaps first, else as they were given. */
static int compare(const void *a, const void *b)
{
	const struct entry *ea = a, *eb = b;
	int order = ea_ld_cache_compare(ea_str(eb->item->path), ea_str(ea->item->path));

	if (order != 0)
		return order;
	if ((ea->item->folder != NULL) != (eb->item->folder != NULL))
		return ea->item->folder ? -1 : 1;
	return ea->order < eb->order ? -1 : 1;
}

static int32_t flags_of(const struct item *item)
{
	return item->flags ? item->flags : elf_machine == EM_AARCH64 ? 0xa03 : 0x303;
}

static uint32_t add_string(struct ea_buf *strings, const char *text)
{
	uint32_t at = (uint32_t)strings->len;

	ea_buf_add(strings, text, strlen(text) + 1);
	return at;
}

static const char *const folders[] = { "x86-64-v2", "x86-64-v3", "x86-64-v4" };

static uint32_t folder_index(const char *folder)
{
	for (uint32_t i = 0; i < 3; i++)
		if (ea_streq(folders[i], folder))
			return i;
	return 3; /* not in the table */
}

static void write_old(struct ea_buf *out, const struct entry *entries, uint32_t n, uint32_t base)
{
	ea_buf_add(out, "ld.so-1.7.0", 12);
	ea_buf_add(out, &n, 4);
	for (uint32_t i = 0; i < n; i++) {
		struct file_entry entry = {
			.flags = flags_of(entries[i].item),
			.key = base + entries[i].key,
			.value = base + entries[i].value,
		};

		ea_buf_add(out, &entry, sizeof(entry));
	}
}

static void write_new(struct ea_buf *out, const struct entry *entries, uint32_t n,
		      const struct ea_buf *strings, size_t start)
{
	uint32_t base = 48 + n * 24, header[12] = { 0 };
	uint32_t extension = (uint32_t)(start + base + strings->len + 3) & ~3u;
	uint32_t section[6] = { 0xEAA42174, 1, 1, 0, extension + 24, 12 }, names[3];

	memcpy(header, "glibc-ld.so.cache1.1", 20);
	header[5] = n;
	header[6] = (uint32_t)strings->len;
	header[7] = 2;
	header[8] = extension;
	ea_buf_add(out, header, sizeof(header));
	for (uint32_t i = 0; i < n; i++) {
		const struct item *item = entries[i].item;
		struct file_entry_new entry = {
			.entry.flags = flags_of(item),
			.entry.key = base + entries[i].key,
			.entry.value = base + entries[i].value,
			.osversion = item->osversion,
			.hwcap = item->folder ? UINT64_C(0x40000000) << 32 |
							folder_index(item->folder) | item->hwcap
					      : item->hwcap,
		};

		ea_buf_add(out, &entry, sizeof(entry));
	}
	ea_buf_add(out, strings->ptr, strings->len);
	while (out->len % 4 != 0)
		ea_buf_add_char(out, '\0');
	ea_buf_add(out, section, sizeof(section));
	/* The three names stand first in the table of strings. */
	for (uint32_t i = 0; i < 3; i++)
		names[i] = (uint32_t)start + base + i * 10;
	ea_buf_add(out, names, sizeof(names));
}

static void write_whole(const struct test_case *test, struct ea_arena *arena, struct ea_buf *out)
{
	struct entry *entries = ea_arena_array(arena, struct entry, test->items.n + 1);
	EA_CLEANUP(ea_buf_release) struct ea_buf strings = { 0 };
	bool old = ea_streq(test->cache_form, "old"), compat = ea_streq(test->cache_form, "compat");
	uint32_t n = 0;

	for (uint32_t i = 0; i < 3; i++)
		add_string(&strings, folders[i]);
	ea_vec_foreach(item, &test->items) {
		if (item->kind != ITEM_CACHE)
			continue;
		entries[n] = (struct entry){ .item = item, .order = n };
		entries[n].key = add_string(&strings, item->path);
		entries[n].value = add_string(&strings, item->text);
		n++;
	}
	qsort(entries, n, sizeof(*entries), compare);
	if (old) {
		write_old(out, entries, n, 0);
		ea_buf_add(out, strings.ptr, strings.len);
		return;
	}
	if (compat) {
		/* Indices of the old part count from its end, where the new header starts. */
		uint32_t pad = (8 - (16 + n * 12) % 8) % 8;

		write_old(out, entries, n, pad + 48 + n * 24);
		for (uint32_t i = 0; i < pad; i++)
			ea_buf_add_char(out, '\0');
	}
	write_new(out, entries, n, &strings, out->len);
}

void ldcache_write(const struct test_case *test, struct ea_arena *arena, struct ea_buf *out)
{
	write_whole(test, arena, out);
	ea_vec_foreach(poke, &test->spoilt)
		if (poke->offset < out->len)
			out->ptr[poke->offset] = (char)poke->value;
}
