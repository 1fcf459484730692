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
NEEDED="annotated-types colorzero gpiozero numpy opencv-python-headless pydantic pydantic-core pygame-ce setuptools typing-extensions typing-inspection"
BUILDER="hatchling packaging pathspec pluggy tomlkit trove-classifiers"
LGPIO="lgpio"
ONNXRUNTIME="flatbuffers numpy onnxruntime packaging protobuf"
REPORTLAB="charset-normalizer pillow reportlab"
SIMPLEJPEG="simplejpeg"

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
    apt-get update -qq || warn "the list of packages could not be fetched; going on with the old one"
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
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $needed >/dev/null ||
        die "the packages could not be installed; look at what apt-get says above, then run this again"
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
    for each in video render input gpio audio; do
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
}

# The venv sees the system's packages where those of the board come from there.
sees_the_system() {
    (cd / && "$python" -c '
import importlib.util as util, sys
sys.exit(not (util.find_spec("picamera2") or util.find_spec("lgpio")))' 2>/dev/null)
}

make_environment() {
    local place=$root$PROGRAM sees=false
    if [ -z "$root" ] && sees_the_system; then
        sees=true
    fi
    local wanted
    wanted="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') $sees" ||
        die "$python cannot be run; install python3"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        die "Python ${wanted% *} is too old, boneace needs 3.11; use Debian 12 or newer"
    # Made anew where Python has changed (an upgrade of the system), or was broken off.
    if [ "$(cat "$place/.made-with" 2>/dev/null)" != "$wanted" ] || ! "$place/bin/python" -c '' 2>/dev/null; then
        say "Python environment ..."
        rm -rf "$place"
        mkdir -p "$(dirname "$place")"
        local flag=
        [ "$sees" = false ] || flag=--system-site-packages
        "$python" -m venv $flag "$place" ||
            die "the environment could not be made; run: sudo apt install python3-venv"
    fi
    local pip=("$place/bin/python" -m pip --disable-pip-version-check --no-input)
    local cure="check the network, or use --offline"
    [ -z "$wheelhouse" ] || cure="fill the folder anew: pip download --require-hashes --dest $wheelhouse -r $LOCK"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if [ -z "$wheel" ]; then
        say "Building boneace ..."
        install_pinned "$place" "$BUILDER" --target "$work/builder" ||
            die "what builds boneace could not be installed (see above); $cure"
        # From a copy: building leaves nothing behind in the clone, which may be somebody's own.
        PYTHONPATH=$work/builder "${pip[@]}" wheel --quiet --no-index --no-deps --no-build-isolation \
            --wheel-dir "$work" "$here/.." || die "boneace could not be built (see above); get a new clone"
        wheel=$(first "$work"/boneace-*.whl)
    fi
    say "Installing $(basename "$wheel") ..."
    install_pinned "$place" "$NEEDED" ||
        die "the Python packages could not be installed (see above); $cure"
    # The same number may stand for a newer clone.
    "${pip[@]}" install --quiet --no-deps --force-reinstall --no-index "$wheel" ||
        die "boneace could not be installed from $wheel; build it anew"
    local unmet
    unmet=$("${pip[@]}" check | grep '^boneace ' || true)
    [ -z "$unmet" ] || die "$LOCK is not of this version: $unmet; use the install.sh that belongs to $(basename "$wheel")"
    if [ -n "$root" ]; then
        # The programs name the folder that they were made in; on that system it is another.
        grep -rlIZ --fixed-strings "$root" "$place/bin" "$place/pyvenv.cfg" |
            xargs -0 --no-run-if-empty sed -i "s|$root$PROGRAM|$PROGRAM|g"
    fi
    get_lgpio "$place"
    get_onnxruntime "$place"
    get_reportlab "$place"
    check_camera "$place" "$sees"
    echo "$wanted" >"$place/.made-with"
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

# What drives the header comes from the system where that has it, else as a wheel.
get_lgpio() { # PLACE
    (cd / && "$1/bin/python" -c 'import lgpio' 2>/dev/null) && return 0
    install_optional "$1" "$LGPIO" ||
        warn "lgpio, which drives the buttons on the header, is not to be had here: only the keyboard can be used; on a Raspberry Pi run: sudo apt install python3-lgpio"
}

# The networks run faster with it, and well without.
get_onnxruntime() { # PLACE
    install_optional "$1" "$ONNXRUNTIME" ||
        say "ONNX Runtime is not to be had here; OpenCV runs the networks, in about twice the time."
}

# boneace mat draws the play mat with it, which comes next after installing.
get_reportlab() { # PLACE
    install_optional "$1" "$REPORTLAB" ||
        say "ReportLab is not to be had here; draw the play mat on another machine: boneace mat"
}

# The system's picamera2 imports simplejpeg, which may be made for an older NumPy than ours.
check_camera() { # PLACE SEES
    [ "$2" = true ] || return 0
    (cd / && "$python" -c 'import picamera2' 2>/dev/null) || return 0
    (cd / && "$1/bin/python" -c 'import picamera2' 2>/dev/null) && return 0
    say "The part of picamera2 that goes with this NumPy ..."
    install_optional "$1" "$SIMPLEJPEG" --ignore-installed --no-deps || true
    (cd / && "$1/bin/python" -c 'import picamera2' 2>/dev/null) ||
        warn "the Raspberry Pi's own camera cannot be used with this system; a USB camera can, or Raspberry Pi OS Trixie"
}

install_files() {
    install -d "$root$UNITS" "$root$(dirname "$CONFIG")" "$root$(dirname "$WRAPPER")" "$root$STICK"
    if [ -e "$root$CONFIG" ]; then
        say "Config $CONFIG: kept."
    elif [ -e "$root$STATE/config.toml.kept" ]; then
        install -m 644 "$root$STATE/config.toml.kept" "$root$CONFIG"
        say "Config $CONFIG: that of the last installation."
    else
        install -m 644 "$here/config.toml" "$root$CONFIG"
        say "Config $CONFIG: new."
    fi
    local unit
    for unit in $ALL_UNITS; do
        install -m 644 "$here/$unit" "$root$UNITS/$unit"
    done
    install -m 755 "$here/boneace.sh" "$root$WRAPPER"
    # Raspberry Pi OS has such a rule; it does no harm twice.
    install -D -m 644 "$here/60-boneace-gpio.rules" "$root$RULES"
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
    # It is ready when it sees the table, which may take until a camera is plugged in.
    systemctl restart --no-block boneace.service
}

keep_a_copy_of_the_journal() {
    # Of an installed boneace from before copies were made this fails, and nothing is lost by it:
    # the program keeps the journal of an older version beside the new one.
    [ -z "$root" ] && [ -x "$PROGRAM/bin/boneace" ] && [ -d "$STATE" ] || return 0
    "$WRAPPER" backup --if-any >/dev/null 2>&1 || true
}

check_what_is_asked
install_packages
make_user
keep_a_copy_of_the_journal
if is_running && systemctl is-active --quiet boneace.service; then
    say "The table stands still meanwhile; the hand goes on afterwards."
    systemctl stop boneace.service
fi
make_environment
install_files
switch_on
say "Installed. What it says: journalctl -u boneace -f   What is wrong: sudo boneace doctor"
