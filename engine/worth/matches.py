"""The chance to win a match with lives from each seat, from hands played by fewer and fewer people.

What a hand costs does not depend on how many lives anybody has left, only on how many play it and
where the dealer sits. So matches are put together of hands that were played for each number of
players, drawn at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games.scat.settlement import charge
from engine.odds.unseen import OddsError
from engine.worth.packs import Hand, Luck

MOST_HANDS = 10_000
"""A match does not end by itself where no hand that was played costs one player a life."""


def won(
    hands: Mapping[int, Sequence[Hand]], players: int, options: Any, matches: int, rng: Luck
) -> tuple[float, ...]:
    """Return how often each seat won of so many matches; the last seat dealt the first hand.

    Args:
        hands: what hands cost, for each number of players from 2 to *players*.
        players: who begin the match.
        options: those of Thirty-one, where lives are lost (rules SC-19 to SC-25).
        matches: how many to put together.
        rng: draws the hands.

    Raises:
        OddsError: too few hands are given for a match to end.
    """
    wins = [0.0] * players
    for _ in range(matches):
        winners = _match(hands, players, options, rng)
        for seat in winners:
            wins[seat] += 1 / len(winners)
    return tuple(each / matches for each in wins)


def _match(
    hands: Mapping[int, Sequence[Hand]], players: int, options: Any, rng: Luck
) -> Sequence[int]:
    """Return who wins one match: several where the last go out together and share it (SC-25)."""
    seats = list(range(players))  # who is in, the eldest first, the dealer last
    lives = dict.fromkeys(seats, int(options.lives))
    for _ in range(MOST_HANDS):
        if len(seats) == 1:
            return seats
        costs = zip(seats, rng.choice(hands[len(seats)]), strict=True)
        lost = {seat: count for seat, count in costs if count}
        left, gone = charge(lives, lost, options.free_ride, options.double_loss_last)
        if len(gone) < len(seats):
            lives = left
        elif options.all_out == "split":
            return seats
        else:
            gone = ()  # nobody loses anything: all would be out
        # The deal passes to the left, over players who are out (SC-22).
        seats = [seat for seat in (*seats[1:], seats[0]) if seat not in gone]
    raise OddsError("too few hands were played to end a match; give it more seconds")
