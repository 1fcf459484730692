"""The table as it will stand at a fair, in an emulated machine: make appliance.

Installed by systemd/install.sh on Debian 12; with systemd, a header, a camera, a screen and a disk
that are real to everything in it. A hand is played from outside, by buttons and pictures; the table
is killed, frozen, and its plug is pulled. Not gathered by make test: the name begins with check.
"""

import csv
import io
import random
import re
import statistics
import time
import tomllib

from tests.acceptance.appliance.disk_contents import events_on
from tests.acceptance.appliance.machine import Machine
from tests.acceptance.appliance.players import CONFIG, Fingers
from tests.acceptance.appliance.screen import differing, paint
from tests.acceptance.appliance.table import (
    HALF,
    events_of,
    is_as_played,
    pid_of,
    shown_by,
    until_back,
    until_ready,
)


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
        is_as_played(events_of(machine), script)
