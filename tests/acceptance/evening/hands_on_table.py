"""What people's hands do for each event of the game: cards are laid, taken up, bones thrown."""

from __future__ import annotations

from device.ports import Button
from device.simulator.scat_table import DISCARD
from engine.core.bones import Face
from engine.core.events import (
    Choose,
    ChooseHand,
    Cut,
    Deal,
    DealTo,
    Declare,
    Discard,
    Draw,
    Exchange,
    Facing,
    Have,
    Keep,
    Knock,
    Pile,
    Renew,
    Reveal,
    Roll,
    Source,
    Stake,
    Stand,
    Stick,
    SwapCards,
    SwapHand,
    TurnUp,
    Widow,
)
from tests.acceptance.evening.noisy_table import MIDDLE

HAND = 3
BONES = 5
PLACES = {"A": 0, "B": HAND, "widow": 0, "table": 0}
"""Where on the middle's place each pile begins."""


class CardHands:
    """Hands at a table of cards; what they hold and lay, the true game tells."""

    def __init__(self, table, true, press):
        self.table, self.true, self.press = table, true, press

    @property
    def dealer(self):
        seen = self.true.seen
        return seen.seats[0].seat if seen.dealer is None else seen.dealer

    @property
    def is_held(self):
        """Say whether players of this game hold their cards."""
        return self.true.game == "scat"

    def has_room(self, seat):
        return self.table.room(seat) > 0

    # One event

    def steps(self, event):
        """Return what is done for *event*, one movement after another; call it before the event."""
        true, table, dealer = self.true, self.table, self.dealer
        top = true.pack[-1] if true.pack else None
        match event:
            case Cut(seat=seat, card=card):
                steps = [lambda: table.take_up(seat, by=seat)] if table.at(seat) else []
                return [*steps, lambda: table.lay(seat, card, face_up=True)]
            case Deal(seat=seat, face=face):
                return [
                    *self._clear_the_cut(),
                    lambda: table.lay(seat, top, face_up=face is Facing.UP, by=dealer),
                ]
            case DealTo(to=pile):
                return [*self._clear_the_cut(), self._dealing(pile, top)]
            case TurnUp(card=card):
                return [lambda: table.discard(card, by=dealer)]
            case Have(seat=seat):
                return [lambda: self.press(Button.HAVE, seat)]
            case Stick(seat=seat) | Knock(seat=seat) | Stand(seat=seat):
                return [*self._take_up(seat), lambda: self.press(Button.STICK, seat)]
            case Reveal(seat=seat) | Declare(seat=seat):
                return [lambda: self.show(seat)]
            case Draw(seat=seat, source=Source.DISCARD):
                return [*self._take_up(seat), lambda: table.draw_discard(by=seat)]
            case Draw(seat=seat):
                return self._take_up(seat)
            case Discard(seat=seat, card=card):
                return [lambda: table.discard(card, by=seat)]
            case ChooseHand(seat=seat, keep=keep):
                held, second = true.held[seat], true.piles["second"]
                other = list(second if keep is Keep.FIRST else held)
                return [*self._take_up(seat), *self._laying("A", range(HAND), other, seat)]
            case Widow(seat=seat, give=give, take=take):
                return self._swap(seat, "widow", give, take)
            case SwapCards(seat=seat, give=give, take=take):
                places = [true.piles["table"].index(card) for card in take]
                return self._swap(seat, "table", give, places)
            case Exchange(seat=seat, hand=hand, give=give, pos=pos):
                return self._swap(seat, str(hand), (give,), (pos,))
            case SwapHand(seat=seat, hand=hand):
                return self._swap(seat, str(hand), list(true.held[seat]), range(HAND))
            case Renew(seat=seat, hand=hand, face=face):
                new = true.pack[-1:-4:-1]
                up = face is Facing.UP
                return [
                    *self._taking(str(hand), range(HAND), seat),
                    *self._laying(str(hand), range(HAND), new, seat, up=up),
                ]
        return []

    def _clear_the_cut(self):
        """The cards of the cut go back into the pack before it is dealt."""
        begun = any(self.true.held.values()) or any(self.true.piles.values())
        if begun or not self.table.cards:
            return []
        return [lambda: self.table.take_up(by=self.dealer)]

    def _dealing(self, pile, card):
        table, dealer = self.table, self.dealer
        if pile is Pile.SECOND:
            return lambda: table.lay(dealer, card, face_up=False, by=dealer)
        place = PLACES[str(pile)] + len(self.true.piles.get(str(pile), ()))
        return lambda: table.put(place, card, face_up=pile is Pile.TABLE, by=dealer)

    def _take_up(self, seat):
        if not self.is_held or not self.table.at(seat):
            return []
        return [lambda: self.table.take_up(seat, by=seat)]

    def _swap(self, seat, pile, give, take):
        """Take cards from the middle up, all of them first, then lay one's own in their places."""
        take = list(take)
        return [
            *self._take_up(seat),
            *self._taking(pile, take, seat),
            *self._laying(pile, take, give, seat),
        ]

    def _taking(self, pile, places, by):
        return [self._take(PLACES[pile] + place, by) for place in places]

    def _take(self, place, by):
        return lambda: self.table.take(place, by=by)

    def _laying(self, pile, places, cards, by, *, up=True):
        pairs = zip(places, list(cards), strict=True)
        return [self._lay(PLACES[pile] + place, card, up, by) for place, card in pairs]

    def _lay(self, place, card, up, by):
        return lambda: self.table.put(place, card, face_up=up, by=by)

    # Hands laid open

    def show(self, seat):
        """Lay one's hand open."""
        if self.is_held:
            self.table.lay_open(seat, self.true.held[seat])
        else:
            self.table.turn_up(seat)

    def show_again(self, seat):
        """Turn a hand down, or take it up, so that it can be shown anew."""
        lying = self.table.at(seat)
        if not lying:
            return
        if self.is_held:
            self.table.take_up(seat, by=seat)
        else:
            self.table.turn_over(seat, lying, False, seat)

    def gather(self):
        """Take everything up."""
        if not self.table.cards:
            return []
        return [lambda: self.table.take_up(by=self.dealer)]

    def restart_laid(self, cards):
        """Lay the hand of who begins Switch anew open in the middle (rule SW-8)."""
        return self._laying("A", range(HAND), cards, self.dealer)

    # Help for the eyes

    def lying_of(self, event):
        """Return the card that an event laid last, if it lies there."""
        match event:
            case Cut(seat=seat) | Deal(seat=seat) | Reveal(seat=seat) | Declare(seat=seat):
                lying = self.table.at(seat)
            case TurnUp() | Discard() | Draw():
                lying = self.table.at(DISCARD)
            case DealTo(to=Pile.SECOND):
                lying = self.table.at(self.dealer)
            case _:
                lying = self.table.at(MIDDLE)
        return lying

    def push(self, lying, by):
        """Push a card a little, so that it is looked at again."""
        here = next((each for each in self.table.cards if each == lying), None)
        if here is not None:
            self.table.push(here, by=by)

    def again(self, lying, by):
        """Take a card up; return what lays it down again."""
        self.table.pick_up(lying, by)
        seat, card, up = lying.seat, lying.card, lying.face_up

        def lay():
            if seat == DISCARD:
                self.table.discard(card, by=by)
            elif seat == MIDDLE:
                place = self.table.middle_slots.index(lying.slot)
                self.table.put(place, card, face_up=up, by=by)
            else:
                self.table.lay(seat, card, face_up=up, by=by)

        return lay


