"""The table as it will stand at a fair, in an emulated machine: make appliance.

Installed by systemd/install.sh on Debian 12; with systemd, a header, a camera, a screen and a disk
that are real to everything in it. A hand is played from outside, by buttons and pictures; the table
is killed, frozen, and its plug is pulled. Not gathered by make test: the name begins with check.
"""

import csv
import io
import json
import random
import re
import shutil
import statistics
import time
import tomllib

import pytest

from tests.acceptance.appliance import build, recording
from tests.acceptance.appliance.disk_contents import events_on
from tests.acceptance.appliance.machine import Machine, MachineError
from tests.acceptance.appliance.players import CONFIG, Fingers
from tests.acceptance.appliance.screen import differing, paint

HALF = 12
"""So many steps are taken before the checkpoint: both have cards, one has asked for another."""

LAMPS = (13, 21)
"""Pins of the players' lamps; it is the second one's turn then."""

READY_S = 300.0
"""Longest time until the table is ready: a Raspberry Pi takes seconds, an emulated machine more."""

EVENTS = """import json, sqlite3
rows = sqlite3.connect("file:/var/lib/boneace/journal.sqlite3?mode=ro", uri=True)
rows = rows.execute("SELECT event FROM events ORDER BY sitting, number")
print(json.dumps([json.loads(text) for text, in rows]))"""


def events_of(machine):
    """What the journal holds, read in the machine beside the running table."""
    return json.loads(machine.run(f"python3 -c '{EVENTS}'").check().out)


def shown_by(machine, what):
    return machine.run(f"systemctl show boneace -P {what}").check().out.strip()


def until_ready(machine):
    try:
        return machine.until("test $(systemctl is-active boneace) = active", READY_S, 0.5)
    except MachineError as problem:
        log = machine.run("journalctl -u boneace --no-pager | tail -30").out
        raise AssertionError(f"the table did not become ready\n{log}") from problem


def pid_of(machine):
    return int(shown_by(machine, "MainPID"))


def until_back(machine, old):
    """Wait until another process than *old* is ready; return the seconds that it took."""
    began = time.monotonic()
    machine.until(f"test $(systemctl show boneace -P MainPID) != {old}", READY_S, 0.5)
    until_ready(machine)
    return time.monotonic() - began


@pytest.fixture(scope="session")
def first(parts, script, out, figures):
    """A machine on which half a hand was played, from the first boot on; then frozen."""
    folder = build.STORE / "run" / "first"
    shutil.rmtree(folder, ignore_errors=True)
    with Machine(folder, parts) as machine:
        figures["boot_s"] = round(machine.boot(), 1)
        # The table waits for its camera: it is not there yet.
        machine.until("systemctl show boneace -P StatusText | grep -q 'cannot see'", READY_S)
        waiting = shown_by(machine, "ActiveState"), shown_by(machine, "NRestarts")
        machine.photograph(out / "1-no-camera.png")
        machine.show(0)
        until_ready(machine)
        figures["ready_s"] = round(
            int(shown_by(machine, "ActiveEnterTimestampMonotonic")) / 1e6
            - int(shown_by(machine, "ExecMainStartTimestampMonotonic")) / 1e6,
            1,
        )
        fingers = Fingers(script)
        fingers.play(machine, HALF)
        machine.photograph(out / "2-half.png")
        lamps = [machine.light(pin) for pin in LAMPS]
        checkpoint = machine.freeze(out.parent / "checkpoint")
    return {"at": checkpoint, "waiting": waiting, "lamps": lamps, "waits": fingers.waits}


@pytest.fixture
def machine(first, parts, place):
    """A machine in the middle of the hand."""
    with Machine(place, parts) as made:
        made.resume(first["at"])
        yield made


def test_it_waits_for_its_camera_and_is_ready_with_the_first_picture(first):
    """Plugged in after the start, the camera is taken; the service never failed meanwhile."""
    assert first["waiting"] == ("activating", "0")


def test_a_hand_is_played_by_buttons_and_pictures(first, machine, script, parts, out, figures):
    fingers = Fingers(script, done=HALF)
    fingers.play(machine)
    waits = first["waits"] + fingers.waits
    figures["event_s"] = {
        "median": round(statistics.median(waits), 1),
        "worst": round(max(waits), 1),
    }

    assert events_of(machine) == [dict(each) for each in script.events]
    table = machine.run("boneace ledger --csv", limit_s=120).check().out
    rows = [(row["name"], int(row["net"])) for row in csv.DictReader(io.StringIO(table))]
    assert rows == [(name, net) for name, net in script.ledger]
    story = machine.run("journalctl -u boneace --no-pager -o cat").check().out
    assert script.won in story

    # The coins have come to rest by then; what is compared is the whole screen, from outside.
    machine.until(f"sleep 8; test $(cat /run/appliance/picture) = {script.pictures - 1}")
    seen = machine.photograph(out / "3-result.png")
    painted = paint(parts.film.parent / "journal.sqlite3", out / "3-result-as-painted.png")
    figures["screen_differs"] = round(differing(seen, painted), 4)
    assert figures["screen_differs"] < 0.01
    empty = paint(None, out / "0-empty-as-painted.png", script.players)
    assert differing(seen, empty) > 0.05


