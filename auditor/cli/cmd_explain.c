/* envaudit explain: what a rule means, out of its matrix file. */
#include "base/buf.h"
#include "base/path.h"
#include "cli/datadir.h"
#include "cli/output.h"
#include "matrix/rules.h"
#include "report/layout.h"

static void write_section(const struct ea_layout *layout, const char *title, const char *text)
{
	ea_out_text(layout->out, "\n");
	ea_layout_text(layout, EA_STYLE_STRONG, title);
	ea_out_text(layout->out, "\n");
	ea_layout_prose(layout, 4, text);
}

static void write_rule(const struct ea_layout *layout, const struct ea_rule *rule)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 };

	ea_buf_printf(&label, "%s %s:", rule->code, rule->slug);
	ea_layout_wrap(layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label), rule->title);
	ea_out_printf(layout->out, "    severity: %s%s\n", ea_severity_words[rule->severity],
		      rule->enabled ? "" : ", not enabled");
	write_section(layout, "Why it matters", rule->why);
	write_section(layout, "What triggers it", rule->explain);
	write_section(layout, "What does not", rule->silent);
	write_section(layout, "How to fix it", rule->fix);
}

static void write_list(const struct ea_layout *layout, const struct ea_rules *rules)
{
	for (uint32_t i = 0; i < ea_rules_count(rules); i++) {
		const struct ea_rule *rule = ea_rules_at(rules, i);
		EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 };

		ea_buf_printf(&label, "%s %s:", rule->code, rule->slug);
		ea_layout_wrap(layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label), rule->title);
	}
}

/* By slug or by code, in either case of letters. */
static const struct ea_rule *find_rule(const struct ea_rules *rules, const char *name)
{
	for (uint32_t i = 0; i < ea_rules_count(rules); i++) {
		const struct ea_rule *rule = ea_rules_at(rules, i);

		if (strcasecmp(rule->code, name) == 0 || strcasecmp(rule->slug, name) == 0)
			return rule;
	}
	return NULL;
}

static enum ea_exit explain(const struct ea_cli *cli, const struct ea_layout *layout,
			    const struct ea_rules *rules)
{
	enum ea_exit status = EA_EXIT_OK;
	bool any = false;

	if (!cli->args.n)
		write_list(layout, rules);
	ea_vec_foreach(name, &cli->args) {
		const struct ea_rule *rule = find_rule(rules, *name);
		struct ea_err err;

		if (rule) {
			ea_out_text(layout->out, any ? "\n" : "");
			write_rule(layout, rule);
			any = true;
			continue;
		}
		ea_err_set(&err, EA_E_USAGE, "there is no rule '%s'; `envaudit explain` lists them",
			   *name);
		status = ea_exit_worse(status, ea_cli_complain(&err));
	}
	return status;
}

enum ea_exit ea_cmd_explain(struct ea_cli *cli)
{
	struct ea_rules *rules = NULL;
	struct ea_output output;
	struct ea_layout layout;
	const char *dir;
	enum ea_exit status;
	struct ea_err err;

	if (ea_datadir_find(&cli->arena, &dir, &err) ||
	    ea_rules_load(ea_path_join(&cli->arena, dir, "rules"), &rules, &err) ||
	    ea_output_open(&output, cli, &err)) {
		ea_rules_free(rules);
		return ea_cli_complain(&err);
	}
	layout = (struct ea_layout){ &output.out, output.width, output.colour };
	status = explain(cli, &layout, rules);
	ea_rules_free(rules);
	if (ea_output_close(&output, &err))
		status = ea_exit_worse(status, ea_cli_complain(&err));
	return status;
}
