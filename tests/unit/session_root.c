/* Roots for sessions. */
#include "session_root.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

static void write_file(const struct tree *tree, const char *path, const struct ea_buf *bytes)
{
	FILE *file;

	tree_file(tree, path, "");
	file = fopen(tree_path(tree, path), "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes->ptr, 1, bytes->len, file), bytes->len);
	assert_int_equal(fclose(file), 0);
}

static void write_elf(const struct tree *tree, const char *path, const struct elf_spec *spec,
		      struct ea_arena *arena, const char *tail, size_t tail_len)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf bytes = { 0 };

	elf_write(spec, arena, &bytes);
	ea_buf_add(&bytes, tail, tail_len);
	write_file(tree, path, &bytes);
}

void session_library(const struct tree *tree, const char *path, const char *needed,
		     const char *runpath)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct elf_spec spec = { .machine = MACHINE, .runpath = runpath };
	struct ea_str rest = ea_str(needed), name;
	const char *base = strrchr(path, '/');

	spec.soname = base + 1;
	ea_vec_push(&spec.defs, &arena, ((struct elf_symbol){ .name = "marker" }));
	while (*needed && ea_str_token(&rest, ' ', &name))
		ea_vec_push(&spec.needed, &arena, ea_arena_dup_str(&arena, name));
	write_elf(tree, path, &spec, &arena, "", 0);
}

void session_basics(const struct tree *tree)
{
	static const char built_in[] = "\0/lib/\0/usr/lib/\0GNU C Library (test) stable release "
				       "version 2.36.\n";
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const struct elf_spec loader = { .machine = MACHINE, .soname = "ld-linux-x86-64.so.2" };

	write_elf(tree, "lib64/ld-linux-x86-64.so.2", &loader, &arena, built_in, sizeof(built_in));
	session_library(tree, "lib/libc.so.6", "ld-linux-x86-64.so.2", NULL);
}

void session_musl(const struct tree *tree)
{
	static const char built_in[] = "\0001.2.3";
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const struct elf_spec loader = { .machine = MACHINE, .soname = "libc.musl-x86_64.so.1" };

	write_elf(tree, "lib/ld-musl-x86_64.so.1", &loader, &arena, built_in, sizeof(built_in));
}

void session_open(struct session_root *r, const struct tree *const *trees, size_t n)
{
	struct ea_scan_options options = { .on_demand = true, .jobs = 1 };
	const char *source_dir = getenv("top_srcdir");
	char matrix[512];
	struct ea_err err;

	snprintf(matrix, sizeof(matrix), "%s/matrices/libraries.cfg",
		 source_dir ? source_dir : ".");
	assert_int_equal(ea_libraries_load(matrix, &r->libraries, &err), 0);
	options.libraries = r->libraries;
	r->root = ea_root_new();
	for (size_t i = 0; i < n; i++) {
		struct ea_source *source;

		assert_int_equal(ea_source_folder(trees[i]->dir, &source, &err), 0);
		ea_root_add_layer(r->root, source, "/", false);
	}
	ea_world_init(&r->world);
	r->world.target = (struct ea_target){
		.name = "/", .kind = EA_TARGET_ROOTFS, .path = "/", .called = "/", .root = "/"
	};
	assert_int_equal(ea_scan_new(r->root, &options, &r->world, &r->scan, &err), 0);
}

void session_close(struct session_root *r)
{
	ea_scan_free(r->scan);
	ea_world_release(&r->world);
	ea_root_free(r->root);
	ea_libraries_free(r->libraries);
}

struct ea_session *session_of(struct session_root *r, const char *library)
{
	const struct ea_scenario scenario = {
		.id = "library",
		.name = library,
		.library = library,
		.machine = MACHINE,
		.elf_class = ELFCLASS64,
		.cpu = "x86-64",
	};
	struct ea_session *session = NULL;
	struct ea_err err;

	assert_int_equal(ea_session_run(ea_scan_provider(r->scan), NULL, &scenario, &r->world.arena,
					&session, &err),
			 0);
	ea_vec_push(&r->world.sessions, &r->world.arena, session);
	return session;
}

const char *session_path(const struct ea_session *session, const char *name)
{
	ea_vec_foreach(request, &session->requests)
		if (ea_streq((*request)->name, name))
			return ea_request_found(*request) ? (*request)->map->path : NULL;
	return "-";
}
