/*
 * Questions to the tables of facts (tables.h). Each answer is a row, which says where it comes
 * from, when that was read and in which line it stands.
 *
 * Result of all: 0 and *RET is the row; EA_MATRIX_UNKNOWN when the tables do not say;
 * EA_MATRIX_NEWER when what is asked about is newer than the newest that the tables know, and *RET
 * is the row of that newest, whose date says how old the table is: neither a pass nor a failure;
 * negative when a file is invalid.
 */
#pragma once

#include "matrix/matrix.h"

enum { EA_MATRIX_UNKNOWN = 1, EA_MATRIX_NEWER = 2 };

/* ---- CUDA and the driver ------------------------------------------------------------------- */

/* Toolkit "12.4.1"; "12.4" gives the first 12.4. Its driver is the one for all its features. */
EA_MUST_CHECK int ea_compat_toolkit(struct ea_matrix *matrix, const char *cuda,
				    const struct ea_toolkit **ret, struct ea_err *err);

/* From which driver on programs of this CUDA major start at all (minor version compatibility). */
EA_MUST_CHECK int ea_compat_cuda_major(struct ea_matrix *matrix, const char *cuda,
				       const struct ea_cuda_major **ret, struct ea_err *err);

/* Branch of a driver "550.54.15": its newest CUDA. A branch that is not listed has the next lower.
 */
EA_MUST_CHECK int ea_compat_driver(struct ea_matrix *matrix, const char *driver,
				   const struct ea_driver_branch **ret, struct ea_err *err);

/* The package cuda-compat of this CUDA, and the driver branches that it works with. */
EA_MUST_CHECK int ea_compat_forward(struct ea_matrix *matrix, const char *cuda,
				    const struct ea_forward_compat **ret, struct ea_err *err);
EA_MUST_CHECK int ea_compat_gpu_class(struct ea_matrix *matrix, enum ea_gpu_class class,
				      const struct ea_gpu_class_row **ret, struct ea_err *err);

/* Toolkits for a compute capability "9.0". */
EA_MUST_CHECK int ea_compat_arch(struct ea_matrix *matrix, const char *sm,
				 const struct ea_cuda_arch **ret, struct ea_err *err);

/* The first CUDA that knows a PTX version: "8.4". */
EA_MUST_CHECK int ea_compat_ptx(struct ea_matrix *matrix, const char *ptx,
				const struct ea_cuda_ptx **ret, struct ea_err *err);

/* The newest PTX version that the driver of this CUDA, "12.4", takes. */
EA_MUST_CHECK int ea_compat_ptx_of_cuda(struct ea_matrix *matrix, const char *cuda,
					const struct ea_cuda_ptx **ret, struct ea_err *err);

/* The gcc versions that nvcc of this CUDA takes. */
EA_MUST_CHECK int ea_compat_host_gcc(struct ea_matrix *matrix, const char *cuda,
				     const struct ea_host_gcc **ret, struct ea_err *err);

/* ---- libraries of the toolkit -------------------------------------------------------------- */

/* The toolkit that library "cublas" of version "12.4.5.8" belongs to. */
EA_MUST_CHECK int ea_compat_toolkit_of(struct ea_matrix *matrix, const char *library,
				       const char *version, const struct ea_cuda_components **ret,
				       struct ea_err *err);

/* SONAME of a library in a CUDA (for cudnn*: in a cuDNN). */
EA_MUST_CHECK int ea_compat_soname(struct ea_matrix *matrix, const char *library, const char *cuda,
				   const struct ea_cuda_soname **ret, struct ea_err *err);

/* The wheel that brings a library for a CUDA. */
EA_MUST_CHECK int ea_compat_wheel(struct ea_matrix *matrix, const char *library, const char *cuda,
				  const struct ea_nvidia_wheel **ret, struct ea_err *err);

/* ---- cuDNN --------------------------------------------------------------------------------- */

