# elf: ELF facts, symbols on demand, version getters, fatbins
libenvaudit_a_SOURCES += \
	auditor/elf/code.h auditor/elf/code_a64.c auditor/elf/code_x86.c \
	auditor/elf/dynamic.c \
	auditor/elf/elf.h \
	auditor/elf/fatbin.c auditor/elf/fatbin.h auditor/elf/fatbin_wrappers.c \
	auditor/elf/image.c auditor/elf/image.h \
	auditor/elf/notes.c \
	auditor/elf/parts.h \
	auditor/elf/read.c \
	auditor/elf/sections.c auditor/elf/sections.h \
	auditor/elf/sniff.c auditor/elf/sniff.h \
	auditor/elf/symtab.c auditor/elf/symtab.h \
	auditor/elf/undefined.c \
	auditor/elf/version.c auditor/elf/version.h auditor/elf/version_code.c \
	auditor/elf/versions.c
