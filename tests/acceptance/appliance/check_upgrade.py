"""An upgrade from a clone, over a network whose cable is pulled out at each of its steps."""

import time

from tests.acceptance.appliance import build
from tests.acceptance.appliance.machine import Machine
from tests.acceptance.appliance.outside import Outside, packed
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

CUTS = (
    ("/debian/", 0.0),  # the list of the system's packages
    ("/files/hatchling", 0.5),  # what builds the program
    ("/simple/pydantic/", 0.0),  # where a package that it needs lies
    ("/files/opencv", 0.5),  # the largest of them
)
"""Paths at which the cable is pulled out, and the share of what is asked for that has come then."""

LATE = ("/files/onnxruntime", 0.5)
"""All that is needed is there by then: the rest is tried and switched to without a network."""

CLONE = (*build.CODE, "README.md", "LICENSE")
LIMIT_S = 3600.0
NEW = "/root/clone/device/__init__.py"


class Upgrade:
    """install.sh of the clone, run in the machine beside the table."""

    def __init__(self, machine, outside):
        self.machine, self.outside = machine, outside

    def begin(self):
        """Start it; what it says goes to a file."""
        index = f"PIP_NO_CACHE_DIR=1 PIP_INDEX_URL={self.outside.address}/simple/"
        trusted = "PIP_TRUSTED_HOST=10.0.2.2"
        self.machine.run(
            "rm -f /run/ended; "
            f"(cd /root/clone; env HOME=/root {index} {trusted} ./systemd/install.sh "
            "</dev/null >/run/upgrade 2>&1; echo $? >/run/ended.new; "
            "mv /run/ended.new /run/ended) >/dev/null 2>&1 &"
        ).check()

    def end(self):
        """Wait for it; return its status and what it said."""
        self.machine.until("test -e /run/ended", LIMIT_S, 2.0)
        status = int(self.machine.run("cat /run/ended").check().out)
        return status, self.machine.run("cat /run/upgrade").check().out


def test_an_upgrade_whose_network_is_cut_leaves_the_table_playing(
    first, parts, script, place, figures
):
    with Machine(place, parts) as machine:
        machine.resume(first["at"])
        fingers = Fingers(script, done=HALF)
        wheels = build.wheels()
        with Outside(wheels, packed(CLONE), lambda: machine.cable(plugged=False)) as outside:
            machine.cable(plugged=True)
            machine.run("systemctl start systemd-networkd").check()
            there, here = f"{outside.address}/clone.tar", "/root/clone.tar"
            fetch = f"import urllib.request as u; u.urlretrieve('{there}', '{here}')"
            machine.until(f'python3 -c "{fetch}"', 120, 2.0)
            machine.run(
                f"mkdir /root/clone; tar -xf {here} -C /root/clone; rm {here}; "
                f"echo '# of tomorrow' >>{NEW}; echo 'deb [trusted=yes] "
                f"{outside.address}/debian bookworm main' >/etc/apt/sources.list",
            ).check()
            upgrade, old = Upgrade(machine, outside), pid_of(machine)
            program = machine.run("readlink /opt/boneace").check().out
            seconds = figures["upgrade_cut_s"] = []
            for number, (pattern, share) in enumerate(CUTS):
                machine.cable(plugged=True)
                machine.until("grep -q OPER_STATE=routable /run/systemd/netif/state")
                outside.cut_at(pattern, share)
                began = time.monotonic()
                upgrade.begin()
                fingers.play(machine, HALF + 1 + number)  # beside it
                status, told = upgrade.end()
                seconds.append(round(time.monotonic() - began))
                print(f"cut at {pattern}: {seconds[-1]} s", flush=True)
                assert outside.is_cut.is_set(), (pattern, outside.asked, told)
                assert status == 1, told
                assert "check the network" in told
                assert pid_of(machine) == old
                assert shown_by(machine, "ActiveState") == "active"
                assert machine.run("readlink /opt/boneace").check().out == program
                assert machine.run("ls /opt/boneace.d").check().out.split() == ["a"]
                done = fingers.needed(fingers.done)
                assert events_of(machine) == [dict(each) for each in script.events[:done]]

            machine.cable(plugged=True)
            outside.cut_at(*LATE)
            began = time.monotonic()
            upgrade.begin()
            status, told = upgrade.end()
            figures["upgrade_s"] = round(time.monotonic() - began)
            assert outside.is_cut.is_set(), (LATE, outside.asked, told)
            assert status == 0, told
            assert "ONNX Runtime is not to be had here" in told
            until_back(machine, old)
            said(machine, "Going on with hand 1")
            assert machine.run("readlink /opt/boneace").check().out != program
            machine.run("grep -q tomorrow /opt/boneace/lib/py*/site-packages/device/*.py").check()
            is_as_played(events_of(machine), script, fingers.needed(fingers.done))

            # With the cable in its place the same command gets what was left out.
            old = pid_of(machine)
            machine.cable(plugged=True)
            upgrade.begin()
            status, told = upgrade.end()
            assert status == 0, told
            assert "this one already: kept" in told
            machine.run("/opt/boneace/bin/python -c 'import onnxruntime'").check()
            until_back(machine, old)
            fingers.play(machine)
            is_as_played(events_of(machine), script)
