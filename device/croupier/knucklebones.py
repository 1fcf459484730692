"""The croupier of One-and-Twenty: bones at rest on the mat become throws (rules KB-4 to KB-20).

Whose bones they are, the game knows: it is one player's turn. Which of them are new is told by
their places, so the first throw may be left lying or lifted before the second, as people please.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.croupier import questions as ask
from device.croupier.base import Croupier
from device.croupier.proposal import Proposal
from device.croupier.questions import Notice, Question, QuestionKind
from device.ports import Button, Press
from engine.core.bones import Face
from engine.core.events import Choose, Correct, CorrectBone, Roll, Stake, Undo
from engine.core.messages.message import Message
from engine.core.messages.words import count
from engine.core.views import Phase, SeatView, View
from vision.readings import Point, Reading

SAME_PLACE_MM = 10.0
"""A bone found this near to where one lay is that bone: a bone is at least 25 mm long."""


@dataclass(slots=True, eq=False)
class LyingBone:
    """A bone on the mat.

    Attributes:
        number: order of appearance.
        seen: the face read; ``None`` when it was not read with certainty.
        candidates: the likeliest faces of one that is not sure, best first.
        named: what a person said that it shows.
        counted: it belongs to a throw that the game knows of, or to nobody's.
        cocked: a person said that it leans or stands on end: it is thrown again (KB-15).
        kept: the face that a person confirmed although another one is read.
        off_mat: it lies beside the mat.
        allowed: a person said that it counts there.
    """

    number: int
    centre: Point
    seen: Face | None
    candidates: tuple[Face, ...] = ()
    named: Face | None = None
    counted: bool = False
    cocked: bool = False
    kept: Face | None = None
    off_mat: bool = False
    allowed: bool = False

    @property
    def face(self) -> Face | None:
        """What it shows: a person's word first, then the reading."""
        return self.named if self.named is not None else self.seen


class BoneMemory:
    """The bones on the mat, by place."""

    def __init__(self) -> None:
        """Start with an empty mat."""
        self.bones: list[LyingBone] = []
        self.lifted: list[LyingBone] = []
        self._next = 0

    def update(self, reading: Reading) -> None:
        """Recognise what lay there before, forget what is gone, and number what is new."""
        old = list(self.bones)
        now = []
        for centre, face, candidates, off_mat in _observations(reading):
            near = min(old, key=lambda bone: math.dist(bone.centre, centre), default=None)
            if near is None or math.dist(near.centre, centre) > SAME_PLACE_MM:
                self._next += 1
                now.append(LyingBone(self._next, centre, face, candidates, off_mat=off_mat))
                continue
            old.remove(near)
            if face != near.seen:
                near.named, near.cocked = None, False
            near.centre, near.seen, near.candidates = centre, face, candidates
            near.off_mat = off_mat
            now.append(near)
        # An empty mat makes all clear: what lies there next was thrown.
        self.lifted = [bone for bone in (*self.lifted, *old) if bone.counted] if now else []
        self.bones = sorted(now, key=lambda bone: bone.number)

    def count_all(self) -> None:
        """Note that the game knows all that lies there: only what comes now is new."""
        for bone in self.bones:
            bone.counted = True
        self.lifted = []


