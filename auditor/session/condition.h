/* The conditions of steps. */
#pragma once

#include "session/program.h"

bool ea_condition_holds(const struct ea_program *program, const struct ea_condition *when);
