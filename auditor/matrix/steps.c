/* Steps of load programs, as they stand in a matrix. */
#include "matrix/steps.h"

#include "base/range.h"

#define DEEPEST 8u /* lists of steps within each other */

static const char *const on_error_words[EA_ON_ERROR_MAX_] = {
#define X(name, word) [EA_ON_ERROR_##name] = (word),
	EA_ON_ERRORS(X)
#undef X
};

#define WORDS(list) .words = (list), .n_words = EA_ARRAY_SIZE(list)

/* ---- patterns and ranges --------------------------------------------------------------------- */

static int compile(struct ea_steps_reader *r, const config_setting_t *at, const char *key,
		   const char *text, struct ea_pattern **ret, struct ea_err *err)
{
	struct ea_err why;

	if (!text)
		return 0;
	if (ea_pattern_new(text, true, ret, &why))
		return ea_cfg_error(at, err, "%s: %s", key, why.text);
	ea_vec_push(&r->patterns, r->arena, *ret);
	return 0;
}

int ea_steps_check_range(const config_setting_t *at, const char *key, const char *range,
			 struct ea_err *err)
{
	if (!range || ea_bounds_are_valid(range))
		return 0;
	return ea_cfg_error(at, err, "%s: '%s' is no range of versions like \">=2.5,<2.9\"", key,
			    range);
}

/* ---- when ------------------------------------------------------------------------------------ */

struct raw_when {
	struct ea_condition w;
	const char *has, *lacks;
};

static const struct ea_cfg_field when_fields[] = {
	EA_CFG_KEY("version", struct raw_when, w.version, STRING),
	EA_CFG_KEY("cuda", struct raw_when, w.cuda, STRING),
	EA_CFG_KEY("set", struct raw_when, w.set, STRING),
	EA_CFG_KEY("unset", struct raw_when, w.unset, STRING),
	EA_CFG_KEY("loaded", struct raw_when, w.loaded, STRING),
	EA_CFG_KEY("missing", struct raw_when, w.missing, STRING),
	EA_CFG_KEY("file", struct raw_when, w.file, STRING),
	EA_CFG_KEY("no_file", struct raw_when, w.no_file, STRING),
	EA_CFG_KEY("text", struct raw_when, w.text, STRING),
	EA_CFG_KEY("has", struct raw_when, has, STRING),
	EA_CFG_KEY("lacks", struct raw_when, lacks, STRING),
};

static int read_when(struct ea_steps_reader *r, const config_setting_t *group,
		     struct ea_condition *ret, struct ea_err *err)
{
	struct raw_when raw = { 0 };
	int rc;

	if (!group)
		return 0;
	rc = ea_cfg_read(group, when_fields, EA_ARRAY_SIZE(when_fields), r->arena, &raw, err);
	if (!rc)
		rc = ea_steps_check_range(group, "version", raw.w.version, err);
	if (!rc)
		rc = ea_steps_check_range(group, "cuda", raw.w.cuda, err);
	if (!rc && !raw.w.text != !(raw.has || raw.lacks))
		rc = ea_cfg_error(group, err, "text needs has or lacks, and these need text");
	if (!rc)
		rc = compile(r, group, "has", raw.has, &raw.w.has, err);
	if (!rc)
		rc = compile(r, group, "lacks", raw.lacks, &raw.w.lacks, err);
	*ret = raw.w;
	return rc;
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct raw_listing {
	struct ea_listing l;
	const char *from, *to, *item;
};

static const struct ea_cfg_field listing_fields[] = {
	EA_CFG_KEY("file", struct raw_listing, l.file, STRING, .required = true),
	EA_CFG_KEY("from", struct raw_listing, from, STRING, .required = true),
	EA_CFG_KEY("to", struct raw_listing, to, STRING, .required = true),
	EA_CFG_KEY("item", struct raw_listing, item, STRING, .required = true),
	EA_CFG_KEY("paths", struct raw_listing, l.paths, STRINGS, .required = true),
	EA_CFG_KEY("required", struct raw_listing, l.required, BOOL),
	EA_CFG_KEY("of_error", struct raw_listing, l.of_error, BOOL),
};

static int read_listing(struct ea_steps_reader *r, const config_setting_t *group,
			struct ea_listing *ret, struct ea_err *err)
{
	struct raw_listing raw = { 0 };
	int rc = ea_cfg_read(group, listing_fields, EA_ARRAY_SIZE(listing_fields), r->arena, &raw,
			     err);

