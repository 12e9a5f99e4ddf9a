/* inventory: CUDA toolkits, the driver and the host. */
#include "inventory_unit.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- CUDA toolkits ----------------------------------------------------------------------- */

static void toolkits_are_found_with_their_links(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_cuda_root *toolkit;

	(void)state;
	tree_file(&tree, "usr/local/cuda-12.4/version.json",
		  "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"12.4.20240301\"},\n"
		  "\"cuda_cccl\": {\"name\": \"CUDA C++ Core Compute Libraries\","
		  " \"version\": \"12.4.99\"}}");
	tree_link(&tree, "usr/local/cuda", "/etc/alternatives/cuda");
	tree_link(&tree, "etc/alternatives/cuda", "/usr/local/cuda-12.4");
	tree_link(&tree, "usr/local/cuda-12", "cuda-12.4");
	tree_link(&tree, "usr/local/cuda-9", "nowhere");
	tree_file(&tree, "usr/local/cuda-10.1/version.txt", "CUDA Version 10.1.243\n");
	tree_file(&tree, "usr/local/cuda-11.8/targets/x86_64-linux/include/cuda.h",
		  "/* x */\n#define CUDA_VERSION 11080\n#define CUDA_VERSION_X 1\n");
	tree_link(&tree, "usr/local/cuda-11.8/include", "targets/x86_64-linux/include");
	tree_file(&tree, "usr/local/cuda-9.0/bin/nvcc",
		  "junk\001Cuda compilation tools, release 9.0, V9.0.176\n");
	tree_dir(&tree, "usr/local/cuda-8.0");
	tree_dir(&tree, "opt/cuda");
	tree_dir(&tree, "usr/local/cudatools");
	find(&found, &tree, ea_cuda_roots_read, "/");
	assert_int_equal(found.inv.gaps.list.n, 0);
	assert_int_equal(found.inv.cuda_roots.n, 7);
	toolkit = found.inv.cuda_roots.items[0];
	assert_string_equal(toolkit->path, "/opt/cuda");
	assert_null(toolkit->version);
	toolkit = found.inv.cuda_roots.items[1];
	assert_string_equal(toolkit->version, "10.1.243");
	assert_string_equal(toolkit->version_from, "/usr/local/cuda-10.1/version.txt");
	toolkit = found.inv.cuda_roots.items[2];
	assert_string_equal(toolkit->version, "11.8");
	assert_string_equal(toolkit->version_from, "/usr/local/cuda-11.8/include/cuda.h");
	toolkit = found.inv.cuda_roots.items[3];
	assert_string_equal(toolkit->path, "/usr/local/cuda-12.4");
	assert_string_equal(toolkit->version, "12.4.20240301");
	assert_int_equal(toolkit->links.n, 2);
	assert_string_equal(toolkit->links.items[0], "/usr/local/cuda");
	assert_string_equal(toolkit->links.items[1], "/usr/local/cuda-12");
	toolkit = found.inv.cuda_roots.items[4];
	assert_string_equal(toolkit->version, "8.0");
	assert_string_equal(toolkit->version_from, "/usr/local/cuda-8.0");
	toolkit = found.inv.cuda_roots.items[5];
	assert_string_equal(toolkit->path, "/usr/local/cuda-9");
	assert_string_equal(toolkit->broken, "nowhere");
	toolkit = found.inv.cuda_roots.items[6];
	assert_string_equal(toolkit->version, "9.0");
	assert_string_equal(toolkit->version_from, "/usr/local/cuda-9.0/bin/nvcc");
}

static void a_toolkit_may_lie_anywhere(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "sw/CUDA/12.1/bin/nvcc", "release 12.1");
	tree_file(&tree, "sw/CUDA/12.1/version.json", "{\"cuda\": {\"version\": \"12.1.1\"}}");
	tree_dir(&tree, "sw/other");
	find(&found, &tree, ea_cuda_root_read, "/sw/CUDA/12.1");
	assert_int_equal(found.result, 0);
	assert_string_equal(found.inv.cuda_roots.items[0]->version, "12.1.1");
	found_release(&found);
	find(&found, &tree, ea_cuda_root_read, "/sw/other");
	assert_int_equal(found.result, 1);
}

