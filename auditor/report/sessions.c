/* What is said of a session whatever is asked of it. */
#include "report/sessions.h"

#include "base/buf.h"
#include "base/path.h"

const char *ea_sessions_name(const struct ea_session *session, const struct ea_map *map)
{
	const char *path = ea_session_path(session, map);

	return *path ? path : "the empty program";
}

const char *ea_sessions_rule(const struct ea_request *request)
{
	if (request->how == EA_HOW_LOADED && request->map && request->map->request)
		request = request->map->request;
	return ea_how_texts[ea_request_how(request)];
}

static void add_program(struct ea_buf *text, const struct ea_scenario *scenario)
{
	if (!scenario->program) {
		ea_buf_add_text(text, "an empty program");
		return;
	}
	ea_buf_add_text(text, scenario->program);
	if (scenario->is_python && scenario->python_version)
		ea_buf_printf(text, " (Python %s)", scenario->python_version);
}

static void add_imports(struct ea_buf *text, const struct ea_scenario *scenario)
{
	ea_buf_add_text(text, "import ");
	ea_vec_foreach(item, &scenario->imports) {
		const struct ea_installed *installed = *item;

		ea_buf_printf(text, "%s%s", item == scenario->imports.items ? "" : ", then ",
			      installed->framework->name);
		if (installed->version)
			ea_buf_printf(text, " %s", installed->version);
	}
	ea_buf_add_text(text,
			scenario->stage == EA_STAGE_USE ? " and first use of the GPU in " : " in ");
}

static void add_driver(struct ea_buf *text, const struct ea_scenario *scenario)
{
	static const char *const words[EA_DRIVER_MAX_] = {
		[EA_DRIVER_NONE] = ", without a driver",
		[EA_DRIVER_PRESENT] = "",
		[EA_DRIVER_ASSUMED] = ", with an assumed driver",
	};

	ea_buf_add_text(text, words[scenario->driver]);
}

static void add_what(struct ea_buf *text, const struct ea_session *session)
{
	const struct ea_scenario *scenario = &session->scenario;

	if (scenario->library) {
		ea_buf_add_text(text, "dlopen from ");
		add_program(text, scenario);
	} else if (scenario->imports.n) {
		add_imports(text, scenario);
		add_program(text, scenario);
		add_driver(text, scenario);
	} else if (!scenario->is_python) {
		ea_buf_add_text(text, "program start");
	} else {
		ea_buf_add_text(text, "start of ");
		add_program(text, scenario);
		ea_buf_add_text(text, ", with nothing imported");
	}
	if (session->libc)
		ea_buf_printf(text, ", %s %s", session->libc,
			      session->libc_version ? session->libc_version : "of unknown version");
}

/* ld.so's own lines where they say more than the error. */
static void write_messages(const struct ea_layout *layout, const struct ea_session *session)
{
	ea_vec_foreach(message, &session->messages)
		if (!session->error || !strstr(*message, session->error))
			ea_layout_wrap(layout, 4, 8, EA_STYLE_WARNING, "ld.so says:", *message);
}

static void write_assumptions(const struct ea_layout *layout, const struct ea_session *session)
{
	ea_vec_foreach(text, &session->assumptions)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM, "assumed:", *text);
}

void ea_sessions_head(const struct ea_layout *layout, const struct ea_world *world,
		      const struct ea_session *session)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf label = { 0 }, text = { 0 };

	ea_buf_printf(&label, "%s:", world->target.name);
	add_what(&text, session);
	ea_layout_wrap(layout, 0, 4, EA_STYLE_STRONG, ea_buf_text(&label), ea_buf_text(&text));
	if (session->is_static)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_GOOD, NULL,
			       "statically linked: it is run without the dynamic loader");
	if (session->error)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_ERROR, "fails:", session->error);
	if (session->outcome == EA_SESSION_NO_DRIVER)
		ea_layout_wrap(layout, 4, 8, EA_STYLE_DIM, NULL,
			       "ends here: there is no NVIDIA driver library that could be opened");
	write_messages(layout, session);
	write_assumptions(layout, session);
}
