#!/bin/bash
# Unpack the Python of Debian for a Raspberry Pi, with the libraries that wheels take from the
# system: arm64.sh OUT. Nothing is installed and nothing of it is run: no root file system is made.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/acceptance/appliance/common.sh
. "$here/common.sh"

[ $# -eq 1 ] || die "usage: arm64.sh OUT"
rm -rf "$1.part"
say "Debian $SUITE for arm64 ..."
bootstrap "$1.part" arm64 python3,libgl1,libegl1,libgles2,libgbm1,libasound2 --variant=extract
mv "$1.part" "$1"
say "arm64: $(du -sh "$1" | cut -f1)"
