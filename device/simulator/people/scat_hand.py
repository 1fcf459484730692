"""A hand of Thirty-one (Scat), played with real cards by real people."""

from __future__ import annotations

from device.simulator.people import scat_mind as mind
from device.simulator.people.happenings import Happening
from device.simulator.people.oracle.scat import GOAL, Match, Round, result_of, value
from device.simulator.people.packs import UNREAD, pack
from device.simulator.people.room import Room
from device.simulator.people.scat_moves import ScatMoves
from device.simulator.people.scat_piles import Piles
from device.simulator.people.scat_show import ScatShowing

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
        self._moves = ScatMoves(room, self._piles, self._hands)
        self._show = ScatShowing(room, self._hands, self._moves.taken)
        self._knocker: int | None = None
        self._unnoticed: set[int] = set()
        self._turns = 0

    def play(self) -> int | None:
        """Play the hand; its truth is in the room's account.

        Returns:
            The next dealer; ``None`` when the match is over.
        """
        self._deal()
        end = self._rounds()
        if end.kind in ("showdown", "out-of-gate") or (
            end.kind == "blitz" and self._options["scoring"] == "points"
        ):
            self._show.showdown(self._order, end.blitz)
        self._room.clear_up()
        self._room.end()
        account = self._room.account
        account.result = result_of(end, self._match, self._dealer)
        account.answers.setdefault("back", "no")
        account.answers["dealt"] = "yes"
        account.answers["misdeal"] = "no"
        account.answers["out"] = sorted(self._show.thrown_in)
        dealer = account.result["next_dealer"]
        return None if dealer is None else int(dealer)

    def _deal(self) -> None:
        room = self._room
        lying = []
        for _ in range(3):
            for number, seat in enumerate(self._order):
                card = self._piles.stock.pop()
                self._hands[seat].append(card)
                room.hand(self._dealer, [f"seat {seat}"], 0.2)
                spot = room.spot(seat, len(self._hands[seat]) - 1, self._dealer)
                lying.append(room.lay(card, False, spot, self._dealer))
                room.event("deal", seat=seat, card=UNREAD, face="down")
                if number == len(self._order) - 1 and room.rng.random() < 0.6:
                    room.pause(self._dealer, 0.3)
        room.film.rest(0.5)
        room.hand(self._dealer, ["stock", "discard"])
        turned = self._piles.stock.pop()
        self._piles.put_stock_down()
        self._piles.lay(turned, -1)
        room.event("turn_up", card=turned)
        room.film.rest(0.8)
        for seat in self._order:
            room.hand(seat, [f"seat {seat}"], 0.3)
            for each in [e for e in lying if e.place == f"seat {seat}"]:
                room.mat.take(each)
                lying.remove(each)
            if room.rng.random() < 0.5:
                room.pause(seat, 0.3)
        for each in lying:  # cards that lay askew between two places
            room.mat.take(each)
        room.film.rest(0.6)

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
                if seat in self._show.thrown_in:
                    continue
                if seat == self._knocker:
                    return self._end("showdown")
                end = self._turn(seat)
                if end is not None:
                    return end

    def _end(self, kind: str, blitz: list[int] | None = None) -> Round:
        hands = {
            seat: None if seat in self._show.thrown_in else tuple(hand)
            for seat, hand in self._hands.items()
        }
        return Round(kind, hands, self._knocker, blitz or [], self._order)

    def _calls(self, seat: int) -> bool:
        """Return whether they hold 31 and notice it."""
        if not self._options["blitz"] or value(self._hands[seat], self._options) != GOAL:
            return False
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
            self._show.throw_in(seat)
            left = [s for s in self._order if s not in self._show.thrown_in]
            return self._end("showdown") if len(left) == 1 else None
        self._fidget(seat)
        nerve = room.people[seat].nerve
        hand = self._hands[seat]
        if self._knocker is not None and self._stands(seat, nerve):
            self._moves.stand(seat)
            if room.does(seat, "show_early", Happening.SHOWN_EARLY):
                self._show.lay_open(seat)
                room.pause(seat)
            return None
        # Round 31 nobody noticed they think it is 30.
        if self._knocker is None and mind.knocks(hand, nerve, self._turns, self._options):
            self._moves.knock(seat)
            self._knocker = seat
            gate = first and self._options["first_knock"] == "out_of_gate"
            return self._end("out-of-gate") if gate else None
        last = self._knocker is not None
        self._moves.draw(seat, two_player_knock=last and len(self._order) == 2)
        return self._after(seat, first)

    def _after(self, seat: int, first: bool) -> Round | None:
        """Look what a finished turn has brought."""
        last = self._knocker is not None
        may_call = not last or self._options["blitz_after_knock"] == "ends"
        if may_call and self._calls(seat):
            self._show.call(seat)
            return self._end("blitz", [seat])
        if first and self._options["dealt_blitz"] != "immediate":
            caller = next((s for s in self._order[1:] if self._calls(s)), None)
            if caller is not None:
                self._show.call(caller)
                return self._end("blitz", [caller])
        if not self._piles.stock and not last:
            return self._end("draw")
        if last and self._room.does(seat, "show_early", Happening.SHOWN_EARLY):
            self._show.lay_open(seat)
            self._room.pause(seat)
        return None

    def _stands(self, seat: int, nerve: int) -> bool:
        top = self._piles.top
        nothing = not self._piles.stock and (
            top is None or not mind.wants(self._hands[seat], top.card, self._options)
        )
        return nothing or mind.stands(self._hands[seat], nerve, self._options)

    def _throws_in(self, seat: int) -> bool:
        room = self._room
        poor = value(self._hands[seat], self._options) < 16 and seat not in self._show.open
        return poor and room.rng.random() < 0.3 and room.does(seat, "throw_in")

    def _fidget(self, seat: int) -> None:
        """Square up a pile, or lean over the mat, while it is one's turn."""
        room = self._room
        if len(self._piles.pile) > 1 and room.does(seat, "square_pile", Happening.PILE_SQUARED):
            room.hand(seat, ["discard"])
            self._piles.square()
            room.pause(seat)
        if room.does(seat, "square_stock", Happening.STOCK_SQUARED):
            room.hand(seat, ["stock"])
            self._piles.shift(True)
            room.pause(seat)
        if room.does(seat, "hands_left") and room.rng.random() < 0.2:
            room.did(Happening.BLIND)
            room.film.blind()
            room.film.rest(0.4)
