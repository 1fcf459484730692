#!/bin/bash
# Make the machine's disk: disk.sh OUT.img BASE.tar KERNEL WHEELS
#
# The table is installed by systemd/install.sh as on any Debian, in a chroot and without a network.
# Only then come the things of the test: a camera and a header without a board, an agent that does
# what the test asks, a config with pins, and drop-ins that bear the slowness of an emulated machine.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/acceptance/appliance/common.sh
. "$here/common.sh"

[ $# -eq 4 ] || die "usage: disk.sh OUT.img BASE.tar KERNEL WHEELS"
image=$1 base=$2 kernel=$3 wheels=$4
root=$image.work
rm -rf "$root"
mkdir -p "$root"
tar -C "$root" -xf "$base"
within() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$root" "$@"; }

say "installing the table ..."
mkdir -p "$root/tmp/clone"
cp -r "$here/../../../systemd" "$root/tmp/clone"
cp -r "$wheels" "$root/tmp/wheels"
within /tmp/clone/systemd/install.sh --offline /tmp/wheels --no-start \
    --wheel "/tmp/wheels/$(basename "$(ls "$wheels"/boneace-*.whl)")" >&2 ||
    die "systemd/install.sh failed; what it said stands above"
within /opt/boneace/bin/python -c 'import lgpio' ||
    die "lgpio was not installed; see whether $wheels holds its wheel"
rm -rf "$root/tmp/clone" "$root/tmp/wheels"

say "things of the test ..."
cp -r "$kernel/root/lib/modules" "$root/usr/lib/"
guest=$here/guest
place=$root/usr/local/lib/appliance
install -D -m 755 -t "$place" "$guest/agent.py" "$guest/camera.py" "$guest/leak.py" "$guest/header"
install -D -m 644 -t "$root/etc/systemd/system" "$guest/appliance-agent.service" \
    "$guest/appliance-camera.service" "$guest/appliance-header.service"
install -D -m 644 "$guest/slow.conf" "$root/etc/systemd/system/boneace.service.d/slow.conf"
install -D -m 644 "$guest/slow-backup.conf" \
    "$root/etc/systemd/system/boneace-backup.service.d/slow.conf"
install -D -m 644 "$guest/config.toml" "$root/etc/boneace/config.toml"
install -D -m 644 "$guest/appliance.network" "$root/etc/systemd/network/appliance.network"
within systemctl --quiet enable appliance-agent.service appliance-header.service
# No logins and no housekeeping: an emulated machine has no time for them.
for unit in systemd-timesyncd.service serial-getty@ttyS0.service apt-daily.timer \
    apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service systemd-pstore.service systemd-binfmt.service \
    proc-sys-fs-binfmt_misc.automount; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
echo boneace >"$root/etc/hostname"
echo '/dev/vda / ext4 rw,noatime,errors=remount-ro 0 1' >"$root/etc/fstab"
ln -sf /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
: >"$root/etc/machine-id"
# The log stays over a power cut, as on a Raspberry Pi.
mkdir -p "$root/var/log/journal"

say "disk ..."
rm -f "$image"
mke2fs -q -t ext4 -F -L boneace -d "$root" -E lazy_itable_init=0,lazy_journal_init=0 \
    "$image.part" 3200M
mv "$image.part" "$image"
rm -rf "$root"
say "disk: $(du -sh "$image" | cut -f1)"
