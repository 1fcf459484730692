"""A match of Thirty-one from hand to hand: lives, points, the pot (SC-19 to SC-26, NE-6, BK-8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from engine.core.errors import BoneAceError, EventFormatError
from engine.core.events import Join
from engine.core.fast_replace import replace
from engine.core.payments import Payment, PaymentReason, Payments, Unit
from engine.core.players import Player
from engine.core.text.limits import LARGEST_NUMBER
from engine.core.text.suggest import did_you_mean
from engine.core.tokens import read_tokens, share
from engine.core.views import MatchView, PlayerMatchView
from engine.games.match_rules import MatchRules
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatMatchState, ScatPlay
from engine.games.scat.settlement import details, still_in


class StartError(BoneAceError, ValueError):
    """A match in progress that cannot be; the message names the key and the cure."""


class ScatMatch(MatchRules[ScatMatchState]):
    """Lives, points, or a pot that is carried on; all of it is public."""

    carries: ClassVar[bool] = True

    def unit(self, options: ScatOptions) -> Unit:
        """Return whether lives, points or tokens are played for (rules SC-19, NE-6, BK-1)."""
        return {"lives": Unit.LIVES, "points": Unit.POINTS, "ante": Unit.TOKENS}[options.scoring]

    def read(
        self, options: ScatOptions, players: Sequence[Player], record: Mapping[str, Any]
    ) -> ScatMatchState:
        """Return the match before the first hand (SC-1, DB-1, NE-6), or one in progress.

        Raises:
            BoneAceError: the record names unknown keys or seats, or a match that cannot go on.
        """
        start = _start_of(options, record)
        seats = {player.seat for player in players}
        in_lives = options.scoring == "lives"
        lives = dict.fromkeys(seats if in_lives else (), options.lives)
        lives |= _named(start, "lives", seats)
        points = dict.fromkeys(seats if options.scoring == "points" else (), 0)
        points |= _named(start, "points", seats)
        eliminated = _seats(start.get("eliminated", []), seats)
        for seat, count in lives.items():
            if not count and not options.free_ride and seat not in eliminated:
                raise StartError(
                    f"start.lives: seat {seat} has no life left and there is no free ride; "
                    "name it in eliminated"
                )
        pot = start.get("pot", 0)
        if type(pot) is not int or not 0 <= pot <= LARGEST_NUMBER:
            raise StartError(f"start.pot: {pot!r} is no number of tokens; write 0, 1, 2…")
        standing = ScatMatchState(
            eliminated=eliminated,
            entrants=tuple(sorted(seats)) if in_lives else (),
            lives=tuple(sorted(lives.items())),
            points=tuple(sorted(points.items())),
            pot=pot,
        )
        if in_lives and len(standing.remaining()) < 2:
            raise StartError("start.eliminated: fewer than two players are left; begin a new match")
        return standing

    def after_hand(self, play: ScatPlay) -> ScatMatchState:
        """Return the match after a finished round (SC-21, SC-25, SC-26, NE-6, BK-8, SW-8, G-23)."""
        found, restarter = details(play), play.restarter
        standing: ScatMatchState = replace(
            play.carried_in,
            lives=found.lives,
            points=found.points,
            pot=found.pot_carried,
            restart=() if restarter is None else tuple(play.hand(restarter).read_cards),
        )
        if play.options.scoring != "lives":
            return standing
        out = set(found.eliminated)
        together = [seat for seat in play.active if seat in out] if out == {*still_in(play)} else ()
        return _without(play.options, standing, (*out, *_left(play)), together)

    def after_misdeal(self, play: ScatPlay) -> ScatMatchState:
        """Return the match after a misdeal: only who left is out of it (rules G-13, SC-26)."""
        return _without(play.options, play.carried_in, _left(play))

    def without(self, options: ScatOptions, standing: ScatMatchState, seat: int) -> ScatMatchState:
        """Return the match without a player who leaves between hands (rules G-16, SC-26)."""
        return _without(options, standing, (seat,))

    def has_lives(self, options: ScatOptions) -> bool:
        """Return whether the scoring is that of lives (SC-1)."""
        return options.scoring == "lives"

    def with_newcomer(
        self, options: ScatOptions, standing: ScatMatchState, event: Join
    ) -> ScatMatchState:
        """Let a newcomer begin without points (rules G-15, NE-6)."""
        if options.scoring != "points":
            return standing
        points = {**dict(standing.points), event.seat: 0}
        return replace(standing, points=tuple(sorted(points.items())))

    def payments(self, options: ScatOptions, standing: ScatMatchState) -> Payments:
        """Return the pot of a match that is over: all buy-ins, and who takes them (SC-21, SC-25).

        The buy-ins were laid before the first hand; they count when the match is won.
        """
        if not options.buy_in or not standing.settlement:
            return ()
        into = (
            Payment(seat, None, options.buy_in, PaymentReason.BUY_IN, ("SC-21",))
            for seat in standing.entrants
        )
        rules = ("SC-21",) if standing.winner is not None else ("SC-25", "G-18")
        taken = ((seat, net + options.buy_in) for seat, net in standing.settlement)
        out_of = (Payment(None, seat, n, PaymentReason.MATCH, rules) for seat, n in taken if n)
        return (*into, *out_of)

    def view(self, options: ScatOptions, standing: ScatMatchState) -> MatchView:
        """Return how the match stands: the pot, and who has won it (rules SC-21, BK-8)."""
        return MatchView(
            pot=options.buy_in * len(standing.entrants) + standing.pot,
            over=standing.over,
            winner=standing.winner,
            settlement=standing.settlement,
        )

    def player_view(
        self, options: ScatOptions, standing: ScatMatchState, seat: int
    ) -> PlayerMatchView:
        """Return lives or points of a player (rules SC-19, SC-20, NE-6)."""
        lives = dict(standing.lives).get(seat)
        eliminated = seat in standing.eliminated
        return PlayerMatchView(
            lives=lives,
            on_county=lives == 0 and not eliminated and options.free_ride,
            points=dict(standing.points).get(seat),
            eliminated=eliminated,
        )


def _left(play: ScatPlay) -> list[int]:
    return [hand.seat for hand in play.hands if hand.left]


def _without(
    options: ScatOptions,
    standing: ScatMatchState,
    seats: Iterable[int],
    sharers: Sequence[int] = (),
) -> ScatMatchState:
    """Return the match without some players, whose buy-ins stay (rules SC-26, DB-3, WL-5).

    The last player left wins the match and the pot (SC-21); who went out together as the last,
    the *sharers*, eldest first, share it (SC-25).
    """
    gone = {seat for seat in seats if seat in standing.entrants}
    if standing.over or not gone:
        return standing
    standing = replace(standing, eliminated=tuple(sorted({*standing.eliminated, *gone})))
    remaining = standing.remaining()
    if len(remaining) > 1:
        return standing
    net = dict.fromkeys(standing.entrants, -options.buy_in)
    takers = sharers or remaining
    if takers:
        for seat, amount in share(options.buy_in * len(net), takers).items():
            net[seat] += amount
    winner = remaining[0] if remaining else None
    return replace(standing, over=True, winner=winner, settlement=tuple(sorted(net.items())))


# --- a match in progress ------------------------------------------------------------------------


def _start_of(options: ScatOptions, record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the key ``start`` of a case; refuse keys that the scoring does not know."""
    for key in record:
        if key not in ("start", "stakes"):
            raise StartError(f"{key}: unknown key; {did_you_mean(key, ['start', 'stakes'])}")
    if record.get("stakes"):
        raise StartError("stakes: nobody chooses a stake in Thirty-one; take the key away")
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
