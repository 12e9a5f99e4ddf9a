/* Questions to the tables of releases, of what wheels ask for, of known faults and of conda. */
#include "matrix/compat.h"

#include "base/pattern.h"
#include "base/range.h"

/* VERSION ("2.4.1+cu121" too) is no row's: unknown, or newer than all. */
static int unknown_or_newer(const char *version, const char *newest, const void *row,
			    const void **ret)
{
	if (!newest || ea_version_cmp_text(version, newest) <= 0)
		return EA_MATRIX_UNKNOWN;
	*ret = row;
	return EA_MATRIX_NEWER;
}

/* Whether VERSION is one of the releases of a row: that one and what is written longer. */
static bool is_release(const struct ea_release *release, const char *version)
{
	if (ea_range_has(release->version, version))
		return true;
	return release->until && ea_version_cmp_text(version, release->version) > 0 &&
	       (ea_version_cmp_text(version, release->until) < 0 ||
		ea_range_has(release->until, version));
}

/* Of several builds that on the package index; then the very release before a row for several. */
static int rank(const struct ea_release *release, const char *version)
{
	return 2 * release->on_index + (ea_version_cmp_text(release->version, version) == 0);
}

static const char *last_of(const struct ea_release *release)
{
	return release->until ? release->until : release->version;
}

int ea_compat_release(struct ea_matrix *matrix, const char *package, const char *version,
		      const char *build, const struct ea_release **ret, struct ea_err *err)
{
	const struct ea_release *newest = NULL, *found = NULL;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_RELEASES, package, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_release *release = (const void *)*row;

		if (!newest || ea_version_cmp_text(last_of(release), last_of(newest)) > 0)
			newest = release;
		if (build && !ea_streq(release->build, build))
			continue;
		if (!is_release(release, version))
			continue;
		if (!found || rank(release, version) > rank(found, version))
			found = release;
	}
	if (found) {
		*ret = found;
		return 0;
	}
	return unknown_or_newer(version, newest ? last_of(newest) : NULL, newest,
				(const void **)ret);
}

int ea_compat_pins(struct ea_matrix *matrix, const char *package, const char *version,
		   const struct ea_pins **ret, struct ea_err *err)
{
	const struct ea_pins *newest = NULL;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_PINS, package, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_pins *pins = (const void *)*row;

		if (ea_version_cmp_text(pins->version, version) == 0) {
			*ret = pins;
			return 0;
		}
		if (!newest || ea_version_cmp_text(pins->version, newest->version) > 0)
			newest = pins;
	}
	return unknown_or_newer(version, newest ? newest->version : NULL, newest,
				(const void **)ret);
}

const char *ea_compat_need(const struct ea_pins *pins, const char *package)
{
	size_t n = strlen(package);

	ea_vec_foreach(need, &pins->needs) {
		const char *text = *need;
		const char *extra_end = text[0] == '[' ? strstr(text, "] ") : NULL;

		if (extra_end)
			text = extra_end + 2;
		if (strncmp(text, package, n) != 0)
			continue;
		text += n;
		if (*text == '[' && strchr(text, ']'))
			text = strchr(text, ']') + 1;
		if (*text == '\0')
			return "*";
		if (strchr("<>=!~", *text))
			return text;
	}
	return NULL;
}

int ea_compat_partner(struct ea_matrix *matrix, const char *partner, const char *package,
		      const char *version, const struct ea_pins **ret, struct ea_err *err)
{
	const struct ea_pins *best = NULL;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_PINS, partner, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_pins *pins = (const void *)*row;
		const char *range = ea_compat_need(pins, package);

		if (range && ea_range_has(range, version) &&
		    (!best || ea_version_cmp_text(pins->version, best->version) > 0))
			best = pins;
	}
	if (!best)
		return EA_MATRIX_UNKNOWN;
	*ret = best;
	return 0;
}

/* ---- faults -------------------------------------------------------------------------------- */

/* A row without a partner holds for any; one without a GPU likewise. */
static bool is_bad(const struct ea_known_bad *bad, const char *what, const char *version,
		   const char *with, const char *with_version, const char *sm)
{
	if (!ea_streq(bad->what, what) || !ea_range_has(bad->version, version))
		return false;
	if (!ea_streq(bad->with, with))
		return false;
	if (bad->with_version && (!with_version || !ea_range_has(bad->with_version, with_version)))
		return false;
	return !bad->sm || (sm && ea_range_has(bad->sm, sm));
}

int ea_compat_known_bad(struct ea_matrix *matrix, const char *what, const char *version,
			const char *with, const char *with_version, const char *sm,
			const struct ea_known_bad **ret, struct ea_err *err)
{
	const struct ea_known_bad *last = *ret;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_KNOWN_BAD, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_known_bad *bad = (const void *)*row;

		if (last) {
			if (bad == last)
				last = NULL;
		} else if (is_bad(bad, what, version, with, with_version, sm)) {
			*ret = bad;
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}

/* ---- conda --------------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
	struct ea_str rest = ea_str(words), one;

	while (ea_str_token(&rest, ' ', &one))
		if (ea_str_is(one, word))
			return true;
	return false;
}

/* "118" is 11.8, "12.4" stays. */
static const char *cuda_of(struct ea_str digits, struct ea_arena *arena)
{
	if (ea_str_find(digits, '.') < digits.len || digits.len < 2)
		return ea_arena_dup_str(arena, digits);
	return ea_arena_printf(arena, "%.*s.%c", (int)digits.len - 1, digits.ptr,
			       digits.ptr[digits.len - 1]);
}

static void read_match(const struct ea_conda_build *row, const struct ea_match *match,
		       struct ea_arena *arena, struct ea_conda_answer *ret)
{
	*ret = (struct ea_conda_answer){ .row = row, .cpu = has_word(row->gives, "cpu") };
	if (has_word(row->gives, "cuda") && match->group[1].ptr)
		ret->cuda = cuda_of(match->group[1], arena);
	if (has_word(row->gives, "cudnn") && match->group[2].ptr)
		ret->cudnn = ea_arena_dup_str(arena, match->group[2]);
}

int ea_compat_conda_build(struct ea_matrix *matrix, const char *package, const char *build,
			  struct ea_arena *arena, struct ea_conda_answer *ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_CONDA_BUILDS, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_conda_build *one = (const void *)*row;
		struct ea_pattern *pattern;
		struct ea_match match;
		bool fits;

		if (!has_word(one->packages, package))
			continue;
		rc = ea_pattern_new(one->pattern, false, &pattern, err);
		if (rc)
			return ea_err_context(err, "%s", one->row.where);
		fits = ea_pattern_match(pattern, ea_str(build), &match);
		ea_pattern_free(pattern);
		if (fits) {
			read_match(one, &match, arena, ret);
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}

int ea_compat_conda_range(struct ea_matrix *matrix, const char *package, const char *version,
			  const struct ea_conda_range **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_CONDA_RANGES, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_conda_range *one = (const void *)*row;

		if (ea_streq(one->package, package) && ea_streq(one->version, version)) {
			*ret = one;
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}
