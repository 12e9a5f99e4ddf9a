/* matrix/symptoms: lines as programs write them find their symptom, harmless ones find none. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "matrix/symptoms.h"

static struct ea_symptoms *shipped;

static int load_shipped(void **state)
{
	const char *dir = getenv("top_srcdir");
	struct ea_err err = { 0 };
	char file[512];

	(void)state;
	snprintf(file, sizeof(file), "%s/matrices/symptoms.cfg", dir ? dir : ".");
	if (ea_symptoms_load(file, &shipped, &err) == 0)
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return 1;
}

static int free_shipped(void **state)
{
	(void)state;
	ea_symptoms_free(shipped);
	return 0;
}

/* The wording of torch, TensorFlow, XLA, ONNX Runtime, cuDNN, the driver and glibc's loader. */
static const struct {
	const char *line, *name, *subject;
} lines[] = {
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "cudnn-start", NULL },
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED", "cudnn-start", NULL },
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR", "cudnn-start", NULL },
	{ "tensorflow.python.framework.errors_impl.UnknownError: Failed to get convolution "
	  "algorithm. "
	  "This is probably because cuDNN failed to initialize, so try looking to see if a warning "
	  "log message was printed above.",
	  "cudnn-start", NULL },
	{ "E tensorflow/stream_executor/cuda/cuda_dnn.cc:389] Could not create cudnn handle: "
	  "CUDNN_STATUS_INTERNAL_ERROR",
	  "cudnn-start", NULL },
	{ "RuntimeError: GET was unable to find an engine to execute this computation",
	  "cudnn-start", NULL },
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED", "memory", NULL },
	{ "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB", "memory",
	  NULL },
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_ARCH_MISMATCH", "gpu-arch", NULL },
	{ "RuntimeError: cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "cudnn-parts",
	  NULL },
	{ "Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: cannot open shared "
	  "object file: No such file or directory",
	  "cudnn-parts", "libcudnn_cnn_infer.so.8" },
	{ "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, "
	  "libcudnn_ops.so}",
	  "cudnn-parts", "libcudnn_ops.so" },
	{ "E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:427] Loaded runtime CuDNN library: "
	  "8.5.0 but source was compiled with: 8.6.0.  CuDNN library needs to have matching major "
	  "version",
	  "cudnn-older", NULL },
	{ "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 3, 2) "
	  "but "
	  "found runtime version (8, 0, 3).",
	  "cudnn-older", NULL },
	{ "ImportError: /env/lib/libcusparse.so.12: undefined symbol: __nvJitLinkAddData_12_1, "
	  "version libnvJitLink.so.12",
	  "second-level", "libnvJitLink.so.12" },
	{ "ImportError: /env/libcublas.so.11: undefined symbol: cublasLtGetStatusString, version "
	  "libcublasLt.so.11",
	  "second-level", "libcublasLt.so.11" },
	{ "ImportError: /env/libtorch_cuda.so: undefined symbol: ncclCommRegister", "nccl-symbol",
	  NULL },
	{ "ImportError: /env/libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent", "mkl", NULL },
	{ "ImportError: /env/flash_attn_2_cuda.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
	  "extension-abi", "_ZN3c104cuda9SetDeviceEi" },
	{ "ImportError: /env/x.so: undefined symbol: _ZNK3c1010TensorImpl15incref_pyobjectEv",
	  "extension-abi", "_ZNK3c1010TensorImpl15incref_pyobjectEv" },
	{ "RuntimeError: operator torchvision::nms does not exist", "torch-family", NULL },
	{ "ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by x.so)",
	  "libstdcxx", NULL },
	{ "ImportError: /lib/libc.so.6: version `GLIBC_2.32' not found (required by x.so)", "glibc",
	  NULL },
	{ "OMP: Error #15: Initializing libiomp5.so, but found libomp.so already initialized.",
	  "openmp", "libiomp5.so" },
	{ "Failed to initialize NVML: Driver/library version mismatch", "kernel-module", NULL },
	{ "Error 804: forward compatibility was attempted on non supported HW", "forward-compat",
	  NULL },
	{ "CUDA error: CUDA driver version is insufficient for CUDA runtime version", "driver-old",
	  NULL },
	{ "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
	  "driver-old", NULL },
	{ "CUDA driver is a stub library", "stub", NULL },
	{ "RuntimeError: Found no NVIDIA driver on your system.", "no-driver", NULL },
	{ "OSError: libcuda.so.1: cannot open shared object file: No such file or directory",
	  "no-driver", NULL },
	{ "AssertionError: Torch not compiled with CUDA enabled", "cpu-build", NULL },
	{ "RuntimeError: CUDA error: no kernel image is available for execution on the device",
	  "gpu-arch", NULL },
	{ "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
	  "PyTorch installation.",
	  "gpu-arch", NULL },
	{ "nvrtc: error: failed to open libnvrtc-builtins.so.12.4.", "nvrtc",
	  "libnvrtc-builtins.so.12.4" },
	{ "OSError: libtorch_cuda.so: file too short", "elf-bad", "libtorch_cuda.so" },
	{ "ERROR: ld.so: object '/opt/x.so' from LD_PRELOAD cannot be preloaded (cannot open "
	  "shared "
	  "object file): ignored.",
	  "preload", "/opt/x.so" },
	{ "OSError: libcudnn.so.8: cannot open shared object file: No such file or directory",
	  "library-missing", "libcudnn.so.8" },
	{ "W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic "
	  "library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file: No "
	  "such "
	  "file or directory",
	  "library-missing", "libcudnn.so.8" },
	{ "RuntimeError: Library libcublas.so.12 is not found or cannot be loaded",
	  "library-missing", "libcublas.so.12" },
	{ "[E:onnxruntime:Default, provider_bridge_ort.cc] Failed to create CUDAExecutionProvider.",
	  "onnx-provider", NULL },
	{ "The detected CUDA version (12.1) mismatches the version that was used to compile "
	  "PyTorch "
	  "(11.8).",
	  "toolchain", NULL },

	/* Near misses: what a healthy log says. */
	{ "I tensorflow/stream_executor/cuda/cuda_dnn.cc:384] Loaded cuDNN version 8600", NULL,
	  NULL },
	{ "I dso_loader.cc:53] Successfully opened dynamic library libcudnn.so.8", NULL, NULL },
	{ "ImportError: x.so: undefined symbol: _ZN5boost6system15system_categoryEv", NULL, NULL },
	{ "ImportError: x.so: undefined symbol: _ZN6native3fooEv", NULL, NULL },
	{ "NCCL INFO Bootstrap : Using eth0", NULL, NULL },
	{ "CUDNN_STATUS_SUCCESS", NULL, NULL },
	{ "epoch 3 loss 0.21 CUDA memory 12 GiB", NULL, NULL },
	{ "FileNotFoundError: config.json: cannot open file", NULL, NULL },
	{ "", NULL, NULL },
};

static void lines_find_their_symptom(void **state)
{
	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(lines); i++) {
		struct ea_match match = { 0 };
		const struct ea_symptom *symptom =
			ea_symptoms_match(shipped, ea_str(lines[i].line), &match);

		if (!ea_streq(symptom ? symptom->name : NULL, lines[i].name))
			fail_msg("'%s' is %s, not %s", lines[i].line,
				 symptom ? symptom->name : "nothing",
				 lines[i].name ? lines[i].name : "nothing");
		if (!symptom)
			continue;
		if (!lines[i].subject)
			assert_null(match.group[1].ptr);
		else if (!ea_str_is(match.group[1], lines[i].subject))
			fail_msg("'%s' names '" EA_STR_FMT "', not %s", lines[i].line,
				 EA_STR_ARG(match.group[1]), lines[i].subject);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_find_their_symptom),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
