/*
 * A compressed tar archive as a source that cannot seek: the smallest one that shows what the
 * interface asks of such a source. One pass lists the entries; what read_at() asks for comes with
 * the next.
 */
#pragma once

#include "fs/source.h"

/* WANT may be NULL; what it points to must live as long as the source. A failure ends the test. */
struct ea_source *tar_source_new(const char *archive, const struct ea_want *want);

/* Passes over the archive so far. */
unsigned int tar_source_passes(const struct ea_source *source);
