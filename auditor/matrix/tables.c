/* The schemas of the tables of facts. */
#include "matrix/tables.h"

const char *const ea_gpu_class_words[EA_GPU_CLASS_MAX_] = {
	[EA_GPU_DATACENTER] = "datacenter",
	[EA_GPU_WORKSTATION] = "workstation",
	[EA_GPU_CONSUMER] = "consumer",
	[EA_GPU_EMBEDDED] = "embedded",
};

#define GPU_CLASS .words = ea_gpu_class_words, .n_words = EA_GPU_CLASS_MAX_

/* What every row may have. */
#define ROW(type)                                                      \
	EA_CFG_KEY("from", struct type, row.from, STRING),             \
		EA_CFG_KEY("source", struct type, row.source, STRING), \
		EA_CFG_KEY("date", struct type, row.date, STRING),     \
		EA_CFG_KEY("note", struct type, row.note, STRING)

#define MUST(type, member) EA_CFG_FIELD(struct type, member, STRING, .required = true)
#define MAY(type, member)  EA_CFG_FIELD(struct type, member, STRING)
#define LIST(type, member) EA_CFG_FIELD(struct type, member, STRINGS)

static const struct ea_cfg_field toolkit_fields[] = {
	ROW(ea_toolkit),
	MUST(ea_toolkit, cuda),
	MAY(ea_toolkit, driver),
	MAY(ea_toolkit, shipped),
};

static const struct ea_cfg_field component_fields[] = {
	ROW(ea_cuda_components),
	MUST(ea_cuda_components, cuda),
	MUST(ea_cuda_components, libraries),
};

static const struct ea_cfg_field major_fields[] = {
	ROW(ea_cuda_major),
	MUST(ea_cuda_major, cuda),
	MUST(ea_cuda_major, driver),
};

static const struct ea_cfg_field arch_fields[] = {
	ROW(ea_cuda_arch),	  MUST(ea_cuda_arch, sm),  MUST(ea_cuda_arch, name),
	MAY(ea_cuda_arch, first), MAY(ea_cuda_arch, last),
};

static const struct ea_cfg_field ptx_fields[] = {
	ROW(ea_cuda_ptx),
	MUST(ea_cuda_ptx, ptx),
	MUST(ea_cuda_ptx, cuda),
};

static const struct ea_cfg_field gcc_fields[] = {
	ROW(ea_host_gcc),
	MUST(ea_host_gcc, cuda),
	MAY(ea_host_gcc, min),
	MUST(ea_host_gcc, max),
};

static const struct ea_cfg_field soname_fields[] = {
	ROW(ea_cuda_soname),
	MUST(ea_cuda_soname, library),
	MUST(ea_cuda_soname, cuda),
	MUST(ea_cuda_soname, soname),
};

static const struct ea_cfg_field wheel_fields[] = {
	ROW(ea_nvidia_wheel),	       MUST(ea_nvidia_wheel, package),
	MUST(ea_nvidia_wheel, cuda),   MUST(ea_nvidia_wheel, libraries),
	MUST(ea_nvidia_wheel, folder),
};

static const struct ea_cfg_field fit_fields[] = {
	ROW(ea_cudnn_fit),     MUST(ea_cudnn_fit, cudnn), MUST(ea_cudnn_fit, cuda),
	MAY(ea_cudnn_fit, sm), MAY(ea_cudnn_fit, driver),
};

static const struct ea_cfg_field set_fields[] = {
	ROW(ea_cudnn_set),
	MUST(ea_cudnn_set, cudnn),
	EA_CFG_FIELD(struct ea_cudnn_set, libraries, STRINGS, .required = true),
};

static const struct ea_cfg_field need_fields[] = {
	ROW(ea_cudnn_need),
	MUST(ea_cudnn_need, cudnn),
	MUST(ea_cudnn_need, library),
	MUST(ea_cudnn_need, names),
};

static const struct ea_cfg_field branch_fields[] = {
	ROW(ea_driver_branch),
	MUST(ea_driver_branch, branch),
	MUST(ea_driver_branch, cuda),
};

