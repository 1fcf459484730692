"""A machine is lost in the middle of a hand; another one, still blank, goes on with it."""

import time

from tests.acceptance.appliance.machine import Machine, make_stick
from tests.acceptance.appliance.players import Fingers
from tests.acceptance.appliance.table import (
    HALF,
    events_of,
    is_as_played,
    said,
    shown_by,
    until_ready,
)

FIRST_CONFIG = "/opt/boneace/share/boneace/systemd/config.toml"
CONFIG = "/etc/boneace/config.toml"
STICK = "/media/boneace/boneace"


def test_a_blank_machine_goes_on_with_the_hand_of_another(
    first, parts, script, place, out, figures
):
    """By a USB stick, on which the copies are made by themselves; no network is plugged in."""
    stick = make_stick(place / "stick")
    with Machine(place / "lost", parts) as lost:
        lost.resume(first["at"])
        fingers = Fingers(script, done=HALF)
        fingers.play(lost, HALF + 1)
        lost.plug_in(stick)
        copied = f"ls {STICK}/*.zip && test $(systemctl is-active boneace-backup) = inactive"
        figures["stick_copied_s"] = round(lost.until(copied), 1)
        before = events_of(lost)
        name = lost.run("cat /var/lib/boneace/name").check().out.strip()
        # The stick is pulled out with the plug: nobody unmounts it.
        lost.cut()
    assert len(before) > first["at"].events

    with Machine(place / "blank", parts) as blank:
        began = time.monotonic()
        blank.boot()
        blank.run(f"cp {FIRST_CONFIG} {CONFIG}").check()
        blank.until("test $(systemctl is-active multi-user.target) = active")
        blank.plug_in(stick)
        blank.until(f"ls {STICK}/*.zip")
        blank.run("systemctl stop boneace", limit_s=600).check()
        assert blank.events == 0
        asked = time.monotonic()
        # The blank machine has a name of its own by now, and a copy of its empty journal.
        told = blank.run("boneace restore newest --yes", limit_s=600).check().out
        figures["restored_s"] = round(time.monotonic() - asked, 1)
        assert f"1 sitting, {len(before)} events" in told
        # The settings belong to root: the command says what root must run.
        *_, by_hand = (line for line in told.splitlines() if "sudo cp" in line)
        blank.run(by_hand.partition("put it there: sudo ")[2]).check()
        blank.show(script.shown_at(fingers.done))
        blank.run("systemctl start --no-block boneace").check()
        until_ready(blank)
        said(blank, "Going on with hand 1")
        figures["blank_to_hand_s"] = round(time.monotonic() - began, 1)
        blank.photograph(out / "5-restored.png")

        assert events_of(blank)[: len(before)] == before
        assert blank.run("cat /var/lib/boneace/name").check().out.strip() == name
        assert shown_by(blank, "NRestarts") == "0"
        assert "up" not in blank.run("cat /sys/class/net/e*/operstate").check().out.split()
        fingers.play(blank)
        is_as_played(events_of(blank), script)
