/* A provider for the loader model over the files of a root, with nothing between: what tests use.
 */
#pragma once

#include "base/arena.h"
#include "fs/root.h"
#include "model/provider.h"

struct files;

struct files *files_new(struct ea_root *root);
void files_free(struct files *files);
const struct ea_provider *files_provider(const struct files *files);

/* Forgets all files but those that were read before the first call. */
void files_forget(struct files *files);
