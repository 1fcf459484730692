"""The story of One-and-Twenty: throws, choices, and who beat the bank."""

from __future__ import annotations

from dataclasses import replace

from engine.core.bones import Face
from engine.core.events import Choose, CorrectBone, Declare, Event, Leave, Roll, Stake
from engine.core.messages.message import Listing, Message, Value
from engine.core.messages.words import count
from engine.core.views import ResultView, SeatStatus, SeatView, View
from engine.games.knucklebones.prompts import BANK_ENDS
from engine.games.story import Story, name_of, payments

FACE_WORDS = {
    Face.FLAT: Message("flat"),
    Face.CONCAVE: Message("concave"),
    Face.CONVEX: Message("convex"),
    Face.TWISTED: Message("twisted"),
}
"""The sides of a bone."""


class KnucklebonesStory(Story):
    """Throws in the place of cards, and a bank."""

    def hand(self, view: View) -> Value:
        """Return which round begins, and who has the bank."""
        name = name_of(view, -1 if view.dealer is None else view.dealer)
        return Message("Round {n}. {name} has the bank.", n=view.hand_number, name=name)

    def happened(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what was done."""
        match event:
            case Stake():
                name, tokens = after.seat(event.seat).name, count(event.amount, "token")
                return [Message("{name} stakes {tokens}.", name=name, tokens=tokens)]
            case Roll():
                return [_roll(event, after)]
            case Choose():
                return [_choice(event, after)]
            case Declare():
                return [Message("{name}: “I'm out.”", name=after.seat(event.seat).name)]
            case CorrectBone():
                return [
                    Message(
                        "A misreading put right: a bone of {name}'s lay {face}.",
                        name=after.seat(event.seat).name,
                        face=FACE_WORDS[Face.from_points(event.face)],
                    )
                ]
        return super().happened(event, before, after)

    def tell(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what *event* did, and what who goes out pays at once (rules KB-4, KB-6, KB-23).

        That is what their tokens have moved by, so also of a game in which nobody lays a stake. Who
        leaves may have been the next banker (rule G-16).
        """
        was, now, told = before.result, after.result, after
        held = {each.seat: each.tokens for each in before.seats}
        moved = {each.seat: held.get(each.seat, each.tokens) - each.tokens for each in after.seats}
        if was is None and now is not None:  # who went out before has paid, and was told to
            were_out = [each.seat for each in before.seats if _is_out(each)]
            paid = [seat for seat in were_out if not moved.get(seat)]
            rest = tuple(each for each in now.payments if each[0] not in paid)
            told = replace(after, result=replace(now, payments=rest))
        lines = super().tell(event, before, told)
        if now is None and after.dealer is not None:
            were_in = [each.seat for each in before.seats if not _is_out(each)]
            out = [each for each in after.seats if _is_out(each) and each.seat in were_in]
            owed = [(each.seat, after.dealer, moved[each.seat]) for each in out]
            lines += payments(after, [each for each in owed if each[2] > 0])
        if isinstance(event, Leave) and was is not None and now is not None:
            lines += _bank_passes(after, now) if was.next_dealer != now.next_dealer else []
        return lines

    def result(self, view: View, result: ResultView) -> list[Value]:
        """Return how a round ended; also one that is void may pass the bank on (rule G-17)."""
        lines = super().result(view, result)
        return [*lines, *_bank_passes(view, result)] if result.end not in BANK_ENDS else lines

    def ending(self, view: View, result: ResultView) -> list[Value]:
        """Return who beat the bank, who pays whom, and where the bank goes (rule KB-22)."""
        if result.end not in BANK_ENDS:
            return super().ending(view, result)
        paid = payments(view, result.payments)
        return [_against_the_bank(view, result), *paid, *_bank_passes(view, result)]


def _is_out(seat: SeatView) -> bool:
    """Return whether a player is out of the round; not the banker, who ends it."""
    return seat.status is SeatStatus.OUT and not seat.is_dealer


def _bank_passes(view: View, result: ResultView) -> list[Value]:
    """Return who is the next banker, where it is another one."""
    if result.next_dealer in (None, view.dealer):
        return []
    return [Message("The bank passes to {name}.", name=name_of(view, result.next_dealer))]


def _against_the_bank(view: View, result: ResultView) -> Message:
    banker = next((seat for seat in view.seats if seat.is_dealer), None)
    winners = tuple(seat.name for seat in view.seats if seat.seat in result.winners)
    names = Listing(winners)
    if result.end == "all-bust":
        return Message("Everybody is out: the bank takes all the stakes.")
    if banker is not None and banker.status is SeatStatus.OUT:
        return Message("The bank is out and pays {names}.", names=names)
    total = str(None if banker is None else banker.total)
    if not winners:
        return Message("Nobody beats the bank's {total}.", total=total)
    return Message(
        "{names} beats the bank's {total}.",
        "{names} beat the bank's {total}.",
        len(result.winners),
        names=names,
        total=total,
    )


def _choice(event: Choose, after: View) -> Message:
    name, n = after.seat(event.seat).name, event.n
    if n == 0:
        return Message("{name}: “No more.”", name=name)
    return Message("{name}: “{n} more bone.”", "{name}: “{n} more bones.”", n, name=name, n=n)


def _roll(event: Roll, after: View) -> Message:
    seat = after.seat(event.seat)
    name, total = seat.name, str(seat.total)
    points = ", ".join(str(each) for each in sorted(event.faces))
    if seat.status is SeatStatus.OUT:
        return Message(
            "{name} throws {points}: {total}, and is over.", name=name, points=points, total=total
        )
    return Message("{name} throws {points}: {total}.", name=name, points=points, total=total)
