/*
 * The tables of facts: a struct for the rows of each. matrices/README.md says what the members
 * mean; the schemas in tables.c fill them. A member that a row leaves out is NULL or false.
 */
#pragma once

#include "base/vec.h"
#include "matrix/cfg.h"

/* What every row begins with. */
struct ea_row {
	const char *from;   /* name of one of the file's sources, or NULL */
	const char *source; /* where the row's facts come from */
	const char *date;   /* when they were read there: YYYY-MM-DD */
	const char *note;
	const char *where; /* FILE:LINE */
};

struct ea_toolkit {
	struct ea_row row;
	const char *cuda;
	const char *driver;  /* that NVIDIA asks for, NULL if not published */
	const char *shipped; /* driver in the installer */
};

struct ea_cuda_components {
	struct ea_row row;
	const char *cuda, *libraries; /* "cublas 12.4.5.8, cufft 11.2.1.3" */
};

struct ea_cuda_major {
	struct ea_row row;
	const char *cuda;
	const char *driver; /* from which on minor version compatibility holds */
};

struct ea_cuda_arch {
	struct ea_row row;
	const char *sm, *name;
	const char *first, *last; /* toolkits that make code for it */
};

struct ea_cuda_ptx {
	struct ea_row row;
	const char *ptx, *cuda;
};

struct ea_host_gcc {
	struct ea_row row;
	const char *cuda; /* range */
	const char *min, *max;
};

struct ea_cuda_soname {
	struct ea_row row;
	const char *library;
	const char *cuda; /* range: of CUDA, for cudnn* of cuDNN */
	const char *soname;
};

struct ea_nvidia_wheel {
	struct ea_row row;
	const char *package;
	const char *cuda; /* range */
	const char *libraries, *folder;
};

struct ea_cudnn_fit {
	struct ea_row row;
	const char *cudnn;
	const char *cuda; /* range */
	const char *sm;	  /* range */
	const char *driver;
};

struct ea_cudnn_set {
	struct ea_row row;
	const char *cudnn; /* range */
	EA_VEC(const char *) libraries;
};

struct ea_cudnn_need {
	struct ea_row row;
	const char *cudnn; /* range */
	const char *library;
	const char *names; /* that it opens */
};

struct ea_driver_branch {
	struct ea_row row;
	const char *branch;
	const char *cuda; /* newest that it knows by itself */
};

struct ea_forward_compat {
	struct ea_row row;
	const char *cuda;
	const char *branches; /* range of driver branches below it */
};

/* A file that the NVIDIA container toolkit mounts. */
struct ea_driver_file {
	struct ea_row row;
	const char *library;	/* as programs name it: "libcuda.so.1" */
	const char *capability; /* word of NVIDIA_DRIVER_CAPABILITIES */
	const char *drivers;	/* range of the branches that have it; NULL = all */
};

enum ea_gpu_class {
	EA_GPU_DATACENTER,
	EA_GPU_WORKSTATION,
	EA_GPU_CONSUMER,
	EA_GPU_EMBEDDED,
	EA_GPU_CLASS_MAX_
};
extern const char *const ea_gpu_class_words[EA_GPU_CLASS_MAX_];

struct ea_gpu_class_row {
	struct ea_row row;
	enum ea_gpu_class class;
	bool forward_compat;
};

struct ea_gpu_model {
	struct ea_row row;
	const char *name, *sm;
	enum ea_gpu_class class;
};

/* A build of a release: releases/PACKAGE.cfg. */
struct ea_release {
	struct ea_row row;
	const char *version, *until; /* one release, or from the one to the other */
	const char *build;	     /* "cu121", NULL where there is one only */
	bool on_index;		     /* of several, that which the package index has */
	const char *cuda, *cudnn, *nccl, *triton;
	const char *torch;  /* that it was built for */
	const char *python; /* range */
	const char *sm;	    /* "7.0, 8.0": has code for these */
	const char *ptx;    /* and PTX that runs on these and newer ones */
	const char *glibc;
	const char *cxx11_abi; /* "0" or "1" */
	const char *min_driver;
	EA_VEC(const char *) needs;
};

/* What a wheel asks for: pins/PACKAGE.cfg, written by matrices/update.py. */
struct ea_pins {
	struct ea_row row;
	const char *version, *python;
	EA_VEC(const char *) needs; /* "NAME SPEC" without a blank, or "[EXTRA] NAME SPEC" */
};

struct ea_known_bad {
	struct ea_row row;
	const char *what;		 /* family or package */
	const char *version;		 /* range */
	const char *with, *with_version; /* only together with this */
	const char *sm;			 /* range: only on these GPUs */
	const char *symptom, *fix;
	const char *consumer; /* the audit reports it for this framework, "any": wherever it is
				 installed */
	int severity;	      /* an ea_severity + 1; 0 = the rule's */
};

struct ea_conda_build {
	struct ea_row row;
	const char *channel;
	const char *packages; /* names with a blank between them */
	const char *pattern;  /* PCRE for the build string; group 1 is the CUDA version */
	const char *gives;    /* "cuda", "cuda cudnn", "cpu" */
	const char *example;
};

struct ea_conda_range {
	struct ea_row row;
	const char *package, *version; /* pytorch-cuda 12.4 */
	EA_VEC(const char *) needs;    /* "libcublas>=12.4.5.8,<12.5.2.13" */
};

enum ea_table_id {
	EA_TABLE_TOOLKITS,
	EA_TABLE_CUDA_COMPONENTS,
	EA_TABLE_CUDA_MAJORS,
	EA_TABLE_CUDA_ARCHES,
	EA_TABLE_CUDA_PTX,
	EA_TABLE_HOST_GCC,
	EA_TABLE_CUDA_SONAMES,
	EA_TABLE_NVIDIA_WHEELS,
	EA_TABLE_CUDNN_FITS,
	EA_TABLE_CUDNN_SETS,
	EA_TABLE_CUDNN_NEEDS,
	EA_TABLE_DRIVER_BRANCHES,
	EA_TABLE_FORWARD_COMPAT,
	EA_TABLE_DRIVER_FILES,
	EA_TABLE_GPU_CLASSES,
	EA_TABLE_GPUS,
	EA_TABLE_KNOWN_BAD,
	EA_TABLE_CONDA_BUILDS,
	EA_TABLE_CONDA_RANGES,
	EA_TABLE_RELEASES, /* of a package */
	EA_TABLE_PINS,	   /* of a package */
	EA_TABLE_MAX_
};

struct ea_table_def {
	const char *file; /* "cuda.cfg"; "releases/" for a file of each package */
	const char *name; /* of the list in the file */
	size_t row_size;
	const struct ea_cfg_field *fields;
	size_t n_fields;
	const char *keys;     /* members that tell rows apart: " library cuda " */
	const char *versions; /* members that are versions */
	const char *ranges;   /* members that are ranges */
};

extern const struct ea_table_def ea_table_defs[EA_TABLE_MAX_];
