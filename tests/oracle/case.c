/* Reads cases. */
#include "case.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

#include "base/attr.h"

struct parser {
	struct ea_arena *arena;
	struct test_case *test;
	const char *file;
	unsigned line;
	struct ea_err *err;
};

static int fail(struct parser *p, const char *what, struct ea_str text)
{
	return ea_err_set(p->err, -EINVAL, "%s:%u: %s '%.*s'", p->file, p->line, what,
			  (int)text.len, text.ptr);
}

/* The next word; "..." keeps its blanks and knows \n, \t, \0 and \xNN. */
static bool next_word(struct parser *p, struct ea_str *rest, struct ea_str *ret)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf word = { 0 };
	bool quoted = false, any = false;

	*rest = ea_str_trim(*rest);
	while (rest->len > 0 && (quoted || *rest->ptr != ' ')) {
		char c = *rest->ptr;

		any = true;
		*rest = ea_str_skip(*rest, 1);
		if (c == '"') {
			quoted = !quoted;
		} else if (c == '\\' && rest->len > 0) {
			c = *rest->ptr;
			*rest = ea_str_skip(*rest, 1);
			if (c == 'x' && rest->len >= 2) {
				char hex[3] = { rest->ptr[0], rest->ptr[1], '\0' };

				c = (char)strtoul(hex, NULL, 16);
				*rest = ea_str_skip(*rest, 2);
			} else {
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			}
			ea_buf_add_char(&word, c);
		} else {
			ea_buf_add_char(&word, c);
		}
	}
	if (!any)
		return false;
	ret->len = word.len;
	ret->ptr = ea_arena_dup_str(p->arena, ea_buf_str(&word));
	return true;
}

static unsigned long number(struct ea_str text)
{
	return strtoul(text.ptr, NULL, 0);
}

static const char *dup_str(struct parser *p, struct ea_str text)
{
	return ea_arena_dup_str(p->arena, text);
}

static bool find_bit(const struct word_bit *words, struct ea_str word, uint64_t *ret)
{
	for (; words->word; words++) {
		if (!ea_str_is(word, words->word))
			continue;
		*ret |= words->bit;
		return true;
	}
	return false;
}

/* name, name@V, name@@V, and for undefined ones name@V@FILE; then :w :u :h :d for its qualities. */
static void parse_symbol(struct parser *p, struct ea_str text, bool defined, struct elf_symbol *ret)
{
	struct ea_str part, rest = text, version;

	ea_str_token(&rest, ':', &part);
	ret->name = dup_str(p, (struct ea_str){ part.ptr, ea_str_find(part, '@') });
	version = ea_str_skip(part, strlen(ret->name));
	if (version.len > 0) {
		ret->hidden_version = true;
		version = ea_str_skip(version, 1);
		if (version.len > 0 && version.ptr[0] == '@') {
			ret->hidden_version = false;
			version = ea_str_skip(version, 1);
		}
		if (!defined)
			ret->hidden_version = false;
		ret->version =
			dup_str(p, (struct ea_str){ version.ptr, ea_str_find(version, '@') });
		version = ea_str_skip(version, strlen(ret->version) + 1);
		ret->file = version.len > 0 ? dup_str(p, version) : NULL;
	}
	while (ea_str_token(&rest, ':', &part)) {
		ret->weak |= ea_str_is(part, "w");
		ret->unique |= ea_str_is(part, "u");
		ret->invisible |= ea_str_is(part, "h");
		ret->data |= ea_str_is(part, "d");
		ret->zero |= ea_str_is(part, "z");
	}
}

/* FILE:VERSION, with a final '~' for a weak need. */
static void parse_need(struct parser *p, struct ea_str text, struct elf_need *ret)
{
	size_t colon = ea_str_find(text, ':');
	struct ea_str version = ea_str_skip(text, colon + 1);

	ret->file = dup_str(p, (struct ea_str){ text.ptr, colon });
	ret->weak = ea_str_ends(version, "~");
	version.len -= ret->weak;
	ret->version = dup_str(p, version);
}

/* 6.1.0 */
static uint32_t parse_kernel(struct ea_str text)
{
	struct ea_str part;
	uint32_t value = 0;

	for (int i = 0; i < 3; i++) {
		value <<= 8;
		if (ea_str_token(&text, '.', &part))
			value |= (uint32_t)strtoul(part.ptr, NULL, 10);
	}
	return value;
}

static int parse_flags(struct parser *p, struct ea_str list, struct elf_spec *elf)
{
	struct ea_str word;

	while (ea_str_token(&list, ',', &word))
		if (!find_bit(flag_words, word, &elf->flags) &&
		    !find_bit(flag_1_words, word, &elf->flags_1))
			return fail(p, "unknown flag", word);
	return 0;
}