/* A number that lies across two blocks of a large program is found. */
static void long_programs_are_searched(void **state)
{
	static const char words[] = "Cuda compilation tools, release 13.5, V13.5.37";

	(void)state;
	for (off_t at = 262144 - 60; at < 262144 + 2; at++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);
		int fd;

		tree_file(&tree, "usr/local/cuda/bin/nvcc", "");
		fd = open(tree_path(&tree, "usr/local/cuda/bin/nvcc"), O_WRONLY);
		assert_int_equal(ftruncate(fd, 600000), 0);
		assert_int_equal(pwrite(fd, words, strlen(words), at), strlen(words));
		close(fd);
		find(&found, &tree, ea_cuda_roots_read, "/");
		assert_string_equal(found.inv.cuda_roots.items[0]->version, "13.5");
	}
}

/* ---- driver ------------------------------------------------------------------------------ */

static void the_kernel_module_says_its_version(void **state)
{
	static const struct {
		const char *file, *text, *version;
	} cases[] = {
		{ "proc/driver/nvidia/version",
		  "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release "
		  "Build"
		  "  (nixbld@)  \nGCC version:  gcc version 15.3.0 (GCC) \n",
		  "580.159.04" },
		{ "proc/driver/nvidia/version",
		  "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15"
		  " UTC 2023\nGCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)\n",
		  "535.104.05" },
		{ "sys/module/nvidia/version", "470.42\n", "470.42" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);

		tree_file(&tree, cases[i].file, cases[i].text);
		find(&found, &tree, ea_driver_read, "/");
		assert_int_equal(found.result, 0);
		assert_string_equal(found.inv.host.driver, cases[i].version);
		assert_null(found.inv.host.driver_user);
		assert_int_equal(found.inv.gaps.list.n, 0);
	}
}

static void a_module_without_version_is_a_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "proc/driver/nvidia/version", "NVRM version: something else\n");
	find(&found, &tree, ea_driver_read, "/");
	assert_int_equal(found.result, 1);
	assert_gap(&found, "/proc/driver/nvidia/version", EA_GAP_UNREAD, "no driver version");
}

static void driver_files_are_a_component_each_version(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const char *lib = "usr/lib/x86_64-linux-gnu/";
	char path[256];

	(void)state;
	static const char *const names[] = {
		"libcuda.so.535.104.05",	   "libnvidia-ml.so.535.104.05",
		"libnvidia-ml.so.525.60.13",	   "libnvrtc.so.12.4.127",
		"libnvidia-egl-wayland.so.1.1.13", "libnvjpeg.so.12",
	};
	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s%s", lib, names[i]);
		tree_file(&tree, path, "");
	}
	tree_link(&tree, "usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.535.104.05");
	tree_link(&tree, "usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu");
	tree_file(&tree, "usr/lib/aarch64-linux-gnu/libcuda.so.500.1", "");
	find(&found, &tree, ea_driver_read, "/");
	assert_string_equal(found.inv.host.driver_user, "535.104.05");
	assert_int_equal(found.inv.components.n, 2);
	assert_int_equal(found.inv.components.items[0]->manager, EA_MANAGER_DRIVER);
	assert_string_equal(found.inv.components.items[0]->version, "535.104.05");
	assert_string_equal(found.inv.components.items[0]->base, "/usr/lib/x86_64-linux-gnu");
	assert_int_equal(found.inv.components.items[0]->records.n, 2);
	assert_string_equal(found.inv.components.items[1]->version, "525.60.13");
	record(found.inv.components.items[1],
	       "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.525.60.13");
}

static void gpus_have_models(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "proc/driver/nvidia/gpus/0000:00:07.0/information",
		  "Model: \t\t NVIDIA H200\nIRQ:   \t\t 41\n");
	tree_file(&tree, "proc/driver/nvidia/gpus/0000:00:06.0/information",
		  "Model: \t\t NVIDIA A100\nIRQ:   \t\t 40\n");
	find(&found, &tree, ea_driver_read, "/");
	assert_int_equal(found.inv.host.gpus.n, 2);
	assert_string_equal(found.inv.host.gpus.items[0], "NVIDIA A100");
	assert_string_equal(found.inv.host.gpus.items[1], "NVIDIA H200");
}

/* ---- host -------------------------------------------------------------------------------- */

