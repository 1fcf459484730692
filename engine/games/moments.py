"""The great moments of a game, from what the table saw before and after an event.

Each has a few large words for the screen, a line below them, and what a croupier calls out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.cards import Card
from engine.core.events import Event, Knock, Roll
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import player_name
from engine.core.outcome import End
from engine.core.views import SeatStatus, SeatView, TableKind, View
from engine.games.prompts import bone_prompt

FIRST_BONES = 5
"""A first throw has so many bones (rule KB-4)."""


class MomentKind(StrEnum):
    """What a moment is; each has a sound of its own."""

    MATCH = "match"
    THIRTY_ONE = "thirty-one"
    BONE_ACE = "bone-ace"
    BONE = "bone"
    OVER = "over"
    KNOCK = "knock"
    FIVE = "five"
    BANK = "bank"
    LAST_LIFE = "last-life"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment that everybody at the table should notice.

    Attributes:
        kind: what it is.
        title: a few words, written as large as the screen has room for.
        detail: whom it is about, in one line.
        call: what is said aloud, at once.
        card: that brought it about.
    """

    kind: MomentKind
    title: Value
    detail: Value
    call: Value
    card: Card | None = None


def moment_of(event: Event, before: View, after: View) -> Moment | None:
    """Return the greatest moment that *event* has brought; ``None`` for an ordinary event."""
    if before.hand_number != after.hand_number:
        return None
    finds = (_match, _thirty_one, _bone, _over, _knock, _five, _bank, _last_life)
    return next((found for find in finds if (found := find(event, before, after))), None)


def _match(_event: Event, before: View, after: View) -> Moment | None:
    was_over = before.match is not None and before.match.over
    if after.match is None or after.match.winner is None or was_over:
        return None
    name = player_name(after, after.match.winner)
    call = Message("{name} wins the match. Take a bow, {name}!", name=name)
    return Moment(MomentKind.MATCH, Message("Match won!"), name, call)


def _thirty_one(_event: Event, before: View, after: View) -> Moment | None:
    result = after.result
    if result is None or before.result is not None or not result.winners:
        return None
    if result.end not in (End.THIRTY_ONE, End.BLITZ):
        return None
    name = player_name(after, result.winners[0])
    detail: Value = name
    call = Message("Thirty-one on the nose, {name}!", name=name)
    if after.stake and any(tokens == 2 * after.stake for *_, tokens in result.payments):
        detail = Message("{name} is paid double", name=name)
        call = Message("Thirty-one on the nose! {name} is paid double.", name=name)
    return Moment(MomentKind.THIRTY_ONE, Message("Thirty-one!"), detail, call)


def _bone(_event: Event, before: View, after: View) -> Moment | None:
    bone = after.bone
    if bone is None or before.bone is not None:
        return None
    name, pays = player_name(after, bone.holder), bone_prompt(after)
    if bone.card == after.bone_ace:
        call = Message("The Bone-Ace! {name} takes the Bone, and nobody argues.", name=name)
        return Moment(MomentKind.BONE_ACE, Message("Bone-Ace!"), pays.title, call, bone.card)
    call = Message("{name} takes the Bone.", name=name)
    return Moment(MomentKind.BONE, Message("The Bone!"), pays.title, call, bone.card)


def _over(_event: Event, before: View, after: View) -> Moment | None:
    was_out = {seat.seat for seat in before.seats if seat.status is SeatStatus.OUT}
    for seat in after.seats:
        if seat.status is SeatStatus.OUT and seat.seat not in was_out and not seat.thrown_in:
            if seat.total is not None and seat.total <= after.target:
                continue  # out, and not over
            return _is_over(seat, after.target)
    return None


def _is_over(seat: SeatView, target: int) -> Moment:
    if seat.total is None:
        title = Message("Over {target}!", target=target)
        call = Message("{name} is over, and out.", name=seat.name)
    else:
        title = Message("{total}: over!", total=seat.total)
        n = seat.total - target
        call = Message("{name}: {total}. Too many by {n}!", name=seat.name, total=seat.total, n=n)
    detail = Message("{name} is out", name=seat.name)
    return Moment(MomentKind.OVER, title, detail, call)


def _knock(event: Event, _before: View, after: View) -> Moment | None:
    if not isinstance(event, Knock) or after.result is not None:
        return None
    name = player_name(after, event.seat)
    call = Message("{name} knocks! One last turn for the others.", name=name)
    detail = Message("{name} has knocked", name=name)
    return Moment(MomentKind.KNOCK, Message("Knock, knock!"), detail, call)


def _five(event: Event, _before: View, after: View) -> Moment | None:
    if not isinstance(event, Roll) or len(event.faces) < FIRST_BONES or len(set(event.faces)) > 1:
        return None
    name = player_name(after, event.seat)
    call = Message("Five alike, {name}! Nobody will believe it.", name=name)
    return Moment(MomentKind.FIVE, Message("Five alike!"), name, call)


def _bank(_event: Event, before: View, after: View) -> Moment | None:
    result = after.result
    if result is None or before.result is not None or after.table is not TableKind.BONES:
        return None
    heir = result.next_dealer
    if result.end is End.MISDEAL or heir in (None, after.dealer):
        return None
    name = player_name(after, heir)
    call = Message("The bank passes to {name}. Look after it!", name=name)
    detail = Message("{name} is the bank", name=name)
    return Moment(MomentKind.BANK, Message("A new bank!"), detail, call)


def _last_life(_event: Event, before: View, after: View) -> Moment | None:
    if after.result is None or before.result is not None:
        return None
    were = {seat.seat: _lives(seat) for seat in before.seats}
    for seat in after.seats:
        lives, had = _lives(seat), were.get(seat.seat)
        if seat.match is None or seat.match.eliminated or lives is None or had is None:
            continue
        if lives < had and lives <= 1:
            name = seat.name
            call = Message("{name}, that was close: one last life.", name=name)
            return Moment(MomentKind.LAST_LIFE, Message("Last life!"), name, call)
    return None


def _lives(seat: SeatView) -> int | None:
    """Return how many lives are left; 1 for who still has one and has never lost all."""
    return None if seat.match is None else seat.match.lives
