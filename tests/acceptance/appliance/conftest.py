import json
import os
import shutil

import pytest

from tests.acceptance.appliance import build, recording
from tests.acceptance.appliance.machine import Machine
from tests.acceptance.appliance.players import Fingers
from tests.acceptance.appliance.table import HALF, READY_S, shown_by, until_ready


def pytest_addoption(parser):
    parser.addoption("--cuts", type=int, default=20, help="how often the power is cut; default: 20")
    parser.addoption("--lot", default="1", help="draws the moments of the cuts; default: 1")


@pytest.fixture(scope="session")
def parts():
    """What the machine is made of, made now where it is not there yet."""
    problem = build.missing()
    if problem:
        pytest.skip(problem)
    return build.make(int(os.environ.get("APPLIANCE_SEED", "5")))


@pytest.fixture
def place(request):
    """A folder for the machines of one test; it stays for who looks for what went wrong."""
    folder = build.STORE / "run" / request.node.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def script(parts):
    return recording.read(parts.film.parent)


@pytest.fixture(scope="session")
def out():
    """Where pictures and figures go."""
    folder = build.STORE / "out"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def figures(out):
    """Seconds and counts, by what they measure; written down in the end."""
    found = {}
    yield found
    text = json.dumps(found, indent=2)
    (out / "figures.json").write_text(text + "\n", encoding="utf-8")
    print("\n" + text)


LAMPS = (13, 21)
"""Pins of the players' lamps; it is the second one's turn then."""


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
