/* The header of a METADATA file, as of a PKG-INFO, and requires.txt. */
#include "inventory_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_file files[] = {
		{ "/s/x-1.dist-info/METADATA", data, size },
		{ "/s/x-1.dist-info/direct_url.json", data, size },
		{ "/s/x-1.dist-info/INSTALLER", data, size },
		{ "/s/y-1.egg-info/PKG-INFO", data, size },
		{ "/s/y-1.egg-info/requires.txt", data, size },
		{ "/s/z-1.egg-info", data, size },
	};

	fuzz_job(ea_dist_info_read, "/s", files, EA_ARRAY_SIZE(files));
	return 0;
}
