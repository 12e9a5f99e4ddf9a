/* dpkg's status file, its lists of files, and the status.d of distroless images. */
#include "inventory_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct memory_file files[] = {
		{ "/var/lib/dpkg/status", data, size },
		{ "/var/lib/dpkg/info/a.list", data, size },
		{ "/var/lib/dpkg/info/a:b.list", data, size },
		{ "/var/lib/dpkg/status.d/a", data, size },
		{ "/var/lib/dpkg/status.d/a.md5sums", data, size },
	};

	fuzz_job(ea_dpkg_read, "/", files, EA_ARRAY_SIZE(files));
	return 0;
}
