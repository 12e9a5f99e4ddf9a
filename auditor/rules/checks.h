/* The check functions, one file for each class. */
#pragma once

#include "rules/finding.h"

void ea_check_dup_file_owner(struct ea_check *check);
void ea_check_dup_file_owner_replaced(struct ea_check *check);
void ea_check_elf_bad(struct ea_check *check);
void ea_check_broken_link(struct ea_check *check);
void ea_check_broken_link_forged(struct ea_check *check);
void ea_check_leftover(struct ea_check *check);
void ea_check_leftover_twice(struct ea_check *check);
void ea_check_leftover_missing(struct ea_check *check);
void ea_check_leftover_unowned(struct ea_check *check);
void ea_check_soname_missing(struct ea_check *check);
void ea_check_shadow_cudnn(struct ea_check *check);
void ea_check_cudnn_mixed_set(struct ea_check *check);
void ea_check_missing_symbol(struct ea_check *check);
void ea_check_torch_family_pin(struct ea_check *check);
void ea_check_torch_family_pin_release(struct ea_check *check);
void ea_check_torch_family_pin_cuda(struct ea_check *check);
void ea_check_cpu_build(struct ea_check *check);
void ea_check_kmod_mismatch(struct ea_check *check);
void ea_check_libcuda_stub(struct ea_check *check);
void ea_check_driver_files_in_image(struct ea_check *check);
void ea_check_image_require(struct ea_check *check);
void ea_check_image_capabilities(struct ea_check *check);
void ea_check_glibc(struct ea_check *check);
void ea_check_driver_too_old(struct ea_check *check);
void ea_check_torch_ext_abi(struct ea_check *check);
void ea_check_libcuda_compat(struct ea_check *check);
void ea_check_wsl_libcuda(struct ea_check *check);
void ea_check_openmp_dup(struct ea_check *check);
void ea_check_py_shadow(struct ea_check *check);
void ea_check_gpu_arch(struct ea_check *check);
void ea_check_known_bad(struct ea_check *check);
void ea_check_preload(struct ea_check *check);
void ea_check_preload_ignored(struct ea_check *check);
void ea_check_relocated(struct ea_check *check);
void ea_check_rpath_layout(struct ea_check *check);
void ea_check_unversioned_dlopen(struct ea_check *check);
void ea_check_toolchain(struct ea_check *check);
void ea_check_toolchain_other(struct ea_check *check);
void ea_check_openmp_linked(struct ea_check *check);
void ea_check_openmp_layer(struct ea_check *check);