class BoneCroupier(Croupier):
    """Bones at rest, one player's throw after another."""

    def __init__(self) -> None:
        """Start knowing nothing: the first reading is taken together with the game's state."""
        super().__init__()
        self.memory = BoneMemory()
        self._first_look = True
        self._thrown: list[LyingBone] = []
        self._thrown_at = (-1, -1)
        self._doubt = (0, 0, 0)

    def _remember(self, reading: Reading) -> None:
        self.memory.update(reading)

    def _interpret(self, proposal: Proposal) -> None:
        if self._first_look:
            self._first_look = False
            self._tie_to_game(proposal.view)
        if proposal.view.phase is Phase.DONE:
            self._gather(proposal)
            return
        if not proposal.view.bones_due:
            self._follow_pushed()
        self._bumped(proposal)
        if proposal.view.bones_due:
            self._throw(proposal)
        elif proposal.view.stage == "choose" and proposal.view.turn is not None:
            self._how_many(proposal, proposal.view.turn)

    # Throws

    def _throw(self, proposal: Proposal) -> None:
        """Take the bones that are new as the throw that the game waits for."""
        due, seat = proposal.view.bones_due, proposal.view.turn
        if seat is None:
            return
        bones = self.memory.bones
        new = [bone for bone in bones if not bone.counted]
        if not new:
            return
        # What lies beside the mat is spare, unless just so many bones are missing on it.
        inside = [bone for bone in new if not bone.off_mat]
        thrown = self._thrown_now(inside, due) if inside else None
        if thrown is None and len(new) == due:
            thrown = new
        if thrown is None:
            if inside:
                self._wrong_number(proposal, len(inside), due)
            return
        for bone in thrown:
            if bone.off_mat and not bone.allowed:
                self._off_the_mat(proposal, seat, bone)
                return
            if bone.cocked or (bone.face is None and not bone.candidates):
                proposal.notify(
                    Message("A bone of {name} leans or stands on end.", name=proposal.name(seat)),
                    Message("Throw that bone again, and leave the others where they lie."),
                )
                return
            if bone.face is None:
                about = ask.which_face(proposal.name(seat), seat, bone.candidates)
                proposal.ask(replace(about, thing=bone.number, place=bone.centre))
                return
        faces = tuple(bone.face.points for bone in thrown if bone.face is not None)
        if proposal.play(Roll(seat, faces)):
            self.memory.count_all()
            self._thrown = list(thrown)
            self._thrown_at = (seat, len(proposal.view.seat(seat).throws) - 1)

    def _off_the_mat(self, proposal: Proposal, seat: int, bone: LyingBone) -> None:
        """Ask about a bone that fell beside the mat: it counts, or is thrown again (KB-15)."""
        if bone.cocked:
            proposal.notify(
                Message("A bone of {name} lies off the mat.", name=proposal.name(seat)),
                Message("Throw that bone again, and leave the others where they lie."),
            )
            return
        about = ask.off_the_mat(proposal.name(seat), seat)
        proposal.ask(replace(about, thing=bone.number, place=bone.centre))

    def _thrown_now(self, new: Sequence[LyingBone], due: int) -> Sequence[LyingBone] | None:
        """Return the bones of this throw; ``None`` when they are not so many."""
        bones = [bone for bone in self.memory.bones if not bone.off_mat]
        gone = self.memory.lifted
        if len(new) == due:
            return new
        if gone and len(bones) == due:
            return bones  # all were lifted and thrown; some fell where others had lain
        knocked = [bone for bone in gone if bone.face is not None]
        if knocked and len(new) == due + len(knocked):
            return _without(new, knocked)
        return None

    def _wrong_number(self, proposal: Proposal, seen: int, due: int) -> None:
        if seen < due:
            proposal.notify(
                Message("I see {bones} of {due}.", bones=count(seen, "bone"), due=due),
                Message(
                    "A bone off the mat is thrown again; bones that hide each other, moved apart."
                ),
                urgent=False,
            )
        else:
            proposal.notify(
                Message("I see {bones}, and {due} are thrown.", bones=count(seen, "bone"), due=due),
                Message("Take the others off the mat."),
            )

    def _follow_pushed(self) -> None:
        """Find bones of the last throw again that were pushed away while none was to be thrown."""
        gone = [bone for bone in self._thrown if bone not in self.memory.bones]
        new = [bone for bone in self.memory.bones if not bone.counted]
        if len(gone) != len(new):
            return  # taken up, or thrown before it was time
        pairs = [(old, bone) for old in gone for bone in new]
        # Who shows the same face is the same; of the others it is the nearest.
        for old, bone in sorted(pairs, key=_unlikeness):
            if old in gone and bone in new:
                gone.remove(old)
                new.remove(bone)
                bone.counted, bone.kept = True, old.kept
                self._thrown[self._thrown.index(old)] = bone
                if old in self.memory.lifted:
                    self.memory.lifted.remove(old)

    def _bumped(self, proposal: Proposal) -> None:
        """Ask about a bone of the last throw that shows another face than was counted (KB-20)."""
        last = _last_throw(proposal.view)
        if last is None or len(self._thrown) != len(last[2]):
            return
        seat, roll, faces = last
        for place, (bone, points) in enumerate(zip(self._thrown, faces, strict=True)):
            was, now = Face.from_points(points), bone.face
            if bone not in self.memory.bones or now is None or now in (was, bone.kept):
                continue
            about = ask.bone_changed(proposal.name(seat.seat), seat.seat, was, now)
            proposal.ask(replace(about, thing=bone.number, place=bone.centre))
            self._doubt = (seat.seat, roll, place)
            return

    def _how_many(self, proposal: Proposal, seat: int) -> None:
        """Ask for the one decision: how many more bones (rule KB-5)."""
        allowed = tuple(
            number for number in range(MOST_BONES) if proposal.refusal(Choose(seat, number)) is None
        )
        proposal.ask(
            ask.how_many(proposal.name(seat), seat, proposal.view.seat(seat).total, allowed)
        )

    # Answers

    def _on_answer(self, question: Question, button: Button, proposal: Proposal) -> None:
        yes = button is Button.HAVE
        chosen = question.candidates[question.selected] if yes and question.candidates else None
        if question.kind is QuestionKind.HOW_MANY:
            if isinstance(chosen, int) and question.seat is not None:
                proposal.play(Choose(question.seat, chosen))
            elif button is Button.UNDO:
                self._take_back(proposal)
            return
        bone = next((b for b in self.memory.bones if b.number == question.thing), None)
        if bone is None:
            return  # the bone is gone, and the question with it
        if question.kind is QuestionKind.OFF_MAT:
            bone.allowed, bone.cocked = yes, not yes
        elif not isinstance(chosen, Face):
            bone.cocked = True
        elif question.kind is QuestionKind.BUMPED:
            seat, roll, place = self._doubt
            was = question.candidates[1]
            if chosen == was:
                bone.kept = bone.face
            else:
                proposal.play(CorrectBone(seat, roll, place, chosen.points))
        else:
            bone.named = chosen

    def _have_or_stick(self, press: Press, proposal: Proposal) -> None:
        """Raise or lower a stake before the first throw (KB-2); else have or stick (KB-17)."""
        seat = press.seat if press.seat is not None else proposal.view.turn
        laying = proposal.view.phase is Phase.PLAY and not any(
            s.throws for s in proposal.view.seats
        )
        if laying and press.seat is not None:
            # Any button can be pressed, a free seat's too: whether it counts the rules say.
            stakes = {each.seat: each.stake_laid for each in proposal.view.seats}
            laid = stakes.get(press.seat, 0)
            more = 1 if press.button is Button.HAVE else -1
            proposal.play(Stake(press.seat, max(1, laid + more)))
        elif proposal.view.stage == "one" and seat is not None:
            super()._have_or_stick(press, proposal)
        else:
            proposal.notify(
                Message("The bones speak now."), Message("Throw them, or choose how many more.")
            )

    def _on_correction(self, event: Correct | CorrectBone) -> None:
        self._name(event, None)

    def _on_correction_undone(self, event: Correct | CorrectBone, proposal: Proposal) -> None:
        self._name(event, proposal.view)

    def _name(self, event: Correct | CorrectBone, restored: View | None) -> None:
        """Name a bone of the last throw, if it is that one; bones of earlier throws are gone."""
        if not isinstance(event, CorrectBone) or (event.seat, event.roll) != self._thrown_at:
            return
        points = event.face
        if restored is not None:
            points = restored.seat(event.seat).throws[event.roll][event.pos]
        if event.pos < len(self._thrown):
            self._thrown[event.pos].named = Face.from_points(points)

    # Between the throws

    def _tie_to_game(self, seen: View) -> None:
        """After a new start: bones that lie there as the last throw did are that throw."""
        last = _last_throw(seen)
        if last is None:
            return
        faces = Counter(last[2])
        lying = Counter(b.face.points for b in self.memory.bones if b.face is not None)
        if faces == lying:
            self.memory.count_all()

    def _take_back(self, proposal: Proposal) -> None:
        if proposal.play(Undo()):
            self._on_undo(proposal)

    def _on_undo(self, proposal: Proposal) -> None:
        # The bones still lie as they lay: a throw taken back is not made again by itself.
        self.memory.count_all()
        self._thrown = []

    def _left_on_mat(self) -> int:
        return 0  # bones that lie there are lifted to be thrown: nothing has to be gathered

    def _clear(self) -> None:
        self.memory.count_all()

    def _gather_words(self, left: int) -> Notice:
        bones = count(left, "bone")
        return Notice(Message("Take up the bones: {bones} still on the mat.", bones=bones))

    def _on_hand_started(self, proposal: Proposal) -> None:
        self.memory.count_all()
        self._thrown = []


