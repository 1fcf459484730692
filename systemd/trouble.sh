#!/bin/sh
# Run by boneace-trouble.service when boneace has failed again and again: says on the console what
# is wrong, and tries once more after a while. A table at a fair has nobody to log in.
# Usage: trouble.sh [SECONDS [SCREEN]]
set -eu
wait_s=${1:-300}
screen=${2:-/dev/tty1}

tell() {
    printf '\033c'
    echo "Bone-Ace does not start. Nothing is lost: every event is in its journal."
    echo
    echo "The last it said:"
    journalctl --unit=boneace.service --priority=err --lines=6 --output=cat --no-pager 2>/dev/null |
        cut -c 1-200 || true
    echo
    echo "It is tried again in $((wait_s / 60)) minutes, or at once by switching off and on."
    echo "To look closer: press Alt-F2, log in, and run: sudo boneace doctor"
}

# Without a screen it is tried again all the same.
if [ -w "$screen" ]; then
    tell >"$screen" || true
fi
sleep "$wait_s"
systemctl reset-failed boneace.service
# This ends the present unit as well: the two are in conflict.
systemctl start --no-block boneace.service
