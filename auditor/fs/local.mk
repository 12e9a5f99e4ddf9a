# fs: root, layers, sources, bounded reads
libenvaudit_a_SOURCES += \
	auditor/fs/file.c \
	auditor/fs/folder.c auditor/fs/folder.h \
	auditor/fs/folder_walk.c \
	auditor/fs/layers.c auditor/fs/layers.h \
	auditor/fs/layers_list.c \
	auditor/fs/root.c auditor/fs/root.h \
	auditor/fs/source.h \
	auditor/fs/walk.c auditor/fs/walk.h
