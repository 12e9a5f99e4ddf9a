/* Frameworks: words. */
#include "model/framework.h"

const char *const ea_verified_words[EA_VERIFIED_MAX_] = {
#define X(name, word) [EA_VERIFIED_BY_##name] = (word),
	EA_VERIFIED(X)
#undef X
};
