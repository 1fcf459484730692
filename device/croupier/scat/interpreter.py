"""The croupier of Thirty-one and its variants: the deal, draws and discards, hands laid open.

Players hold their cards, so only what lies between them can be read: the discard, and what a
variant lays beside it. A new card on the discard is a draw from the stock and a discard (rule
SC-4); when the top is gone it was drawn; what changed in the middle tells what was exchanged. A
hand laid open is a call of 31, or its showing. What can be understood in two ways is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from device.croupier.mat_tracker import NUDGED_MM, CardSide, TrackedCard
from device.croupier.messages import does_not_count
from device.croupier.proposal import Proposal, shown
from device.croupier.questions import Notice, Question, QuestionKind
from device.croupier.scat import messages as say
from device.croupier.scat.buttons import ScatPresses
from device.croupier.scat.discard import PileChange, PileObservation, compare_pile
from device.croupier.scat.piles import (
    UNTOUCHED_MM,
    Piles,
    is_centre_card,
    merge_duplicate_backs,
    moves,
    sorted_by_position,
)
from device.ports import Button
from engine import Event
from engine.core.cards import Card
from engine.core.events import (
    ChooseHand,
    Claim,
    DealTo,
    Declare,
    Discard,
    Draw,
    Facing,
    Keep,
    Pile,
    Reveal,
    Source,
    TurnUp,
)
from engine.core.views import MiddleView, Phase, SeatStatus, SeatView, View
from vision.readings import Point, Reading, ZoneKind

HAND = 3
"""Cards of a hand (rule SC-3)."""

_GONE = (SeatStatus.OUT, SeatStatus.LEFT)

_NO_DEAL = (Pile.SECOND, "A")
"""Piles whose cards are not dealt to the middle."""


class ScatCroupier(ScatPresses):
    """Cards held in the hand, a discard, and cards between the players."""

    def __init__(self) -> None:
        """Start knowing nothing: the first reading is taken together with the game's state."""
        super().__init__()
        self._piles = Piles()
        self._top_at: Point | None = None
        self._elsewhere = False

    def _remember(self, reading: Reading) -> None:
        looked = self._beside_the_discard()
        before = {thing.number: thing.observation.centre for thing in self.memory.cards}
        super()._remember(merge_duplicate_backs(reading))
        for thing in self.memory.cards:
            # A card on a pile that lies elsewhere than the one that a person named is another.
            old = before.get(thing.number, thing.observation.centre)
            if (
                thing.observation.side is CardSide.UNSURE
                and math.dist(old, thing.observation.centre) > NUDGED_MM
            ):
                thing.named = None
        now = self._beside_the_discard()
        self._elsewhere = now.keys() != looked.keys() or any(
            now[key][0] != look or math.dist(now[key][1], centre) > NUDGED_MM
            for key, (look, centre) in looked.items()
        )

    def _beside_the_discard(self) -> dict[int, tuple[tuple[CardSide, Card | None], Point]]:
        """Return how and where every other card lies."""
        return {
            thing.number: (
                (thing.observation.side, thing.observation.card),
                thing.observation.centre,
            )
            for thing in self.memory.cards
            if thing.observation.zone is not ZoneKind.DISCARD
        }

    def _interpret(self, proposal: Proposal) -> None:
        self._count(proposal.view)
        self._ask_pending(proposal)
        if proposal.view.phase is Phase.CUT:
            self._cut(proposal)
        elif proposal.view.phase is Phase.DONE:
            self._hands(proposal)
            self._keep_for_next(proposal.view)
            self._gather(proposal)
        else:
            self._in_progress(proposal)
            self._check_names(proposal)
            self._hands(proposal)
            self._strays(proposal)

    def _in_progress(self, proposal: Proposal) -> None:
        if proposal.view.phase is Phase.DEAL:
            self._deal_out(proposal)
        middle = proposal.view.middle
        if middle is None:
            return
        self._piles.tie(middle, self._free(proposal.view))
        if proposal.view.phase is Phase.TURN_UP:
            self._turn_up(proposal)
        elif proposal.view.phase is Phase.CHOOSE:
            self._choose(proposal)
        elif proposal.view.phase is Phase.PLAY and proposal.view.turn is not None:
            self._turn(proposal, proposal.view.turn, middle)
        elif proposal.view.phase is Phase.RESTART:
            players = [(seat, proposal.name(seat)) for seat in middle.may_restart]
            proposal.ask(say.restart(players))

    # What lies where

    def _open_game(self) -> list[TrackedCard]:
        return [thing for thing in self.memory.cards if not thing.spent and not thing.refused]

    def _free(self, seen: View) -> list[TrackedCard]:
        """Return the cards between the players."""
        return [thing for thing in self._open_game() if is_centre_card(thing, seen)]

    def _on_discard(self) -> list[TrackedCard]:
        return [each for each in self._open_game() if each.observation.zone is ZoneKind.DISCARD]

    def _count(self, seen: View) -> None:
        back = self._back
        if not back and not any(seat.cards for seat in seen.seats):
            self._piles.forget()
            self._top_at = None
            self._confirmed.clear()
            self._ignored_signature = None
        super()._count(seen)
        if seen.phase is Phase.DEAL and seen.middle is not None:
            # An open hand is there before the deal, after a restart only (rule SW-8).
            before = seen.middle.pile("A")
            dealt = sum(len(p.cards) for p in seen.middle.piles if p.name not in _NO_DEAL)
            free = [t for t in self._free(seen) if t.card is None or t.card not in before]
            free.sort(key=lambda thing: (not thing.counted, thing.number))
            for place, thing in enumerate(free):
                known = place < dealt
                thing.refused = back and thing.counted and not known
                thing.counted = known

    def _dealt(self, seat: SeatView, seen: View) -> int:
        second = 0 if seen.middle is None else len(seen.middle.pile(Pile.SECOND))
        return len(seat.cards) + (second if seat.is_dealer else 0)

    def _signature(self, seen: View) -> tuple[str, ...]:
        """Return what lies open to all besides the hands, wherever exactly it lies."""
        things = [*self._on_discard(), *self._free(seen)]
        return tuple(
            sorted(
                f"{t.observation.zone}{t.seat}{t.observation.side}{t.card}"
                for t in dict.fromkeys(things)
            )
        )

    def _tells(self, seen: View) -> bool:
        """Return whether the middle differs from what the game knows."""
        if seen.middle is None:
            return False
        if self._piles.changes(seen.middle):
            return True
        pile = seen.middle.table in ("none", "widow") and bool(seen.middle.discards)
        look = self._look(seen.middle)
        return pile and look.seen is not PileChange.SAME

    # The deal

    def _deal_out(self, proposal: Proposal) -> None:
        """Deal what lies there in the order of the game (rules SC-3, BK-2, SW-1, SB-2)."""
        while proposal.view.phase is Phase.DEAL and proposal.view.middle is not None:
            done = len(proposal.events)
            if proposal.view.middle.deal_to:
                self._deal_middle(proposal, proposal.view.middle)
            else:
                self._deal(proposal)
            if len(proposal.events) == done:
                break
            self._count(proposal.view)
        if proposal.view.phase is Phase.DEAL:
            self._is_all_dealt(proposal)

    def _deal_one(
        self, new: list[TrackedCard], seat: int, proposal: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        held = proposal.view.seat(seat)
        if held.is_dealer and len(held.cards) == HAND and _has_second(proposal.view):
            return False  # these are of the dealer's second hand
        return super()._deal_one(new, seat, proposal, waiting)

    def _deal_middle(self, proposal: Proposal, middle: MiddleView) -> None:
        dealer = proposal.view.dealer
        if Pile.SECOND in middle.deal_to and dealer is not None:
            for thing in self.memory.at(dealer):
                if thing.counted:
                    continue
                if thing.is_up:
                    proposal.add_notice(say.turn_down())
                elif proposal.play(DealTo(Pile.SECOND, None, Facing.DOWN, dealer)):
                    return
        pile = next((Pile(name) for name in middle.deal_to if name != Pile.SECOND), None)
        if pile is None:
            return
        for thing in sorted_by_position(t for t in self._free(proposal.view) if not t.counted):
            place = len(middle.pile(pile))
            if self._deal_card(proposal, pile, thing):
                self._piles.lay(pile, place, thing)
                thing.counted = True
                return

    def _deal_card(self, proposal: Proposal, pile: Pile, thing: TrackedCard) -> bool:
        if pile is not Pile.TABLE:
            if thing.is_up:
                proposal.add_notice(say.turn_down())
                return False
            return proposal.play(DealTo(pile, None))
        if not thing.is_up:
            proposal.add_notice(say.turn_table_up())
            return False
        if thing.card is None:
            self._ask_middle(thing, proposal, lambda card: DealTo(pile, card, Facing.UP))
            return False
        return proposal.play(DealTo(pile, thing.card, Facing.UP))

    def _is_all_dealt(self, proposal: Proposal) -> None:
        """An open card lies where one may only lie after the deal: ask whether that is over."""
        middle = proposal.view.middle
        early = self._on_discard()
        if middle is not None and Pile.TABLE not in middle.deal_to and middle.table != "widow":
            early += [
                thing
                for thing in self._free(proposal.view)
                if not thing.counted and thing.card not in middle.pile("A")
            ]
        thing = next((each for each in early if each.is_up), None)
        if thing is not None:
            proposal.ask(say.all_dealt(thing.number))

    def _turn_up(self, proposal: Proposal) -> None:
        """Take the first card of the discard (rule SC-3)."""
        lying = self._on_discard()
        up = [thing for thing in lying if thing.is_up]
        if len(up) > 1:
            proposal.add_notice(say.one_discard())
        elif up and up[0].card is None:
            self._ask_middle(up[0], proposal, TurnUp)
        elif up:
            if proposal.play(TurnUp(up[0].card)):
                self._top_at = up[0].observation.centre
        elif lying:
            proposal.add_notice(say.turn_discard_up())

    def _choose(self, proposal: Proposal) -> None:
        """Take the hand that the dealer lays open in the middle: the other one is kept (SW-2)."""
        dealer = proposal.view.dealer
        lying = [t for t in self._free(proposal.view) if t.is_up and not self._piles.lies(t)]
        if not lying or dealer is None:
            return
        for thing in lying:
            if thing.card is None:
                self._ask_middle(thing, proposal, None)
                return
        if len(lying) != HAND:
            proposal.add_notice(say.three_open())
            return
        cards = tuple(thing.card for thing in sorted_by_position(lying))
        ways = [ChooseHand(dealer, keep, cards) for keep in (Keep.FIRST, Keep.SECOND)]
        # Hands that nobody has read are alike; of one that was read only one can be meant.
        proposal.play(next((way for way in ways if proposal.refusal(way) is None), ways[0]))

    # A turn

    def _turn(self, proposal: Proposal, seat: int, middle: MiddleView) -> None:
        if self._ignored_signature is not None and self._ignored_signature == self._signature(
            proposal.view
        ):
            if self._tells(proposal.view):
                proposal.add_notice(say.as_it_lies())
            return
        self._ignored_signature = None
        if middle.piles and self._exchanged(proposal, seat, middle):
            return
        if middle.table in ("none", "widow"):
            self._pile(proposal, seat, middle)

    def _exchanged(self, proposal: Proposal, seat: int, middle: MiddleView) -> bool:
        """Take what changed in the middle as the turn (rules BK-3, SW-3 to SW-6, SB-2)."""
        changes = self._piles.changes(middle)
        if not changes:
            return False
        if self._piles.vacant(middle):
            return True  # the hand is still busy
        lying = {card for pile in middle.piles for card in pile.cards} | set(middle.discards)
        for change in changes:
            thing, key = change.thing, (change.pile, change.place)
            if thing.card is None and thing.is_up:
                sight = [
                    c for c in thing.observation.candidates if c == change.was or c not in lying
                ]
                self._ask_one_of(thing, proposal, sight)
                return True
            touched = change.down or not self._piles.untouched(key)
            if thing.card is not None and not touched and self._doubts(thing, change.was):
                proposal.ask(
                    say.misread_or_new(
                        None, change.was, thing.card, thing.number, thing.observation.centre
                    )
                )
                return True
        events = moves(seat, middle, changes)
        self._play_one_of(proposal, seat, [(event,) for event in events])
        return True

    def _pile(self, proposal: Proposal, seat: int, middle: MiddleView) -> None:
        """Take what changed on the discard as a draw and a discard (rule SC-4)."""
        look = self._look(middle)
        if look.seen is PileChange.NEW and look.thing is not None:
            self._new_discard(proposal, seat, middle, look.thing, look)
        elif look.seen is PileChange.TAKEN and middle.drawn is not None:
            proposal.add_notice(say.has_drawn(proposal.name(seat), middle.discards[-1]))
        elif look.seen is PileChange.TAKEN:
            if proposal.play(Draw(seat, Source.DISCARD)):
                self._top_at = None if look.thing is None else look.thing.observation.centre
        elif look.seen is PileChange.SAME and look.thing is not None:
            self._top_at = look.thing.observation.centre
        elif look.seen is PileChange.NOTHING:
            proposal.add_notice(say.no_discard())
        elif look.seen is PileChange.MANY:
            proposal.add_notice(say.one_discard())
        elif look.seen is PileChange.BACK:
            proposal.add_notice(say.turn_discard_up())
        elif look.seen is PileChange.DISTURBED:
            proposal.add_notice(say.disturbed(middle.discards[-1]))

    def _look(self, middle: MiddleView) -> PileObservation:
        return compare_pile(middle.discards, self._on_discard(), self._top_at, self._elsewhere)

    def _new_discard(
        self,
        proposal: Proposal,
        seat: int,
        middle: MiddleView,
        thing: TrackedCard,
        look: PileObservation,
    ) -> None:
        card = thing.card
        drawn = middle.drawn
        taken = proposal.view.seat(seat).known[-1:] if drawn == Source.DISCARD else ()
        if card is None:
            old = (*middle.discards[-2:], *taken)
            legal = [
                each
                for each in thing.observation.candidates
                if each in old or self._discards(proposal, seat, each, drawn)
            ]
            self._ask_one_of(thing, proposal, legal)
            return
        top = middle.discards[-1] if middle.discards else None
        # Only what changes is read again: a pile that changed alone was touched.
        untouched = (
            self._elsewhere
            and self._top_at is not None
            and math.dist(self._top_at, thing.observation.centre) <= UNTOUCHED_MM
        )
        if card in taken and self._doubts(thing, None):
            proposal.ask(say.lies_again(proposal.name(seat), seat, card, thing.number))
        elif top is not None and untouched and self._doubts(thing, top):
            proposal.ask(
                say.misread_or_new(seat, top, card, thing.number, thing.observation.centre)
            )
        elif drawn is not None:
            if proposal.play(Discard(seat, card)):
                self._top_at = thing.observation.centre
        else:
            ways = self._discards(proposal, seat, card, drawn)
            if look.top_gone and len(ways) > 1 and top is not None:
                self._ask_source(proposal, seat, top, ways)
                return
            if not ways:
                proposal.play_all((Draw(seat, Source.STOCK), Discard(seat, card)))
            elif proposal.play_all(ways[0]):
                self._top_at = thing.observation.centre

    def _discards(
        self, proposal: Proposal, seat: int, card: Card, drawn: str | None
    ) -> list[tuple[Event, ...]]:
        """Return how *card* can have come to the discard: from the stock first (rule SC-18)."""
        throw = Discard(seat, card)
        if drawn is not None:
            return [(throw,)] if proposal.refusal(throw) is None else []
        ways = [(Draw(seat, source), throw) for source in (Source.STOCK, Source.DISCARD)]
        return [way for way in ways if proposal.refusal_of(way) is None]

    # Hands laid open

    def _hands(self, proposal: Proposal) -> None:
        """Take hands laid open as calls of 31, or as shown (rules SC-7, SC-11, SC-24)."""
        for seat in proposal.view.seats:
            cards = [thing for thing in self.memory.at(seat.seat) if thing.is_up]
            if self._withdrawn.get(seat.seat, shown(cards)) != shown(cards):
                del self._withdrawn[seat.seat]
            playing = seat.status not in _GONE and None in seat.cards
            if not cards or not playing or seat.seat in self._withdrawn:
                continue
            if len(cards) == HAND:
                self._claim(seat.seat, cards, proposal)
            elif seat.seat in proposal.view.to_reveal:
                proposal.add_notice(say.show_all(seat.name, len(cards)))

    def _claim(self, seat: int, cards: Sequence[TrackedCard], proposal: Proposal) -> None:
        phase = proposal.view.phase
        if phase in (Phase.CUT, Phase.DEAL, Phase.CHOOSE):
            return
        for thing in cards:
            if thing.card is None:
                if phase is not Phase.DONE:
                    self._ask_card(thing, seat, proposal, None)
                return
        hand = shown(cards)
        call = Declare(seat, Claim.THIRTY_ONE, hand)
        refusal = proposal.refusal(call)
        if refusal is None:
            proposal.play(call)
        elif seat in proposal.view.to_reveal:
            proposal.play(Reveal(seat, hand))
        elif phase is Phase.PLAY:
            proposal.add_notice(say.hand_laid(proposal.explain(refusal)))

    # Between the hands

    def _keep_for_next(self, seen: View) -> None:
        """Keep the hand of the player who started Switch over: it is open in the next (SW-8)."""
        toll = None if seen.result is None else seen.result.losses
        if toll is None or toll.restarter is None:
            self._kept = frozenset()
        else:
            self._kept = frozenset(seen.seat(toll.restarter).cards)

    def _left_on_mat(self) -> int:
        return sum(
            not thing.spent
            and thing.observation.zone is not ZoneKind.STOCK
            and (thing.card is None or thing.card not in self._kept)
            for thing in self.memory.cards
        )

    def _on_hand_started(self, proposal: Proposal) -> None:
        super()._on_hand_started(proposal)
        middle = proposal.view.middle
        kept = () if middle is None else middle.pile("A")
        for thing in self.memory.cards:
            # What lies there now is of the hand before, but for an open hand that lies in the
            # middle already.
            thing.spent = not (thing.card in kept and is_centre_card(thing, proposal.view))

    def _strays(self, proposal: Proposal) -> None:
        """Name the cards that lie where none can be."""
        seats = {seat.seat for seat in proposal.view.seats}
        for thing in self.memory.cards:
            if thing.refused and thing.seat in seats:
                proposal.add_notice(does_not_count(proposal.name(thing.seat)))
            elif thing.refused:
                proposal.add_notice(say.does_not_count())
            elif self._is_stray(thing, proposal.view):
                proposal.add_notice(say.stray())

    def _is_stray(self, thing: TrackedCard, seen: View) -> bool:
        if thing.spent or not thing.is_up or not is_centre_card(thing, seen):
            return False
        if seen.middle is None or seen.middle.table == "none":
            return True
        waits = seen.phase in (Phase.DEAL, Phase.CHOOSE)
        return not waits and not self._piles.lies(thing)

    # Questions about cards that belong to nobody

    def _ask_middle(
        self, thing: TrackedCard, proposal: Proposal, event: Callable[[Card], Event] | None
    ) -> None:
        """Ask what an unread card is, among the candidates that the game can accept."""
        found = thing.observation.candidates
        if event is not None:
            found = tuple(card for card in found if proposal.refusal(event(card)) is None)
        self._ask_one_of(thing, proposal, found)

    def _ask_one_of(
        self, thing: TrackedCard, proposal: Proposal, candidates: Sequence[Card]
    ) -> None:
        if thing.unread or not candidates:
            proposal.add_notice(say.cannot_read_middle())
        else:
            proposal.ask(
                say.which_middle_card(tuple(candidates), thing.number, thing.observation.centre)
            )

    def _on_answer(self, question: Question, button: Button, proposal: Proposal) -> None:
        if question.kind is QuestionKind.DEALT:
            thing = next((t for t in self.memory.cards if t.number == question.thing), None)
            self._settle_deal(button is Button.HAVE, thing, proposal)
        elif not self._settle_choice(question, button, proposal):
            super()._on_answer(question, button, proposal)


def _has_second(seen: View) -> bool:
    """Return whether the dealer gets a second hand: in Switch, not after a restart (SW-1, SW-8)."""
    middle = seen.middle
    return middle is not None and middle.table == "switch" and not middle.pile("A")
