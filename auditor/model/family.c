/* Words of a family's definition, and what its file names say. */
#include "model/family.h"

#include <string.h>

#include "base/version.h"

#define X(name, word) word,
const char *const ea_getter_words[EA_GETTER_KIND_MAX_] = { EA_GETTERS(X) };
const char *const ea_encoding_words[EA_ENCODING_MAX_] = { EA_ENCODINGS(X) };
const char *const ea_name_version_words[EA_NAME_VERSION_MAX_] = { EA_NAME_VERSIONS(X) };
#undef X

const char *ea_family_name_version(const struct ea_family *family, const char *file_name)
{
	const char *so = strstr(file_name, ".so.");
	struct ea_version version;

	if (!so || ea_version_parse(ea_str(so + 4), &version) != 0)
		return NULL;
	switch (family->name_version) {
	case EA_NAME_VERSION_RELEASE:
		return version.n >= 3 ? so + 4 : NULL;
	case EA_NAME_VERSION_DRIVER:
		/* Windows' libcuda.so.1.1 for Linux guests is no driver 1.1. */
		return version.n >= 2 && version.part[0] >= 100 ? so + 4 : NULL;
	case EA_NAME_VERSION_NONE:
	case EA_NAME_VERSION_MAX_:
		break;
	}
	return NULL;
}
