#!/bin/bash
# Install boneace as a service, or bring an installed one up to date; run it as often as you like.
set -euo pipefail
umask 022

usage() {
    cat <<'END'
Usage: sudo ./systemd/install.sh [OPTIONS]

Installs boneace on Raspberry Pi OS (Bookworm, Trixie) or Debian (12, 13): system packages, the
user boneace, the program in /opt/boneace, the config in /etc/boneace/config.toml, the state in
/var/lib/boneace, and the units. What is there of config and state is kept.

  --no-start             install and switch on, but start nothing now (for making images)
  --offline WHEELHOUSE   fetch nothing: take Python packages from this folder of wheels, and no
                         system packages
  --wheel FILE           install this wheel of boneace, not the clone that this script is in
  --no-packages          leave the system packages as they are
  --console              start the machine to the console, as the desktop would keep the screen
  --root DIR             install into the system below DIR, whose Python must be the same as the
                         one here; implies --no-start and --no-packages
  --python PROGRAM       the Python to use; default: python3
  -h, --help             this text
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=systemd/common.sh
. "$here/common.sh"

# Python packages come from requirements.lock alone: what the table needs, what builds its wheel,
# and what it can do without; each with all that it depends on.
LOCK=$here/requirements.lock
NEEDED="annotated-types babel colorzero gpiozero numpy opencv-python-headless pydantic pydantic-core pygame-ce setuptools typing-extensions typing-inspection"
BUILDER="hatchling packaging pathspec pluggy tomlkit trove-classifiers"
LGPIO="lgpio"
ONNXRUNTIME="flatbuffers numpy onnxruntime packaging protobuf"
REPORTLAB="charset-normalizer pillow reportlab"
SIMPLEJPEG="simplejpeg"
HALL="aiomqtt anyio click h11 idna jinja2 markupsafe paho-mqtt segno starlette typing-extensions uvicorn"

# Room that the program takes on the disk, with all its packages.
NEEDED_MB=600

start=yes
packages=yes
console=no
wheelhouse=
wheel=
python=python3
while [ $# -gt 0 ]; do
    case $1 in
        --no-start) start=no ;;
        --no-packages) packages=no ;;
        --console) console=yes ;;
        --offline | --wheel | --root | --python)
            [ $# -ge 2 ] || misused "$1 needs a value; see --help"
            case $1 in
                --offline) wheelhouse=$2 packages=no ;;
                --wheel) wheel=$2 ;;
                --root) root=$2 start=no packages=no ;;
                --python) python=$2 ;;
            esac
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

check_what_is_asked() {
    need_root
    check_root_folder
    if [ -n "$wheelhouse" ]; then
        [ -d "$wheelhouse" ] || die "$wheelhouse: no such folder; make it with: pip download --require-hashes --dest $wheelhouse -r $LOCK"
        wheelhouse=$(cd "$wheelhouse" && pwd)
        [ -n "$wheel" ] || wheel=$(first "$wheelhouse"/boneace-*.whl)
    fi
    if [ -n "$wheel" ]; then
        [ -f "$wheel" ] || die "$wheel: no such file; make it with: pip wheel --no-deps ."
        wheel=$(cd "$(dirname "$wheel")" && pwd)/$(basename "$wheel")
    elif [ ! -f "$here/../pyproject.toml" ]; then
        # An installed copy of this script has no clone around it.
        die "there is no clone around $here; name a wheel with --wheel"
    fi
    local version_id='' codename=''
    if [ -r "$root/etc/os-release" ]; then
        # shellcheck disable=SC1091
        version_id=$(. "$root/etc/os-release" && echo "${VERSION_ID:-}")
        # shellcheck disable=SC1091
        codename=$(. "$root/etc/os-release" && echo "${VERSION_CODENAME:-}")
    fi
    case $version_id in
        12 | 13) ;;
        *) warn "made for Debian 12 and 13, this is ${codename:-something else}; going on" ;;
    esac
}

install_packages() {
    [ "$packages" = yes ] || return 0
    if ! command -v apt-get >/dev/null; then
        warn "no apt-get here: install Python's venv, libgl1, lgpio and espeak-ng yourself"
        return 0
    fi
    say "System packages ..."
    apt_get update -qq || warn "the list of packages could not be fetched; going on with the old one"
    # libgl1 and Mesa: without them SDL shows a black screen on the console, and says nothing.
    local needed="python3 python3-venv libgl1 libegl1 libgles2 libgbm1 libgl1-mesa-dri libdrm2"
    local wanted="python3-lgpio espeak-ng libasound2t64 libasound2"
    if is_a_pi; then
        wanted="python3-picamera2 $wanted"
    fi
    local name
    for name in $wanted; do
        # Debian has no picamera2, and the sound library's name changed with Trixie.
        if is_installable "$name"; then
            case "$name $needed" in
                "libasound2 "*libasound2t64*) ;;
                *) needed="$needed $name" ;;
            esac
        else
            say "  $name is not to be had here: left out"
        fi
    done
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt_get install -qq -y --no-install-recommends $needed >/dev/null ||
        die "the packages could not be installed; look at what apt-get says above, then run this again"
}

