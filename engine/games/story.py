"""A game as people tell it: one or two sentences an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.counting import GOAL
from engine.core.events import (
    Claim,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Declare,
    Entry,
    Event,
    Facing,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Reveal,
    Roll,
    Stick,
    Undo,
)
from engine.core.messages.message import N_, Joined, Listing, Message, Value, sentences
from engine.core.messages.words import count, the_card, the_cards
from engine.core.views import Phase, ResultView, SeatStatus, SeatView, View

_PUT_RIGHT = (Correct, CorrectBone, Misdeal)
"""Events that may be about an earlier hand (rules G-12, G-13)."""


class Story:
    """The story of a card game; a game that has events or endings of its own extends it."""

    def opening(self, title: str, view: View) -> list[Value]:
        """Return who sits down to what; *title* is the name of the game."""
        said = N_("{game}, the {preset} rules. {names} sit down.")
        if view.stake:
            said = N_("{game}, the {preset} rules. {names} sit down; the stake is {tokens}.")
        names, tokens = Listing(tuple(seat.name for seat in view.seats)), count(view.stake, "token")
        lines: list[Value] = [
            Message(said, game=Message(title), preset=view.preset, names=names, tokens=tokens)
        ]
        if view.phase is Phase.CUT:
            lines.append(Message("They cut for the deal."))
        elif view.dealer is not None:
            lines.append(self.hand(view))
        return lines

    def hand(self, view: View) -> Value:
        """Return which hand begins, and who deals it."""
        if view.dealer is None:
            return Message("Hand {n}.", n=view.hand_number)
        name = name_of(view, view.dealer)
        return Message("Hand {n}. {name} deals.", n=view.hand_number, name=name)

    def tell(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what *event* did, from what the whole table saw before and after it."""
        if isinstance(event, _PUT_RIGHT) and event.hand not in (None, after.hand_number):
            return [self.put_right(event), *self.moved(before, after)]
        if isinstance(event, Entry):
            said = Message("An entry: {reason}.", reason=event.reason)
            return [said, *self.moved(before, after)]
        lines = self.happened(event, before, after)
        if isinstance(event, Undo | Correct | CorrectBone | Misdeal):
            if after.result is not None and after.result != before.result:
                lines += self.result(after, after.result)
            return lines
        if before.phase is Phase.CUT and after.phase is not Phase.CUT and after.dealer is not None:
            name = name_of(after, after.dealer)
            lines.append(Message("The lowest is {name}'s, who deals.", name=name))
        if after.bone is not None and before.bone is None:
            lines.append(_bone(after))
        lines += self.went_out(event, before, after)
        if after.to_reveal and not before.to_reveal:
            names = names_of(after, after.to_reveal)
            lines.append(Message("The cards on the table, {names}!", names=names))
        if after.result is not None and before.result is None:
            lines += self.result(after, after.result)
        return lines

    def moved(self, before: View, after: View) -> list[Value]:
        """Return what an entry, or an earlier hand put right, has changed in the ledger."""
        were, now = ({each.seat: each.tokens for each in view.seats} for view in (before, after))
        moved = changes(were, now, after)
        return [Message("In the ledger: {moved}.", moved=moved)] if moved else []

    def put_right(self, event: Correct | CorrectBone | Misdeal) -> Value:
        """Return what was put right in an earlier hand (rule G-12)."""
        number = event.hand or 0
        if isinstance(event, Misdeal):
            return Message("Hand {n} was a misdeal: it is void.", n=number)
        if isinstance(event, CorrectBone) or event.was is None:
            return Message("Hand {n} is put right.", n=number)
        was, card = the_card(event.was), the_card(event.card)
        return Message("Hand {n} is put right: {was} is {card}.", n=number, was=was, card=card)

    def closing(self, view: View) -> list[Value]:
        """Return how everybody stands at the end."""
        best = sorted(view.seats, key=lambda seat: (-seat.tokens, seat.seat))
        standing = ", ".join(f"{seat.name} {signed(seat.tokens)}" for seat in best)
        return [Message("The evening: {standing}.", standing=standing)]

    def happened(self, event: Event, before: View, after: View) -> list[Value]:  # noqa: C901  one case an event
        """Return what was done; nothing for an event that is not worth a line."""
        match event:
            case Cut():
                return [_cut(event, before, after)]
            case Deal():
                return _deal(event, before, after)
            case Have():
                return [Message("{name}: “Have it.”", name=name_of(after, event.seat))]
            case Stick():
                return [Message("{name}: “Stick.”", name=name_of(after, event.seat))]
            case Declare():
                return [_declare(event, after)]
            case Reveal():
                return [_reveal(event, after)]
            case Misdeal():
                return [Message("A misdeal: the hand is void and everything goes back.")]
            case Undo():
                return _taken_back(before, after)
            case Correct():
                was, card = the_card(event.was), the_card(event.card)
                return [Message("A misreading put right: {was} is {card}.", was=was, card=card)]
            case NextHand():
                return ["", self.hand(after)]
            case Join():
                return [Message("{name} sits down.", name=event.name)]
            case Leave():
                return [Message("{name} leaves the table.", name=name_of(before, event.seat))]
        return []

    def went_out(self, event: Event, before: View, after: View) -> list[Value]:
        """Return who is out because the engine itself judged the hand: nobody said a word."""
        if isinstance(event, Declare | Leave | Roll):
            return []
        return [
            Message("{name} is over thirty-one and out.", name=seat.name)
            if after.target == GOAL
            else Message("{name} is over {target} and out.", name=seat.name, target=after.target)
            for seat in after.seats
            if seat.status is SeatStatus.OUT and before.seat(seat.seat).status is not SeatStatus.OUT
        ]

    def result(self, view: View, result: ResultView) -> list[Value]:
        """Return how a hand ended, who pays whom, and what everybody won or lost."""
        lines = [] if result.end == "misdeal" else self.ending(view, result)
        moved = tuple(Joined((name_of(view, seat), signed(net))) for seat, net in result.settlement)
        return [*lines, Message("The hand: {moved}.", moved=Joined(moved, ", "))]

    def ending(self, view: View, result: ResultView) -> list[Value]:
        """Return how a hand ended, and who pays whom."""
        if not result.winners:
            return [Message("Everybody is out: nobody wins, nobody pays.")]
        return [_won(view, result), *payments(view, result.payments)]


