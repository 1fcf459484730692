"""The game as people tell it: one or two sentences an event."""

from __future__ import annotations

from collections.abc import Sequence

from device.words import and_list, card_words, count
from engine import Event, games
from engine.cards import Card
from engine.events import (
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Facing,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Reveal,
    Stick,
    Undo,
)
from engine.views import Phase, ResultView, SeatStatus, View

_PLAYED = {
    "thirty-one": "Thirty-one on the nose",
    "dealer-wins": "Everybody else is out",
    "sole-survivor": "Everybody else is out",
}


def opening_lines(seen: View) -> list[str]:
    """Say who sits down to what."""
    names = and_list([seat.name for seat in seen.seats])
    lines = [
        f"{games.find(seen.game).title}, the {seen.preset} rules. {names} sit down; "
        f"the stake is {count(seen.stake, 'token')}."
    ]
    if seen.phase is Phase.CUT:
        lines.append("They cut for the deal.")
    elif seen.dealer is not None:
        lines.append(f"Hand {seen.hand_number}. {_name(seen, seen.dealer)} deals.")
    return lines


def tell(event: Event, before: View, after: View) -> list[str]:
    """Tell what *event* did, from what the whole table saw before and after it."""
    lines = _what_happened(event, before, after)
    if isinstance(event, Undo | Correct | Misdeal):
        if after.result is not None and after.result != before.result:
            lines.extend(_result(after, after.result))
        return lines
    if before.phase is Phase.CUT and after.phase is not Phase.CUT and after.dealer is not None:
        lines.append(f"The lowest is {_name(after, after.dealer)}'s, who deals.")
    if after.bone is not None and before.bone is None:
        lines.append(_bone(after))
    for seat in after.seats:
        # Seats whose hand is judged by the engine itself: nobody said a word.
        if (
            seat.status is SeatStatus.OUT
            and before.seat(seat.seat).status is not SeatStatus.OUT
            and not isinstance(event, Declare | Leave)
        ):
            lines.append(f"{seat.name} is over thirty-one and out.")
    if after.to_reveal and not before.to_reveal:
        lines.append(f"The cards on the table, {and_list(_names(after, after.to_reveal))}!")
    if after.result is not None and before.result is None:
        lines.extend(_result(after, after.result))
    return lines


def closing_lines(seen: View) -> list[str]:
    """Say how everybody stands at the end."""
    best = sorted(seen.seats, key=lambda seat: (-seat.tokens, seat.seat))
    return ["The evening: " + ", ".join(f"{s.name} {signed(s.tokens)}" for s in best) + "."]


def signed(tokens: int) -> str:
    """Return tokens won or lost.

    >>> signed(3), signed(-1), signed(0)
    ('+3', '-1', '0')
    """
    return f"+{tokens}" if tokens > 0 else str(tokens)


def _what_happened(event: Event, before: View, after: View) -> list[str]:
    match event:
        case Cut():
            line = f"{_name(after, event.seat)} cuts {_the(event.card)}."
            if after.to_cut and set(after.to_cut) != set(before.to_cut) - {event.seat}:
                line += f" A tie: {and_list(_names(after, after.to_cut))} cut again."
            return [line]
        case Deal():
            return _deal(event, before, after)
        case Have():
            return [f"{_name(after, event.seat)}: “Have it.”"]
        case Stick():
            return [f"{_name(after, event.seat)}: “Stick.”"]
        case Declare():
            return [_declare(event, after)]
        case Reveal():
            seat = after.seat(event.seat)
            total = f": {seat.total}" if seat.total is not None else ""
            return [f"{seat.name} shows {_cards(event.cards)}{total}."]
        case Misdeal():
            return ["A misdeal: the hand is void and everything goes back."]
        case Undo():
            return ["That is taken back."]
        case Correct():
            return [f"A misreading put right: {_the(event.was)} is {_the(event.card)}."]
        case NextHand():
            dealer = f" {_name(after, after.dealer)} deals." if after.dealer is not None else ""
            return ["", f"Hand {after.hand_number}.{dealer}"]
        case Join():
            return [f"{event.name} sits down."]
        case Leave():
            return [f"{_name(before, event.seat)} leaves the table."]
    return []


