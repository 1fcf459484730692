"""What the ledger shows of a sitting: kept beside its events, so that they need not be folded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.storage.journal.wagers import PlacedWager, wager_number
from engine import TABLE, State, view
from engine.core.outcome import End, Outcome
from engine.core.tokens import Tokens
from engine.games.base import Game
from engine.table.wagers import Verdict, course_of

Names = Mapping[int, str]
"""Names by seat."""

Charge = tuple[str, Tokens]
"""``"lives"``, ``"points"`` or nothing, and how many by seat."""


@dataclass(frozen=True, slots=True)
class EntryLine:
    """Tokens that changed hands outside of any hand (rule G-22).

    Attributes:
        hand: the number of the hand that it follows.
        tokens: ``(seat, name, net tokens)``.
        wager: the number of the side wager that it settles; ``None`` for any other reason.
    """

    hand: int
    reason: str
    tokens: tuple[tuple[int, str, int], ...]
    wager: int | None = None


@dataclass(frozen=True, slots=True)
class WagerLine:
    """A side wager: what was bet by whom, and how it stands (rule WL-7).

    Attributes:
        reason: its number and what the bettor says, in the words of its entries.
        bettor, other: ``(seat, name)`` of the two who bet.
    """

    number: int
    reason: str
    bettor: tuple[int, str]
    other: tuple[int, str]
    tokens: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """A sitting as its ledger shows it.

    Attributes:
        hands: all finished hands, in order, without what is only told at the table.
        people: who played each of them.
        names: who sat where; of several at one seat the last.
        entries: each with the hand that it follows, what it was for, and who got how much.
        match: net tokens by seat of the match, once it is over; ``None`` before.
        winner: who won it; ``None`` where it was shared.
        goal: the total that all come near to.
        wagers: the side wagers, in the order in which they were made.
        charged: what each hand took or gave besides tokens: :func:`charged`.
        lives: ``(seat, lives)`` that are left in a match that goes on.
        pot: tokens that wait for its winner.
        put_right: the numbers of the hands that were put right after the next had begun.
    """

    hands: tuple[Outcome, ...]
    people: tuple[Names, ...]
    names: Names
    entries: tuple[EntryLine, ...]
    match: tuple[tuple[int, int], ...] | None
    winner: int | None
    goal: int
    wagers: tuple[WagerLine, ...] = ()
    charged: tuple[Charge, ...] = ()
    lives: Tokens = ()
    pot: int = 0
    put_right: tuple[int, ...] = ()


def names_in(state: State) -> Names:
    """Return who plays the hand of *state*."""
    return {player.seat: player.name for player in state.round.players}


def charged(game: Game, ended: Outcome) -> Charge:
    """Return the lives that a hand took, or the points that it gave."""
    losses = game.views.losses(ended)
    if losses is None or not (losses.gained or losses.lost):
        return "", ()
    if losses.gained:
        return "points", losses.gained
    return "lives", tuple((seat, -lives) for seat, lives in losses.lost)


def summarise(last: State, people: Sequence[Names], placed: Sequence[PlacedWager] = ()) -> Summary:
    """Return the summary of a sitting.

    Args:
        last: its last state.
        people: who played each hand.
        placed: its side wagers.
    """
    standing = last.round.standing
    names = {player.seat: player.name for player in last.setup.players}
    for player in (*last.round.players, *last.players):
        names[player.seat] = player.name
    finished, game, match = last.hands, last.setup.game, view(last, TABLE).match
    seen = {seat: game.match.player_view(last.round.options, standing, seat) for seat in names}
    left = tuple((n, each.lives) for n, each in seen.items() if each and each.lives is not None)
    goes_on = match is not None and not match.over
    return Summary(
        finished,
        tuple(people[: len(finished)]),
        dict(sorted(names.items())),
        tuple(
            EntryLine(
                noted.hand,
                noted.entry.reason,
                tuple((seat, dict(noted.names)[seat], net) for seat, net in noted.entry.tokens),
                wager_number(placed, noted.entry),
            )
            for noted in last.book.entries
        ),
        standing.settlement if standing.over else None,
        standing.winner if standing.over else None,
        last.setup.game.goal(last.setup.options),
        wager_lines(last, names, placed),
        tuple(charged(game, hand) for hand in finished),
        left if goes_on else (),
        match.pot if match is not None and goes_on else 0,
        tuple(number for number, past in enumerate(last.book.played, 1) if past.put_right),
    )


def wager_lines(state: State, names: Names, placed: Sequence[PlacedWager]) -> tuple[WagerLine, ...]:
    """Return how each of the side wagers *placed* stands in *state*."""
    if not placed:
        return ()
    course = course_of(state)
    return tuple(
        WagerLine(
            each.number,
            each.reason,
            (each.wager.bettor, names[each.wager.bettor]),
            (each.wager.other, names[each.wager.other]),
            each.wager.tokens,
            each.verdict(course),
        )
        for each in placed
    )


def to_text(summary: Summary) -> str:
    """Return *summary* as JSON."""
    return json.dumps(
        {
            "hands": [
                [
                    hand.dealer,
                    hand.end,
                    hand.winners,
                    hand.totals,
                    hand.out,
                    hand.settlement,
                    list(people.items()),
                ]
                for hand, people in zip(summary.hands, summary.people, strict=True)
            ],
            "names": list(summary.names.items()),
            "entries": [
                [line.hand, line.reason, line.tokens, line.wager] for line in summary.entries
            ],
            "match": summary.match,
            "winner": summary.winner,
            "goal": summary.goal,
            "wagers": [
                [each.number, each.reason, each.bettor, each.other, each.tokens, each.verdict]
                for each in summary.wagers
            ],
            "charged": summary.charged,
            "lives": summary.lives,
            "pot": summary.pot,
            "put_right": summary.put_right,
        },
        separators=(",", ":"),
    )


def from_text(text: bytes) -> Summary:
    """Read what :func:`to_text` has written.

    Raises:
        ValueError: it is none.
    """
    try:
        found = json.loads(text)
        return Summary(
            tuple(_outcome(*hand[:6]) for hand in found["hands"]),
            tuple(dict(hand[6]) for hand in found["hands"]),
            dict(found["names"]),
            tuple(
                EntryLine(
                    hand, reason, tuple((seat, name, net) for seat, name, net in tokens), wager
                )
                for hand, reason, tokens, wager in found["entries"]
            ),
            None if found["match"] is None else _pairs(found["match"]),
            found["winner"],
            found["goal"],
            tuple(
                WagerLine(number, reason, tuple(bettor), tuple(other), tokens, Verdict(verdict))
                for number, reason, bettor, other, tokens, verdict in found["wagers"]
            ),
            tuple((unit, _pairs(each)) for unit, each in found["charged"]),
            _pairs(found["lives"]),
            found["pot"],
            tuple(found["put_right"]),
        )
    except (TypeError, KeyError, IndexError) as problem:
        raise ValueError(f"no summary: {problem!r}") from problem


def _outcome(
    dealer: int, end: str, winners: Any, totals: Any, out: Any, settlement: Any
) -> Outcome:
    return Outcome(
        dealer=dealer,
        next_dealer=None,
        end=End(end),
        winners=tuple(winners),
        totals=_pairs(totals),
        out=tuple(out),
        settlement=_pairs(settlement),
    )


def _pairs(found: Any) -> tuple[tuple[int, Any], ...]:
    return tuple((seat, value) for seat, value in found)
