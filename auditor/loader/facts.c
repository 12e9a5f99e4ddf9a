/*
 * What is built into a loader: folders, $LIB and version stand in it as plain strings. glibc keeps
 * the default folders as one run of NUL-terminated strings, each with a slash at both ends.
 */
#include "loader/facts.h"

#include "base/limits.h"
#include "base/path.h"

/* The NUL-terminated string at OFF; its end is the end of the file at the latest. */
static struct ea_str string_at(struct ea_str file, size_t off)
{
	struct ea_str rest = ea_str_skip(file, off);

	return (struct ea_str){ rest.ptr, ea_str_find(rest, '\0') };
}

/* TEXT stands in FILE as a whole string. */
static bool has_string(struct ea_str file, struct ea_str text)
{
	size_t off = 0;

	while (off < file.len) {
		struct ea_str rest = ea_str_skip(file, off);
		size_t at = ea_str_find_str(rest, text);

		if (at == rest.len)
			return false;
		off += at;
		if ((off == 0 || file.ptr[off - 1] == '\0') && string_at(file, off).len == text.len)
			return true;
		off++;
	}
	return false;
}

static bool is_folder(struct ea_str text)
{
	return text.len > 2 && text.len < EA_LIMIT_PATH && text.ptr[0] == '/' &&
	       ea_str_ends(text, "/");
}

static void find_system_dirs(struct ea_str file, struct ea_arena *arena,
			     struct ea_loader_facts *facts)
{
	static const struct ea_str lib = { "lib", 3 };

	for (size_t off = 0; off < file.len;) {
		struct ea_str text = string_at(file, off);

		if (is_folder(text) && ea_str_find_str(text, lib) < text.len) {
			for (; is_folder(text); text = string_at(file, off)) {
				ea_vec_push(&facts->system_dirs, arena,
					    ea_arena_dup_str(arena, text));
				off += text.len + 1;
			}
			return;
		}
		off += text.len + 1;
	}
}

/* $LIB is the library folder that the loader was built for, without what comes before "lib". */
static void find_lib(struct ea_str file, struct ea_arena *arena, struct ea_loader_facts *facts)
{
	struct ea_str dir, candidates[2];

	if (facts->system_dirs.n == 0)
		return;
	dir = ea_str(facts->system_dirs.items[0]);
	dir.len--;
	candidates[0] = ea_str_skip(dir, 1);
	candidates[1] = candidates[0];
	while (ea_str_find(candidates[1], '/') < candidates[1].len)
		candidates[1] = ea_str_skip(candidates[1], ea_str_find(candidates[1], '/') + 1);
	for (size_t i = 0; i < 2 && !facts->lib; i++)
		if (has_string(file, candidates[i]))
			facts->lib = ea_arena_dup_str(arena, candidates[i]);
}

static bool is_version_char(char c)
{
	return (c >= '0' && c <= '9') || c == '.';
}

/* The dotted number at the start of TEXT, without a final dot. */
static struct ea_str leading_version(struct ea_str text)
{
	size_t len = 0;

	while (len < text.len && is_version_char(text.ptr[len]))
		len++;
	while (len > 0 && text.ptr[len - 1] == '.')
		len--;
	return (struct ea_str){ text.ptr, len };
}

/* "stable release version 2.36." of glibc. */
static const char *find_release(struct ea_str file, struct ea_arena *arena)
{
	static const struct ea_str words = { "release version 2.", 18 };
	size_t at = ea_str_find_str(file, words);

	if (at == file.len)
		return NULL;
	return ea_arena_dup_str(arena, leading_version(ea_str_skip(file, at + 16)));
}

/* "ld-2.31.so": how the loader's file was named up to 2.33. */
static const char *version_of_name(const char *real, struct ea_arena *arena)
{
	struct ea_str name = ea_str(ea_path_base(real));

	if (!ea_str_starts(name, "ld-2.") || !ea_str_ends(name, ".so"))
		return NULL;
	return ea_arena_dup_str(arena, leading_version(ea_str_skip(name, 3)));
}

/* A whole string like "1.2.3": how musl knows its version. */
static const char *find_musl_version(struct ea_str file, struct ea_arena *arena)
{
	for (size_t off = 0; off < file.len;) {
		struct ea_str text = string_at(file, off), version;
		size_t dots = 0;

		off += text.len + 1;
		version = leading_version(text);
		for (size_t i = 0; i < version.len; i++)
			dots += version.ptr[i] == '.';
		if (dots == 2 && version.len >= 5 && version.ptr[0] != '.' &&
		    (version.len == text.len || text.ptr[version.len] == '-'))
			return ea_arena_dup_str(arena, version);
	}
	return NULL;
}

static const char *version_of_libc(const struct ea_provider *provider, struct ea_arena *arena,
				   const struct ea_loader_facts *facts)
{
	ea_vec_foreach(dir, &facts->system_dirs) {
		const char *path = ea_arena_printf(arena, "%slibc.so.6", *dir);
		struct ea_str file;

		if (provider->read(provider->ctx, path, EA_LIMIT_LD_CACHE, &file) == 0)
			return find_release(file, arena);
	}
	return NULL;
}

int ea_loader_facts_read(const struct ea_provider *provider, const char *path,
			 struct ea_arena *arena, struct ea_loader_facts *ret)
{
	struct ea_loader_facts facts = { 0 };
	struct ea_opened opened;
	struct ea_str file;
	int error = provider->read(provider->ctx, path, EA_LIMIT_LD_CACHE, &file);

	if (error != 0)
		return error;
	facts.musl = ea_str_starts(ea_str(ea_path_base(path)), "ld-musl-");
	if (facts.musl) {
		facts.version = find_musl_version(file, arena);
		*ret = facts;
		return 0;
	}
	find_system_dirs(file, arena, &facts);
	find_lib(file, arena, &facts);
	facts.version = find_release(file, arena);
	if (!facts.version && provider->open(provider->ctx, path, &opened) == 0 && opened.real)
		facts.version = version_of_name(opened.real, arena);
	if (!facts.version)
		facts.version = version_of_libc(provider, arena, &facts);
	*ret = facts;
	return 0;
}
