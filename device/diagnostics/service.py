"""Checks of the service and of the backups."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from device.config.model import load
from device.diagnostics.check import Check, failed, info, ok, warning
from device.diagnostics.support_bundle import run_program
from device.storage.copies.backup import copies, find_stick
from engine.core.text.counted import counted

FACTS = "LoadState,ActiveState,SubState,UnitFileState,Result,NRestarts,StatusText"

OLD_S = 86_400.0
"""The timer makes a copy each hour; none for a day means that it does not run."""

LOOK = "look at what it said: journalctl -u boneace -n 50"


def service(run: Callable[[Sequence[str]], str] = run_program) -> Check:
    """Check that the service runs."""
    lines = run(["systemctl", "show", "boneace.service", f"--property={FACTS}"]).splitlines()
    facts = dict(line.split("=", 1) for line in lines if "=" in line)
    if facts.get("LoadState") != "loaded":
        return info(
            "boneace does not start with this machine",
            "to have it so: sudo ./systemd/install.sh in the clone (docs/how-to/install.md)",
        )
    state, text = facts.get("ActiveState", ""), facts.get("StatusText", "")
    starts = int(facts.get("NRestarts", "0") or 0)
    again = f"; started anew {starts} times" if starts else ""
    if state == "failed" or facts.get("SubState") == "auto-restart":
        why = facts.get("Result", "")
        return failed(f"it does not start ({why}){again}", LOOK)
    if state == "activating":
        return warning(f"starting: {text or 'not ready yet'}{again}", LOOK)
    if state == "active":
        if starts:
            return warning(f"runs: {text}{again}", LOOK)
        return ok(f"runs: {text}")
    if facts.get("UnitFileState") != "enabled":
        cure = "switch it on: sudo systemctl enable --now boneace"
        return info("installed, but not switched on", cure)
    return info("stopped", "start it: sudo systemctl start boneace")


def backup(now: Callable[[], float] = time.time) -> Check:
    """Check that there is a new backup."""
    config = load()
    journal = config.journal.file
    folder = config.backup.folder_of(journal)
    stick = find_stick(config.backup.stick)
    found = copies(journal, folder) if journal.exists() else []
    beside = "" if stick is None else ", and the stick is there"
    if not journal.exists():
        return info(f"nothing to copy yet{beside}")
    if not found:
        return info(
            f"no copy of the journal yet{beside}",
            "make one: boneace backup; the service makes one each hour",
        )
    count = counted(len(found), "copy", "copies")
    detail = f"{count} of the journal, the newest {found[0].when}{beside}"
    newest_s = found[0].path.stat().st_mtime
    if now() - newest_s > OLD_S and journal.stat().st_mtime > newest_s:
        return warning(
            f"{detail}: games since then have no copy",
            "look at: systemctl status boneace-backup.timer boneace-backup.service",
        )
    return ok(detail)
