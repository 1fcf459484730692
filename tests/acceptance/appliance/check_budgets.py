"""The budgets of the units and of the disk, reached: nothing that is on record is lost."""

import pytest

from tests.acceptance.appliance.players import Fingers
from tests.acceptance.appliance.table import (
    HALF,
    events_of,
    is_as_played,
    pid_of,
    said,
    shown_by,
    until_back,
)

STATE = "/var/lib/boneace"
BACKUPS = f"{STATE}/backups"
AS_THE_TABLE = "runuser -u boneace --"
LEAK = "import sys; sys.path.append('/usr/local/lib/appliance'); import leak"


@pytest.fixture
def leaking(machine):
    """A table in mid-hand that takes more and more, as soon as it is told of what."""
    old = pid_of(machine)
    machine.run(
        f'for each in /opt/boneace/lib/python3*/site-packages; do echo "{LEAK}" >$each/leak.pth; '
        "done; systemctl restart --no-block boneace"
    ).check()
    until_back(machine, old)
    return machine


def test_a_table_that_takes_too_much_memory_is_started_anew(leaking, script, figures):
    """What leaks is ended by the kernel at MemoryMax; the rest of the machine has its memory."""
    before, old = events_of(leaking), pid_of(leaking)
    allowed = int(shown_by(leaking, "MemoryMax"))
    assert allowed < leaking.memory_mb << 20
    leaking.run("echo memory >/run/boneace/leak").check()
    figures["memory_back_s"] = round(until_back(leaking, old), 1)

    log = leaking.run("journalctl -b --no-pager").check().out
    assert "boneace.service: A process of this unit has been killed by the OOM killer" in log
    assert "constraint=CONSTRAINT_MEMCG" in log
    assert "constraint=CONSTRAINT_NONE" not in log, "the machine itself ran short"
    assert shown_by(leaking, "NRestarts") == "1"
    assert events_of(leaking) == before
    fingers = Fingers(script, done=HALF)
    fingers.play(leaking, HALF + 2)
    is_as_played(events_of(leaking), script, fingers.needed(HALF + 2))


def test_a_table_that_takes_too_many_threads_plays_on(leaking, script):
    """It plays with what it has; a camera that comes back needs one more: it is started anew."""
    allowed = int(shown_by(leaking, "TasksMax"))
    leaking.run("echo threads >/run/boneace/leak").check()
    leaking.until(f"test $(systemctl show boneace -P TasksCurrent) -ge {allowed}")
    fingers = Fingers(script, done=HALF)
    fingers.play(leaking, HALF + 1)
    seen = leaking.events
    assert seen == fingers.needed(HALF + 1)

    leaking.run("systemctl stop appliance-camera").check()
    leaking.until("systemctl show boneace -P StatusText | grep -q 'no picture'")
    fingers.step(leaking)  # and with it the camera's plug
    fingers.settle(leaking)
    log = leaking.run("journalctl -b --no-pager").check().out
    assert "fork rejected by pids controller in /system.slice/boneace.service" in log
    assert "no more threads can be started" in log
    assert shown_by(leaking, "NRestarts") == "1"
    fingers.play(leaking, HALF + 3)
    is_as_played(events_of(leaking), script, fingers.needed(HALF + 3))


def fill(machine):
    """Fill the disk, as the table's user: what the system keeps for root stays free."""
    words = "fallocate -l $(df --output=avail -B1 . | tail -1) filler"
    words += "; cat /dev/zero >>filler; cat /dev/zero >filler2"
    machine.run(f"cd {STATE}; {AS_THE_TABLE} sh -c '{words}'", limit_s=600)
    left = machine.run(f"df --output=avail {STATE} | tail -1").check().out
    assert left.strip() == "0"


def make_room(machine):
    machine.run(f"rm {STATE}/filler {STATE}/filler2").check()


def test_a_full_disk_loses_nothing_that_counted(machine, script, out, figures):
    fingers = Fingers(script, done=HALF)
    before, old = events_of(machine), pid_of(machine)
    machine.run("boneace backup", limit_s=600).check()
    kept = machine.run(f"ls -A {BACKUPS}").check().out
    fill(machine)
    fingers.step(machine)
    said(machine, "free some space")
    machine.run("sleep 8").check()  # the screen is drawn, and the next pictures are read
    machine.photograph(out / "6-full-disk.png")
    assert events_of(machine) == before
    copied = machine.run("boneace backup", limit_s=600)
    assert copied.status == 1
    assert "check the space" in copied.err
    assert machine.run(f"ls -A {BACKUPS}").check().out == kept
    # It is tried again by itself: nobody presses anew.
    make_room(machine)
    figures["room_again_s"] = round(machine.until_events(fingers.needed(fingers.done), 900), 1)

    # Who loses patience and starts it anew finds the same hand, on a disk that is still full.
    fill(machine)
    before = events_of(machine)
    fingers.step(machine)
    machine.run(f"kill -KILL {old}").check()
    until_back(machine, old)
    said(machine, "Going on with hand 1")
    assert events_of(machine) == before
    make_room(machine)
    fingers.play(machine, HALF + 3)
    is_as_played(events_of(machine), script, fingers.needed(HALF + 3))


def test_copies_stay_below_what_they_may_take(machine, script):
    """Old ones go first; one that is too large by itself is refused, and pushes out none."""
    machine.run("printf '\\n[backup]\\nmax_mb = 1\\n' >>/etc/boneace/config.toml").check()
    decks = f"{STATE}/decks"
    fingers = Fingers(script, done=HALF)
    for number in range(3):
        fingers.play(machine, HALF + 1 + number)
        fill = f"head -c 400000 /dev/urandom >{decks}/big.deck"
        machine.run(f"mkdir -p {decks}; {fill}; chown -R boneace: {decks}").check()
        machine.run("systemctl start boneace-backup", limit_s=600).check()
    sizes = machine.run(f"stat -c %s {BACKUPS}/*.zip").check().out.split()
    assert len(sizes) == 2
    assert sum(map(int, sizes)) <= 1_000_000
    kept = machine.run(f"ls -A {BACKUPS}").check().out

    machine.run(f"head -c 1200000 /dev/urandom >{decks}/big.deck").check()
    assert machine.run("systemctl start boneace-backup", limit_s=600).status != 0
    log = machine.run("journalctl -b -u boneace-backup -p err -o cat --no-pager").check().out
    assert "[backup] max_mb allows 1000000" in log
    assert machine.run(f"ls -A {BACKUPS}").check().out == kept
    is_as_played(events_of(machine), script, fingers.needed(HALF + 3))
    assert shown_by(machine, "NRestarts") == "0"
