/* Copies and the records that claim them. */
#include "model/copy.h"

#include <string.h>

bool ea_record_matches(const struct ea_record *record, const struct ea_elf *elf)
{
	if (record->flags & EA_RECORD_CLOBBERED)
		return false;
	if (elf->has_sha256 && (record->flags & EA_RECORD_HAS_SHA256))
		return memcmp(elf->sha256, record->digest, sizeof(elf->sha256)) == 0;
	return (record->flags & EA_RECORD_HAS_SIZE) && record->size == elf->size;
}
