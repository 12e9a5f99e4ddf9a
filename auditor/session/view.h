/* A view on a provider: answers as it does, but for what is put in its place. */
#pragma once

#include "model/provider.h"

struct ea_view {
	struct ea_provider provider; /* ctx is the view itself */
	const struct ea_provider *base;
};

/* All questions go to BASE; the caller then replaces functions that answer otherwise. */
void ea_view_init(struct ea_view *view, const struct ea_provider *base);