static const struct ea_cfg_field forward_fields[] = {
	ROW(ea_forward_compat),
	MUST(ea_forward_compat, cuda),
	MUST(ea_forward_compat, branches),
};

static const struct ea_cfg_field file_fields[] = {
	ROW(ea_driver_file),
	MUST(ea_driver_file, library),
	MUST(ea_driver_file, capability),
	MAY(ea_driver_file, drivers),
};

static const struct ea_cfg_field class_fields[] = {
	ROW(ea_gpu_class_row),
	EA_CFG_FIELD(struct ea_gpu_class_row, class, WORD, .required = true, GPU_CLASS),
	EA_CFG_FIELD(struct ea_gpu_class_row, forward_compat, BOOL, .required = true),
};

static const struct ea_cfg_field gpu_fields[] = {
	ROW(ea_gpu_model),
	MUST(ea_gpu_model, name),
	MAY(ea_gpu_model, sm),
	EA_CFG_FIELD(struct ea_gpu_model, class, WORD, .required = true, GPU_CLASS),
};

/* Without a word it is the rule that decides. */
static const char *const bad_words[] = { NULL, "note", "warning", "error" };

static const struct ea_cfg_field bad_fields[] = {
	ROW(ea_known_bad),
	MUST(ea_known_bad, what),
	MUST(ea_known_bad, version),
	MAY(ea_known_bad, with),
	MAY(ea_known_bad, with_version),
	MAY(ea_known_bad, sm),
	MUST(ea_known_bad, symptom),
	MUST(ea_known_bad, fix),
	MAY(ea_known_bad, consumer),
	EA_CFG_FIELD(struct ea_known_bad, severity, WORD, .words = bad_words,
		     .n_words = EA_ARRAY_SIZE(bad_words)),
};

static const struct ea_cfg_field conda_build_fields[] = {
	ROW(ea_conda_build),
	MUST(ea_conda_build, channel),
	MUST(ea_conda_build, packages),
	MUST(ea_conda_build, pattern),
	MUST(ea_conda_build, gives),
	MUST(ea_conda_build, example),
};

static const struct ea_cfg_field conda_range_fields[] = {
	ROW(ea_conda_range),
	MUST(ea_conda_range, package),
	MUST(ea_conda_range, version),
	EA_CFG_FIELD(struct ea_conda_range, needs, STRINGS, .required = true),
};

static const struct ea_cfg_field release_fields[] = {
	ROW(ea_release),
	EA_CFG_FIELD(struct ea_release, on_index, BOOL),
	MUST(ea_release, version),
	MAY(ea_release, until),
	MAY(ea_release, build),
	MAY(ea_release, cuda),
	MAY(ea_release, cudnn),
	MAY(ea_release, nccl),
	MAY(ea_release, triton),
	MAY(ea_release, torch),
	MAY(ea_release, python),
	MAY(ea_release, sm),
	MAY(ea_release, ptx),
	MAY(ea_release, glibc),
	MAY(ea_release, cxx11_abi),
	MAY(ea_release, min_driver),
	LIST(ea_release, needs),
};

static const struct ea_cfg_field pins_fields[] = {
	ROW(ea_pins),
	MUST(ea_pins, version),
	MAY(ea_pins, python),
	LIST(ea_pins, needs),
};

#define TABLE(file_, name_, type, fields_, ...)                                      \
	{                                                                            \
		.file = (file_), .name = (name_), .row_size = sizeof(struct type),   \
		.fields = (fields_), .n_fields = EA_ARRAY_SIZE(fields_), __VA_ARGS__ \
	}

