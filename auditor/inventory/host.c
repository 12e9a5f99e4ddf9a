/* The machine that the target is for: C library, operating system, processor. */
#include <elf.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/path.h"
#include "inventory/inventory.h"
#include "inventory/read.h"

/* ---- os-release ------------------------------------------------------------------------- */

/* The value of a shell assignment: bare, in single or in double quotes. */
static char *unquote(struct ea_arena *arena, struct ea_str value)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	char quote = value.len ? value.ptr[0] : '\0';

	if (quote != '"' && quote != '\'')
		return ea_arena_dup_str(arena, value);
	for (size_t i = 1; i < value.len && value.ptr[i] != quote; i++) {
		if (quote == '"' && value.ptr[i] == '\\' && i + 1 < value.len)
			i++;
		ea_buf_add_char(&text, value.ptr[i]);
	}
	return ea_arena_dup_str(arena, ea_buf_str(&text));
}

static void read_os(const struct ea_root *root, struct ea_inventory *inv)
{
	static const char *const files[] = { "/etc/os-release", "/usr/lib/os-release" };
	static const char key[] = "PRETTY_NAME=";
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	for (size_t i = 0; i < EA_ARRAY_SIZE(files) && !inv->host.os; i++) {
		struct ea_str rest, line;

		if (!ea_inventory_text(inv, root, files[i], EA_LIMIT_TEXT, &text))
			continue;
		rest = ea_buf_str(&text);
		while (ea_str_line(&rest, &line))
			if (ea_str_starts(line, key))
				inv->host.os = unquote(inv->arena,
						       ea_str_trim(ea_str_skip(line, strlen(key))));
	}
}

/* ---- programs --------------------------------------------------------------------------- */

/* Text of PT_INTERP, NULL for a static program. */
static char *interpreter(struct ea_file *file, const Elf64_Ehdr *header, struct ea_arena *arena)
{
	if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > EA_LIMIT_PHDRS)
		return NULL;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		uint64_t off = (uint64_t)i * sizeof(Elf64_Phdr);
		Elf64_Phdr phdr;
		char *text;

		if (!ea_add_u64(off, header->e_phoff, &off) ||
		    ea_file_read_full(file, &phdr, sizeof(phdr), off) < 0)
			return NULL;
		if (phdr.p_type != PT_INTERP)
			continue;
		if (!phdr.p_filesz || phdr.p_filesz > EA_LIMIT_PATH)
			return NULL;
		text = ea_arena_alloc(arena, phdr.p_filesz + 1);
		if (ea_file_read_full(file, text, phdr.p_filesz, phdr.p_offset) < 0)
			return NULL;
		return text;
	}
	return NULL;
}

/* Fills the machine; the program interpreter goes to *RET. False if PROGRAM is no ELF of 64 bits.
 */
static bool read_program(const struct ea_root *root, const char *program, struct ea_inventory *inv,
			 char **ret)
{
	struct ea_file *file EA_CLEANUP(ea_file_close_ptr) = NULL;
	Elf64_Ehdr header;
	int rc = ea_root_open(root, program, &file);

	if (rc < 0) {
		ea_inventory_unread(inv, program, rc);
		return false;
	}
	rc = ea_file_read_full(file, &header, sizeof(header), 0);
	if (rc == -EA_E_AGAIN)
		inv->again = true;
	if (rc < 0 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	inv->host.machine = header.e_machine;
	*ret = interpreter(file, &header, inv->arena);
	return true;
}

/* ---- C library -------------------------------------------------------------------------- */

static bool is_machine_folder(const char *name)
{
	return ea_str_ends(ea_str(name), "-linux-gnu");
}

/* Where the program interpreter really lies; in a root without its link, where Debian keeps the
 * file. */
static char *find_loader(const struct ea_root *root, const char *loader, struct ea_inventory *inv)
{
	struct ea_buf real EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_names names;
	struct ea_stat stat;

	if (ea_root_stat(root, loader, EA_FOLLOW, &stat) == 0 &&
	    ea_root_resolve(root, loader, EA_FOLLOW, &real) == 0)
		return ea_arena_dup_str(inv->arena, ea_buf_str(&real));
	if (!ea_inventory_list(inv, root, "/usr/lib", is_machine_folder, &names))
		return NULL;
	ea_vec_foreach(name, &names.list) {
		char *path = ea_arena_printf(inv->arena, "/usr/lib/%s/%s", name->text,
					     ea_path_base(loader));

		if (ea_root_stat(root, path, EA_FOLLOW, &stat) == 0)
			return path;
	}
	return NULL;
}

/*
 * "… stable release version 2.36." stands in the loader, and in libc.so.6 beside it where the
 * loader is too old to have it.
 */
static const char *glibc_version(const struct ea_root *root, const char *loader,
				 struct ea_inventory *inv)
{
	static const struct ea_str words = { " release version ", 17 };
	const char *version = ea_inventory_find_number(inv, root, loader, words);

	if (version)
		return version;
	return ea_inventory_find_number(
		inv, root,
		ea_path_join(inv->arena, ea_arena_dup_str(inv->arena, ea_path_dir(loader)),
			     "libc.so.6"),
		words);
}

/* musl does not carry its version as text that can be told apart; Alpine's package list does. */
static const char *musl_version(const struct ea_root *root, struct ea_inventory *inv)
{
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_str rest, line;
	bool in_musl = false;

	if (!ea_inventory_text(inv, root, "/lib/apk/db/installed", EA_LIMIT_RECORD, &text))
		return NULL;
	rest = ea_buf_str(&text);
	while (ea_str_line(&rest, &line)) {
		if (ea_str_starts(line, "P:")) {
			in_musl = ea_str_is(line, "P:musl");
		} else if (in_musl && ea_str_starts(line, "V:")) {
			line = ea_str_skip(line, 2);
			line.len = ea_str_find(line, '-');
			return ea_arena_dup_str(inv->arena, line);
		}
	}
	return NULL;
}

int ea_host_read(const struct ea_root *root, const char *program, struct ea_inventory *inv)
{
	char *loader = NULL;

	read_os(root, inv);
	if ((!program || !read_program(root, program, inv, &loader)) &&
	    !read_program(root, "/bin/sh", inv, &loader))
		return inv->host.os == NULL;
	if (loader && ea_str_starts(ea_str(ea_path_base(loader)), "ld-musl-")) {
		inv->host.libc = "musl";
		inv->host.libc_version = musl_version(root, inv);
	} else if (loader) {
		inv->host.libc = "glibc";
		loader = find_loader(root, loader, inv);
		if (loader)
			inv->host.libc_version = glibc_version(root, loader, inv);
	}
	return 0;
}
