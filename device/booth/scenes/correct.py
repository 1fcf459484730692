"""Putting a hand right: what was read wrongly in it, what that changes, or that it is void.

The hand in play and every hand before it (rules G-10, G-12, G-13). Once a hand is over it is shown
first what would change, and who pays whom for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from device.booth.scenes.base import (
    BACK,
    Action,
    Close,
    Context,
    ListScene,
    Open,
    Play,
    Scene,
    Then,
)
from device.booth.scenes.naming import CardsScene, FaceScene, RankScene, pick
from device.booth.summary import END_WORDS, change, change_page
from device.croupier.explain import explain
from display.pages.base import Page
from display.pages.cards import CardsPage, Pick
from display.pages.evening import LedgerPage
from display.pages.list import Item
from display.table.correcting import open_cards
from engine import TABLE, IllegalActionError, State, view
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import Correct, CorrectBone, Entry, Misdeal
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.views import Phase, View

DISCARDS = 6
"""How many discards can be corrected, the top card first: people correct what they just saw."""

CALLED = "called by the dealer"
"""Why a hand is void that people call so."""


class HandScene(ListScene):
    """What is to be put right in hand number *number*, from 1?"""

    def __init__(self, context: Context, number: int) -> None:
        """Ask about a hand that is over and not void."""
        super().__init__(context)
        state = context.state
        self._hand = None if number == state.hand_number else number
        self.title = Message("Hand {n}: what was wrong?", n=number)
        self.note = END_WORDS[state.hands[number - 1].end]

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return what can be done about it."""
        read = CorrectScene(self.context, self._hand)
        rows: list[tuple[Item, Then]] = []
        if read.count:
            rows.append((Item(Message("Something was read wrongly")), Open(read)))
        void = partial(put_right, self.context, Misdeal(CALLED, self._hand))
        rows.append((Item(Message("It was a misdeal: make it void")), void))
        return rows


class ChangeScene(Scene):
    """What an event would change; HAVE plays it, UNDO leaves all as it is."""

    def __init__(self, context: Context, event: Correct | CorrectBone | Misdeal | Entry) -> None:
        """Work out what *event* would change; where the rules refuse it, say why."""
        super().__init__(context)
        self._event = event
        try:
            self._change = change(context.state, event)
        except IllegalActionError as refusal:
            self.refused = explain(context.state, refusal)

    @property
    def count(self) -> int:
        """The one thing that can be chosen; none where the rules refuse it."""
        return 0 if self.refused else 1

    def page(self) -> Page:
        """Return the hand before and after, and who pays whom for it."""
        leave = (KeyHint("undo", BACK), KeyHint("menu", Message("to the table")))
        if self.refused:
            hand = getattr(self._event, "hand", None) or self.context.state.hand_number
            entry = isinstance(self._event, Entry)
            return LedgerPage(
                title=Message("A new entry") if entry else Message("Hand {n}", n=hand),
                note=self.refused,
                warning=True,
                hints=leave,
                columns=(),
                empty=Message("Make the hand void instead, or write an entry."),
            )
        use = KeyHint("have", Message("write it down"))
        return change_page(self._change, self.context.state, (use, *leave))

    def choose(self, number: int) -> Action | None:
        """Play it."""
        return Close(Play(self._event))


def put_right(context: Context, event: Correct | CorrectBone | Misdeal | Entry) -> Open | Close:
    """Return what follows *event*: it is played at once, or first shown where it moves tokens."""
    if isinstance(event, Entry) or event.hand is not None or context.state.outcome is not None:
        return Open(ChangeScene(context, event))
    return Close(Play(event))


