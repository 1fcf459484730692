"""What goes wrong of an evening: people dither, knock, drop, cover, press, come and go."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from device.booth.scenes.names_and_ages import default_name
from device.ports import Button
from device.simulator.people import Happening
from engine import Phase
from engine.core.bones import Face
from engine.core.events import Deal, Facing, Join, Leave, Roll
from tests.acceptance.evening.actual_game import may_join, may_leave
from tests.acceptance.evening.machine import PINS
from tests.acceptance.evening.noisy_table import SEATS
from tests.support.bones_set_down import set_down

LIGHTS = ("", "", "warm lamp", "cold lamp", "dim", "glare", "rolling bands")
FROM_THE_MENU = ("The ledger", "The evening in figures", "The rules", "What the camera sees")
STILL_PLAYED = (Phase.PLAY, Phase.DEAL, Phase.SHOWDOWN)


class Mishaps:
    """What may go wrong at a table, and how often each has.

    Attributes:
        counts: by their names.
    """

    def __init__(self, evening, rng, scale=1.0):
        self.evening, self.rng, self.scale = evening, rng, scale
        self.counts = Counter()
        self.weights = {
            self.dither: 3, self.press_wrongly: 5, self.knock: 2, self.cover: 3,
            self.change_light: 2, self.unplug: 1, self.look_around: 2, self.lift_to_look: 2,
            self.drop_held: 2, self.get_up: 1, self.bump: 2, self.stray_card: 1,
            self.go_away: 0.1,
        }  # fmt: skip
        self._not_yet = list(self.weights)
        rng.shuffle(self._not_yet)
        self._happened = set()

    # Whose they are

    @property
    def machine(self):
        return self.evening.machine

    @property
    def room(self):
        return self.evening.room

    @property
    def dealer(self):
        return self.evening.dealer

    @property
    def true(self):
        return self.evening.dealer.true

    def some(self):
        """Let one thing go wrong that can go wrong now; what has not yet done so comes first."""
        for kind in list(self._not_yet):
            if kind():
                self._not_yet.remove(kind)
                return
        kinds, weights = zip(*self.weights.items(), strict=True)
        for _ in range(8):
            if self.rng.choices(kinds, weights)[0]():
                return

    def happens(self, name, chance):
        """Say whether it happens now: the first time that it can it does."""
        first = name not in self._happened
        self._happened.add(name)
        return first or self.rng.random() < chance

    def _note(self, name):
        self.counts[name] += 1
        self.evening.log(f"  mishap: {name}")
        return True

    def _seconds(self, least, most):
        return self.scale * self.rng.uniform(least, most)

    # At any time

    def dither(self):
        """Nobody does anything for a while, minutes at times."""
        seconds = self.rng.choice([(8, 25), (8, 25), (8, 25), (25, 70), (25, 70), (110, 240)])
        self.dealer.wait(self._seconds(*seconds), step=1.0)
        return self._note("somebody dithers")

    def press_wrongly(self):
        """Press whatever button, one or several together, whosever turn it is."""
        keys = list(PINS.buttons)
        count = self.rng.choice([1, 1, 1, 2, 3, 6])
        self.machine.press_at_once(*self.rng.sample(keys, count))
        if self.rng.random() < 0.2:
            self.machine.press(self.rng.choice([Button.LEFT, Button.RIGHT]))
        return self._note("buttons at once" if count > 1 else "a wrong button")

    def knock(self):
        """Push the mat; what lies on it slides a little."""
        wide, high = self.room.size
        self.room.knock(
            self.rng.uniform(-0.015, 0.015) * wide,
            self.rng.uniform(-0.015, 0.015) * high,
            self.rng.uniform(-5, 5),
        )
        self.room.table.jolt(self.rng, 1.2)
        self.dealer.let_move()
        return self._note("the mat is knocked")

    def cover(self):
        """Hold something before the camera; the game may go on meanwhile."""
        self.room.cover = self.rng.choice(["hand", "black", "arm"])
        name = {"hand": "a hand on the camera", "black": "black pictures",
                "arm": "an arm over the mat"}[self.room.cover]  # fmt: skip
        self._note(name)
        try:
            self.dealer.wait(self._seconds(3, 15))
            if self.rng.random() < 0.5:
                self.evening.play_blindly()
            self.dealer.wait(self._seconds(1, 15))
        finally:
            self.room.cover = ""
        return True

    def leave_hand(self, seat):
        """Let the hand of *seat* lie over the mat for a moment."""
        self.room.cover, self.room.arm = "arm", seat
        self.dealer.wait(self._seconds(2, 8))
        self.room.cover, self.room.arm = "", None
        return self._note(str(Happening.HANDS_LEFT))

    def change_light(self):
        """Another lamp, or the sun goes down."""
        self.room.light = self.rng.choice(LIGHTS)
        self.room.strength = self.rng.uniform(0.4, 0.9)
        self.dealer.wait(self._seconds(1, 3))
        return self._note(f"light: {self.room.light or 'as it was'}")

    def unplug(self):
        """Trip over the camera's cable."""
        self.room.plugged = False
        self._note("the camera is unplugged")
        self.dealer.wait(self._seconds(5, 60))
        self.room.plugged = True
        for _ in range(200):
            self.machine.step()
            if self.machine.eyes.trouble is None:
                break
        return True

    def look_around(self):
        """Open a screen of the menu, and read it."""
        if self.machine.question is not None or self.machine.scene is not None:
            return False
        if not self.machine.row(self.rng.choice(FROM_THE_MENU)):
            self.machine.press(Button.UNDO)
            return False
        for _ in range(self.rng.randrange(4)):
            self.machine.press(Button.RIGHT)
        self.dealer.wait(self._seconds(3, 25))
        return self._note("a screen is looked at")

    def go_away(self):
        """All leave the table in mid-play, so long that the booth no longer waits for them."""
        if self.true.seen.phase is not Phase.PLAY:
            return False
        self._note("everybody goes away")
        for _ in range(300):
            self.dealer.wait(5.0, step=5.0)
            if self.machine.booth.is_waiting:
                break
        if not self.happens("they come back", 0.6):
            self.dealer.wait(900.0, step=5.0)
        return True

    # With cards

    def _cards(self):
        table = self.room.table
        playing = self.true is not None and self.true.seen.phase in STILL_PLAYED
        return table.cards if playing and self.true.game != "knucklebones" else ()

    def lift_to_look(self):
        """Take up one's cards to look at them, and lay them back."""
        mine = [seat for seat in range(SEATS) if self.room.table.at(seat)] if self._cards() else []
        if not mine or self.true.game == "scat":
            return False
        seat = self.rng.choice(mine)
        lying = self.room.table.at(seat)
        self.room.table.take_up(seat, by=seat)
        self.dealer.let_move()
        self.dealer.wait(self._seconds(2, 12))
        for each in lying:
            self.room.table.lay(seat, each.card, face_up=each.face_up)
            self.dealer.let_move()
        return self._note("cards are lifted")

    def drop_held(self):
        """Let a card that is held fall on the mat for a while, open or not."""
        if self.true.game != "scat" or self.true.seen.phase is not Phase.PLAY:
            return False
        table = self.room.table
        seat = self.rng.choice(sorted(self.true.held))
        if not self.true.held[seat] or table.at(seat):
            return False
        card = self.rng.choice(self.true.held[seat])
        at = self.rng.choice([seat, seat, (seat + 1) % SEATS])
        if not table.room(at):
            return False
        table.lay(at, card, face_up=self.rng.random() < 0.5, by=seat)
        fallen = table.at(at)[-1]
        self.dealer.let_move()
        self.dealer.wait(self._seconds(2, 12))
        if fallen in table.cards:
            table.pick_up(fallen, seat)
            self.dealer.let_move()
        return self._note("a held card is dropped")

    def stray_card(self):
        """Lay a card of the pack somewhere for a while: in a free place, or half off the mat."""
        if not self._cards() or not self.true.pack or len(self.true.pack) < 8:
            return False
        table, card = self.room.table, self.true.pack[self.rng.randrange(4, 8)]
        free = [seat for seat in range(SEATS) if table.room(seat)]
        if not free:
            return False
        seat, by = self.rng.choice(free), self.dealer.hands.dealer
        table.lay(seat, card, face_up=self.rng.random() < 0.3, by=by)
        fallen = table.at(seat)[-1]
        if self.rng.random() < 0.5:
            table.settle()
            fallen = table.drop(fallen, by)
        self.dealer.let_move()
        self.dealer.wait(self._seconds(2, 10))
        if fallen in table.cards:
            table.pick_up(fallen, by)
            self.dealer.let_move()
        return self._note("a stray card")

    def on_the_way(self, event, steps):
        """Change how an event is carried out: a card falls elsewhere, or open; a bone far off."""
        return self._fall(event, steps) if isinstance(event, Deal) else steps

    def _fall(self, event, steps):
        """Drop the card that is dealt, half beside the mat or on another's place; then lay it."""
        table, by = self.room.table, self.dealer.hands.dealer
        card, up = self.true.pack[-1], event.face is Facing.UP
        astray = self.happens("astray", 0.5)

        def drop():
            free = [seat for seat in range(SEATS) if seat != event.seat and table.room(seat)]
            at = self.rng.choice(free) if astray and free else event.seat
            if not table.room(at):
                return
            table.lay(at, card, face_up=up, by=by)
            fallen = table.at(at)[-1]
            if not astray or not free:
                table.settle()
                fallen = table.drop(fallen, by)
            self.dealer.let_move()
            self.dealer.wait(self._seconds(1, 12))
            if fallen in table.cards:
                table.pick_up(fallen, by)
                self.dealer.let_move()
                self.dealer.wait(1.0)
            self._note("a card falls on another's place" if astray else "a card falls off the mat")

        return [*steps[:-1], drop, steps[-1]]

    def exposed(self, event):
        """Return a deal whose card falls open, where it should not: the dealer plays on."""
        if event.face is Facing.UP or self.true.game == "scat":
            return event
        self._note("a card is exposed")
        return replace(event, card=self.true.pack[-1], face=Facing.UP)

    # With bones

    def bump(self):
        """Knock a bone of the throw that lies there with a sleeve."""
        if self.true.game != "knucklebones" or not self.room.table.bones:
            return False
        table = self.room.table
        index = self.rng.randrange(len(table.bones))
        table.bump(index, self.true.seen.seats[0].seat)
        self.dealer.let_move()
        return self._note("a bone is bumped")

    def beside_the_mat(self, event, steps):
        """Let one bone of a throw fall beside the mat; the table says that it counts."""
        if not isinstance(event, Roll) or len(event.faces) < 2:
            return steps
        table = self.room.table

        def throw():
            self._note("a bone falls off the mat")
            inside, out = event.faces[:-1], event.faces[-1]
            self.dealer.hands.throw(event.seat, inside)
            self.dealer.let_move()
            wide, _high = table.layout.size_mm
            place = wide * self.rng.uniform(0.3, 0.6), -22.0
            set_down(table, event.seat, place, Face.from_points(out))

        return [*steps[:-1], throw]

    # People

    def get_up(self):
        """Somebody must go, in mid-play."""
        if self.true.seen.phase is not Phase.PLAY:
            return False
        sure = [seat for seat in self.true.seated if may_leave(self.true, seat)]
        if len(self.true.seated) <= 3 or not sure:
            return False
        seat = self.rng.choice(sure)
        self._note("somebody leaves in mid-play")
        leave = Leave(seat)
        self.dealer.see_to_it(None)
        self.true.do(leave)
        self.dealer.leave(seat)
        self.dealer.see_to_it(leave)
        return True

    def come_and_go(self):
        """Between hands: who is not there may sit down, who is may get up."""
        absent = [seat for seat in range(SEATS) if seat not in self.true.seated]
        if absent and may_join(self.true) and self.happens("join", 0.6):
            seat = self.rng.choice(absent)
            self._note("somebody joins")
            join = Join(seat, default_name(seat, self.true.seated))
            self.true.do(join)
            self.machine.press(Button.HAVE, seat)
            self.dealer.wait(1.0)
            self._to_the_table()
            self.dealer.see_to_it(join)
        going = [seat for seat in self.true.seated if may_leave(self.true, seat)]
        if len(self.true.seated) > 3 and going and self.happens("leave", 0.5):
            seat = self.rng.choice(going)
            self._note("somebody leaves between hands")
            leave = Leave(seat)
            self.true.do(leave)
            self.machine.press(Button.STICK, seat)
            if self.machine.scene is not None:
                self.machine.press(Button.STICK, seat)
            self._to_the_table()
            self.dealer.see_to_it(leave)

    def _to_the_table(self):
        if self.machine.scene is not None:
            self.machine.press(Button.MENU)
