#!/bin/sh
# The cases under the machine's own musl, where it has one beside its C library.
for loader in /lib/ld-musl-*.so.1; do
	[ -e "$loader" ] || exit 77
done
exec "${top_builddir:-.}/tests/oracle/loader_cases" --root /
