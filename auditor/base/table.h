/*
 * Hash tables: uthash as this project uses it. Memory that ends, ends the process; the hash
 * function is one without fall-through, which clang warns of.
 */
#pragma once

#include "base/arena.h"

#define uthash_fatal(msg)	      ea_oom()
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>