	if (!rc)
		rc = compile(r, group, "from", raw.from, &raw.l.from, err);
	if (!rc)
		rc = compile(r, group, "to", raw.to, &raw.l.to, err);
	if (!rc)
		rc = compile(r, group, "item", raw.item, &raw.l.item, err);
	*ret = raw.l;
	return rc;
}

struct raw_step {
	struct ea_step s;
	struct ea_name_list load, open, preload, import, driver, call, check;
	const config_setting_t *listed, *steps, *rescue, *when;
};

static const struct ea_cfg_field step_fields[] = {
	EA_CFG_FIELD(struct raw_step, load, STRINGS),
	EA_CFG_FIELD(struct raw_step, open, STRINGS),
	EA_CFG_FIELD(struct raw_step, preload, STRINGS),
	EA_CFG_FIELD(struct raw_step, import, STRINGS),
	EA_CFG_FIELD(struct raw_step, driver, STRINGS),
	EA_CFG_FIELD(struct raw_step, call, STRINGS),
	EA_CFG_FIELD(struct raw_step, check, STRINGS),
	EA_CFG_KEY("pin", struct raw_step, s.pin, STRING),
	EA_CFG_FIELD(struct raw_step, listed, GROUP),
	EA_CFG_FIELD(struct raw_step, steps, GROUPS),
	EA_CFG_FIELD(struct raw_step, rescue, GROUPS),
	EA_CFG_FIELD(struct raw_step, when, GROUP),
	EA_CFG_KEY("from", struct raw_step, s.from, STRING),
	EA_CFG_KEY("extension", struct raw_step, s.extension, BOOL),
	EA_CFG_KEY("global", struct raw_step, s.global, BOOL),
	EA_CFG_KEY("lazy", struct raw_step, s.lazy, BOOL),
	EA_CFG_KEY("noload", struct raw_step, s.noload, BOOL),
	EA_CFG_KEY("package", struct raw_step, s.package, BOOL),
	EA_CFG_KEY("every", struct raw_step, s.every, BOOL),
	EA_CFG_KEY("on_error", struct raw_step, s.on_error, WORD, WORDS(on_error_words)),
};

static int read_steps(struct ea_steps_reader *r, const config_setting_t *list, unsigned depth,
		      struct ea_steps *ret, struct ea_err *err);

/* Which one of the keys that say what a step does stands there. */
static int set_kind(const config_setting_t *group, struct raw_step *raw, struct ea_err *err)
{
	const struct {
		enum ea_step_kind kind;
		const struct ea_name_list *names;
		bool given;
	} kinds[] = {
		{ EA_STEP_LOAD, &raw->load, raw->load.list.n },
		{ EA_STEP_OPEN, &raw->open, raw->open.list.n },
		{ EA_STEP_PRELOAD, &raw->preload, raw->preload.list.n },
		{ EA_STEP_IMPORT, &raw->import, raw->import.list.n },
		{ EA_STEP_DRIVER, &raw->driver, raw->driver.list.n },
		{ EA_STEP_CALL, &raw->call, raw->call.list.n },
		{ EA_STEP_CHECK, &raw->check, raw->check.list.n },
		{ EA_STEP_LISTED, NULL, raw->listed != NULL },
		{ EA_STEP_STEPS, NULL, raw->steps != NULL },
	};
	unsigned n = 0;

	for (size_t i = 0; i < EA_ARRAY_SIZE(kinds); i++) {
		if (!kinds[i].given)
			continue;
		n++;
		raw->s.kind = kinds[i].kind;
		if (kinds[i].names) {
			raw->s.names.items = kinds[i].names->list.items;
			raw->s.names.n = kinds[i].names->list.n;
		}
	}
	if (n != 1)
		return ea_cfg_error(group, err,
				    "a step has one of load, open, preload, listed, import, "
				    "driver, call, check and steps; this has %u",
				    n);
	if ((raw->s.kind == EA_STEP_CHECK) != (raw->s.pin != NULL))
		return ea_cfg_error(group, err, "check needs pin, and only check has one");
	return 0;
}

static int read_step(struct ea_steps_reader *r, const config_setting_t *group, unsigned depth,
		     struct ea_step **ret, struct ea_err *err)
{
	struct raw_step raw = { 0 };
	int rc = ea_cfg_read(group, step_fields, EA_ARRAY_SIZE(step_fields), r->arena, &raw, err);

	if (!rc)
		rc = set_kind(group, &raw, err);
	if (!rc && raw.listed)
		rc = read_listing(r, raw.listed, &raw.s.listing, err);
	if (!rc && raw.steps)
		rc = read_steps(r, raw.steps, depth + 1, &raw.s.steps, err);
	if (!rc && raw.rescue)
		rc = read_steps(r, raw.rescue, depth + 1, &raw.s.rescue, err);
	if (!rc)
		rc = read_when(r, raw.when, &raw.s.when, err);
	if (rc)
		return rc;
	raw.s.where = ea_cfg_where(group, r->arena);
	*ret = ea_arena_new(r->arena, struct ea_step);
	**ret = raw.s;
	return 0;
}

static int read_steps(struct ea_steps_reader *r, const config_setting_t *list, unsigned depth,
		      struct ea_steps *ret, struct ea_err *err)
{
	const config_setting_t *group;

	if (depth > DEEPEST)
		return ea_cfg_error(list, err, "steps within steps: more than %u deep", DEEPEST);
	ea_cfg_foreach(group, list) {
		struct ea_step *step;
		int rc = read_step(r, group, depth, &step, err);

		if (rc)
			return rc;
		ea_vec_push(&ret->list, r->arena, step);
	}
	return 0;
}

int ea_steps_read(struct ea_steps_reader *r, const config_setting_t *list, struct ea_steps *ret,
		  struct ea_err *err)
{
	return read_steps(r, list, 0, ret, err);
}
