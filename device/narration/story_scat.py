"""The story of Thirty-one and its variants: what players drew, laid, exchanged, said and lost."""

from __future__ import annotations

from collections.abc import Sequence

from device.croupier.words import and_list, count, the_card
from display.i18n.translate import Translator, _, current_language, plural
from display.prompts.prompt import player_name
from display.prompts.scat import ending, fate_line, toll_lines
from display.table.scat_seats import HAND_NAMES, worth_of
from engine import Event
from engine.core.cards import Card
from engine.core.events import (
    Accept,
    ChooseHand,
    DealTo,
    Declare,
    Discard,
    Draw,
    Exchange,
    Facing,
    Knock,
    Renew,
    Restart,
    Reveal,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    TurnUp,
    Widow,
)
from engine.core.views import ResultView, View


def describe_scat(event: Event, before: View, after: View) -> list[str] | None:
    """Return what *event* did; ``None``: it is told as in every other game.

    A card that nobody but its player has seen is never named (rule G-7).
    """
    match event:
        case TurnUp():
            return [_("The first discard is {card}.").format(card=the_card(event.card))]
        case DealTo(face=Facing.UP):
            return [_("On the table lies {card}.").format(card=the_card(event.card))]
        case DealTo():
            return []
        case ChooseHand():
            sentence = _("{name} keeps one hand and lays the other open: {cards}.")
            cards = _cards(event.shown or _open_hand(after))
            return [sentence.format(name=_name(after, event.seat), cards=cards)]
        case Restart():
            return [_("{name} begins anew.").format(name=_name(after, event.seat))]
        case Accept():
            return [_("Nobody begins anew.")]
        case Reveal() | Declare():
            return [_shows(event, after)]
    line = _turn(event, before, after)
    return None if line is None else [line]


def scat_result(seen: View, result: ResultView) -> list[str]:
    """Return how a hand ended, in sentences: who lost lives, scored points or took the pot."""
    words = Translator.of(current_language())
    title = ending(seen, result, words)
    lines = [title if title[-1] in ".!?" else f"{title}."]
    lines += [line for line in toll_lines(seen, result, words) if line not in lines]
    fate = fate_line(seen, result, words)
    return [*lines, fate] if fate else lines


def scat_standing(seen: View) -> list[str] | None:
    """Return how everybody stands in lives or points; ``None`` where tokens are counted."""
    best = sorted(
        (seat for seat in seen.seats if seat.match is not None),
        key=lambda seat: (
            -(seat.match.lives or 0) if seat.match else 0,
            -(seat.match.points or 0) if seat.match else 0,
            seat.seat,
        ),
    )
    parts = []
    for seat in best:
        assert seat.match is not None
        if seat.match.lives is not None and seat.match.eliminated:
            parts.append(_("{name} out").format(name=seat.name))
        elif seat.match.lives is not None:
            said = plural("{name} {n} life", "{name} {n} lives", seat.match.lives)
            parts.append(said.format(name=seat.name, n=seat.match.lives))
        elif seat.match.points is not None:
            said = plural("{name} {n} point", "{name} {n} points", seat.match.points)
            parts.append(said.format(name=seat.name, n=seat.match.points))
    if not parts:
        return None
    return [_("The match: {standing}.").format(standing=", ".join(parts))]


def _turn(event: Event, before: View, after: View) -> str | None:
    """Return what was done in a turn; ``None`` for what is no turn."""
    seat = getattr(event, "seat", None)
    name = _name(after, seat) if isinstance(seat, int) else ""
    match event:
        case Draw(source=Source.STOCK):
            return _("{name} draws from the stock.").format(name=name)
        case Draw():
            top = None if before.middle is None else before.middle.discard_top
            return _("{name} takes {card} from the discard.").format(name=name, card=the_card(top))
        case Discard():
            return _("{name} lays {card}.").format(name=name, card=the_card(event.card))
        case Knock():
            return _("{name} knocks!").format(name=name)
        case Stand():
            return _("{name} stands.").format(name=name)
        case Widow():
            sentence = _("{name} lays {cards} into the widow and takes {number}.")
            number = count(len(event.take), "card")
            return sentence.format(name=name, cards=_cards(event.give), number=number)
        case SwapCards():
            sentence = _("{name} swaps {cards} for {taken}.")
            return sentence.format(name=name, cards=_cards(event.give), taken=_cards(event.take))
        case Exchange():
            sentence = _("{name} lays {card} into hand {hand}.")
            return sentence.format(name=name, card=the_card(event.give), hand=event.hand)
        case SwapHand():
            return _("{name} swaps hands with {hand}.").format(name=name, hand=event.hand)
        case Renew():
            sentence = _("{name} lays three new cards for hand {hand}.")
            return sentence.format(name=name, hand=event.hand)
    return None


def _shows(event: Reveal | Declare, after: View) -> str:
    seat = after.seat(event.seat)
    words = {"name": seat.name, "cards": _cards(event.cards)}
    if isinstance(event, Declare):
        return _("{name} lays {cards}: thirty-one!").format(**words)
    hand = HAND_NAMES.get(seat.hand_name or "")
    worth = _(hand).lower() if hand is not None else worth_of(seat)
    if not worth:
        return _("{name} shows {cards}.").format(**words)
    return _("{name} shows {cards}: {total}.").format(**words, total=worth)


def _open_hand(seen: View) -> tuple[Card | None, ...]:
    return () if seen.middle is None else seen.middle.pile("A")


def _cards(cards: Sequence[Card | None]) -> str:
    return and_list([the_card(card) for card in cards])


def _name(seen: View, seat: int) -> str:
    return player_name(seen, seat, Translator.of(current_language()))
