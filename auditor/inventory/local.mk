# inventory: Python environments, dist-info, conda-meta, dpkg, rpm, CUDA toolkits, driver, host
libenvaudit_a_SOURCES += \
	auditor/inventory/claims.c \
	auditor/inventory/conda.c auditor/inventory/conda.h \
	auditor/inventory/conda_files.c auditor/inventory/conda_record.c \
	auditor/inventory/cuda_root.c \
	auditor/inventory/database.c auditor/inventory/database.h \
	auditor/inventory/dist_info.c \
	auditor/inventory/dpkg.c \
	auditor/inventory/driver.c \
	auditor/inventory/host.c \
	auditor/inventory/inventory.c auditor/inventory/inventory.h \
	auditor/inventory/json.c auditor/inventory/json.h \
	auditor/inventory/lines.c auditor/inventory/lines.h \
	auditor/inventory/metadata.c auditor/inventory/metadata.h \
	auditor/inventory/python.c \
	auditor/inventory/read.h \
	auditor/inventory/record.c auditor/inventory/record.h \
	auditor/inventory/rpm.c \
	auditor/inventory/sys_path.c auditor/inventory/sys_path.h \
	auditor/inventory/toolkit.c auditor/inventory/toolkit.h
