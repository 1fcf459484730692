#!/bin/bash
# Unpack a Debian with what install.sh would fetch of its packages: base.sh OUT.tar
#
# They are put in here, so that the table itself can be installed without a network.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/acceptance/appliance/common.sh
. "$here/common.sh"

[ $# -eq 1 ] || die "usage: base.sh OUT.tar"
root=$1.work
rm -rf "$root"
say "Debian $SUITE ..."
bootstrap "$root" amd64 "systemd,systemd-sysv,udev,kmod,passwd,e2fsprogs,python3,python3-venv,$(
)libgl1,libegl1,libgles2,libgbm1,libgl1-mesa-dri,libdrm2,libasound2"
# Nothing of the machine that it was made on stays.
rm -rf "$root"/etc/apt/sources.list* "$root/etc/apt/apt.conf.d/99mmdebstrap" \
    "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root/etc/resolv.conf" "$root/root/.cache"
find "$root"/usr/lib/python3* -name test -type d -prune -exec rm -rf {} +
tar -C "$root" -cf "$1.part" .
mv "$1.part" "$1"
rm -rf "$root"
say "base: $(du -sh "$1" | cut -f1)"
