"""What the checks ask of the table that runs in the machine."""

import json
import time

from tests.acceptance.appliance import recording
from tests.acceptance.appliance.machine import MachineError

HALF = 12
"""So many steps are taken before the checkpoint: both have cards, one has asked for another."""

READY_S = 900.0
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


def said(machine, pattern, limit_s=600.0):
    """Wait until the service has logged a line with *pattern*, by ``grep``."""
    machine.until(f"journalctl -b -u boneace --no-pager | grep -q -e '{pattern}'", limit_s, 2.0)


def is_as_played(events, script, count=None):
    """Assert that *events* are the first *count* of the hand, or all.

    In which order the cards of a hand were laid, the eyes have forgotten after a restart.
    """
    wanted = script.events if count is None else script.events[:count]
    found = [recording.sorted_cards(each) for each in events]
    assert found == [recording.sorted_cards(each) for each in wanted]
