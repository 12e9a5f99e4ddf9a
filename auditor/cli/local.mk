# cli: one file per command; the only place that prints and exits
bin_PROGRAMS += envaudit
envaudit_SOURCES = \
	auditor/cli/cli.h \
	auditor/cli/cmd_audit.c \
	auditor/cli/cmd_check_matrix.c \
	auditor/cli/cmd_explain.c \
	auditor/cli/cmd_list.c \
	auditor/cli/cmd_symptoms.c \
	auditor/cli/cmd_tree.c \
	auditor/cli/cmd_why.c \
	auditor/cli/commands.def \
	auditor/cli/datadir.c auditor/cli/datadir.h \
	auditor/cli/env.c \
	auditor/cli/help.c \
	auditor/cli/main.c \
	auditor/cli/options.c auditor/cli/options.def auditor/cli/options.h \
	auditor/cli/output.c auditor/cli/output.h \
	auditor/cli/progress.c auditor/cli/progress.h \
	auditor/cli/targets.c auditor/cli/targets.h
envaudit_CFLAGS = $(AM_CFLAGS) $(EA_STRICT_CFLAGS)
envaudit_LDADD = $(EA_LIBS)
