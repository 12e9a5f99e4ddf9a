/* A bump arena of growing blocks, and the allocators that never return NULL. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGN	    16u
#define BLOCK_FIRST 16384u
#define BLOCK_MAX   1048576u

struct ea_arena_block {
	struct ea_arena_block *older;
	size_t size; /* of data */
	_Alignas(ALIGN) char data[];
};

void ea_oom(void)
{
	static const char text[] = "envaudit: out of memory\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(4);
}

void *ea_xmalloc(size_t size)
{
	void *ptr = malloc(size ? size : 1);

	if (!ptr)
		ea_oom();
	return ptr;
}

void *ea_xrealloc(void *ptr, size_t size)
{
	ptr = realloc(ptr, size ? size : 1);
	if (!ptr)
		ea_oom();
	return ptr;
}

void ea_free_ptr(void *ptr_address)
{
	void *ptr;

	memcpy(&ptr, ptr_address, sizeof(ptr));
	free(ptr);
}

void ea_arena_release(struct ea_arena *arena)
{
	struct ea_arena_block *block = arena->blocks;

	while (block) {
		struct ea_arena_block *older = block->older;

		free(block);
		block = older;
	}
	*arena = (struct ea_arena){ 0 };
}

void ea_arena_reset(struct ea_arena *arena)
{
	struct ea_arena_block *kept = arena->blocks;
	struct ea_arena older = { .blocks = kept ? kept->older : NULL };

	if (!kept)
		return;
	ea_arena_release(&older);
	kept->older = NULL;
	/* Only what was used: the rest is still zeroed. */
	memset(kept->data, 0, (size_t)(arena->next - kept->data));
	arena->next = kept->data;
	arena->total = kept->size;
}

static void *add_block(struct ea_arena *arena, size_t size)
{
	size_t want = arena->blocks ? arena->blocks->size * 2 : BLOCK_FIRST;
	struct ea_arena_block *block;

	if (want > BLOCK_MAX)
		want = BLOCK_MAX;
	if (want < size)
		want = size;
	block = calloc(1, sizeof(*block) + want);
	if (!block)
		ea_oom();
	block->size = want;
	block->older = arena->blocks;
	arena->blocks = block;
	arena->next = block->data + size;
	arena->end = block->data + want;
	arena->total += want;
	return block->data;
}

void *ea_arena_alloc(struct ea_arena *arena, size_t size)
{
	void *ptr = arena->next;

	if (size > SIZE_MAX / 2)
		ea_oom();
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!ptr || size > (size_t)(arena->end - arena->next))
		return add_block(arena, size);
	arena->next += size;
	return ptr;
}

void *ea_arena_dup_mem(struct ea_arena *arena, const void *ptr, size_t size)
{
	void *copy = ea_arena_alloc(arena, size);

	if (size)
		memcpy(copy, ptr, size);
	return copy;
}

char *ea_arena_dup_str(struct ea_arena *arena, struct ea_str text)
{
	char *copy = ea_arena_alloc(arena, text.len + 1);

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return copy;
}

char *ea_arena_dup(struct ea_arena *arena, const char *text)
{
	return text ? ea_arena_dup_mem(arena, text, strlen(text) + 1) : NULL;
}

char *ea_arena_vprintf(struct ea_arena *arena, const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text = ea_arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

char *ea_arena_printf(struct ea_arena *arena, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = ea_arena_vprintf(arena, fmt, args);
	va_end(args);
	return text;
}

void ea_arena_absorb(struct ea_arena *arena, struct ea_arena *from)
{
	struct ea_arena_block *oldest = from->blocks;

	if (!oldest)
		return;
	while (oldest->older)
		oldest = oldest->older;
	/* FROM's blocks go below ours, so that our newest block stays the one that is filled. */
	if (arena->blocks) {
		oldest->older = arena->blocks->older;
		arena->blocks->older = from->blocks;
	} else {
		arena->blocks = from->blocks;
		arena->next = from->next;
		arena->end = from->end;
	}
	arena->total += from->total;
	*from = (struct ea_arena){ 0 };
}
