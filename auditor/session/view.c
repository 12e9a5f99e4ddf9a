/* A view on a provider. */
#include "session/view.h"

static int view_open(void *ctx, const char *path, struct ea_opened *ret)
{
	const struct ea_view *view = ctx;

	return view->base->open(view->base->ctx, path, ret);
}

static int view_dir(void *ctx, const char *path)
{
	const struct ea_view *view = ctx;

	return view->base->dir(view->base->ctx, path);
}

static int view_read(void *ctx, const char *path, size_t limit, struct ea_str *ret)
{
	const struct ea_view *view = ctx;

	return view->base->read(view->base->ctx, path, limit, ret);
}

static int view_list(void *ctx, const char *path, struct ea_names *ret)
{
	const struct ea_view *view = ctx;

	return view->base->list(view->base->ctx, path, ret);
}

static const char *view_version(void *ctx, const struct ea_elf *elf)
{
	const struct ea_view *view = ctx;

	return view->base->version(view->base->ctx, elf);
}

static uint32_t view_lookup(void *ctx, const struct ea_elf *elf, const char *name,
			    uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max)
{
	const struct ea_view *view = ctx;

	return view->base->lookup(view->base->ctx, elf, name, gnu_hash, ret, max);
}

static uint32_t view_undefined(void *ctx, const struct ea_elf *elf, const struct ea_undefined **ret)
{
	const struct ea_view *view = ctx;

	return view->base->undefined(view->base->ctx, elf, ret);
}

void ea_view_init(struct ea_view *view, const struct ea_provider *base)
{
	view->base = base;
	view->provider = (struct ea_provider){
		.ctx = view,
		.open = view_open,
		.dir = view_dir,
		.read = view_read,
		.list = base->list ? view_list : NULL,
		.version = base->version ? view_version : NULL,
		.lookup = view_lookup,
		.undefined = view_undefined,
	};
}
