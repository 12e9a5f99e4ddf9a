/* Symptoms as data, read against a schema. */
#include "matrix/symptoms.h"

#include <stdlib.h>

#include "matrix/cfg.h"

struct ea_symptoms {
	struct ea_arena arena;
	EA_VEC(struct ea_symptom *) list;
};

struct file {
	const config_setting_t *symptoms;
};

struct entry {
	const char *name, *title;
	EA_VEC(const char *) patterns;
	const config_setting_t *causes;
};

static const struct ea_cfg_field file_fields[] = {
	EA_CFG_FIELD(struct file, symptoms, GROUPS, .required = true),
};

static const struct ea_cfg_field entry_fields[] = {
	EA_CFG_FIELD(struct entry, name, STRING, .required = true),
	EA_CFG_FIELD(struct entry, title, STRING, .required = true),
	EA_CFG_FIELD(struct entry, patterns, STRINGS, .required = true),
	EA_CFG_FIELD(struct entry, causes, GROUPS, .required = true),
};

static const struct ea_cfg_field cause_fields[] = {
	EA_CFG_FIELD(struct ea_cause, rule, STRING),
	EA_CFG_FIELD(struct ea_cause, text, STRING, .required = true),
};

static int read_causes(struct ea_symptoms *symptoms, const config_setting_t *list,
		       struct ea_symptom *symptom, struct ea_err *err)
{
	const config_setting_t *item;

	ea_cfg_foreach(item, list) {
		struct ea_cause *cause = ea_vec_add(&symptom->causes, &symptoms->arena);
		int rc = ea_cfg_read(item, cause_fields, EA_ARRAY_SIZE(cause_fields),
				     &symptoms->arena, cause, err);

		if (rc)
			return rc;
	}
	return symptom->causes.n ? 0 : ea_cfg_error(list, err, "causes: expected at least one");
}

static int read_symptom(struct ea_symptoms *symptoms, const config_setting_t *group,
			struct ea_err *err)
{
	struct ea_symptom *symptom = ea_arena_new(&symptoms->arena, struct ea_symptom);
	struct entry entry = { 0 };
	int rc = ea_cfg_read(group, entry_fields, EA_ARRAY_SIZE(entry_fields), &symptoms->arena,
			     &entry, err);

	if (rc)
		return rc;
	ea_vec_foreach(other, &symptoms->list)
		if (ea_streq((*other)->name, entry.name))
			return ea_cfg_error(group, err, "symptom '%s' stands twice", entry.name);
	symptom->name = entry.name;
	symptom->title = entry.title;
	ea_vec_push(&symptoms->list, &symptoms->arena, symptom);
	ea_vec_foreach(text, &entry.patterns) {
		struct ea_pattern *pattern;
		struct ea_err why;

		if (ea_pattern_new(*text, true, &pattern, &why))
			return ea_cfg_error(group, err, "%s", why.text);
		ea_vec_push(&symptom->patterns, &symptoms->arena, pattern);
	}
	return read_causes(symptoms, entry.causes, symptom, err);
}

static int read_file(struct ea_symptoms *symptoms, const char *file, struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	const config_setting_t *group;
	struct file top = { 0 };
	int rc = ea_cfg_open(file, &cfg, err);

	if (!rc)
		rc = ea_cfg_read(ea_cfg_root(cfg), file_fields, EA_ARRAY_SIZE(file_fields),
				 &symptoms->arena, &top, err);
	if (rc)
		return rc;
	ea_cfg_foreach(group, top.symptoms) {
		rc = read_symptom(symptoms, group, err);
		if (rc)
			return rc;
	}
	return 0;
}

int ea_symptoms_load(const char *file, struct ea_symptoms **ret, struct ea_err *err)
{
	struct ea_symptoms *symptoms = ea_xmalloc(sizeof(*symptoms));
	int rc;

	*symptoms = (struct ea_symptoms){ 0 };
	rc = read_file(symptoms, file, err);
	if (rc) {
		ea_symptoms_free(symptoms);
		return rc;
	}
	*ret = symptoms;
	return 0;
}

void ea_symptoms_free(struct ea_symptoms *symptoms)
{
	if (!symptoms)
		return;
	ea_vec_foreach(symptom, &symptoms->list)
		ea_vec_foreach(pattern, &(*symptom)->patterns)
			ea_pattern_free(*pattern);
	ea_arena_release(&symptoms->arena);
	free(symptoms);
}

const struct ea_symptom *ea_symptoms_match(const struct ea_symptoms *symptoms, struct ea_str line,
					   struct ea_match *ret)
{
	ea_vec_foreach(symptom, &symptoms->list)
		ea_vec_foreach(pattern, &(*symptom)->patterns)
			if (ea_pattern_match(*pattern, line, ret))
				return *symptom;
	return NULL;
}
