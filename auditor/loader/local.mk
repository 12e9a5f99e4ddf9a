# loader: what the dynamic loader does, for glibc by version and musl
libenvaudit_a_SOURCES += \
	auditor/loader/loader.h
