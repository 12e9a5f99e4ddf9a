# report: one walk over the result into a writer
libenvaudit_a_SOURCES += \
	auditor/report/baseline.c auditor/report/baseline.h \
	auditor/report/copies.c auditor/report/copies.h \
	auditor/report/environment.c auditor/report/environment.h \
	auditor/report/formats.h \
	auditor/report/github.c \
	auditor/report/json.c \
	auditor/report/json_sessions.c auditor/report/json_sessions.h \
	auditor/report/layout.c auditor/report/layout.h \
	auditor/report/report.c auditor/report/report.h \
	auditor/report/sarif.c \
	auditor/report/sessions.c auditor/report/sessions.h \
	auditor/report/tables.c auditor/report/tables.h \
	auditor/report/text.c \
	auditor/report/tree.c \
	auditor/report/values.c auditor/report/values.h \
	auditor/report/why.c