class CorrectScene(CardsScene):
    """Which card, or which bone, was read wrongly? Only what lies open can be chosen (G-7)."""

    title = Message("What was read wrongly?")
    note = Message("Everything that depends on it is worked out again, the ledger too.")
    kind = partial(CardsPage, empty=Message("Nothing lies open that could be put right."))

    def __init__(self, context: Context, hand: int | None = None) -> None:
        """Ask about hand number *hand* of the sitting; ``None``: about the one in play."""
        super().__init__(context)
        self._hand = hand

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return what lies open, each with the scene that asks what it is really.

        What was read last comes first, and is marked: people correct what they have just seen.
        """
        session, hand = self.context.session, self._hand
        if session is None:
            return []
        seen = session.view if hand is None else past_view(session.state, hand)
        found = list(readings(self.context, seen, hand))
        if hand is None:
            read = read_when(session.state)
            found.sort(key=lambda each: -read.get(each[0].what, -1))
            found[:0] = _not_yet_played(self.context, seen)
        return [(pick, Open(scene)) for pick, scene in found]


def _not_yet_played(context: Context, seen: View) -> Iterator[tuple[Pick, Scene]]:
    """Yield the cards that lie open at the places of players and are not in the game.

    Such as those of a hand laid open that does not count, because one of them was misread.
    """
    names, booked = {seat.seat: seat.name for seat in seen.seats}, set(open_cards(seen))
    for card in context.lying:
        if card.card is not None and card.seat in names and (card.seat, card.card) not in booked:
            yield _card(context, None, card.card, card.seat, names[card.seat])


def read_when(state: State) -> dict[Card | Face, int]:
    """Return the number of the event by which each card of the hand in play was read last."""
    found: dict[Card | Face, int] = {}
    for number, event in enumerate(state.events):
        cards = (getattr(event, "card", None), *getattr(event, "cards", ()))
        found |= {card: number for card in cards if isinstance(card, Card)}
    return found


def touched_card(context: Context, seen: View, number: int) -> Scene | None:
    """Return the scene that asks what open card *number* of the table screen is really."""
    found = list(open_cards(seen))
    if number >= len(found):
        return None
    seat, card = found[number]
    return _card(context, None, card, seat, "")[1]


def past_view(state: State, hand: int) -> View:
    """Return what the whole table may know of hand number *hand*, one before that in play."""
    past = state.book.played[hand - 1]
    return view(replace(state, start=past.start, round=past.hand), TABLE)


def readings(context: Context, seen: View, hand: int | None = None) -> Iterator[tuple[Pick, Scene]]:
    """Yield everything that was read and lies open, with the scene that asks what it is."""
    card, bone = partial(_card, context, hand), partial(_bone, context, hand)
    for seat in seen.seats:
        yield from (card(each, seat.seat, seat.name) for each in seat.cards if each is not None)
        for roll, throw in enumerate(seat.throws):
            for place, points in enumerate(throw):
                yield bone((seat.seat, roll, place), Face.from_points(points), seat.name)
    if seen.middle is not None:
        # Who discarded a card is no longer known: with one pack its name is enough (rule G-10).
        for each in reversed(seen.middle.discards[-DISCARDS:]):
            yield card(each, None, Message("discard"))
        for lying in (each for pile in seen.middle.piles for each in pile.cards):
            if lying is not None:
                yield card(lying, None, Message("middle"))
    if seen.phase is Phase.CUT:
        names = {seat.seat: seat.name for seat in seen.seats}
        yield from (card(each, seat, names.get(seat, "")) for seat, each in seen.cuts)


def _card(
    context: Context, hand: int | None, was: Card, seat: int | None, name: Value
) -> tuple[Pick, Scene]:
    def named(to: Card) -> Action:
        same = to == was
        return Close() if same else put_right(context, Correct(was, to, seat, hand))

    return pick(was, name), RankScene(context, was, named)


def _bone(
    context: Context, hand: int | None, at: tuple[int, int, int], was: Face, name: str
) -> tuple[Pick, Scene]:
    """Return the pick and the scene of the bone *at* a seat, a throw and a place in it, from 0."""

    def named(to: Face) -> Action:
        same = to is was
        return Close() if same else put_right(context, CorrectBone(*at, to.points, hand))

    return Pick(was, name, f"{name}: {was.points}"), FaceScene(context, was, named)
