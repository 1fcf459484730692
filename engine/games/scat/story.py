"""The story of Thirty-one and its variants: what players drew, laid, exchanged, said and lost."""

from __future__ import annotations

from engine.core.events import (
    Accept,
    ChooseHand,
    Claim,
    Correct,
    DealTo,
    Declare,
    Discard,
    Draw,
    Event,
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
from engine.core.messages.message import N_, Joined, Message, Style, Styled, Value, as_sentence
from engine.core.messages.prompt import player_name
from engine.core.messages.words import count, the_card, the_cards
from engine.core.views import ResultView, SeatView, View
from engine.games.scat.prompts import (
    HAND_NAMES,
    ending,
    fate_line,
    headline,
    toll_lines,
    worth_of,
)
from engine.games.story import Story, changes

_SAID: dict[type[Event], str] = {
    Restart: N_("{name} starts again."),
    Knock: N_("{name} knocks!"),
    Stand: N_("{name} stands."),
}


class ScatStory(Story):
    """Draws, discards and exchanges; lives, points or the pot."""

    def tell(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what *event* did; whose word ended the hand has said so in it."""
        lines = super().tell(event, before, after)
        called = isinstance(event, Declare) and event.what is Claim.THIRTY_ONE
        if after.result is None or not (called or isinstance(event, Restart)):
            return lines
        if after.match is not None and after.match.over:
            return lines
        said = as_sentence(headline(after, after.result))
        return [line for line in lines if line != said]

    def happened(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what was done.

        A card that only its player has seen is never named (rule G-7).
        """
        if isinstance(event, DealTo):
            if event.face is Facing.DOWN:
                return []
            return [Message("On the table lies {card}.", card=the_card(event.card))]
        if isinstance(event, Reveal | Declare):
            return [_shows(event, after)]
        if isinstance(event, Correct) and event.seat is not None and event.discard is not None:
            name, card = player_name(after, event.seat), the_card(event.card)
            return [Message("{name} laid {card}.", name=name, card=card)]
        line = _said(event, before, after)
        return super().happened(event, before, after) if line is None else [line]

    def went_out(self, event: Event, before: View, after: View) -> list[Value]:
        """Return nothing: players go out of a match, not of a hand."""
        return []

    def result(self, view: View, result: ResultView) -> list[Value]:
        """Return how a hand ended; tokens only where any moved."""
        if result.end != "misdeal" and not any(net for _seat, net in result.settlement):
            return self.ending(view, result)
        return super().result(view, result)

    def ending(self, view: View, result: ResultView) -> list[Value]:
        """Return who lost lives, scored points or took the pot."""
        said = headline(view, result)
        lines = [as_sentence(said)] if said else []
        lines += toll_lines(view, result)
        fate = fate_line(view, result)
        return [*(lines or [as_sentence(ending(view, result))]), *([fate] if fate else [])]

    def moved(self, before: View, after: View) -> list[Value]:
        """Return who has more or fewer lives, points and tokens by it."""
        lines: list[Value] = []
        for unit, said in (
            ("lives", N_("Lives: {moved}.")),
            ("points", N_("Points: {moved}.")),
        ):
            were, now = (
                {each.seat: getattr(each.match, unit, None) or 0 for each in view.seats}
                for view in (before, after)
            )
            moved = changes(were, now, after)
            lines += [Message(said, moved=moved)] if moved else []
        return [*lines, *super().moved(before, after)]

    def closing(self, view: View) -> list[Value]:
        """Return how everybody stands: in lives or points while a match goes on, or in tokens."""
        best = sorted(
            (seat for seat in view.seats if seat.match is not None),
            key=lambda seat: (
                -(seat.match.lives or 0) if seat.match else 0,
                -(seat.match.points or 0) if seat.match else 0,
                seat.seat,
            ),
        )
        parts = tuple(said for seat in best for said in _standing(seat))
        if not parts or (view.match is not None and view.match.over):
            return super().closing(view)
        return [Message("The match: {standing}.", standing=Joined(parts, ", "))]


def _standing(seat: SeatView) -> list[Value]:
    match = seat.match
    if match is None:
        return []
    if match.lives is not None and match.eliminated:
        return [Message("{name} out", name=seat.name)]
    if match.lives is not None:
        n = match.lives
        return [Message("{name} {n} life", "{name} {n} lives", n, name=seat.name, n=n)]
    if match.points is not None:
        n = match.points
        return [Message("{name} {n} point", "{name} {n} points", n, name=seat.name, n=n)]
    return []


def _said(event: Event, before: View, after: View) -> Value | None:  # noqa: C901  one case an event
    """Return what was done; ``None`` for what is told as in every card game."""
    seat = getattr(event, "seat", None)
    name = player_name(after, seat) if isinstance(seat, int) else ""
    if type(event) in _SAID:
        return Message(_SAID[type(event)], name=name)
    match event:
        case TurnUp():
            return Message("The first discard is {card}.", card=the_card(event.card))
        case ChooseHand():
            shown = event.shown or (() if after.middle is None else after.middle.pile("A"))
            return Message(
                "{name} keeps one hand and lays the other open: {cards}.",
                name=name,
                cards=the_cards(shown),
            )
        case Accept():
            return Message("Nobody starts again.")
        case Draw(source=Source.STOCK):
            return Message("{name} draws from the stock.", name=name)
        case Draw():
            top = the_card(None if before.middle is None else before.middle.discard_top)
            return Message("{name} takes {card} from the discard.", name=name, card=top)
        case Discard():
            return Message("{name} lays {card}.", name=name, card=the_card(event.card))
        case Widow():
            cards, number = the_cards(event.give), count(len(event.take), "card")
            return Message(
                "{name} lays {cards} into the widow and takes {number}.",
                name=name,
                cards=cards,
                number=number,
            )
        case SwapCards():
            cards, taken = the_cards(event.give), the_cards(event.take)
            return Message("{name} swaps {cards} for {taken}.", name=name, cards=cards, taken=taken)
        case Exchange():
            card, hand = the_card(event.give), event.hand
            return Message("{name} lays {card} into hand {hand}.", name=name, card=card, hand=hand)
        case SwapHand():
            return Message("{name} swaps hands with {hand}.", name=name, hand=event.hand)
        case Renew():
            return Message(
                "{name} lays three new cards for hand {hand}.", name=name, hand=event.hand
            )
    return None


def _shows(event: Reveal | Declare, after: View) -> Message:
    seat = after.seat(event.seat)
    name, cards = seat.name, the_cards(event.cards)
    if isinstance(event, Declare) and event.what is Claim.OUT:
        if event.cards:
            return Message("{name} turns up {cards} and is out.", name=name, cards=cards)
        return Message("{name}: “I'm out.”", name=name)
    if isinstance(event, Declare):
        return Message("{name} lays {cards}: thirty-one!", name=name, cards=cards)
    worth: Value = worth_of(seat)
    if seat.hand_name in HAND_NAMES:
        worth = Styled(Message(HAND_NAMES[seat.hand_name]), Style.LOWER)
    if not worth:
        return Message("{name} shows {cards}.", name=name, cards=cards)
    return Message("{name} shows {cards}: {total}.", name=name, cards=cards, total=worth)
