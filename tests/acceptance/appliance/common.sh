# What the scripts that build the machine share; sourced, not run.
# shellcheck shell=bash

set -euo pipefail

SUITE=bookworm
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*" >&2; }
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# The mirrors that apt is set to use here; Debian's own where it is set to none for this release.
sources() {
    local found
    found=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$SUITE" '$1 == suite || $1 == suite "-updates" || $1 == suite "-security"' |
        sort -u)
    [ -n "$found" ] || found="$SUITE http://deb.debian.org/debian
$SUITE-updates http://deb.debian.org/debian
$SUITE-security http://deb.debian.org/debian-security"
    local name address
    while read -r name address; do
        echo "deb [signed-by=$KEYRING] $address $name main"
    done <<<"$found"
}

# debootstrap DIR ARCH PACKAGES [more options of mmdebstrap]
bootstrap() {
    local place=$1 arch=$2 packages=$3 settings
    shift 3
    settings=$(mktemp)
    # A proxy and the like that this machine needs for its mirror.
    apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries)' >"$settings" || true
    sources | mmdebstrap --quiet --mode=root --variant=apt --architectures="$arch" \
        --include="$packages" --aptopt="$settings" --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$@" "$SUITE" "$place" -
    rm -f "$settings"
}
