/* Manifests and indexes: which images an archive has, and of which layers each is. */
#include <string.h>
#include <sys/utsname.h>

#include "base/limits.h"
#include "fs/image_store.h"

#define INDEX_DEPTH 8

/* ---- platforms ------------------------------------------------------------------------------- */

/* What uname calls a machine, in the words of Go. */
static const char *own_platform(struct ea_arena *arena)
{
	static const char *const words[][2] = {
		{ "x86_64", "amd64" },	  { "aarch64", "arm64" }, { "i686", "386" },
		{ "ppc64le", "ppc64le" }, { "s390x", "s390x" },	  { "riscv64", "riscv64" },
	};
	struct utsname uts;

	if (uname(&uts) == 0)
		for (size_t i = 0; i < EA_ARRAY_SIZE(words); i++)
			if (ea_streq(uts.machine, words[i][0]))
				return ea_arena_printf(arena, "linux/%s", words[i][1]);
	return "linux/amd64";
}

/* HAVE may say more than is wanted (a variant), and nothing at all. */
static bool fits(const char *have, const char *want)
{
	size_t n = strlen(want);

	return !have || (strncmp(have, want, n) == 0 && (have[n] == '\0' || have[n] == '/'));
}

static const char *platform_of(struct ea_images *images, const json_t *entry)
{
	const json_t *platform = json_object_get(entry, "platform");
	const char *os = ea_images_text(images, platform, "os");
	const char *architecture = ea_images_text(images, platform, "architecture");
	const char *variant = ea_images_text(images, platform, "variant");

	if (!os || !architecture)
		return NULL;
	return ea_arena_printf(&images->arena, "%s/%s%s%s", os, architecture, variant ? "/" : "",
			       variant ? variant : "");
}

/* ---- docker save ----------------------------------------------------------------------------- */

/* "blobs/sha256/HEX", or "HEX.json" of the old form: the name is the digest; else NULL. */
static const char *digest_in_name(struct ea_images *images, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	size_t n = strspn(base, "0123456789abcdef");

	if (n != EA_SHA256_TEXT - 1 || (base[n] && !ea_streq(base + n, ".json")) ||
	    (slash && strncmp(name, "blobs/sha256/", 13) != 0))
		return NULL;
	return ea_arena_dup_str(&images->arena, (struct ea_str){ base, n });
}

static int add_docker_image(struct ea_images *images, const json_t *entry, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *config = NULL;
	struct ea_image_parts *parts = ea_arena_new(&images->arena, struct ea_image_parts);
	const json_t *layers = json_object_get(entry, "Layers");
	const json_t *tags = json_object_get(entry, "RepoTags");
	const char *file = ea_images_text(images, entry, "Config");
	const char *tag = json_string_value(json_array_get(tags, 0));
	int r;

	if (!file)
		return ea_err_set(err, EA_E_TARGET, "manifest.json: an image without Config");
	for (size_t i = 0; i < json_array_size(layers); i++) {
		const char *name = json_string_value(json_array_get(layers, i));

		if (!name)
			return ea_err_set(err, EA_E_TARGET, "manifest.json: a layer without name");
		r = ea_images_add_layer(images, parts, name, digest_in_name(images, name), err);
		if (r < 0)
			return r;
	}
	r = ea_images_json(images, file, digest_in_name(images, file), &config, err);
	if (r < 0)
		return r;
	parts->image.name = ea_arena_dup(&images->arena, tag ? tag : file);
	ea_image_take_config(images, parts, config);
	ea_vec_push(&images->list, &images->arena, parts);
	return 0;
}

int ea_images_read_docker(struct ea_images *images, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *manifest = NULL;
	int r = ea_images_json(images, "manifest.json", NULL, &manifest, err);

	if (r < 0)
		return r;
	if (json_array_size(manifest) > EA_LIMIT_IMAGES)
		return ea_err_set(err, EA_E_TARGET, "manifest.json: more than %u images",
				  EA_LIMIT_IMAGES);
	for (size_t i = 0; i < json_array_size(manifest) && r == 0; i++)
		r = add_docker_image(images, json_array_get(manifest, i), err);
	return r;
}

/* ---- OCI ------------------------------------------------------------------------------------- */

