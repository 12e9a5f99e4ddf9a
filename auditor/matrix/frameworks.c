/* Load programs: reading matrices/frameworks/. */
#include "matrix/frameworks.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "matrix/cfg.h"
#include "matrix/steps.h"

struct ea_frameworks {
	struct ea_arena arena;
	EA_VEC(struct ea_framework *) list;
	EA_VEC(struct ea_opener *) openers;
	struct ea_steps_reader reader;
	struct ea_name_list driver;
};

#define WORDS(list) .words = (list), .n_words = EA_ARRAY_SIZE(list)

/* ---- openers --------------------------------------------------------------------------------- */

static const char *const moments[EA_MOMENT_MAX_] = {
#define X(name, word) [EA_MOMENT_##name] = (word),
	EA_MOMENTS(X)
#undef X
};

struct raw_opener {
	struct ea_opener o;
	const config_setting_t *steps;
};

static const struct ea_cfg_field opener_fields[] = {
	EA_CFG_KEY("library", struct raw_opener, o.library, STRINGS, .required = true),
	EA_CFG_KEY("name", struct raw_opener, o.name, STRING),
	EA_CFG_KEY("version_of", struct raw_opener, o.version_of, STRING),
	EA_CFG_KEY("at", struct raw_opener, o.at, WORD, .required = true, WORDS(moments)),
	EA_CFG_FIELD(struct raw_opener, steps, GROUPS, .required = true),
	EA_CFG_KEY("verified", struct raw_opener, o.verified, WORD, .required = true,
		   WORDS(ea_verified_words)),
	EA_CFG_KEY("source", struct raw_opener, o.source, STRING, .required = true),
	EA_CFG_KEY("date", struct raw_opener, o.date, STRING, .required = true),
};

static int read_opener(struct ea_frameworks *f, const config_setting_t *group, struct ea_err *err)
{
	struct raw_opener raw = { 0 };
	int rc = ea_cfg_read(group, opener_fields, EA_ARRAY_SIZE(opener_fields), &f->arena, &raw,
			     err);

	if (!rc)
		rc = ea_steps_read(&f->reader, raw.steps, &raw.o.steps, err);
	if (rc)
		return rc;
	raw.o.where = ea_cfg_where(group, &f->arena);
	*ea_vec_add(&f->openers, &f->arena) = ea_arena_dup_mem(&f->arena, &raw.o, sizeof(raw.o));
	return 0;
}

/* ---- frameworks ------------------------------------------------------------------------------ */

struct raw_framework {
	struct ea_framework w;
	const config_setting_t *import, *use;
};

static const struct ea_cfg_field framework_fields[] = {
	EA_CFG_KEY("name", struct raw_framework, w.name, STRING, .required = true),
	EA_CFG_KEY("modules", struct raw_framework, w.modules, STRINGS, .required = true),
	EA_CFG_KEY("packages", struct raw_framework, w.packages, STRINGS, .required = true),
	EA_CFG_FIELD(struct raw_framework, import, GROUPS, .required = true),
	EA_CFG_FIELD(struct raw_framework, use, GROUPS),
	EA_CFG_KEY("versions", struct raw_framework, w.versions, STRING),
	EA_CFG_KEY("verified", struct raw_framework, w.verified, WORD, .required = true,
		   WORDS(ea_verified_words)),
	EA_CFG_KEY("source", struct raw_framework, w.source, STRING, .required = true),
	EA_CFG_KEY("date", struct raw_framework, w.date, STRING, .required = true),
};

static int read_framework(struct ea_frameworks *f, const config_setting_t *group,
			  struct ea_err *err)
{
	struct raw_framework raw = { 0 };
	const struct ea_framework *old;
	int rc = ea_cfg_read(group, framework_fields, EA_ARRAY_SIZE(framework_fields), &f->arena,
			     &raw, err);

	if (!rc)
		rc = ea_steps_check_range(group, "versions", raw.w.versions, err);
	if (!rc)
		rc = ea_steps_read(&f->reader, raw.import, &raw.w.import, err);
	if (!rc)
		rc = ea_steps_read(&f->reader, raw.use, &raw.w.use, err);
	if (rc)
		return rc;
	raw.w.where = ea_cfg_where(group, &f->arena);
	ea_vec_foreach(module, &raw.w.modules) {
		old = ea_frameworks_find(f, *module);
		if (old)
			return ea_cfg_error(group, err, "module '%s' belongs to '%s' already (%s)",
					    *module, old->name, old->where);
	}
	*ea_vec_add(&f->list, &f->arena) = ea_arena_dup_mem(&f->arena, &raw.w, sizeof(raw.w));
	return 0;
}

struct raw_file {
	const config_setting_t *frameworks, *openers;
	struct ea_name_list driver;
};

static const struct ea_cfg_field file_fields[] = {
	EA_CFG_FIELD(struct raw_file, frameworks, GROUPS),
	EA_CFG_FIELD(struct raw_file, openers, GROUPS),
	EA_CFG_FIELD(struct raw_file, driver, STRINGS),
};

