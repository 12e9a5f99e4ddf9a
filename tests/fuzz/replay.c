/*
 * replay ROUNDS FILE…: gives each file to a fuzz target, then ROUNDS damaged forms of it: bytes
 * changed, the end cut off, stretches copied. The damage is the same in each run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"

static uint64_t state = 88172645463325252u;

/* xorshift64 */
static uint64_t next(uint64_t bound)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % bound;
}

/* Most structures lie at the beginning of a file. */
static size_t place(size_t size)
{
	return (size_t)next(next(2) && size > 4096 ? 4096 : size);
}

static size_t damage(uint8_t *bytes, size_t size)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x08, 0x7f, 0x80, 0xff };

	for (uint64_t n = next(6); n > 0; n--)
		bytes[place(size)] = values[next(sizeof(values))];
	for (uint64_t n = next(3); n > 0; n--)
		bytes[place(size)] ^= (uint8_t)(1u << next(8));
	if (size > 64 && next(4) == 0)
		memmove(bytes + place(size - 32), bytes + place(size - 32), (size_t)next(32));
	return next(4) == 0 ? place(size) + 1 : size;
}

/* In memory of its own size, so that a sanitizer sees what is read behind its end. */
static void run(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int replay(const char *path, unsigned long rounds)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes, *work;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0 ||
	    fseek(file, 0, SEEK_SET) != 0) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return 1;
	}
	bytes = malloc((size_t)size);
	work = malloc((size_t)size);
	if (!bytes || !work || fread(bytes, 1, (size_t)size, file) != (size_t)size)
		abort();
	fclose(file);
	run(bytes, (size_t)size);
	for (unsigned long i = 0; i < rounds; i++) {
		memcpy(work, bytes, (size_t)size);
		run(work, damage(work, (size_t)size));
	}
	free(work);
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	int failed = argc < 3;

	if (LLVMFuzzerInitialize(&argc, &argv))
		return 1;
	for (int i = 2; i < argc; i++)
		failed |= replay(argv[i], rounds);
	return failed;
}
