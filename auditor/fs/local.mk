# fs: root, layers, sources, bounded reads
libenvaudit_a_SOURCES += \
	auditor/fs/root.h \
	auditor/fs/source.h
