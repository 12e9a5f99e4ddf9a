/* Shared by the files that model musl's loader. */
#pragma once

#include "loader/process.h"

/* musl.c: errors as musl words them: its own strerror(). */
const char *ea_musl_strerror(struct ea_process *process, int code);

/*
 * Says that something is wrong: -1 once the program runs, which ends the request; before it the
 * text is printed, the start will fail, and the result is 0.
 */
int ea_musl_error(struct ea_process *process, const char *text);

/* musl_load.c: load_library(): the id of a map, or EA_NONE with process->error set. */
uint32_t ea_musl_load(struct ea_process *process, struct ea_request *request, uint32_t needed_by,
		      bool noload);

/*
 * load_deps(): what the maps from position FROM of the list on need, one after the other. Before
 * the program has started errors are printed and all goes on; later the first one ends it with -1.
 */
int ea_musl_load_deps(struct ea_process *process, uint32_t from);

/* musl_bind.c: relocates all maps from position FROM of the list on; 0 or -1 as above. */
int ea_musl_relocate(struct ea_process *process, uint32_t from);

/* ELF defines NAME for others. */
bool ea_musl_defines(struct ea_process *process, const struct ea_elf *elf, const char *name);

/* Objects whose symbols everybody sees, in order (the chain of syms_next). */
void ea_musl_add_global(struct ea_process *process, uint32_t map);
