/* Reads what the real loader and the driver wrote. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "transcript.h"

struct reader {
	struct ea_arena *arena;
	const struct sandbox *box;
	struct transcript *transcript;
	struct step *step;
	bool ended;
};

static void add_line(struct reader *r, struct lines *lines, struct ea_str text)
{
	ea_vec_push(lines, r->arena, ea_arena_dup_str(r->arena, text));
}

static bool take(struct ea_str *text, const char *prefix)
{
	if (!ea_str_starts(*text, prefix))
		return false;
	*text = ea_str_skip(*text, strlen(prefix));
	return true;
}

/* Not of the case: the loader, the C library, the driver. */
static bool is_base(const struct reader *r, struct ea_str path)
{
	return ea_str_starts(path, "/drv/") || ea_str_starts(path, "linux-vdso") ||
	       ea_str_is(path, r->box->interp) || ea_str_ends(path, "libc.so.6") ||
	       ea_str_ends(path, "libdl.so.2");
}

/* What ld.so looks up for itself, in the name of the program, once all is relocated. */
static bool is_own_lookup(struct ea_str from, struct ea_str symbol)
{
	return ea_str_is(from, SANDBOX_PROGRAM) &&
	       (ea_str_is(symbol, "malloc") || ea_str_is(symbol, "calloc") ||
		ea_str_is(symbol, "realloc") || ea_str_is(symbol, "free") ||
		ea_str_is(symbol, "_r_debug"));
}

/* "A [0] to B [0]: normal symbol `S' [V]" */
static void add_binding(struct reader *r, struct ea_str text)
{
	struct ea_str from = { text.ptr, ea_str_find_str(text, EA_STR(" [0] to ")) }, to, symbol,
		      version;

	text = ea_str_skip(text, from.len + 8);
	to = (struct ea_str){ text.ptr, ea_str_find_str(text, EA_STR(" [0]: ")) };
	text = ea_str_skip(text, ea_str_find(text, '`') + 1);
	symbol = (struct ea_str){ text.ptr, ea_str_find(text, '\'') };
	version = ea_str_skip(text, symbol.len + 1);
	if (is_base(r, from) || is_own_lookup(from, symbol))
		return;
	ea_vec_push(&r->step->binds, r->arena,
		    ea_arena_printf(r->arena, "%.*s %.*s%.*s %.*s", (int)from.len, from.ptr,
				    (int)symbol.len, symbol.ptr, (int)version.len, version.ptr,
				    (int)to.len, to.ptr));
}

static void read_debug(struct reader *r, struct ea_str text)
{
	if (take(&text, "  trying file=")) {
		add_line(r, &r->step->tries, text);
	} else if (take(&text, "calling init: ")) {
		if (!is_base(r, text))
			add_line(r, &r->step->inits, text);
	} else if (take(&text, "binding file ")) {
		add_binding(r, text);
	}
}

static void read_driver(struct reader *r, struct ea_str text)
{
	if (take(&text, "map ")) {
		if (!r->box->emulated || !ea_str_starts(text, "linux-vdso"))
			add_line(r, &r->step->maps, text);
	} else if (ea_str_is(text, "open")) {
		r->step = ea_vec_add(r->transcript, r->arena);
	} else if (ea_str_is(text, "nocaller")) {
		r->step = ea_vec_add(r->transcript, r->arena);
		r->step->result = "nocaller";
	} else if (ea_str_is(text, "end")) {
		r->ended = true;
	} else {
		r->step->result = ea_arena_dup_str(r->arena, text);
	}
}

/* Lines of LD_DEBUG start with the process id, a colon and a tab. */
static bool take_pid(struct ea_str *line)
{
	struct ea_str rest = ea_str_trim(*line);
	size_t digits = 0;

	while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9')
		digits++;
	if (digits == 0 || digits >= rest.len || rest.ptr[digits] != ':')
		return false;
	if (digits + 1 < rest.len && rest.ptr[digits + 1] != '\t')
		return false;
	*line = ea_str_skip(rest, digits + 2);
	return true;
}

/* Without the line number of a failed assertion, which every release has another of. */
static struct ea_str without_number(struct reader *r, struct ea_str line)
{
	struct ea_str mark = EA_STR(".c: ");
	size_t at = ea_str_find_str(line, mark), digits = at + mark.len;

	if (!ea_str_starts(line, "Inconsistency detected by ld.so: ") || at == line.len)
		return line;
	while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
		digits++;
	if (!ea_str_starts(ea_str_skip(line, digits), ": "))
		return line;
	return ea_str(ea_arena_printf(r->arena, "%.*s%.*s", (int)(at + mark.len), line.ptr,
				      (int)(line.len - digits - 2), line.ptr + digits + 2));
}

void transcript_of_output(struct ea_arena *arena, const struct sandbox *box, struct ea_str output,
			  int status, struct transcript *ret)
{
	struct reader r = { .arena = arena, .box = box, .transcript = ret };
	struct ea_str line;

	r.step = ea_vec_add(ret, arena);
	while (ea_str_line(&output, &line)) {
		if (take_pid(&line))
			read_debug(&r, line);
		else if (take(&line, "@"))
			read_driver(&r, line);
		else if (line.len > 0)
			add_line(&r, &r.step->messages, without_number(&r, line));
	}
	if (r.ended && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status))
		r.step->result = CRASHED;
	else
		r.step->result = ea_arena_printf(arena, "exit %d", WEXITSTATUS(status));
	r.step->maps.n = 0;
}
