"""The game as people tell it: one or two sentences an event."""

from __future__ import annotations

from collections.abc import Sequence

from device.croupier.words import and_list, count, the_card
from device.narration.story_knucklebones import BANK_ENDS, describe_bones, result_of_bones
from device.narration.story_scat import describe_scat, scat_result, scat_standing
from display.i18n.translate import _
from engine import Event
from engine.core.cards import Card
from engine.core.events import (
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
    Roll,
    Stick,
    Undo,
)
from engine.core.views import Phase, ResultView, SeatStatus, View
from engine.games import catalog


def opening_lines(seen: View) -> list[str]:
    """Say who sits down to what."""
    title = _(catalog.find(seen.game).title)
    names = and_list([seat.name for seat in seen.seats])
    words = {"game": title, "preset": seen.preset, "names": names}
    if seen.stake:
        stake = count(seen.stake, "token")
        sentence = _("{game}, the {preset} rules. {names} sit down; the stake is {tokens}.")
        lines = [sentence.format(**words, tokens=stake)]
    else:
        lines = [_("{game}, the {preset} rules. {names} sit down.").format(**words)]
    if seen.phase is Phase.CUT:
        lines.append(_("They cut for the deal."))
    elif seen.dealer is not None:
        lines.append(_hand(seen))
    return lines


def tell(event: Event, before: View, after: View) -> list[str]:
    """Tell what *event* did, from what the whole table saw before and after it."""
    of_scat = describe_scat(event, before, after) if after.is_of("scat") else None
    lines = _what_happened(event, before, after) if of_scat is None else of_scat
    if isinstance(event, Undo | Correct | Misdeal):
        if after.result is not None and after.result != before.result:
            lines.extend(_result(after, after.result))
        return lines
    if before.phase is Phase.CUT and after.phase is not Phase.CUT and after.dealer is not None:
        name = _name(after, after.dealer)
        lines.append(_("The lowest is {name}'s, who deals.").format(name=name))
    if after.bone is not None and before.bone is None:
        lines.append(_bone(after))
    for seat in after.seats:
        # Seats whose hand is judged by the engine itself: nobody said a word.
        if (
            seat.status is SeatStatus.OUT
            and before.seat(seat.seat).status is not SeatStatus.OUT
            and not after.is_of("scat")
            and not isinstance(event, Declare | Leave | Roll)
        ):
            lines.append(_("{name} is over thirty-one and out.").format(name=seat.name))
    if after.to_reveal and not before.to_reveal:
        names = and_list(_names(after, after.to_reveal))
        lines.append(_("The cards on the table, {names}!").format(names=names))
    if after.result is not None and before.result is None:
        lines.extend(_result(after, after.result))
    return lines


def closing_lines(seen: View) -> list[str]:
    """Say how everybody stands at the end."""
    match = scat_standing(seen)
    if match is not None and not (seen.match is not None and seen.match.over):
        return match
    best = sorted(seen.seats, key=lambda seat: (-seat.tokens, seat.seat))
    standing = ", ".join(f"{seat.name} {signed(seat.tokens)}" for seat in best)
    return [_("The evening: {standing}.").format(standing=standing)]


def signed(tokens: int) -> str:
    """Return tokens won or lost.

    >>> signed(3), signed(-1), signed(0)
    ('+3', '-1', '0')
    """
    return f"+{tokens}" if tokens > 0 else str(tokens)


def _what_happened(event: Event, before: View, after: View) -> list[str]:
    match event:
        case Cut():
            name = _name(after, event.seat)
            line = _("{name} cuts {card}.").format(name=name, card=the_card(event.card))
            if after.to_cut and set(after.to_cut) != set(before.to_cut) - {event.seat}:
                names = and_list(_names(after, after.to_cut))
                line += " " + _("A tie: {names} cut again.").format(names=names)
            return [line]
        case Deal():
            return _deal(event, before, after)
        case Have():
            return [_("{name}: “Have it.”").format(name=_name(after, event.seat))]
        case Stick():
            return [_("{name}: “Stick.”").format(name=_name(after, event.seat))]
        case Declare():
            return [_declare(event, after)]
        case Reveal():
            seat = after.seat(event.seat)
            cards = _cards(event.cards)
            if seat.total is None:
                return [_("{name} shows {cards}.").format(name=seat.name, cards=cards)]
            sentence = _("{name} shows {cards}: {total}.")
            return [sentence.format(name=seat.name, cards=cards, total=seat.total)]
        case Misdeal():
            return [_("A misdeal: the hand is void and everything goes back.")]
        case Undo():
            return [_("That is taken back.")]
        case Correct():
            sentence = _("A misreading put right: {was} is {card}.")
            return [sentence.format(was=the_card(event.was), card=the_card(event.card))]
        case NextHand():
            return ["", _hand(after)]
        case Join():
            return [_("{name} sits down.").format(name=event.name)]
        case Leave():
            return [_("{name} leaves the table.").format(name=_name(before, event.seat))]
    return describe_bones(event, before, after)


