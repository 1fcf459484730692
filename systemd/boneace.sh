#!/bin/sh
# The command boneace of an installed table. Root becomes the table's own user, with its journal
# and its screen: `sudo boneace ledger`. Anybody else runs the program as their own user.
set -eu
# ONNX Runtime sends usage data to its maker unless this is set.
export ORT_DISABLE_TELEMETRY=1
if [ "$(id -u)" -eq 0 ]; then
    cd /
    exec runuser -u boneace -- env HOME=/var/lib/boneace STATE_DIRECTORY=/var/lib/boneace \
        XDG_CACHE_HOME=/var/cache/boneace SDL_VIDEODRIVER="${SDL_VIDEODRIVER:-kmsdrm}" \
        PYTHONSAFEPATH=1 /opt/boneace/bin/boneace "$@"
fi
PYTHONSAFEPATH=1 exec /opt/boneace/bin/boneace "$@"
