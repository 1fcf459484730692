"""Game records on disk: a session of the journal as a file, and a file read back."""

from __future__ import annotations

import errno
import json
import shlex
from pathlib import Path
from typing import Any

from device.clock import utc
from device.files import read_file
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.reading import MAGIC
from device.storage.journal.replay import Played, opening, play_session
from device.version import program_version
from engine import NextHand, Undo
from engine.core.errors import BoneAceError
from engine.records.record import Record, as_case, changes, is_record, read, write
from engine.records.referee import differences, replay

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes; an evening takes some hundred thousand, and as many events as one record may hold some
three million. What is read of it takes at most twenty-five times as much memory: a Pi has that."""


class RecordFileError(BoneAceError, OSError):
    """A file of records that cannot be read or written; the message says what to do."""


def of_session(
    journal: JournalReader, session: SessionRecord, *, repairs: bool = False
) -> dict[str, Any]:
    """Return a session of the journal as JSON data.

    What the croupier had assumed and took back is left out: it did not happen at the table. With
    *repairs* every event of the journal is in it.

    Raises:
        BoneAceError: an event of it cannot be played any more.
    """
    played = play_session(journal, session)
    kept = range(len(played.rows)) if repairs else _kept(played)
    marks = ((place, played.rows[row].assumed.decode()) for place, row in enumerate(kept))
    record = Record(
        opening=opening(session),
        events=tuple(played.events[row] for row in kept),
        assumed=tuple(mark for mark in marks if mark[1]),
        started=utc(session.started),
        closed=None if session.closed is None else utc(session.closed),
        program=f"boneace {program_version()}",
        title=f"Sitting {session.number}",
    )
    return write(record)


def _kept(played: Played) -> list[int]:
    """Return which rows are not part of what a batch took back, nor the undo of it."""
    kept: list[int] = []
    standing: list[int] = []
    for row, ((_, event), stored) in enumerate(zip(played.events, played.rows, strict=True)):
        if isinstance(event, Undo) and standing:
            undone = standing.pop()
            if stored.batch:
                while kept and kept[-1] >= undone:  # with what people took back after it
                    kept.pop()
                continue
        elif isinstance(event, NextHand):
            standing.clear()
        else:
            standing.append(row)
        kept.append(row)
    return kept


def load_json(path: Path, *, or_journal: bool = False) -> Any:
    """Return the JSON document in *path*; with *or_journal* the command has ``--journal``.

    Raises:
        RecordFileError: there is no such file, it is too large, or it is no JSON.
    """
    try:
        data = read_file(path, LARGEST_FILE)
    except OSError as problem:
        if problem.errno == errno.EFBIG:
            raise RecordFileError(
                f"is too large (at most {LARGEST_FILE // 2**20} MiB); split it"
            ) from problem
        raise RecordFileError(f"cannot be read ({problem.strerror}); check the name") from problem
    if data.startswith(MAGIC):
        named = f"--journal {shlex.quote(str(path))}"
        export = f"write a record of it: boneace export {named}"
        raise RecordFileError(f"is a journal; {f'give it as {named}' if or_journal else export}")
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as problem:
        raise RecordFileError(f"damaged JSON ({problem}); repair or replace the file") from problem


def load(path: Path) -> Record:
    """Return the game record in *path*.

    Raises:
        BoneAceError: it is no record; the message names the file and the cure.
    """
    return _loaded(path)[0]


def _loaded(path: Path) -> tuple[Record, Any]:
    """Return the game record in *path*, and the document that it was read from."""
    try:
        document = load_json(path, or_journal=True)
        if not is_record(document):
            raise RecordFileError("is no game record; export one with: boneace export")
        return read(document), document
    except BoneAceError as problem:
        raise RecordFileError(f"{path}: {problem}") from problem
    except RecursionError as problem:
        raise RecordFileError(f"{path}: is nested too deeply; replace the file") from problem


def examine(path: Path, *, unsealed: bool = False) -> tuple[Record, list[str]]:
    """Return the game record in *path*, and sentences on what is doubtful in it.

    The digest must match, and only with *unsealed* may there be none; nothing may be missing, every
    event must be legal, and the hands must end as the results say.

    Raises:
        BoneAceError: it is no record; the message names the file and the cure.
    """
    record, document = _loaded(path)
    case = as_case(document)
    try:
        found = replay(case)  # also without results: it bounds how long a stranger's hand may be
        said = differences(case, found) if "expect" in case else []
    except BoneAceError as problem:
        raise RecordFileError(f"{path}: {problem}") from problem
    return record, [*changes(document, unsealed=unsealed), *said]


def _no_number(word: str) -> float:
    """Refuse NaN and Infinity, which Python's JSON reads and no other program's."""
    raise ValueError(f"{word} is no number")
