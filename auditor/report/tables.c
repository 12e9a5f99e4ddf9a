/* The inventory as tables for a terminal. */
#include "report/tables.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/path.h"
#include "report/copies.h"

enum { COL_NAME, COL_VERSION, COL_FROM, COL_OWNER, N_CELLS };

static const char *const headings[N_CELLS] = { "NAME", "VERSION", "FROM", "OWNER" };

#define WIDEST 48 /* a longer cell pushes the rest of its own row aside, not that of all rows */

struct row {
	const char *cell[N_CELLS];
	const char *path;
	const struct ea_elf *elf;
};

struct table {
	struct ea_arena *arena;
	const struct ea_copies *copies;
	EA_VEC(struct row) rows;
};

static size_t cell_width(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf escaped = { 0 };

	ea_escape_text(&escaped, ea_str(text));
	return ea_escape_width(ea_buf_str(&escaped));
}

static const char *owner_text(struct ea_arena *arena, const struct ea_component *owner)
{
	return ea_arena_printf(arena, "%s%s%s (%s)", owner->name, owner->version ? " " : "",
			       owner->version ? owner->version : "",
			       ea_manager_words[owner->manager]);
}

static const char *owners_text(struct table *table, const struct ea_elf *elf)
{
	struct ea_owners owners = ea_copies_owners(table->copies, elf, table->arena);
	const char *text = NULL;

	ea_vec_foreach(owner, &owners.list) {
		const char *one = owner_text(table->arena, *owner);

		text = text ? ea_arena_printf(table->arena, "%s + %s", text, one) : one;
	}
	return text ? text : "-";
}

static void add_row(struct table *table, const struct ea_elf *elf)
{
	const struct ea_copy *copy = ea_copies_main(table->copies, elf);
	const char *name;

	if (!copy)
		return;
	name = elf->soname ? elf->soname : ea_path_base(copy->path);
	ea_vec_push(
		&table->rows, table->arena,
		((struct row){
			.cell[COL_NAME] = elf->family ? elf->family->name : name,
			.cell[COL_VERSION] = elf->exact_version ? elf->exact_version : "unknown",
			.cell[COL_FROM] = elf->exact_version
						  ? ea_version_source_words[elf->version_source]
						  : "-",
			.cell[COL_OWNER] = owners_text(table, elf),
			.path = copy->path,
			.elf = elf,
		}));
}

static int by_name_and_path(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->cell[COL_NAME], y->cell[COL_NAME]);

	return order ? order : strcmp(x->path, y->path);
}

/* Other paths of the row's file: those in another folder, with ALL also those beside it. */
static void write_names(const struct ea_layout *layout, const struct table *table,
			const struct row *row, bool all)
{
	struct ea_str dir = ea_path_dir(row->path);

	for (uint32_t i = 0; i < ea_copies_count(table->copies, row->elf); i++) {
		const char *path = ea_copies_at(table->copies, row->elf, i)->path;
		bool beside = ea_str_eq(ea_path_dir(path), dir);

		if (ea_streq(path, row->path) || (beside && !all))
			continue;
		ea_layout_pad(layout, 4);
		ea_layout_text(layout, EA_STYLE_DIM, "also ");
		ea_layout_text(layout, EA_STYLE_PLAIN, beside ? ea_path_base(path) : path);
		ea_out_text(layout->out, "\n");
	}
}

/* Two blanks at least between CELL and the next column. */
static void write_gap(const struct ea_layout *layout, const char *cell, size_t width)
{
	size_t used = cell_width(cell);

	ea_layout_pad(layout, (used < width ? width - used : 0) + 2);
}

static void write_cells(const struct ea_layout *layout, const char *const *cells,
			const size_t *widths, enum ea_style style)
{
	for (size_t i = 0; i < N_CELLS; i++) {
		ea_layout_text(layout, style, cells[i]);
		if (i < N_CELLS - 1)
			write_gap(layout, cells[i], widths[i]);
	}
}

/* The path stands at the end of the line, or on a line of its own where it does not fit. */
static void write_row(const struct ea_layout *layout, const struct ea_report_options *options,
		      const struct row *row, const size_t *widths)
{
	size_t columns = cell_width(row->path);

	for (size_t i = 0; i < N_CELLS; i++)
		columns += widths[i] + 2;
	write_cells(layout, row->cell, widths, EA_STYLE_PLAIN);
	if (options->wide || columns <= layout->width) {
		write_gap(layout, row->cell[COL_OWNER], widths[COL_OWNER]);
	} else {
		ea_out_text(layout->out, "\n");
		ea_layout_pad(layout, 4);
	}
	ea_layout_text(layout, EA_STYLE_PLAIN, row->path);
	ea_out_text(layout->out, "\n");
}

static void write_table(const struct ea_layout *layout, const struct ea_report_options *options,
			struct table *table, const char *title)
{
	size_t widths[N_CELLS];

