/* Whether a file is a valid matrix. */
#include "matrix/check.h"

#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "matrix/check_tables.h"
#include "matrix/frameworks.h"
#include "matrix/libraries.h"
#include "matrix/rules.h"
#include "matrix/symptoms.h"

static int check_libraries(const char *file, struct ea_err *err)
{
	struct ea_libraries *libraries = NULL;
	int rc = ea_libraries_load(file, &libraries, err);

	ea_libraries_free(libraries);
	return rc;
}

static int check_symptoms(const char *file, struct ea_err *err)
{
	struct ea_symptoms *symptoms = NULL;
	int rc = ea_symptoms_load(file, &symptoms, err);

	ea_symptoms_free(symptoms);
	return rc;
}

static int check_rules(const char *dir, struct ea_err *err)
{
	struct ea_rules *rules = NULL;
	int rc = ea_rules_load(dir, &rules, err);

	ea_rules_free(rules);
	return rc;
}

static int check_frameworks(const char *dir, struct ea_err *err)
{
	struct ea_frameworks *frameworks = NULL;
	int rc = ea_frameworks_load(dir, &frameworks, err);

	ea_frameworks_free(frameworks);
	return rc;
}

/* NAME is the last component of DIR. */
static bool is_called(struct ea_str dir, const char *name)
{
	size_t n = strlen(name);

	return ea_str_ends(dir, name) && (dir.len == n || dir.ptr[dir.len - n - 1] == '/');
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static int check_folder(const char *dir, struct ea_err *err)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const char *libraries = ea_path_join(&arena, dir, "libraries.cfg");
	const char *frameworks = ea_path_join(&arena, dir, "frameworks");
	const char *rules = ea_path_join(&arena, dir, "rules");
	const char *symptoms = ea_path_join(&arena, dir, "symptoms.cfg");
	int rc = 0;

	if (is_called(ea_str(dir), "frameworks"))
		return check_frameworks(dir, err);
	if (!exists(libraries) && !exists(rules) && !exists(frameworks) && !exists(symptoms) &&
	    !ea_facts_has(dir))
		return check_rules(dir, err);
	if (exists(libraries))
		rc = check_libraries(libraries, err);
	if (!rc)
		rc = ea_facts_check(dir, err);
	if (!rc && exists(symptoms))
		rc = check_symptoms(symptoms, err);
	if (!rc && exists(rules))
		rc = check_rules(rules, err);
	if (!rc && exists(frameworks))
		rc = check_frameworks(frameworks, err);
	return rc;
}

int ea_matrix_check(const char *file, struct ea_err *err)
{
	int rc;

	if (is_dir(file))
		return check_folder(file, err);
	if (ea_streq(ea_path_base(file), "libraries.cfg"))
		return check_libraries(file, err);
	if (ea_streq(ea_path_base(file), "symptoms.cfg"))
		return check_symptoms(file, err);
	if (is_called(ea_path_dir(file), "frameworks"))
		return ea_frameworks_check(file, err);
	rc = ea_facts_check_file(file, err);
	return rc == 1 ? ea_rules_check(file, err) : rc;
}
