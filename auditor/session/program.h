/*
 * Load programs run through the loader: what frameworks open when a python imports them and first
 * uses the GPU (model/framework.h), on one process.
 */
#pragma once

#include "loader/loader.h"
#include "matrix/frameworks.h"
#include "model/session.h"

struct ea_program {
	const struct ea_provider *provider;
	struct ea_arena *arena;
	const struct ea_frameworks *frameworks; /* NULL = no library opens others */
	const struct ea_scenario *scenario;
	struct ea_process *process;
	/* Each request that a step made, with what its constructors asked for before it. */
	void (*took)(void *arg, const struct ea_request *request);
	void (*assume)(void *arg, const char *text);
	void *arg;

	/* What came of it. */
	enum ea_session_outcome outcome;
	const char *error;	   /* of the step that failed */
	const char *failed_import; /* whose it is */
	enum ea_stage failed_at;
	const struct ea_request *failed;

	/* The rest is the runner's own. */
	const struct ea_installed *current; /* whose steps run */
	const struct ea_map *library;	    /* whose opener runs */
	const char *library_version;
	EA_VEC(const struct ea_installed *) imported;
	EA_VEC(const struct ea_map *) used; /* whose openers have run */
	unsigned depth;
};

/* Imports what the scenario imports, then uses the GPU with each if its stage says so. */
void ea_program_run(struct ea_program *program);

/* For ea_process_setup.init, with a program as its argument. */
void ea_program_constructor(void *arg, struct ea_process *process, const struct ea_map *map);
