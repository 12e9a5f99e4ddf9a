/* Rules as data: one file each, read against a schema. */
#include "matrix/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "matrix/cfg.h"

struct ea_rules {
	struct ea_arena arena;
	EA_VEC(struct ea_rule *) list; /* sorted by slug */
};

static const struct ea_cfg_field rule_fields[] = {
	EA_CFG_FIELD(struct ea_rule, slug, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, code, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, severity, WORD, .required = true, .words = ea_severity_words,
		     .n_words = EA_SEVERITY_MAX_),
	EA_CFG_FIELD(struct ea_rule, enabled, BOOL),
	EA_CFG_FIELD(struct ea_rule, title, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, why, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, explain, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, silent, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, fix, STRING, .required = true),
	EA_CFG_FIELD(struct ea_rule, lacks, STRINGS),
	EA_CFG_FIELD(struct ea_rule, provider, STRING),
	EA_CFG_FIELD(struct ea_rule, install, STRING),
	EA_CFG_FIELD(struct ea_rule, packages, STRINGS),
};

static bool is_code(const char *code)
{
	return strlen(code) == 6 && strncmp(code, "EA", 2) == 0 &&
	       strspn(code + 2, "0123456789") == 4;
}

static bool is_slug(const char *slug)
{
	return *slug && strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-/") == strlen(slug);
}

/* The file is called as the slug, so that a person finds it. */
static bool is_file_of(const char *file, const char *slug)
{
	const char *base = ea_path_base(file);
	size_t n = strlen(slug);

	if (strlen(base) != n + 4)
		return false;
	for (size_t i = 0; i < n; i++)
		if (base[i] != (slug[i] == '/' ? '-' : slug[i]))
			return false;
	return true;
}

static int read_rule(struct ea_rules *rules, const char *file, struct ea_err *err)
{
	EA_CLEANUP(ea_cfg_close_ptr) struct ea_cfg *cfg = NULL;
	struct ea_rule *rule = ea_arena_new(&rules->arena, struct ea_rule);
	const config_setting_t *root;
	int rc = ea_cfg_open(file, &cfg, err);

	if (rc)
		return rc;
	root = ea_cfg_root(cfg);
	rule->enabled = true;
	rc = ea_cfg_read(root, rule_fields, EA_ARRAY_SIZE(rule_fields), &rules->arena, rule, err);
	if (rc)
		return rc;
	if (!is_slug(rule->slug) || !is_file_of(file, rule->slug))
		return ea_cfg_error(root, err,
				    "slug '%s' does not fit the file name (lower case, '/' is '-')",
				    rule->slug);
	if (!is_code(rule->code))
		return ea_cfg_error(root, err, "code '%s': expected EA and four digits",
				    rule->code);
	ea_vec_foreach(other, &rules->list)
		if (ea_streq((*other)->code, rule->code))
			return ea_cfg_error(root, err, "code %s belongs to rule '%s' already",
					    rule->code, (*other)->slug);
	ea_vec_push(&rules->list, &rules->arena, rule);
	return 0;
}

static int compare_rules(const void *a, const void *b)
{
	const struct ea_rule *const *rule_a = a, *const *rule_b = b;

	return strcmp((*rule_a)->slug, (*rule_b)->slug);
}

int ea_rules_load(const char *dir, struct ea_rules **ret, struct ea_err *err)
{
	struct ea_rules *rules = ea_xmalloc(sizeof(*rules));
	struct ea_name_list files = { 0 };
	int rc;

	*rules = (struct ea_rules){ 0 };
	rc = ea_cfg_list(dir, &rules->arena, &files);
	if (rc)
		rc = ea_err_errno(err, -rc, "cannot list the rules in %s", dir);
	ea_vec_foreach(file, &files.list)
		if (!rc)
			rc = read_rule(rules, ea_path_join(&rules->arena, dir, *file), err);
	if (rc) {
		ea_rules_free(rules);
		return rc;
	}
	if (rules->list.n)
		qsort(rules->list.items, rules->list.n, sizeof(*rules->list.items), compare_rules);
	*ret = rules;
	return 0;
}

void ea_rules_free(struct ea_rules *rules)
{
	if (!rules)
		return;
	ea_arena_release(&rules->arena);
	free(rules);
}

int ea_rules_check(const char *file, struct ea_err *err)
{
	struct ea_rules rules = { 0 };
	int rc = read_rule(&rules, file, err);

	ea_arena_release(&rules.arena);
	return rc;
}

const struct ea_rule *ea_rules_find(const struct ea_rules *rules, const char *slug)
{
	ea_vec_foreach(rule, &rules->list)
		if (ea_streq((*rule)->slug, slug))
			return *rule;
	return NULL;
}

int ea_rules_change(struct ea_rules *rules, const char *slug, int severity, bool enabled)
{
	size_t n = strlen(slug);
	int rc = 1;

	ea_vec_foreach(item, &rules->list) {
		struct ea_rule *rule = *item;

		if (strncmp(rule->slug, slug, n) != 0 || (rule->slug[n] && rule->slug[n] != '/'))
			continue;
		if (severity >= 0)
			rule->severity = (enum ea_severity)severity;
		rule->enabled = enabled;
		rc = 0;
	}
	return rc;
}

uint32_t ea_rules_count(const struct ea_rules *rules)
{
	return rules->list.n;
}

const struct ea_rule *ea_rules_at(const struct ea_rules *rules, uint32_t index)
{
	return rules->list.items[index];
}
