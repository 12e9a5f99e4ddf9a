# session: scenarios run through the loader model
libenvaudit_a_SOURCES += \
	auditor/session/beyond.c auditor/session/beyond.h \
	auditor/session/session.c auditor/session/session.h \
	auditor/session/why.c auditor/session/why.h
