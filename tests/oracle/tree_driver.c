/* A program that needs nothing but libc: opens a library, says what is mapped then or why not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static int show(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size, (void)arg;
	if (info->dlpi_name[0] == '/')
		printf("%s\n", info->dlpi_name);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !dlopen(argv[1], RTLD_NOW))
		printf("error %s\n", dlerror());
	dl_iterate_phdr(show, NULL);
	fflush(stdout);
	_exit(0); /* Destructors of what was loaded prove nothing. */
}
