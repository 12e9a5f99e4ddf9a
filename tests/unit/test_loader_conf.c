/* loader/conf: the same folders in the same order as the machine's own ldconfig. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "loader/conf.h"
#include "tree.h"
#include "unit.h"

static const char ldconfig[] = "/sbin/ldconfig";

static struct tree tree;
static struct ea_root *root;

static int make_tree(void **state)
{
	static const char *const dirs[] = { "a", "b", "c", "d", "with space", "a#b", "include" };

	(void)state;
	tree = tree_new();
	root = ea_root_host();
	for (size_t i = 0; i < EA_ARRAY_SIZE(dirs); i++)
		tree_dir(&tree, dirs[i]);
	tree_link(&tree, "to-a", "a");
	tree_file(&tree, "file", "");
	return 0;
}

static int free_tree(void **state)
{
	(void)state;
	ea_root_free(root);
	tree_free(&tree);
	return 0;
}

/* "DIR FILE LINE" of each folder below the tree, in order, out of `ldconfig -v`. */
static void ask_ldconfig(struct ea_buf *out)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf command = { 0 };
	char line[3 * PATH_MAX];
	FILE *pipe;

	ea_buf_printf(&command, "%s -v -N -X -f %s 2>/dev/null", ldconfig,
		      tree_path(&tree, "ld.so.conf"));
	pipe = popen(ea_buf_text(&command), "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		char *from = strstr(line, ": (from "), *number;

		if (strncmp(line, tree.dir, strlen(tree.dir)) != 0 || !from)
			continue;
		*from = '\0';
		from += strlen(": (from ");
		number = strrchr(from, ':');
		*number = '\0';
		ea_buf_printf(out, "%s %s %d\n", line, from, atoi(number + 1));
	}
	assert_int_equal(pclose(pipe), 0);
}

static void ask_model(struct ea_buf *out)
{
	struct ea_arena arena = { 0 };
	struct ea_loader_conf conf;

	assert_int_equal(ea_loader_conf_read(root, tree_path(&tree, "ld.so.conf"), &arena, &conf),
			 0);
	ea_vec_foreach(dir, &conf.dirs)
		if (strncmp(dir->path, tree.dir, strlen(tree.dir)) == 0)
			ea_buf_printf(out, "%s %s %u\n", dir->path, dir->file, dir->line);
	ea_arena_release(&arena);
}

/* CONF may hold "@" for the tree. */
static void write_conf(const char *path, const char *conf)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };

	for (; *conf; conf++) {
		if (*conf == '@')
			ea_buf_add_text(&text, tree.dir);
		else
			ea_buf_add_char(&text, *conf);
	}
	tree_file(&tree, path, ea_buf_text(&text));
}

static void check(const char *conf, unsigned dirs)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 }, model = { 0 };
	unsigned lines = 0;

	write_conf("ld.so.conf", conf);
	ask_ldconfig(&real);
	ask_model(&model);
	assert_string_equal(ea_buf_text(&model), ea_buf_text(&real));
	for (size_t i = 0; i < model.len; i++)
		lines += model.ptr[i] == '\n';
	assert_int_equal(lines, dirs);
}

static void reads_lines_as_ldconfig_does(void **state)
{
	(void)state;
	if (access(ldconfig, X_OK) != 0)
		skip();
	check("", 0);
	check("@/a\n@/b\n", 2);
	check("@/b\n@/a", 2);
	check("  \t@/a  \n\n \n\v@/b///\r\n@/c\t \f\n", 3);
	check("# @/a\n@/b# words\n@/a#b\n  #\n@/c #", 3);
	check("@/with space\n@/gone\n@/a\n", 2);
	check("@/to-a\n@/a\n@/b/../b\n@/b\n", 2); /* the first name of a folder stays */
	check("@/a/\n@/a\n/\n", 1);
	check("@/a @/b\n", 0);
	check("@/a,@/b\n@/a:@/b\n@/c\n", 1);
	check("hwcap 0 @/a\nHWCAP\t1 x\n@/b\nhwcap\n", 1);
	check("\"@/a\"\n@/b\n", 1);
}

static void includes_as_ldconfig_does(void **state)
{
	(void)state;
	if (access(ldconfig, X_OK) != 0)
		skip();
	write_conf("conf.d/10-b.conf", "@/b\n");
	write_conf("conf.d/2-c.conf", "@/c\n");
	write_conf("conf.d/Z.conf", "@/d\n");
	write_conf("conf.d/.hidden.conf", "@/a\n");
	write_conf("conf.d/note.txt", "@/a\n");
	tree_dir(&tree, "conf.d/folder.conf");
	write_conf("conf-d/1.conf", "@/a\ninclude 2.list gone.list\n@/d\n");
	write_conf("conf-d/2.list", "@/c\n");
	check("include @/conf.d/*.conf\n", 3);
	check("@/d\ninclude conf.d/*.conf\n@/a\n", 4);
	check("include\tconf.d/Z.conf \t conf.d/2-c.conf\n", 2);
	check("include conf.d/Z.conf # and\n", 1);
	check("includeconf.d/Z.conf\ninclude\n@/a\n", 1);
	check("include conf.d/Z.conf\r\n", 0);
	check("include @/gone/*.conf @/gone.conf\n@/a\n", 1);
	check("include @/conf*/*.conf\n", 4);
	check("include conf?d/[12]*\n@/b\n", 4);
	check("include conf.d/[!0-9]*.conf conf.d/.h*.conf\n", 2);
	check("include conf.d/\\Z.conf\ninclude conf.d/1\\0-b.con?\n", 2);
	check("include ./conf.d/Z.conf\ninclude conf.d/../conf.d/2-c.conf\n", 2);
	check("include conf-d/1.conf\n", 3);
}

static void loops_end(void **state)
{
	struct ea_arena arena = { 0 };
	struct ea_loader_conf conf = { 0 };

	(void)state;
	write_conf("loop.conf", "@/a\ninclude loop.conf\n@/b\n");
	assert_int_equal(ea_loader_conf_read(root, tree_path(&tree, "loop.conf"), &arena, &conf),
			 0);
	assert_int_equal(conf.dirs.n, 2);
	assert_int_equal(conf.gaps.n, 1);
	assert_int_equal(ea_loader_conf_read(root, tree_path(&tree, "gone"), &arena, &conf), 1);
	ea_arena_release(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_lines_as_ldconfig_does),
		cmocka_unit_test(includes_as_ldconfig_does),
		cmocka_unit_test(loops_end),
	};

	return cmocka_run_group_tests(tests, make_tree, free_tree);
}
