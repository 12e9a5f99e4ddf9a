# audit: target -> world -> rules, one call
libenvaudit_a_SOURCES += \
	auditor/audit/audit.c auditor/audit/audit.h \
	auditor/audit/chosen.c auditor/audit/chosen.h \
	auditor/audit/consumers.c auditor/audit/consumers.h \
	auditor/audit/extensions.c auditor/audit/extensions.h \
	auditor/audit/container.c auditor/audit/container.h \
	auditor/audit/image.c auditor/audit/image.h \
	auditor/audit/installed.c auditor/audit/installed.h
