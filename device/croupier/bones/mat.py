"""What lies on the mat of a game with knucklebones, and what a look shows otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from device.croupier.looks import Look, LyingBone
from engine.core.bones import Face

UNTOUCHED_MM = 2.0
"""A bone that nobody touched is found again so near."""

PUSHED_MM = 40.0
"""A sleeve pushes a bone no further than this; a throw mostly falls further off."""

NUDGED_MM = 30.0
"""Two bones or more that come to lie so near where they lay, and show what they showed, were not
thrown: a table was knocked, a mat pulled, or the camera erred."""

FINGER_MM = 15.0
"""One bone that comes to lie so near, and shows what it showed, was hardly thrown."""

TOGETHER_MM = 8.0
"""Bones that are pulled with a mat keep their places among each other so well; and two or three
that whoever may throw has touched were not thrown."""

SET = 5
"""The bones of a set; the same five serve (rule KB-6)."""


@dataclass(frozen=True, slots=True)
class BoneMat:
    """What a history believes of the mat.

    Attributes:
        lying: the bones as they lay at the last rest.
        throw: the numbers of the bones of the last throw, in its order.
        loose: numbers of the bones of a throw that is not finished, gone ones too.
        pending: those bones, as they lay last.
        away: bones that have not been seen since they lay there: taken up, or overlooked.
        void: numbers of bones that were thrown when nobody was to throw: they do not count.
        things: what is taken for bones, and is none: coins.
        guessed: numbers of bones of the last throw whose face nobody has read yet.
    """

    lying: tuple[LyingBone, ...] = ()
    throw: tuple[int, ...] = ()
    loose: frozenset[int] = frozenset()
    pending: tuple[LyingBone, ...] = ()
    away: tuple[LyingBone, ...] = ()
    void: frozenset[int] = frozenset()
    things: tuple[LyingBone, ...] = ()
    guessed: frozenset[int] = frozenset()

    @classmethod
    def of(cls, look: Look) -> BoneMat:
        """Return the mat where all that lies belongs to throws that are known."""
        return cls(look.bones)

    def thrown_for_nothing(self, look: Look) -> BoneMat:
        """Return the mat where all that lies in *look* does not count."""
        void = frozenset(bone.number for bone in look.bones)
        return replace(BoneMat.of(look), throw=self.throw, void=void, things=self.things)

    def at(self, look: Look, thrown: frozenset[int] = frozenset()) -> BoneMat:
        """Return the mat with what lies there now.

        A bone that cannot be read now shows what it showed, unless it was *thrown*. Once nothing
        lies there, no bone has been overlooked.
        """
        counted = tuple(bone for bone in self.lying if bone.number not in self.loose)
        faces = {bone.number: bone.face for bone in counted if bone.number not in thrown}
        lying = tuple(
            replace(bone, face=faces.get(bone.number)) if bone.face is None else bone
            for bone in look.bones
        )
        away = (*self.away, *counted) if look.bones else ()
        for bone in look.bones:
            away = tuple(b for b in away if b.number != bone.number and not _untouched(b, bone))
        return replace(self, lying=lying, away=away)

    def guessing(self, throw: Sequence[int], points: Sequence[int]) -> BoneMat:
        """Return the mat where the bones of a *throw* show *points*, in the same order."""
        shown = {n: Face.from_points(each) for n, each in zip(throw, points, strict=False)}
        unread = {bone.number for bone in self.lying if bone.face is None} & {*shown}
        lying = tuple(
            replace(bone, face=shown[bone.number]) if bone.number in unread else bone
            for bone in self.lying
        )
        return replace(self, lying=lying, guessed=frozenset(unread))

    def is_thing(self, bone: LyingBone) -> bool:
        """Return whether *bone* lies where something lay that is none."""
        return any(is_there(thing, bone) for thing in self.things)

    def without(self, things: Sequence[LyingBone]) -> BoneMat:
        """Return the mat where *things* are no bones."""
        return replace(self, things=(*self.things, *things), loose=frozenset(), pending=())

    def renamed(self, before: int, after: int) -> BoneMat:
        """Return the mat where a bone of the last throw has another number now."""
        throw = tuple(after if number == before else number for number in self.throw)
        return replace(self, throw=throw)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a look shows otherwise than a mat.

    Attributes:
        fresh: bones that did not lie there, or belong to no throw yet.
        moved: bones found near where one lay, but not just there, or with another face; and
            those found just where one lay that was not seen meanwhile.
        stayed: bones that nobody touched.
        gone: bones that lie there no more.
        beside: bones that fell beside the mat, and do not count there.
        spare: bones that lay there before.
        nothing: nothing is otherwise.
    """

    fresh: tuple[LyingBone, ...]
    moved: tuple[tuple[LyingBone, LyingBone], ...]
    stayed: tuple[LyingBone, ...]
    gone: tuple[LyingBone, ...]
    beside: tuple[LyingBone, ...]
    spare: tuple[LyingBone, ...]
    nothing: bool

    @property
    def thrown(self) -> tuple[LyingBone, ...]:
        """All bones that may have been thrown, in the order of the look."""
        both = (*self.fresh, *(after for _, after in self.moved))
        return tuple(sorted(both, key=lambda bone: bone.centre))

    @property
    def on_mat(self) -> tuple[LyingBone, ...]:
        """All bones that lie on the mat, or count as if they did."""
        return (*self.thrown, *self.stayed)

    @property
    def leans(self) -> bool:
        """Whether a bone leans, or is not read (rule KB-15)."""
        return any(bone.face is None for bone in self.thrown)

    @property
    def pushed(self) -> tuple[LyingBone, ...]:
        """The fresh bones that may be ones that lay near there, with the same face."""
        left, found = list(self.gone), []
        for bone in self.fresh:
            near = [b for b in left if b.face == bone.face and far_mm(b, bone) <= PUSHED_MM]
            if near:
                left.remove(near[0])
                found.append(bone)
        return tuple(found)

    @property
    def knocked_over(self) -> tuple[LyingBone, ...]:
        """The one fresh bone that lies beside where one lay, and shows another face than that."""
        near = [b for b in self.fresh if any(far_mm(b, was) <= FINGER_MM for was in self.gone)]
        return tuple(near) if len(near) == 1 and not self.pushed else ()

    @property
    def may_have_lain(self) -> Iterator[tuple[LyingBone, ...]]:
        """Yield which of the bones that may have been thrown may have lain there before."""
        moved, over = tuple(after for _, after in self.moved), self.knocked_over
        for bones in dict.fromkeys((moved, self.pushed, (*moved, *self.pushed), over)):
            if 0 < len(bones) < len(self.thrown):
                yield bones

    @property
    def is_swept(self) -> bool:
        """Whether two bones or more lie elsewhere, with the faces that are gone."""
        faces = [sorted(str(b.face) for b in bones) for bones in (self.fresh, self.gone)]
        return len(self.fresh) > 1 and not self.moved and faces[0] == faces[1]

    @property
    def is_set_aside(self) -> bool:
        """Whether some bones are in hand, and all others lie elsewhere and show what they did."""
        some = 1 < len(self.fresh) <= len(self.gone) and len(self.fresh) < SET
        if self.stayed or self.moved or not some:
            return False
        return Counter(b.face for b in self.fresh) <= Counter(b.face for b in self.gone)

    def nudged(self, *, may_throw: bool) -> tuple[tuple[LyingBone, LyingBone], ...]:
        """Return two bones or more that lie a little aside, and show what they showed.

        Several thrown bones do not fall so; but where the hand of who *may_throw* was there, two or
        three that lie beside the others may.
        """
        most_mm = TOGETHER_MM if may_throw and self.stayed else NUDGED_MM
        if len(self.fresh) != len(self.gone) or not 2 <= len(self.thrown) <= SET:
            return ()
        found: tuple[tuple[LyingBone, LyingBone], ...] = ()
        for gone in permutations(self.gone):
            pairs = (*self.moved, *zip(gone, self.fresh, strict=True))
            same = all(now.face in (was.face, None) for was, now in pairs)
            if same and all(far_mm(was, now) <= most_mm for was, now in pairs):
                return pairs
            if same and not self.stayed and _went_together(pairs):
                found = pairs
        return found

    @property
    def is_unsteady(self) -> bool:
        """Whether bones are missing, and all others lie about where some lay.

        Where no hand was over the mat that is a picture which shows less than lies there.
        """
        if not self.gone or len(self.fresh) >= len(self.gone) or self.beside or self.spare:
            return False
        return all(any(far_mm(was, bone) <= NUDGED_MM for was in self.gone) for bone in self.fresh)

    @property
    def pair(self) -> tuple[LyingBone, LyingBone] | None:
        """The one bone that was pushed, as it lay and as it lies."""
        if len(self.moved) == 1 and not self.fresh and not self.gone:
            return self.moved[0]
        if len(self.fresh) == len(self.gone) == 1 and not self.moved:
            return self.gone[0], self.fresh[0]
        return None

    @property
    def turned(self) -> tuple[tuple[LyingBone, LyingBone], ...]:
        """The bones that lie just where they lay and show other faces, if no other one changed."""
        alone = not self.fresh and not self.gone
        return self.moved if alone and all(is_near(*pair) for pair in self.moved) else ()