def _hand(seen: View) -> str:
    if seen.dealer is None:
        return _("Hand {n}.").format(n=seen.hand_number)
    return _("Hand {n}. {name} deals.").format(n=seen.hand_number, name=_name(seen, seen.dealer))


def _deal(event: Deal, before: View, after: View) -> list[str]:
    name = _name(after, event.seat)
    # A card lying face down is nobody's business, even if it has been read (rule G-7).
    if event.card is not None and event.face is Facing.UP:
        sentence = _("{name}'s card is turned up: {card}.")
        return [sentence.format(name=name, card=the_card(event.card))]
    if before.phase is Phase.PLAY:
        return [_("{name} gets a card.").format(name=name)]
    return []  # the backs of the deal say nothing worth a line each


def _declare(event: Declare, after: View) -> str:
    seat = after.seat(event.seat)
    if event.what is Claim.THIRTY_ONE:
        sentence = (
            _("{name} turns up {cards}: thirty-one!") if event.cards else _("{name}: thirty-one!")
        )
    elif not event.cards:
        sentence = _("{name} is out.")
    elif seat.total is None:
        sentence = _("{name} turns up {cards} and is out.")
    else:
        sentence = _("{name} turns up {cards}: {total}, and is out.")
    return sentence.format(name=seat.name, cards=_cards(event.cards), total=seat.total)


def _bone(seen: View) -> str:
    bone = seen.bone
    assert bone is not None
    payers = [seat for seat, tokens in bone.payments if tokens < 0]
    gain = dict(bone.payments).get(bone.holder, 0)
    words = {"name": _name(seen, bone.holder), "card": the_card(bone.card)}
    if payers:
        each = -next(tokens for seat, tokens in bone.payments if seat == payers[0])
        sentence = (
            _("{name} has the Bone with {card}! {names} pays {tokens}.")
            if len(payers) == 1
            else _("{name} has the Bone with {card}! {names} pay {tokens} each.")
        )
        names = and_list(_names(seen, tuple(payers)))
        return sentence.format(**words, names=names, tokens=count(each, "token"))
    if gain:
        sentence = _("{name} has the Bone with {card}, and takes {tokens} from the pool.")
        return sentence.format(**words, tokens=count(gain, "token"))
    return _("{name} has the Bone with {card}, and plays first.").format(**words)


def _result(seen: View, result: ResultView) -> list[str]:
    if seen.is_of("scat") and result.end != "misdeal":
        lines = scat_result(seen, result)
        if not any(net for _seat, net in result.settlement):
            return lines
    elif result.end == "misdeal":
        lines = []
    elif result.end in BANK_ENDS:
        lines = [result_of_bones(seen, result), *_payments(seen, result.payments)]
    elif not result.winners:
        lines = [_("Everybody is out: nobody wins, nobody pays.")]
    else:
        lines = [_won(seen, result)]
        lines.extend(_payments(seen, result.payments))
    moved = ", ".join(f"{_name(seen, seat)} {signed(net)}" for seat, net in result.settlement)
    return [*lines, _("The hand: {moved}.").format(moved=moved)]


def _won(seen: View, result: ResultView) -> str:
    total = seen.seat(result.winners[0]).total
    alone = len(result.winners) == 1
    if total is None:
        sentence = _("{names} wins.") if alone else _("{names} share the win.")
    elif alone:
        sentence = _("{names} wins with {total}.")
    else:
        sentence = _("{names} share the win with {total}.")
    said = sentence.format(names=and_list(_names(seen, result.winners)), total=total)
    if result.end == "thirty-one":
        # Translators: {sentence} is one such as "Ann wins with 31."
        return _("Thirty-one on the nose: {sentence}").format(sentence=said)
    if result.end in ("dealer-wins", "sole-survivor"):
        return _("Everybody else is out: {sentence}").format(sentence=said)
    return said


def _payments(seen: View, payments: Sequence[tuple[int, int, int]]) -> list[str]:
    """Group the payments: who pays the same to the same is said in one breath."""
    groups: dict[tuple[int, int], list[int]] = {}
    for payer, payee, tokens in payments:
        groups.setdefault((payee, tokens), []).append(payer)
    lines = []
    for (payee, tokens), payers in groups.items():
        alone = len(payers) == 1
        sentence = (
            _("{names} pays {to} {tokens}.") if alone else _("{names} pay {to} {tokens} each.")
        )
        names = and_list(_names(seen, tuple(payers)))
        told = sentence.format(names=names, to=_name(seen, payee), tokens=count(tokens, "token"))
        lines.append(told)
    return lines


def _name(seen: View, seat: int) -> str:
    for each in seen.seats:
        if each.seat == seat:
            return each.name
    return _("seat {n}").format(n=seat + 1)


def _names(seen: View, seats: Sequence[int]) -> list[str]:
    return [_name(seen, seat) for seat in seats]


def _cards(cards: Sequence[Card | None]) -> str:
    return and_list([the_card(card) for card in cards])
