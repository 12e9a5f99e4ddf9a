# elf: ELF facts, symbols on demand, version getters, fatbins
libenvaudit_a_SOURCES += \
	auditor/elf/elf.h
