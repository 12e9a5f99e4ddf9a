/* A target: what the user names, and what it was found to be. */
#pragma once

#include "base/vec.h"

/* X(enum suffix, JSON word, what a person reads) */
#define EA_TARGET_KINDS(X)                                                                         \
	X(VENV, "venv", "virtual environment")                                                     \
	X(CONDA, "conda", "conda environment")                                                     \
	X(SITE, "site-packages", "site-packages folder")                                           \
	X(PYTHON, "python", "Python installation")                                                 \
	X(TOOLKIT, "toolkit", "CUDA toolkit")                                                      \
	X(ROOTFS, "rootfs", "root file system")                                                    \
	X(ELF, "elf", "ELF file")

enum ea_target_kind {
#define X(name, word, text) EA_TARGET_##name,
	EA_TARGET_KINDS(X)
#undef X
	EA_TARGET_KIND_MAX_
};

extern const char *const ea_target_words[EA_TARGET_KIND_MAX_];
extern const char *const ea_target_texts[EA_TARGET_KIND_MAX_];

struct ea_target {
	const char *name;		/* as the user wrote it, or the member of a folder of environments */
	enum ea_target_kind kind;
	const char *path;		/* inside the root, absolute; "/" for a root file system */
	const char *called;		/* path as the user called it: links in it are not resolved */
	const char *root;		/* host folder that serves as root; "/" for the host itself */
};
