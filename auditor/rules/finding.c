/* Building findings. */
#include "rules/finding.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/path.h"

#define FNV_OFFSET 0xcbf29ce484222325ull
#define FNV_PRIME  0x100000001b3ull

static uint64_t fnv1a(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
	/* The NUL parts one text from the next. */
	return hash * FNV_PRIME;
}

static void set_fingerprint(const struct ea_check *check, struct ea_finding *finding)
{
	snprintf(finding->fingerprint, sizeof(finding->fingerprint), "%016llx",
		 (unsigned long long)check->identity);
}

static const char *relative(const struct ea_check *check, const char *text)
{
	const char *prefix = check->world->target.path;

	return text[0] == '/' && ea_path_within(text, prefix) ? text + strlen(prefix) : text;
}

void ea_finding_identity(struct ea_check *check, struct ea_finding *finding, const char *text)
{
	check->identity = fnv1a(check->identity, relative(check, text));
	set_fingerprint(check, finding);
}

struct ea_finding *ea_finding_new(struct ea_check *check, const char *title, ...)
{
	struct ea_arena *arena = &check->world->arena;
	struct ea_finding *finding = ea_arena_new(arena, struct ea_finding);
	va_list args;

	finding->rule = check->rule;
	finding->severity = check->rule->severity;
	finding->confidence = EA_CONFIDENCE_HIGH;
	finding->why = check->rule->why;
	va_start(args, title);
	finding->title = ea_arena_vprintf(arena, title, args);
	va_end(args);
	check->identity = fnv1a(FNV_OFFSET, check->rule->slug);
	set_fingerprint(check, finding);
	ea_vec_push(&check->world->findings, arena, finding);
	return finding;
}

static const char *layer_of(struct ea_world *world, const char *path)
{
	if (!path || !world->layers.n)
		return NULL;
	ea_vec_foreach(copy, &world->copies)
		if (ea_streq((*copy)->path, path))
			return ea_world_layer_text(world, (*copy)->layer);
	return NULL;
}

void ea_finding_evidence(struct ea_check *check, struct ea_finding *finding, const char *path,
			 const char *fmt, ...)
{
	struct ea_arena *arena = &check->world->arena;
	struct ea_evidence *evidence = ea_vec_add(&finding->evidence, arena);
	va_list args;

	evidence->path = path;
	evidence->layer = layer_of(check->world, path);
	if (!fmt)
		return;
	va_start(args, fmt);
	evidence->text = ea_arena_vprintf(arena, fmt, args);
	va_end(args);
}

struct ea_fix *ea_finding_fix(struct ea_check *check, struct ea_finding *finding, const char *text)
{
	struct ea_fix *fix = ea_vec_add(&finding->fixes, &check->world->arena);

	fix->text = text;
	return fix;
}

void ea_fix_command(struct ea_check *check, struct ea_fix *fix, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	ea_vec_push(&fix->commands, &check->world->arena,
		    ea_arena_vprintf(&check->world->arena, fmt, args));
	va_end(args);
}

static bool is_plain(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789/._-+=:,@%") == strlen(text);
}

/* A report escapes such text: what it shows could not be pasted. */
static bool is_escaped(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf shown = { 0 };

	ea_escape_text(&shown, ea_str(text));
	return !ea_str_is(ea_buf_str(&shown), text);
}

/* $'...', in which nothing but printable ASCII is left. */
static const char *ansi_c_word(struct ea_check *check, const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf word = { 0 };

	ea_buf_add_text(&word, "$'");
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			ea_buf_printf(&word, "\\%c", *text);
		else if (*text == '\n')
			ea_buf_add_text(&word, "\\n");
		else if (*text < ' ' || *text > '~')
			ea_buf_printf(&word, "\\x%02x", (unsigned char)*text);
		else
			ea_buf_add_char(&word, *text);
	}
	ea_buf_add_char(&word, '\'');
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&word));
}

const char *ea_shell_word(struct ea_check *check, const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf word = { 0 };

	if (is_plain(text))
		return text;
	if (is_escaped(text))
		return ansi_c_word(check, text);
	ea_buf_add_char(&word, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			ea_buf_add_text(&word, "'\\''");
		else
			ea_buf_add_char(&word, *text);
	}
	ea_buf_add_char(&word, '\'');
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&word));
}

const char *ea_pip_of(struct ea_check *check)
{
	const struct ea_world *world = check->world;

	ea_vec_foreach(python, &world->pythons)
		if (ea_path_within((*python)->exe, world->target.path))
			return ea_arena_printf(&check->world->arena, "%s -m pip",
					       ea_shell_word(check, (*python)->exe));
	return "python3 -m pip";
}

const char *ea_component_text(struct ea_check *check, const struct ea_component *component)
{
	if (!component->version)
		return component->name;
	return ea_arena_printf(&check->world->arena, "%s %s", component->name, component->version);
}

const struct ea_component *ea_recorder_of_target(const struct ea_world *world,
						 const struct ea_copy *copy)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf target = { 0 };
	EA_CLEANUP(ea_free_ptr) char *dir = strndup(copy->path, ea_path_dir(copy->path).len);

	if (!dir)
		ea_oom();
	ea_path_normalize(&target, dir, ea_str(copy->link));
	ea_vec_foreach(component, &world->components)
		ea_vec_foreach(record, &(*component)->records)
			if ((record->flags & EA_RECORD_MISSING) &&
			    ea_streq(record->path, ea_buf_text(&target)))
				return *component;
	return NULL;
}

static bool owns(const struct ea_rule *rule, const char *name)
{
	ea_vec_foreach(pattern, &rule->lacks)
		if (name && fnmatch(*pattern, name, 0) == 0)
			return true;
	return false;
}

bool ea_rule_lacks(const struct ea_rule *rule, const struct ea_missing *missing)
{
	return owns(rule, missing->symbol) || owns(rule, missing->version);
}
