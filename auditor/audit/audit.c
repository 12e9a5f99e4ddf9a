/* From a target's name to finished worlds. */
#include "audit/audit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audit/consumers.h"
#include "audit/container.h"
#include "audit/extensions.h"
#include "audit/image.h"
#include "base/path.h"
#include "fix/fix.h"
#include "fs/root.h"
#include "matrix/frameworks.h"
#include "matrix/libraries.h"
#include "matrix/config.h"
#include "matrix/rules.h"
#include "report/baseline.h"
#include "rules/engine.h"
#include "rules/gpu.h"
#include "rules/suppress.h"
#include "scan/scan.h"
#include "scan/target.h"
#include "session/session.h"
#include "session/why.h"

struct audit {
	const struct ea_audit_options *options;
	struct ea_arena arena;
	struct ea_root *root;
	const char *root_name; /* host folder that is the root */
	struct ea_libraries *libraries;
	struct ea_rules *rules;
	struct ea_config *config; /* NULL: none was named */
	struct ea_frameworks *frameworks;
	struct ea_target_list targets;
	struct ea_images *images;     /* NULL: the target is none */
	const struct ea_image *image; /* the one that is audited */
	struct ea_gaps gaps;	      /* of its layers */
};

/* A relative name counts from the working folder on the host, from the top inside another root. */
static int absolute_path(struct audit *audit, const char *name, const char **ret,
			 struct ea_err *err)
{
	EA_CLEANUP(ea_free_ptr) char *cwd = NULL;

	if (name[0] == '/' || audit->options->root_dir) {
		*ret = ea_path_join(&audit->arena, "/", name + (name[0] == '/'));
		return 0;
	}
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return ea_err_errno(err, errno, "cannot tell the working folder");
	*ret = ea_path_join(&audit->arena, cwd, name);
	return 0;
}

static int find_targets(struct audit *audit, const char *name, struct ea_err *err)
{
	const struct ea_audit_options *options = audit->options;
	const char *path = NULL;
	int rc;

	if (!name) {
		rc = ea_target_default(audit->root,
				       ea_env_value(options->env, options->n_env, "VIRTUAL_ENV"),
				       ea_env_value(options->env, options->n_env, "CONDA_PREFIX"),
				       ea_env_value(options->env, options->n_env, "PATH"),
				       &audit->arena, &name, err);
		if (rc)
			return rc;
	}
	rc = absolute_path(audit, name, &path, err);
	if (rc)
		return rc;
	return ea_target_find(audit->root, name, path, &audit->arena, &audit->targets, err);
}

/* A folder that is a root file system becomes the root itself, so that its links stay inside. */
static int enter_rootfs(struct audit *audit, struct ea_err *err)
{
	struct ea_target *target = &audit->targets.list.items[0];
	struct ea_root *root;
	int rc;

	if (target->kind != EA_TARGET_ROOTFS || ea_streq(target->path, "/") ||
	    audit->options->root_dir)
		return 0;
	rc = ea_root_folder(target->path, &root, err);
	if (rc)
		return rc;
	ea_root_free(audit->root);
	audit->root = root;
	audit->root_name = target->path;
	target->path = "/";
	return 0;
}

static int load(struct audit *audit, struct ea_err *err)
{
	const struct ea_audit_options *options = audit->options;
	int rc = ea_libraries_load(ea_path_join(&audit->arena, options->data_dir, "libraries.cfg"),
				   &audit->libraries, err);

	if (!rc && (options->parts & EA_PART_FINDINGS))
		rc = ea_rules_load(ea_path_join(&audit->arena, options->data_dir, "rules"),
				   &audit->rules, err);
	if (!rc && audit->rules && options->config)
		rc = ea_config_load(options->config, audit->rules, &audit->config, err);
	if (!rc && (options->parts & EA_PART_SESSIONS))
		rc = ea_frameworks_load(
			ea_path_join(&audit->arena, options->data_dir, "frameworks"),
			&audit->frameworks, err);
	if (rc)
		return rc;
	audit->root_name = options->root_dir ? options->root_dir : "/";
	if (options->root_dir)
		return ea_root_folder(options->root_dir, &audit->root, err);
	audit->root = ea_root_host();
	return 0;
}

/*
 * PATH without empty components and dots. What `..` leads to depends on links, so one that has it
 * is called by where it leads.
 */
static const char *called(const char *path, const char *real, struct ea_arena *arena)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_str rest = ea_str(path), part;

	while (ea_str_token(&rest, '/', &part))
		if (ea_str_is(part, ".."))
			return real;
	ea_path_normalize(&text, "/", ea_str(path));
	return ea_arena_dup_str(arena, ea_buf_str(&text));
}