static int add_oci_image(struct ea_images *images, const char *digest, const char *name,
			 const json_t *manifest, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *config = NULL;
	struct ea_image_parts *parts = ea_arena_new(&images->arena, struct ea_image_parts);
	const json_t *layers = json_object_get(manifest, "layers");
	const json_t *described = json_object_get(manifest, "config");
	const char *type = ea_images_text(images, described, "mediaType"), *hex;
	const char *file = ea_images_blob_name(
		images, json_string_value(json_object_get(described, "digest")), &hex);
	int r;

	/* Signatures and attestations are manifests, too. */
	if (type && !strstr(type, "image.config") && !strstr(type, "container.image"))
		return 0;
	if (!file)
		return ea_err_set(err, EA_E_TARGET, "%s: its config has no sha256 digest", digest);
	r = ea_images_json(images, file, hex, &config, err);
	for (size_t i = 0; i < json_array_size(layers) && r == 0; i++) {
		const char *layer =
			json_string_value(json_object_get(json_array_get(layers, i), "digest"));

		file = ea_images_blob_name(images, layer, &hex);
		if (!file)
			return ea_err_set(err, EA_E_TARGET, "%s: a layer has no sha256 digest",
					  digest);
		r = ea_images_add_layer(images, parts, file, hex, err);
	}
	if (r < 0)
		return r;
	parts->image.name = name ? name : ea_arena_dup(&images->arena, digest);
	ea_image_take_config(images, parts, config);
	ea_vec_push(&images->list, &images->arena, parts);
	return 0;
}

static const char *name_of(struct ea_images *images, const json_t *entry)
{
	const json_t *notes = json_object_get(entry, "annotations");
	const char *name = ea_images_text(images, notes, "io.containerd.image.name");

	return name ? name : ea_images_text(images, notes, "org.opencontainers.image.ref.name");
}

static int read_index(struct ea_images *images, const json_t *index, const char *name,
		      unsigned depth, struct ea_err *err);

/* What an entry of an index leads to: a manifest, or a further index. */
static int read_entry(struct ea_images *images, const json_t *entry, const char *name,
		      unsigned depth, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *json = NULL;
	const char *digest = json_string_value(json_object_get(entry, "digest")), *hex;
	const char *file = ea_images_blob_name(images, digest, &hex);
	const char *own_name = name_of(images, entry);
	int r;

	if (!file)
		return ea_err_set(err, EA_E_TARGET, "index: an entry has no sha256 digest");
	if (images->list.n >= EA_LIMIT_IMAGES)
		return ea_err_set(err, EA_E_TARGET, "more than %u images", EA_LIMIT_IMAGES);
	r = ea_images_json(images, file, hex, &json, err);
	if (r < 0)
		return r;
	name = own_name ? own_name : name;
	if (json_object_get(json, "manifests"))
		return read_index(images, json, name, depth + 1, err);
	return add_oci_image(images, digest, name, json, err);
}

static bool is_platform_in(struct ea_images *images, const json_t *entries, const char *want)
{
	for (size_t i = 0; i < json_array_size(entries); i++)
		if (fits(platform_of(images, json_array_get(entries, i)), want))
			return true;
	return false;
}

/* Those of the wanted platform; where nobody said which, and none is the host's, all. */
static int read_index(struct ea_images *images, const json_t *index, const char *name,
		      unsigned depth, struct ea_err *err)
{
	const json_t *entries = json_object_get(index, "manifests");
	const char *asked = images->options.platform;
	const char *want = asked ? asked : own_platform(&images->arena);
	bool all = !asked && !is_platform_in(images, entries, want);
	int r = 0;

	if (depth > INDEX_DEPTH)
		return ea_err_set(err, EA_E_TARGET, "indexes nested deeper than %u", INDEX_DEPTH);
	if (json_array_size(entries) > EA_LIMIT_IMAGES)
		return ea_err_set(err, EA_E_TARGET, "an index of more than %u entries",
				  EA_LIMIT_IMAGES);
	for (size_t i = 0; i < json_array_size(entries) && r == 0; i++) {
		const json_t *entry = json_array_get(entries, i);
		const char *have = platform_of(images, entry);

		if (ea_streq(have, "unknown/unknown") || !(all || fits(have, want)))
			continue;
		r = read_entry(images, entry, name, depth, err);
	}
	return r;
}

int ea_images_read_oci(struct ea_images *images, struct ea_err *err)
{
	EA_CLEANUP(ea_json_decref_ptr) json_t *index = NULL;
	const char *asked = images->options.platform;
	int r = ea_images_json(images, "index.json", NULL, &index, err);

	if (r == 0)
		r = read_index(images, index, NULL, 0, err);
	if (r < 0)
		return r;
	if (!images->list.n)
		return ea_err_set(err, EA_E_TARGET, "no image%s%s in its index",
				  asked ? " for " : "", asked ? asked : "");
	return 0;
}
