# What install.sh and uninstall.sh share; sourced, not run.
# shellcheck shell=bash disable=SC2034

USER_NAME=boneace
# Who serves the pages, and the group of the socket by which the table tells what happens.
WEB_USER=boneace-web
FEED_GROUP=boneace-feed
# A link to the program in use, and the folder with the programs.
PROGRAM=/opt/boneace
SLOTS=/opt/boneace.d
CONFIG=/etc/boneace/config.toml
STATE=/var/lib/boneace
CACHE=/var/cache/boneace
UNITS=/etc/systemd/system
WRAPPER=/usr/local/bin/boneace
RULES=/etc/udev/rules.d/60-boneace-gpio.rules
STICK=/media/boneace

# Units in the folder of this file, and those of them that are switched on.
ALL_UNITS="boneace.service boneace-trouble.service boneace-backup.service boneace-backup.timer
    boneace-power-off.path boneace-power-off.service boneace-hall.service boneace-publish.service
    boneace-web.service media-boneace.mount"
ENABLED="boneace.service boneace-backup.service boneace-backup.timer boneace-power-off.path
    boneace-hall.service boneace-publish.service boneace-web.service media-boneace.mount"

# Folder under which everything is written; empty for the running system.
root=

say() { printf '%s\n' "$*"; }
warn() { printf 'careful: %s\n' "$*" >&2; }
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}
misused() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 2
}

# Whether systemd runs here and is the one that was installed into.
is_running() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# Whether a group or user is there: in files under another root, else wherever the system looks.
is_known() { # passwd|group NAME
    if [ -n "$root" ]; then
        grep -q "^$2:" "$root/etc/$1" 2>/dev/null
    else
        getent "$1" "$2" >/dev/null
    fi
}

need_root() {
    [ "$(id -u)" -eq 0 ] || die "must be run as root: sudo $0"
}

check_root_folder() {
    [ -z "$root" ] && return
    [ -d "$root/etc" ] || die "$root: holds no system; name the folder that holds etc and usr"
    root=$(cd "$root" && pwd)
    [ "$root" != / ] || root=
}
