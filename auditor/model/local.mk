# model: plain data and the provider interface
libenvaudit_a_SOURCES += \
	auditor/model/component.c auditor/model/component.h \
	auditor/model/copy.c auditor/model/copy.h \
	auditor/model/elf.c auditor/model/elf.h \
	auditor/model/family.c auditor/model/family.h \
	auditor/model/finding.h \
	auditor/model/gap.c auditor/model/gap.h \
	auditor/model/framework.c auditor/model/framework.h \
	auditor/model/launch.h \
	auditor/model/provider.h \
	auditor/model/python.h \
	auditor/model/request.c auditor/model/request.h \
	auditor/model/session.c auditor/model/session.h \
	auditor/model/target.h \
	auditor/model/world.c auditor/model/world.h