const struct ea_table_def ea_table_defs[EA_TABLE_MAX_] = {
	[EA_TABLE_TOOLKITS] = TABLE("cuda.cfg", "toolkits", ea_toolkit, toolkit_fields,
				    .keys = " cuda ", .versions = " cuda driver shipped "),
	[EA_TABLE_CUDA_COMPONENTS] =
		TABLE("cuda.cfg", "components", ea_cuda_components, component_fields,
		      .keys = " cuda ", .versions = " cuda "),
	[EA_TABLE_CUDA_MAJORS] = TABLE("cuda.cfg", "majors", ea_cuda_major, major_fields,
				       .keys = " cuda ", .versions = " cuda driver "),
	[EA_TABLE_CUDA_ARCHES] = TABLE("cuda.cfg", "arches", ea_cuda_arch, arch_fields,
				       .keys = " sm ", .versions = " sm first last "),
	[EA_TABLE_CUDA_PTX] = TABLE("cuda.cfg", "ptx", ea_cuda_ptx, ptx_fields, .keys = " ptx ",
				    .versions = " ptx cuda "),
	[EA_TABLE_HOST_GCC] = TABLE("cuda.cfg", "host_gcc", ea_host_gcc, gcc_fields,
				    .keys = " cuda ", .versions = " min max ", .ranges = " cuda "),
	[EA_TABLE_CUDA_SONAMES] = TABLE("cuda.cfg", "sonames", ea_cuda_soname, soname_fields,
					.keys = " library cuda ", .ranges = " cuda "),
	[EA_TABLE_NVIDIA_WHEELS] = TABLE("cuda.cfg", "wheels", ea_nvidia_wheel, wheel_fields,
					 .keys = " package ", .ranges = " cuda "),
	[EA_TABLE_CUDNN_FITS] =
		TABLE("cudnn.cfg", "fits", ea_cudnn_fit, fit_fields, .keys = " cudnn cuda ",
		      .versions = " cudnn driver ", .ranges = " cuda sm "),
	[EA_TABLE_CUDNN_SETS] = TABLE("cudnn.cfg", "sets", ea_cudnn_set, set_fields,
				      .keys = " cudnn ", .ranges = " cudnn "),
	[EA_TABLE_CUDNN_NEEDS] = TABLE("cudnn.cfg", "needs", ea_cudnn_need, need_fields,
				       .keys = " cudnn library ", .ranges = " cudnn "),
	[EA_TABLE_DRIVER_BRANCHES] =
		TABLE("driver.cfg", "branches", ea_driver_branch, branch_fields, .keys = " branch ",
		      .versions = " branch cuda "),
	[EA_TABLE_FORWARD_COMPAT] =
		TABLE("driver.cfg", "forward_compat", ea_forward_compat, forward_fields,
		      .keys = " cuda ", .versions = " cuda ", .ranges = " branches "),
	[EA_TABLE_DRIVER_FILES] = TABLE("driver.cfg", "files", ea_driver_file, file_fields,
					.keys = " library ", .ranges = " drivers "),
	[EA_TABLE_GPU_CLASSES] =
		TABLE("gpus.cfg", "classes", ea_gpu_class_row, class_fields, .keys = " class "),
	[EA_TABLE_GPUS] = TABLE("gpus.cfg", "gpus", ea_gpu_model, gpu_fields, .keys = " name ",
				.versions = " sm "),
	[EA_TABLE_KNOWN_BAD] = TABLE("known_bad.cfg", "known_bad", ea_known_bad, bad_fields,
				     .keys = " what version with with_version sm ",
				     .ranges = " version with_version sm "),
	[EA_TABLE_CONDA_BUILDS] = TABLE("conda.cfg", "builds", ea_conda_build, conda_build_fields,
					.keys = " channel packages pattern "),
	[EA_TABLE_CONDA_RANGES] = TABLE("conda.cfg", "ranges", ea_conda_range, conda_range_fields,
					.keys = " package version ", .versions = " version "),
	[EA_TABLE_RELEASES] = TABLE(
		"releases/", "releases", ea_release, release_fields, .keys = " version build ",
		.versions = " version until cudnn nccl triton glibc min_driver ptx ",
		.ranges = " python "),
	[EA_TABLE_PINS] = TABLE("pins/", "pins", ea_pins, pins_fields, .keys = " version ",
				.versions = " version ", .ranges = " python "),
};
