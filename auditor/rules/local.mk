# rules: engine and one file of checks for each class
libenvaudit_a_SOURCES += \
	auditor/rules/absent.c auditor/rules/absent.h \
	auditor/rules/check_broken_link.c \
	auditor/rules/check_layout.c \
	auditor/rules/check_cudnn.c auditor/rules/check_missing_symbol.c \
	auditor/rules/check_soname_missing.c \
	auditor/rules/sessions.c auditor/rules/sessions.h \
	auditor/rules/suppress.c auditor/rules/suppress.h \
	auditor/rules/check_cpu_build.c \
	auditor/rules/check_driver.c \
	auditor/rules/check_dup_file_owner.c \
	auditor/rules/check_elf_bad.c \
	auditor/rules/check_glibc.c \
	auditor/rules/check_driver_age.c \
	auditor/rules/check_gpu_arch.c \
	auditor/rules/check_libcuda.c \
	auditor/rules/check_openmp_dup.c \
	auditor/rules/check_py_shadow.c \
	auditor/rules/check_torch_ext_abi.c \
	auditor/rules/check_image.c \
	auditor/rules/check_known_bad.c \
	auditor/rules/gpu.c auditor/rules/gpu.h \
	auditor/rules/check_preload.c \
	auditor/rules/check_leftover.c \
	auditor/rules/check_toolchain.c \
	auditor/rules/check_torch_family_pin.c \
	auditor/rules/checks.h \
	auditor/rules/engine.c auditor/rules/engine.h \
	auditor/rules/finding.c auditor/rules/finding.h \
	auditor/rules/torch_build.c auditor/rules/torch_build.h
