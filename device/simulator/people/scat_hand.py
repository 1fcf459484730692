"""A hand of Thirty-one (Scat), played with real cards by real people."""

from __future__ import annotations

from device.simulator.people import scat_mind as mind
from device.simulator.people.happenings import Happening
from device.simulator.people.oracle.scat import GOAL, Match, Round, result_of, value
from device.simulator.people.packs import pack
from device.simulator.people.room import Room
from device.simulator.people.scat_deal import ScatDeal
from device.simulator.people.scat_middle import Middle
from device.simulator.people.scat_moves import ScatMoves
from device.simulator.people.scat_piles import Piles
from device.simulator.people.scat_show import ScatShowing
from device.simulator.people.scat_variants import VariantMoves

__all__ = ["Match", "ScatHand"]


class ScatHand:
    """One hand, from the deal to the last card shown."""

    def __init__(self, room: Room, dealer: int, match: Match) -> None:
        """Sit down to a hand that *dealer* deals."""
        room.seats = match.inside
        self._room = room
        self._dealer = dealer
        self._match = match
        self._options = room.options
        cards = pack(room.options["deck"])
        room.rng.shuffle(cards)
        self._order = room.after(dealer)
        self._hands: dict[int, list[str]] = {seat: [] for seat in self._order}
        self._piles = Piles(room, cards)
        self._middle = Middle(room)
        self._deal = ScatDeal(room, dealer, self._piles, self._middle, self._hands)
        self._moves = ScatMoves(room, self._piles, self._hands)
        self._variant = VariantMoves(
            room, self._piles, self._middle, self._hands, self._moves.taken
        )
        self._show = ScatShowing(room, self._hands, self._moves.taken)
        self._knocker: int | None = None
        self._unnoticed: set[int] = set()
        self._turns = 0

    def play(self) -> int | None:
        """Play the hand; its truth is in the room's account.

        Returns:
            The next dealer; ``None`` when the match is over.
        """
        self._deal.deal()
        end = self._rounds()
        self._moves.say_late()
        if end.kind in ("showdown", "out-of-gate") or (
            end.kind == "blitz" and self._options["scoring"] == "points"
        ):
            self._show.showdown(self._order, end.blitz)
        self._room.clear_up()
        self._room.end()
        account = self._room.account
        account.result = result_of(end, self._match, self._dealer)
        if self._options["table"] == "switch":
            self._accept(end)
        account.answers.setdefault("back", "no")
        account.answers["dealt"] = "yes"
        account.answers["out"] = sorted(self._show.thrown_in)
        dealer = account.result["next_dealer"]
        return None if dealer is None else int(dealer)

    def _accept(self, end: Round) -> None:
        """Nobody restarts who might (SW-8)."""
        hands = [hand for hand in end.hands.values() if hand is not None]
        flush = [hand for hand in hands if len({card[1] for card in hand}) == 1]
        may = end.kind == "showdown" and len(hands) > 1
        if may and any(value(hand, self._options) > 21 for hand in flush):
            self._room.event("accept")
        self._room.account.answers["restart"] = "no"

    # The rounds

    def _rounds(self) -> Round:
        early = self._options["dealt_blitz"] == "immediate"
        dealt = [seat for seat in self._order if early and self._calls(seat)]
        if dealt:
            for seat in dealt:
                self._show.call(seat)
            return self._end("blitz", dealt)
        while True:
            for seat in self._order:
                if seat == self._knocker:
                    return self._end("showdown")
                end = self._out_of_turn(seat)
                if end is None and seat not in self._show.thrown_in:
                    end = self._turn(seat)
                if end is not None:
                    return end

    def _end(self, kind: str, blitz: list[int] | None = None) -> Round:
        hands = {
            seat: None if seat in self._show.thrown_in else tuple(hand)
            for seat, hand in self._hands.items()
        }
        return Round(kind, hands, self._knocker, blitz or [], self._order)

    def _throw_in(self, seat: int) -> Round | None:
        self._show.throw_in(seat)
        left = [s for s in self._order if s not in self._show.thrown_in]
        return self._end("showdown") if len(left) == 1 else None

    def _out_of_turn(self, seat: int) -> Round | None:
        """Somebody throws in while it is the turn of *seat*."""
        other = self._room.rng.choice(self._order)
        if other == seat or self._room.rng.random() > 0.3:
            return None
        if other in self._show.thrown_in or not self._throws_in(other):
            return None
        self._room.did(Happening.THROWN_IN_ANOTHERS_TURN)
        return self._throw_in(other)

    def _calls(self, seat: int) -> bool:
        """Return whether they hold 31 and notice it."""
        if not self._options["blitz"] or value(self._hands[seat], self._options) != GOAL:
            return False
        if self._show.is_known(seat):
            return True
        if seat not in self._unnoticed and self._room.does(
            seat, "unclaimed", Happening.UNCLAIMED_31
        ):
            self._unnoticed.add(seat)
        return seat not in self._unnoticed

    def _turn(self, seat: int) -> Round | None:
        room = self._room
        first = self._turns == 0
        self._turns += 1
        if first and self._options["dealt_blitz"] != "immediate" and self._calls(seat):
            self._show.call(seat)
            return self._end("blitz", [seat])
        if self._throws_in(seat):
            return self._throw_in(seat)
        self._fidget(seat)
        nerve = room.people[seat].nerve
        if self._knocker is not None and self._stands(seat, nerve):
            self._moves.stand(seat)
            if room.does(seat, "show_early", Happening.SHOWN_EARLY):
                self._show.lay_open(seat)
                room.pause(seat)
            return None
        last = self._knocker is not None
        swaps_first = self._options["stop_timing"] == "after_swap"
        if not last and not swaps_first and self._knocks(seat):
            gate = first and self._options["first_knock"] == "out_of_gate"
            return self._end("out-of-gate") if gate else None
        self._move(seat, two_player_knock=last and len(self._order) == 2)
        if not last and swaps_first:
            self._knocks(seat)
        return self._after(seat, first, last)

    def _knocks(self, seat: int) -> bool:
        nerve, round_ = self._room.people[seat].nerve, self._turns // len(self._order)
        if not mind.knocks(self._hands[seat], nerve, round_, self._options):
            return False
        self._moves.knock(seat)
        self._knocker = seat
        return True

    def _move(self, seat: int, *, two_player_knock: bool) -> None:
        table = self._options["table"]
        if table == "switch":
            self._variant.switch(seat)
        elif table == "bus":
            self._variant.bus(seat)
        elif table == "none" or not self._variant.widow(seat):
            self._moves.draw(seat, two_player_knock=two_player_knock)

    def _after(self, seat: int, first: bool, last: bool) -> Round | None:
        """Look what a finished turn has brought; *last* if somebody had knocked before it."""
        may_call = not last or self._options["blitz_after_knock"] == "ends"
        if may_call and self._calls(seat):
            self._show.call(seat)
            return self._end("blitz", [seat])
        if first and self._options["dealt_blitz"] != "immediate":
            caller = next((s for s in self._order[1:] if self._calls(s)), None)
            if caller is not None:
                self._show.call(caller)
                return self._end("blitz", [caller])
        if not self._piles.stock and not last and self._options["table"] in ("none", "widow"):
            return self._end("draw")
        if last and self._room.does(seat, "show_early", Happening.SHOWN_EARLY):
            self._show.lay_open(seat)
            self._room.pause(seat)
        return None

    def _stands(self, seat: int, nerve: int) -> bool:
        if self._options["table"] == "bus":
            return False  # they look at the table first
        top = self._piles.top
        nothing = not self._piles.stock and (
            top is None or not mind.wants(self._hands[seat], top.card, self._options)
        )
        if self._options["table"] == "switch":
            nothing = False
        return nothing or mind.stands(self._hands[seat], nerve, self._options)

    def _throws_in(self, seat: int) -> bool:
        room = self._room
        poor = mind.is_poor(self._hands[seat], self._options) and seat not in self._show.open
        return poor and room.rng.random() < 0.5 and room.does(seat, "throw_in")

    def _fidget(self, seat: int) -> None:
        """Square up a pile, or lean over the mat, while it is one's turn."""
        room = self._room
        if len(self._piles.pile) > 1 and room.does(seat, "square_pile", Happening.PILE_SQUARED):
            room.hand(seat, ["discard"])
            self._piles.square()
            room.pause(seat)
        if self._piles.lies and room.does(seat, "square_stock", Happening.STOCK_SQUARED):
            room.hand(seat, ["stock"])
            self._piles.shift(True)
            room.pause(seat)
        room.lean_over(seat)
