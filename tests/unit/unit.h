/* What every unit test includes: cmocka with the headers it wants first, and a main for a table. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/attr.h"

#define UNIT_MAIN(tests)                                          \
	int main(void)                                            \
	{                                                         \
		return cmocka_run_group_tests(tests, NULL, NULL); \
	}
