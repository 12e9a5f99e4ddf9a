# matrix: tables from libconfig files
libenvaudit_a_SOURCES += \
	auditor/matrix/libraries.h \
	auditor/matrix/rules.h
