"""The book of a sitting: the hands played before, the entries, and putting them right.

What a hand that is over decided can still change (rules G-12, G-13), and then all that is carried
from hand to hand is counted again from there: the ledger, lives, points, the pot (rule G-23).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.events import Correct, CorrectBone, Entry, Join, Misdeal
from engine.core.fast_replace import replace
from engine.core.outcome import Outcome
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.text.limits import LONGEST_TEXT, is_printable_line
from engine.core.tokens import Ledger, Tokens
from engine.core.views import Phase
from engine.table.corrections import correct_past
from engine.table.hand import HandState, outcome, settled, step

PutRight = Correct | CorrectBone | Misdeal
"""Events that may name an earlier hand."""


@dataclass(frozen=True)
class PastHand:
    """A hand before the one in play.

    Attributes:
        start: before its first event.
        hand: when the next one began.
        outcome: how it ended; who dealt next stays as it was played.
        put_right: after the next one had begun.
    """

    start: HandState
    hand: HandState
    outcome: Outcome
    put_right: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry as it stands in the book.

    Attributes:
        hand: the number of the hand that it follows.
        names: whom it means, by seat: who sat there last.
        newcomers: the seats named in it that were taken only after that hand.
    """

    hand: int
    entry: Entry
    names: tuple[tuple[int, str], ...]
    newcomers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Book:
    """What was played before the hand in play, and every entry. Immutable.

    Attributes:
        paid: the ledger of all that.
        sat_down: of each seat that has changed hands, the first hand of its present owner.
        brought: what was in the ledger of such a seat when its owner sat down.
    """

    played: tuple[PastHand, ...] = ()
    entries: tuple[Noted, ...] = ()
    paid: Ledger = field(default_factory=Ledger)
    sat_down: tuple[tuple[int, int], ...] = ()
    brought: Tokens = ()

    @property
    def number(self) -> int:
        """Return the number of the hand in play, from 1."""
        return len(self.played) + 1

    def tokens_of(self, seat: int) -> int:
        """Return the net tokens of whoever plays at *seat*, without the hand in play."""
        return self.paid.of(seat) - dict(self.brought).get(seat, 0)

    def given_to_newcomer(self, seat: int) -> int:
        """Return what entries brought to who sat down at *seat* after the last hand."""
        return sum(
            dict(noted.entry.tokens)[seat]
            for noted in self.entries
            if noted.hand == self.number and seat in noted.newcomers
        )

    def names_past(self, event: PutRight) -> bool:
        """Return whether *event* is about an earlier hand than the one in play.

        Raises:
            IllegalActionError: ``NO_SUCH_HAND``.
        """
        if event.hand is None:
            return False
        if not 1 <= event.hand <= self.number:
            raise IllegalActionError(
                Refusal.NO_SUCH_HAND,
                f"there is no hand {event.hand}; name one from 1 to {self.number}",
            )
        return event.hand < self.number

    def close_hand(self, start: HandState, hand: HandState, ended: Outcome) -> Book:
        """Return the book with the hand in play in it, as the next one begins."""
        paid = self.paid.add(dict(ended.settlement), ended.to_pot)
        book = replace(self, played=(*self.played, PastHand(start, hand, ended)), paid=paid)
        came = {player.seat: book.number for player in hand.seated if player not in hand.players}
        if not came:
            return book
        sat_down = {**dict(self.sat_down), **came}
        return replace(book, sat_down=tuple(sorted(sat_down.items())))._with_brought()

    def note(self, hand: HandState, event: Entry) -> Book:
        """Return the book with an entry in it, written after *hand* (rule G-22).

        Raises:
            IllegalActionError: ``UNKNOWN_SEAT``, ``WRONG_PHASE`` or ``BAD_ENTRY``.
        """
        known: dict[int, str] = {}  # the last name at each seat
        for one in (*(past.hand for past in self.played), hand):
            joins = (change for change in one.since if isinstance(change, Join))
            known.update((player.seat, player.name) for player in one.players)
            known.update((join.seat, join.player().name) for join in joins)
        known.update((player.seat, player.name) for player in hand.seated)
        for seat, _ in event.tokens:
            if seat not in known:
                raise IllegalActionError(
                    Refusal.UNKNOWN_SEAT,
                    f"nobody has sat at seat {seat}; seats taken so far: {sorted(known)}",
                )
        if hand.phase is not Phase.DONE:
            raise IllegalActionError(
                Refusal.WRONG_PHASE, "an entry is written between hands; finish this one first"
            )
        _check_entry(event)
        joined = {one.seat for one in hand.since if isinstance(one, Join)}
        names = tuple((seat, known[seat]) for seat, _ in event.tokens)
        newcomers = tuple(seat for seat, _ in event.tokens if seat in joined)
        noted = Noted(self.number, event, names, newcomers)
        return replace(self, entries=(*self.entries, noted), paid=self.paid.add(dict(event.tokens)))

    def put_right(
        self, start: HandState, hand: HandState, event: PutRight
    ) -> tuple[Book, HandState]:
        """Return the book and the hand in play after an earlier hand was put right.

        Raises:
            IllegalActionError: the event is not possible (rules G-12, G-13).
        """
        assert event.hand is not None  # names_past has seen to it
        place = event.hand - 1
        past = self.played[place]
        if isinstance(event, Misdeal):
            changed = step(past.hand, event)
        else:
            changed = correct_past(past.start, past.hand, event)
        played = list(self.played)
        played[place] = replace(_rebooked(past, changed), put_right=True)
        hand = _count_again(played, place, start, hand)
        paid = Ledger()
        for each in played:
            paid = paid.add(dict(each.outcome.settlement), each.outcome.to_pot)
        for noted in self.entries:
            paid = paid.add(dict(noted.entry.tokens))
        return replace(self, played=tuple(played), paid=paid)._with_brought(), hand

    def _with_brought(self) -> Book:
        brought = {seat: self._before(seat, first) for seat, first in self.sat_down}
        return replace(self, brought=tuple(brought.items()))

    def _before(self, seat: int, first: int) -> int:
        """Return the tokens of those who had *seat* before its owner, whose hand *first* was."""
        nets = (dict(past.outcome.settlement).get(seat, 0) for past in self.played[: first - 1])
        entries = (
            dict(noted.entry.tokens).get(seat, 0)
            for noted in self.entries
            if noted.hand < first - (seat in noted.newcomers)
        )
        return sum(nets) + sum(entries)


