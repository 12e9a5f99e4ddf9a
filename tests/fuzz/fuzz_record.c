/* RECORD and installed-files.txt. */
#include "inventory_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_file files[] = {
		{ "/v/lib/python3.11/site-packages/x-1.dist-info/RECORD", data, size },
		{ "/v/lib/python3.11/site-packages/y-1.egg-info/installed-files.txt", data, size },
	};

	fuzz_job(ea_dist_info_read, "/v/lib/python3.11/site-packages", files, EA_ARRAY_SIZE(files));
	return 0;
}
