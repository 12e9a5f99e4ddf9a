# loader: what the dynamic loader does, for glibc by version and musl
libenvaudit_a_SOURCES += \
	auditor/loader/bind.c \
	auditor/loader/cache.c auditor/loader/cache.h \
	auditor/loader/candidate.c \
	auditor/loader/conf.c auditor/loader/conf.h \
	auditor/loader/cpu.c \
	auditor/loader/deps.c \
	auditor/loader/dirs.c \
	auditor/loader/facts.c auditor/loader/facts.h \
	auditor/loader/hwcaps.c \
	auditor/loader/interp.c auditor/loader/interp.h \
	auditor/loader/loader.h \
	auditor/loader/map.c \
	auditor/loader/musl.c auditor/loader/musl.h \
	auditor/loader/musl_bind.c \
	auditor/loader/musl_load.c \
	auditor/loader/names.c \
	auditor/loader/open.c \
	auditor/loader/policy.c auditor/loader/policy.h \
	auditor/loader/process.c auditor/loader/process.h \
	auditor/loader/scope.c \
	auditor/loader/search.c \
	auditor/loader/sort.c \
	auditor/loader/start.c \
	auditor/loader/tokens.c auditor/loader/tokens.h \
	auditor/loader/versions.c
