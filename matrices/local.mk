# shipped matrices, installed under $(pkgdatadir)
dist_pkgdata_DATA = \
	matrices/DATE \
	matrices/conda.cfg \
	matrices/cuda.cfg \
	matrices/cudnn.cfg \
	matrices/driver.cfg \
	matrices/gpus.cfg \
	matrices/known_bad.cfg \
	matrices/libraries.cfg \
	matrices/symptoms.cfg
EXTRA_DIST += matrices/README.md matrices/update.py
matrixrulesdir = $(pkgdatadir)/rules
dist_matrixrules_DATA = \
	matrices/rules/broken-link-forged.cfg \
	matrices/rules/broken-link.cfg \
	matrices/rules/cpu-build.cfg \
	matrices/rules/cudnn-mixed-set.cfg \
	matrices/rules/driver-files-in-image.cfg \
	matrices/rules/dup-file-owner-replaced.cfg \
	matrices/rules/dup-file-owner.cfg \
	matrices/rules/elf-bad.cfg \
	matrices/rules/glibc.cfg \
	matrices/rules/gpu-arch.cfg \
	matrices/rules/kmod-mismatch-capabilities.cfg \
	matrices/rules/kmod-mismatch-require.cfg \
	matrices/rules/kmod-mismatch-too-old.cfg \
	matrices/rules/kmod-mismatch.cfg \
	matrices/rules/known-bad.cfg \
	matrices/rules/leftover-missing.cfg \
	matrices/rules/leftover-twice.cfg \
	matrices/rules/leftover-unowned.cfg \
	matrices/rules/leftover.cfg \
	matrices/rules/libcuda-compat.cfg \
	matrices/rules/libcuda-stub.cfg \
	matrices/rules/libstdcxx.cfg \
	matrices/rules/mkl-skew.cfg \
	matrices/rules/nccl-skew.cfg \
	matrices/rules/openmp-dup-layer.cfg \
	matrices/rules/openmp-dup-linked.cfg \
	matrices/rules/openmp-dup.cfg \
	matrices/rules/preload-ignored.cfg \
	matrices/rules/preload.cfg \
	matrices/rules/py-shadow.cfg \
	matrices/rules/relocated.cfg \
	matrices/rules/rpath-layout.cfg \
	matrices/rules/second-level-skew.cfg \
	matrices/rules/shadow-cudnn.cfg \
	matrices/rules/soname-missing.cfg \
	matrices/rules/toolchain-other.cfg \
	matrices/rules/toolchain.cfg \
	matrices/rules/torch-ext-abi.cfg \
	matrices/rules/torch-family-pin-cuda.cfg \
	matrices/rules/torch-family-pin-release.cfg \
	matrices/rules/torch-family-pin.cfg \
	matrices/rules/unversioned-dlopen.cfg \
	matrices/rules/wsl-libcuda.cfg

matrixframeworksdir = $(pkgdatadir)/frameworks
dist_matrixframeworks_DATA = \
	matrices/frameworks/bitsandbytes.cfg \
	matrices/frameworks/ctranslate2.cfg \
	matrices/frameworks/cupy.cfg \
	matrices/frameworks/dali.cfg \
	matrices/frameworks/faiss.cfg \
	matrices/frameworks/jax.cfg \
	matrices/frameworks/numba.cfg \
	matrices/frameworks/nvidia.cfg \
	matrices/frameworks/onnxruntime.cfg \
	matrices/frameworks/opencv.cfg \
	matrices/frameworks/paddle.cfg \
	matrices/frameworks/tensorflow.cfg \
	matrices/frameworks/tensorrt.cfg \
	matrices/frameworks/torch.cfg \
	matrices/frameworks/torchvision.cfg \
	matrices/frameworks/triton.cfg \
	matrices/frameworks/xformers.cfg

matrixreleasesdir = $(pkgdatadir)/releases
dist_matrixreleases_DATA = \
	matrices/releases/bitsandbytes.cfg \
	matrices/releases/ctranslate2.cfg \
	matrices/releases/cupy.cfg \
	matrices/releases/flash-attn.cfg \
	matrices/releases/jax.cfg \
	matrices/releases/mxnet.cfg \
	matrices/releases/onnxruntime-gpu.cfg \
	matrices/releases/paddlepaddle-gpu.cfg \
	matrices/releases/tensorflow.cfg \
	matrices/releases/tensorrt.cfg \
	matrices/releases/torch.cfg \
	matrices/releases/vllm.cfg \
	matrices/releases/xformers.cfg

matrixpinsdir = $(pkgdatadir)/pins
dist_matrixpins_DATA = \
	matrices/pins/cuda-toolkit.cfg \
	matrices/pins/jax-cuda12-plugin.cfg \
	matrices/pins/jax-cuda13-plugin.cfg \
	matrices/pins/onnxruntime-gpu.cfg \
	matrices/pins/tensorflow.cfg \
	matrices/pins/torch.cfg \
	matrices/pins/torchaudio.cfg \
	matrices/pins/torchtext.cfg \
	matrices/pins/torchvision.cfg \
	matrices/pins/xformers.cfg

# A build outside the source tree finds its matrices beside the program as well.
all-local:
	@test -e matrices || $(LN_S) "$$(cd $(srcdir) && pwd)/matrices" matrices

distclean-local:
	@if test -L matrices; then rm -f matrices; fi
