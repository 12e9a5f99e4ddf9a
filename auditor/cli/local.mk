# cli: one file per command; the only place that prints and exits
bin_PROGRAMS += envaudit
envaudit_SOURCES = auditor/cli/main.c
envaudit_CFLAGS = $(AM_CFLAGS) $(EA_STRICT_CFLAGS)
envaudit_LDADD = $(EA_LIBS)
