#!/bin/sh
# Runs a cmocka program. Old versions of cmocka call a skipped test "not ok", which TAP counts as failed.
output=$("$@")
status=$?
printf '%s\n' "$output" | sed 's,^not ok \([0-9][0-9]* # SKIP\),ok \1,'
exit $status
