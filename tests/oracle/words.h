/* The words of cases, for reading and writing them. */
#pragma once

#include <stdint.h>

struct word_bit {
	const char *word; /* NULL ends a table */
	uint64_t bit;
};

extern const struct word_bit flag_words[];   /* DF_ */
extern const struct word_bit flag_1_words[]; /* DF_1_ */
extern const struct word_bit open_words[];   /* RTLD_ */
extern const char *const item_words[];	     /* by enum item_kind; NULL ends it */
