/*
 * What the programs of cases run: does the dlopens that its arguments describe and says after each
 * what is loaded. A library of its own, so that programs can be written without a compiler; it uses
 * nothing of the C library's start-up code.
 *
 * An argument is FLAGS:CALLER:NAME, flags in hexadecimal, CALLER the path of a loaded object that
 * shall call (empty: the program). Output lines start with '@'.
 */
#include <elf.h>
#include <link.h>

/* The oldest version has them in every glibc, wherever they live there. */
#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5");
__asm__(".symver dlerror,dlerror@GLIBC_2.2.5");
#elif defined(__aarch64__) && defined(__GLIBC__)
__asm__(".symver dlopen,dlopen@GLIBC_2.17");
__asm__(".symver dlerror,dlerror@GLIBC_2.17");
#endif

extern void *dlopen(const char *name, int flags);
extern char *dlerror(void);

void oracle_driver(long *stack);

static long call_kernel(long number, long a, long b, long c)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#endif
}

#ifdef __x86_64__
enum { SYS_WRITE = 1, SYS_EXIT_GROUP = 231 };
#else
enum { SYS_WRITE = 64, SYS_EXIT_GROUP = 94 };
#endif

static char buffer[65536];
static unsigned long used;

static void flush(void)
{
	call_kernel(SYS_WRITE, 1, (long)buffer, (long)used);
	used = 0;
}

static void say(const char *text)
{
	while (*text) {
		if (used == sizeof(buffer))
			flush();
		buffer[used++] = *text++;
	}
}

static int same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static struct link_map *first_map(void)
{
	return dlopen(0, RTLD_LAZY);
}

static void say_maps(void)
{
	for (struct link_map *map = first_map(); map; map = map->l_next) {
		say("@map ");
		say(map->l_name);
		say("\n");
	}
}

static unsigned long parse_hex(const char **text)
{
	unsigned long value = 0;

	for (; **text && **text != ':'; ++*text)
		value = value * 16 +
			(unsigned long)(**text <= '9' ? **text - '0' : **text - 'a' + 10);
	return value;
}

/* The stub at a library's e_entry, or behind a program's, calls its argument with the other two. */
typedef void *(*stub)(void *(*fn)(const char *name, int flags), const char *name, long flags);

static stub find_stub(const char *path)
{
	for (struct link_map *map = first_map(); map; map = map->l_next) {
		const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;

		/* The first is the program, which musl names by its path. */
		if (!*path || same(map->l_name, path))
			return (stub)(map->l_addr + header->e_entry + (*path ? 0 : 16));
	}
	return 0;
}

static void do_open(char *text)
{
	const char *rest = text;
	int flags = (int)parse_hex(&rest);
	char *caller = (char *)rest + 1, *name = caller;
	void *handle;
	stub call;

	while (*name != ':')
		name++;
	*name++ = '\0';
	call = find_stub(caller);
	if (!call) {
		say("@nocaller\n");
		return;
	}
	say("@open\n");
	flush();
	handle = call(dlopen, name, flags);
	if (handle) {
		say("@ok ");
		say(((struct link_map *)handle)->l_name);
	} else {
		const char *error = dlerror();

		say(error ? "@error " : "@null");
		say(error ? error : "");
	}
	say("\n");
	say_maps();
}

void oracle_driver(long *stack)
{
	long argc = stack[0];
	char **argv = (char **)(stack + 1);

	say("@started\n");
	say_maps();
	for (long i = 1; i < argc; i++)
		do_open(argv[i]);
	say("@end\n");
	flush();
	call_kernel(SYS_EXIT_GROUP, 0, 0, 0);
}
