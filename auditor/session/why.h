/* Why a session gets the file that it gets for a library, and what it would get otherwise. */
#pragma once

#include "matrix/frameworks.h"
#include "matrix/libraries.h"
#include "model/provider.h"
#include "model/session.h"

/*
 * Fills session->whys for LIBRARY: a SONAME, a file name or a path, with or without its version and
 * "lib", or a family or set of LIBRARIES. No answer: nobody asks for it.
 */
void ea_session_why(const struct ea_provider *provider, const struct ea_libraries *libraries,
		    const struct ea_frameworks *frameworks, const char *library,
		    struct ea_arena *arena, struct ea_session *session);
