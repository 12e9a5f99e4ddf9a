/* Trees of what sessions load. */
#include "report/sessions.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/escape.h"
#include "report/copies.h"

#define NUMBER	5   /* columns of the place in the load order */
#define DEEPEST 16u /* further levels are not indented more */
#define NONE	UINT32_MAX

struct tree {
	const struct ea_layout *layout;
	const struct ea_report_options *options;
	const struct ea_session *session;
	const struct ea_copies *copies;
	struct ea_arena *arena;
	uint32_t n_maps;	      /* ids are below */
	uint32_t *first;	      /* of a map: index of its first request; NONE */
	uint32_t *next;		      /* of a request: the next one of the same map */
	uint32_t *place;	      /* of a map: in the load order; 0 = it was not requested */
	bool *shown;		      /* of a map */
	const struct ea_map *top;     /* the tree begins here; NULL = at the program */
	EA_VEC(const char *) missing; /* names, each once */
};

/* ---- who asked for what ---------------------------------------------------------------------- */

static void index_requests(struct tree *tree)
{
	const struct ea_session *session = tree->session;
	uint32_t n_new = 0, n = session->requests.n;

	for (uint32_t i = 0; i < n; i++) {
		const struct ea_request *request = session->requests.items[i];

		if (request->map && request->map->id >= tree->n_maps)
			tree->n_maps = request->map->id + 1;
		if (request->requester && request->requester->id >= tree->n_maps)
			tree->n_maps = request->requester->id + 1;
	}
	tree->first = ea_arena_array(tree->arena, uint32_t, tree->n_maps);
	tree->next = ea_arena_array(tree->arena, uint32_t, n);
	tree->place = ea_arena_array(tree->arena, uint32_t, tree->n_maps);
	tree->shown = ea_arena_array(tree->arena, bool, tree->n_maps);
	memset(tree->first, 0xff, sizeof(*tree->first) * tree->n_maps);
	for (uint32_t i = n; i-- > 0;) {
		const struct ea_map *requester = session->requests.items[i]->requester;

		if (!requester)
			continue;
		tree->next[i] = tree->first[requester->id];
		tree->first[requester->id] = i;
	}
	ea_vec_foreach(request, &session->requests)
		if ((*request)->is_new && (*request)->map && (*request)->kind != EA_REQUEST_PROGRAM)
			tree->place[(*request)->map->id] = ++n_new;
}

/* ---- one line -------------------------------------------------------------------------------- */

static void write_place(struct tree *tree, const struct ea_map *map, unsigned depth)
{
	char number[16];

	if (map && tree->place[map->id])
		snprintf(number, sizeof(number), "%*u", NUMBER - 2, tree->place[map->id]);
	else
		snprintf(number, sizeof(number), "%*s", NUMBER - 2, "-");
	ea_layout_text(tree->layout, EA_STYLE_DIM, number);
	ea_layout_pad(tree->layout, 2 + 2u * (depth < DEEPEST ? depth : DEEPEST));
}

static size_t width_of(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };

	ea_escape_text(&escaped, ea_str(text));
	return ea_escape_width(ea_buf_str(&escaped));
}

/* NAME VERSION => PATH [RULE]; the path on a line of its own where it does not fit. */
static void write_line(struct tree *tree, const struct ea_request *request, unsigned depth,
		       const char *path, enum ea_style style, const char *remark)
{
	const struct ea_elf *elf = request->map ? request->map->elf : NULL;
	const char *version = elf && elf->exact_version ? elf->exact_version : "";
	unsigned indent = NUMBER + 2u * (depth < DEEPEST ? depth : DEEPEST);
	bool bare = ea_streq(request->name, path);
	size_t used = indent + width_of(request->name) + width_of(version) + (*version != '\0');

	write_place(tree, request->map, depth);
	ea_layout_text(tree->layout, style == EA_STYLE_ERROR ? style : EA_STYLE_STRONG,
		       request->name);
	if (*version) {
		ea_out_text(tree->layout->out, " ");
		ea_layout_text(tree->layout, EA_STYLE_GOOD, version);
	}
	if (!bare && !tree->options->wide &&
	    used + 4 + width_of(path) + 3 + width_of(remark) > tree->layout->width) {
		ea_out_text(tree->layout->out, "\n");
		ea_layout_pad(tree->layout, indent + 2);
	} else if (!bare) {
		ea_out_text(tree->layout->out, " ");
	}
	if (!bare) {
		ea_out_text(tree->layout->out, "=> ");
		ea_layout_text(tree->layout, style, path);
	}
	if (*remark) {
		ea_out_text(tree->layout->out, " ");
		ea_layout_text(tree->layout, EA_STYLE_DIM, remark);
	}
	ea_out_text(tree->layout->out, "\n");
}

