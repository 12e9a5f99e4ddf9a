/* Writes cases in the form in which they are read. */
#include <dlfcn.h>
#include <elf.h>

#include "case.h"
#include "words.h"

const struct word_bit flag_words[] = {
	{ "origin", DF_ORIGIN },
	{ "symbolic", DF_SYMBOLIC },
	{ "now", DF_BIND_NOW },
	{ NULL, 0 },
};

const struct word_bit flag_1_words[] = {
	{ "now1", DF_1_NOW },
	{ "nodelete", DF_1_NODELETE },
	{ "initfirst", DF_1_INITFIRST },
	{ "noopen", DF_1_NOOPEN },
	{ "nodeflib", DF_1_NODEFLIB },
	{ "pie", DF_1_PIE },
	{ NULL, 0 },
};

const struct word_bit open_words[] = {
	{ "lazy", RTLD_LAZY },
	{ "now", RTLD_NOW },
	{ "global", RTLD_GLOBAL },
	{ "noload", RTLD_NOLOAD },
	{ "nodelete", RTLD_NODELETE },
	{ "deepbind", RTLD_DEEPBIND },
	{ "none", 0 },
	{ NULL, 0 },
};

const char *const item_words[] = {
	[ITEM_ELF] = "elf",	      [ITEM_TEXT] = "text",
	[ITEM_LINK] = "link",	      [ITEM_HARD] = "hard",
	[ITEM_COPY] = "copy",	      [ITEM_DIR] = "dir",
	[ITEM_MODE] = "mode",	      [ITEM_CACHE] = "cache",
	[ITEM_LDCONFIG] = "ldconfig", NULL,
};

static void add_quoted(struct ea_buf *out, const char *text)
{
	ea_buf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			ea_buf_printf(out, "\\%c", *text);
		else if (*text < ' ' || *text == 0x7f)
			ea_buf_printf(out, "\\x%02x", (unsigned char)*text);
		else
			ea_buf_add_char(out, *text);
	}
	ea_buf_add_char(out, '"');
}

static void add_text(struct ea_buf *out, const char *key, const char *text)
{
	if (!text)
		return;
	ea_buf_printf(out, " %s=", key);
	add_quoted(out, text);
}

static void add_number(struct ea_buf *out, const char *key, unsigned long value)
{
	if (value)
		ea_buf_printf(out, " %s=%lu", key, value);
}

static void add_word(struct ea_buf *out, const char *word, bool has)
{
	if (has)
		ea_buf_printf(out, " %s", word);
}

static void add_bits(struct ea_buf *out, const struct word_bit *words, uint64_t bits,
		     const char **separator)
{
	for (; words->word; words++) {
		if ((words->bit & bits) == 0)
			continue;
		ea_buf_printf(out, "%s%s", *separator, words->word);
		*separator = ",";
	}
}

static void add_symbol(struct ea_buf *out, const char *key, const struct elf_symbol *symbol,
		       bool defined)
{
	ea_buf_printf(out, " %s=%s", key, symbol->name);
	if (symbol->version)
		ea_buf_printf(out, "%s%s", defined && !symbol->hidden_version ? "@@" : "@",
			      symbol->version);
	if (symbol->version && symbol->file)
		ea_buf_printf(out, "@%s", symbol->file);
	ea_buf_add_text(out, symbol->weak ? ":w" : "");
	ea_buf_add_text(out, symbol->unique ? ":u" : "");
	ea_buf_add_text(out, symbol->invisible ? ":h" : "");
	ea_buf_add_text(out, symbol->data ? ":d" : "");
	ea_buf_add_text(out, symbol->zero ? ":z" : "");
}

static void add_kernel(struct ea_buf *out, uint32_t kernel)
{
	if (kernel)
		ea_buf_printf(out, " kernel=%u.%u.%u", kernel >> 16, kernel >> 8 & 0xff,
			      kernel & 0xff);
}

