#!/bin/sh
# Generates configure and Makefile.in; needs autoconf, automake, autoconf-archive and pkg-config.
set -eu
cd "$(dirname "$0")"
exec autoreconf --install --warnings=all
