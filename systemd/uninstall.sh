#!/bin/bash
# Remove boneace; its journal stays, unless it is told to go as well.
set -euo pipefail

usage() {
    cat <<'END'
Usage: sudo ./systemd/uninstall.sh [--purge] [--root DIR]

Removes the program, the units and the config. The state in /var/lib/boneace stays, with the
journal, its copies and the config, and the user boneace whom it belongs to; install.sh takes
them up again. A hall's settings and password stay in /etc/boneace.

  --purge      remove these and the user as well: all games are forgotten
  --root DIR   remove it from the system below DIR
  -h, --help   this text
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=systemd/common.sh
. "$here/common.sh"

purge=no
while [ $# -gt 0 ]; do
    case $1 in
        --purge) purge=yes ;;
        --root)
            [ $# -ge 2 ] || misused "--root needs a folder; see --help"
            root=$2
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) misused "unknown option $1; see --help" ;;
    esac
    shift
done
need_root
check_root_folder

for unit in $ENABLED $ALL_UNITS; do
    [ -e "$root$UNITS/$unit" ] || continue
    if is_running; then
        systemctl stop "$unit" || true
    fi
    systemctl ${root:+--root "$root"} disable --quiet "$unit" 2>/dev/null || true
done
for unit in $ALL_UNITS; do
    rm -f "$root$UNITS/$unit"
done
if is_running; then
    systemctl daemon-reload
    systemctl reset-failed 'boneace*' 2>/dev/null || true
fi

if [ "$purge" = no ] && [ -d "$root$STATE" ] && [ -e "$root$CONFIG" ]; then
    install -m 644 "$root$CONFIG" "$root$STATE/config.toml.kept"
fi
rm -f "$root$WRAPPER" "$root$RULES" "$root$CONFIG"
rm -rf "${root}${PROGRAM:?}" "${root}${SLOTS:?}" "${root}${CACHE:?}"
[ "$purge" = no ] || rm -rf "$root$(dirname "${CONFIG:?}")"
rmdir "$root$(dirname "$CONFIG")" 2>/dev/null || true # what a hall has there stays
rmdir "$root$STICK" 2>/dev/null || true
if [ "$purge" = yes ]; then
    rm -rf "${root}${STATE:?}"
    for each in "$USER_NAME" "$WEB_USER"; do
        ! is_known passwd "$each" || userdel ${root:+--prefix "$root"} "$each"
    done
    ! is_known group "$FEED_GROUP" || groupdel ${root:+--prefix "$root"} "$FEED_GROUP"
    say "Removed, and all games forgotten."
else
    say "Removed. The games are still in $STATE; to forget them: $0 --purge"
fi
