"""Reading a journal: its sittings, events and notes as the rest of the program knows them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.ports import Closing
from device.storage.journal.contents import Contents, StoredEvent, StoredSitting
from device.storage.journal.errors import JournalError, refusal
from device.storage.journal.lock import refuse_device
from device.storage.journal.reading import contents_of
from device.storage.journal.recovery import is_cut_off
from device.storage.journal.restoring import check_finished
from device.storage.journal.rows import Damage
from device.version import program_version
from engine.core.messages.message import Value
from engine.table.hand import EDITION

_NO_JSON = (ValueError, TypeError, RecursionError)
"""Errors of damaged JSON."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it was opened: the game, its rules and its players.

    Attributes:
        number: counted from 1; 0 before the journal has given one.
        players: one mapping a player with ``seat``, ``name`` and perhaps ``age``.
        dealer: the first dealer; ``None`` when the players cut for it.
        bones: the taught set of bones on the table; empty where none was named.
        rules: the version of the rules that judges it; 1 is what 0.1 played.
        settings: of the table, not of the game: what a token is worth, open cards; ready for JSON.
    """

    game: str
    preset: str
    options: Mapping[str, object]
    players: tuple[Mapping[str, object], ...]
    dealer: int | None = None
    started: float = 0.0
    number: int = 0
    closed: float | None = None
    bones: str = ""
    rules: int = EDITION
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """What happened to the table and is no event of a game.

    Attributes:
        number: counted from 1.
        kind: ``wager``, ``settings``, ``salvaged`` or ``erased``.
        body: ready for JSON.
        sitting: ``None`` where it is about none in particular.
    """

    number: int
    kind: str
    body: Mapping[str, Any]
    sitting: int | None = None


FILE = "journal.sqlite3"
"""A journal is called so unless somebody names another."""


def default_folder() -> Path:
    """Return where the journal lives: the service's state folder, or the user's own."""
    service = os.environ.get("STATE_DIRECTORY")
    if service:
        # systemd separates several folders by colons; the first is ours.
        return Path(service.split(":")[0])
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "boneace"


def default_path() -> Path:
    """Return the journal's own file."""
    return default_folder() / FILE


class JournalReader(Closing):
    """Sessions and their events in one SQLite file.

    Attributes:
        path: the file.
        notices: what opening it had to do; none where it is only read.
    """

    def __init__(self, path: Path) -> None:
        """Open *path*; to write, :class:`.Journal` creates it where it is missing.

        Raises:
            JournalError: there is none, another boneace writes to it, it is not ours, it is newer
                than this program, or the disk refuses; the message says what to do.
        """
        self.path = path
        self.notices: list[Value] = []
        refuse_device(path)
        self._found: Contents | None = None
        self._opened = contextlib.ExitStack()
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._found = None
        self._opened.close()

    @property
    def damage(self) -> Sequence[Damage]:
        """What was found damaged by all that was read so far.

        Raises:
            JournalError: the journal is closed.
        """
        return tuple(self._contents().damage)

    def sittings(self) -> tuple[SessionRecord, ...]:
        """Return all sessions, oldest first, without those whose row is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for row in self._contents().sittings():
            try:
                found.append(_session(row))
            except _NO_JSON as problem:
                self._contents().rows.tell(f"cannot be read ({problem})", row.number)
        return tuple(found)

    def open_sittings(self) -> tuple[SessionRecord, ...]:
        """Return the sessions after the last closed one, the newest first.

        There are two while nothing has happened yet in the one that will end the other.
        """
        newest = reversed(self.sittings())
        return tuple(itertools.takewhile(lambda session: session.closed is None, newest))

    def stored(self, session: int) -> list[StoredEvent]:
        """Return the sound events of *session*, up to the first damaged one: see :attr:`damage`.

        Raises:
            JournalError: the journal cannot be read.
        """
        row = self._contents().sitting(session)
        return [] if row is None else self._contents().events(row)

    def summary(self, session: int) -> bytes | None:
        """Return the summary of *session*; ``None`` unless it is sound and can be trusted.

        It must be of all its events, and of this version of the program.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().summary(session, program_version())

    def has_events(self, session: int) -> bool:
        """Return whether anything has happened in *session*.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().has_events(session)

    def check(self) -> Sequence[Damage]:
        """Read everything, and return what is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().check()

    def events(self, session: int) -> tuple[tuple[float, dict[str, Any]], ...]:
        """Return what :meth:`stored` does, each event with its wall time and nothing more.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for number, each in enumerate(self.stored(session)):
            try:
                found.append((each.time, each.entry()))
            except _NO_JSON as problem:
                since = found[-1][0] if found else None
                self.tell(f"event {number} is no event ({problem})", session, number, since)
                break
        return tuple(found)

    def looks(self, session: int) -> list[str]:
        """Return what was seen in the hand in play of *session*.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().looks(session)

    def notes(self) -> tuple[Note, ...]:
        """Return all sound notes, oldest first.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for each in self._contents().notes():
            try:
                body = json.loads(each.body)
                found.append(Note(each.number, each.kind.decode(), body, each.sitting))
            except _NO_JSON as problem:
                self._contents().rows.tell(f"note {each.number} cannot be read ({problem})")
        return tuple(found)

    def tell(self, what: str, session: int, event: int, since: float | None) -> None:
        """Add to :attr:`damage` what a reader of :meth:`stored` found wrong with *event*.

        Args:
            what: what is wrong, in half a sentence.
            session: its number.
            event: the first that cannot be used, from 0.
            since: when the last one before it happened, in seconds since 1970.

        Raises:
            JournalError: the journal is closed.
        """
        self._contents().rows.tell(what, session, event, since)

    def _contents(self) -> Contents:
        if self._found is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._found

    def _open(self) -> None:
        check_finished(self.path)
        try:
            cut_off, there = is_cut_off(self.path), self.path.is_file()
        except OSError as problem:
            raise refusal(self.path, "cannot be read", problem) from problem
        if cut_off:
            raise JournalError(
                f"{self.path}: the journal was damaged and its salvage was cut off; boneace play "
                "will finish it"
            )
        if not there:
            raise JournalError(
                f"{self.path}: there is no journal yet; play a hand first, or name one "
                "with --journal"
            )
        self._found = self._opened.enter_context(contents_of(self.path))


def _session(row: StoredSitting) -> SessionRecord:
    chosen, seated, settings = map(json.loads, (row.options, row.players, row.settings))
    if not isinstance(chosen, dict) or not isinstance(seated, list):
        raise ValueError(f"options {chosen!r} and players {seated!r} are none")
    if not all(isinstance(player, dict) for player in seated):
        raise ValueError(f"{seated!r} are no players")
    return SessionRecord(
        row.game.decode(),
        row.preset.decode(),
        chosen,
        tuple(seated),
        row.dealer,
        row.started,
        row.number,
        row.closed,
        row.bones.decode(),
        row.rules,
        settings,
    )
