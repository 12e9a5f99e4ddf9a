/* The steps of load programs. */
#pragma once

#include "session/program.h"

/*
 * Runs STEPS one after the other. 0; 1 if one failed and that is an error for whoever wanted them:
 * program->error says which, program->failed is the request.
 */
int ea_steps_run(struct ea_program *program, const struct ea_steps *steps);

/* The import of a framework, once; as ea_steps_run(). */
int ea_program_import(struct ea_program *program, const struct ea_installed *installed);

/* What OPENER does when MAP, its library, is called; as ea_steps_run(). */
int ea_program_open(struct ea_program *program, const struct ea_opener *opener,
		    const struct ea_map *map);

/* ---- for steps in other files -----------------------------------------------------------------
 */

/* A step that failed: its list is left, too. 1. */
int ea_steps_fail(struct ea_program *program, const char *text, const struct ea_request *request);

/* The first map whose file name matches PATTERN (fnmatch); NULL = none. */
const struct ea_map *ea_steps_mapped(const struct ea_program *program, const char *pattern);

/* What openers of the step's names do. */
int ea_steps_call(struct ea_program *program, const struct ea_step *step);

/* Fails unless a mapped file has the pinned major version and a minor one that is not older. */
int ea_steps_check(struct ea_program *program, const struct ea_step *step);