	if (!table->rows.n)
		return;
	qsort(table->rows.items, table->rows.n, sizeof(table->rows.items[0]), by_name_and_path);
	for (size_t i = 0; i < N_CELLS; i++)
		widths[i] = cell_width(headings[i]);
	ea_vec_foreach(row, &table->rows) {
		for (size_t i = 0; i < N_CELLS; i++) {
			size_t width = cell_width(row->cell[i]);

			widths[i] = width > widths[i] && width <= WIDEST ? width : widths[i];
		}
	}
	ea_out_text(layout->out, "\n");
	ea_layout_text(layout, EA_STYLE_STRONG, title);
	ea_out_text(layout->out, "\n");
	write_cells(layout, headings, widths, EA_STYLE_DIM);
	ea_out_text(layout->out, "\n");
	ea_vec_foreach(row, &table->rows) {
		write_row(layout, options, row, widths);
		write_names(layout, table, row, options->verbosity > 0);
	}
}

/* What a family's line of duplicates is called: files of one set are installed together. */
static const char *duplicate_name(const struct ea_family *family)
{
	return family->set ? family->set : family->name;
}

/* "9.1.0 of nvidia-cudnn-cu12 9.1.0.70 (pip)" */
static const char *duplicate_text(struct table *table, const struct ea_elf *elf)
{
	const char *version = elf->exact_version ? elf->exact_version : "unknown version";
	const char *owners = owners_text(table, elf);

	return ea_arena_printf(table->arena, "%s of %s", version,
			       ea_streq(owners, "-") ? "no package" : owners);
}

struct texts {
	EA_VEC(const char *) list;
};

static void add_once(struct texts *texts, const char *text, struct ea_arena *arena)
{
	ea_vec_foreach(old, &texts->list)
		if (ea_streq(*old, text))
			return;
	ea_vec_push(&texts->list, arena, text);
}

static void write_duplicate(const struct ea_layout *layout, const struct ea_world *world,
			    struct table *table, const char *name)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf line = { 0 };
	struct texts texts = { 0 };

	ea_vec_foreach(duplicate, &world->duplicates)
		if (ea_streq(duplicate_name(duplicate->family), name))
			ea_vec_foreach(elf, &duplicate->elfs)
				add_once(&texts, duplicate_text(table, *elf), table->arena);
	ea_vec_foreach(text, &texts.list)
		ea_buf_printf(&line, "%s%s", line.len ? ", " : "", *text);
	ea_layout_wrap(layout, 0, 4, EA_STYLE_PLAIN, ea_arena_printf(table->arena, "%s:", name),
		       ea_buf_text(&line));
}

/* One line a set: its versions, and whose they are; the tables have the paths. */
static void write_duplicates(const struct ea_layout *layout, const struct ea_world *world,
			     struct table *table)
{
	struct texts names = { 0 };

	ea_vec_foreach(duplicate, &world->duplicates)
		add_once(&names, duplicate_name(duplicate->family), table->arena);
	if (!names.list.n)
		return;
	ea_out_text(layout->out, "\n");
	ea_layout_text(layout, EA_STYLE_STRONG, "Installed more than once");
	ea_out_text(layout->out, "\n");
	ea_vec_foreach(name, &names.list)
		write_duplicate(layout, world, table, *name);
}

enum group { GPU, FRAMEWORK, OTHER, N_GROUPS };

static const char *const group_titles[N_GROUPS] = {
	"GPU libraries",
	"Frameworks",
	"Other libraries and programs",
};

static enum group group_of(const struct ea_elf *elf)
{
	return !elf->family ? OTHER : elf->family->framework ? FRAMEWORK : GPU;
}

void ea_tables_libraries(const struct ea_layout *layout, const struct ea_report_options *options,
			 const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct ea_copies copies;
	struct table tables[N_GROUPS];

	ea_copies_index(&copies, world, &arena);
	for (size_t i = 0; i < N_GROUPS; i++)
		tables[i] = (struct table){ .arena = &arena, .copies = &copies };
	ea_vec_foreach(elf, &world->elfs)
		if (group_of(*elf) != OTHER || options->verbosity > 0)
			add_row(&tables[group_of(*elf)], *elf);
	for (size_t i = 0; i < N_GROUPS; i++)
		write_table(layout, options, &tables[i], group_titles[i]);
	write_duplicates(layout, world, &tables[GPU]);
}

void ea_tables_packages(const struct ea_layout *layout, const struct ea_world *world)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };

	if (!world->components.n)
		return;
	ea_out_text(layout->out, "\n");
	ea_layout_text(layout, EA_STYLE_STRONG, "Packages");
	ea_out_text(layout->out, "\n");
	ea_vec_foreach(component, &world->components) {
		ea_layout_text(layout, EA_STYLE_PLAIN, owner_text(&arena, *component));
		if ((*component)->build) {
			ea_out_text(layout->out, " ");
			ea_layout_text(layout, EA_STYLE_DIM, (*component)->build);
		}
		ea_out_text(layout->out, "\n");
	}
}
