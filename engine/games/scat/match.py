"""A match of Thirty-one between two rounds: lives, points, the pot (rules SC-19 to SC-26)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards import Card
from engine.core.errors import BoneAceError, EventFormatError
from engine.core.fast_replace import replace
from engine.core.outcome import MatchState
from engine.core.players import Player
from engine.core.text.limits import LARGEST_NUMBER
from engine.core.text.suggest import did_you_mean
from engine.core.tokens import Tokens, read_tokens, share
from engine.games.scat.options import ScatOptions


class StartError(BoneAceError, ValueError):
    """A match in progress that cannot be; the message names the key and the cure."""


@dataclass(frozen=True, slots=True)
class ScatMatchState(MatchState):
    """What goes on from round to round.

    Attributes:
        eliminated: who is out of the match, those who left it among them (G-21, SC-26).
        entrants: who put a buy-in into the pot; empty where none is made.
        lives: ``(seat, lives left)`` of everybody who ever played the match.
        points: ``(seat, running total)`` (rule NE-6).
        pot: tokens left on the table by a drawn hand of Banking (rule BK-8).
        restart: the hand that lies open at the beginning of the next deal of Switch (SW-8).
    """

    entrants: tuple[int, ...] = ()
    lives: Tokens = ()
    points: Tokens = ()
    pot: int = 0
    restart: tuple[Card, ...] = ()

    def remaining(self) -> tuple[int, ...]:
        """Return who is still in a match with lives, by seat."""
        return tuple(seat for seat in self.entrants if seat not in self.eliminated)


def opening(options: ScatOptions, players: Sequence[Player]) -> ScatMatchState:
    """Return how a match stands before its first round (rules SC-1, DB-1, NE-6)."""
    seats = tuple(sorted(player.seat for player in players))
    if options.scoring == "lives":
        lives = tuple((seat, options.lives) for seat in seats)
        return ScatMatchState(entrants=seats, lives=lives)
    if options.scoring == "points":
        return ScatMatchState(points=tuple((seat, 0) for seat in seats))
    return ScatMatchState()


def read(
    options: ScatOptions, players: Sequence[Player], record: Mapping[str, Any]
) -> ScatMatchState:
    """Return a match in progress from the key ``start`` of a case.

    Raises:
        BoneAceError: the record names unknown keys or seats, or a match that cannot go on.
    """
    standing = opening(options, players)
    start = _start_of(options, record)
    seats = {player.seat for player in players}
    lives = dict(standing.lives) | _named(start, "lives", seats)
    eliminated = _seats(start.get("eliminated", []), seats)
    for seat, count in lives.items():
        if not count and not options.free_ride and seat not in eliminated:
            raise StartError(
                f"start.lives: seat {seat} has no life left and there is no free ride; "
                "name it in eliminated"
            )
    standing = replace(
        standing,
        lives=tuple(sorted(lives.items())),
        points=tuple(sorted((dict(standing.points) | _named(start, "points", seats)).items())),
        pot=_pot(start.get("pot", 0)),
        eliminated=eliminated,
    )
    if options.scoring == "lives" and len(standing.remaining()) < 2:
        raise StartError("start.eliminated: fewer than two players are left; begin a new match")
    return standing


def _start_of(options: ScatOptions, record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the key ``start`` of a case; refuse keys that the scoring does not know."""
    for key in record:
        if key not in ("start", "stakes"):
            raise StartError(f"{key}: unknown key; {did_you_mean(key, ['start', 'stakes'])}")
    if record.get("stakes"):
        raise StartError("stakes: nobody stakes as he pleases in Thirty-one; take the key away")
    start = record.get("start") or {}
    if not isinstance(start, Mapping):
        raise StartError(f"start: {start!r} is no object; write {{'lives': {{'0': 2}}}}")
    known = {"lives": "lives", "eliminated": "lives", "points": "points", "pot": "ante"}
    for key, value in start.items():
        if key not in known:
            raise StartError(f"start.{key}: unknown key; {did_you_mean(key, known)}")
        if value and known[key] != options.scoring:
            raise StartError(f"start.{key}: needs the scoring {known[key]!r}; take it away")
    return start


def without(options: ScatOptions, standing: ScatMatchState, seats: Iterable[int]) -> ScatMatchState:
    """Return the match without players who went away; their buy-ins stay (rule SC-26)."""
    gone = {seat for seat in seats if seat in standing.entrants}
    if standing.over or not gone:
        return standing
    return decided(options, replace(standing, eliminated=_union(standing.eliminated, gone)))


def decided(options: ScatOptions, standing: ScatMatchState) -> ScatMatchState:
    """Let the last player left win the match and the pot (rules SC-21, DB-3, WL-5)."""
    remaining = standing.remaining()
    if not standing.entrants or len(remaining) > 1:
        return standing
    settlement = _pot_to(options, standing, remaining)
    winner = remaining[0] if remaining else None
    return replace(standing, over=True, winner=winner, settlement=settlement)


def shared(
    options: ScatOptions, standing: ScatMatchState, sharers: Sequence[int]
) -> ScatMatchState:
    """Let all who went out together share the pot, the eldest first (rule SC-25)."""
    settlement = _pot_to(options, standing, sharers)
    eliminated = _union(standing.eliminated, sharers)
    return replace(standing, over=True, eliminated=eliminated, settlement=settlement)


def _pot_to(options: ScatOptions, standing: ScatMatchState, sharers: Sequence[int]) -> Tokens:
    net = dict.fromkeys(standing.entrants, -options.buy_in)
    if sharers:
        for seat, amount in share(options.buy_in * len(net), sharers).items():
            net[seat] += amount
    return tuple(sorted(net.items()))


def _union(eliminated: Iterable[int], more: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({*eliminated, *more}))


def _named(start: Mapping[str, Any], key: str, seats: set[int]) -> dict[int, int]:
    try:
        found = dict(read_tokens(f"start.{key}", start.get(key, {})))
    except EventFormatError as problem:
        raise StartError(str(problem)) from problem
    _check_seats(f"start.{key}", found, seats)
    for seat, count in found.items():
        if count < 0:
            raise StartError(f"start.{key}.{seat}: {count} is below 0; write 0, 1, 2…")
    return found


def _seats(value: object, seats: set[int]) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not all(type(seat) is int for seat in value):
        raise StartError(f"start.eliminated: {value!r} is not a list of seats; write [2, 3]")
    _check_seats("start.eliminated", value, seats)
    return tuple(sorted(set(value)))


def _check_seats(where: str, named: Iterable[int], seats: set[int]) -> None:
    for seat in named:
        if seat not in seats:
            raise StartError(f"{where}: nobody sits at seat {seat}; seats taken: {sorted(seats)}")


def _pot(value: object) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise StartError(f"start.pot: {value!r} is no number of tokens; write 0, 1, 2…")
    return value
