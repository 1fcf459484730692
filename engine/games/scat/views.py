"""Thirty-one for records and screens: the words of the case format, and what is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.cards import Card, code_of
from engine.core.events import Pile
from engine.core.fast_replace import replace
from engine.core.outcome import Outcome
from engine.core.tokens import Tokens
from engine.core.views import LossView, MiddleView, Phase, PileView
from engine.games.hand_views import HandViews
from engine.games.scat.deal import due_piles
from engine.games.scat.play import Cards, Place, ScatHand, ScatMatchState, ScatPlay
from engine.games.scat.settlement import ScatDetails
from engine.games.scat.turns import may_knock, may_restart, may_stand


def _known(hand: ScatHand) -> Cards:
    """Return a hand as everybody knows it (section 5, Public)."""
    pairs = zip(hand.cards, hand.known, strict=True)
    return tuple(card if known else None for card, known in pairs)


def suit_value(play: ScatPlay, cards: Sequence[Card | None]) -> float | None:
    """Return what cards are worth; nothing where Brag hands are compared (SC-2, SB-1)."""
    return None if play.options.ranking == "brag" else play.value_of(cards)


class ScatViews(HandViews):
    """Piles, lives and points, and the cards of a hand that everybody knows."""

    value = staticmethod(suit_value)

    def masked(self, play: ScatPlay, seat: int | None) -> ScatPlay:
        """Return *play* with every card unread that *seat* (``None``: the table) may not know."""
        hands = tuple(
            hand if hand.shown or hand.seat == seat else replace(hand, cards=_known(hand))
            for hand in play.hands
        )
        piles = tuple(
            (name, tuple(place if place.up else Place(None, False) for place in places))
            for name, places in play.piles
            if not (name == Pile.SECOND and seat == play.dealer)
        )
        return replace(play, hands=hands, piles=piles, gone=())

    def is_dead(self, play: ScatPlay, seat: int) -> bool:
        """Return whether a hand is worth nothing, whatever its cards (rules SC-26, SC-27)."""
        return play.hand(seat).out

    def public_cards(self, play: ScatPlay, seat: int) -> tuple[Card, ...]:
        """Return the cards everybody saw go into a hand that is held (rule SC-26)."""
        return tuple(card for card in _known(play.hand(seat)) if card is not None)

    def hand_name(self, play: ScatPlay, cards: Sequence[Card | None]) -> str | None:
        """Return what three cards are in Brag (rule SB-1)."""
        return play.hand_name(cards)

    def middle(self, play: ScatPlay, seat: int | None, everything: bool) -> MiddleView:
        """Return what lies between the players, as *seat* (or everybody) may see it (rule G-7)."""

        def seen(name: str, place: Place) -> Card | None:
            own = name == Pile.SECOND and seat == play.dealer  # the dealer sees both (SW-2)
            return place.card if place.up or own or everything else None

        turn = play.turn if play.phase is Phase.PLAY else None
        return MiddleView(
            stock=play.stock,
            discard_top=None if play.top is None else play.top.card,
            knocker=play.knocker,
            piles=tuple(
                PileView(str(name), tuple(seen(name, place) for place in places))
                for name, places in play.piles
            ),
            deal_to=due_piles(play),
            may_restart=may_restart(play) if play.phase is Phase.RESTART else (),
            table=play.options.table,
            discards=tuple(thrown.card for thrown in play.discards if thrown.card is not None),
            top_is_unread=play.top is not None and play.top.card is None,
            changed_suit=_changed_suit(play),
            drawn=play.drawn,
            renewed=play.renewed,
            may_knock=turn is not None and may_knock(play, turn),
            may_stand=turn is not None and may_stand(play),
            stopper=play.stopper,
            last_turns=play.waiting if play.phase is Phase.PLAY else (),
        )

    def losses(self, outcome: Outcome) -> LossView | None:
        """Return what a finished round cost in lives or brought in points; a misdeal nothing."""
        found = outcome.details
        if not isinstance(found, ScatDetails):
            return None
        return LossView(
            lost=tuple((seat, lives) for seat, lives in found.lost if lives),
            gained=found.gained,
            eliminated=found.eliminated,
            void=found.void,
            pot=found.pot_carried,
            restarter=found.restarter,
        )

    def hand_record(self, outcome: Outcome) -> dict[str, Any]:
        """Return a finished hand in the words of the case format."""
        record: dict[str, Any] = {
            "dealer": outcome.dealer,
            "next_dealer": outcome.next_dealer,
            "end": str(outcome.end),
            "winner": outcome.winner,
            "winners": sorted(outcome.winners),
            "settlement": _by_seat(outcome.settlement),
        }
        standing, found = outcome.standing, outcome.details
        if isinstance(found, ScatDetails):
            record |= _details(found)
            if found.names:
                record["hands"] = {str(seat): name for seat, name in found.names}
        elif isinstance(standing, ScatMatchState):  # a misdeal: all is as it was before (G-13)
            out, lives, points = standing.eliminated, standing.lives, standing.points
            county = tuple(seat for seat, left in lives if not left and seat not in out)
            found = ScatDetails(
                None, (), lives=lives, county=county, points=points, pot_carried=standing.pot
            )
            unsaid = ("values", "void", "restarter")
            record |= {key: it for key, it in _details(found).items() if key not in unsaid}
        return record

    def state_record(self, play: ScatPlay) -> dict[str, Any]:
        """Return what the case format says of a round of this game only."""
        record: dict[str, Any] = {
            "stock": play.stock,
            "top": None if play.top is None else code_of(play.top.card),
            "knocker": play.knocker,
            "may_restart": list(may_restart(play)) if play.phase is Phase.RESTART else [],
        }
        for name in ("A", Pile.MIDDLE, Pile.WIDOW, Pile.TABLE):
            lying = play.pile(name)
            record[f"table_{name}"] = [
                code_of(place.card) if place.up else "back" for place in lying
            ]
        return record


def _details(found: ScatDetails) -> dict[str, Any]:
    return {
        "knocker": found.knocker,
        "values": {str(seat): value for seat, value in found.values},
        "lost": _by_seat(found.lost),
        "lives": _by_seat(found.lives),
        "county": list(found.county),
        "eliminated": list(found.eliminated),
        "void": found.void,
        "gained": _by_seat(found.gained),
        "points": _by_seat(found.points),
        "pot_carried": found.pot_carried,
        "restarter": found.restarter,
    }


def _by_seat(tokens: Tokens) -> dict[str, int]:
    return {str(seat): amount for seat, amount in tokens}


def _changed_suit(play: ScatPlay) -> int | None:
    """Return who threw the top of the discard, of another suit than what they threw before."""
    if play.top is None or play.top.seat is None:
        return None
    last = play.hand(play.top.seat).thrown[-2:]
    suits = {card.suit for card in last if card is not None}
    return play.top.seat if len(last) == len(suits) == 2 else None
