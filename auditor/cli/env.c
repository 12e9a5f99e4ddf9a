/* The environment of the audited processes. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"

#define ENV_FILE_MAX (4u << 20) /* Linux allows a process less */

/* The last word on a name holds, as in a shell. */
static void set_var(struct ea_env *env, struct ea_arena *arena, struct ea_str text, bool change)
{
	size_t at = ea_str_find(text, '=');
	struct ea_env_var var;

	if (at == 0 || at == text.len)
		return;
	var.name = ea_arena_dup_str(arena, (struct ea_str){ text.ptr, at });
	var.value = ea_arena_dup_str(arena, ea_str_skip(text, at + 1));
	if (change)
		ea_vec_push(&env->changes, arena, var);
	ea_vec_foreach(old, &env->vars) {
		if (!ea_streq(old->name, var.name))
			continue;
		*old = var;
		return;
	}
	ea_vec_push(&env->vars, arena, var);
}

static void unset_var(struct ea_env *env, struct ea_arena *arena, const char *name)
{
	uint32_t kept = 0;

	ea_vec_push(&env->changes, arena, ((struct ea_env_var){ name, NULL }));
	ea_vec_foreach(var, &env->vars)
		if (!ea_streq(var->name, name))
			env->vars.items[kept++] = *var;
	env->vars.n = kept;
}

static int read_file(const char *file, struct ea_buf *ret, struct ea_err *err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return ea_err_set(err, EA_E_USAGE, "cannot open %s: %s", file, strerror(errno));
	do {
		n = read(fd, ea_buf_reserve(ret, 65536), 65536);
		ret->len += n > 0 ? (size_t)n : 0;
	} while (n > 0 && ret->len <= ENV_FILE_MAX);
	close(fd);
	if (n < 0)
		return ea_err_set(err, EA_E_USAGE, "cannot read %s: %s", file, strerror(errno));
	if (ret->len > ENV_FILE_MAX)
		return ea_err_set(err, EA_E_USAGE, "%s is larger than any environment", file);
	return 0;
}

static int add_file(struct ea_env *env, struct ea_arena *arena, const char *file,
		    struct ea_err *err)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_str rest, var;
	int rc = read_file(file, &text, err);

	if (rc)
		return rc;
	if (text.len && !memchr(text.ptr, '\0', text.len))
		return ea_err_set(err, EA_E_USAGE,
				  "%s has no NUL between its variables: write it with `env -0`",
				  file);
	rest = ea_buf_str(&text);
	while (ea_str_token(&rest, '\0', &var))
		set_var(env, arena, var, true);
	return 0;
}

int ea_cli_environment(struct ea_cli *cli, struct ea_env *ret, struct ea_err *err)
{
	struct ea_env env = { 0 };
	int rc;

	if (!cli->clean_env && !cli->root_dir)
		for (char **var = environ; var && *var; var++)
			set_var(&env, &cli->arena, ea_str(*var), false);
	if (cli->env_file) {
		rc = add_file(&env, &cli->arena, cli->env_file, err);
		if (rc)
			return rc;
	}
	ea_vec_foreach(name, &cli->unset_env)
		unset_var(&env, &cli->arena, *name);
	ea_vec_foreach(text, &cli->set_env)
		set_var(&env, &cli->arena, ea_str(*text), true);
	*ret = env;
	return 0;
}