/* Paths of a world are real: the target may have been named through a link. */
static int set_target(struct audit *audit, const struct ea_target *target, struct ea_world *world,
		      struct ea_err *err)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	int rc = ea_root_resolve(audit->root, target->path, EA_FOLLOW, &real);

	if (rc)
		return ea_err_set(err, EA_E_TARGET, "%s: %s", target->name, strerror(-rc));
	world->target = *target;
	world->target.path = ea_arena_dup_str(&world->arena, ea_buf_str(&real));
	world->target.called = called(target->path, world->target.path, &world->arena);
	world->target.root = audit->root_name;
	if (audit->image) {
		ea_audit_image_world(audit->image, audit->options, &audit->gaps, world);
		return 0;
	}
	for (size_t i = 0; i < audit->options->n_env; i++)
		ea_vec_push(&world->environment, &world->arena, audit->options->env[i]);
	return 0;
}

/* The working folder inside the root: processes of another root start at its top. */
static const char *working_folder(const struct audit *audit, struct ea_arena *arena)
{
	EA_CLEANUP(ea_free_ptr) char *cwd = NULL;

	if (audit->image)
		return ea_arena_dup(arena, audit->image->working_dir);
	if (!ea_streq(audit->root_name, "/"))
		return NULL;
	cwd = getcwd(NULL, 0);
	return ea_arena_dup(arena, cwd);
}

static int run_sessions(struct audit *audit, struct ea_scan *scan, struct ea_world *world,
			struct ea_err *err)
{
	const struct ea_provider *provider = ea_scan_provider(scan);
	const char *library = audit->options->library;
	struct ea_scenarios scenarios;
	int rc = ea_consumers_find(world, audit->options, audit->frameworks, provider,
				   working_folder(audit, &world->arena), &scenarios, err);

	/* An audit goes on where there is nothing that could be run. */
	if (rc == -EA_E_TARGET && (audit->options->parts & EA_PART_FINDINGS)) {
		if (world->pythons.n && err)
			(void)ea_gaps_add(&world->gaps, NULL, EA_GAP_ASSUMED, "%s", err->text);
		return 0;
	}
	if (!rc && (audit->options->parts & EA_PART_FINDINGS))
		ea_extensions_find(world, audit->frameworks, &scenarios);
	for (uint32_t i = 0; !rc && i < scenarios.list.n; i++) {
		struct ea_session *session;

		rc = ea_session_run(provider, audit->frameworks, &scenarios.list.items[i],
				    &world->arena, &session, err);
		if (rc)
			return rc;
		if (library)
			ea_session_why(provider, audit->libraries, audit->frameworks, library,
				       &world->arena, session);
		ea_vec_push(&world->sessions, &world->arena, session);
		if (session->outcome == EA_SESSION_NO_DRIVER &&
		    session->scenario.driver != EA_DRIVER_ASSUMED &&
		    !ea_streq(audit->options->driver, "none"))
			rc = ea_container_add_driver(world, audit->options, &scenarios, i, err);
	}
	if (rc)
		return rc;
	ea_scan_settle(scan);
	ea_sessions_reach(world);
	return 0;
}

/* Where a GPU is known, findings depend on the code for it, whatever the report shows. */
static bool wants_arches(const struct audit *audit)
{
	struct ea_stat st;

	return (audit->options->parts & EA_PART_FINDINGS) &&
	       (audit->options->gpu ||
		ea_root_stat(audit->root, "/proc/driver/nvidia/gpus", EA_FOLLOW, &st) == 0);
}

/* Another machine's GPU takes the place of this one's. */
static int set_gpu(const struct audit *audit, struct ea_world *world, struct ea_err *err)
{
	unsigned capability;
	int rc;

	if (!audit->options->gpu)
		return 0;
	rc = ea_gpu_capability(audit->options->facts, audit->options->gpu, &capability, err);
	if (rc > 0)
		return ea_err_set(
			err, EA_E_USAGE,
			"--gpu %s: no such GPU is known; a compute capability such as sm_90 "
			"always is",
			audit->options->gpu);
	world->host.gpus.n = 0;
	ea_vec_push(&world->host.gpus, &world->arena, audit->options->gpu);
	return rc;
}

static int recheck(const struct audit *audit, struct ea_scan *scan, struct ea_world *world,
		   struct ea_err *err)
{
	const struct ea_fix_ground ground = {
		.provider = ea_scan_provider(scan),
		.frameworks = audit->frameworks,
		.rules = audit->rules,
		.facts = audit->options->facts,
	};

	return world->sessions.n ? ea_fixes_recheck(&ground, world, err) : 0;
}

