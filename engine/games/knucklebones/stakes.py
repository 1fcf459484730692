"""Stakes laid against the bank, and how they go on from round to round (rule KB-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.match_state import MatchState
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens

LEAST_STAKE = 1


@dataclass(frozen=True, slots=True)
class BankStanding(MatchState):
    """What goes on from round to round: the stakes, which lie again unless they are changed.

    Attributes:
        stakes: ``(seat, tokens)``, each at least 1, by seat number. The banker's own may be among
            them: it lies when he has lost the bank.
    """

    stakes: Tokens = ()


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
