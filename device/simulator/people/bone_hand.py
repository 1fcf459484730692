"""A round of One-and-Twenty with real bones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Bone
from device.simulator.people.oracle.bones import result_of
from device.simulator.people.room import Room

BONES = 5
FACES = (1, 3, 4, 6)
_CHANCES = (10, 40, 40, 10)
"""How often a bone falls on each of its faces, of 100 (E13)."""

_NEAR_MM = 34.0
"""Bones come to rest at least so far from each other."""

_MEAN = 3.6

_BOUND_TO = 17
"""A banker who is bound stands on it, and not before (KB-18)."""

_ALL_FIVE = 0.18
"""How often somebody dares to throw all five again."""


class BoneHand:
    """One round, from the stakes to the bank's last throw."""

    def __init__(self, room: Room, banker: int) -> None:
        """Sit down to a round of *banker*'s bank."""
        self._room = room
        self._banker = banker
        self._order = [seat for seat in room.after(banker) if seat != banker]
        self._points: dict[int, int] = {}
        self._thrown_in: set[int] = set()

    def play(self) -> int:
        """Play the round; its truth is in the room's account.

        Returns:
            Who has the bank next.
        """
        self._lay_stakes()
        for seat in self._order:
            self._turn(seat)
        must = self._room.options["banker_must_roll"]
        if must or any(self._alive(seat) for seat in self._order):
            self._turn(self._banker)
        self._room.clear_up()
        self._room.end()
        account = self._room.account
        account.result = result_of(
            self._banker,
            self._order,
            self._room.stakes,
            self._points,
            frozenset(self._thrown_in),
            self._room.options,
        )
        account.answers["out"] = sorted(s for s in self._points if not self._alive(s))
        account.answers["bumped"] = "old"
        account.answers["offmat"] = "again"
        return int(account.result["next_banker"])

    def _alive(self, seat: int) -> bool:
        within = self._points.get(seat, 0) <= self._room.options["target"]
        return within and seat not in self._thrown_in

    def _lay_stakes(self) -> None:
        room = self._room
        for seat in self._order:
            if not room.does(seat, "raise_stake", Happening.STAKE_PRESSED):
                continue
            wanted, laid = room.rng.randint(1, 3), room.stakes[seat]
            while laid != wanted:
                step = 1 if wanted > laid else -1
                laid += step
                room.film.press("have" if step > 0 else "stick", seat)
                room.event("stake", seat=seat, amount=laid)
            room.stakes[seat] = wanted

    # A turn

    def _turn(self, seat: int) -> None:
        room = self._room
        room.lean_over(seat)
        self._clear_mat(seat)
        first = self._throw(seat, BONES)
        self._points[seat] = sum(first)
        room.event("roll", seat=seat, faces=first)
        if not self._alive(seat):
            room.look("over")
            return
        if self._out_of_sorts(seat):
            self._throw_in(seat)
            return
        if self._is_bound(seat) and self._points[seat] >= _BOUND_TO:
            room.look("a turn")
            return
        if room.options["extra_mode"] == "one_at_a_time":
            self._one_by_one(seat)
            return
        number = self._wanted(seat)
        early = number > 0 and room.does(seat, "throw_early", Happening.THROWN_EARLY)
        pressed = not room.does(seat, "number_unpressed", Happening.NUMBER_UNPRESSED)
        if pressed and not early:
            self._say_number(seat, number)
        if not pressed and number == BONES:
            room.did(Happening.FIVE_UNPRESSED)
        room.event("choose", seat=seat, n=number)
        if number:
            self._count_more(seat, number)
        if pressed and early:
            self._say_number(seat, number)
        room.look("a turn")

    def _one_by_one(self, seat: int) -> None:
        """Ask for one more bone after the other (KB-17)."""
        room, most = self._room, int(self._room.options["max_extra"])
        for _ in range(most):
            if self._wanted(seat) == 0:
                if not room.does(seat, "number_unpressed", Happening.NUMBER_UNPRESSED):
                    room.say(seat, "stick")
                room.event("stick", seat=seat)
                break
            early = room.does(seat, "throw_early", Happening.THROWN_EARLY)
            if not early and not room.does(seat, "number_unpressed", Happening.NUMBER_UNPRESSED):
                room.say(seat, "have")
            room.event("have", seat=seat)
            self._count_more(seat, 1)
            bound = self._is_bound(seat) and self._points[seat] >= _BOUND_TO
            if bound or not self._alive(seat):
                break
        room.look("a turn")

    def _count_more(self, seat: int, number: int) -> None:
        more = self._throw_more(seat, number)
        self._points[seat] += sum(more)
        self._room.event("roll", seat=seat, faces=more)

    def _is_bound(self, seat: int) -> bool:
        return seat == self._banker and self._room.options["banker_rule"] == "stand17"

    def _out_of_sorts(self, seat: int) -> bool:
        """Return whether they throw in a poor throw; the bank never does."""
        poor = self._points[seat] < 18 and seat != self._banker
        return poor and self._room.does(seat, "throw_in")

    def _throw_in(self, seat: int) -> None:
        room = self._room
        self._thrown_in.add(seat)
        room.did(Happening.SAID_OUT)
        room.film.press("out", seat)
        room.event("declare", seat=seat, what="out")

    def _wanted(self, seat: int) -> int:
        """Return how many more bones they want; the bank may be bound to one at least (KB-18)."""
        least = 1 if self._is_bound(seat) else 0
        return max(self._hoped(seat), least)

    def _hoped(self, seat: int) -> int:
        target, mine = self._room.options["target"], self._points[seat]
        if seat == self._banker:
            best = [self._points[s] for s in self._order if self._alive(s)]
            if mine >= max(best, default=0):
                return 0
        if mine <= target - BONES and self._room.rng.random() < _ALL_FIVE:
            return BONES
        nerve = self._room.people[seat].nerve * 0.6
        return max(0, min(BONES, int((target - mine + nerve) / _MEAN)))

    def _say_number(self, seat: int, number: int) -> None:
        """Press the number: the knob goes up from 0 and HAVE confirms; STICK is none."""
        if number == 0:
            self._room.say(seat, "stick")
            return
        for _ in range(number):
            self._room.film.press("right", seat)
        self._room.say(seat, "have")

    # The bones

    def _clear_mat(self, seat: int) -> None:
        """Take the bones of the last throw up; mostly the empty mat is seen."""
        room = self._room
        if not room.mat.bones:
            return
        room.hand(seat, [], 0.4)
        room.mat.bones.clear()
        if not room.does(seat, "no_empty", Happening.NO_EMPTY_MAT):
            room.film.rest(0.3)

    def _throw_more(self, seat: int, number: int) -> list[int]:
        """Throw some of the bones again: the others stay, or all are picked up."""
        room = self._room
        if number < BONES and room.does(seat, "bones_stay", Happening.BONES_STAY):
            room.hand(seat, [], 0.4)
            for bone in room.rng.sample(room.mat.bones, number):
                room.mat.bones.remove(bone)
            if not room.does(seat, "no_empty"):
                room.film.rest(0.3)
        else:
            self._clear_mat(seat)
        return self._throw(seat, number)

    def _throw(self, seat: int, number: int) -> list[int]:
        """Throw bones until all of them lie well; return their faces."""
        room = self._room
        room.hand(seat, [], 0.5)
        new: list[Bone] = []
        for _ in range(number):
            new.append(self._fall(self._face(), new))
        room.mat.bones += new
        if room.does(seat, "off_mat", Happening.OFF_MAT):
            self._off(seat, room.rng.choice(new))
        elif room.does(seat, "lean", Happening.LEANING):
            room.rng.choice(new).face = None
            self._again(seat, next(bone for bone in new if bone.face is None))
        room.film.rest(0.6)
        faces = [bone.face for bone in new if bone.face is not None]
        room.account.append("throws", [seat, faces])
        if room.does(seat, "bump", Happening.BUMPED):
            self._bump(room.rng.choice(new))
        return faces

    def _off(self, seat: int, bone: Bone) -> None:
        """A bone falls off the mat: it is seen beside it, or not, and thrown again."""
        room = self._room
        wide, _ = room.mat.size
        bone.x = wide + room.rng.uniform(15.0, 40.0)
        bone.off = True
        if room.rng.random() < 0.5:  # it fell out of the picture
            room.mat.bones.remove(bone)
            room.film.rest(0.5)
            room.mat.bones.append(bone)
        else:
            room.film.rest(0.5)
        room.look("off the mat")
        self._rethrow(seat, bone)

    def _again(self, seat: int, bone: Bone) -> None:
        """Throw a bone again that leans (KB-15)."""
        self._room.film.rest(0.6)
        self._room.look("a bone leans")
        self._rethrow(seat, bone)

    def _rethrow(self, seat: int, bone: Bone) -> None:
        room = self._room
        room.hand(seat, [], 0.5)
        room.mat.bones.remove(bone)
        new = self._fall(self._face())
        bone.face, bone.x, bone.y, bone.off = new.face, new.x, new.y, False
        room.mat.bones.append(bone)

    def _bump(self, bone: Bone) -> None:
        """A sleeve moves a bone that was counted; it keeps its points."""
        room = self._room
        room.film.hand(None, [], 0.3)
        others = [each for each in room.mat.bones if each is not bone]
        for _ in range(50):
            x = bone.x + room.rng.choice((-1, 1)) * room.rng.uniform(6.0, 25.0)
            y = bone.y + room.rng.uniform(-10.0, 10.0)
            if all(math.dist((x, y), (b.x, b.y)) > _NEAR_MM for b in others):
                break
        bone.x, bone.y = x, y
        if room.rng.random() < 0.5:
            bone.face = self._face()
        room.film.rest(0.4)
        room.look("a bone was bumped")

    def _face(self) -> int:
        return self._room.rng.choices(FACES, _CHANCES)[0]

    def _fall(self, face: int, thrown: Sequence[Bone] = ()) -> Bone:
        """Return a bone somewhere free on the mat, beside those *thrown* with it."""
        room = self._room
        wide, high = room.mat.size
        for _ in range(50):
            x = room.rng.gauss(wide / 2, wide / 9)
            y = room.rng.gauss(high / 2, high / 9)
            if all(math.dist((x, y), (b.x, b.y)) > _NEAR_MM for b in (*room.mat.bones, *thrown)):
                break
        return Bone(face, x, y)
