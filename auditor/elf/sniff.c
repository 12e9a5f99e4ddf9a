/* The kinds of files that are found under the name of a library, by their first bytes. */
#include "elf/sniff.h"

#include <ctype.h>
#include <stdint.h>
#include <strings.h>

#include "base/attr.h"
#include "base/num.h"

static const struct {
	struct ea_str magic;
	enum ea_format format;
} magics[] = {
	{ { "version https://git-lfs.github.com/spec/", 40 }, EA_FORMAT_LFS_POINTER },
	{ { "!<arch>\n", 8 }, EA_FORMAT_ARCHIVE },
	{ { "!<thin>\n", 8 }, EA_FORMAT_ARCHIVE },
	{ { "\xfe\xed\xfa\xce", 4 }, EA_FORMAT_MACHO },
	{ { "\xfe\xed\xfa\xcf", 4 }, EA_FORMAT_MACHO },
	{ { "\xce\xfa\xed\xfe", 4 }, EA_FORMAT_MACHO },
	{ { "\xcf\xfa\xed\xfe", 4 }, EA_FORMAT_MACHO },
	{ { "\x1f\x8b\x08", 3 }, EA_FORMAT_COMPRESSED },
	{ { "\xfd"
	    "7zXZ\0",
	    6 },
	  EA_FORMAT_COMPRESSED },
	{ { "\x28\xb5\x2f\xfd", 4 }, EA_FORMAT_COMPRESSED },
	{ { "BZh", 3 }, EA_FORMAT_COMPRESSED },
	{ { "PK\3\4", 4 }, EA_FORMAT_COMPRESSED },
	{ { "PK\5\6", 4 }, EA_FORMAT_COMPRESSED },
};

static uint32_t be32(const char *ptr)
{
	return __builtin_bswap32(ea_le32(ptr));
}

/* 0xcafebabe is also the magic of Java classes, whose next number is a version of 45 or more. */
static bool is_fat_macho(struct ea_str head)
{
	return head.len >= 8 && (be32(head.ptr) & ~1u) == 0xcafebabe && be32(head.ptr + 4) > 0 &&
	       be32(head.ptr + 4) < 45;
}

static bool is_pe(struct ea_str head)
{
	uint32_t at;

	if (head.len < 64 || !ea_str_starts(head, "MZ"))
		return false;
	at = ea_le32(head.ptr + 60);
	return !ea_range_ok(at, 4, head.len) || memcmp(head.ptr + at, "PE\0\0", 4) == 0;
}

/* No control characters but those of text files. */
static bool is_text(struct ea_str head)
{
	for (size_t i = 0; i < head.len; i++) {
		unsigned char c = (unsigned char)head.ptr[i];

		if ((c < ' ' && !strchr("\t\n\v\f\r\033", c)) || c == '\0' || c == 0x7f)
			return false;
	}
	return true;
}

static bool starts_with_word(struct ea_str text, const char *word)
{
	size_t n = strlen(word);

	return text.len >= n && strncasecmp(text.ptr, word, n) == 0;
}

static struct ea_str skip_blanks(struct ea_str text)
{
	while (text.len && isspace((unsigned char)text.ptr[0]))
		text = ea_str_skip(text, 1);
	return text;
}

static bool is_html(struct ea_str text)
{
	text = skip_blanks(text);
	if (ea_str_starts(text, "<?xml") || ea_str_starts(text, "<!--"))
		text = ea_str_skip(text, ea_str_find_str(text, EA_STR("<html")));
	return starts_with_word(text, "<!doctype html") || starts_with_word(text, "<html") ||
	       starts_with_word(text, "<head");
}

/* What GNU ld reads: INPUT(-lfoo), or comments, OUTPUT_FORMAT(…) and GROUP ( … ). */
static bool is_linker_script(struct ea_str text)
{
	static const char *const commands[] = { "INPUT",       "GROUP",	   "OUTPUT_FORMAT",
						"OUTPUT_ARCH", "OUTPUT",   "SEARCH_DIR",
						"AS_NEEDED",   "SECTIONS", "VERSION",
						"ENTRY",       "TARGET",   "PROVIDE" };

	if (ea_str_starts(text, "/* GNU ld script"))
		return true;
	for (text = skip_blanks(text); ea_str_starts(text, "/*"); text = skip_blanks(text)) {
		text = ea_str_skip(text, 2);
		text = ea_str_skip(text, ea_str_find_str(text, EA_STR("*/")));
		text = ea_str_skip(text, 2);
	}
	for (size_t i = 0; i < EA_ARRAY_SIZE(commands); i++) {
		struct ea_str rest = text;

		if (!ea_str_starts(rest, commands[i]))
			continue;
		rest = skip_blanks(ea_str_skip(rest, strlen(commands[i])));
		if (rest.len && (rest.ptr[0] == '(' || rest.ptr[0] == '{'))
			return true;
	}
	return false;
}

enum ea_format ea_sniff(struct ea_str head)
{
	if (head.len == 0)
		return EA_FORMAT_EMPTY;
	for (size_t i = 0; i < EA_ARRAY_SIZE(magics); i++)
		if (head.len >= magics[i].magic.len &&
		    memcmp(head.ptr, magics[i].magic.ptr, magics[i].magic.len) == 0)
			return magics[i].format;
	if (is_fat_macho(head))
		return EA_FORMAT_MACHO;
	if (is_pe(head))
		return EA_FORMAT_PE;
	if (!is_text(head))
		return EA_FORMAT_DATA;
	if (ea_str_starts(head, "\xef\xbb\xbf"))
		head = ea_str_skip(head, 3);
	if (is_html(head))
		return EA_FORMAT_HTML;
	return is_linker_script(head) ? EA_FORMAT_LINKER_SCRIPT : EA_FORMAT_TEXT;
}