def test_a_lamp_shows_whose_turn_it_is(first):
    """It breathes: at some looks it is lit, at others it is not."""
    waits, plays = first["lamps"]
    assert waits == 0.0
    assert 0.0 < plays < 1.0


def test_it_comes_back_when_it_is_killed(first, machine, script, figures):
    before = events_of(machine)
    old = pid_of(machine)
    machine.run(f"kill -KILL {old}").check()
    figures["killed_back_s"] = round(until_back(machine, old), 1)
    assert shown_by(machine, "NRestarts") == "1"
    assert events_of(machine) == before
    fingers = Fingers(script, done=HALF)
    fingers.play(machine, HALF + 2)
    assert events_of(machine) == [dict(each) for each in script.events[: fingers.needed(HALF + 2)]]


def test_the_watchdog_finds_it_frozen(first, machine, script, figures):
    before = events_of(machine)
    old = pid_of(machine)
    machine.run(f"kill -STOP {old}").check()
    figures["frozen_back_s"] = round(until_back(machine, old), 1)
    assert "atchdog" in machine.run("journalctl -u boneace --no-pager").out
    assert events_of(machine) == before
    fingers = Fingers(script, done=HALF)
    fingers.play(machine, HALF + 2)
    assert machine.events == fingers.needed(HALF + 2)


def test_it_is_walled_in_as_it_says(first, machine, figures):
    told = machine.run("systemd-analyze security boneace --no-pager | tail -1", limit_s=120).check()
    figures["exposure"] = float(re.search(r"level for boneace.service: ([0-9.]+)", told.out)[1])
    assert figures["exposure"] < 2.0
    user = machine.run(f"stat -c %U /proc/{pid_of(machine)}").check().out.strip()
    assert user == "boneace"


def test_its_buttons_switch_the_machine_off_in_order(first, machine, script, place, figures):
    pins = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["panel"]["console"]
    machine.hold(pins["menu"], pins["undo"], seconds=60)
    figures["switched_off_s"] = round(machine.until_off(240), 1)
    machine.cut()
    before = [dict(each) for each in script.events[: first["at"].events]]
    assert events_on(place / "disk.raw", place) == before


def test_no_event_is_lost_when_the_plug_is_pulled(
    first, parts, script, place, figures, pytestconfig
):
    """At random moments, while events come in; what could be read before is there afterwards."""
    times = pytestconfig.getoption("cuts")
    lot = random.Random(pytestconfig.getoption("lot"))
    lost, told, pending = 0, 0, 0
    for number in range(times):
        folder = place / f"cut{number}"
        with Machine(folder, parts) as machine:
            machine.resume(first["at"])
            fingers = Fingers(script, done=HALF)
            longest = statistics.median(first["waits"])
            fingers.play(machine, HALF + lot.randrange(4))
            count = machine.events
            fingers.step(machine)
            # Half of the cuts come at the very moment when the event is told of; the others at any.
            if number % 2:
                machine.until_events(count + 1, 240)
            else:
                time.sleep(lot.uniform(0, 1.5 * longest))
            machine.cut()
            seen = machine.events
        found = events_on(folder / "disk.raw", folder)
        assert found == [dict(each) for each in script.events[: len(found)]]
        lost += max(0, seen - len(found))
        told += seen
        pending += len(found) - seen
        (folder / "disk.raw").unlink()
        figures["cuts"] = {"times": number + 1, "events": told, "lost": lost, "unseen": pending}
    assert lost == 0


def test_a_disk_that_lies_would_be_noticed(first, parts, script, place):
    """The control: where nothing is flushed the same cut loses what had been told of."""
    with Machine(place, parts, lies=True) as machine:
        machine.resume(first["at"])
        fingers = Fingers(script, done=HALF)
        fingers.play(machine, HALF + 2)
        seen = machine.events
        machine.cut()
    assert seen > first["at"].events
    assert len(events_on(place / "disk.raw", place)) < seen


def test_the_hand_goes_on_after_a_power_cut(first, parts, script, out, figures, place):
    with Machine(place, parts) as machine:
        machine.resume(first["at"])
        fingers = Fingers(script, done=HALF)
        fingers.play(machine, HALF + 1)
        fingers.step(machine)
        machine.cut()
        seen = machine.events
        figures["boot_after_cut_s"] = round(machine.boot(), 1)
        fingers.sit_down_again(machine)
        until_ready(machine)
        figures["uptime_when_back_s"] = float(machine.run("cut -d' ' -f1 /proc/uptime").check().out)
        assert machine.events >= seen
        machine.photograph(out / "4-after-the-cut.png")
        assert "Going on with hand 1" in machine.run("journalctl -b -u boneace --no-pager").out
        fingers.play(machine)
        # In which order the cards of a hand were laid, the eyes have forgotten.
        events = [recording.sorted_cards(each) for each in events_of(machine)]
        assert events == [recording.sorted_cards(each) for each in script.events]
