/* A record of conda; what our JSON reader accepts and jansson does not is fine, a crash is not. */
#include "inventory_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char python[] = "{\"name\":\"python\",\"version\":\"3.11.1\",\"files\":[]}";
	const struct memory_file files[] = {
		{ "/p/conda-meta/x-1-0.json", data, size },
		{ "/p/conda-meta/python-3.11.1-0.json", python, sizeof(python) - 1 },
	};

	fuzz_job(ea_conda_read, "/p", files, EA_ARRAY_SIZE(files));
	return 0;
}
