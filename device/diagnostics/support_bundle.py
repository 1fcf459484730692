"""The support report: the system, the checks, the config and the journal, without names."""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import re
import sqlite3
import stat
import subprocess
import time
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from device.config.model import LARGEST, Config, load_layers, paths
from device.diagnostics.check import Check
from device.diagnostics.machine import existing_folder, read_text
from device.diagnostics.redaction import Redactor
from device.files import parse_json, read_file, write_file
from device.storage.copies.table_name import table_name
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.reading import reading
from device.storage.journal.schema import SCHEMA_VERSION
from engine.core.errors import BoneAceError

LOG_LINES = 300
LAST_EVENTS = 200
"""Events of the last session that are listed one by one."""

PATIENCE_S = 20
"""Time limit of a program of the system."""

UNIT_FACTS = "ActiveState,SubState,Result,NRestarts,ExecMainStatus,StatusText,WatchdogUSec"

README = """\
A report of boneace, for an issue. Look it through before you send it.

In the place of each name stands a token such as name-3fa2c1, another one in each report; home
folders are written ~. There is no picture in it, and no name of a set or a deck.
The table has the name that its copies have: boneace name.

  checks.json    what boneace doctor finds
  config.json    every key, and which file set it
  journal.json   how many sittings and events of which kind, and the last events
  system.json    the system, its memory and disk, the devices, the service
  log.jsonl      warnings and errors of the service
"""

PERSONAL = ("game.players", "game.bones", "game.deck", "backup.stick")
"""Keys of the config whose values people made up: these are left out."""

_TAUGHT = re.compile(r"(?:boneace teach (?:deck|bones) |/decks/|/bones/)(?!NAME\b)([^;:/]+)")
"""How the log names a set, also one that is neither in the config nor kept any more."""

Run = Callable[[Sequence[str]], str]


class SupportError(BoneAceError, OSError):
    """The report cannot be written."""