def _taken_back(before: View, after: View) -> list[Value]:
    """Return that something is taken back, and whose it was where the views tell that.

    Nothing of a card face down: it is nobody's doing, and what led to it is taken back with it.
    """
    pairs = list(zip(after.seats, before.seats, strict=False))
    if any(was.cards == (*now.cards, None) for now, was in pairs):
        return []
    changed = {now.seat for now, was in pairs if _did(now) != _did(was)}
    changed |= set(after.to_cut) - set(before.to_cut)
    if not changed and after.turn is not None:
        changed = {after.turn}
    if len(changed) != 1:
        return [Message("That is taken back.")]
    return [Message("What {name} did last is taken back.", name=name_of(after, changed.pop()))]


def _did(seat: SeatView) -> object:
    """Return what a player has done in the hand; not what others came to by it."""
    won = (SeatStatus.WINNER, SeatStatus.THIRTY_ONE)
    status = SeatStatus.WAITING if seat.status in won else seat.status
    return seat.cards, seat.throws, seat.shown, seat.stake_laid, status


def changes(were: Mapping[int, int], now: Mapping[int, int], view: View) -> Value:
    """Return who has more or fewer of something than before, in one line; empty for nobody."""
    moved = tuple(
        Joined((name_of(view, seat), signed(number - were.get(seat, 0))))
        for seat, number in now.items()
        if number != were.get(seat, 0)
    )
    return Joined(moved, ", ") if moved else ""


def signed(tokens: int) -> str:
    """Return tokens won or lost.

    >>> signed(3), signed(-1), signed(0)
    ('+3', '-1', '0')
    """
    return f"+{tokens}" if tokens > 0 else str(tokens)


def name_of(view: View, seat: int) -> Value:
    """Return the name of a player, who may have left in the meantime."""
    for each in view.seats:
        if each.seat == seat:
            return each.name
    return Message("seat {n}", n=seat + 1)


def names_of(view: View, seats: Sequence[int]) -> Listing:
    """Return the names of several players."""
    return Listing(tuple(name_of(view, seat) for seat in seats))


