/* What frameworks say of their own build, in Python files that are read as text. */
#include "base/limits.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/read.h"

static bool is_quote(struct ea_str text)
{
	return ea_str_starts(text, "'") || ea_str_starts(text, "\"");
}

/* A string without escapes, or None: *RET then has no text. False for anything else. */
static bool parse_literal(struct ea_str text, struct ea_str *ret)
{
	size_t end;

	text = ea_str_trim(text);
	if (ea_str_starts(text, "None")) {
		*ret = (struct ea_str){ 0 };
		return true;
	}
	if (!is_quote(text))
		return false;
	end = ea_str_find(ea_str_skip(text, 1), text.ptr[0]);
	*ret = (struct ea_str){ text.ptr + 1, end };
	return end < text.len - 1 && ea_str_find(*ret, '\\') == ret->len;
}

/* NAME = literal, or NAME: annotation = literal. */
static bool assigned(struct ea_str line, const char *name, struct ea_str *ret)
{
	struct ea_str rest = ea_str_skip(line, strlen(name)), between;

	if (!ea_str_starts(line, name))
		return false;
	between = ea_str_trim((struct ea_str){ rest.ptr, ea_str_find(rest, '=') });
	if (between.len && between.ptr[0] != ':')
		return false;
	return parse_literal(ea_str_skip(rest, ea_str_find(rest, '=') + 1), ret);
}

/* 'NAME', literal or 'NAME': literal, inside of a list of pairs or a dictionary. */
static bool paired(struct ea_str line, const char *name, struct ea_str *ret)
{
	struct ea_str word = ea_str(name);

	while (line.len) {
		size_t at = ea_str_find_str(line, word);
		bool quoted = at && at < line.len && is_quote(ea_str_skip(line, at - 1));

		line = ea_str_skip(line, at + word.len);
		if (!quoted || !is_quote(line))
			continue;
		line = ea_str_trim(ea_str_skip(line, 1));
		if (ea_str_starts(line, ",") || ea_str_starts(line, ":"))
			return parse_literal(ea_str_skip(line, 1), ret);
	}
	return false;
}

/* A file below site-packages, how it gives values to names, and the names that are wanted. */
static const struct source {
	const char *framework, *file;
	bool (*parse)(struct ea_str line, const char *name, struct ea_str *ret);
	struct {
		const char *name, *what;
	} values[3];
} sources[] = {
	{ "ctranslate2", "ctranslate2/version.py", assigned, { { "__version__", "version" } } },
	{ "jaxlib", "jaxlib/version.py", assigned, { { "_version", "version" } } },
	{ "onnxruntime",
	  "onnxruntime/capi/build_and_package_info.py",
	  assigned,
	  { { "__version__", "version" },
	    { "cuda_version", "cuda" },
	    { "package_name", "package" } } },
	{ "tensorflow",
	  "tensorflow/python/platform/build_info.py",
	  paired,
	  { { "cuda_version", "cuda" }, { "cudnn_version", "cudnn" } } },
	{ "torch",
	  "torch/version.py",
	  assigned,
	  { { "__version__", "version" }, { "cuda", "cuda" }, { "hip", "hip" } } },
};

/* The first line that gives NAME a value. */
static bool find_value(struct ea_str text, const struct source *source, const char *name,
		       struct ea_str *ret)
{
	struct ea_str line;

	while (ea_str_line(&text, &line))
		if (source->parse(line, name, ret))
			return true;
	return false;
}

static void read_source(const struct ea_root *root, const char *folder, const struct source *source,
			struct ea_inventory *inv)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	char *path = ea_path_join(inv->arena, folder, source->file);
	struct ea_str value;

	if (!ea_inventory_text(inv, root, path, EA_LIMIT_TEXT, &text))
		return;
	for (size_t i = 0; i < EA_ARRAY_SIZE(source->values) && source->values[i].name; i++) {
		struct ea_claim *claim;

		if (!find_value(ea_buf_str(&text), source, source->values[i].name, &value))
			continue;
		claim = ea_vec_add(&inv->claims, inv->arena);
		claim->framework = source->framework;
		claim->what = source->values[i].what;
		claim->value = value.ptr ? ea_arena_dup_str(inv->arena, value) : NULL;
		claim->path = path;
	}
}

int ea_claims_read(const struct ea_root *root, const char *folder, struct ea_inventory *inv)
{
	uint32_t before = inv->claims.n;

	for (size_t i = 0; i < EA_ARRAY_SIZE(sources); i++)
		read_source(root, folder, &sources[i], inv);
	return inv->claims.n == before;
}
