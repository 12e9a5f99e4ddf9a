/* A target: what the user names, and what it was found to be. */
#pragma once

#include <stdbool.h>

#include "base/vec.h"

/* X(enum suffix, JSON word, what a person reads) */
#define EA_TARGET_KINDS(X)                                                                         \
	X(VENV, "venv", "virtual environment")                                                     \
	X(CONDA, "conda", "conda environment")                                                     \
	X(SITE, "site-packages", "site-packages folder")                                           \
	X(PYTHON, "python", "Python installation")                                                 \
	X(TOOLKIT, "toolkit", "CUDA toolkit")                                                      \
	X(ROOTFS, "rootfs", "root file system")                                                    \
	X(IMAGE, "image", "container image")                                                       \
	X(ELF, "elf", "ELF file")

enum ea_target_kind {
#define X(name, word, text) EA_TARGET_##name,
	EA_TARGET_KINDS(X)
#undef X
	EA_TARGET_KIND_MAX_
};

extern const char *const ea_target_words[EA_TARGET_KIND_MAX_];
extern const char *const ea_target_texts[EA_TARGET_KIND_MAX_];

/* All of a file system, not a part of one. */
static inline bool ea_target_is_whole(enum ea_target_kind kind)
{
	return kind == EA_TARGET_ROOTFS || kind == EA_TARGET_IMAGE;
}

struct ea_target {
	const char *name;		/* as the user wrote it, or the member of a folder of environments */
	enum ea_target_kind kind;
	const char *path;		/* inside the root, absolute; "/" for a root file system */
	const char *called;		/* path as the user called it: links in it are not resolved */
	const char *root;		/* host folder or image archive that serves as root; "/" for the host */
};
