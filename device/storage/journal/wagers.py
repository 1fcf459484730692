"""Side wagers as the journal keeps them: notes of their sitting (rule WL-7).

What was paid for one is read from the entries of the sitting: those between its two players, with
its reason. So an entry that is taken back, or lost with a damaged page, is written again, and one
that stands is never written twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from device.storage.journal.reader import JournalReader
from engine import State
from engine.core.events import Entry
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.table.wagers import Course, Verdict, Wager, course_of, due, judge

KIND = "wager"
"""The kind of the notes."""


@dataclass(frozen=True, slots=True)
class PlacedWager:
    """A wager of a sitting.

    Attributes:
        number: from 1, in the order in which they were made.
        wager: who bets with whom, and on what.
        reason: what its entries say: its number, and what was bet.
        off: it was called off before it was decided.
    """

    number: int
    wager: Wager
    reason: str
    off: bool = False

    @property
    def body(self) -> dict[str, Any]:
        """Return the note that keeps it."""
        return {"number": self.number, **asdict(self.wager), "reason": self.reason}

    def verdict(self, course: Course) -> Verdict:
        """Return how it stands; one that was called off is void."""
        return Verdict.VOID if self.off else judge(self.wager, course)

    def settles(self, entry: Entry) -> bool:
        """Return whether *entry* was written for it."""
        pair = {self.wager.bettor, self.wager.other}
        return entry.reason == self.reason and {seat for seat, _ in entry.tokens} == pair


def wagers_of(journal: JournalReader, sitting: int) -> tuple[PlacedWager, ...]:
    """Return the wagers of a sitting, in order.

    A note that is no wager of this form is passed over.

    Raises:
        JournalError: the journal cannot be read.
    """
    found: dict[int, PlacedWager] = {}
    for note in journal.notes():
        body = note.body
        if note.kind != KIND or note.sitting != sitting or not isinstance(body, Mapping):
            continue
        number = body.get("number")
        if body.get("off") is True and number in found:
            found[number] = replace(found[number], off=True)
        elif number == len(found) + 1 and _is_whole(body):
            wager = Wager(*(body[name] for name in ("bettor", "other", "tokens", "on", "than")))
            found[number] = PlacedWager(number, wager, body["reason"])
    return tuple(found.values())


def _is_whole(body: Mapping[str, Any]) -> bool:
    numbers = [body.get(name) for name in ("bettor", "other", "tokens", "on")]
    than = body.get("than", "")
    if not all(type(each) is int for each in numbers) or not isinstance(body.get("reason"), str):
        return False
    return than is None or type(than) is int


def wager_number(placed: Sequence[PlacedWager], entry: Entry) -> int | None:
    """Return which wager *entry* settles; ``None`` where it was written for another reason."""
    return next((each.number for each in placed if each.settles(entry)), None)


def entry_due(placed: Sequence[PlacedWager], state: State) -> Entry | None:
    """Return the entry that is due for one of the wagers; ``None`` where all is paid.

    It brings what was paid to what is due: after a correction only the difference (rule WL-7).
    Entries are written between hands only (rule G-22).
    """
    if not placed or state.phase is not Phase.DONE:
        return None
    course = course_of(state)
    for each in placed:
        wager = each.wager
        entries = (noted.entry for noted in state.book.entries if each.settles(noted.entry))
        paid = sum(dict(entry.tokens)[wager.bettor] for entry in entries)
        more = (0 if each.off else due(wager, course)) - paid
        if more:
            tokens = sorted([(wager.bettor, more), (wager.other, -more)])
            return Entry(tuple(tokens), each.reason)
    return None
