/* Why a library comes from where it comes: the search, step by step. */
#include "report/sessions.h"

#include "base/buf.h"
#include "base/path.h"
#include "report/copies.h"

#define SHOWN_AGAIN 4u /* others who got the same file, without -v */
#define AHEAD	    16 /* subfolders of one folder that the loader tries */

struct answer {
	const struct ea_layout *layout;
	const struct ea_session *session;
	const struct ea_copies *copies;
	struct ea_arena *arena;
	bool all;
};

static const char *asker_of(const struct answer *answer, const struct ea_request *request)
{
	const char *name;

	if (!request->requester)
		return "";
	name = ea_sessions_name(answer->session, request->requester);
	if (request->kind == EA_REQUEST_PRELOAD)
		return "preloaded";
	return ea_arena_printf(answer->arena, "%s %s",
			       request->kind == EA_REQUEST_DLOPEN   ? "opened by"
			       : request->kind == EA_REQUEST_NEEDED ? "needed by"
								    : "filtee of",
			       name);
}

/* PATH, version, owners: what is known of a file that was found. */
static void add_file(const struct answer *answer, struct ea_buf *text, const struct ea_map *map)
{
	struct ea_owners owners = { 0 };

	ea_buf_add_text(text, ea_sessions_name(answer->session, map));
	if (map->elf && map->elf->exact_version)
		ea_buf_printf(text, " %s", map->elf->exact_version);
	if (map->elf && map->elf->id)
		owners = ea_copies_owners(answer->copies, map->elf, answer->arena);
	ea_vec_foreach(owner, &owners.list)
		ea_buf_printf(text, "%s%s%s%s", owner == owners.list.items ? " (" : ", ",
			      (*owner)->name, (*owner)->version ? " " : "",
			      (*owner)->version ? (*owner)->version : "");
	if (owners.list.n)
		ea_buf_add_text(text, ")");
}

/* "DT_RUNPATH of /x/liby.so" */
static const char *rule_of(const struct answer *answer, enum ea_how how, const struct ea_map *owner)
{
	if (!owner)
		return ea_how_texts[how];
	return ea_arena_printf(answer->arena, "%s of %s", ea_how_texts[how],
			       ea_sessions_name(answer->session, owner));
}

static void add_winning_rule(const struct answer *answer, struct ea_buf *text,
			     const struct ea_request *request)
{
	const struct ea_try *last =
		request->tries.n ? &request->tries.items[request->tries.n - 1] : NULL;

	if (ea_request_how(request) == EA_HOW_PATH)
		return;
	ea_buf_printf(text, ", by %s",
		      rule_of(answer, ea_request_how(request), last ? last->owner : NULL));
}

static void write_result(const struct answer *answer, const struct ea_request *request)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	if (!ea_request_found(request)) {
		ea_layout_wrap(answer->layout, 4, 8, EA_STYLE_ERROR, "not found:",
			       request->error ? request->error
					      : "in none of the folders that are searched");
		return;
	}
	add_file(answer, &text, request->map);
	add_winning_rule(answer, &text, request);
	ea_layout_wrap(answer->layout, 4, 8, EA_STYLE_GOOD, "found:", ea_buf_text(&text));
	if (request->by_inode)
		ea_layout_wrap(answer->layout, 8, 8, EA_STYLE_PLAIN, NULL,
			       "the file that was found is one that is loaded already");
}

static void write_try(const struct answer *answer, const struct ea_try *try)
{
	static const enum ea_style styles[EA_TRY_RESULT_MAX_] = {
		[EA_TRY_OPENED] = EA_STYLE_GOOD,
		[EA_TRY_ABSENT] = EA_STYLE_DIM,
		[EA_TRY_SKIPPED] = EA_STYLE_WARNING,
		[EA_TRY_FATAL] = EA_STYLE_ERROR,
	};
	const char *word = ea_try_words[try->result];

	ea_layout_pad(answer->layout, 8);
	ea_layout_text(answer->layout, styles[try->result], word);
	ea_layout_pad(answer->layout, strlen(word) < 8 ? 8 - strlen(word) : 1);
	ea_layout_text(answer->layout, EA_STYLE_PLAIN, try->path);
	ea_out_text(answer->layout->out, "\n");
	if (try->text && (try->result != EA_TRY_ABSENT || answer->all))
		ea_layout_wrap(answer->layout, 16, 16, EA_STYLE_PLAIN, NULL, try->text);
}

