"""The moves of Thirty-one, one by one: drawing, taking, laying, knocking, standing."""

from __future__ import annotations

from device.simulator.people import scat_mind as mind
from device.simulator.people.happenings import Happening
from device.simulator.people.packs import UNREAD
from device.simulator.people.room import Room
from device.simulator.people.scat_piles import Piles


class ScatMoves:
    """What the hands of people do in their turns.

    Attributes:
        taken: the cards that everybody saw each seat take from the discard.
    """

    def __init__(self, room: Room, piles: Piles, hands: dict[int, list[str]]) -> None:
        """Move the cards of *hands*."""
        self._room = room
        self._piles = piles
        self._hands = hands
        self._late_knock: int | None = None
        self.taken: dict[int, set[str]] = {seat: set() for seat in hands}

    def knock(self, seat: int) -> None:
        """Knock: with the button, late, or only in words that no button hears (SC-5)."""
        room = self._room
        room.event("knock", seat=seat)
        room.account.add("knocked", seat)
        room.account.append("turns", [seat, "knock"])
        if room.does(seat, "knock_unsaid", Happening.KNOCK_UNSAID):
            return
        if room.does(seat, "knock_late", Happening.KNOCK_LATE):
            self._late_knock = seat
            return
        room.say(seat, "stick")
        room.look("a knock")

    def stand(self, seat: int) -> None:
        """Stand in the last turn (SC-6)."""
        room = self._room
        room.event("stand", seat=seat)
        room.account.append("turns", [seat, "stand"])
        if not room.does(seat, "stand_unsaid", Happening.STAND_UNSAID):
            room.say(seat, "stick")
        self._say_late()

    def draw(self, seat: int, *, two_player_knock: bool) -> None:
        """Draw from the stock or take the discard, and lay one away (SC-4)."""
        takes = self._wants_discard(seat, two_player_knock)
        if not takes and not self._piles.stock:
            takes = self._may_take(seat, two_player_knock)
        if takes:
            self._take(seat)
        else:
            if self._may_take(seat, two_player_knock) and self._room.does(
                seat, "put_back", Happening.PUT_BACK
            ):
                self._put_back(seat)
            self._from_stock(seat, two_player_knock)
        self._say_late()

    def _may_take(self, seat: int, two_player_knock: bool) -> bool:
        """Return whether the rules let them take the top of the discard (SC-14, SC-15)."""
        if self._piles.top is None:
            return False
        return self._piles.throwers[-1] != seat or two_player_knock

    def _wants_discard(self, seat: int, two_player_knock: bool) -> bool:
        top = self._piles.top
        if top is None or not self._may_take(seat, two_player_knock):
            return False
        return mind.wants(self._hands[seat], top.card, self._room.options)

    def _take(self, seat: int) -> None:
        room, hand = self._room, self._hands[seat]
        away_at_once = room.does(seat, "one_motion", Happening.ONE_MOTION)
        room.hand(seat, ["discard"], 0.5)
        taken = self._piles.take()
        room.event("draw", **{"seat": seat, "from": "discard", "card": taken})
        hand.append(taken)
        self.taken[seat].add(taken)
        if not away_at_once:
            room.pause(seat)
            room.hand(seat, ["discard"], 0.4)
        self._lay(seat, mind.keep_best(hand, room.options, taken), "discard")

    def _from_stock(self, seat: int, two_player_knock: bool) -> None:
        room, hand = self._room, self._hands[seat]
        room.hand(seat, ["stock"], 0.4)
        card = self._piles.draw()
        room.event("draw", **{"seat": seat, "from": "stock", "card": UNREAD})
        if self._may_take(seat, two_player_knock) and room.does(
            seat, "stock_put_back", Happening.STOCK_PUT_BACK
        ):
            room.pause(seat)
            room.hand(seat, ["stock"], 0.4)
            self._piles.undraw(card)
            room.event("undo")
            room.account.answers["back"] = "yes"
            room.pause(seat)
            self._take(seat)
            return
        hand.append(card)
        if room.rng.random() < 0.3:
            room.pause(seat, 0.3)
        room.hand(seat, ["discard"], 0.4)
        self._lay(seat, mind.keep_best(hand, room.options), "stock")

    def _put_back(self, seat: int) -> None:
        """Take the discard, think better of it, and lay it back where it was."""
        room, top = self._room, self._piles.top
        assert top is not None
        thrower, spot, seen = self._piles.throwers[-1], (top.x, top.y, top.deg), top.seen
        room.hand(seat, ["discard"])
        room.mat.take(self._piles.pile.pop())
        self._piles.throwers.pop()
        room.event("draw", **{"seat": seat, "from": "discard", "card": top.card})
        room.film.rest(0.5)
        room.hand(seat, ["discard"])
        back = room.mat.lay(top.card, True, room.jitter(spot, 6.0, 6.0))
        back.seen, back.maybe = seen, top.maybe
        self._piles.pile.append(back)
        self._piles.throwers.append(thrower)
        room.event("undo")
        room.account.answers["back"] = "yes"
        room.pause(seat)

    def _lay(self, seat: int, card: str, source: str) -> None:
        room, hand = self._room, self._hands[seat]
        hand.remove(card)
        self._piles.lay(card, seat)
        room.event("discard", seat=seat, card=card)
        room.account.append("turns", [seat, source, card])
        if room.does(seat, "two_discards", Happening.TWO_DISCARDS):
            slipped = room.rng.choice(hand)
            second = room.lay(
                slipped, True, room.jitter(room.mat.middle("discard"), room.strewn_mm, 12.0), seat
            )
            room.film.rest(0.5)
            room.look("two cards")
            room.hand(seat, ["discard"])
            room.mat.take(second)
        room.pause(seat)

    def _say_late(self) -> None:
        if self._late_knock is not None:
            self._room.say(self._late_knock, "stick", own=True)
            self._late_knock = None
