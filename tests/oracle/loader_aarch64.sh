#!/bin/sh
# The cases under the loader of 64-bit Arm, emulated, where a cross compiler brings its C library.
top=${top_builddir:-.} root=/usr/aarch64-linux-gnu
for file in "$root/lib/libc.so.6" /usr/bin/aarch64-linux-gnu-gcc /usr/bin/qemu-aarch64-static; do
	[ -e "$file" ] || exit 77
done
mkdir -p "$top/tests/oracle/aarch64/tests/oracle" &&
	aarch64-linux-gnu-gcc -shared -fPIC -O1 -nostdlib -fno-stack-protector \
		-o "$top/tests/oracle/aarch64/tests/oracle/driver.so" \
		"${top_srcdir:-.}/tests/oracle/driver.c" -Wl,-soname,libdriver.so \
		-Wl,--no-as-needed -l:libc.so.6 -l:libdl.so.2 &&
	top_builddir=$top/tests/oracle/aarch64 "$top/tests/oracle/loader_cases" --root "$root"
