# fix: fixes tried on copies of the scenarios
libenvaudit_a_SOURCES += auditor/fix/fix.c auditor/fix/fix.h
