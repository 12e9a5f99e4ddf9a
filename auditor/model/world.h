/*
 * The world: everything that was found out about one target and what lies around it, as plain data. It
 * owns one arena in which all of its records live. It only grows; ids and pointers stay valid.
 *
 * Order is by path, whatever order workers finished in: same input, same world.
 */
#pragma once

#include "base/vec.h"
#include "model/component.h"
#include "model/copy.h"
#include "model/elf.h"
#include "model/family.h"
#include "model/finding.h"
#include "model/gap.h"
#include "model/python.h"
#include "model/target.h"

struct ea_env_var {
	const char *name, *value;
};

/* Value of NAME among N variables, NULL if unset. */
const char *ea_env_value(const struct ea_env_var *env, size_t n, const char *name);

/* Facts of the machine the target is for; NULL or 0 = unknown. */
struct ea_host {
	const char *libc;		/* "glibc" or "musl" */
	const char *libc_version;	/* "2.36" */
	uint16_t machine;		/* e_machine of the target's own programs */
	const char *os;			/* PRETTY_NAME of os-release */
	const char *driver;		/* NVIDIA kernel module, "580.159.04" */
	const char *driver_user;	/* user-space driver: version of libcuda */
	EA_VEC(const char *) gpus;
};

struct ea_cuda_root {
	const char *path;		/* /usr/local/cuda-12.4 */
	const char *version;		/* "12.4" or longer; NULL = unknown */
	const char *version_from;	/* file that says so */
	const char *broken;		/* text of PATH, a link that leads nowhere; else NULL */
	EA_VEC(const char *) links;	/* other paths that lead to it: /usr/local/cuda */
};

/* A leftover of a half-done install or removal, as inventory/ sees it. */
enum ea_leftover_kind {
	EA_LEFTOVER_TWO_VERSIONS,	/* two dist-infos of one name in one folder */
	EA_LEFTOVER_PIP_TEMP,		/* ~orch: pip's rename of a package that it could not delete */
	EA_LEFTOVER_NO_FILES,		/* metadata whose files are gone */
	EA_LEFTOVER_NO_METADATA,	/* a dist-info without METADATA */
};

struct ea_leftover {
	enum ea_leftover_kind kind;
	const char *path;
	const struct ea_component *component;	/* NULL where nothing names one */
	const struct ea_component *other;	/* the twin of TWO_VERSIONS */
};

/* What a framework's own text says of its build: torch was made for CUDA 12.1. */
struct ea_claim {
	const char *framework; /* "torch" */
	const char *what;      /* "version", "cuda", "cudnn", "hip", "package" */
	const char *value;     /* NULL: the text says None, as a build without CUDA does */
	const char *path;      /* where it stands */
};

/* Files of one family that are not the same thing: other content, and another version or other owners. */
struct ea_duplicate {
	const struct ea_family *family;
	EA_VEC(const struct ea_elf *) elfs;	/* one per content, in order of their first path */
};

/* A layer of an image. */
struct ea_world_layer {
	const char *digest;	/* "sha256:…", or the name of its file */
	const char *created_by;	/* line of the image's history; NULL = unknown */
};

struct ea_session; /* model/session.h */

struct ea_world {
	struct ea_arena arena;
	struct ea_target target;
	struct ea_host host;
	const char *named_driver;		/* --driver: of the host on which it will run; or NULL */
	EA_VEC(struct ea_env_var) environment;
	EA_VEC(struct ea_world_layer) layers;	/* the lowest first; none but of an image */
	EA_VEC(struct ea_elf *) elfs;
	EA_VEC(struct ea_copy *) copies;
	EA_VEC(struct ea_component *) components;
	EA_VEC(struct ea_python *) pythons;
	EA_VEC(struct ea_cuda_root *) cuda_roots;
	EA_VEC(struct ea_leftover) leftovers;
	EA_VEC(struct ea_duplicate) duplicates;
	EA_VEC(struct ea_claim) claims;
	EA_VEC(struct ea_session *) sessions;	/* in order of consumers */
	struct ea_gaps gaps;			/* its arena is ours */
	EA_VEC(struct ea_finding *) findings;
};

/* Value of an environment variable, NULL if unset. */
const char *ea_world_env(const struct ea_world *world, const char *name);

/* A root that somebody is going to start as a container, not a machine with a driver. */
bool ea_world_is_image(const struct ea_world *world);

/* "layer 3 of 5: RUN pip install …", in the world's arena; NULL for number 0, see ea_copy.layer. */
const char *ea_world_layer_text(struct ea_world *world, unsigned number);

/* An empty world: zeroed but for what has to point at itself. Do not move it afterwards. */
void ea_world_init(struct ea_world *world);
void ea_world_release(struct ea_world *world);
