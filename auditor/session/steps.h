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
