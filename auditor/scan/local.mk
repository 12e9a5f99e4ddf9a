# scan: target detection, walk, workers; builds the world
libenvaudit_a_SOURCES += \
	auditor/scan/around.c auditor/scan/around.h \
	auditor/scan/candidate.c auditor/scan/candidate.h \
	auditor/scan/duplicates.c \
	auditor/scan/merge.c auditor/scan/merge.h \
	auditor/scan/objects.c auditor/scan/objects.h \
	auditor/scan/owners.c \
	auditor/scan/paths.c auditor/scan/paths.h \
	auditor/scan/pool.c auditor/scan/pool.h \
	auditor/scan/provider.c auditor/scan/provider.h \
	auditor/scan/scan.c auditor/scan/scan.h \
	auditor/scan/seen.c auditor/scan/seen.h \
	auditor/scan/target.c auditor/scan/target.h \
	auditor/scan/verify.c auditor/scan/verify.h \
	auditor/scan/versions.c \
	auditor/scan/walk.c auditor/scan/walk.h