def changes(mat: BoneMat, look: Look) -> Changes:
    """Return what *look* shows otherwise than *mat* has it."""
    before = {bone.number: bone for bone in mat.lying}
    now = {bone.number for bone in look.bones}
    fresh, moved, stayed = [], [], []
    beside: list[LyingBone] = []
    spare: list[LyingBone] = []
    nothing = True
    for bone in look.bones:
        if mat.is_thing(bone):
            continue
        was = before.get(bone.number)
        loose = bone.number in mat.loose
        # What counted though it was not read may be read later.
        counted = bone.number in mat.throw and not loose
        faces = {bone.face, None} if counted else {bone.face}
        # What is not read any more is no other bone for that.
        unread = bone.face is None and not loose
        same = was is not None and is_near(was, bone) and (unread or was.face in faces)
        back = next((b for b in mat.away if was is None and _untouched(b, bone)), None)
        nothing &= same and (was is None or was.allowed == bone.allowed)
        if bone.off_mat and not bone.allowed:
            (spare if same and not loose else beside).append(bone)
        elif back is not None:
            moved.append((back, bone))
        elif was is None or loose or (was.off_mat and not was.allowed):
            fresh.append(bone)
        elif same:
            stayed.append(bone)
        else:
            moved.append((was, bone))
    gone = tuple(
        b for b in mat.lying if b.number not in now and not b.off_mat and not mat.is_thing(b)
    )
    return Changes(
        tuple(fresh),
        tuple(moved),
        tuple(stayed),
        gone,
        tuple(beside),
        tuple(spare),
        nothing,
    )