/* A program with a PT_INTERP, as far as anybody reads it here. */
static void put_program(const struct tree *tree, const char *path, uint16_t machine,
			const char *loader)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr phdr;
		char loader[64];
	} image = { 0 };
	int fd;

	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_machine = machine;
	image.header.e_phoff = sizeof(image.header);
	image.header.e_phentsize = sizeof(image.phdr);
	image.header.e_phnum = loader ? 1 : 0;
	if (loader) {
		image.phdr.p_type = PT_INTERP;
		image.phdr.p_offset = sizeof(image.header) + sizeof(image.phdr);
		image.phdr.p_filesz = strlen(loader) + 1;
		snprintf(image.loader, sizeof(image.loader), "%s", loader);
	}
	tree_file(tree, path, "");
	fd = open(tree_path(tree, path), O_WRONLY);
	assert_int_equal(write(fd, &image, sizeof(image)), sizeof(image));
	close(fd);
}

static int read_host(const struct ea_root *root, const char *program, struct ea_inventory *inv)
{
	return ea_host_read(root, *program ? program : NULL, inv);
}

static void glibc_says_its_version(void **state)
{
	static const struct {
		const char *file, *text, *version;
	} cases[] = {
		{ "lib/ld-2.36.so",
		  "x ld.so (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36.\n", "2.36" },
		{ "lib/libc.so.6",
		  "GNU C Library (Ubuntu GLIBC 2.27-3ubuntu1.6) stable release version 2.27.\n",
		  "2.27" },
		{ "lib/libc.so.6",
		  "GNU C Library (GNU libc) development release version 2.35.9000.\n",
		  "2.35.9000" },
		{ "lib/libc.so.6", "no such words", NULL },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);

		tree_file(&tree, "etc/os-release",
			  "NAME=x\nPRETTY_NAME=\"A \\\"B\\\" 'C'\"\nID=y\n");
		put_program(&tree, "opt/bin/python", EM_AARCH64, "/lib64/ld-linux.so.1");
		tree_link(&tree, "lib64/ld-linux.so.1", "../lib/ld-2.36.so");
		tree_file(&tree, "lib/ld-2.36.so", "");
		tree_file(&tree, cases[i].file, cases[i].text);
		find(&found, &tree, read_host, "/opt/bin/python");
		assert_int_equal(found.result, 0);
		assert_int_equal(found.inv.gaps.list.n, 0);
		assert_string_equal(found.inv.host.os, "A \"B\" 'C'");
		assert_int_equal(found.inv.host.machine, EM_AARCH64);
		assert_string_equal(found.inv.host.libc, "glibc");
		if (cases[i].version)
			assert_string_equal(found.inv.host.libc_version, cases[i].version);
		else
			assert_null(found.inv.host.libc_version);
	}
}

static void musl_is_known_by_its_loader(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put_program(&tree, "bin/busybox", EM_X86_64, "/lib/ld-musl-x86_64.so.1");
	tree_link(&tree, "bin/sh", "/bin/busybox");
	tree_file(&tree, "lib/apk/db/installed",
		  "P:musl-utils\nV:9\n\nC:Q1\nP:musl\nV:1.2.4-r2\nA:x86_64\n\n");
	tree_file(&tree, "usr/lib/os-release", "PRETTY_NAME='Alpine Linux v3.18'\n");
	find(&found, &tree, read_host, "");
	assert_string_equal(found.inv.host.libc, "musl");
	assert_string_equal(found.inv.host.libc_version, "1.2.4");
	assert_string_equal(found.inv.host.os, "Alpine Linux v3.18");
}

/* A python that is a script, or gone, leaves the shell; a static shell has no C library to name. */
static void the_shell_stands_in(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put_program(&tree, "bin/sh", EM_X86_64, NULL);
	tree_file(&tree, "opt/python", "#!/bin/sh\nexec something\n");
	find(&found, &tree, read_host, "/opt/python");
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.host.machine, EM_X86_64);
	assert_null(found.inv.host.libc);
	found_release(&found);
	find(&found, &tree, read_host, "/none");
	assert_int_equal(found.inv.host.machine, EM_X86_64);
	assert_int_equal(found.inv.gaps.list.n, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(toolkits_are_found_with_their_links),
	cmocka_unit_test(a_toolkit_may_lie_anywhere),
	cmocka_unit_test(long_programs_are_searched),
	cmocka_unit_test(the_kernel_module_says_its_version),
	cmocka_unit_test(a_module_without_version_is_a_gap),
	cmocka_unit_test(driver_files_are_a_component_each_version),
	cmocka_unit_test(gpus_have_models),
	cmocka_unit_test(glibc_says_its_version),
	cmocka_unit_test(musl_is_known_by_its_loader),
	cmocka_unit_test(the_shell_stands_in),
};

UNIT_MAIN(tests)
