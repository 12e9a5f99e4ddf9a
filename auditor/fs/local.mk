# fs: root, layers, sources, bounded reads
libenvaudit_a_SOURCES += \
	auditor/fs/file.c \
	auditor/fs/folder.c auditor/fs/folder.h \
	auditor/fs/folder_walk.c \
	auditor/fs/image.c auditor/fs/image.h \
	auditor/fs/image_blob.c auditor/fs/image_blob.h \
	auditor/fs/image_config.c \
	auditor/fs/image_layer.c auditor/fs/image_layer.h \
	auditor/fs/image_legacy.c \
	auditor/fs/image_manifest.c \
	auditor/fs/image_source.c auditor/fs/image_source.h \
	auditor/fs/image_store.c auditor/fs/image_store.h \
	auditor/fs/image_stream.c auditor/fs/image_stream.h \
	auditor/fs/image_tar.c auditor/fs/image_tar.h \
	auditor/fs/image_tarhead.c \
	auditor/fs/image_tarlib.c \
	auditor/fs/image_tree.c auditor/fs/image_tree.h \
	auditor/fs/layers.c auditor/fs/layers.h \
	auditor/fs/layers_list.c \
	auditor/fs/root.c auditor/fs/root.h \
	auditor/fs/source.h \
	auditor/fs/walk.c auditor/fs/walk.h
