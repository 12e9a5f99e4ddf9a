/*
 * relocated, rpath-layout and unversioned-dlopen: a library is there, but not where, or not by the
 * name by which, a session looks for it.
 */
#include "base/buf.h"
#include "base/path.h"
#include "rules/absent.h"
#include "rules/checks.h"

static const char *folder_of(struct ea_check *check, const char *path)
{
	return ea_arena_dup_str(&check->world->arena, ea_path_dir(path));
}

/* A path out of $ORIGIN goes up and down again. */
static const char *short_path(struct ea_check *check, const char *path)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	ea_path_normalize(&text, "/", ea_str(path));
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&text));
}

static void add_path_fix(struct ea_check *check, struct ea_finding *finding,
			 const struct ea_copy *copy)
{
	ea_fix_command(check, ea_finding_fix(check, finding, "let the loader look there, too"),
		       "export LD_LIBRARY_PATH=%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}",
		       ea_shell_word(check, folder_of(check, copy->path)));
}

static bool is_searched(struct ea_check *check, const struct ea_request *request,
			const struct ea_copy *copy)
{
	ea_vec_foreach(item, &request->tries)
		if (ea_str_eq(ea_path_dir(short_path(check, item->path)), ea_path_dir(copy->path)))
			return true;
	return false;
}

/* The finding, or NULL where it is there already. */
static struct ea_finding *begin(struct ea_check *check, const struct ea_session *session,
				const struct ea_absent *absent, const char *title)
{
	struct ea_finding *finding;

	if (ea_absent_again(check, session, title))
		return NULL;
	finding = ea_absent_begin(check, session, absent, title);
	ea_finding_evidence(check, finding, absent->copy->path, "is there, but not found");
	return finding;
}

void ea_check_relocated(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		struct ea_absent absent;
		struct ea_finding *finding;
		const char *link;

		if (!ea_absent_find(check, session, &absent))
			continue;
		link = short_path(check, absent.request->requester->path);
		finding = begin(check, session, &absent,
				ea_arena_printf(&check->world->arena,
						"%s: %s is opened through a link, and %s is not "
						"beside the link",
						ea_absent_effect(check, session),
						ea_path_base(link), absent.request->name));
		if (!finding)
			continue;
		ea_finding_evidence(check, finding, link, "leads to %s",
				    absent.request->requester->real);
		ea_fix_command(check,
			       ea_finding_fix(check, finding,
					      "remove the link, so that the file itself is opened"),
			       "rm %s", ea_shell_word(check, link));
		add_path_fix(check, finding, absent.copy);
		ea_session_temper(finding, session);
	}
}

void ea_check_rpath_layout(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		struct ea_absent absent;
		struct ea_finding *finding;

		if (!ea_absent_find(check, session, &absent))
			continue;
		finding = begin(
			check, session, &absent,
			ea_arena_printf(&check->world->arena,
					"%s: %s lies in another tree than the search path of %s "
					"leads to",
					ea_absent_effect(check, session), absent.request->name,
					absent.at->owner ? ea_path_base(absent.at->owner->path)
							 : "its caller"));
		if (!finding)
			continue;
		ea_finding_evidence(check, finding, absent.at->path, "does not exist; %s",
				    ea_how_texts[absent.at->how]);
		add_path_fix(check, finding, absent.copy);
		(void)ea_finding_fix(check, finding,
				     "make the environment again with `python3 -m venv`, which "
				     "links lib64 to lib");
		ea_session_temper(finding, session);
	}
}

void ea_check_unversioned_dlopen(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		struct ea_absent absent;
		struct ea_finding *finding;
		struct ea_fix *fix;

		if (!ea_absent_find(check, session, &absent))
			continue;
		finding = begin(check, session, &absent,
				ea_arena_printf(&check->world->arena,
						"%s: it asks for %s, and only %s is there",
						ea_absent_effect(check, session),
						absent.request->name,
						ea_path_base(absent.copy->path)));
		if (!finding)
			continue;
		fix = ea_finding_fix(check, finding, "give it the name that is asked for");
		ea_fix_command(
			check, fix, "ln -s %s %s",
			ea_shell_word(check, ea_path_base(absent.copy->path)),
			ea_shell_word(check, ea_path_join(&check->world->arena,
							  folder_of(check, absent.copy->path),
							  absent.request->name)));
		if (!is_searched(check, absent.request, absent.copy))
			ea_fix_command(check, fix,
				       "export LD_LIBRARY_PATH=%s${LD_LIBRARY_PATH:+:$LD_"
				       "LIBRARY_PATH}",
				       ea_shell_word(check, folder_of(check, absent.copy->path)));
		ea_session_temper(finding, session);
	}
}