def run_program(words: Sequence[str]) -> str:
    """Return the output of a program; empty where it is missing or fails."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def write_report(
    path: Path, journal: Path, checks: Sequence[Check], *, run: Run = run_program
) -> None:
    """Write the report to *path*, a ZIP file, whose folder is made when it is not there.

    *checks* are what the doctor found; *run* runs a program of the system.

    Raises:
        SupportError: the file cannot be written.
    """
    names, all_known = known_names(journal)
    # Without the names of a journal the log cannot be redacted.
    log = list(_log(run)) if all_known else []
    for line in log:
        names.update(_TAUGHT.findall(line["message"]))
    redactor = Redactor(names)
    parts: Mapping[str, Any] = {
        "checks.json": [
            {key: _without_values(str(value)) for key, value in asdict(check).items()}
            for check in checks
        ],
        "config.json": _config(),
        "journal.json": _journal(journal),
        "system.json": _system(journal, run),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.writestr("README.txt", README)
            for name, part in parts.items():
                told = redactor.value(part)
                bundle.writestr(name, json.dumps(told, indent=1, ensure_ascii=False, default=str))
            lines = [json.dumps(redactor.value(each), ensure_ascii=False) for each in log]
            bundle.writestr("log.jsonl", "\n".join(lines))
        write_file(path, packed.getvalue())
    except OSError as problem:
        raise SupportError(
            f"{path}: the report cannot be written ({problem}); name another file with --out"
        ) from problem


def known_names(journal: Path) -> tuple[set[str], bool]:
    """Return every name of people and taught sets, and whether all journals could be read."""
    from device.storage.taught import BONES, DECKS  # imports OpenCV

    names = {*Config().game.players, *_names_in_files(), *DECKS.names(), *BONES.names()}
    all_known = True
    # Also the damaged ones in quarantine, and those kept before a migration.
    for path in sorted(journal.parent.glob(f"{journal.name}*")):
        if (
            path.name.endswith(("-wal", "-shm", "-journal", ".lock", ".last", ".jsonl"))
            or not path.is_file()
        ):
            continue
        try:
            with reading(path, open_damaged=True) as db:
                for (text,) in db.execute(
                    "SELECT players FROM sittings "
                    "UNION ALL SELECT event FROM events WHERE event LIKE '%\"name\"%'"
                ):
                    names.update(_names_in(json.loads(text)))
                # Journals of version 1 name no bones.
                if "bones" in {row[1] for row in db.execute("PRAGMA table_info(sittings)")}:
                    names.update(name for (name,) in db.execute("SELECT bones FROM sittings"))
        except (sqlite3.Error, OSError, ValueError, RecursionError):
            all_known = False
    return names, all_known


def _names_in_files() -> Iterator[str]:
    """Yield the players and the taught sets of the config files, also of invalid ones."""
    for path in paths():
        with contextlib.suppress(OSError, ValueError, RecursionError):
            game = tomllib.loads(read_file(path, LARGEST).decode("utf-8")).get("game", {})
            for key in ("players", "deck", "bones") if isinstance(game, dict) else ():
                found = game.get(key, [])
                for each in found if isinstance(found, list) else [found]:
                    yield str(each)
                    if key != "players":  # it may be a file, and messages quote it
                        yield Path(str(each)).name.removesuffix(".deck").removesuffix(".json")
                        yield repr(each)[1:-1]


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("name"), str):
            yield value["name"]
        for each in value.values():
            yield from _names_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names_in(each)


def _without_values(text: str) -> str:
    """Remove values of :data:`PERSONAL`: a long list is cut in the middle of a name."""
    keys = "|".join(re.escape(key) for key in PERSONAL)
    return re.sub(rf"((?:{keys}): ).*", r"\1left out", text)


def _config() -> Any:
    try:
        layers = load_layers()
    except BoneAceError as problem:
        return {"problem": _without_values(str(problem))}
    return {
        each.name: {
            "value": "left out" if each.name in PERSONAL else each.value,
            "from": each.source or "default",
        }
        for each in layers.entries()
    }


def _journal(path: Path) -> Any:
    if not path.exists():
        return {"problem": "no journal yet"}
    try:
        with JournalReader(path) as journal:
            sittings = journal.sittings()
            told = [_session(journal, session) for session in sittings]
            last = journal.events(sittings[-1].number)[-LAST_EVENTS:] if sittings else ()
            damage = [str(each) for each in journal.damage]
    except BoneAceError as problem:
        return {"problem": str(problem)}
    return {
        "bytes": path.stat().st_size,
        "program knows version": SCHEMA_VERSION,
        "beside it": sorted(each.name for each in path.parent.glob(f"{path.name}.*")),
        "damage": damage,
        "sittings": told,
        "last events": [{"time": at, **event} for at, event in last],
    }


def _session(journal: JournalReader, session: SessionRecord) -> Mapping[str, Any]:
    kinds = Counter(str(event.get("e")) for _, event in journal.events(session.number))
    return {
        "number": session.number,
        "game": session.game,
        "preset": session.preset,
        "options": session.options,
        "players": len(session.players),
        "dealer": session.dealer,
        "started": session.started,
        "closed": session.closed,
        "events": dict(kinds),
    }


def _system(journal: Path, run: Run) -> Mapping[str, Any]:
    disk = os.statvfs(existing_folder(journal))
    unit = run(["systemctl", "show", "boneace.service", f"--property={UNIT_FACTS}"])
    return {
        "time": time.time(),
        "table": table_name(journal.parent),
        "machine": read_text("/proc/device-tree/model").strip("\0") or platform.machine(),
        "kernel": platform.release(),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", ""),
        "python": platform.python_version(),
        "memory": read_text("/proc/meminfo").splitlines()[:3],
        "load": read_text("/proc/loadavg"),
        "up": read_text("/proc/uptime").split(" ")[0],
        "free bytes": disk.f_bavail * disk.f_frsize,
        "devices": _devices(),
        "service": dict(line.split("=", 1) for line in unit.splitlines() if "=" in line),
    }


def _devices() -> Mapping[str, str]:
    """Return the permissions of the devices, and the names of the cameras."""
    found = {}
    for pattern in ("video*", "media*", "gpiochip*", "dri/card*", "dri/render*", "dma_heap/*"):
        for path in sorted(Path("/dev").glob(pattern)):
            with contextlib.suppress(OSError):
                about = path.stat()
                told = f"{stat.filemode(about.st_mode)} {about.st_uid}:{about.st_gid}"
                name = read_text(f"/sys/class/video4linux/{path.name}/name")
                found[str(path)] = f"{told} {name}".strip()
    return found


def _log(run: Run) -> Iterator[Mapping[str, str]]:
    """Yield the service's warnings and errors, without the story of the games."""
    words = ["journalctl", "--unit=boneace.service", "--priority=warning", "--output=json"]
    for line in run([*words, f"--lines={LOG_LINES}", "--no-pager"]).splitlines():
        try:
            entry = parse_json(line)
        except ValueError:
            continue
        # The rest of an entry names the machine, its boot and its users.
        yield {
            "time": str(entry.get("__REALTIME_TIMESTAMP", "")),
            "priority": str(entry.get("PRIORITY", "")),
            "message": str(entry.get("MESSAGE", "")),
        }
