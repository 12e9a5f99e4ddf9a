# base: memory, text, errors, versions, checked numbers, patterns, buffered output; no domain words
libenvaudit_a_SOURCES += \
	auditor/base/arena.c auditor/base/arena.h \
	auditor/base/attr.h \
	auditor/base/buf.c auditor/base/buf.h \
	auditor/base/err.c auditor/base/err.h \
	auditor/base/escape.c auditor/base/escape.h \
	auditor/base/limits.h \
	auditor/base/num.h \
	auditor/base/out.c auditor/base/out.h \
	auditor/base/path.c auditor/base/path.h \
	auditor/base/pattern.c auditor/base/pattern.h \
	auditor/base/range.c auditor/base/range.h \
	auditor/base/str.c auditor/base/str.h \
	auditor/base/table.h \
	auditor/base/vec.h \
	auditor/base/version.c auditor/base/version.h