def _went_together(pairs: Sequence[tuple[LyingBone, LyingBone]]) -> bool:
    """Return whether all bones went the same way, and no further than a sleeve pushes them."""
    x, y = (sum(now.centre[k] - was.centre[k] for was, now in pairs) / len(pairs) for k in (0, 1))
    ends = ((was.centre[0] + x, was.centre[1] + y) for was, _ in pairs)
    apart = (math.dist(end, now.centre) for end, (_, now) in zip(ends, pairs, strict=True))
    return math.hypot(x, y) <= PUSHED_MM and all(each <= TOGETHER_MM for each in apart)


def far_mm(a: LyingBone, b: LyingBone) -> float:
    """Return how far two bones lie from each other, in millimetres."""
    return math.dist(a.centre, b.centre)


def _untouched(a: LyingBone, b: LyingBone) -> bool:
    """Return whether a bone lies where it lay, and what is read of it does not deny it."""
    return is_near(a, b) and (a.face is b.face or None in (a.face, b.face))


def is_near(a: LyingBone, b: LyingBone) -> bool:
    """Return whether a bone lies where another lay, as one that nobody touched does."""
    return far_mm(a, b) <= UNTOUCHED_MM


def is_there(a: LyingBone, b: LyingBone) -> bool:
    """Return whether what was found is the same thing: the middle of what is no bone jumps."""
    return far_mm(a, b) <= TOGETHER_MM
