"""The lines of the feed: what a table tells, as JSON; see docs/reference/feed.md."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from device.narration.story import tell_live
from device.storage.journal.reader import SessionRecord
from display.i18n.languages import LANGUAGES
from display.i18n.money import TokenValue, token_value_in
from display.i18n.translate import Translator
from display.pages.base import Page
from engine import Event, State
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.core.messages.message import Value
from engine.core.messages.prompt import KeyHint, Prompt
from engine.core.views import View

VERSION = 1

LONGEST_QUESTION = 4096
"""Bytes of a line that a reader may send."""

Json = dict[str, Any]

EventId = tuple[int, int]
"""The sitting of an event, and its number in it, from 0."""


class RequestRefusedError(BoneAceError, ValueError):
    """What a reader asks is refused: the word that says why, and what is wrong if known."""

    @property
    def problem(self) -> str:
        """Return the word, as docs/reference/feed.md lists them."""
        return str(self.args[0])


def line(kind: str, **body: Any) -> bytes:
    """Return one line of the feed."""
    text = json.dumps({"kind": kind, **body}, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def plain(value: Any) -> Any:
    """Return *value* as JSON has it: a dataclass as an object, a card as its code."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(each) for each in value]
    return str(value)


def texts(value: Value) -> dict[str, str]:
    """Return *value* in every language."""
    return {name: Translator.of(name).render(value) for name in LANGUAGES.names}


def prompt_body(prompt: Prompt, number: int) -> Json:
    """Return *prompt* in every language; *number* changes with what is asked."""
    return {
        "id": number,
        "kind": prompt.kind.value,
        "title": texts(prompt.title),
        "detail": texts(prompt.detail),
        "hint": texts(prompt.hint),
        "refused": texts(prompt.refused),
        "choices": [texts(choice) for choice in prompt.choices],
        "cards": [str(card) for card in prompt.card_choices],
        "selected": prompt.selected,
        "keys": _keys(prompt.keys),
    }


def page_body(page: Page, number: int) -> Json:
    """Return what a screen around the game says; *number* changes with what can be chosen."""
    return {
        "id": number,
        "title": texts(page.title),
        "note": texts(page.note),
        "rows": [texts(row) for row in page.answers()],
        "focus": page.focus,
        "keys": _keys(page.hints),
    }


def _keys(keys: Iterable[KeyHint]) -> list[Json]:
    return [{"button": key.button, "text": texts(key.message)} for key in keys]


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is the same for all events of a sitting.

    Attributes:
        number: of the sitting.
        started_s: wall time at which it began.
        worth: what a token is worth; ``None`` without money.
    """

    number: int
    started_s: float
    worth: TokenValue | None

    @staticmethod
    def of(record: SessionRecord) -> Sitting:
        """Return that of a record of the journal."""
        return Sitting(record.number, record.started, token_value_in(record.settings))


@dataclass(frozen=True, slots=True)
class Happened:
    """One event, and what the whole table saw before and after it.

    Attributes:
        sitting: in which it happened.
        number: of the event in it, from 0.
        previous: of the event before it; ``None`` for the first of all.
        at_s: wall time.
        state: after it; nothing that is hidden in it is told.
        assumed: why it is only assumed; empty where it was seen or said.
        told: it is told what happened; not of the parts of a repair but the last.
    """

    sitting: Sitting
    number: int
    previous: EventId | None
    at_s: float
    event: Event
    before: View
    after: View
    state: State
    assumed: str = ""
    told: bool = True

    @property
    def id(self) -> EventId:
        """Its sitting and number."""
        return self.sitting.number, self.number

    def line(self) -> bytes:
        """Return it as a line of the feed."""
        event, before, after = self.event, self.before, self.after
        told = {
            name: tell_live(event, before, after, self.assumed, Translator.of(name))
            if self.told
            else []
            for name in LANGUAGES.names
        }
        return line(
            "event",
            sitting=self.sitting.number,
            started=round(self.sitting.started_s, 3),
            worth=plain(self.sitting.worth),
            number=self.number,
            previous=self.previous,
            at=round(self.at_s, 3),
            what=event.kind,
            assumed=bool(self.assumed),
            texts=told,
            game=after.game,
            preset=after.preset,
            hand=after.hand_number,
            players=[
                {"seat": seat, "name": name, "tokens": tokens}
                for (seat, name), tokens in balances(self.state, after).items()
            ],
            result=plain(after.result),
        )


def balances(state: State, seen: View) -> dict[tuple[int, str], int]:
    """Return the net tokens of everybody who has sat at the table, as the ledger has them.

    What a hand has moved counts once it is over: it may never be played to its end. Those who have
    left are among them: a correction can still change what they have. *seen* is the table's view
    of *state*; keys are seat and name.
    """
    book = state.book
    found: Counter[tuple[int, str]] = Counter()
    for past in book.played:
        names = {player.seat: player.name for player in past.hand.players}
        for seat, net in past.outcome.settlement:
            found[seat, names[seat]] += net
    for noted in book.entries:
        names = dict(noted.names)
        for seat, net in noted.entry.tokens:
            found[seat, names[seat]] += net
    over = state.outcome is not None
    playing = {player.seat for player in state.round.players} if over else frozenset()
    for each in seen.seats:
        moved = each.tokens - book.tokens_of(each.seat) if each.seat in playing else 0
        found[each.seat, each.name] += moved
    return dict(sorted(found.items()))
