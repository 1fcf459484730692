"""What may come next in Thirty-one: complete and exact, for prompts and for tests."""

from __future__ import annotations

from collections import Counter

from engine.core.cards import Card
from engine.core.events import Claim, Facing
from engine.core.views import Phase
from engine.games.base import Action
from engine.games.scat import stock
from engine.games.scat.options import CARDS_DEALT
from engine.games.scat.play import ScatPlay, pack_of
from engine.games.scat.points import BLITZ, points
from engine.games.scat.turns import may_call, may_knock, may_restart, may_stand
from engine.games.scat.variants import banking, stop_the_bus, switch


def actions(play: ScatPlay) -> tuple[Action, ...]:
    """List what the rules allow next, once the cards are dealt."""
    found: list[Action] = []
    if play.phase is Phase.TURN_UP:
        found.append(Action("turn_up", face=Facing.UP, cards=1))
    elif play.phase is Phase.CHOOSE:
        found.extend(switch.choices(play))
    elif play.phase is Phase.PLAY:
        found.extend(_of_the_turn(play))
    elif play.phase is Phase.SHOWDOWN:
        found.extend(
            Action("reveal", seat, cards=len(play.hand(seat).cards)) for seat in play.to_reveal()
        )
    elif play.phase is Phase.RESTART:
        found.extend(Action("restart", seat) for seat in may_restart(play))
        found.append(Action("accept"))
    found.extend(
        Action("declare", seat, what=Claim.THIRTY_ONE, cards=len(play.hand(seat).cards))
        for seat in play.active
        if may_call(play, seat) and may_be_blitz(play, seat)
    )
    return tuple(found)


def may_be_blitz(play: ScatPlay, seat: int) -> bool:
    """Return whether a hand is 31, or could be by cards that nobody has read (G-6, SC-24)."""
    cards = play.hand(seat).cards
    if None not in cards:
        return play.value(seat) == BLITZ
    known = Counter(card for card in cards if card is not None)
    if len(cards) != CARDS_DEALT or len({card.suit for card in known}) > 1:
        return False
    left = Counter({card: play.options.decks for card in pack_of(play.options)})
    left.subtract(play.seen(but=seat))
    suits = {card.suit for card in known} or {card.suit for card in left}
    return any(
        _makes_blitz(known, Counter({c: n for c, n in left.items() if c.suit is suit and n > 0}))
        for suit in suits
    )


def _makes_blitz(known: Counter[Card], left: Counter[Card]) -> bool:
    """Return whether three cards of one suit can make 31, the *known* ones among them (SC-2)."""
    rest = sorted(map(points, (left - known).elements()), reverse=True)
    hidden = CARDS_DEALT - known.total()
    return sum(map(points, known.elements())) + sum(rest[:hidden]) >= BLITZ


def _of_the_turn(play: ScatPlay) -> list[Action]:
    """List what the player whose turn it is may do (SC-4 to SC-6, BK-3, SW-3 to SW-7, SB-2)."""
    found: list[Action] = []
    seat = play.turn
    if seat is not None:
        if play.options.has_discard:
            found.extend(stock.actions(play, seat))
        if play.options.table == "widow":
            found.extend(banking.actions(play, seat))
        elif play.options.table == "switch":
            found.extend(switch.actions(play, seat))
        elif play.options.table == "bus":
            found.extend(stop_the_bus.actions(play, seat))
        if may_stand(play):
            found.append(Action("stand", seat))
    found.extend(Action("knock", each) for each in play.active if may_knock(play, each))
    return found
