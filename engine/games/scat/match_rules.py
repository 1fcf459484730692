"""How a match of Thirty-one goes on from hand to hand (rules SC-19 to SC-26, NE-6, BK-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Join
from engine.core.fast_replace import replace
from engine.core.payments import Payments
from engine.core.players import Player
from engine.core.views import MatchView, PlayerMatchView
from engine.games.match_rules import MatchRules
from engine.games.scat import match
from engine.games.scat.match import ScatMatchState
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatPlay
from engine.games.scat.scoring import settlement
from engine.games.scat.scoring.payments import of_a_match


class ScatMatch(MatchRules[ScatMatchState]):
    """Lives, points, or a pot that is carried on; all of it is public."""

    def read(
        self, options: ScatOptions, players: Sequence[Player], record: Mapping[str, Any]
    ) -> ScatMatchState:
        """Return the match before the first hand (SC-1, DB-1, NE-6), or one in progress.

        Raises:
            BoneAceError: the record names a match that cannot be.
        """
        return match.read(options, players, record)

    def after_hand(self, play: ScatPlay) -> ScatMatchState:
        """Return the match after a finished round (SC-21, SC-25, NE-6, BK-8)."""
        return settlement.standing_after(play)

    def after_misdeal(self, play: ScatPlay) -> ScatMatchState:
        """Return the match after a misdeal; who left is out of it (rules G-13, SC-26)."""
        return settlement.standing_if_void(play)

    def without(self, options: ScatOptions, standing: ScatMatchState, seat: int) -> ScatMatchState:
        """Return the match without a player who leaves between hands (rules G-16, SC-26)."""
        return match.without(options, standing, (seat,))

    def takes_newcomers(self, options: ScatOptions) -> bool:
        """Return whether anybody may join: not in a match with lives that has begun (G-15)."""
        return options.scoring != "lives"

    def with_newcomer(
        self, options: ScatOptions, standing: ScatMatchState, event: Join
    ) -> ScatMatchState:
        """Let a newcomer begin without points (rules G-15, NE-6)."""
        if options.scoring != "points":
            return standing
        points = {**dict(standing.points), event.seat: 0}
        return replace(standing, points=tuple(sorted(points.items())))

    def payments(self, options: ScatOptions, standing: ScatMatchState) -> Payments:
        """Return the buy-ins, and who takes the pot of the match (rules SC-21, SC-25)."""
        return of_a_match(options, standing)

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
