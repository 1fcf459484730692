"""What goes on from hand to hand: lives, points, pots and stakes, in the games that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

from engine.core.events import Join
from engine.core.outcome import NO_MATCH, MatchState
from engine.core.payments import PaymentReason, Payments, Unit, through_pot
from engine.core.players import Player
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens
from engine.core.views import MatchView, PlayerMatchView

StateT = TypeVar("StateT", bound=MatchState)


class MatchRules(Generic[StateT]):
    """The rules of a match; as they stand here, of a game that settles every hand by itself."""

    carries: ClassVar[bool] = False
    """Whether what one hand brings counts in the next ones, so that all of them are counted again
    when it is put right (rules G-12, G-23): then *after_hand*, *after_misdeal* and the payments go
    by ``play.carried_in``, and what the hand decided by ``play.standing``."""

    def __init__(self, title: str) -> None:
        """Make the rules; *title* of the game is for refusals."""
        self.title = title

    def unit(self, options: Any) -> Unit:
        """Return what is played for: what is counted of each hand, or of the match."""
        return Unit.TOKENS

    def read(self, options: Any, players: Sequence[Player], record: Mapping[str, Any]) -> StateT:
        """Return the match before the first hand, by the keys ``start`` and ``stakes`` of a case.

        Raises:
            BoneAceError: the game knows no such thing, or a match that cannot be.
        """
        for key in ("start", "stakes"):
            if record.get(key):
                raise IllegalActionError(
                    Refusal.WRONG_PHASE, f"{key}: {self.title} has none; take the key {key!r} away"
                )
        return cast(StateT, NO_MATCH)

    def before_hand(self, options: Any, standing: StateT, stakes: Tokens) -> StateT:
        """Return the match as the next hand begins; *stakes* come with the event.

        Raises:
            IllegalActionError: ``BAD_STAKE``, or ``WRONG_PHASE`` where no stakes are laid.
        """
        if stakes:
            raise IllegalActionError(
                Refusal.WRONG_PHASE, f"no stakes are laid in {self.title}; leave them out"
            )
        return standing

    def after_hand(self, play: Any) -> StateT:
        """Return the match after a finished hand."""
        return cast(StateT, play.standing)

    def after_misdeal(self, play: Any) -> StateT:
        """Return the match after a misdeal: as before the hand (rule G-13)."""
        return cast(StateT, play.standing)

    def without(self, options: Any, standing: StateT, seat: int) -> StateT:
        """Return the match after *seat* left between hands (G-16, SC-26)."""
        return standing

    def has_lives(self, options: Any) -> bool:
        """Return whether players lose lives until one is left, who wins the match (rule SC-21)."""
        return False

    def takes_newcomers(self, options: Any) -> bool:
        """Return whether anybody may join between hands: not in a match with lives (rule G-15)."""
        return not self.has_lives(options)

    def with_newcomer(self, options: Any, standing: StateT, event: Join) -> StateT:
        """Return the match after a player joined between hands (rule G-15).

        Raises:
            IllegalActionError: ``BAD_STAKE``.
        """
        return standing

    def payments(self, options: Any, standing: StateT) -> Payments:
        """Return who paid and took what for a match that is over (rule SC-21)."""
        return through_pot(dict(standing.settlement), PaymentReason.MATCH, ("G-18",))

    def view(self, options: Any, standing: StateT) -> MatchView | None:
        """Return how a match stands; ``None`` where every hand is settled by itself."""
        return None

    def player_view(self, options: Any, standing: StateT, seat: int) -> PlayerMatchView | None:
        """Return how a player stands in the match; ``None`` where there is none."""
        return None
