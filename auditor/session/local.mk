# session: scenarios run through the loader model
libenvaudit_a_SOURCES += \
	auditor/session/assumed.c auditor/session/assumed.h \
	auditor/session/beyond.c auditor/session/beyond.h \
	auditor/session/checks.c \
	auditor/session/condition.c auditor/session/condition.h \
	auditor/session/files.c auditor/session/files.h \
	auditor/session/listed.c auditor/session/listed.h \
	auditor/session/program.c auditor/session/program.h \
	auditor/session/session.c auditor/session/session.h \
	auditor/session/steps.c auditor/session/steps.h \
	auditor/session/view.c auditor/session/view.h \
	auditor/session/why.c auditor/session/why.h
