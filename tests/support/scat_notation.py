"""A short notation for Thirty-one, so that a round is read quickly.

``0KH`` a card to seat 0 (``0??`` unread, ``0^KH`` face up), ``w:KH`` to the widow, ``z:KH`` to the
dealer's second hand, ``B:KH`` to the middle, ``t:KH`` to the table; ``up:4C`` the turn-up.
``0+KH`` seat 0 draws from the stock, ``0<`` or ``0<KH`` takes the discard, ``0-2C`` throws; ``k0``
knocks, ``s0`` stands; ``claim0:…`` calls 31, ``show0:…`` shows; ``out0`` or
``out0:…`` throws in. ``name0.1:KH`` names their second discard, which nobody had read.
``w0:KH,QH@0,1`` exchanges with the widow (``>AC,KC`` what was got); ``t0:KC@9C`` swaps with the
table; ``keep2:first`` or ``keep2:first=TD,4D,2S``; ``x0:B1=2C`` (``>3C``) exchanges, ``swap0:A``
(``=…`` gave, ``>…`` got), ``new0:A=AH,9H,6S`` renews face up, ``new0:a=…`` face down;
``again0`` restarts, ``accept``. And ``cut0KH``, ``fix:KH>QH``, ``fix0:KH>QH``, ``undo``,
``misdeal``, ``next``, ``leave0``, ``join8``. ``!CODE`` at the end of a word: it must be refused
with that code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine import (
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Event,
    Facing,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Player,
    Reveal,
    State,
    Undo,
    new_table,
)
from engine.core.cards import Card, parse_or_unread
from engine.core.events import (
    Accept,
    ChooseHand,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Keep,
    Knock,
    Pile,
    Renew,
    Restart,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    TableHand,
    TurnUp,
    Widow,
)
from engine.records.referee import match_record, state_record
from tests.support import invariants

NAMES = ["Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester", "Ivo"]
PILES = {"w": Pile.WIDOW, "z": Pile.SECOND, "B": Pile.MIDDLE, "t": Pile.TABLE}

# Three hands that nothing happens to: 20, 11 and 17.
PLAIN = {0: "KH QH 2C", 1: "5D 6D 7S", 2: "9S 8S 3H"}


def _one(code: str) -> Card | None:
    return parse_or_unread(code)


def _many(text: str | None) -> tuple[Card | None, ...]:
    return tuple(_one(code) for code in (text or "").split(",") if code)


def event_of(word: str) -> Event:
    for read in (_dealing, _playing, _switching, _else):
        event = read(word)
        if event is not None:
            return event
    raise ValueError(f"{word!r} is no event")


def _dealing(word: str) -> Event | None:
    if found := re.fullmatch(r"(\d)(\^?)([^+<-].)", word):
        return Deal(int(found[1]), _one(found[3]), Facing.UP if found[2] else Facing.DOWN)
    if found := re.fullmatch(r"([wzBt]):(\^?)(..)", word):
        up = bool(found[2]) or found[1] == "t"
        return DealTo(PILES[found[1]], _one(found[3]), Facing.UP if up else Facing.DOWN)
    if found := re.fullmatch(r"up:(..)", word):
        return TurnUp(_one(found[1]))
    if found := re.fullmatch(r"cut(\d)(..)", word):
        return Cut(int(found[1]), _one(found[2]))
    return None


def _playing(word: str) -> Event | None:
    if found := re.fullmatch(r"(\d)([+<-])(..)?", word):
        seat, card = int(found[1]), _one(found[3] or "??")
        if found[2] == "-":
            return Discard(seat, card)
        return Draw(seat, Source.STOCK if found[2] == "+" else Source.DISCARD, card)
    if found := re.fullmatch(r"([ks])(\d)", word):
        return Knock(int(found[2])) if found[1] == "k" else Stand(int(found[2]))
    if found := re.fullmatch(r"(claim|show|out)(\d):?(.*)", word):
        seat, cards = int(found[2]), _many(found[3])
        if found[1] == "show":
            return Reveal(seat, cards)
        return Declare(seat, Claim.OUT if found[1] == "out" else Claim.THIRTY_ONE, cards)
    if found := re.fullmatch(r"w(\d):([^@]*)@([^>]*)(?:>(.*))?", word):
        take = tuple(int(place) for place in found[3].split(",") if place)
        return Widow(int(found[1]), _many(found[2]), take, _many(found[4]))
    if found := re.fullmatch(r"t(\d):([^@]*)@(.*)", word):
        return SwapCards(int(found[1]), _many(found[2]), _many(found[3]))
    return None


def _switching(word: str) -> Event | None:
    if found := re.fullmatch(r"keep(\d):(first|second)(?:=(.*))?", word):
        return ChooseHand(int(found[1]), Keep(found[2]), _many(found[3]))
    if found := re.fullmatch(r"x(\d):([AB])(-?\d)=(..)(?:>(..))?", word):
        got = _one(found[5]) if found[5] else None
        return Exchange(int(found[1]), TableHand(found[2]), int(found[3]), _one(found[4]), got)
    if found := re.fullmatch(r"swap(\d):([AB])(?:=([^>]*))?(?:>(.*))?", word):
        return SwapHand(int(found[1]), TableHand(found[2]), _many(found[3]), _many(found[4]))
    if found := re.fullmatch(r"new(\d):([ABab])=(.*)", word):
        face = Facing.UP if found[2].isupper() else Facing.DOWN
        return Renew(int(found[1]), TableHand(found[2].upper()), _many(found[3]), face)
    if found := re.fullmatch(r"again(\d)", word):
        return Restart(int(found[1]))
    return Accept() if word == "accept" else None


def _else(word: str) -> Event | None:
    if found := re.fullmatch(r"fix(\d?):(..)>(..)", word):
        return Correct(_one(found[2]), _one(found[3]), int(found[1]) if found[1] else None)
    if found := re.fullmatch(r"name(\d)\.(\d):(..)", word):
        return Correct(None, _one(found[3]), int(found[1]), discard=int(found[2]))
    if found := re.fullmatch(r"(leave|join)(\d)", word):
        seat = int(found[2])
        return Leave(seat) if found[1] == "leave" else Join(seat, NAMES[seat])
    plain = {"undo": Undo(), "misdeal": Misdeal("agreed"), "next": NextHand()}
    return plain.get(word)


def go_on(state: State, script: str) -> State:
    return invariants.run(state, script, event_of)


def dealt(hands: Mapping[int, str], dealer: int, widow: str = "") -> str:
    """Deal ``{0: "KH QH 2C", …}`` in rounds from the dealer's left, and the widow in between."""
    seats = sorted(hands, key=lambda seat: (seat <= dealer, seat))
    words = []
    for number in range(3):
        words += [f"{seat}{hands[seat].split()[number]}" for seat in seats]
        words += [f"w:{widow.split()[number]}"] if widow else []
    return " ".join(words)