def _deal(event: Deal, before: View, after: View) -> list[str]:
    name = _name(after, event.seat)
    # A card lying face down is nobody's business, even if it has been read (rule G-7).
    if event.card is not None and event.face is Facing.UP:
        return [f"{name}'s card is turned up: {_the(event.card)}."]
    if before.phase is Phase.PLAY:
        return [f"{name} gets a card."]
    return []  # the backs of the deal say nothing worth a line each


def _declare(event: Declare, after: View) -> str:
    seat = after.seat(event.seat)
    shown = f" turns up {_cards(event.cards)}" if event.cards else ""
    if event.what is Claim.THIRTY_ONE:
        return f"{seat.name}{shown}: thirty-one!"
    total = f": {seat.total}" if seat.total is not None and shown else ""
    return f"{seat.name}{shown}{total}{', and' if total else ' and' if shown else ''} is out."


def _bone(seen: View) -> str:
    bone = seen.bone
    assert bone is not None
    payers = [seat for seat, tokens in bone.payments if tokens < 0]
    line = f"{_name(seen, bone.holder)} has the Bone with {_the(bone.card)}"
    gain = dict(bone.payments).get(bone.holder, 0)
    if payers:
        each = -next(tokens for seat, tokens in bone.payments if seat == payers[0])
        verb = "pays" if len(payers) == 1 else "pay"
        tail = "" if len(payers) == 1 else " each"
        names = and_list(_names(seen, tuple(payers)))
        return f"{line}! {names} {verb} {count(each, 'token')}{tail}."
    if gain:
        return f"{line}, and takes {count(gain, 'token')} from the pool."
    return f"{line}, and plays first."


def _result(seen: View, result: ResultView) -> list[str]:
    winners = _names(seen, result.winners)
    if result.end == "misdeal":
        lines = []
    elif not winners:
        lines = ["Everybody is out: nobody wins, nobody pays."]
    else:
        total = seen.seat(result.winners[0]).total
        how = f" with {total}" if total is not None else ""
        opener = f"{_PLAYED[result.end]}: " if result.end in _PLAYED else ""
        verb = "wins" if len(winners) == 1 else "share the win"
        lines = [f"{opener}{and_list(winners)} {verb}{how}."]
        lines.extend(_payments(seen, result.payments))
    moved = ", ".join(f"{_name(seen, seat)} {signed(net)}" for seat, net in result.settlement)
    return [*lines, f"The hand: {moved}."]


def _payments(seen: View, payments: Sequence[tuple[int, int, int]]) -> list[str]:
    """Group the payments: who pays the same to the same is said in one breath."""
    groups: dict[tuple[int, int], list[int]] = {}
    for payer, payee, tokens in payments:
        groups.setdefault((payee, tokens), []).append(payer)
    lines = []
    for (payee, tokens), payers in groups.items():
        verb, tail = ("pays", "") if len(payers) == 1 else ("pay", " each")
        names = and_list(_names(seen, tuple(payers)))
        lines.append(f"{names} {verb} {_name(seen, payee)} {count(tokens, 'token')}{tail}.")
    return lines


def _name(seen: View, seat: int) -> str:
    for each in seen.seats:
        if each.seat == seat:
            return each.name
    return f"seat {seat}"


def _names(seen: View, seats: Sequence[int]) -> list[str]:
    return [_name(seen, seat) for seat in seats]


def _the(card: Card | None) -> str:
    return f"the {card_words(card)}" if card is not None else "a card nobody has read"


def _cards(cards: Sequence[Card | None]) -> str:
    return and_list([_the(card) for card in cards])
