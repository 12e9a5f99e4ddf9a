# inventory: Python environments, dist-info, conda-meta, dpkg, rpm, CUDA toolkits, driver, host
libenvaudit_a_SOURCES += \
	auditor/inventory/inventory.h
