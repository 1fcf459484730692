"""The croupier of games in which cards lie at the seats, such as One-and-Thirty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.base import Croupier
from device.croupier.mat_tracker import CardSide, MatTracker, TrackedCard
from device.croupier.proposal import Hand, Proposal, aligned, shown
from device.croupier.questions import Notice, Question, QuestionKind
from device.ports import Button
from engine import Event
from engine.core.cards import Card
from engine.core.events import Claim, Correct, CorrectBone, Cut, Deal, Declare, Facing, Have, Reveal
from engine.core.refusals import Refusal
from engine.core.views import Phase, SeatStatus, SeatView, View
from vision.readings import Reading, ZoneKind

_RETRY = (
    Refusal.WRONG_DEAL_ORDER,
    Refusal.UPCARD_UNREADABLE,
    Refusal.DUPLICATE_CARD,
    Refusal.NOT_IN_DECK,
)
"""Refusals that another card or another reading can lift; after the others a card is in the way."""

_CARDS_IN = (SeatStatus.OUT, SeatStatus.LEFT)
"""Players whose cards are thrown in: it does not matter where they lie."""


class CardCroupier(Croupier):
    """Cards at the seats: dealt, asked for, turned up."""

    def __init__(self) -> None:
        """Start knowing nothing: the first reading is taken together with the game's state."""
        super().__init__()
        self.memory = MatTracker()
        self._back = False
        self._withdrawn: dict[int, Hand] = {}

    def _remember(self, reading: Reading) -> None:
        self.memory.update(reading)

    def _interpret(self, proposal: Proposal) -> None:
        self._count(proposal.view)
        if proposal.view.phase is Phase.CUT:
            self._cut(proposal)
        elif proposal.view.phase is Phase.DONE:
            self._gather(proposal)
        else:
            self._missing(proposal)
            self._check_names(proposal)
            self._deal(proposal)
            self._hands(proposal)
            self._strays(proposal)

    # Presses

    def _on_undo(self, proposal: Proposal) -> None:
        self._back = True
        # The cards still lie as they lay: a claim taken back is not made again by itself.
        for seat in proposal.view.seats:
            cards = self.memory.at(seat.seat)
            if cards and all(thing.is_up for thing in cards):
                self._withdrawn[seat.seat] = shown(cards)

    def _left_on_mat(self) -> int:
        return sum(not thing.spent for thing in self.memory.on_seats())

    def _clear(self) -> None:
        for thing in self.memory.cards:
            thing.spent = True

    def _gather_words(self, left: int) -> Notice:
        return messages.gather(left)

    def _on_hand_started(self, proposal: Proposal) -> None:
        self._withdrawn.clear()

    def _on_answer(self, question: Question, button: Button, proposal: Proposal) -> None:
        yes = button is Button.HAVE
        thing = next((t for t in self.memory.cards if t.number == question.thing), None)
        if thing is None:
            return  # the card is gone, and the question with it
        if question.cards:
            self._name(question, thing, yes, proposal)
        elif question.kind is QuestionKind.OPEN:
            thing.allowed, thing.refused = yes, not yes
        elif yes and question.seat is not None:
            proposal.play(Have(question.seat))
        else:
            thing.refused = True

    def _name(self, question: Question, thing: TrackedCard, yes: bool, proposal: Proposal) -> None:
        if not yes:
            thing.unread = True
            return
        card = question.cards[question.selected]
        was = thing.in_game
        thing.name(card)
        if question.kind is QuestionKind.CHANGED and card != was:
            proposal.play(Correct(was, card, question.seat))

    def _on_correction(self, event: Correct | CorrectBone) -> None:
        if isinstance(event, Correct) and event.card is not None:
            there = [t for t in self.memory.cards if event.seat in (None, t.seat)]
            # A discard is known by what lies there, and not as a card of somebody's hand.
            for known in (True, False):
                for thing in there:
                    if event.was == (thing.in_game if known else thing.card):
                        thing.name(event.card)
                        thing.in_game = event.card if known else None
                        return

    def _on_correction_undone(self, event: Correct | CorrectBone, proposal: Proposal) -> None:
        if not isinstance(event, Correct) or event.was is None:
            return
        for thing in self.memory.cards:
            named = event.card in (thing.named, thing.in_game)
            if named and event.seat in (None, thing.seat):
                thing.unname()
                if thing.card != event.was:
                    thing.name(event.was)
                if thing.in_game is not None:
                    thing.in_game = event.was
                return

    # The mat against the game

    def _count(self, seen: View) -> None:
        """Say of each card on the mat whether the game knows it, by the game's own count."""
        held = sum(len(seat.cards) for seat in seen.seats)
        if held == 0 and not self._back:
            self.memory.forget()
        for seat in seen.seats:
            cards = self.memory.at(seat.seat)
            _tie(cards, Counter(card for card in seat.cards if card is not None))
            # Those known by name first; of the backs, those that appeared first were dealt first.
            # While cards are dealt, an open one that the game does not know is never one of those.
            dealing = seen.phase is Phase.DEAL
            cards.sort(
                key=lambda thing: (
                    thing.in_game is None,
                    dealing and thing.is_up,
                    thing.number,
                )
            )
            for place, thing in enumerate(cards):
                known = place < self._dealt(seat, seen)
                thing.refused = self._back and thing.counted and not known
                thing.counted = known
        self._back = False

    def _dealt(self, seat: SeatView, seen: View) -> int:
        """Return how many cards the game knows to have been dealt to a place."""
        return len(seat.cards)

    def _cut(self, proposal: Proposal) -> None:
        """Take each face-up card at a seat that has still to cut (rule G-2)."""
        for seat in proposal.view.to_cut:
            name = proposal.name(seat)
            cards = self.memory.at(seat)
            if not cards and any(thing.seat == seat for thing in self.memory.cards):
                proposal.add_notice(messages.cut_again(name))
            for thing in cards[:1]:
                if thing.observation.side is CardSide.DOWN:
                    proposal.add_notice(messages.cut_face_up(name))
                elif thing.card is None:
                    self._ask_card(thing, seat, proposal, partial(Cut, seat))
                elif proposal.play(Cut(seat, thing.card)):
                    thing.spent = True

    def _check_names(self, proposal: Proposal) -> None:
        """Ask when a card that the game knows by name now looks like another one (rule G-10)."""
        for seat in proposal.view.seats:
            if seat.status in _CARDS_IN:
                continue
            for thing in self.memory.at(seat.seat):
                was, now = thing.in_game, thing.card
                if was is None or now is None or now == was:
                    continue
                if thing.unread:
                    proposal.add_notice(messages.cannot_read(seat.name))
                else:
                    at = thing.observation.centre
                    proposal.ask(ask.changed(seat.name, seat.seat, was, now, thing.number, at))

    def _deal(self, proposal: Proposal) -> None:
        """Deal the cards that the game does not know yet, in the order it wants them."""
        new = {
            seat.seat: [thing for thing in self.memory.at(seat.seat) if not thing.counted]
            for seat in proposal.view.seats
        }
        waiting: dict[int, Notice] = {}

        def dealt_one() -> bool:
            for seat in proposal.order():
                if new[seat] and self._deal_one(new[seat], seat, proposal, waiting):
                    waiting.pop(seat, None)
                    return True
            return False

        # Each card dealt may make room for another: the order is the game's, not the mat's.
        while dealt_one():
            pass
        proposal.notices.extend(waiting.values())

    def _deal_one(
        self, new: list[TrackedCard], seat: int, proposal: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        """Deal one of the *new* cards of a seat; say why none can be dealt, or ask."""
        name = proposal.name(seat)
        refusal = proposal.refusal(Deal(seat, None))
        if refusal is not None and refusal.code == Refusal.UPCARD_UNREADABLE:
            return self._deal_up(new, seat, proposal, waiting)
        thing = next((each for each in new if not each.is_up), new[0])
        if refusal is None:
            if thing.is_up and thing.card is None:
                self._ask_card(thing, seat, proposal, lambda card: Deal(seat, card, Facing.UP))
                return False
            if thing.card is not None and not thing.allowed:
                proposal.ask(
                    ask.exposed(name, seat, thing.card, thing.number, thing.observation.centre)
                )
                return False
            new.remove(thing)
            return proposal.play(Deal(seat, thing.card, Facing.UP if thing.is_up else Facing.DOWN))
        if proposal.view.turn == seat and proposal.refusal(Have(seat)) is None:
            proposal.ask(ask.unasked(name, seat, thing.number, thing.observation.centre))
            return False
        waiting[seat] = messages.not_counted(proposal.explain(refusal), name)
        thing.refused = refusal.code not in _RETRY
        return False

    def _deal_up(
        self, new: list[TrackedCard], seat: int, proposal: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        """Deal the card that must lie face up (rule BA-1)."""
        thing = next((each for each in new if each.is_up), None)
        if thing is None:
            place = len(proposal.view.seat(seat).cards)
            waiting[seat] = messages.turn_up(proposal.name(seat), place)
            return False
        if thing.card is None:
            self._ask_card(thing, seat, proposal, lambda card: Deal(seat, card, Facing.UP))
            return False
        event = Deal(seat, thing.card, Facing.UP)
        refusal = proposal.refusal(event)
        if refusal is not None:
            waiting[seat] = messages.read_again(proposal.explain(refusal))
            return False
        new.remove(thing)
        return proposal.play(event)

    def _missing(self, proposal: Proposal) -> None:
        """Report which cards are missing; a player may just look at their hand."""
        for seat in proposal.view.seats:
            seen = sum(thing.counted for thing in self.memory.at(seat.seat))
            if seat.status not in _CARDS_IN and seen < len(seat.cards):
                proposal.add_notice(messages.cards_missing(seat.name, seen, len(seat.cards)))

    def _hands(self, proposal: Proposal) -> None:
        """Take hands laid open as claims."""
        for seat in proposal.view.seats:
            cards = [thing for thing in self.memory.at(seat.seat) if thing.counted]
            if self._withdrawn.get(seat.seat, shown(cards)) != shown(cards):
                del self._withdrawn[seat.seat]
            if (
                seat.status not in _CARDS_IN
                and None in seat.cards
                and len(cards) == len(seat.cards)
                and all(thing.is_up for thing in cards)
                and seat.seat not in self._withdrawn
            ):
                self._claim(seat.seat, cards, proposal)

    def _claim(self, seat: int, cards: Sequence[TrackedCard], proposal: Proposal) -> None:
        """Take a hand turned up as its player's word (rules OT-17, OT-18).

        In the showdown it is the reveal; before, it is a call of 31, or over, or a hand shown.
        """
        showdown = proposal.view.phase is Phase.SHOWDOWN
        if proposal.view.phase is Phase.DEAL or (showdown and seat not in proposal.view.to_reveal):
            return
        for thing in cards:
            if thing.card is None:
                self._ask_card(thing, seat, proposal, None)
                return
        hand = aligned(proposal.view.seat(seat).cards, cards)
        if hand is None:
            # A question about a changed card comes first; where there is none, it must be said.
            proposal.add_notice(messages.another_card(proposal.name(seat)))
            return
        if showdown:
            proposal.play(Reveal(seat, hand))
            return
        exact = Declare(seat, Claim.THIRTY_ONE, hand)
        refusal = proposal.refusal(exact)
        if refusal is None:
            proposal.play(exact)
        elif refusal.code in (Refusal.DUPLICATE_CARD, Refusal.MISMATCH, Refusal.NOT_IN_DECK):
            proposal.add_notice(messages.read_again(proposal.explain(refusal)))
        else:
            over = Declare(seat, Claim.OUT, hand)
            total = proposal.total_after(over, seat)
            if total is not None and total > proposal.view.target:
                proposal.play(over)

    def _strays(self, proposal: Proposal) -> None:
        """Name the cards that lie where none can be."""
        taken = {seat.seat for seat in proposal.view.seats}
        for thing in self.memory.cards:
            if thing.observation.zone is ZoneKind.SEAT and thing.seat not in taken:
                names = [seat.name for seat in proposal.view.seats]
                proposal.add_notice(
                    messages.nobody_there(0 if thing.seat is None else thing.seat, names)
                )
            elif thing.refused:
                proposal.add_notice(messages.does_not_count(proposal.name(thing.seat)))
            elif thing.observation.zone is None and thing.is_up:
                proposal.add_notice(messages.between_places())

    # Helpers

    def _ask_card(
        self,
        thing: TrackedCard,
        seat: int,
        proposal: Proposal,
        event: Callable[[Card], Event] | None,
    ) -> None:
        """Ask what an unread card is, among the candidates that the game can accept."""
        candidates = thing.observation.candidates
        if event is not None:
            candidates = tuple(c for c in candidates if proposal.refusal(event(c)) is None)
        if thing.unread or not candidates:
            proposal.add_notice(messages.cannot_read(proposal.name(seat)))
        else:
            at = thing.observation.centre
            proposal.ask(ask.which_card(proposal.name(seat), seat, candidates, thing.number, at))


def _tie(cards: Sequence[TrackedCard], known: Counter[Card]) -> None:
    """Tie each card that the game knows by name to the one on the mat that shows it."""
    names = Counter(known)
    for thing in cards:
        if thing.in_game is not None and names[thing.in_game] > 0:
            names[thing.in_game] -= 1
        else:
            thing.in_game = None
    for thing in cards:
        if thing.in_game is None and thing.card is not None and names[thing.card] > 0:
            thing.in_game = thing.card
            names[thing.card] -= 1
