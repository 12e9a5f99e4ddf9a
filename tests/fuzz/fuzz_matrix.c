/* Matrix files: the tables of facts, libraries and a rule out of the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attr.h"
#include "fuzz_target.h"
#include "matrix/check.h"

/* libconfig forgets the text that its scanner had collected when a file is refused. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libconfig\n";
}

/* The name of a matrix file decides how it is read. */
static const char *const names[] = { "cuda.cfg",       "cudnn.cfg",	     "driver.cfg",
				     "gpus.cfg",       "known_bad.cfg",	     "conda.cfg",
				     "libraries.cfg",  "releases/torch.cfg", "pins/torch.cfg",
				     "broken-link.cfg" };

static char folder[64];

static void remove_folder(void)
{
	static const char *const folders[] = { "releases", "pins", "." };
	char path[128];

	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	for (size_t i = 0; i < EA_ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, folders[i]);
		rmdir(i == 2 ? folder : path);
	}
}

static void make_folder(void)
{
	char path[128];

	snprintf(folder, sizeof(folder), "%s/envaudit-fuzz-XXXXXX", P_tmpdir);
	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof(path), "%s/releases", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/pins", folder);
	mkdir(path, 0700);
	atexit(remove_folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	make_folder();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[128];
	struct ea_err err;
	FILE *file;

	for (size_t i = 0; i < EA_ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		file = fopen(path, "w");
		if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
			abort();
		if (ea_matrix_check(path, &err) < 0 && strncmp(err.text, path, strlen(path)) != 0)
			abort();
	}
	return 0;
}
