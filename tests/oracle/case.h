/*
 * A case: files, links and folders, an environment, a program and what it dlopens. Read from and
 * written as text, one item a line; tests/oracle/cases/README has the words.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "elfspec.h"

enum item_kind {
	ITEM_ELF,
	ITEM_TEXT, /* a file with this content */
	ITEM_LINK, /* symbolic link */
	ITEM_HARD, /* hard link */
	ITEM_COPY,
	ITEM_DIR,
	ITEM_MODE,     /* chmod */
	ITEM_CACHE,    /* an entry for ld.so.cache */
	ITEM_LDCONFIG, /* the root's own ldconfig over these folders */
};

struct item {
	enum item_kind kind;
	const char *path;
	const char *text; /* content, target, mode, value of the cache entry, folders */
	struct elf_spec elf;
	/* ITEM_CACHE */
	const char *folder; /* "x86-64-v3": out of glibc-hwcaps */
	uint64_t hwcap;
	int32_t flags; /* 0 = those of the machine */
	uint32_t osversion;
};

struct variable {
	const char *name, *value;
};

struct opening {
	const char *name;
	const char *from; /* path of the map that calls, as the loader names it; NULL = program */
	int flags;
};

struct test_case {
	const char *name;
	unsigned oldest, newest; /* minor versions of glibc that it is for; 0 = all */
	bool musl;		 /* for musl */
	struct elf_spec program;
	const char *cwd;
	EA_VEC(struct item) items;
	EA_VEC(struct variable) env;
	EA_VEC(struct opening) openings;
	const char *cache_form;		/* "old", "compat": layout of the cache; NULL = new */
	EA_VEC(struct elf_poke) spoilt; /* bytes of the cache that are changed */
};

/* All cases of a text; -EINVAL with the line in ERR. */
int case_parse(struct ea_arena *arena, struct ea_str text, const char *file,
	       int (*fn)(void *arg, struct test_case *test), void *arg, struct ea_err *err);

void case_print(const struct test_case *test, struct ea_buf *out);