/* Whether cuDNN fits a CUDA: its row, and with it the compute capabilities. */
EA_MUST_CHECK int ea_compat_cudnn(struct ea_matrix *matrix, const char *cudnn, const char *cuda,
				  const struct ea_cudnn_fit **ret, struct ea_err *err);

/* The libraries that make up this cuDNN. */
EA_MUST_CHECK int ea_compat_cudnn_set(struct ea_matrix *matrix, const char *cudnn,
				      const struct ea_cudnn_set **ret, struct ea_err *err);

/* What one of its libraries needs or opens besides: "cublas", "nvrtc". */
EA_MUST_CHECK int ea_compat_cudnn_need(struct ea_matrix *matrix, const char *cudnn,
				       const char *library, const struct ea_cudnn_need **ret,
				       struct ea_err *err);

/* ---- GPUs ---------------------------------------------------------------------------------- */

/* By a name as people and drivers write it: "NVIDIA GeForce RTX 4090", "rtx 4090", "H100 80GB". */
EA_MUST_CHECK int ea_compat_gpu(struct ea_matrix *matrix, const char *name,
				const struct ea_gpu_model **ret, struct ea_err *err);

/*
 * Whether code for the compute capabilities SM ("8.0, 9.0") and PTX from PTX on (NULL: none) runs
 * on a GPU of capability GPU.
 */
bool ea_compat_runs_on(const char *sm, const char *ptx, const char *gpu);

/* ---- frameworks and other packages --------------------------------------------------------- */

/* The items of "cublas 12.4.5.8, cufft 11.2.1.3": the version of a library, empty if it is not
 * there. */
struct ea_str ea_compat_listed(const char *list, const char *library);

/*
 * What a release of a package was built with. BUILD is its local version ("cu121"), NULL for that
 * on the package index or, if no row says so, the first one.
 */
EA_MUST_CHECK int ea_compat_release(struct ea_matrix *matrix, const char *package,
				    const char *version, const char *build,
				    const struct ea_release **ret, struct ea_err *err);

/* What the wheel of a release on the package index asks for. */
EA_MUST_CHECK int ea_compat_pins(struct ea_matrix *matrix, const char *package, const char *version,
				 const struct ea_pins **ret, struct ea_err *err);

/* The range that NEEDS has for a package (an extra's too), "*" without one; NULL if it asks for
 * none. */
const char *ea_compat_need(const struct ea_pins *pins, const char *package);

/* The newest release of PARTNER whose wheel asks for this version of a package: torchvision of
 * torch. */
EA_MUST_CHECK int ea_compat_partner(struct ea_matrix *matrix, const char *partner,
				    const char *package, const char *version,
				    const struct ea_pins **ret, struct ea_err *err);

/* ---- faults -------------------------------------------------------------------------------- */

/*
 * A version that is known to be bad, alone (WITH NULL) or together with another of which the
 * version is known; SM may be NULL. Begin with *RET NULL; each further call gives the next.
 */
EA_MUST_CHECK int ea_compat_known_bad(struct ea_matrix *matrix, const char *what,
				      const char *version, const char *with,
				      const char *with_version, const char *sm,
				      const struct ea_known_bad **ret, struct ea_err *err);

/* ---- conda --------------------------------------------------------------------------------- */

/* What a build string says of a package; texts are NULL where it does not say. */
struct ea_conda_answer {
	const struct ea_conda_build *row;
	const char *cuda, *cudnn;
	bool cpu;
};

EA_MUST_CHECK int ea_compat_conda_build(struct ea_matrix *matrix, const char *package,
					const char *build, struct ea_arena *arena,
					struct ea_conda_answer *ret, struct ea_err *err);

/* What a version of a package, "12.4" of pytorch-cuda, allows. */
EA_MUST_CHECK int ea_compat_conda_range(struct ea_matrix *matrix, const char *package,
					const char *version, const struct ea_conda_range **ret,
					struct ea_err *err);