static void write_owners(struct tree *tree, const struct ea_elf *elf, unsigned depth)
{
	struct ea_owners owners;

	if (tree->options->verbosity <= 0 || !elf || !elf->id)
		return;
	owners = ea_copies_owners(tree->copies, elf, tree->arena);
	ea_vec_foreach(owner, &owners.list)
		ea_layout_wrap(tree->layout, NUMBER + 2 * depth + 4, NUMBER + 2 * depth + 8,
			       EA_STYLE_DIM, "owner:",
			       ea_arena_printf(tree->arena, "%s %s (%s)", (*owner)->name,
					       (*owner)->version ? (*owner)->version : "",
					       ea_manager_words[(*owner)->manager]));
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void write_requests(struct tree *tree, const struct ea_map *map, unsigned depth);

static bool is_known_missing(const struct tree *tree, const char *name)
{
	ea_vec_foreach(known, &tree->missing)
		if (ea_streq(*known, name))
			return true;
	return false;
}

/* The object of a dlopen that failed later, at what it needs or at a symbol; NULL = it was never
 * mapped. */
static const struct ea_map *mapped_by(const struct ea_request *request)
{
	ea_vec_foreach(nested, &request->nested)
		if ((*nested)->requester && (*nested)->requester->request == request)
			return (*nested)->requester;
	return NULL;
}

static void write_missing(struct tree *tree, const struct ea_request *request, unsigned depth)
{
	bool optional = request->kind == EA_REQUEST_AUXILIARY;
	bool ignored = request->kind == EA_REQUEST_PRELOAD &&
		       request->outcome == EA_OUTCOME_ERROR &&
		       tree->session->outcome == EA_SESSION_COMPLETE;
	const char *error = request->error;
	const struct ea_map *map = mapped_by(request);

	if (optional && tree->options->verbosity <= 0)
		return;
	if (!optional && !ignored && !map && !is_known_missing(tree, request->name))
		ea_vec_push(&tree->missing, tree->arena, request->name);
	/* ld.so begins its text with the name, which stands here already. */
	if (error && ea_str_starts(ea_str(error), request->name) &&
	    ea_str_starts(ea_str_skip(ea_str(error), strlen(request->name)), ": "))
		error += strlen(request->name) + 2;
	write_line(tree, request, depth, error ? error : "not found", EA_STYLE_ERROR,
		   optional  ? "[optional]"
		   : ignored ? "[preload, ignored]"
			     : "");
	if (map)
		write_requests(tree, map, depth + 1);
}

/* Whoever brought MAP has a line of its own in this tree. */
static bool is_below(const struct tree *tree, const struct ea_map *map)
{
	if (!tree->top)
		return map->request != NULL;
	while (map && map != tree->top)
		map = map->loader;
	return map != NULL;
}

static const char *remark_on(struct tree *tree, const struct ea_request *request)
{
	bool gone = request->rolled_back || (tree->session->outcome == EA_SESSION_COMPLETE &&
					     !ea_session_is_mapped(tree->session, request->map));
	const char *again = gone ? "unmapped again" : "";
	const char *rule = ea_sessions_rule(request);

	if (request->map->kind == EA_MAP_INTERP)
		return "[the loader itself]";
	if (request->is_new && request->how == EA_HOW_PATH)
		return *again ? "[unmapped again]" : "";
	if (request->is_new)
		return ea_arena_printf(tree->arena, "[%s%s%s]", rule, *again ? "; " : "", again);
	if (is_below(tree, request->map))
		return "[already loaded]";
	return ea_arena_printf(tree->arena, "[already loaded; %s]", rule);
}

static void write_request(struct tree *tree, const struct ea_request *request, unsigned depth)
{
	const struct ea_map *map = request->map;

	if (!ea_request_found(request)) {
		write_missing(tree, request, depth);
		return;
	}
	if (!request->is_new && tree->options->verbosity <= 0 &&
	    (tree->shown[map->id] || is_below(tree, map)))
		return;
	tree->shown[map->id] = true;
	write_line(tree, request, depth, ea_sessions_name(tree->session, map), EA_STYLE_PLAIN,
		   remark_on(tree, request));
	if (!request->is_new)
		return;
	write_owners(tree, map->elf, depth);
	write_requests(tree, map, depth + 1);
}

static void write_requests(struct tree *tree, const struct ea_map *map, unsigned depth)
{
	for (uint32_t i = tree->first[map->id]; i != NONE; i = tree->next[i]) {
		const struct ea_request *request = tree->session->requests.items[i];

		if (request->kind != EA_REQUEST_PROGRAM)
			write_request(tree, request, depth);
	}
}

static void write_lack(struct ea_buf *text, const struct ea_missing *missing)
{
	if (text->len)
		ea_buf_printf(text, ", ");
	if (missing->symbol)
		ea_buf_printf(text, "%s%s", missing->symbol, missing->version ? " " : "");
	if (missing->version)
		ea_buf_printf(text, "(version %s%s%s)", missing->version,
			      missing->file ? " of " : "", missing->file ? missing->file : "");
}

/* What each object lacks, an object after the other. */
static void write_lacking(struct tree *tree)
{
	const struct ea_session *session = tree->session;

	for (uint32_t i = 0, next; i < session->missing.n; i = next) {
		EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
		const struct ea_map *object = session->missing.items[i].object;

		for (next = i; next < session->missing.n; next++) {
			if (session->missing.items[next].object != object)
				break;
			write_lack(&text, &session->missing.items[next]);
		}
		ea_layout_wrap(tree->layout, 0, 4, EA_STYLE_ERROR,
			       ea_arena_printf(tree->arena, "undefined in %s:",
					       ea_sessions_name(session, object)),
			       ea_buf_text(&text));
	}
}

static void write_session(struct tree *tree, const struct ea_world *world)
{
	const struct ea_request *opening = ea_session_opening(tree->session);
	const struct ea_session *session = tree->session;

	ea_sessions_head(tree->layout, world, session);
	if (!session->requests.n)
		return;
	index_requests(tree);
	if (opening && tree->options->verbosity <= 0) {
		tree->top = opening->map;
		write_request(tree, opening, 0);
	} else if (session->requests.items[0]->map) {
		write_requests(tree, session->requests.items[0]->map, 0);
	}
	write_lacking(tree);
	if (tree->missing.n)
		ea_layout_wrap(tree->layout, 0, 4, EA_STYLE_ERROR, NULL,
			       ea_arena_printf(tree->arena, "%u librar%s not found",
					       tree->missing.n,
					       tree->missing.n == 1 ? "y" : "ies"));
}

/* A session of an interpreter alone says little of an environment. */
static void write_limits(const struct ea_layout *layout, const struct ea_session *session)
{
	if (session->scenario.is_python && !session->scenario.library &&
	    !session->scenario.imports.n)
		ea_layout_wrap(
			layout, 0, 4, EA_STYLE_DIM, "note:",
			"this python finds no framework that is known (matrices/frameworks); "
			"name a library as the target to see what that one loads");
}

void ea_sessions_tree(const struct ea_layout *layout, const struct ea_report_options *options,
		      const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct ea_copies copies;

	ea_copies_index(&copies, world, &arena);
	ea_vec_foreach(session, &world->sessions) {
		struct tree tree = {
			.layout = layout,
			.options = options,
			.session = *session,
			.copies = &copies,
			.arena = &arena,
		};

		write_session(&tree, world);
		write_limits(layout, *session);
	}
}