static void print_elf(const struct elf_spec *elf, struct ea_buf *out)
{
	const char *separator = " flags=";

	add_text(out, "soname", elf->soname);
	ea_vec_foreach(name, &elf->needed)
		add_text(out, "needed", *name);
	ea_vec_foreach(name, &elf->filter)
		add_text(out, "filter", *name);
	ea_vec_foreach(name, &elf->auxiliary)
		add_text(out, "aux", *name);
	add_text(out, "rpath", elf->rpath);
	add_text(out, "runpath", elf->runpath);
	add_bits(out, flag_words, elf->flags, &separator);
	add_bits(out, flag_1_words, elf->flags_1, &separator);
	ea_vec_foreach(name, &elf->versions)
		ea_buf_printf(out, " versions=%s", *name);
	ea_vec_foreach(symbol, &elf->defs)
		add_symbol(out, "def", symbol, true);
	ea_vec_foreach(symbol, &elf->undefs)
		add_symbol(out, "undef", symbol, false);
	ea_vec_foreach(need, &elf->needs)
		ea_buf_printf(out, " needs=%s:%s%s", need->file, need->version,
			      need->weak ? "~" : "");
	ea_vec_foreach(poke, &elf->pokes)
		ea_buf_printf(out, " poke=%u:%u", poke->offset, poke->value);
	if (elf->stack != ELF_STACK_PLAIN)
		ea_buf_printf(out, " stack=%s", elf->stack == ELF_STACK_EXEC ? "exec" : "none");
	add_kernel(out, elf->kernel);
	add_number(out, "isa", elf->isa);
	add_number(out, "cut", elf->cut);
	add_number(out, "pad", elf->pad);
	add_number(out, "align", elf->align);
	add_number(out, "skew", elf->skew);
	add_number(out, "type", elf->type);
	add_number(out, "machine", elf->machine);
	add_word(out, "class32", elf->class32);
	add_word(out, "sysv", elf->sysv_hash);
	add_word(out, "relr", elf->relr);
	add_word(out, "nodynamic", elf->no_dynamic);
	add_word(out, "noload", elf->no_load);
}

static void print_item(const struct item *item, struct ea_buf *out)
{
	ea_buf_printf(out, "%s ", item_words[item->kind]);
	add_quoted(out, item->path);
	if (item->kind == ITEM_ELF)
		print_elf(&item->elf, out);
	if (item->kind == ITEM_LDCONFIG) {
		ea_buf_printf(out, " %s", item->text);
	} else if (item->text) {
		ea_buf_add_char(out, ' ');
		add_quoted(out, item->text);
	}
	if (item->kind == ITEM_CACHE) {
		add_text(out, "folder", item->folder);
		if (item->hwcap)
			ea_buf_printf(out, " hwcap=0x%llx", (unsigned long long)item->hwcap);
		if (item->flags)
			ea_buf_printf(out, " flags=0x%x", (unsigned)item->flags);
		add_kernel(out, item->osversion);
	}
	ea_buf_add_char(out, '\n');
}

static void print_opening(const struct opening *opening, struct ea_buf *out)
{
	const char *separator = " flags=";

	ea_buf_add_text(out, "open ");
	add_quoted(out, opening->name);
	if (opening->flags == 0)
		ea_buf_add_text(out, " flags=none");
	else
		add_bits(out, open_words, (uint64_t)opening->flags, &separator);
	if (opening->from)
		ea_buf_printf(out, " from=%s", opening->from);
	ea_buf_add_char(out, '\n');
}

void case_print(const struct test_case *test, struct ea_buf *out)
{
	ea_buf_printf(out, "case %s\n", test->name);
	if (test->oldest || test->newest)
		ea_buf_printf(out, "glibc %u-%u\n", test->oldest, test->newest);
	if (test->musl)
		ea_buf_add_text(out, "musl\n");
	ea_vec_foreach(item, &test->items)
		print_item(item, out);
	ea_vec_foreach(poke, &test->spoilt)
		ea_buf_printf(out, "spoil %u:%u\n", poke->offset, poke->value);
	if (test->cache_form)
		ea_buf_printf(out, "form %s\n", test->cache_form);
	ea_vec_foreach(variable, &test->env) {
		ea_buf_printf(out, "env %s=", variable->name);
		add_quoted(out, variable->value);
		ea_buf_add_char(out, '\n');
	}
	if (test->cwd)
		ea_buf_printf(out, "cwd %s\n", test->cwd);
	ea_buf_add_text(out, "program");
	print_elf(&test->program, out);
	ea_buf_add_char(out, '\n');
	ea_vec_foreach(opening, &test->openings)
		print_opening(opening, out);
}