static int read_file(struct ea_frameworks *f, const char *file, struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	const config_setting_t *group;
	struct raw_file raw = { 0 };
	int rc = ea_cfg_open(file, &cfg, err);

	if (!rc)
		rc = ea_cfg_read(ea_cfg_root(cfg), file_fields, EA_ARRAY_SIZE(file_fields),
				 &f->arena, &raw, err);
	if (rc)
		return rc;
	ea_vec_foreach(name, &raw.driver.list)
		ea_vec_push(&f->driver.list, &f->arena, *name);
	ea_cfg_foreach(group, raw.frameworks) {
		rc = read_framework(f, group, err);
		if (rc)
			return rc;
	}
	ea_cfg_foreach(group, raw.openers) {
		rc = read_opener(f, group, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- imports of each other ------------------------------------------------------------------- */

static int visit(const struct ea_frameworks *f, const struct ea_framework *framework,
		 const struct ea_framework *top, unsigned depth, struct ea_err *err);

static int visit_steps(const struct ea_frameworks *f, const struct ea_steps *steps,
		       const struct ea_framework *top, unsigned depth, struct ea_err *err)
{
	int rc = 0;

	ea_vec_foreach(item, &steps->list) {
		const struct ea_step *step = *item;

		if (step->kind == EA_STEP_IMPORT)
			ea_vec_foreach(name, &step->names) {
				const struct ea_framework *other = ea_frameworks_find(f, *name);

				if (!other)
					return ea_err_set(err, EA_E_MATRIX,
							  "%s: import: no framework '%s' is known",
							  step->where, *name);
				if (other == top || depth > ea_frameworks_count(f))
					return ea_err_set(err, EA_E_MATRIX,
							  "%s: import: '%s' imports itself",
							  step->where, top->name);
				rc = visit(f, other, top, depth + 1, err);
				if (rc)
					return rc;
			}
		rc = visit_steps(f, &step->steps, top, depth, err);
		if (!rc)
			rc = visit_steps(f, &step->rescue, top, depth, err);
		if (rc)
			return rc;
	}
	return rc;
}

static int visit(const struct ea_frameworks *f, const struct ea_framework *framework,
		 const struct ea_framework *top, unsigned depth, struct ea_err *err)
{
	int rc = visit_steps(f, &framework->import, top, depth, err);

	return rc ? rc : visit_steps(f, &framework->use, top, depth, err);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int read_all(struct ea_frameworks *f, const char *dir, struct ea_err *err)
{
	struct ea_name_list files = { 0 };
	int rc = ea_cfg_list(dir, &f->arena, &files);

	if (rc)
		return ea_err_errno(err, -rc, "cannot list the frameworks in %s", dir);
	ea_vec_foreach(file, &files.list)
		if (!rc)
			rc = read_file(f, ea_path_join(&f->arena, dir, *file), err);
	ea_vec_foreach(framework, &f->list)
		if (!rc)
			rc = visit(f, *framework, *framework, 0, err);
	return rc;
}

int ea_frameworks_load(const char *dir, struct ea_frameworks **ret, struct ea_err *err)
{
	struct ea_frameworks *f = ea_xmalloc(sizeof(*f));
	int rc;

	*f = (struct ea_frameworks){ .reader.arena = &f->arena };
	rc = read_all(f, dir, err);
	if (rc)
		ea_frameworks_free(f);
	else
		*ret = f;
	return rc;
}

int ea_frameworks_check(const char *file, struct ea_err *err)
{
	struct ea_frameworks *f = ea_xmalloc(sizeof(*f));
	int rc;

	*f = (struct ea_frameworks){ .reader.arena = &f->arena };
	rc = read_file(f, file, err);
	ea_frameworks_free(f);
	return rc;
}

void ea_frameworks_free(struct ea_frameworks *f)
{
	if (!f)
		return;
	ea_vec_foreach(pattern, &f->reader.patterns)
		ea_pattern_free(*pattern);
	ea_arena_release(&f->arena);
	free(f);
}

uint32_t ea_frameworks_count(const struct ea_frameworks *frameworks)
{
	return frameworks->list.n;
}

const struct ea_framework *ea_frameworks_at(const struct ea_frameworks *frameworks, uint32_t index)
{
	return frameworks->list.items[index];
}

const struct ea_framework *ea_frameworks_find(const struct ea_frameworks *frameworks,
					      const char *name)
{
	ea_vec_foreach(item, &frameworks->list) {
		if (ea_streq((*item)->name, name))
			return *item;
		ea_vec_foreach(module, &(*item)->modules)
			if (ea_streq(*module, name))
				return *item;
	}
	return NULL;
}

const struct ea_opener *ea_frameworks_named(const struct ea_frameworks *frameworks,
					    const char *name, uint32_t *pos)
{
	while (*pos < frameworks->openers.n) {
		const struct ea_opener *opener = frameworks->openers.items[(*pos)++];

		if (opener->name && ea_streq(opener->name, name))
			return opener;
	}
	return NULL;
}

const struct ea_name_list *ea_frameworks_driver(const struct ea_frameworks *frameworks)
{
	return &frameworks->driver;
}

const struct ea_opener *ea_frameworks_opener(const struct ea_frameworks *frameworks,
					     const char *file_name, enum ea_moment at,
					     uint32_t *pos)
{
	for (; *pos < frameworks->openers.n; (*pos)++) {
		const struct ea_opener *opener = frameworks->openers.items[*pos];

		if (opener->at != at)
			continue;
		ea_vec_foreach(pattern, &opener->library)
			if (fnmatch(*pattern, file_name, 0) == 0) {
				(*pos)++;
				return opener;
			}
	}
	return NULL;
}