# A network that is down is given up soon: a table waits.
export PIP_RETRIES=${PIP_RETRIES:-2}
apt_get() {
    apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 "$@"
}

is_a_pi() {
    grep -qi 'raspberry pi' /proc/device-tree/model 2>/dev/null
}

is_installable() {
    # A name that other packages only mention, or provide, has no candidate of its own.
    LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

make_user() {
    local each groups=
    for each in video render input gpio audio boneace-feed; do
        is_known group "$each" || {
            groupadd ${root:+--prefix "$root"} --system "$each"
            say "Group $each made."
        }
        groups=$groups${groups:+,}$each
    done
    if is_known passwd "$USER_NAME"; then
        usermod ${root:+--prefix "$root"} --append --groups "$groups" "$USER_NAME"
    else
        useradd ${root:+--prefix "$root"} --system --user-group --home-dir "$STATE" \
            --no-create-home --shell /usr/sbin/nologin --groups "$groups" "$USER_NAME"
        say "User $USER_NAME made, in the groups $groups."
    fi
    is_known passwd "$WEB_USER" || {
        useradd ${root:+--prefix "$root"} --system --user-group --home-dir /nonexistent \
            --no-create-home --shell /usr/sbin/nologin --groups "$FEED_GROUP" "$WEB_USER"
        say "User $WEB_USER made."
    }
}

# The venv sees the system's packages where those of the board come from there.
sees_the_system() {
    (cd / && "$python" -c '
import importlib.util as util, sys
sys.exit(not (util.find_spec("picamera2") or util.find_spec("lgpio")))' 2>/dev/null)
}

# The new program is built beside the old one, which goes on playing. Each lies in a folder of its
# own below $SLOTS, and $PROGRAM is a link to the one in use: one rename switches over.
make_program() {
    local sees=false
    if [ -z "$root" ] && sees_the_system; then
        sees=true
    fi
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        die "$python cannot be run or is older than Python 3.11; use Debian 12 or newer"
    work=$(mktemp -d)
    # Building must not take the time of a table that plays.
    renice -n 10 $$ >/dev/null 2>&1 || true
    if [ -z "$wheel" ]; then
        say "Building boneace ..."
        build_wheel
    fi
    local made_from used=$root$PROGRAM
    made_from="$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])') $sees $(cat "$wheel" "$LOCK" | sha256sum)"
    if [ "$(cat "$used/.made-from" 2>/dev/null)" = "$made_from" ]; then
        say "The program is this one already: kept."
        get_optional "$used" "$sees"
        return 0
    fi
    place=$root$SLOTS/a
    [ ! "$used" -ef "$place" ] || place=$root$SLOTS/b
    rm -rf "$place"
    mkdir -p "$root$SLOTS"
    check_room
    say "Installing $(basename "$wheel") ..."
    make_environment "$place" "$sees"
    install_pinned "$place" "$NEEDED" ||
        die "the Python packages could not be installed (see above); $(cure)"
    "$place/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --no-deps --no-index "$wheel" ||
        die "boneace could not be installed from $wheel; build it anew"
    local unmet
    unmet=$("$place/bin/python" -m pip check | grep '^boneace ' || true)
    [ -z "$unmet" ] || die "$LOCK is not of this version: $unmet; use the install.sh that belongs to $(basename "$wheel")"
    "$place/bin/python" "$here/carry_additions.py" "$used" || true
    get_optional "$place" "$sees"
    try_program
    if [ -n "$root" ]; then
        # The programs name the folder that they were made in; on that system it is another.
        grep -rlIZ --fixed-strings "$root" "$place/bin" "$place/pyvenv.cfg" |
            xargs -0 --no-run-if-empty sed -i "s|$root$SLOTS|$SLOTS|g"
    fi
    echo "$made_from" >"$place/.made-from"
    # After a power cut the link must not lead to files that never reached the disk.
    sync -f "$place"
    switch=yes
}

make_environment() { # PLACE SEES
    local flag=
    [ "$2" = false ] || flag=--system-site-packages
    # shellcheck disable=SC2086
    "$python" -m venv $flag "$1" ||
        die "the environment could not be made; run: sudo apt install python3-venv"
}

build_wheel() {
    local builder=$work/environment
    make_environment "$builder" false
    install_pinned "$builder" "$BUILDER" ||
        die "what builds boneace could not be installed (see above); $(cure)"
    # From a copy: building leaves nothing behind in the clone, which may be somebody's own.
    "$builder/bin/python" -m pip --disable-pip-version-check --no-input wheel --quiet --no-index --no-deps \
        --no-build-isolation --wheel-dir "$work" "$here/.." ||
        die "boneace could not be built (see above); get a new clone"
    wheel=$(first "$work"/boneace-*.whl)
}

cure() {
    if [ -n "$wheelhouse" ]; then
        echo "fill the folder anew: pip download --require-hashes --dest $wheelhouse -r $LOCK"
    else
        echo "check the network, or use --offline"
    fi
}

# Both programs lie on the disk for a while. A full disk would hurt the one that plays.
check_room() {
    local needed=$((NEEDED_MB + 100)) free
    free=$(df --output=avail --block-size=1M "$root$SLOTS" | tail -n 1)
    [ "$free" -ge "$needed" ] ||
        die "only $free MB are free in $SLOTS, the new program needs $needed while the old one stays; free some space"
}

# The new program must read a picture, run its networks and read this table's journal before it
# takes the old one's place.
try_program() {
    say "Trying it ..."
    local as=() state=$STATE cache=$CACHE
    if [ -z "$root" ]; then
        as=(runuser -u "$USER_NAME" --)
        # What is found out about the machine is remembered there.
        install -d -o "$USER_NAME" -g "$USER_NAME" "$CACHE"
    else
        state=$work/state cache=$work/cache
        mkdir -p "$state"
    fi
    (cd / && "${as[@]}" env HOME="$state" STATE_DIRECTORY="$state" XDG_CACHE_HOME="$cache" ORT_DISABLE_TELEMETRY=1 \
        PYTHONSAFEPATH=1 SDL_VIDEODRIVER=dummy "$place/bin/boneace" doctor upgrade) ||
        die "the new program does not work here (see above); put these lines into an issue"
}

# Packages that the table can do without.
get_optional() { # PLACE SEES
    get_lgpio "$1"
    get_onnxruntime "$1"
    get_reportlab "$1"
    get_hall "$1"
    check_camera "$1" "$2"
}

first() { # the first of the files that is there
    [ ! -e "$1" ] || printf '%s' "$1"
}

# The lines of the lock that pin packages.
pins() { # NAME...
    awk -v wanted=" $* " '/^[a-z]/ { on = index(wanted, " " substr($1, 1, index($1, "==") - 1) " ") } on' "$LOCK"
}

# Install packages as the lock pins them. Only wheels: building one would fetch what has no hash.
install_pinned() { # PLACE "NAME..." [OPTION...]
    local place=$1 names=$2
    shift 2
    # shellcheck disable=SC2086
    pins $names >"$work/pins"
    "$place/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --only-binary :all: \
        ${wheelhouse:+--no-index --find-links "$wheelhouse"} --require-hashes -r "$work/pins" "$@"
}

# Packages that the table can do without are never a reason to stop.
install_optional() { # PLACE "NAME..." [OPTION...]
    local told
    told=$(install_pinned "$@" 2>&1) && return 0
    case $told in
        *"DO NOT MATCH THE HASHES"*) warn "not installed, as a file is not the one that the lock names: $told" ;;
    esac
    return 1
}

has() { # PLACE MODULE
    (cd / && ORT_DISABLE_TELEMETRY=1 "$1/bin/python" -c "import $2" 2>/dev/null)
}

# What drives the header comes from the system where that has it, else as a wheel.
get_lgpio() { # PLACE
    has "$1" lgpio || install_optional "$1" "$LGPIO" ||
        warn "lgpio, which drives the buttons on the header, is not to be had here: only the keyboard can be used; on a Raspberry Pi run: sudo apt install python3-lgpio"
}

# The networks run faster with it, and well without.
get_onnxruntime() { # PLACE
    has "$1" onnxruntime || install_optional "$1" "$ONNXRUNTIME" ||
        say "ONNX Runtime is not to be had here; OpenCV runs the networks, in about twice the time."
}

# boneace mat draws the play mat with it, which comes next after installing.
get_reportlab() { # PLACE
    has "$1" reportlab || install_optional "$1" "$REPORTLAB" ||
        say "ReportLab is not to be had here; draw the play mat on another machine: boneace mat"
}

# The pages for phones, and what tables tell a hall.
get_hall() { # PLACE
    { has "$1" starlette && has "$1" aiomqtt; } || install_optional "$1" "$HALL" ||
        say "What serves pages to phones is not to be had here; the table does without."
}

# The system's picamera2 imports simplejpeg, which may be made for an older NumPy than ours.
check_camera() { # PLACE SEES
    [ "$2" = true ] || return 0
    (cd / && "$python" -c 'import picamera2' 2>/dev/null) || return 0
    has "$1" picamera2 && return 0
    say "The part of picamera2 that goes with this NumPy ..."
    install_optional "$1" "$SIMPLEJPEG" --ignore-installed --no-deps || true
    has "$1" picamera2 ||
        warn "the Raspberry Pi's own camera cannot be used with this system; a USB camera can, or Raspberry Pi OS Trixie"
}

# A file that a power cut interrupts is the old one or the new one.
put() { # MODE FROM TO
    cmp --silent "$2" "$3" && [ "$(stat -c %a "$3")" = "$1" ] && return 0
    install -D -m "$1" "$2" "$3.new"
    mv -f "$3.new" "$3"
}

install_files() {
    install -d "$root$UNITS" "$root$(dirname "$CONFIG")" "$root$(dirname "$WRAPPER")" "$root$STICK"
    if [ -e "$root$CONFIG" ]; then
        say "Config $CONFIG: kept."
    elif [ -e "$root$STATE/config.toml.kept" ]; then
        put 644 "$root$STATE/config.toml.kept" "$root$CONFIG"
        say "Config $CONFIG: that of the last installation."
    else
        put 644 "$here/config.toml" "$root$CONFIG"
        say "Config $CONFIG: new."
    fi
    local unit
    for unit in $ALL_UNITS; do
        put 644 "$here/$unit" "$root$UNITS/$unit"
    done
    put 755 "$here/boneace.sh" "$root$WRAPPER"
    # Raspberry Pi OS has such a rule; it does no harm twice.
    put 644 "$here/60-boneace-gpio.rules" "$root$RULES"
    # systemd makes the state folder as well; here so that an image has it from the first.
    install -d -m 750 "$root$STATE"
    local owner
    owner=$(awk -F: -v name="$USER_NAME" '$1 == name { print $3 ":" $4 }' "$root/etc/passwd")
    [ -z "$owner" ] || chown "$owner" "$root$STATE"
}

switch_on() {
    # shellcheck disable=SC2086
    systemctl ${root:+--root "$root"} enable --quiet $ENABLED
    if [ "$console" = yes ]; then
        systemctl ${root:+--root "$root"} set-default --quiet multi-user.target
        say "The machine starts to the console."
    elif [ "$(systemctl ${root:+--root "$root"} get-default)" = graphical.target ] &&
        [ -e "$root/etc/systemd/system/display-manager.service" ]; then
        warn "the desktop keeps the screen for itself; run this again with --console, or play in a window: boneace play"
    fi
    is_running || return 0
    systemctl daemon-reload
    udevadm control --reload 2>/dev/null || true
    udevadm trigger --subsystem-match=gpio 2>/dev/null || true
    [ "$start" = yes ] || return 0
    systemctl restart boneace-backup.timer boneace-power-off.path
    systemctl restart --no-block boneace-web.service
    # It is ready when it sees the table, which may take until a camera is plugged in.
    systemctl restart --no-block boneace.service
}

keep_a_copy_of_the_journal() {
    # Of an installed boneace from before copies were made this fails, and nothing is lost by it:
    # the program keeps the journal of an older version beside the new one.
    [ -z "$root" ] && [ -x "$PROGRAM/bin/boneace" ] && [ -d "$STATE" ] || return 0
    "$WRAPPER" backup --if-any >/dev/null 2>&1 || true
}

# One rename, so that at every moment a whole program is there.
switch_over() {
    [ "$switch" = yes ] || return 0
    local link=$root$PROGRAM.new
    rm -rf "$link"
    ln -s "$(basename "$SLOTS")/$(basename "$place")" "$link"
    if [ -d "$root$PROGRAM" ] && [ ! -L "$root$PROGRAM" ]; then
        # A program of 0.1 lies there itself: the two change places.
        "$python" -c '
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.renameat2(-100, os.fsencode(sys.argv[1]), -100, os.fsencode(sys.argv[2]), 2):
    os.rename(sys.argv[2], sys.argv[2] + ".old")
    os.rename(sys.argv[1], sys.argv[2])
    os.rename(sys.argv[2] + ".old", sys.argv[1])
' "$link" "$root$PROGRAM"
        rm -rf "$root$SLOTS/0.1"
        mv "$link" "$root$SLOTS/0.1"
    else
        mv -T "$link" "$root$PROGRAM"
    fi
    place=
    sync -f "$root$SLOTS"
}

work= # a folder for files that are not kept
place= # where the new program is being made
switch=no
trap 'rm -rf ${work:+"$work"} ${place:+"$place"}' EXIT
check_what_is_asked
install_packages
make_user
keep_a_copy_of_the_journal
make_program
install_files
switch_over
switch_on
say "Installed. What it says: journalctl -u boneace -f   What is wrong: sudo boneace doctor"
