/* Shared by the files of the sandbox. */
#pragma once

#include <sys/types.h>

#include "sandbox.h"

int sandbox_write(const char *path, const void *ptr, size_t len, mode_t mode);
int sandbox_read(const char *path, struct ea_buf *out);
int sandbox_copy(const char *from, const char *to);

/* mkdir -p of the folder above a host path; folders that were made are noted. */
void sandbox_parents(struct sandbox *box, char *path);

/* The host's path for one inside, in the memory of the case at hand. */
char *sandbox_path(struct sandbox *box, const char *path);