def sit(
    script: str = "",
    hands: Mapping[int, str] = PLAIN,
    *,
    preset: str = "wikipedia",
    dealer: int | None = -1,
    seats: Iterable[int] | None = None,
    up: str = "4C",
    second: str = "",
    middle: str = "",
    table: str = "",
    widow: str = "",
    start: Mapping[str, Any] | None = None,
    **options: Any,
) -> State:
    """Seat players, deal (by default 20, 11 and 17, the last seat dealing) and play a script."""
    chosen = sorted(seats if seats is not None else hands)
    first = chosen[-1] if dealer == -1 else dealer
    players = [Player(seat, NAMES[seat]) for seat in chosen]
    begun = {"start": start} if start else {}
    state = new_table("scat", players, dealer=first, preset=preset, options=options, start=begun)
    if not hands or first is None:
        return go_on(state, script)
    words = [dealt(hands, first, widow)]
    words += [f"z:{card}" for card in second.split()]
    words += [f"B:{card}" for card in middle.split()]
    words += [f"t:{card}" for card in table.split()]
    if not (second or middle or table):
        words.append(f"up:{up}")
    return go_on(state, " ".join([*words, script]))


def hand(state: State, number: int = -1) -> dict[str, Any]:
    """Return a finished hand in the words of the case format, seats as numbers."""
    record = state.setup.game.views.hand_record(state.hands[number])
    return {key: _numbered(value) for key, value in record.items()}


def now(state: State) -> dict[str, Any]:
    """Return how the table stands in the words of the case format."""
    return state_record(state)


def match(state: State) -> dict[str, Any] | None:
    """Return the match in the words of the case format; ``None`` while it goes on."""
    record = match_record(state.round.standing)
    return None if record is None else {key: _numbered(value) for key, value in record.items()}


def _numbered(value: Any) -> Any:
    if isinstance(value, dict):
        return {int(key): one for key, one in value.items()}
    return value
