/* Hashes of whole files. The only user of nettle. */
#include "scan/verify.h"

#include <nettle/sha2.h>
#include <stdlib.h>

#include "scan/merge.h"

#define CHUNK 262144u

struct hash_job {
	struct ea_job job;
	const struct ea_root *root;
	const char *path;
	struct ea_elf *elf;
};

static void hash_file(struct ea_worker *worker, struct ea_job *job)
{
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *file = NULL;
	EA_CLEANUP(ea_free_ptr) struct hash_job *hash = (struct hash_job *)job;
	unsigned char *chunk = ea_arena_alloc(&worker->scratch, CHUNK);
	struct sha256_ctx ctx;
	uint64_t off = 0;
	long n = ea_root_open(hash->root, hash->path, &file);

	sha256_init(&ctx);
	while (file && (n = ea_file_read(file, chunk, CHUNK, off)) > 0) {
		sha256_update(&ctx, (size_t)n, chunk);
		off += (uint64_t)n;
	}
	if (n < 0) {
		ea_gaps_add(&worker->gaps, hash->path, EA_GAP_UNREAD, "cannot be hashed: %s",
			    strerror((int)-n));
		return;
	}
	sha256_digest(&ctx, sizeof(hash->elf->sha256), hash->elf->sha256);
	hash->elf->has_sha256 = true;
}

static bool has_sum(const struct ea_record *record)
{
	return (record->flags & EA_RECORD_HAS_SHA256) && !(record->flags & EA_RECORD_LINK);
}

/* Equal sizes, other sums: only the content tells whose file it is. */
static bool is_undecided(const struct ea_copy *copy)
{
	for (uint32_t i = 1; i < copy->owners.n; i++) {
		const struct ea_record *a = copy->owners.items[0].record;
		const struct ea_record *b = copy->owners.items[i].record;

		if (has_sum(a) && has_sum(b) && memcmp(a->digest, b->digest, 32) != 0 &&
		    a->size == b->size)
			return true;
	}
	return false;
}

static bool is_wanted(const struct ea_copy *copy, bool all)
{
	return !copy->link && copy->elf && copy->owners.n && !copy->elf->has_sha256 &&
	       (is_undecided(copy) || (all && has_sum(copy->owners.items[0].record)));
}

void ea_verify(struct ea_walk *walk, struct ea_world *world, bool all)
{
	bool *queued = NULL, any = false;

	ea_vec_foreach(item, &world->copies) {
		struct ea_copy *copy = *item;
		struct hash_job *hash;

		if (!is_wanted(copy, all))
			continue;
		if (!queued)
			queued = ea_arena_array(&world->arena, bool, world->elfs.n + 1);
		if (queued[copy->elf->id])
			continue;
		queued[copy->elf->id] = any = true;
		hash = ea_xmalloc(sizeof(*hash));
		*hash = (struct hash_job){ .job.run = hash_file,
					   .root = walk->root,
					   .path = copy->path,
					   .elf = copy->elf };
		ea_pool_push(walk->pool, &hash->job);
	}
	if (any) {
		ea_pool_run(walk->pool, NULL, NULL);
		ea_merge_memory(walk, world);
	}
}
