"""The croupier of games in which cards lie at the seats: One-and-Thirty and Bone-Ace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.base import Croupier
from device.croupier.mat_tracker import Look, MatTracker, Thing
from device.croupier.proposal import Hand, Proposal, aligned, shown
from device.croupier.questions import Notice, Question, QuestionKind
from device.ports import Button
from engine import Event
from engine.core.cards import Card
from engine.core.counting import GOAL
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

    def _think(self, draft: Proposal) -> None:
        self._count(draft.view)
        if draft.view.phase is Phase.CUT:
            self._cut(draft)
        elif draft.view.phase is Phase.DONE:
            self._gather(draft)
        else:
            self._missing(draft)
            self._check_names(draft)
            self._deal(draft)
            self._hands(draft)
            self._strays(draft)

    # Presses

    def _undone(self, draft: Proposal) -> None:
        self._back = True
        # The cards still lie as they lay: a claim taken back is not made again by itself.
        for seat in draft.view.seats:
            cards = self.memory.at(seat.seat)
            if cards and all(thing.is_up for thing in cards):
                self._withdrawn[seat.seat] = shown(cards)

    def _left_on_mat(self) -> int:
        return sum(not thing.spent for thing in self.memory.on_seats())

    def _clear(self) -> None:
        for thing in self.memory.things:
            thing.spent = True

    def _gather_words(self, left: int) -> tuple[str, str]:
        notice = messages.gather(left)
        return notice.text, notice.detail

    def _begun(self, draft: Proposal) -> None:
        self._withdrawn.clear()

    def _settle(self, question: Question, button: Button, draft: Proposal) -> None:
        yes = button is Button.HAVE
        thing = next((t for t in self.memory.things if t.number == question.thing), None)
        if thing is None:
            return  # the card is gone, and the question with it
        if question.cards:
            self._name(question, thing, yes, draft)
        elif question.kind is QuestionKind.EXPOSED:
            thing.allowed, thing.refused = yes, not yes
        elif yes and question.seat is not None:
            draft.play(Have(question.seat))
        else:
            thing.refused = True

    def _name(self, question: Question, thing: Thing, yes: bool, draft: Proposal) -> None:
        """Take a person's word for what a card is."""
        if not yes:
            thing.unread = True
            return
        card = question.cards[question.selected]
        was = thing.in_game
        thing.name(card)
        if question.kind is QuestionKind.CHANGED and card != was:
            draft.play(Correct(was, card, question.seat))

    def _corrected(self, event: Correct | CorrectBone) -> None:
        if isinstance(event, Correct) and event.card is not None:
            there = [t for t in self.memory.things if event.seat in (None, t.seat)]
            # A discard is known by what lies there, and not as a card of somebody's hand.
            for known in (True, False):
                for thing in there:
                    if event.was == (thing.in_game if known else thing.card):
                        thing.name(event.card)
                        thing.in_game = event.card if known else None
                        return

    def _uncorrected(self, event: Correct | CorrectBone, draft: Proposal) -> None:
        if not isinstance(event, Correct) or event.was is None:
            return
        for thing in self.memory.things:
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

    def _cut(self, draft: Proposal) -> None:
        """Take each face-up card at a seat that has still to cut (rule G-2)."""
        for seat in draft.view.to_cut:
            name = draft.name(seat)
            cards = self.memory.at(seat)
            if not cards and any(thing.seat == seat for thing in self.memory.things):
                draft.tell(messages.cut_again(name))
            for thing in cards[:1]:
                if thing.sight.look is Look.DOWN:
                    draft.tell(messages.cut_face_up(name))
                elif thing.card is None:
                    self._ask_card(thing, seat, draft, partial(Cut, seat))
                elif draft.play(Cut(seat, thing.card)):
                    thing.spent = True

    def _check_names(self, draft: Proposal) -> None:
        """Ask when a card that the game knows by name now looks like another one (rule G-10)."""
        for seat in draft.view.seats:
            if seat.status in _CARDS_IN:
                continue
            for thing in self.memory.at(seat.seat):
                was, now = thing.in_game, thing.card
                if was is None or now is None or now == was:
                    continue
                if thing.unread:
                    draft.tell(messages.cannot_read(seat.name))
                else:
                    at = thing.sight.centre
                    draft.ask(ask.changed(seat.name, seat.seat, was, now, thing.number, at))

    def _deal(self, draft: Proposal) -> None:
        """Deal the cards that the game does not know yet, in the order it wants them."""
        new = {
            seat.seat: [thing for thing in self.memory.at(seat.seat) if not thing.counted]
            for seat in draft.view.seats
        }
        waiting: dict[int, Notice] = {}

        def dealt_one() -> bool:
            for seat in draft.order():
                if new[seat] and self._deal_one(new[seat], seat, draft, waiting):
                    waiting.pop(seat, None)
                    return True
            return False

        # Each card dealt may make room for another: the order is the game's, not the mat's.
        while dealt_one():
            pass
        draft.notices.extend(waiting.values())

    def _deal_one(
        self, new: list[Thing], seat: int, draft: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        """Deal one of the *new* cards of a seat; say why none can be dealt, or ask."""
        name = draft.name(seat)
        refusal = draft.refusal(Deal(seat, None))
        if refusal is not None and refusal.code == Refusal.UPCARD_UNREADABLE:
            return self._deal_up(new, seat, draft, waiting)
        thing = next((each for each in new if not each.is_up), new[0])
        if refusal is None:
            if thing.is_up and thing.card is None:
                self._ask_card(thing, seat, draft, lambda card: Deal(seat, card, Facing.UP))
                return False
            if thing.card is not None and not thing.allowed:
                draft.ask(ask.exposed(name, seat, thing.card, thing.number, thing.sight.centre))
                return False
            new.remove(thing)
            return draft.play(Deal(seat, thing.card, Facing.UP if thing.is_up else Facing.DOWN))
        if draft.view.turn == seat and draft.refusal(Have(seat)) is None:
            draft.ask(ask.unasked(name, seat, thing.number, thing.sight.centre))
            return False
        waiting[seat] = messages.not_counted(draft.words(refusal), name)
        thing.refused = refusal.code not in _RETRY
        return False

    def _deal_up(
        self, new: list[Thing], seat: int, draft: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        """Deal the card that must lie face up (rule BA-1)."""
        thing = next((each for each in new if each.is_up), None)
        if thing is None:
            waiting[seat] = messages.turn_third_up(draft.name(seat))
            return False
        if thing.card is None:
            self._ask_card(thing, seat, draft, lambda card: Deal(seat, card, Facing.UP))
            return False
        event = Deal(seat, thing.card, Facing.UP)
        refusal = draft.refusal(event)
        if refusal is not None:
            waiting[seat] = messages.read_again(draft.words(refusal))
            return False
        new.remove(thing)
        return draft.play(event)

    def _missing(self, draft: Proposal) -> None:
        """Say which cards are missing; a player who only looks at his hand does no harm."""
        for seat in draft.view.seats:
            seen = sum(thing.counted for thing in self.memory.at(seat.seat))
            if seat.status not in _CARDS_IN and seen < len(seat.cards):
                draft.tell(messages.cards_missing(seat.name, seen, len(seat.cards)))

    def _hands(self, draft: Proposal) -> None:
        """Take hands laid open as claims."""
        for seat in draft.view.seats:
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
                self._claim(seat.seat, cards, draft)

    def _claim(self, seat: int, cards: Sequence[Thing], draft: Proposal) -> None:
        """Take a hand turned up as its player's word (rules OT-17, OT-18).

        In the showdown it is the reveal; before, it is 31, or over, or only a hand shown.
        """
        showdown = draft.view.phase is Phase.SHOWDOWN
        if draft.view.phase is Phase.DEAL or (showdown and seat not in draft.view.to_reveal):
            return
        for thing in cards:
            if thing.card is None:
                self._ask_card(thing, seat, draft, None)
                return
        hand = aligned(draft.view.seat(seat).cards, cards)
        if hand is None:
            # A question about a changed card comes first; where there is none, it must be said.
            draft.tell(messages.another_card(draft.name(seat)))
            return
        if showdown:
            draft.play(Reveal(seat, hand))
            return
        exact = Declare(seat, Claim.THIRTY_ONE, hand)
        refusal = draft.refusal(exact)
        if refusal is None:
            draft.play(exact)
        elif refusal.code in (Refusal.DUPLICATE_CARD, Refusal.MISMATCH, Refusal.NOT_IN_DECK):
            draft.tell(messages.read_again(draft.words(refusal)))
        else:
            over = Declare(seat, Claim.OUT, hand)
            total = draft.total_after(over, seat)
            if total is not None and total > GOAL:
                draft.play(over)

    def _strays(self, draft: Proposal) -> None:
        """Name the cards that lie where none can be."""
        taken = {seat.seat for seat in draft.view.seats}
        for thing in self.memory.things:
            if thing.sight.zone is ZoneKind.SEAT and thing.seat not in taken:
                names = [seat.name for seat in draft.view.seats]
                draft.tell(messages.nobody_there(0 if thing.seat is None else thing.seat, names))
            elif thing.refused:
                draft.tell(messages.does_not_count(draft.name(thing.seat)))
            elif thing.sight.zone is None and thing.is_up:
                draft.tell(messages.between_places())

    # Helpers

    def _ask_card(
        self, thing: Thing, seat: int, draft: Proposal, event: Callable[[Card], Event] | None
    ) -> None:
        """Ask what an unread card is, among the candidates that the game can accept."""
        candidates = thing.sight.candidates
        if event is not None:
            candidates = tuple(c for c in candidates if draft.refusal(event(c)) is None)
        if thing.unread or not candidates:
            draft.tell(messages.cannot_read(draft.name(seat)))
        else:
            at = thing.sight.centre
            draft.ask(ask.which_card(draft.name(seat), seat, candidates, thing.number, at))


def _tie(cards: Sequence[Thing], known: Counter[Card]) -> None:
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