/* Lists: one more item for each part of LIST. */
static int parse_list(struct parser *p, struct ea_str key, struct ea_str list, struct elf_spec *elf)
{
	struct ea_str part;

	while (ea_str_token(&list, ',', &part)) {
		if (ea_str_is(key, "needed"))
			ea_vec_push(&elf->needed, p->arena, dup_str(p, part));
		else if (ea_str_is(key, "filter"))
			ea_vec_push(&elf->filter, p->arena, dup_str(p, part));
		else if (ea_str_is(key, "aux"))
			ea_vec_push(&elf->auxiliary, p->arena, dup_str(p, part));
		else if (ea_str_is(key, "versions"))
			ea_vec_push(&elf->versions, p->arena, dup_str(p, part));
		else if (ea_str_is(key, "def"))
			parse_symbol(p, part, true, ea_vec_add(&elf->defs, p->arena));
		else if (ea_str_is(key, "undef"))
			parse_symbol(p, part, false, ea_vec_add(&elf->undefs, p->arena));
		else if (ea_str_is(key, "needs"))
			parse_need(p, part, ea_vec_add(&elf->needs, p->arena));
		else if (ea_str_is(key, "poke")) {
			struct elf_poke *poke = ea_vec_add(&elf->pokes, p->arena);

			poke->offset = (uint32_t)number(part);
			poke->value =
				(uint8_t)number(ea_str_skip(part, ea_str_find(part, ':') + 1));
		} else {
			return fail(p, "unknown word", key);
		}
	}
	return 0;
}

static int parse_elf_word(struct parser *p, struct ea_str word, struct elf_spec *elf)
{
	size_t equals = ea_str_find(word, '=');
	struct ea_str key = { word.ptr, equals }, value = ea_str_skip(word, equals + 1);

	if (ea_str_is(key, "soname"))
		elf->soname = dup_str(p, value);
	else if (ea_str_is(key, "rpath"))
		elf->rpath = dup_str(p, value);
	else if (ea_str_is(key, "runpath"))
		elf->runpath = dup_str(p, value);
	else if (ea_str_is(key, "flags"))
		return parse_flags(p, value, elf);
	else if (ea_str_is(key, "stack"))
		elf->stack = ea_str_is(value, "exec") ? ELF_STACK_EXEC : ELF_STACK_NONE;
	else if (ea_str_is(key, "kernel"))
		elf->kernel = parse_kernel(value);
	else if (ea_str_is(key, "isa"))
		elf->isa = (uint32_t)number(value);
	else if (ea_str_is(key, "cut"))
		elf->cut = (uint32_t)number(value);
	else if (ea_str_is(key, "pad"))
		elf->pad = (uint32_t)number(value);
	else if (ea_str_is(key, "align"))
		elf->align = (uint32_t)number(value);
	else if (ea_str_is(key, "skew"))
		elf->skew = (uint32_t)number(value);
	else if (ea_str_is(key, "type"))
		elf->type = (uint16_t)number(value);
	else if (ea_str_is(key, "machine"))
		elf->machine = (uint16_t)number(value);
	else if (ea_str_is(key, "class32"))
		elf->class32 = true;
	else if (ea_str_is(key, "sysv"))
		elf->sysv_hash = true;
	else if (ea_str_is(key, "relr"))
		elf->relr = true;
	else if (ea_str_is(key, "nodynamic"))
		elf->no_dynamic = true;
	else if (ea_str_is(key, "noload"))
		elf->no_load = true;
	else
		return parse_list(p, key, value, elf);
	return 0;
}

static int parse_elf(struct parser *p, struct ea_str rest, struct elf_spec *elf)
{
	struct ea_str word;
	int rc = 0;

	while (rc == 0 && next_word(p, &rest, &word))
		rc = parse_elf_word(p, word, elf);
	return rc;
}

static int parse_open(struct parser *p, struct ea_str rest)
{
	struct opening *opening = ea_vec_add(&p->test->openings, p->arena);
	struct ea_str word;
	uint64_t flags = 0;

	next_word(p, &rest, &word);
	opening->name = word.ptr;
	opening->flags = RTLD_NOW;
	while (next_word(p, &rest, &word)) {
		struct ea_str flag, list = ea_str_skip(word, 6);

		if (ea_str_starts(word, "from=")) {
			opening->from = word.ptr + 5;
			continue;
		}
		if (!ea_str_starts(word, "flags="))
			return fail(p, "unknown word", word);
		while (ea_str_token(&list, ',', &flag))
			if (!find_bit(open_words, flag, &flags))
				return fail(p, "unknown flag", flag);
		opening->flags = (int)flags;
	}
	return 0;
}

