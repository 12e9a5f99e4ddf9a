/*
 * A family of libraries: files that are versions of one thing (cudnn_graph, cublasLt), how to know them
 * by name, and where their exact version stands. Loaded from matrices/libraries.cfg by matrix/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/vec.h"

/* How a number that was read becomes a version. */
enum ea_encoding {
	EA_ENC_DOTTED,		/* text as it stands */
	EA_ENC_1000,		/* 8907 = 8.9.7: major*1000 + minor*100 + patch */
	EA_ENC_10000,		/* 91900 = 9.19.0: major*10000 + minor*100 + patch */
	EA_ENC_CUDA,		/* 13010 = 13.1: major*1000 + minor*10 (+ patch) */
	EA_ENC_SHIFT16,		/* 0x00091300 = 9.19.0: one byte a part */
	EA_ENC_PAIR,		/* two numbers, major and minor */
};

enum ea_getter_kind {
	EA_GETTER_OBJECT,	/* exported data object SYMBOL holds the number */
	EA_GETTER_RETURN,	/* function SYMBOL returns the number */
	EA_GETTER_STORE,	/* function SYMBOL stores it through its first pointer argument */
	EA_GETTER_STORE_PAIR,	/* … through its first and second */
	EA_GETTER_SYMBOL,	/* largest version in a symbol name with prefix SYMBOL */
	EA_GETTER_BANNER,	/* text in the file's constants that PATTERN finds; group 1 is the version */
};

/* One place in a file where a version may stand. */
struct ea_getter {
	enum ea_getter_kind kind;
	const char *symbol;		/* name or prefix; for BANNER a symbol near the text, or NULL */
	const struct ea_pattern *pattern;	/* BANNER */
	enum ea_encoding encoding;
	/* The file's version is this getter's answer only up to so many parts; 0 = all. */
	uint8_t parts;
};

struct ea_family {
	const char *name;		/* "cudnn_graph", "cublasLt" */
	const char *set;		/* name of the set of files that belong together ("cudnn"), or NULL */
	const char *title;		/* "cuDNN graph" */
	bool gpu_code;			/* may hold fatbins worth reading */
	bool framework;			/* a framework's own library: torch, tensorflow… */
	EA_VEC(const struct ea_pattern *) names;	/* file names and SONAMEs */
	EA_VEC(struct ea_getter) getters;		/* tried in this order */
	EA_VEC(const char *) packages;	/* keys of packages whose version is the library's; may end in '*' */
	const char *where;		/* file:line of its definition */
};