MOST_BONES = 25
"""More than any rule allows to be thrown at once: an end for the search of what may be chosen."""


BoneObservation = tuple[Point, Face | None, tuple[Face, ...], bool]
"""Where a bone lies in millimetres, its face or its candidates, and whether it is off the mat."""


def _observations(reading: Reading) -> list[BoneObservation]:
    """Return every bone of a reading that has a place, on the mat or beside it."""
    found: list[BoneObservation] = []
    for bone in reading.bones:
        if bone.spot.centre_mm is not None:
            found.append((bone.spot.centre_mm, bone.face, (), bone.spot.off_mat))
    for unsure in reading.unsure_bones:
        spot = unsure.spot
        if spot.centre_mm is not None:
            found.append((spot.centre_mm, None, unsure.candidates, spot.off_mat))
    return sorted(found, key=lambda observation: observation[0])


def _unlikeness(pair: tuple[LyingBone, LyingBone]) -> tuple[bool, float]:
    """Return how unlike two bones are: other faces first, then the distance."""
    old, bone = pair
    return old.face != bone.face, math.dist(old.centre, bone.centre)


def _last_throw(seen: View) -> tuple[SeatView, int, tuple[int, ...]] | None:
    """Return whose throw was the last of the round, which of theirs it was, and its points."""
    order = [s for s in seen.seats if s.throws]
    if not order or seen.dealer is None:
        return None
    dealer = seen.dealer
    last = max(order, key=lambda s: (s.seat == dealer, s.seat <= dealer, s.seat))
    return last, len(last.throws) - 1, last.throws[-1]


def _without(
    bones: Sequence[LyingBone], knocked: Sequence[LyingBone]
) -> Sequence[LyingBone] | None:
    """Return *bones* without those of an earlier throw that were pushed to new places.

    Only faces tell which they are: of equals it does not matter which is taken. ``None`` when one
    of them shows no face that is among *bones*: it was turned over.
    """
    left = list(bones)
    for old in knocked:
        same = next((bone for bone in left if bone.face == old.face), None)
        if same is None:
            return None
        left.remove(same)
    return left
