/* The file of --config, read against a schema. */
#include "matrix/config.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/cfg.h"

struct ea_config {
	struct ea_arena arena;
	struct ea_suppressions suppressions;
};

struct file {
	const config_setting_t *rules, *suppress;
};

struct change {
	const char *rule;
	int severity; /* + 1; 0 = as it is */
	bool enabled;
};

/* Without a word it stays. */
static const char *const change_words[] = { NULL, "note", "warning", "error" };

static const struct ea_cfg_field file_fields[] = {
	EA_CFG_FIELD(struct file, rules, GROUPS),
	EA_CFG_FIELD(struct file, suppress, GROUPS),
};

static const struct ea_cfg_field change_fields[] = {
	EA_CFG_FIELD(struct change, rule, STRING, .required = true),
	EA_CFG_FIELD(struct change, severity, WORD, .words = change_words,
		     .n_words = EA_ARRAY_SIZE(change_words)),
	EA_CFG_FIELD(struct change, enabled, BOOL),
};

static const struct ea_cfg_field suppression_fields[] = {
	EA_CFG_FIELD(struct ea_suppression, rule, STRING, .required = true),
	EA_CFG_FIELD(struct ea_suppression, path, STRING),
	EA_CFG_FIELD(struct ea_suppression, consumer, STRING),
	EA_CFG_FIELD(struct ea_suppression, reason, STRING, .required = true),
	EA_CFG_FIELD(struct ea_suppression, until, STRING),
};

static int unknown_rule(const config_setting_t *at, const char *slug, struct ea_err *err)
{
	return ea_cfg_error(at, err, "there is no rule '%s' (`envaudit explain` lists them)", slug);
}

static int read_change(struct ea_config *config, const config_setting_t *group,
		       struct ea_rules *rules, struct ea_err *err)
{
	struct change change = { .enabled = true };
	int rc = ea_cfg_read(group, change_fields, EA_ARRAY_SIZE(change_fields), &config->arena,
			     &change, err);

	if (rc)
		return rc;
	if (ea_rules_change(rules, change.rule, change.severity - 1, change.enabled))
		return unknown_rule(group, change.rule, err);
	return 0;
}

/* YYYY-MM-DD */
static bool is_date(const char *text)
{
	static const char form[] = "dddd-dd-dd";

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; form[i]; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	return true;
}

static int read_suppression(struct ea_config *config, const config_setting_t *group,
			    const struct ea_rules *rules, struct ea_err *err)
{
	struct ea_suppression suppression = { 0 };
	int rc = ea_cfg_read(group, suppression_fields, EA_ARRAY_SIZE(suppression_fields),
			     &config->arena, &suppression, err);

	if (rc)
		return rc;
	if (!ea_rules_find(rules, suppression.rule))
		return unknown_rule(group, suppression.rule, err);
	if (suppression.until && !is_date(suppression.until))
		return ea_cfg_error(group, err, "until '%s': expected a day, YYYY-MM-DD",
				    suppression.until);
	suppression.where = ea_cfg_where(group, &config->arena);
	ea_vec_push(&config->suppressions.list, &config->arena, suppression);
	return 0;
}

static int read_config(struct ea_config *config, const struct ea_cfg *cfg, struct ea_rules *rules,
		       struct ea_err *err)
{
	struct file file = { 0 };
	const config_setting_t *item;
	int rc = ea_cfg_read(ea_cfg_root(cfg), file_fields, EA_ARRAY_SIZE(file_fields),
			     &config->arena, &file, err);

	if (rc)
		return rc;
	ea_cfg_foreach(item, file.rules) {
		rc = read_change(config, item, rules, err);
		if (rc)
			return rc;
	}
	ea_cfg_foreach(item, file.suppress) {
		rc = read_suppression(config, item, rules, err);
		if (rc)
			return rc;
	}
	return 0;
}

int ea_config_load(const char *file, struct ea_rules *rules, struct ea_config **ret,
		   struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	struct ea_config *config;
	int rc = ea_cfg_open(file, &cfg, err);

	if (rc)
		return rc;
	config = ea_xmalloc(sizeof(*config));
	*config = (struct ea_config){ 0 };
	rc = read_config(config, cfg, rules, err);
	if (rc) {
		ea_config_free(config);
		return rc;
	}
	*ret = config;
	return 0;
}

void ea_config_free(struct ea_config *config)
{
	if (!config)
		return;
	ea_arena_release(&config->arena);
	free(config);
}

struct ea_suppressions *ea_config_suppressions(struct ea_config *config)
{
	return &config->suppressions;
}
