/* A made-up world with one of everything that a report shows, and a report as text. */
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/report.h"

static struct ea_elf *add_elf(struct ea_world *world, const struct ea_elf *values)
{
	struct ea_elf *elf = ea_arena_dup_mem(&world->arena, values, sizeof(*values));

	ea_vec_push(&world->elfs, &world->arena, elf);
	elf->id = world->elfs.n;
	return elf;
}

static struct ea_copy *add_copy(struct ea_world *world, struct ea_elf *elf, const char *path,
				const char *link, const char *real)
{
	struct ea_copy *copy = ea_arena_new(&world->arena, struct ea_copy);

	*copy = (struct ea_copy){
		.id = world->copies.n + 1,
		.path = path,
		.link = link,
		.real = real,
		.link_state = link ? EA_LINK_OK : EA_LINK_NONE,
		.elf = elf,
	};
	ea_vec_push(&world->copies, &world->arena, copy);
	return copy;
}

static void add_cudnn(struct ea_world *world, struct ea_component *wheel)
{
	static const struct ea_family family = { .name = "cudnn" };
	static const char *needed[] = { "libc.so.6" };
	static struct ea_gpu_arch arch = { .code = EA_GPU_CUBIN, .arch = 90, .variant = 'a' };
	static const struct ea_elf known = {
		.format = EA_FORMAT_ELF,
		.soname = "libcudnn.so.9",
		.family = &family,
		.exact_version = "9.1.0",
		.version_source = EA_VERSION_BY_OBJECT,
		.needed = needed,
		.n_needed = 1,
		.runpath = "$ORIGIN:/opt/x",
		.build_id = { 0xde, 0xad },
		.build_id_len = 2,
		.arches = &arch,
		.n_arches = 1,
		.arches_read = true,
	};
	static const struct ea_elf unknown = { .format = EA_FORMAT_TEXT,
					       .family = &family,
					       .faults = EA_FAULT(NOT_ELF) };
	static const char far[] = "/usr/lib/a-folder-whose-name-is-rather-long/libcudnn.so.9.14.0";
	struct ea_duplicate *duplicate;
	struct ea_copy *link, *file;

	link = add_copy(world, add_elf(world, &known), "/e/lib/libcudnn.so", "libcudnn.so.9",
			"/e/lib/libcudnn.so.9");
	file = add_copy(world, link->elf, link->real, NULL, link->real);
	ea_vec_push(&link->owners, &world->arena, ((struct ea_owner){ .component = wheel }));
	ea_vec_push(&file->owners, &world->arena, ((struct ea_owner){ .component = wheel }));
	add_copy(world, add_elf(world, &unknown), far, NULL, far);
	duplicate = ea_vec_add(&world->duplicates, &world->arena);
	duplicate->family = &family;
	ea_vec_push(&duplicate->elfs, &world->arena, world->elfs.items[0]);
	ea_vec_push(&duplicate->elfs, &world->arena, world->elfs.items[1]);
}

static void add_finding(struct ea_world *world, enum ea_severity severity, const char *title)
{
	static const struct ea_rule rule = {
		.slug = "cudnn-mixed-set",
		.code = "EA0201",
		.severity = EA_SEVERITY_ERROR,
		.title = "cuDNN libraries of different versions",
		.explain = "Long text.",
	};
	struct ea_finding *finding = ea_arena_new(&world->arena, struct ea_finding);
	struct ea_fix *fix;

	*finding = (struct ea_finding){
		.rule = &rule,
		.severity = severity,
		.confidence = EA_CONFIDENCE_HIGH,
		.fingerprint = "0123456789abcdef",
		.title = title,
		.why = "cuDNN checks the versions of its parts. The first convolution fails.",
	};
	ea_vec_push(&finding->consumers, &world->arena, "torch");
	ea_vec_push(
		&finding->evidence, &world->arena,
		((struct ea_evidence){ "/e/lib/libcudnn.so.9", "9.1.0, of nvidia-cudnn", NULL }));
	ea_vec_push(&finding->evidence, &world->arena,
		    ((struct ea_evidence){ NULL, "no path", NULL }));
	fix = ea_vec_add(&finding->fixes, &world->arena);
	fix->text = "install one";
	ea_vec_push(&fix->commands, &world->arena, "pip install nvidia-cudnn-cu12==9.1.0.70");
	ea_vec_push(&world->findings, &world->arena, finding);
}

/* The findings are a note, then an error. */
static void fill_world(struct ea_world *world)
{
	struct ea_component *wheel;
	struct ea_python *python;

	ea_world_init(world);
	world->target = (struct ea_target){
		.name = "my env", .kind = EA_TARGET_VENV, .path = "/e", .root = "/"
	};
	world->host = (struct ea_host){ .libc = "glibc", .libc_version = "2.36", .machine = 62 };
	ea_vec_push(&world->environment, &world->arena,
		    ((struct ea_env_var){ "PATH", "/usr/bin" }));
	ea_vec_push(&world->environment, &world->arena,
		    ((struct ea_env_var){ "LD_LIBRARY_PATH", "/x" }));
	ea_vec_push(&world->environment, &world->arena,
		    ((struct ea_env_var){ "API_TOKEN", "secret" }));
	wheel = ea_arena_new(&world->arena, struct ea_component);
	*wheel = (struct ea_component){ .id = 1,
					.manager = EA_MANAGER_PIP,
					.name = "nvidia-cudnn",
					.version = "9.1.0.70",
					.location = "/e/nvidia_cudnn.dist-info" };
	ea_vec_push(&world->components, &world->arena, wheel);
	python = ea_arena_new(&world->arena, struct ea_python);
	*python = (struct ea_python){
		.id = 1, .exe = "/e/bin/python", .version = "3.11.2", .prefix = "/e"
	};
	ea_vec_push(&world->pythons, &world->arena, python);
	add_cudnn(world, wheel);
	add_finding(world, EA_SEVERITY_NOTE, "a note");
	add_finding(world, EA_SEVERITY_ERROR, "an error");
	ea_gaps_add(&world->gaps, "/e/lib/libx.so", EA_GAP_UNREAD, "permission denied")->matters =
		true;
	ea_gaps_add(&world->gaps, NULL, EA_GAP_IGNORED, "not of interest");
}

/* The report over N times WORLD; free() it. */
static char *report_text(const char *format, const struct ea_report_options *options,
			 const struct ea_world *world, unsigned n)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	struct ea_out *out = calloc(1, sizeof(*out));
	struct ea_report report;
	char *text;
	off_t size;

	assert_true(fd >= 0 && out);
	ea_out_init(out, fd);
	ea_report_begin(&report, ea_report_format(format), options, out);
	while (n--)
		ea_report_target(&report, world);
	ea_report_end(&report);
	assert_int_equal(ea_out_finish(out, "memory", NULL), 0);
	size = lseek(fd, 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	assert_int_equal(pread(fd, text, (size_t)size, 0), size);
	close(fd);
	free(out);
	return text;
}
