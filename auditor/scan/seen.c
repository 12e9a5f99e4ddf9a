/* What was met already, shared by all workers. */
#include "scan/seen.h"

#include <string.h>

#include "base/table.h"

struct inode_key {
	uint64_t dev, ino;
};

struct ea_seen_inode {
	struct inode_key key;
	struct ea_elf *elf;
	bool claimed;
	UT_hash_handle hh;
};

struct ea_seen_folder {
	UT_hash_handle hh;
	char key[];
};

void ea_seen_init(struct ea_seen *seen)
{
	*seen = (struct ea_seen){ 0 };
	pthread_mutex_init(&seen->lock, NULL);
}

void ea_seen_release(struct ea_seen *seen)
{
	HASH_CLEAR(hh, seen->inodes);
	HASH_CLEAR(hh, seen->folders);
	ea_arena_release(&seen->arena);
	pthread_mutex_destroy(&seen->lock);
}

static struct ea_seen_inode *find_inode(struct ea_seen *seen, uint64_t dev, uint64_t ino)
{
	struct inode_key key = { dev, ino };
	struct ea_seen_inode *inode;

	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): all of key is set. */
	HASH_FIND(hh, seen->inodes, &key, sizeof(key), inode);
	if (!inode) {
		inode = ea_arena_new(&seen->arena, struct ea_seen_inode);
		inode->key = key;
		inode->elf = ea_arena_new(&seen->arena, struct ea_elf);
		HASH_ADD(hh, seen->inodes, key, sizeof(key), inode);
	}
	return inode;
}

struct ea_elf *ea_seen_elf(struct ea_seen *seen, uint64_t dev, uint64_t ino, bool *ret_first)
{
	struct ea_seen_inode *inode;

	pthread_mutex_lock(&seen->lock);
	inode = find_inode(seen, dev, ino);
	*ret_first = !inode->claimed;
	inode->claimed = true;
	pthread_mutex_unlock(&seen->lock);
	return inode->elf;
}

void ea_seen_unclaim(struct ea_seen *seen, uint64_t dev, uint64_t ino)
{
	pthread_mutex_lock(&seen->lock);
	find_inode(seen, dev, ino)->claimed = false;
	pthread_mutex_unlock(&seen->lock);
}

bool ea_seen_first(struct ea_seen *seen, const char *key)
{
	size_t len = strlen(key);
	struct ea_seen_folder *folder;
	bool first;

	pthread_mutex_lock(&seen->lock);
	HASH_FIND(hh, seen->folders, key, len, folder);
	first = !folder;
	if (first) {
		folder = ea_arena_alloc(&seen->arena, sizeof(*folder) + len + 1);
		memcpy(folder->key, key, len + 1);
		HASH_ADD(hh, seen->folders, key, (unsigned)len, folder);
	}
	pthread_mutex_unlock(&seen->lock);
	return first;
}
