"""What a game brings so that the croupier can explain looks: its moves, and what shows of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from device.croupier.assumptions import Assumption
from device.croupier.history import History
from device.croupier.looks import Look, Looks, Said
from device.ports import Press
from engine import State
from engine.core.cards import Card
from engine.core.events import Event
from engine.core.messages.message import Value

if TYPE_CHECKING:
    from device.croupier.questions import Candidate, Notice, Question

M = TypeVar("M")
"""What a history believes of the mat; an immutable value, each game has its own."""


@dataclass(frozen=True, slots=True)
class Move(Generic[M]):
    """Something that people may have done; whether it was legal is found by trying its events.

    Attributes:
        events: what it is in the game; none where the game does not notice.
        reread: the number of an event of this hand, from 0, and what it is now that more of it was
            read: a card that nobody could read has its name.
        insert: a place in the events of this hand, from 0, how many of them fall away there, and
            those that happened instead.
        mat: what is believed of the mat after it.
        assumed: what is unusual about it, beside what the search adds itself.
        said: the press that it uses.
        hand: whose hand it takes over the mat; ``None`` for none.
        leaves_trace: it can be seen on the mat or was said. A history never ends with one that
            cannot: it is only added when a later move needs it.
        about: the cards or bones by whose numbers it was noticed: UNDO sets it aside for them.
    """

    events: tuple[Event, ...]
    mat: M
    assumed: tuple[Assumption, ...] = ()
    said: Said | None = None
    hand: int | None = None
    leaves_trace: bool = True
    about: frozenset[int] = frozenset()
    reread: tuple[int, Event] | None = None
    insert: tuple[int, int, tuple[Event, ...]] | None = None


class Game(Protocol[M]):
    """What can happen at one kind of table. All pure but for caches: no clock, no randomness."""

    tells_end: bool
    """Whether a history in which the hand is over is the dearer for it when people play on."""

    words_wait: bool
    """Whether a word said while things move may be about what they will have come to."""

    def start(self, state: State, look: Look) -> M:
        """Return what is believed of the mat when a hand begins, or goes on without its looks.

        *look* is the last one before it: what lies there belongs to the hand before, or, where
        *state* is in mid-hand, to what it knows.
        """

    def moves(self, at: History[M], look: Look) -> Iterable[Move[M]]:
        """Offer what may have happened next on the way to what *look* shows."""

    def lost_track(self, at: History[M], look: Look) -> Iterable[Move[M]]:
        """Offer what leaves open that nobody can tell, where nothing else explains *look*."""

    def waits_in_vain(self, at: History[M], look: Look, *, best: bool) -> bool:
        """Return whether *at* is the less likely the longer all lies there as in *look*.

        Of the *best* history only: also whether somebody who shows nothing may have thrown in.
        """

    def was_swept(self, at: History[M]) -> bool:
        """Return whether what lies there is the next hand's, though this one is not settled yet."""

    def at_rest(self, at: History[M], look: Look) -> M | None:
        """Return the mat with the places of *look*, where *at* explains it; else ``None``."""

    def key(self, at: History[M], watched: frozenset[Card]) -> Hashable:
        """Return what decides the future of a history, the places of *watched* cards included."""

    def frame(self, state: State) -> Hashable:
        """Return who may do what next: phase, turn, who is in, how many cards each has."""

    def money(self, state: State) -> Hashable:
        """Return all that is paid or charged, and who deals or banks next."""

    def suspects(self, at: History[M], look: Look) -> frozenset[Card]:
        """Return the cards that *look* shows elsewhere than *at* has them."""

    def where(self, at: History[M], card: Card) -> Hashable:
        """Return where *at* believes a suspect to be."""

    def traces(self, event: Event) -> frozenset[Assumption]:
        """Return what is nothing unusual on the mat where people took *event* back."""

    def corrected(self, at: History[M], event: Event) -> M:
        """Return the mat after people corrected, left or threw in: *event* is in ``at.state``."""


class Words(Protocol[M]):
    """What a game's part of the croupier asks and says."""

    forgotten: frozenset[str]
    """Questions, as :meth:`answers` names them up to the colon, that people can hardly answer, or
    wonder at, once they show their hands."""

    decided: frozenset[str]
    """Questions about what people decide now: they may have an answer for each player."""

    def answers(self, at: History[M], look: Look) -> dict[str, Hashable]:
        """Return what the history answers to each kind of question that may divide the set.

        The keys are words of ``QuestionKind``, or such a word, a colon and what it is about
        ("source:1:9H").
        """

    def question(
        self, about: str, answers: Sequence[Hashable], at: History[M], look: Look
    ) -> Question:
        """Put the question *about*, with its answers, the likeliest first, into words."""

    def tell(self, at: History[M], since: int) -> Value:
        """Tell what happened from event number *since* on, from 0, in one short sentence."""

    def waiting(self, about: str, at: History[M], look: Look) -> Notice:
        """Say what was seen while the answer to the question *about* may still show."""

    def ignored(self, at: History[M], look: Look, numbers: frozenset[int]) -> Notice:
        """Say which cards or bones do not count until they are taken up."""

    def refused(self, at: History[M], press: Press) -> tuple[Notice, ...]:
        """Say why a press means nothing now."""

    def dial(self, at: History[M]) -> Sequence[int]:
        """Return the numbers that can be dialled with the knob now; none in most games."""

    def dialled(self, at: History[M], number: int) -> Notice:
        """Show what the knob stands at: one of :meth:`dial`."""

    def rename(self, looks: Looks, event: Event) -> None:
        """Name the card or bone that a correction is about, where it lies on the mat."""

    def named(self, question: Question, chosen: Candidate | None) -> Event | None:
        """Return the correction that an answer makes where the game has it otherwise."""

    def silence(self, question: Question, at: History[M]) -> Event | None:
        """Return what it means that nobody did anything: *question* need not be put then."""

    def left(self, at: History[M], look: Look) -> Notice | None:
        """Say what is to be gathered before the next hand; ``None`` when the mat is clear."""

    def unread(self, at: History[M], look: Look) -> Question | None:
        """Return the question for a card or bone that must be named before the game can go on."""

    def remarks(
        self, at: History[M], look: Look, explained: bool, *, doubted: bool
    ) -> Sequence[Notice]:
        """Say what the table should know or do; where *explained* is false: why it waits.

        *doubted*: it may still be asked what happened.
        """
