"""Stakes laid against the bank, and how they go on from round to round (rule KB-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.events import Join
from engine.core.outcome import MatchState
from engine.core.players import Player
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens, read_tokens
from engine.games.knucklebones.play import BonesPlay
from engine.games.match_rules import MatchRules

LEAST_STAKE = 1


@dataclass(frozen=True, slots=True)
class BankStanding(MatchState):
    """What goes on from round to round: the stakes, which lie again unless they are changed.

    Attributes:
        stakes: ``(seat, tokens)``, each at least 1, by seat number. The banker's own may be among
            them: it lies when they have lost the bank.
    """

    stakes: Tokens = ()


class BankMatch(MatchRules[MatchState]):
    """Stakes that lie from round to round."""

    def read(
        self, options: Any, players: Sequence[Player], record: Mapping[str, Any]
    ) -> BankStanding:
        """Return the stakes of the first round from the key ``stakes`` of a case (rule KB-2).

        Raises:
            IllegalActionError: the game has no match, or nobody sits where a stake lies.
        """
        if record.get("start"):
            raise IllegalActionError(
                Refusal.WRONG_PHASE, f"start: {self.title} has no match; take the key 'start' away"
            )
        stakes = read_tokens("stakes", record.get("stakes", {}))
        seats = [player.seat for player in players]
        for seat, _ in stakes:
            if seat not in seats:
                raise IllegalActionError(
                    Refusal.UNKNOWN_SEAT,
                    f"stakes: nobody sits at seat {seat}; seats taken: {seats}",
                )
        return with_stakes(BankStanding(), stakes)

    def after_hand(self, play: BonesPlay) -> BankStanding:
        """Let the stakes stand for the next round, but those of players who have gone."""
        stakes = {**dict(stakes_of(play.standing)), **dict(play.stakes)}
        gone = {hand.seat for hand in play.hands if hand.left}
        kept = {seat: amount for seat, amount in stakes.items() if seat not in gone}
        return BankStanding(stakes=as_tokens(kept))

    def after_misdeal(self, play: BonesPlay) -> BankStanding:
        """Give the stakes back after a misdeal, to lie again as they were (rules G-13, KB-21)."""
        return self.after_hand(play)

    def without(self, options: Any, standing: MatchState, seat: int) -> BankStanding:
        """Let a player who goes between rounds take their stake with them (rule G-16)."""
        kept = tuple((owner, amount) for owner, amount in stakes_of(standing) if owner != seat)
        return BankStanding(stakes=kept)

    def with_newcomer(self, options: Any, standing: MatchState, event: Join) -> BankStanding:
        """Take the stake that a newcomer brings, if they name one (rules G-15, KB-2)."""
        stakes = () if event.stake is None else ((event.seat, event.stake),)
        return with_stakes(standing, stakes)

    def before_hand(self, options: Any, standing: MatchState, stakes: Tokens) -> BankStanding:
        """Lay the stakes of the next round; a player who names none keeps the last (KB-2)."""
        return with_stakes(standing, stakes)


def check_stake(seat: int, amount: int) -> None:
    """Refuse a stake that is no whole number of tokens from 1 (rule KB-2).

    Raises:
        IllegalActionError: ``BAD_STAKE``.
    """
    if type(amount) is not int or amount < LEAST_STAKE:
        raise IllegalActionError(
            Refusal.BAD_STAKE,
            f"seat {seat} cannot stake {amount!r}; lay whole tokens, at least {LEAST_STAKE}",
        )


def stakes_of(standing: MatchState) -> Tokens:
    """Return the stakes that lie; none where no round has been played."""
    return standing.stakes if isinstance(standing, BankStanding) else ()


def with_stakes(standing: MatchState, stakes: Tokens) -> BankStanding:
    """Return how the match stands with *stakes* laid over those that lay before.

    Raises:
        IllegalActionError: ``BAD_STAKE``.
    """
    for seat, amount in stakes:
        check_stake(seat, amount)
    return BankStanding(stakes=as_tokens({**dict(stakes_of(standing)), **dict(stakes)}))


def as_tokens(amounts: Mapping[int, int]) -> Tokens:
    """Return *amounts* by seat number."""
    return tuple(sorted(amounts.items()))
