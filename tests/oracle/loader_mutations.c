/*
 * Turns round one habit of the loader's versions at a time (auditor/loader/policy.h): at least one
 * case has to differ from the real loader then, or nothing shows that the model has the habit right
 *(TAP).
 *
 *	loader_mutations [ROOT]		ROOT: loader and C library of this root file system
 */
#include <stdio.h>

#include "elf/elf.h"
#include "loader/policy.h"
#include "runner.h"

struct mutations {
	struct runner runner;
	unsigned noticed[EA_POLICY_MAX_];
	unsigned n;
};

static bool notices(struct mutations *m, const struct test_case *test, struct ea_str output,
		    int status, int id)
{
	struct ea_buf differences = { 0 };
	struct ea_err err;
	bool result;

	m->runner.how.flip = UINT64_C(1) << id;
	result = runner_run_model(&m->runner, test, output, status, &differences, &err) != 0 ||
		 differences.len > 0;
	ea_buf_release(&differences);
	return result;
}

static int run_case(void *arg, struct test_case *test)
{
	struct mutations *m = arg;
	struct ea_buf output = { 0 };
	struct ea_err err;
	int status;

	if (runner_skips(&m->runner, test))
		return 0;
	m->n++;
	if (runner_run_real(&m->runner, test, &output, &status, &err) == 0)
		for (int id = 0; id < EA_POLICY_MAX_; id++)
			m->noticed[id] += notices(m, test, ea_buf_str(&output), status, id);
	runner_clear(&m->runner);
	ea_buf_release(&output);
	return 0;
}

int main(int argc, char **argv)
{
	struct mutations m = { 0 };
	struct ea_err err = { 0 };
	bool failed = false;
	int rc;

	ea_elf_init();
	rc = runner_open(&m.runner, argc > 1 ? argv[1] : NULL, &err);
	if (rc > 0) {
		printf("1..0 # SKIP %s\n", err.text);
		return 0;
	}
	if (rc == 0)
		rc = runner_all_cases(run_case, &m, &err);
	if (rc < 0) {
		printf("Bail out! %s\n", err.text);
		return 1;
	}
	for (int id = 0; id < EA_POLICY_MAX_; id++) {
		printf("%s %d - %s: %u of %u cases notice\n", m.noticed[id] ? "ok" : "not ok",
		       id + 1, ea_policy_names[id], m.noticed[id], m.n);
		failed |= m.noticed[id] == 0;
	}
	printf("1..%d\n", EA_POLICY_MAX_);
	runner_close(&m.runner);
	return failed;
}