def _check_entry(event: Entry) -> None:
    """Refuse an entry that says nothing, or makes or loses tokens (rules G-18, G-22)."""
    amounts = [amount for _, amount in event.tokens]
    if len({seat for seat, _ in event.tokens}) < max(2, len(amounts)):
        said = "name at least two seats, each once"
    elif 0 in amounts:
        said = "leave out who neither pays nor gets anything"
    elif sum(amounts):
        said = f"what is paid must be what is got; it sums to {sum(amounts):+d}"
    elif not event.reason.strip():
        said = "say in words what it is for"
    elif len(event.reason) > LONGEST_TEXT or not is_printable_line(event.reason):
        said = f"write the reason in one line of at most {LONGEST_TEXT} letters"
    else:
        return
    raise IllegalActionError(Refusal.BAD_ENTRY, f"this is no entry: {said}")


def _rebooked(past: PastHand, hand: HandState) -> PastHand:
    """Return an earlier hand with another result; who dealt next did so (rule G-12)."""
    ended = outcome(hand)
    assert ended is not None  # it is over
    ended = replace(ended, next_dealer=past.outcome.next_dealer)
    return replace(past, hand=hand, outcome=ended)


def _count_again(
    played: list[PastHand], place: int, start: HandState, hand: HandState
) -> HandState:
    """Count again what was carried on from the hand at *place* (rules G-12, G-23, BK-8).

    Returns the hand in play, which began with *start*; for it that counts once it is over.
    """
    match, options = hand.game.match, hand.options
    if not match.carries:
        return hand
    for later in range(place + 1, len(played) + 1):
        standing = match.before_hand(options, played[later - 1].hand.standing, ())
        in_play = later == len(played)
        begun, one = (start, hand) if in_play else (played[later].start, played[later].hand)
        if standing == (begun.standing if one.counted is None else one.counted):
            return hand
        one = replace(one, counted=standing)
        if one.phase is Phase.DONE:
            one = settled(one)
        if in_play:
            return one
        played[later] = _rebooked(played[later], one)
    return hand