static void note_place(struct ea_suppression_use *use, bool used, const char *where)
{
	ea_vec_foreach(old, &use->all)
		if (!used && ea_streq(*old, where))
			return;
	if (used)
		ea_vec_push(&use->used, use->arena, ea_arena_dup(use->arena, where));
	else
		ea_vec_push(&use->all, use->arena, ea_arena_dup(use->arena, where));
}

static void suppress(const struct audit *audit, struct ea_world *world)
{
	struct ea_suppressions *suppressions = ea_config_suppressions(audit->config);
	time_t now = time(NULL);
	struct tm day;
	char today[16] = "";

	if (localtime_r(&now, &day))
		strftime(today, sizeof(today), "%Y-%m-%d", &day);
	ea_suppress(suppressions, today, world);
	ea_vec_foreach(s, &suppressions->list) {
		if (!audit->options->use)
			break;
		note_place(audit->options->use, false, s->where);
		if (s->used)
			note_place(audit->options->use, true, s->where);
	}
}

static int audit_one(struct audit *audit, const struct ea_target *target, ea_audit_fn fn, void *arg,
		     struct ea_err *err)
{
	const struct ea_audit_options *options = audit->options;
	const struct ea_scan_options scan = {
		.libraries = audit->libraries,
		.on_demand = !(options->parts & EA_PART_LIBRARIES),
		.packages = options->parts & EA_PART_PACKAGES,
		.deep = options->deep,
		.verify = options->verify,
		.arches = (options->parts & EA_PART_ARCHES) || wants_arches(audit),
		.jobs = options->jobs,
		.progress = options->progress,
		.progress_arg = options->progress_arg,
	};
	struct ea_scan *job = NULL;
	struct ea_world world;
	int rc;

	ea_world_init(&world);
	if (!ea_streq(options->driver, "none"))
		world.named_driver = options->driver;
	rc = set_target(audit, target, &world, err);
	if (!rc)
		rc = ea_scan_new(audit->root, &scan, &world, &job, err);
	if (!rc && (options->parts & EA_PART_SESSIONS))
		rc = run_sessions(audit, job, &world, err);
	if (!rc)
		rc = set_gpu(audit, &world, err);
	if (!rc && audit->rules)
		rc = ea_rules_run(audit->rules, options->facts, &world, err);
	if (!rc && audit->rules)
		rc = recheck(audit, job, &world, err);
	if (!rc && audit->config)
		suppress(audit, &world);
	if (!rc && options->baseline)
		ea_baseline_apply(options->baseline, &world);
	if (!rc)
		rc = fn(arg, &world);
	ea_scan_free(job);
	ea_world_release(&world);
	return rc;
}

static int audit_image(struct audit *audit, const char *name, uint32_t i, ea_audit_fn fn, void *arg,
		       struct ea_err *err)
{
	const struct ea_target target = {
		.name = ea_audit_image_name(name, audit->images, i, &audit->arena),
		.kind = EA_TARGET_IMAGE,
		.path = "/",
	};
	int rc;

	ea_root_free(EA_TAKE(audit->root));
	audit->gaps = (struct ea_gaps){ .arena = &audit->arena };
	rc = ea_images_root(audit->images, i, &audit->gaps, &audit->root, err);
	if (rc) {
		ea_err_context(err, "%s", target.name);
		return rc;
	}
	audit->root_name = name;
	audit->image = ea_images_get(audit->images, i);
	return audit_one(audit, &target, fn, arg, err);
}

/* 1: the target is no image. */
static int audit_images(struct audit *audit, const char *name, ea_audit_fn fn, void *arg,
			struct ea_err *err)
{
	int rc;

	if (!name || audit->options->root_dir)
		return 1;
	rc = ea_audit_open_images(name, audit->options, &audit->images, err);
	for (uint32_t i = 0; !rc && i < ea_images_count(audit->images); i++)
		rc = audit_image(audit, name, i, fn, arg, err);
	return rc;
}

int ea_audit_run(const char *target, const struct ea_audit_options *options, ea_audit_fn fn,
		 void *arg, struct ea_err *err)
{
	struct audit audit = { .options = options };
	int rc = load(&audit, err);

	if (!rc)
		rc = audit_images(&audit, target, fn, arg, err);
	if (rc == 1 && !audit.images) {
		rc = find_targets(&audit, target, err);
		if (!rc)
			rc = enter_rootfs(&audit, err);
	}
	for (uint32_t i = 0; !rc && i < audit.targets.list.n; i++)
		rc = audit_one(&audit, &audit.targets.list.items[i], fn, arg, err);
	ea_root_free(audit.root);
	ea_images_free(audit.images);
	ea_frameworks_free(audit.frameworks);
	ea_config_free(audit.config);
	ea_rules_free(audit.rules);
	ea_libraries_free(audit.libraries);
	ea_arena_release(&audit.arena);
	return rc;
}
