"""What a finished round of Thirty-one brings: lives, points, and how the match stands after it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.cards import Card
from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.tokens import Tokens
from engine.games.scat.match import ScatMatchState, decided, shared, without
from engine.games.scat.play import ScatPlay
from engine.games.scat.points import BLITZ
from engine.games.scat.scoring import antes, lives
from engine.games.scat.scoring.ranking import brag_name, is_brag, read_cards, strengths


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


def details(play: ScatPlay) -> ScatDetails:
    """Return what a finished round brought (rules SC-7 to SC-11, SC-17, NE-1 to NE-6, BK-8)."""
    seats = sorted(hand.seat for hand in play.hands)
    found = ScatDetails(
        knocker=play.knocker,
        values=tuple((seat, play.value(seat)) for seat in seats),
        names=tuple((seat, brag_name(play, seat)) for seat in seats) if is_brag(play) else (),
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
    return replace(found, pot_carried=_standing(play).pot + antes.to_pot(play))


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


def _restart_hand(play: ScatPlay) -> tuple[Card, ...]:
    return () if play.restarter is None else tuple(read_cards(play.hand(play.restarter)))


def _standing(play: ScatPlay) -> ScatMatchState:
    assert isinstance(play.standing, ScatMatchState)  # opening() and read() give no other
    return play.standing


def _tokens(found: dict[int, int]) -> Tokens:
    return tuple(sorted(found.items()))
