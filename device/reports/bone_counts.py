"""How often each face fell, by the throws of a journal; corrections count as true."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import for_each_session, replay_session
from engine import Event
from engine.core.bones import Face
from engine.core.errors import BoneAceError
from engine.core.events import CorrectBone
from engine.core.text.suggest import did_you_mean
from engine.core.views import View
from engine.games import catalog

GAME = "knucklebones"
"""A game that is played with bones, for advice."""


class BoneSetError(BoneAceError, LookupError):
    """No set of that name was thrown; the message lists the known ones."""


@dataclass(slots=True)
class FaceCounts:
    """Bones counted.

    Attributes:
        first: how often each face fell in first throws (KB-4).
        more: the same in the throws after them (KB-6, KB-17).
        throws: how many throws that were, of one bone or of several.
        rounds: rounds in which bones were thrown.
        sessions: sessions in which they were.
        put_right: faces that players corrected (KB-20).
        sets: the bones of each set that was thrown with, by its name, in order; it is empty where
            none was given.
    """

    first: Counter[Face] = field(default_factory=Counter)
    more: Counter[Face] = field(default_factory=Counter)
    throws: int = 0
    rounds: int = 0
    sittings: int = 0
    put_right: int = 0
    sets: dict[str, int] = field(default_factory=dict)

    @property
    def faces(self) -> dict[Face, int]:
        """How often each face fell in all throws."""
        return {face: self.first[face] + self.more[face] for face in Face}

    @property
    def bones(self) -> int:
        """How many bones fell."""
        return sum(self.faces.values())


def count_faces(journal: JournalReader, bones: str | None = None) -> FaceCounts:
    """Count the faces in the sessions of *journal*, of the set *bones* or of all.

    A throw that was taken back does not count, and a session that cannot be played any more is
    left out with a warning.

    Raises:
        BoneSetError: no session was played with *bones*.
        JournalError: the journal cannot be read.
    """
    played = [session for session in journal.sittings() if _with_bones(session.game)]
    if bones is not None and bones not in {session.bones for session in played}:
        known = sorted({session.bones for session in played if session.bones})
        raise BoneSetError(
            f"--set: nothing was thrown with bones called {bones!r}; {did_you_mean(bones, known)}. "
            f"Name a set when you play: boneace play --game {GAME} --bones NAME"
        )
    found, sets = FaceCounts(), Counter[str]()
    wanted = (session for session in played if bones in (None, session.bones))
    for session, (rounds, corrected) in for_each_session(journal, wanted, _thrown):
        before = found.bones
        for throws in (seat for by_seat in rounds for seat in by_seat):
            found.throws += len(throws)
            for number, throw in enumerate(throws):
                (found.more if number else found.first).update(map(Face.from_points, throw))
        found.rounds += sum(any(by_seat) for by_seat in rounds)
        found.put_right += corrected
        if found.bones > before:
            found.sittings += 1
            sets[session.bones] += found.bones - before
    found.sets = dict(sorted(sets.items()))
    return found


def _with_bones(game: str) -> bool:
    """Return whether bones are thrown in *game*; an unknown game has none."""
    try:
        return catalog.find(game).with_bones
    except catalog.UnknownGameError:
        return False


Throws = tuple[tuple[int, ...], ...]
"""The points of each bone of a player, throw by throw."""


def _thrown(journal: JournalReader, session: SessionRecord) -> tuple[list[tuple[Throws, ...]], int]:
    """Return the throws of each player, round by round, and how many faces were put right."""
    rounds: dict[int, tuple[Throws, ...]] = {}
    corrected = 0

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal corrected
        # The last view of a round holds its corrections, and no undone throws.
        rounds[after.hand_number] = tuple(seat.throws for seat in after.seats)
        corrected += isinstance(event, CorrectBone)

    replay_session(journal, session, listen)
    return list(rounds.values()), corrected
