"""The croupier of Thirty-one and its variants: the deal, draws and discards, hands laid open.

Players hold their cards, so the eyes see what lies between them: the discard, and what a variant
lays beside it. A new card on the discard is a draw from the stock and a discard (rule SC-4); when
the top is gone it was drawn; what changed in the middle tells what was exchanged. A hand laid open
is a call of 31, or its showing. Nothing that has two readings is guessed: it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from device.croupier.mat_tracker import NUDGED_MM, Look, Thing
from device.croupier.messages import does_not_count
from device.croupier.proposal import Proposal, shown
from device.croupier.questions import Notice, Question, QuestionKind
from device.croupier.scat import messages as say
from device.croupier.scat.buttons import ScatPresses
from device.croupier.scat.discard import PileObservation, Seen, look_at
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
        before = {thing.number: thing.sight.centre for thing in self.memory.things}
        super()._remember(merge_duplicate_backs(reading))
        for thing in self.memory.things:
            # A card on a pile that lies elsewhere than the one that a person named is another.
            old = before.get(thing.number, thing.sight.centre)
            if thing.sight.look is Look.UNSURE and math.dist(old, thing.sight.centre) > NUDGED_MM:
                thing.named = None
        now = self._beside_the_discard()
        self._elsewhere = now.keys() != looked.keys() or any(
            now[key][0] != look or math.dist(now[key][1], centre) > NUDGED_MM
            for key, (look, centre) in looked.items()
        )

    def _beside_the_discard(self) -> dict[int, tuple[tuple[Look, Card | None], Point]]:
        """Return how and where every other card lies."""
        return {
            thing.number: ((thing.sight.look, thing.sight.card), thing.sight.centre)
            for thing in self.memory.things
            if thing.sight.zone is not ZoneKind.DISCARD
        }

    def _think(self, draft: Proposal) -> None:
        self._count(draft.view)
        self._ask_pending(draft)
        if draft.view.phase is Phase.CUT:
            self._cut(draft)
        elif draft.view.phase is Phase.DONE:
            self._hands(draft)
            self._keep_for_next(draft.view)
            self._gather(draft)
        else:
            self._in_progress(draft)
            self._check_names(draft)
            self._hands(draft)
            self._strays(draft)

    def _in_progress(self, draft: Proposal) -> None:
        if draft.view.phase is Phase.DEAL:
            self._deal_out(draft)
        middle = draft.view.middle
        if middle is None:
            return
        self._piles.tie(middle, self._free(draft.view))
        if draft.view.phase is Phase.TURN_UP:
            self._turn_up(draft)
        elif draft.view.phase is Phase.CHOOSE:
            self._choose(draft)
        elif draft.view.phase is Phase.PLAY and draft.view.turn is not None:
            self._turn(draft, draft.view.turn, middle)
        elif draft.view.phase is Phase.RESTART:
            players = [(seat, draft.name(seat)) for seat in middle.may_restart]
            draft.ask(say.begin_anew(players))

    # What lies where

    def _open_game(self) -> list[Thing]:
        return [thing for thing in self.memory.things if not thing.spent and not thing.refused]

    def _free(self, seen: View) -> list[Thing]:
        """Return the cards between the players."""
        return [thing for thing in self._open_game() if is_centre_card(thing, seen)]

    def _on_discard(self) -> list[Thing]:
        return [each for each in self._open_game() if each.sight.zone is ZoneKind.DISCARD]

    def _count(self, seen: View) -> None:
        back = self._back
        if not back and not any(seat.cards for seat in seen.seats):
            self._piles.forget()
            self._top_at = None
            self._believed.clear()
            self._ignored = None
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
            sorted(f"{t.sight.zone}{t.seat}{t.sight.look}{t.card}" for t in dict.fromkeys(things))
        )

    def _tells(self, seen: View) -> bool:
        """Say whether the middle differs from what the game knows."""
        if seen.middle is None:
            return False
        if self._piles.changes(seen.middle):
            return True
        pile = seen.middle.table in ("none", "widow") and bool(seen.middle.discards)
        look = self._look(seen.middle)
        return pile and look.seen is not Seen.SAME

    # The deal

    def _deal_out(self, draft: Proposal) -> None:
        """Deal what lies there in the order of the game (rules SC-3, BK-2, SW-1, SB-2)."""
        while draft.view.phase is Phase.DEAL and draft.view.middle is not None:
            done = len(draft.events)
            if draft.view.middle.deal_to:
                self._deal_middle(draft, draft.view.middle)
            else:
                self._deal(draft)
            if len(draft.events) == done:
                break
            self._count(draft.view)
        if draft.view.phase is Phase.DEAL:
            self._is_all_dealt(draft)

    def _deal_one(
        self, new: list[Thing], seat: int, draft: Proposal, waiting: dict[int, Notice]
    ) -> bool:
        held = draft.view.seat(seat)
        if held.is_dealer and len(held.cards) == HAND and _has_second(draft.view):
            return False  # these are of his second hand
        return super()._deal_one(new, seat, draft, waiting)

    def _deal_middle(self, draft: Proposal, middle: MiddleView) -> None:
        dealer = draft.view.dealer
        if Pile.SECOND in middle.deal_to and dealer is not None:
            for thing in self.memory.at(dealer):
                if thing.counted:
                    continue
                if thing.is_up:
                    draft.tell(say.turn_down())
                elif draft.play(DealTo(Pile.SECOND, None, Facing.DOWN, dealer)):
                    return
        pile = next((Pile(name) for name in middle.deal_to if name != Pile.SECOND), None)
        if pile is None:
            return
        for thing in sorted_by_position(t for t in self._free(draft.view) if not t.counted):
            place = len(middle.pile(pile))
            if self._deal_card(draft, pile, thing):
                self._piles.lay(pile, place, thing)
                thing.counted = True
                return

    def _deal_card(self, draft: Proposal, pile: Pile, thing: Thing) -> bool:
        if pile is not Pile.TABLE:
            if thing.is_up:
                draft.tell(say.turn_down())
                return False
            return draft.play(DealTo(pile, None))
        if not thing.is_up:
            draft.tell(say.turn_table_up())
            return False
        if thing.card is None:
            self._ask_middle(thing, draft, lambda card: DealTo(pile, card, Facing.UP))
            return False
        return draft.play(DealTo(pile, thing.card, Facing.UP))

    def _is_all_dealt(self, draft: Proposal) -> None:
        """An open card lies where one may only lie after the deal: ask whether that is over."""
        middle = draft.view.middle
        early = self._on_discard()
        if middle is not None and Pile.TABLE not in middle.deal_to and middle.table != "widow":
            early += [
                thing
                for thing in self._free(draft.view)
                if not thing.counted and thing.card not in middle.pile("A")
            ]
        thing = next((each for each in early if each.is_up), None)
        if thing is not None:
            draft.ask(say.all_dealt(thing.number))

    def _turn_up(self, draft: Proposal) -> None:
        """Take the first card of the discard (rule SC-3)."""
        lying = self._on_discard()
        up = [thing for thing in lying if thing.is_up]
        if len(up) > 1:
            draft.tell(say.one_discard())
        elif up and up[0].card is None:
            self._ask_middle(up[0], draft, TurnUp)
        elif up:
            if draft.play(TurnUp(up[0].card)):
                self._top_at = up[0].sight.centre
        elif lying:
            draft.tell(say.turn_discard_up())

    def _choose(self, draft: Proposal) -> None:
        """Take the hand that the dealer lays open in the middle: he keeps the other (SW-2)."""
        dealer = draft.view.dealer
        lying = [t for t in self._free(draft.view) if t.is_up and not self._piles.lies(t)]
        if not lying or dealer is None:
            return
        for thing in lying:
            if thing.card is None:
                self._ask_middle(thing, draft, None)
                return
        if len(lying) != HAND:
            draft.tell(say.three_open())
            return
        cards = tuple(thing.card for thing in sorted_by_position(lying))
        ways = [ChooseHand(dealer, keep, cards) for keep in (Keep.FIRST, Keep.SECOND)]
        # Hands that nobody has read are alike; of one that was read only one can be meant.
        draft.play(next((way for way in ways if draft.refusal(way) is None), ways[0]))

    # A turn

    def _turn(self, draft: Proposal, seat: int, middle: MiddleView) -> None:
        if self._ignored is not None and self._ignored == self._signature(draft.view):
            if self._tells(draft.view):
                draft.tell(say.as_it_lies())
            return
        self._ignored = None
        if middle.piles and self._exchanged(draft, seat, middle):
            return
        if middle.table in ("none", "widow"):
            self._pile(draft, seat, middle)

    def _exchanged(self, draft: Proposal, seat: int, middle: MiddleView) -> bool:
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
                sight = [c for c in thing.sight.candidates if c == change.was or c not in lying]
                self._ask_one_of(thing, draft, sight)
                return True
            touched = change.down or not self._piles.untouched(key)
            if thing.card is not None and not touched and self._doubts(thing, change.was):
                draft.ask(
                    say.misread_or_new(
                        None, change.was, thing.card, thing.number, thing.sight.centre
                    )
                )
                return True
        events = moves(seat, middle, changes)
        self._play_one_of(draft, seat, [(event,) for event in events])
        return True

    def _pile(self, draft: Proposal, seat: int, middle: MiddleView) -> None:
        """Take what changed on the discard as a draw and a discard (rule SC-4)."""
        look = self._look(middle)
        if look.seen is Seen.NEW and look.thing is not None:
            self._new_discard(draft, seat, middle, look.thing, look)
        elif look.seen is Seen.TAKEN and middle.drawn is not None:
            draft.tell(say.has_drawn(draft.name(seat), middle.discards[-1]))
        elif look.seen is Seen.TAKEN:
            if draft.play(Draw(seat, Source.DISCARD)):
                self._top_at = None if look.thing is None else look.thing.sight.centre
        elif look.seen is Seen.SAME and look.thing is not None:
            self._top_at = look.thing.sight.centre
        elif look.seen is Seen.NOTHING:
            draft.tell(say.no_discard())
        elif look.seen is Seen.MANY:
            draft.tell(say.one_discard())
        elif look.seen is Seen.BACK:
            draft.tell(say.turn_discard_up())
        elif look.seen is Seen.DISTURBED:
            draft.tell(say.disturbed(middle.discards[-1]))

    def _look(self, middle: MiddleView) -> PileObservation:
        return look_at(middle.discards, self._on_discard(), self._top_at, self._elsewhere)

    def _new_discard(
        self, draft: Proposal, seat: int, middle: MiddleView, thing: Thing, look: PileObservation
    ) -> None:
        card = thing.card
        drawn = middle.drawn
        taken = draft.view.seat(seat).known[-1:] if drawn == Source.DISCARD else ()
        if card is None:
            old = (*middle.discards[-2:], *taken)
            legal = [
                each
                for each in thing.sight.candidates
                if each in old or self._discards(draft, seat, each, drawn)
            ]
            self._ask_one_of(thing, draft, legal)
            return
        top = middle.discards[-1] if middle.discards else None
        # Only what changes is read anew: a pile that changed alone was touched.
        untouched = (
            self._elsewhere
            and self._top_at is not None
            and math.dist(self._top_at, thing.sight.centre) <= UNTOUCHED_MM
        )
        if card in taken and self._doubts(thing, None):
            draft.ask(say.lies_again(draft.name(seat), seat, card, thing.number))
        elif top is not None and untouched and self._doubts(thing, top):
            draft.ask(say.misread_or_new(seat, top, card, thing.number, thing.sight.centre))
        elif drawn is not None:
            if draft.play(Discard(seat, card)):
                self._top_at = thing.sight.centre
        else:
            ways = self._discards(draft, seat, card, drawn)
            if look.top_gone and len(ways) > 1 and top is not None:
                self._ask_source(draft, seat, top, ways)
                return
            if not ways:
                draft.play_all((Draw(seat, Source.STOCK), Discard(seat, card)))
            elif draft.play_all(ways[0]):
                self._top_at = thing.sight.centre

    def _discards(
        self, draft: Proposal, seat: int, card: Card, drawn: str | None
    ) -> list[tuple[Event, ...]]:
        """Return how *card* can have come to the discard: from the stock first (rule SC-18)."""
        throw = Discard(seat, card)
        if drawn is not None:
            return [(throw,)] if draft.refusal(throw) is None else []
        ways = [(Draw(seat, source), throw) for source in (Source.STOCK, Source.DISCARD)]
        return [way for way in ways if draft.refusal_of(way) is None]

    # Hands laid open

    def _hands(self, draft: Proposal) -> None:
        """Take hands laid open as calls of 31, or as shown (rules SC-7, SC-11, SC-24)."""
        for seat in draft.view.seats:
            cards = [thing for thing in self.memory.at(seat.seat) if thing.is_up]
            if self._withdrawn.get(seat.seat, shown(cards)) != shown(cards):
                del self._withdrawn[seat.seat]
            playing = seat.status not in _GONE and None in seat.cards
            if not cards or not playing or seat.seat in self._withdrawn:
                continue
            if len(cards) == HAND:
                self._claim(seat.seat, cards, draft)
            elif seat.seat in draft.view.to_reveal:
                draft.tell(say.show_all(seat.name, len(cards)))

    def _claim(self, seat: int, cards: Sequence[Thing], draft: Proposal) -> None:
        phase = draft.view.phase
        if phase in (Phase.CUT, Phase.DEAL, Phase.CHOOSE):
            return
        for thing in cards:
            if thing.card is None:
                if phase is not Phase.DONE:
                    self._ask_card(thing, seat, draft, None)
                return
        hand = shown(cards)
        call = Declare(seat, Claim.THIRTY_ONE, hand)
        refusal = draft.refusal(call)
        if refusal is None:
            draft.play(call)
        elif seat in draft.view.to_reveal:
            draft.play(Reveal(seat, hand))
        elif phase is Phase.PLAY:
            draft.tell(say.hand_laid(draft.words(refusal)))

    # Between the hands

    def _keep_for_next(self, seen: View) -> None:
        """Let the hand of who began Switch anew lie: it is the open hand of the next (SW-8)."""
        toll = None if seen.result is None else seen.result.losses
        if toll is None or toll.restarter is None:
            self._kept = frozenset()
        else:
            self._kept = frozenset(seen.seat(toll.restarter).cards)

    def _left_on_mat(self) -> int:
        return sum(
            not thing.spent
            and thing.sight.zone is not ZoneKind.STOCK
            and (thing.card is None or thing.card not in self._kept)
            for thing in self.memory.things
        )

    def _begun(self, draft: Proposal) -> None:
        super()._begun(draft)
        middle = draft.view.middle
        kept = () if middle is None else middle.pile("A")
        for thing in self.memory.things:
            # What lies there now is of the hand before, but for an open hand that lies in the
            # middle already.
            thing.spent = not (thing.card in kept and is_centre_card(thing, draft.view))

    def _strays(self, draft: Proposal) -> None:
        """Name the cards that lie where none can be."""
        seats = {seat.seat for seat in draft.view.seats}
        for thing in self.memory.things:
            if thing.refused and thing.seat in seats:
                draft.tell(does_not_count(draft.name(thing.seat)))
            elif thing.refused:
                draft.tell(say.does_not_count())
            elif self._is_stray(thing, draft.view):
                draft.tell(say.stray())

    def _is_stray(self, thing: Thing, seen: View) -> bool:
        if thing.spent or not thing.is_up or not is_centre_card(thing, seen):
            return False
        if seen.middle is None or seen.middle.table == "none":
            return True
        waits = seen.phase in (Phase.DEAL, Phase.CHOOSE)
        return not waits and not self._piles.lies(thing)

    # Questions about cards that belong to nobody

    def _ask_middle(
        self, thing: Thing, draft: Proposal, event: Callable[[Card], Event] | None
    ) -> None:
        """Ask what an unread card is, among the candidates that the game can accept."""
        found = thing.sight.candidates
        if event is not None:
            found = tuple(card for card in found if draft.refusal(event(card)) is None)
        self._ask_one_of(thing, draft, found)

    def _ask_one_of(self, thing: Thing, draft: Proposal, candidates: Sequence[Card]) -> None:
        if thing.unread or not candidates:
            draft.tell(say.cannot_read_middle())
        else:
            draft.ask(say.which_middle_card(tuple(candidates), thing.number, thing.sight.centre))

    def _settle(self, question: Question, button: Button, draft: Proposal) -> None:
        if question.kind is QuestionKind.DEALT:
            thing = next((t for t in self.memory.things if t.number == question.thing), None)
            self._settle_deal(button is Button.HAVE, thing, draft)
        elif not self._settle_choice(question, button, draft):
            super()._settle(question, button, draft)


def _has_second(seen: View) -> bool:
    """Say whether the dealer gets a second hand: in Switch, not after a restart (SW-1, SW-8)."""
    middle = seen.middle
    return middle is not None and middle.table == "switch" and not middle.pile("A")
