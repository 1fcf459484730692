#!/bin/bash
# Build what Debian's kernel leaves out: kernel.sh OUT
#
# gpio-sim (a header without a board) and v4l2loopback (a camera that a program feeds), from
# Debian's own sources. OUT gets vmlinuz, initrd.img and root/lib/modules; OUT is made.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/acceptance/appliance/common.sh
. "$here/common.sh"

[ $# -eq 1 ] || die "usage: kernel.sh OUT"
out=$1
work=$out.work
# Only these and what they need are taken along: all of Debian's modules are 300 MB.
WANTED="virtio_pci virtio_blk virtio_console virtio_rng ext4 configfs autofs4 evdev virtio_input
    bochs gpio-sim v4l2loopback virtio_net xhci_pci usb_storage sd_mod vfat nls_cp437 nls_ascii nls_utf8"
FIRST="virtio_pci virtio_blk ext4"

rm -rf "$out" "$work"
mkdir -p "$out"
say "compiler, kernel and sources ..."
cat >"$out/fetch" <<'END'
#!/bin/sh
# The kernel and the sources are unpacked, not installed: no hook runs, no initrd is made.
set -eu
cd "$1/opt"
image=$(chroot "$1" apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
sources=$(chroot "$1" apt-cache depends linux-source | awk '/Depends:/ { print $2; exit }')
chroot "$1" sh -c "cd /opt && apt-get -qq -o APT::Sandbox::User=root download $image $sources v4l2loopback-dkms"
for each in *.deb; do
    dpkg-deb --fsys-tarfile "$each" | tar -x -C "$1" --keep-directory-symlink
    rm "$each"
done
END
chmod +x "$out/fetch"
bootstrap "$work" amd64 gcc,make,xz-utils,kmod,busybox-static,linux-headers-amd64 \
    --customize-hook="'$out/fetch' \"\$1\""
rm "$out/fetch"
version=$(ls "$work/boot" | sed -n 's/^vmlinuz-//p' | sort -V | tail -1)

say "modules for $version ..."
build=$work/opt/modules
mkdir "$build"
packed=$(ls "$work"/usr/src/linux-source-*.tar.xz | tail -1)
tree=$(basename "$packed" .tar.xz)
tar -C "$work/opt" -xJf "$packed" "$tree/drivers/gpio" "$tree/kernel/irq/irq_sim.c"
cp "$work/opt/$tree"/drivers/gpio/*.h "$work"/usr/src/v4l2loopback-*/*.[ch] "$build"
# Debian's kernel has no interrupt simulator either: it goes into the same module. What it calls
# inside the kernel is closed to modules; generic_handle_irq does the same.
cp "$work/opt/$tree/drivers/gpio/gpio-sim.c" "$build/header.c"
sed -e '/^EXPORT_/d' -e 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' \
    "$work/opt/$tree/kernel/irq/irq_sim.c" >"$build/interrupts.c"
printf '%s\n' 'obj-m += gpio-sim.o v4l2loopback.o' 'gpio-sim-y := header.o interrupts.o' \
    >"$build/Makefile"
chroot "$work" make -s -j"$(nproc)" -C "/lib/modules/$version/build" M=/opt/modules modules ||
    die "the modules could not be compiled; look above at what the compiler says"
chroot "$work" strip --strip-debug /opt/modules/gpio-sim.ko /opt/modules/v4l2loopback.ko
install -D -t "$work/lib/modules/$version/extra" "$build/gpio-sim.ko" "$build/v4l2loopback.ko"
chroot "$work" depmod "$version"

say "choosing ..."
files_of() { # NAMES: the files of modules and of what they need, in the order of loading
    local name
    for name in "$@"; do
        chroot "$work" modprobe -S "$version" --show-depends "$name" ||
            die "Debian's kernel has no module $name any more; change WANTED"
    done | awk '$1 == "insmod" && !seen[$2]++ { print substr($2, 2) }'
}
# shellcheck disable=SC2086
mkdir "$work/opt/chosen"
# shellcheck disable=SC2086
files_of $WANTED | tar -C "$work" -c -T - | tar -C "$work/opt/chosen" -x
cp "$work/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} \
    "$work/opt/chosen/lib/modules/$version"
chroot "$work" depmod -b /opt/chosen "$version"
cp -r "$work/opt/chosen" "$out/root"
cp "$work/boot/vmlinuz-$version" "$out/vmlinuz"

ram=$work/opt/ram
mkdir -p "$ram"/{bin,dev,proc,sys,new,mod}
cp "$work/bin/busybox" "$ram/bin"
number=10
# shellcheck disable=SC2086
for file in $(files_of $FIRST); do
    cp "$work/$file" "$ram/mod/$number-$(basename "$file")"
    number=$((number + 1))
done
install -m 755 "$here/guest/first-init" "$ram/init"
(cd "$ram" && find . | cpio --quiet -o -H newc | gzip -1) >"$out/initrd.img"
rm -rf "$work"
say "kernel: $(du -sh "$out" | cut -f1)"
