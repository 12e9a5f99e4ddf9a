/* What a file is that does not begin with the ELF magic. Private to elf/. */
#pragma once

#include "base/str.h"
#include "model/elf.h"

/* By the first bytes of a file (some KiB, or all of it). Never EA_FORMAT_ELF. */
enum ea_format ea_sniff(struct ea_str head);
