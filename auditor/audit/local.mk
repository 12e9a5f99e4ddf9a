# audit: target -> world -> rules, one call
libenvaudit_a_SOURCES += \
	auditor/audit/audit.c auditor/audit/audit.h \
	auditor/audit/consumers.c auditor/audit/consumers.h