def payments(view: View, moved: Sequence[tuple[int, int, int]]) -> list[Value]:
    """Return the payments; all who pay the same to the same player are told together."""
    groups: dict[tuple[int, int], list[int]] = {}
    for payer, payee, tokens in moved:
        groups.setdefault((payee, tokens), []).append(payer)
    lines: list[Value] = []
    for (payee, tokens), payers in groups.items():
        names, to = names_of(view, payers), name_of(view, payee)
        number = count(tokens, "token")
        lines.append(
            Message("{names} pays {tokens} to {to}.", names=names, to=to, tokens=number)
            if len(payers) == 1
            else Message("{names} pay {tokens} each to {to}.", names=names, to=to, tokens=number)
        )
    return lines


def _cut(event: Cut, before: View, after: View) -> Value:
    name, card = name_of(after, event.seat), the_card(event.card)
    line = Message("{name} cuts {card}.", name=name, card=card)
    if not after.to_cut or set(after.to_cut) == set(before.to_cut) - {event.seat}:
        return line
    names = names_of(after, after.to_cut)
    return sentences(line, Message("A tie: {names} cut again.", names=names))


def _deal(event: Deal, before: View, after: View) -> list[Value]:
    name = name_of(after, event.seat)
    # A card that lies face down is not named, even if it has been read (rule G-7).
    if event.card is not None and event.face is Facing.UP:
        card, total = the_card(event.card), after.seat(event.seat).total
        if before.phase is Phase.PLAY and total is not None:
            return [Message("{name} gets {card}: {total}.", name=name, card=card, total=total)]
        return [Message("{name}'s card is turned up: {card}.", name=name, card=card)]
    if before.phase is Phase.PLAY:
        return [Message("{name} gets a card.", name=name)]
    return []  # the backs of the deal are not worth a line each


def _declare(event: Declare, after: View) -> Value:
    seat, exact = after.seat(event.seat), event.what is Claim.THIRTY_ONE
    if not event.cards:
        said = N_("{name}: thirty-one!") if exact else N_("{name} is out.")
    elif exact:
        said = N_("{name} turns up {cards}: thirty-one!")
    elif seat.total is None:
        said = N_("{name} turns up {cards} and is out.")
    else:
        said = N_("{name} turns up {cards}: {total}, and is out.")
    return Message(said, name=seat.name, cards=the_cards(event.cards), total=seat.total or 0)


def _reveal(event: Reveal, after: View) -> Value:
    seat = after.seat(event.seat)
    name, cards = seat.name, the_cards(event.cards)
    if seat.total is None:
        return Message("{name} shows {cards}.", name=name, cards=cards)
    return Message("{name} shows {cards}: {total}.", name=name, cards=cards, total=seat.total)


def _bone(view: View) -> Value:
    bone = view.bone
    assert bone is not None
    payers = [seat for seat, tokens in bone.payments if tokens < 0]
    paid = dict(bone.payments)
    moved = -paid[payers[0]] if payers else paid.get(bone.holder, 0)
    if len(payers) == 1:
        said = N_("{name} has the Bone with {card}! {names} pays {tokens}.")
    elif payers:
        said = N_("{name} has the Bone with {card}! {names} pay {tokens} each.")
    elif moved:
        said = N_("{name} has the Bone with {card}, and takes {tokens} from the pool.")
    else:
        said = N_("{name} has the Bone with {card}, and plays first.")
    name, card = name_of(view, bone.holder), the_card(bone.card)
    names, tokens = names_of(view, payers), count(moved, "token")
    return Message(said, name=name, card=card, names=names, tokens=tokens)


def _won(view: View, result: ResultView) -> Value:
    said = _winners(view, result)
    if result.end == "thirty-one":
        # Translators: {sentence} is one such as "Ann wins with 31."
        return Message("Thirty-one on the nose: {sentence}", sentence=said)
    if result.end in ("dealer-wins", "sole-survivor"):
        return Message("Everybody else is out: {sentence}", sentence=said)
    return said


def _winners(view: View, result: ResultView) -> Message:
    total = view.seat(result.winners[0]).total
    if len(result.winners) == 1:
        said = N_("{names} wins.") if total is None else N_("{names} wins with {total}.")
    elif total is None:
        said = N_("{names} share the win.")
    else:
        said = N_("{names} share the win with {total}.")
    return Message(said, names=names_of(view, result.winners), total=total or 0)
