/*
 * Libraries of this machine, each opened by an empty program for real and by the model (TAP).
 *
 *	loader_libs [FOLDER…]		without FOLDER those of the C library and of a CUDA toolkit
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "elf/elf.h"
#include "runner.h"

/* Those of CUDA look for the driver. */
static const struct constructor constructors[] = {
	{ "libcublasLt.so.12", "libcuda.so.1", RTLD_LAZY },
	{ "libcublasLt.so.13", "libcuda.so.1", RTLD_LAZY },
	{ "libcudnn_engines_precompiled.so.9", "libcuda.so.1", RTLD_LAZY },
	{ NULL, NULL, 0 },
};

static unsigned n_run, n_failed;

static void check_library(struct runner *r, const char *path)
{
	struct ea_arena arena = { 0 };
	struct ea_buf differences = { 0 };
	struct test_case test = { .name = path };
	struct opening *opening = ea_vec_add(&test.openings, &arena);
	struct ea_err err;

	opening->name = path;
	opening->flags = RTLD_NOW;
	n_run++;
	if (runner_compare(r, &test, &differences, NULL, &err) != 0)
		ea_buf_printf(&differences, "  %s\n", err.text);
	if (differences.len > 0) {
		n_failed++;
		printf("# %s\n", path);
		for (struct ea_str rest = ea_buf_str(&differences), line;
		     ea_str_line(&rest, &line);)
			printf("#%.*s\n", (int)line.len, line.ptr);
		fflush(stdout);
	}
	ea_buf_release(&differences);
	ea_arena_release(&arena);
}

static void check_folder(struct runner *r, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[4096];
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		/* Sanitizers ask for more static TLS than is left, or end the process. */
		if (ea_path_is_library_name(ea_str(entry->d_name)) && lstat(path, &st) == 0 &&
		    S_ISREG(st.st_mode) && !strstr(entry->d_name, "san.so"))
			check_library(r, path);
	}
	if (dir)
		closedir(dir);
}

int main(int argc, char **argv)
{
	struct runner r = { 0 };
	struct ea_err err = { 0 };
	int rc;

	ea_elf_init();
	r.how.constructors = constructors;
	rc = runner_open_host(&r, &err);
	if (rc != 0) {
		printf(rc > 0 ? "1..0 # SKIP %s\n" : "Bail out! %s\n", err.text);
		return rc < 0;
	}
	for (int i = 1; i < argc; i++)
		check_folder(&r, argv[i]);
	if (argc == 1) {
		check_folder(&r, r.box.lib_dir);
		check_folder(&r, "/usr/local/cuda/lib");
		check_folder(&r, "/usr/local/cuda/lib64");
	}
	printf("%s 1 - %u libraries of this machine, %u differ\n1..1\n", n_failed ? "not ok" : "ok",
	       n_run, n_failed);
	runner_close(&r);
	return n_failed > 0;
}