class BoneHands:
    """Hands that throw bones."""

    is_held = False

    def __init__(self, table, true, press):
        self.table, self.true, self.press = table, true, press

    @property
    def dealer(self):
        return self.true.seen.dealer

    def has_room(self, seat):
        return True

    def steps(self, event):
        """Return what is done for *event*; call it before the event."""
        match event:
            case Roll(seat=seat, faces=faces):
                steps = []
                first = not self.true.seen.seat(seat).throws
                if self.table.bones and (first or len(self.table.bones) + len(faces) > BONES):
                    steps.append(lambda: self.table.lift(seat))
                return [*steps, lambda: self.throw(seat, faces)]
            case Have(seat=seat):
                return [lambda: self.press(Button.HAVE, seat)]
            case Stick(seat=seat):
                return [lambda: self.press(Button.STICK, seat)]
            case Choose(seat=seat, n=0):
                return [lambda: self.press(Button.STICK, seat)]
            case Choose(seat=seat, n=number):
                knob = [lambda: self.press(Button.RIGHT)] * number
                return [*knob, lambda: self.press(Button.HAVE, seat)]
            case Stake():
                return []  # tokens are pushed, buttons follow: the dealer sees to it
        return []

    def throw(self, seat, faces):
        """Throw bones that fall so."""
        self.table.throw(seat, len(faces), faces=[Face.from_points(each) for each in faces])

    def gather(self):
        if not self.table.bones:
            return []
        return [lambda: self.table.lift(self.dealer)]
