/*
 * Differential fuzzing of the loader model: random cases under the real loader and the model until
 * they disagree; what disagrees is made small and written out as a case for tests/oracle/cases.
 *
 *	loader_diff [--root DIR] [--glibc VERSION] [--seed N] [--count N] [--seconds N] [--one N]
 *
 * Without arguments, as `make check` runs it: a fixed number of cases from a fixed seed (TAP).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "elf/elf.h"
#include "loader_gen.h"
#include "runner.h"

#define CHECK_SEED  1u
#define CHECK_COUNT 3000u

struct fuzzer {
	struct runner runner;
	uint64_t seed, count, seconds;
	uint64_t run, failed;
};

static bool differs(struct fuzzer *f, const struct test_case *test, struct ea_buf *differences)
{
	struct ea_err err;

	/* What cannot be built after a reduction does not count. */
	return runner_compare(&f->runner, test, differences, NULL, &err) == 0 &&
	       differences->len > 0;
}

static bool still_differs(void *arg, const struct test_case *test)
{
	struct ea_buf differences = { 0 };
	bool result = differs(arg, test, &differences);

	ea_buf_release(&differences);
	return result;
}

static void report(struct fuzzer *f, struct ea_arena *arena, const struct test_case *test)
{
	struct test_case *small = reduce_case(arena, test, still_differs, f);
	struct ea_buf text = { 0 }, differences = { 0 };
	struct ea_str rest, line;

	differs(f, small, &differences);
	case_print(small, &text);
	ea_buf_add_text(&text, "differences\n");
	ea_buf_add_str(&text, ea_buf_str(&differences));
	rest = ea_buf_str(&text);
	while (ea_str_line(&rest, &line))
		printf("# %.*s\n", (int)line.len, line.ptr);
	fflush(stdout);
	ea_buf_release(&text);
	ea_buf_release(&differences);
}

/* musl takes a file for what it should be, whatever its header says; that leads anywhere. */
static bool is_beyond_model(const struct fuzzer *f, const struct test_case *test)
{
	if (!f->runner.box.musl)
		return false;
	ea_vec_foreach(item, &test->items) {
		const struct elf_spec *elf = &item->elf;

		if (item->kind == ITEM_ELF && (elf->pokes.n > 0 || elf->class32 || elf->machine ||
					       elf->skew || elf->no_dynamic || elf->no_load))
			return true;
	}
	return false;
}

static void run_one(struct fuzzer *f, uint64_t seed)
{
	struct ea_arena arena = { 0 };
	struct ea_buf differences = { 0 };
	struct test_case *test = gen_case(&arena, seed, f->runner.box.lib_dir);
	struct ea_err err;

	if (is_beyond_model(f, test)) {
		ea_arena_release(&arena);
		return;
	}
	f->run++;
	if (runner_compare(&f->runner, test, &differences, NULL, &err) != 0)
		ea_buf_printf(&differences, "  %s\n", err.text);
	if (differences.len > 0) {
		f->failed++;
		report(f, &arena, test);
	}
	ea_buf_release(&differences);
	ea_arena_release(&arena);
}

static int run(struct fuzzer *f, const char *root, struct ea_err *err)
{
	time_t end = time(NULL) + (time_t)f->seconds;
	int rc = runner_open(&f->runner, root, err);

	if (rc > 0) {
		printf("1..0 # SKIP %s\n", err->text);
		return 0;
	}
	if (rc < 0) {
		printf("Bail out! %s\n", err->text);
		return rc;
	}
	while ((f->count == 0 || f->run < f->count) && (f->seconds == 0 || time(NULL) < end) &&
	       f->failed < 20)
		run_one(f, f->seed++);
	printf("%s 1 - %s: %llu random cases, %llu differ\n1..1\n", f->failed ? "not ok" : "ok",
	       f->runner.libc, (unsigned long long)f->run, (unsigned long long)f->failed);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "glibc", required_argument, NULL, 'g' },
		{ "seed", required_argument, NULL, 's' },
		{ "count", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	struct fuzzer f = { .seed = CHECK_SEED, .count = CHECK_COUNT };
	const char *root = NULL;
	struct ea_err err = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'r':
			root = optarg;
			break;
		case 'g':
			f.runner.how.libc_version = optarg;
			break;
		case 's':
			f.seed = strtoull(optarg, NULL, 10);
			break;
		case 'c':
			f.count = strtoull(optarg, NULL, 10);
			break;
		case 't':
			f.seconds = strtoull(optarg, NULL, 10);
			f.count = 0;
			break;
		default:
			return 2;
		}
	}
	ea_elf_init();
	c = run(&f, root, &err) != 0 || f.failed > 0;
	runner_close(&f.runner);
	return c;
}
