/*
 * A family of libraries: files that are versions of one thing (cudnn_graph, cublasLt), how to know
 * them by name, and where their exact version stands. Loaded from matrices/libraries.cfg by
 * matrix/; how a getter is read is elf/'s business, what it means is said in doc/envaudit-matrix.5.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/vec.h"

/* Names, or patterns for them as fnmatch(3) takes them. */
struct ea_name_list {
	EA_VEC(const char *) list;
};

/* Where a version may stand in a file. X(enum suffix, word in the matrix) */
#define EA_GETTERS(X)                                                                             \
	X(BUILD_ID, "build-id") /* `table` tells the version of a build-id */                     \
	X(SONAME, "soname")	/* the number behind ".so." is one */                             \
	X(OBJECT, "object")	/* exported data object SYMBOL: a 32-bit number */                \
	X(CODE, "code")		/* the only constant from min to max in the body of SYMBOL */     \
	X(STORES, "stores")	/* numbers that SYMBOL stores through its pointer arguments */    \
	X(PROPERTY, "property") /* what SYMBOL(0, &n), SYMBOL(1, &n), SYMBOL(2, &n) store */      \
	X(STRUCT, "struct")	/* numbers behind the address that SYMBOL returns */              \
	X(SYMBOL, "symbol")	/* largest version behind the prefix SYMBOL of a symbol's name */ \
	X(VERDEF, "verdef")	/* likewise of a version definition's name */                     \
	X(BANNER, "banner")	/* text in a section that `pattern` finds; group 1 */

enum ea_getter_kind {
#define X(name, word) EA_GETTER_##name,
	EA_GETTERS(X)
#undef X
	EA_GETTER_KIND_MAX_
};

/* How a number becomes a version. X(enum suffix, word in the matrix) */
#define EA_ENCODINGS(X)                                                                \
	X(1000, "1000")	  /* 8907 = 8.9.7: major*1000 + minor*100 + patch */           \
	X(10000, "10000") /* 91900 = 9.19.0: major*10000 + minor*100 + patch */        \
	X(100, "100")	  /* 1000 = 0.10.0: minor*100 + patch, of a major version 0 */ \
	X(CUDA, "cuda")	  /* 13010 = 13.1: major*1000 + minor*10 */                    \
	X(BYTES, "bytes") /* 0x00091300 = 9.19.0: major<<16 | minor<<8 | patch */      \
	X(TABLE, "table") /* as `table` says */

enum ea_encoding {
#define X(name, word) EA_ENCODING_##name,
	EA_ENCODINGS(X)
#undef X
	EA_ENCODING_MAX_
};

/* A line of a table: build-id or number, and its version. */
struct ea_known_version {
	const char *key, *version;
};

struct ea_getter {
	enum ea_getter_kind kind;
	const char *symbol;	   /* name or prefix; NULL where the kind needs none */
	enum ea_encoding encoding; /* OBJECT, CODE, and STORES of one number */
	uint32_t min, max;	   /* CODE: other constants are not versions */
	uint32_t follow;	   /* CODE: calls that are looked into where the body has none */
	uint32_t count;		   /* STORES, STRUCT: how many numbers, 1 to 3 */
	uint32_t parts;		   /* only so many parts of the answer are the version; 0 = all */
	const char *section;	   /* BANNER: looked through up to … */
	uint32_t size;		   /* … this offset */
	struct ea_pattern *pattern;
	EA_VEC(struct ea_known_version) table;
};

/* What the number in a file name is. X(enum suffix, word in the matrix) */
#define EA_NAME_VERSIONS(X)                                                                \
	X(RELEASE, "release") /* a version if it has three parts: libcublas.so.12.4.5.8 */ \
	X(DRIVER, "driver")   /* a driver's version: libcuda.so.550.54.14 */               \
	X(NONE, "none")	      /* an ABI's number, or of another scheme */

enum ea_name_version {
#define X(name, word) EA_NAME_VERSION_##name,
	EA_NAME_VERSIONS(X)
#undef X
	EA_NAME_VERSION_MAX_
};

extern const char *const ea_getter_words[EA_GETTER_KIND_MAX_];
extern const char *const ea_encoding_words[EA_ENCODING_MAX_];
extern const char *const ea_name_version_words[EA_NAME_VERSION_MAX_];

struct ea_family {
	const char *name;  /* "cudnn_graph", "cublasLt" */
	const char *set;   /* name of the set of files that belong together ("cudnn"), or NULL */
	const char *title; /* "cuDNN graph" */
	bool gpu_code;	   /* may hold fatbins worth reading */
	bool framework;	   /* a framework's own library: torch, tensorflow… */
	bool compat_note;  /* a driver library that may have a forward compatibility note */
	enum ea_name_version name_version;
	EA_VEC(const char *) names; /* file names and SONAMEs in front of ".so"; may end in '*' */
	EA_VEC(struct ea_getter) getters; /* tried in this order until three parts are known */
	EA_VEC(const char *)
	packages;	   /* keys of packages whose version is the library's; may end in '*' */
	const char *where; /* file:line of its definition */
};

/* The version in a file name of the family, NULL if it has none; points into FILE_NAME. */
const char *ea_family_name_version(const struct ea_family *family, const char *file_name);
