"""A hand of One-and-Thirty or Bone-Ace, played with real cards by real people."""

from __future__ import annotations

from device.simulator.people.counting_cards import CountingCards
from device.simulator.people.counting_show import Showing
from device.simulator.people.happenings import Happening
from device.simulator.people.oracle.counting import (
    GOAL,
    best_total,
    bone_holder,
    elder_order,
    result_of,
    totals,
    turn_order,
)
from device.simulator.people.room import Room

_STICK_FROM = 25
"""The total from which people stick, give or take their nerve."""


class CountingHand:
    """One hand, from the deal to the last card shown."""

    def __init__(self, room: Room, dealer: int, game: str) -> None:
        """Sit down to a hand that *dealer* deals."""
        self._room = room
        self._dealer = dealer
        self._options = room.options
        self._ages = room.ages
        self._cards = CountingCards(room, dealer, upcard=game == "bone-ace")
        self._show = Showing(room, self._cards)

    def play(self) -> int:
        """Play the hand; its truth is in the room's account.

        Returns:
            The next dealer.
        """
        self._cards.deal()
        order = self._order()
        self._dealt_31(order)
        self._dealt_out(order)
        for seat in order:
            if not self._cards.is_over and seat not in self._cards.gone:
                self._turn(seat)
        if not self._cards.is_over:
            self._show.showdown(order)
        self._show.after_the_end()
        return self._result()

    def _result(self) -> int:
        cards, account = self._cards, self._room.account
        account.result = result_of(
            cards.hands, self._dealer, self._options, self._ages, cards.upcards
        )
        over = [s for s, h in cards.hands.items() if self._is_over(s) or h.word is not None]
        account.answers["out"] = sorted(s for s in over if s != account.result["winner"])
        account.answers.setdefault("misdeal", "no")
        account.answers.setdefault("dealt", "yes")
        account.answers.setdefault("open", "yes")
        return int(account.result["next_dealer"])

    def _order(self) -> list[int]:
        bone = None
        if self._cards.upcards:
            elder = elder_order(self._room.seats, self._dealer, self._options, self._ages)
            bone = bone_holder(self._cards.upcards, elder, self._options)
        return turn_order(self._room.seats, self._dealer, self._options, self._ages, bone)

    def _is_over(self, seat: int) -> bool:
        ace = self._options["ace_value"]
        return totals(self._cards.hands[seat].cards, ace)[0] > GOAL

    def _total(self, seat: int) -> int:
        return best_total(self._cards.hands[seat].cards, self._options["ace_value"])

    def _dealt_out(self, order: list[int]) -> None:
        """Who was dealt more than 31 (ace at 11) shows it before play, or keeps quiet (OT-16)."""
        for seat in order:
            if self._cards.is_over or not self._is_over(seat):
                continue
            if not self._room.does(seat, "over_silent", Happening.OVER_IN_SILENCE):
                self._show_over(seat)
                self._room.pause(seat)

    def _dealt_31(self, order: list[int]) -> None:
        """Who was dealt 31 (ace at 11) turns it up before play, or does not notice it (OT-16)."""
        for seat in order:
            if self._cards.is_over or self._total(seat) != GOAL:
                continue
            self._room.did(Happening.DEALT_31)
            if not self._missed_31(seat):
                self._claim(seat)

    def _show_over(self, seat: int) -> None:
        self._show.lay_open(seat)
        self._room.event("declare", seat=seat, what="out", cards=self._show.cards(seat))
        self._cards.gone.add(seat)

    # A turn

    def _turn(self, seat: int) -> None:
        room, hand = self._room, self._cards.hands[seat]
        hand.acted = self._cards.moment
        room.look("a turn")
        while True:
            if self._total(seat) == GOAL and not self._missed_31(seat):
                return self._claim(seat)
            if self._is_over(seat):
                return self._over(seat)
            if self._may_throw_in(seat):
                return self._throw_in(seat)
            if not self._wants(seat):
                return self._stick(seat)
            self._have(seat)

    def _missed_31(self, seat: int) -> bool:
        """Return whether they overlook their own 31; once overlooked it stays so."""
        if seat in self._cards.unnoticed:
            return True
        missed = self._room.does(seat, "unclaimed", Happening.UNCLAIMED_31)
        if missed:
            self._cards.unnoticed.add(seat)
        return missed

    def _claim(self, seat: int) -> None:
        self._show.lay_open(seat)
        self._room.event("declare", seat=seat, what="31", cards=self._show.cards(seat))
        self._room.film.rest(0.8)

    def _wants(self, seat: int) -> bool:
        total = self._total(seat)
        if total == GOAL:  # overlooked: they think it is less
            return self._room.rng.random() < 0.3
        return total < _STICK_FROM + self._room.people[seat].nerve

    def _may_throw_in(self, seat: int) -> bool:
        """Return whether they throw a poor hand in, in the middle of the play.

        Nobody does who is truly the only one left: the rules do not say what that would be.
        """
        poor = 12 <= self._total(seat) <= 22
        if not poor or not self._others_in(seat):
            return False
        return self._room.rng.random() < 0.4 and self._room.does(seat, "throw_in")

    def _others_in(self, seat: int) -> bool:
        hands = self._cards.hands
        return any(
            other != seat and hands[other].word is None and not self._is_over(other)
            for other in hands
        )

    def _throw_in(self, seat: int) -> None:
        self._cards.gone.add(seat)
        self._show.throw_in(seat)
        self._room.pause(seat)

    def _over(self, seat: int) -> None:
        """Go over: show it, say it, throw the cards in, or keep quiet."""
        room = self._room
        if room.does(seat, "over_silent", Happening.OVER_IN_SILENCE):
            self._stick(seat)
            return
        if self._others_in(seat) and room.rng.random() < 0.45:
            self._throw_in(seat)
        else:
            self._show_over(seat)
            room.pause(seat)

    def _stick(self, seat: int) -> None:
        room = self._room
        if room.does(seat, "stick_unsaid", Happening.STICK_UNSAID):
            pass
        elif seat != self._dealer and room.does(seat, "word_late", Happening.WORD_LATE):
            self._cards.late_words.append((seat, "stick"))
        else:
            room.say(seat, "stick")
        room.event("stick", seat=seat)
        room.account.add("stuck", seat)
        if room.does(seat, "show_early", Happening.SHOWN_EARLY):
            self._show.lay_open(seat)
            room.event("reveal", seat=seat, cards=self._show.cards(seat))
            self._cards.open.add(seat)
            if self._is_over(seat):
                self._cards.gone.add(seat)
            room.pause(seat)

    def _have(self, seat: int) -> None:
        """Ask for a card, in words or not, and get it."""
        room = self._room
        if room.does(seat, "word_back", Happening.WORD_TAKEN_BACK):
            room.say(seat, "have")
            room.event("have", seat=seat)
            room.look("a word taken back")
            room.film.press("undo")
            room.event("undo")
        unsaid = room.does(seat, "have_unsaid", Happening.HAVE_UNSAID)
        late = not unsaid and room.does(seat, "word_late", Happening.WORD_LATE)
        if not unsaid and not late:
            room.say(seat, "have")
        room.event("have", seat=seat)
        room.account.add("had", seat)
        self._cards.give(seat)
        if late:
            room.say(seat, "have", own=True)