static int parse_cache(struct parser *p, struct ea_str rest, struct item *item)
{
	struct ea_str word;

	if (!next_word(p, &rest, &word))
		return fail(p, "no value for", ea_str(item->path));
	item->text = word.ptr;
	while (next_word(p, &rest, &word)) {
		if (ea_str_starts(word, "folder="))
			item->folder = word.ptr + 7;
		else if (ea_str_starts(word, "hwcap="))
			item->hwcap = strtoull(word.ptr + 6, NULL, 0);
		else if (ea_str_starts(word, "flags="))
			item->flags = (int32_t)strtol(word.ptr + 6, NULL, 0);
		else if (ea_str_starts(word, "kernel="))
			item->osversion = parse_kernel(ea_str_skip(word, 7));
		else
			return fail(p, "unknown word", word);
	}
	return 0;
}

static int parse_item(struct parser *p, const char *kind_word, struct ea_str rest)
{
	struct item *item;
	struct ea_str word;
	int kind = 0;

	while (item_words[kind] && !ea_streq(item_words[kind], kind_word))
		kind++;
	if (!item_words[kind])
		return fail(p, "unknown word", ea_str(kind_word));
	item = ea_vec_add(&p->test->items, p->arena);
	item->kind = (enum item_kind)kind;
	if (!next_word(p, &rest, &word))
		return fail(p, "no path after", ea_str(kind_word));
	item->path = word.ptr;
	switch (item->kind) {
	case ITEM_ELF:
		return parse_elf(p, rest, &item->elf);
	case ITEM_CACHE:
		return parse_cache(p, rest, item);
	case ITEM_DIR:
		return 0;
	case ITEM_LDCONFIG:
		item->text = dup_str(p, ea_str_trim(rest));
		return 0;
	case ITEM_TEXT:
	case ITEM_LINK:
	case ITEM_HARD:
	case ITEM_COPY:
	case ITEM_MODE:
		break;
	}
	if (!next_word(p, &rest, &word))
		return fail(p, "nothing behind", ea_str(item->path));
	item->text = word.ptr;
	return 0;
}

static int parse_env(struct parser *p, struct ea_str rest)
{
	struct variable *variable = ea_vec_add(&p->test->env, p->arena);
	struct ea_str word;
	size_t equals;

	if (!next_word(p, &rest, &word))
		return fail(p, "nothing in", rest);
	equals = ea_str_find(word, '=');
	variable->name = dup_str(p, (struct ea_str){ word.ptr, equals });
	variable->value = dup_str(p, ea_str_skip(word, equals + 1));
	return 0;
}

static int parse_line(struct parser *p, struct ea_str rest)
{
	struct test_case *test = p->test;
	struct ea_str word, value;

	next_word(p, &rest, &word);
	if (!test)
		return fail(p, "no case before", word);
	if (ea_str_is(word, "program"))
		return parse_elf(p, rest, &test->program);
	if (ea_str_is(word, "env"))
		return parse_env(p, rest);
	if (ea_str_is(word, "open"))
		return parse_open(p, rest);
	if (ea_str_is(word, "cwd") || ea_str_is(word, "form") || ea_str_is(word, "glibc")) {
		if (!next_word(p, &rest, &value))
			return fail(p, "nothing behind", word);
		if (ea_str_is(word, "cwd")) {
			test->cwd = value.ptr;
		} else if (ea_str_is(word, "form")) {
			test->cache_form = value.ptr;
		} else {
			test->oldest = (unsigned)strtoul(value.ptr, NULL, 10);
			value = ea_str_skip(value, ea_str_find(value, '-') + 1);
			test->newest = value.len ? (unsigned)strtoul(value.ptr, NULL, 10) : 255;
		}
		return 0;
	}
	if (ea_str_is(word, "spoil")) {
		struct elf_poke *poke = ea_vec_add(&p->test->spoilt, p->arena);
		char *end;

		poke->offset = (uint32_t)strtoul(rest.ptr, &end, 0);
		poke->value = (uint8_t)strtoul(end + (*end == ':'), NULL, 0);
		return 0;
	}
	if (ea_str_is(word, "musl")) {
		test->musl = true;
		return 0;
	}
	return parse_item(p, word.ptr, rest);
}

int case_parse(struct ea_arena *arena, struct ea_str text, const char *file,
	       int (*fn)(void *arg, struct test_case *test), void *arg, struct ea_err *err)
{
	struct parser p = { .arena = arena, .file = file, .err = err };
	struct ea_str line;
	int rc = 0;

	while (rc == 0 && ea_str_line(&text, &line)) {
		p.line++;
		line = ea_str_trim(line);
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		if (ea_str_starts(line, "case ")) {
			if (p.test)
				rc = fn(arg, p.test);
			p.test = ea_arena_new(arena, struct test_case);
			p.test->name = dup_str(&p, ea_str_trim(ea_str_skip(line, 5)));
			continue;
		}
		rc = parse_line(&p, line);
	}
	if (rc == 0 && p.test)
		rc = fn(arg, p.test);
	return rc;
}
