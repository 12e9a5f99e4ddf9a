# matrix: tables from libconfig files
libenvaudit_a_SOURCES += \
	auditor/matrix/check.c auditor/matrix/check.h \
	auditor/matrix/check_tables.c auditor/matrix/check_tables.h \
	auditor/matrix/cfg.c auditor/matrix/cfg.h \
	auditor/matrix/compat.c auditor/matrix/compat.h \
	auditor/matrix/frameworks.c auditor/matrix/frameworks.h \
	auditor/matrix/libraries.c auditor/matrix/libraries.h \
	auditor/matrix/matrix.c auditor/matrix/matrix.h \
	auditor/matrix/packages.c \
	auditor/matrix/config.c auditor/matrix/config.h \
	auditor/matrix/rules.c auditor/matrix/rules.h \
	auditor/matrix/steps.c auditor/matrix/steps.h \
	auditor/matrix/symptoms.c auditor/matrix/symptoms.h \
	auditor/matrix/tables.c auditor/matrix/tables.h
