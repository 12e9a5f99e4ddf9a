/* matrix/libraries: the shipped families load, names find them, mistakes are named. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "matrix/libraries.h"

static struct ea_libraries *shipped;
static char path[64];

static int load_shipped(void **state)
{
	const char *dir = getenv("top_srcdir");
	struct ea_err err = { 0 };
	char file[512];

	(void)state;
	snprintf(file, sizeof(file), "%s/matrices/libraries.cfg", dir ? dir : ".");
	if (ea_libraries_load(file, &shipped, &err) == 0)
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return 1;
}

static int free_shipped(void **state)
{
	(void)state;
	ea_libraries_free(shipped);
	return 0;
}

static void names_find_their_family(void **state)
{
	static const struct {
		const char *soname, *file_name, *family;
	} cases[] = {
		{ "libcudart.so.12", NULL, "cudart" },
		{ NULL, "libcudart.so", "cudart" },
		{ NULL, "libcudart.so.11.8.89", "cudart" },
		{ NULL, "libcudart-d0da41ae.so.11.0", "cudart" },
		{ NULL, "libcudart.faf08d9a.so.13", "cudart" },
		{ NULL, "libcudart-d0da41ag.so.11.0", NULL },
		{ NULL, "libcudartx.so.12", NULL },
		{ NULL, "libcudart.sox", NULL },
		{ "libcublasLt.so.12", "libcublas.so", "cublasLt" },
		{ "libcudnn.so.9", NULL, "cudnn" },
		{ "libcudnn_ops_infer.so.8", NULL, "cudnn_ops_infer" },
		{ NULL, "libcudnn_engines_precompiled.so.9.1.0", "cudnn_part" },
		{ NULL, "libnvrtc.alt.so.12", "nvrtc" },
		{ NULL, "libnvrtc-builtins.so.13.0", "nvrtc-builtins" },
		{ "do_not_link_against_it", "libnvinfer_builder_resource_sm90.so.10.0.1",
		  "nvinfer_part" },
		{ NULL, "libnvinfer.so.8", "nvinfer" },
		{ NULL, "ptxas", "nvcc" },
		{ NULL, "libtorch_cuda.so", "torch" },
		{ NULL, "cv2.abi3.so", "opencv" },
		{ NULL, "cv2.cpython-311-x86_64-linux-gnu.so", "opencv" },
		{ NULL, "onnxruntime_pybind11_state.cpython-311-x86_64-linux-gnu.so",
		  "onnxruntime" },
		{ NULL, "libbitsandbytes_cuda124.so", "bitsandbytes" },
		{ "libstdc++.so.6", NULL, "libstdc++" },
		{ NULL, "libgomp-a34b3233.so.1.0.0", "libgomp" },
		{ NULL, "libopenblasp-r0-59ffcd50.3.15.so", "openblas" },
		{ "libz.so.1", "libz.so.1.2.13", NULL },
		{ NULL, "", NULL },
		{ NULL, ".so", NULL },
		{ NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		const struct ea_family *family =
			ea_libraries_find(shipped, cases[i].soname, cases[i].file_name);

		if (cases[i].family) {
			assert_non_null(family);
			assert_string_equal(family->name, cases[i].family);
		} else {
			assert_null(family);
		}
	}
	assert_null(ea_libraries_by_name(shipped, "nonesuch"));
	assert_string_equal(ea_libraries_by_name(shipped, "nccl")->title, "NCCL");
}

static void file_names_tell_versions(void **state)
{
	static const struct {
		const char *family, *file_name, *version;
	} cases[] = {
		{ "cublas", "libcublas.so.12.4.5.8", "12.4.5.8" },
		{ "cudart", "libcudart.so.11.8.89", "11.8.89" },
		{ "cudart", "libcudart.so.11.0", NULL },
		{ "cudart", "libcudart.so.12", NULL },
		{ "cudart", "libcudart.so", NULL },
		{ "cudnn", "libcudnn.so.9.1.0", "9.1.0" },
		{ "cuda", "libcuda.so.550.54.14", "550.54.14" },
		{ "cuda", "libcuda.so.390.157", "390.157" },
		{ "cuda", "libcuda.so.1.1", NULL },
		{ "cuda", "libcuda.so.1", NULL },
		{ "cupti", "libcupti.so.2025.1.1", NULL },
		{ "nvToolsExt", "libnvToolsExt.so.1.0.0", NULL },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		const struct ea_family *family = ea_libraries_by_name(shipped, cases[i].family);
		const char *version = ea_family_name_version(family, cases[i].file_name);

		if (cases[i].version)
			assert_string_equal(version, cases[i].version);
		else
			assert_null(version);
	}
}

#define FAMILY(rest)                                                                         \
	"families = (\n{ name = \"a\"; title = \"A\"; names = ( \"liba\" ); source = \"s\";" \
	" date = \"2026-11-30\";\n" rest "\n} );\n"
#define GETTER(rest) FAMILY("getters = (\n{ source = \"s\"; date = \"2026-11-30\";\n" rest "\n} );")

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "x = 1;\n", ":1: unknown key 'x': expected one of families, system_packages" },
		{ "families = ( { name = \"a\"; } );\n", ":1: key 'title' is missing" },
		{ FAMILY("color = 1;"),
		  ":3: unknown key 'color': expected one of name, title, set, names, packages, "
		  "name_version, gpu_code, framework, compat_note, getters, source, date" },
		{ FAMILY("name_version = \"x\";"),
		  ":3: key 'name_version': expected one of release, driver, none" },
		{ GETTER("kind = \"thing\";"), ":5: key 'kind': expected one of build-id, soname, "
					       "object, code, stores, property, "
					       "struct, symbol, verdef, banner" },
		{ GETTER("kind = \"object\"; symbol = \"v\";"),
		  ":4: key 'encoding' is missing for kind 'object'" },
		{ GETTER("kind = \"object\"; symbol = \"v\"; encoding = \"bytes\";\nmin = 3;"),
		  ":6: key 'min' means nothing for kind 'object'" },
		{ GETTER("kind = \"object\"; symbol = \"v\"; encoding = \"table\";"),
		  ":4: key 'table' is missing for encoding 'table'" },
		{ GETTER("kind = \"code\"; symbol = \"v\"; encoding = \"cuda\"; min = 9; max = 8;"),
		  ":4: key 'min' is larger than 'max'" },
		{ GETTER("kind = \"build-id\";\ntable = ( \"aa\" );"),
		  ":6: key 'table': expected \"KEY VERSION\", found \"aa\"" },
		{ GETTER("kind = \"banner\"; section = \".rodata\"; size = 9;\npattern = \"(\";"),
		  ":6: key 'pattern': bad pattern '(' at character 2: missing closing "
		  "parenthesis" },
		{ "families = (\n{ name = \"a\"; title = \"A\"; names = ( \"liba\" ); source = "
		  "\"s\";\n"
		  "date = \"30.11.2026\"; } );\n",
		  ":3: key 'date': expected YYYY-MM-DD" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct ea_libraries *libraries;
		FILE *file = fopen(path, "w");
		struct ea_err err;

		assert_non_null(file);
		fputs(cases[i].text, file);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(ea_libraries_load(path, &libraries, &err), -EA_E_MATRIX);
		assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
		assert_string_equal(err.text + strlen(path), cases[i].want);
	}
}

static void nothing_stands_twice(void **state)
{
	static const char head[] =
		"families = (\n"
		"{ name = \"a\"; title = \"A\"; names = ( \"liba\" ); source = \"s\"; "
		"date = \"2026-11-30\"; },\n";
	static const char *const second[] = {
		"{ name = \"a\"; title = \"A\"; names = ( \"libb\" ); source = \"s\"; "
		"date = \"2026-11-30\"; } );\n",
		"{ name = \"b\"; title = \"A\"; names = ( \"libb\", \"liba\" ); source = \"s\"; "
		"date = \"2026-11-30\"; } );\n",
	};
	static const char *const want[] = { ":3: family 'a' is already defined at ",
					    ": name 'liba' stands in the families at " };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct ea_libraries *libraries;
		FILE *file = fopen(path, "w");
		struct ea_err err;

		assert_non_null(file);
		fputs(head, file);
		fputs(second[i], file);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(ea_libraries_load(path, &libraries, &err), -EA_E_MATRIX);
		assert_int_equal(strncmp(err.text + strlen(path), want[i], strlen(want[i])), 0);
		assert_non_null(strstr(err.text + strlen(path) + strlen(want[i]), ":2"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_find_their_family),
		cmocka_unit_test(file_names_tell_versions),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(nothing_stands_twice),
	};
	int fd, failed;

	snprintf(path, sizeof(path), "%s/envaudit-lib-XXXXXX", P_tmpdir);
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, load_shipped, free_shipped);
	unlink(path);
	return failed;
}
