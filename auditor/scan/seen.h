/*
 * What was met already, shared by all workers: inodes with several names, so that each content is
 * read once, and folders, so that each is walked once.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/elf.h"

struct ea_seen_inode;
struct ea_seen_folder;

struct ea_seen {
	pthread_mutex_t lock;
	struct ea_arena arena;
	struct ea_seen_inode *inodes;
	struct ea_seen_folder *folders;
};

void ea_seen_init(struct ea_seen *seen);
void ea_seen_release(struct ea_seen *seen);

/*
 * The record of an inode: *ret_first tells whether the caller is the first to ask and has to fill
 * it. Others get the same pointer at once and must not look into it before the walk has ended.
 */
struct ea_elf *ea_seen_elf(struct ea_seen *seen, uint64_t dev, uint64_t ino, bool *ret_first);

/* The caller could not fill it yet: the next one to ask is the first again. */
void ea_seen_unclaim(struct ea_seen *seen, uint64_t dev, uint64_t ino);

/* True the first time that this key (a folder, or a job's name and folder) is given. */
bool ea_seen_first(struct ea_seen *seen, const char *key);
