"""Throws of knucklebones: what each player threw, what they are asked, and what stakes lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.core.bones import Face
from engine.core.hands import PlayerCards
from engine.core.messages.message import N_
from engine.core.options import WholeNumber, check, choice, option
from engine.core.outcome import MatchState
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens
from engine.core.views import Stage
from engine.games.base import Play

COCKED = 0
"""What a reading says of a bone that leans, stands on end or cannot be read (rule KB-15)."""
FACES = tuple(sorted(face.points for face in Face))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnucklebonesOptions:
    """What may be agreed before play; each field carries its choices and its source."""

    target: Literal[21, 31] = choice(21, N_("21: S4; 31: S4 considered it"))
    bones_first: int = option(5, WholeNumber(1), "S4", "bones of the first throw")
    max_extra: int = option(5, WholeNumber(0), "S4", "the most bones a player may throw after it")
    extra_mode: Literal["single_decision", "one_at_a_time"] = choice(
        "single_decision", N_("S4 (the second was tried and dropped)")
    )
    tie: Literal["banker", "push"] = choice(
        "banker", N_("banker: S4 rule 4; push: S4 considered it")
    )
    banker_rule: Literal["free", "stand17"] = choice(
        "free", N_("free: S4 states no restriction; stand17: S4 considered it (hit 16, stand 17)")
    )
    banker_loses: Literal["any", "net"] = choice(
        "any",
        N_("our ruling on S4 'if the banker loses'"),
        "any = at least one player was paid; net = the bank paid out more than it took",
    )
    bank_passes: Literal["best_winner", "left", "banker_over", "never"] = choice(
        "best_winner",
        N_("best_winner: S4 rule 4; the others our readings of S4 'how does the Bank pass'"),
        "banker_over: to the best winner, only when the bank has gone over",
    )
    banker_must_roll: bool = choice(
        False,
        N_("S4's sentence 'The banker always rolls' is cut off"),
        "true = the banker rolls even when every player is over; no payment depends on it",
    )
    max_players: int = option(8, WholeNumber(2, 8), N_("our ruling"), "the banker among them")

    def __post_init__(self) -> None:
        """Refuse values outside the choices (rules KB-1, KB-3, KB-16 to KB-19, KB-22)."""
        check(self)


@dataclass(frozen=True, slots=True)
class BankStanding(MatchState):
    """What goes on from round to round: the stakes, which lie again unless they are changed.

    Attributes:
        stakes: ``(seat, tokens)``, each at least 1, by seat number. The banker's own may be among
            them: it lies when they have lost the bank.
    """

    stakes: Tokens = ()


@dataclass(frozen=True)
class Thrower(PlayerCards):
    """One player of a round; they hold no cards.

    Attributes:
        throws: the points of each bone, throw by throw: the first, then those after it.
        thrown_in: they said that they are out; bones not yet thrown are not thrown (rule KB-23).
    """

    throws: tuple[tuple[int, ...], ...] = ()
    thrown_in: bool = False

    @property
    def total(self) -> int:
        """Return the points of all the bones thrown."""
        return sum(map(sum, self.throws))

    @property
    def points(self) -> int | None:
        """Return the total; ``None`` before the first throw."""
        return self.total if self.throws else None

    @property
    def extra(self) -> int:
        """Return how many bones were thrown after the first throw."""
        return sum(map(len, self.throws[1:]))


@dataclass(frozen=True)
class BonesPlay(Play):
    """One round, from the stakes to the payment; ``dealer`` is the banker. Immutable.

    Attributes:
        hands: in the order of turns, the banker last (rule KB-3).
        stakes: ``(seat, tokens)`` of everybody but the banker, by seat number (rule KB-2).
        wanted: how many bones were asked for and are not thrown yet.
    """

    hands: tuple[Thrower, ...] = ()
    standing: BankStanding = BankStanding()
    stakes: Tokens = ()
    wanted: int = 0

    def hand(self, seat: int) -> Thrower:
        """Return what *seat* threw.

        Raises:
            IllegalActionError: ``UNKNOWN_SEAT``.
        """
        for hand in self.hands:
            if hand.seat == seat:
                return hand
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT,
            f"nobody plays at seat {seat}; seats in the round: {[h.seat for h in self.hands]}",
        )

    @property
    def one_at_a_time(self) -> bool:
        """Return whether bones after the first throw come one by one (rule KB-17)."""
        return bool(self.options.extra_mode == "one_at_a_time")

    @property
    def players_in(self) -> tuple[Thrower, ...]:
        """Return the players against the bank who are not out, in the order of turns."""
        seats = (seat for seat in self.order if seat != self.dealer)
        return tuple(hand for hand in map(self.hand, seats) if not hand.out)

    @property
    def has_begun(self) -> bool:
        """Return whether bones have been thrown, so that the stakes lie (rule KB-2)."""
        return any(hand.throws for hand in self.hands)

    @property
    def stage(self) -> Stage | None:
        """Return what the player whose turn it is has to do; ``None`` when nobody has one."""
        if self.turn is None:
            return None
        if not self.hand(self.turn).throws:
            return Stage.FIRST
        if self.wanted:
            return Stage.EXTRA
        return Stage.ONE if self.one_at_a_time else Stage.CHOOSE

    @property
    def bones_due(self) -> int:
        """Return how many bones the next throw must have; 0 while none may be thrown (KB-14)."""
        return int(self.options.bones_first) if self.stage is Stage.FIRST else self.wanted


def check_faces(faces: Sequence[int]) -> None:
    """Refuse bones that cannot be counted; a cocked one is told first.

    Raises:
        IllegalActionError: ``COCKED_BONE`` (rule KB-15) or ``BAD_FACE`` (rule KB-1).
    """
    if COCKED in faces:
        place = faces.index(COCKED) + 1
        raise IllegalActionError(
            Refusal.COCKED_BONE,
            f"bone {place} leans, stands on end or cannot be read; "
            "throw that bone alone again, then have all of them read",
        )
    wrong = dict.fromkeys(face for face in faces if face not in FACES)
    if wrong:
        raise IllegalActionError(
            Refusal.BAD_FACE,
            f"no face of a bone counts {' or '.join(map(str, wrong))}; "
            "they count 1, 3, 4 and 6, so look at the bones again",
        )
