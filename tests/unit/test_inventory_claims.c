/* inventory: what frameworks say of their own build. Texts are lines of real packages. */
#include "inventory_unit.h"

static const char *claim(const struct found *found, const char *framework, const char *what)
{
	ea_vec_foreach(item, &found->inv.claims)
		if (ea_streq(item->framework, framework) && ea_streq(item->what, what))
			return item->value ? item->value : "None";
	return "nothing";
}

static void real_texts_are_understood(void **state)
{
	static const struct {
		const char *file, *text, *framework, *what, *value;
	} cases[] = {
		{ "torch/version.py",
		  "__version__ = '2.0.1+cu117'\ndebug = False\ncuda = '11.7'\nhip = None\n",
		  "torch", "version", "2.0.1+cu117" },
		{ "torch/version.py",
		  "__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n"
		  "__version__ = '2.4.1+cu121'\ndebug = False\ncuda: Optional[str] = '12.1'\n",
		  "torch", "cuda", "12.1" },
		{ "torch/version.py", "__version__ = '2.4.1+cpu'\ncuda: Optional[str] = None\n",
		  "torch", "cuda", "None" },
		{ "torch/version.py", "cuda_path = '1'\n# cuda = '2'\n", "torch", "cuda",
		  "nothing" },
		{ "torch/version.py", "cuda = get('x')\ncuda = 'a\\n'\n", "torch", "cuda",
		  "nothing" },
		{ "tensorflow/python/platform/build_info.py",
		  "build_info = collections.OrderedDict([('cpu_compiler', "
		  "'/usr/lib/llvm-17/bin/clang'), "
		  "('cuda_compute_capabilities', ['sm_50']), ('cuda_version', '12.2'), "
		  "('cudnn_version', '8'), ('is_cuda_build', True)])\n",
		  "tensorflow", "cudnn", "8" },
		{ "tensorflow/python/platform/build_info.py", "x = {\"cuda_version\": \"10.1\"}",
		  "tensorflow", "cuda", "10.1" },
		{ "tensorflow/python/platform/build_info.py",
		  "build_info = collections.OrderedDict([('is_cuda_build', False)])\n",
		  "tensorflow", "cuda", "nothing" },
		{ "onnxruntime/capi/build_and_package_info.py",
		  "package_name = 'onnxruntime-gpu'\n__version__ = '1.20.1'\ncuda_version = "
		  "'12.4'\n",
		  "onnxruntime", "package", "onnxruntime-gpu" },
		{ "jaxlib/version.py",
		  "_version = \"0.10.2\"\n_release_version: str | None = '0.10.3'\n", "jaxlib",
		  "version", "0.10.2" },
		{ "ctranslate2/version.py",
		  "\"\"\"Version information.\"\"\"\n\n__version__ = \"4.4.0\"", "ctranslate2",
		  "version", "4.4.0" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);
		char path[256];

		snprintf(path, sizeof(path), "s/%s", cases[i].file);
		tree_file(&tree, path, cases[i].text);
		find(&found, &tree, ea_claims_read, "/s");
		assert_string_equal(claim(&found, cases[i].framework, cases[i].what),
				    cases[i].value);
		assert_int_equal(found.inv.gaps.list.n, 0);
		if (found.inv.claims.n)
			assert_string_equal(found.inv.claims.items[0].path,
					    strchr(tree_path(&tree, path), '\0') - strlen(path) -
						    1);
	}
}

static void no_framework_is_nothing(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_dir(&tree, "s");
	find(&found, &tree, ea_claims_read, "/s");
	assert_int_equal(found.result, 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(real_texts_are_understood),
	cmocka_unit_test(no_framework_is_nothing),
};

UNIT_MAIN(tests)
