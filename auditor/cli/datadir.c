/* Where the matrices are. */
#include "cli/datadir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

/* From the folder of the program: an archive that was unpacked anywhere, a build in the source
 * tree. */
static const char *const beside[] = { "../share/envaudit", "matrices", "../matrices",
				      "../../matrices" };

static bool has_matrices(struct ea_arena *arena, const char *dir)
{
	return access(ea_path_join(arena, dir, "libraries.cfg"), R_OK) == 0;
}

/* Folder of this program, links followed; NULL if nothing tells. A bare root has no /proc. */
static const char *program_dir(struct ea_arena *arena)
{
	const char *called = (const char *)getauxval(AT_EXECFN);
	EA_CLEANUP(ea_free_ptr) char *exe = realpath("/proc/self/exe", NULL);

	if (!exe && called)
		exe = realpath(called, NULL);
	return exe ? ea_arena_dup_str(arena, ea_path_dir(exe)) : NULL;
}

static const char *try_beside(struct ea_arena *arena, struct ea_buf *looked)
{
	const char *program = program_dir(arena);

	for (size_t i = 0; program && i < EA_ARRAY_SIZE(beside); i++) {
		EA_CLEANUP(ea_buf_release) struct ea_buf dir = { 0 };
		const char *text;

		ea_path_normalize(&dir, program, ea_str(beside[i]));
		text = ea_arena_dup_str(arena, ea_buf_str(&dir));
		if (has_matrices(arena, text))
			return text;
		ea_buf_printf(looked, "%s, ", text);
	}
	return NULL;
}

int ea_datadir_find(struct ea_arena *arena, const char **ret_dir, struct ea_err *err)
{
	const char *dir = getenv("ENVAUDIT_DATADIR");
	EA_CLEANUP(ea_buf_release) struct ea_buf looked = { 0 };

	if (dir && dir[0]) {
		if (!has_matrices(arena, dir))
			return ea_err_set(err, EA_E_MATRIX,
					  "no matrices in %s, which ENVAUDIT_DATADIR names", dir);
	} else {
		dir = try_beside(arena, &looked);
		if (!dir && has_matrices(arena, EA_DATADIR))
			dir = EA_DATADIR;
	}
	if (!dir)
		return ea_err_set(err, EA_E_MATRIX,
				  "no matrices found; looked for libraries.cfg in %s%s "
				  "(ENVAUDIT_DATADIR names another place)",
				  ea_buf_text(&looked), EA_DATADIR);
	*ret_dir = ea_arena_dup(arena, dir);
	return 0;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* NULL where neither variable says, as the XDG base directory specification has it. */
static const char *config_dir(struct ea_arena *arena)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && config[0] == '/')
		return ea_path_join(arena, config, "envaudit");
	return home && home[0] == '/' ? ea_path_join(arena, home, ".config/envaudit") : NULL;
}

int ea_datadir_facts(const char *data_dir, const char *const *dirs, size_t n_dirs,
		     struct ea_matrix **ret, struct ea_err *err)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	EA_VEC(const char *) all = { 0 };
	const char *config = config_dir(&arena);

	ea_vec_push(&all, &arena, data_dir);
	if (config && is_dir(config))
		ea_vec_push(&all, &arena, config);
	for (size_t i = 0; i < n_dirs; i++) {
		if (!is_dir(dirs[i]))
			return ea_err_set(err, EA_E_MATRIX, "--matrix: %s is not a folder",
					  dirs[i]);
		ea_vec_push(&all, &arena, dirs[i]);
	}
	*ret = ea_matrix_new(all.items, all.n);
	return 0;
}

const char *ea_datadir_date(struct ea_arena *arena, const char *dir)
{
	char text[32];
	ssize_t len;
	int fd = open(ea_path_join(arena, dir, "DATE"), O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	len = read(fd, text, sizeof(text));
	close(fd);
	return len > 0 ? ea_arena_dup_str(arena, ea_str_trim((struct ea_str){ text, (size_t)len }))
		       : NULL;
}