/*
 * It looked into a subfolder for particular processors: the folder itself comes soon after. There
 * are many of these and they hardly ever exist.
 */
static bool is_subfolder(const struct ea_request *request, const struct ea_try *try)
{
	const struct ea_try *end = request->tries.items + request->tries.n;
	size_t len = ea_path_dir(try->path).len;

	for (const struct ea_try *later = try + 1; later < end && later - try <= AHEAD; later++) {
		size_t shorter = ea_path_dir(later->path).len;

		if (later->how == try->how && shorter < len && try->path[shorter] == '/' &&
		    strncmp(later->path, try->path, shorter) == 0)
			return true;
	}
	return false;
}

static void write_search(const struct answer *answer, const struct ea_request *request)
{
	const struct ea_try *before = NULL;

	if (request->how == EA_HOW_PATH && !answer->all && ea_request_found(request))
		return;
	ea_vec_foreach(try, &request->tries) {
		if (!answer->all && try->result == EA_TRY_ABSENT && is_subfolder(request, try))
			continue;
		if (!before || before->how != try->how || before->owner != try->owner)
			ea_layout_wrap(answer->layout, 4, 8, EA_STYLE_STRONG,
				       "searched:", rule_of(answer, try->how, try->owner));
		write_try(answer, try);
		before = try;
	}
}

static void write_alternative(const struct answer *answer, const struct ea_alternative *alternative)
{
	const struct ea_request *request = alternative->request;
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, text = { 0 };

	ea_buf_printf(&label, "%s:", alternative->condition);
	if (ea_request_found(request)) {
		add_file(answer, &text, request->map);
		if (request->how == EA_HOW_LOADED)
			ea_buf_printf(&text, ", already loaded (%s)", ea_sessions_rule(request));
		else
			add_winning_rule(answer, &text, request);
	} else {
		ea_buf_add_text(&text, "not found");
	}
	ea_layout_wrap(answer->layout, 4, 8, EA_STYLE_NOTE, ea_buf_text(&label),
		       ea_buf_text(&text));
}

static void write_again(const struct answer *answer, const struct ea_why *why)
{
	uint32_t n = why->again.n;

	for (uint32_t i = 0; i < n && (answer->all || i < SHOWN_AGAIN); i++) {
		const struct ea_request *request = why->again.items[i];

		ea_layout_wrap(answer->layout, 4, 8, EA_STYLE_DIM, "then already loaded:",
			       ea_arena_printf(answer->arena, "%s, %s", request->name,
					       asker_of(answer, request)));
	}
	if (!answer->all && n > SHOWN_AGAIN) {
		ea_layout_pad(answer->layout, 4);
		ea_out_printf(answer->layout->out, "and %u more (-v shows them)\n",
			      n - SHOWN_AGAIN);
	}
}

static void write_why(const struct answer *answer, const struct ea_why *why)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 };

	ea_out_text(answer->layout->out, "\n");
	ea_buf_printf(&label, "%s,", why->request->name);
	ea_layout_wrap(answer->layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label),
		       asker_of(answer, why->request));
	write_result(answer, why->request);
	write_search(answer, why->request);
	ea_vec_foreach(alternative, &why->alternatives)
		write_alternative(answer, alternative);
	write_again(answer, why);
}

void ea_sessions_why(const struct ea_layout *layout, const struct ea_report_options *options,
		     const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct ea_copies copies;

	ea_copies_index(&copies, world, &arena);
	ea_vec_foreach(session, &world->sessions) {
		const struct answer answer = { layout, *session, &copies, &arena,
					       options->verbosity > 0 };

		ea_sessions_head(layout, world, *session);
		ea_vec_foreach(why, &(*session)->whys)
			write_why(&answer, why);
	}
}
