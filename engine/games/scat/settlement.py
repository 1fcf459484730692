"""How a finished round of Thirty-one is settled: in lives, in points, or in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards import Card
from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.tokens import Tokens
from engine.games.scat import brag, lives
from engine.games.scat.match import ScatMatchState, decided, shared, without
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatHand, ScatPlay
from engine.games.scat.points import BLITZ, counting_cards


@dataclass(frozen=True, slots=True)
class ScatDetails:
    """What only this game has to say of a finished hand; everything by seat.

    Attributes:
        values: suit values; ``None`` where a card was never seen or the player left.
        names: what the hands are in Brag; ``None`` likewise; empty where suits count.
        lost: lives charged in this hand, more than the player had left if need be.
        lives: lives left after it, of all who ever played the match.
        county: who is in play without a life left (rule SC-19).
        eliminated: who was put out of the match by this hand.
        void: all would have gone out, so no lives were lost (rule SC-25).
        gained: points of this hand.
        points: running totals after it.
        pot_carried: tokens left on the table (rule BK-8).
    """

    knocker: int | None
    values: tuple[tuple[int, float | None], ...]
    names: tuple[tuple[int, str | None], ...] = ()
    lost: Tokens = ()
    lives: Tokens = ()
    county: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    void: bool = False
    gained: Tokens = ()
    points: Tokens = ()
    pot_carried: int = 0
    restarter: int | None = None


def winners_of(play: ScatPlay) -> tuple[int, ...]:
    """Return who won a finished round, eldest first; nobody where lives or points decide."""
    if play.end is End.BLITZ:
        return play.blitzed
    if play.end is End.WALKOVER:
        return play.active
    if play.options.scoring == "ante" and play.end in (End.SHOWDOWN, End.OUT_OF_GATE):
        return _highest(play)
    return ()


def details(play: ScatPlay) -> ScatDetails:
    """Return what a finished round brought (rules SC-7 to SC-11, SC-17, NE-1 to NE-6, BK-8)."""
    seats = sorted(hand.seat for hand in play.hands)
    found = ScatDetails(
        knocker=play.knocker,
        values=tuple((seat, play.value(seat)) for seat in seats),
        names=tuple((seat, brag_name(play, seat)) for seat in seats) if _is_brag(play) else (),
        restarter=play.restarter,
    )
    if play.options.scoring == "lives":
        return _in_lives(play, found)
    if play.options.scoring == "points":
        gained = {**dict.fromkeys(seats, 0), **_gained(play)}
        total = dict(_standing(play).points)
        for seat, count in gained.items():
            total[seat] = total.get(seat, 0) + count
        return replace(found, gained=_tokens(gained), points=_tokens(total))
    return replace(found, pot_carried=_standing(play).pot + to_pot(play))


def settlement(play: ScatPlay) -> dict[int, int]:
    """Return net tokens of the round: none where lives or points are counted.

    With antes (BK-1, BK-4, BK-8) there are no lives and no penalty for a knocker (BK-7).
    """
    options, seats = play.options, [hand.seat for hand in play.hands]
    if options.scoring != "ante":
        return dict.fromkeys(seats, 0)
    if not play.winners:  # a draw: the antes go back, or wait for the next hand
        waits = play.end is End.DRAW and options.draw_pot == "carry"
        return dict.fromkeys(seats, -options.ante if waits else 0)
    bonus = options.blitz_bonus if play.end is End.BLITZ else 0
    return lives.pot_settlement(seats, options.ante, bonus, _standing(play).pot, play.winners)


def to_pot(play: ScatPlay) -> int:
    """Return how many tokens more lie on the table after the round; below 0: fewer (BK-8)."""
    return -sum(settlement(play).values())


def standing_after(play: ScatPlay) -> ScatMatchState:
    """Return how the match stands after a finished round (rules SC-21, SC-25, SC-26, SW-8)."""
    found, standing = details(play), _standing(play)
    standing = replace(
        standing,
        lives=found.lives,
        points=found.points,
        pot=found.pot_carried,
        restart=_restart_hand(play),
    )
    if play.options.scoring != "lives":
        return standing
    left = [hand.seat for hand in play.hands if hand.left]
    if found.eliminated and set(found.eliminated) == set(play.active):  # SC-25, option split
        gone = tuple(sorted({*standing.eliminated, *left}))
        return shared(play.options, replace(standing, eliminated=gone), play.active)
    gone = tuple(sorted({*standing.eliminated, *found.eliminated, *left}))
    return decided(play.options, replace(standing, eliminated=gone))


def standing_if_void(play: ScatPlay) -> ScatMatchState:
    """Return the match after a misdeal: only who left is out of it (rules G-13, SC-26)."""
    left = [hand.seat for hand in play.hands if hand.left]
    return without(play.options, _standing(play), left)


def strengths(play: ScatPlay) -> dict[int, Any]:
    """Return what is compared: suit values, or Brag hands (rules SC-2, SB-1)."""
    return {seat: _strength(play.hand(seat), play) for seat in play.active}


def brag_name(play: ScatPlay, seat: int) -> str | None:
    """Return what a hand is in Brag; ``None``: not known, or its player left (rule SB-1)."""
    hand = play.hand(seat)
    cards = [card for card in hand.cards if card is not None]
    if hand.left or hand.has_unread or len(cards) != 3:
        return None
    return brag.kind_of(cards).words


# --- private ------------------------------------------------------------------------------------


def _in_lives(play: ScatPlay, found: ScatDetails) -> ScatDetails:
    options, standing = play.options, _standing(play)
    lost = {seat: count for seat, count in _lost(play).items() if count}
    left, gone = lives.charge(
        dict(standing.lives), lost, options.free_ride, options.double_loss_last
    )
    void = bool(gone) and set(gone) == set(play.active) and options.all_out == "void"
    if void:  # SC-25
        lost, left, gone = {}, dict(standing.lives), ()
    county = [seat for seat in play.active if not left[seat] and seat not in gone]
    return replace(
        found,
        lost=_tokens(lost),
        lives=_tokens(left),
        county=tuple(sorted(county)) if options.free_ride else (),
        eliminated=gone,
        void=void,
    )


def _lost(play: ScatPlay) -> dict[int, int]:
    options = play.options
    if play.end is End.BLITZ:
        return lives.lost_to_blitz(play.active, play.winners, play.knocker, options.knock_penalty)
    if play.end in (End.SHOWDOWN, End.OUT_OF_GATE):
        return lives.lost_in_showdown(
            strengths(play), play.knocker, options.knock_penalty, options.knock_tie
        )
    return {}


def _gained(play: ScatPlay) -> dict[int, int]:
    options = play.options
    if play.end is End.BLITZ:
        zero = options.blitz_others == "zero"  # then nobody else has to show
        values = dict.fromkeys(play.active, 0) if zero else strengths(play)
        return lives.points_of_blitz(values, play.winners, play.knocker, options.blitz_others)
    if play.end in (End.SHOWDOWN, End.OUT_OF_GATE):
        reached = any(play.value(seat) == BLITZ for seat in play.active)
        high = options.post_knock_31 if reached else lives.HIGH
        return lives.points_in_showdown(strengths(play), play.knocker, high)
    return {}


def _strength(hand: ScatHand, play: ScatPlay) -> Any:
    if not _is_brag(play):
        return play.value_of(hand.cards)
    return brag.strength(_read(hand), play.options.run_a23, play.options.prial_threes_top)


def _highest(play: ScatPlay) -> tuple[int, ...]:
    """Return who takes the pot, eldest first (rules BK-4, BK-6, BK-9)."""
    options: ScatOptions = play.options
    worth = strengths(play)
    best = max(worth.values())
    tied = tuple(seat for seat in play.active if worth[seat] == best)
    if options.high_tie == "eldest":
        return tied[:1]
    if options.high_tie == "highest_card" and not _is_brag(play):
        ranks = {
            seat: counting_cards(
                _read(play.hand(seat)), options.three_kind, options.three_kind_suits
            )
            for seat in tied
        }
        return tuple(seat for seat in tied if ranks[seat] == max(ranks.values()))
    return tied


def _restart_hand(play: ScatPlay) -> tuple[Card, ...]:
    return () if play.restarter is None else tuple(_read(play.hand(play.restarter)))


def _read(hand: ScatHand) -> Sequence[Card]:
    return [card for card in hand.cards if card is not None]


def _is_brag(play: ScatPlay) -> bool:
    return play.options.ranking == "brag"


def _standing(play: ScatPlay) -> ScatMatchState:
    assert isinstance(play.standing, ScatMatchState)  # opening() and read() give no other
    return play.standing


def _tokens(found: dict[int, int]) -> Tokens:
    return tuple(sorted(found.items()))
