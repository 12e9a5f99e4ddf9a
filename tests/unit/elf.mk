# unit tests of auditor/elf
