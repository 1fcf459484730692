"""Count bones that are thrown.

A throw is the bones that came to rest together, where none lay before. Bones that were pushed count
as they fell; those that lean or lie beside the mat do not count until they lie flat on it.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Sequence

from device.croupier.bones.mat import PUSHED_MM, UNTOUCHED_MM, BoneMat, Changes, changes, far_mm
from device.croupier.counting.counter import Counter, Found, Throw
from device.croupier.looks import Look, LyingBone

LATE_S = 1.0
"""Bones that come to rest so soon after a throw, which stays, are of it: a hand had hidden them."""

PUSHED_FAR_MM = 80.0
"""A bone that shows the same face, the others untouched, was pushed no further; else thrown."""


class BoneCounter(Counter):
    """Counts bones."""

    def __init__(self, throws: Iterable[Throw] = ()) -> None:
        """Begin as :class:`Counter` does."""
        super().__init__(throws)
        self._mat = BoneMat()
        self._gone: list[LyingBone] = []  # taken up, or hidden, since the last throw
        self._unread_then: set[int] = set()  # numbers of bones of the last throw

    def undo(self) -> Throw | None:
        """Take the last throw back."""
        self._unread_then.clear()
        return super().undo()

    def _found(self, look: Look) -> Found:
        return _read(bone for bone in look.bones if not bone.off_mat)

    def _recall(self, look: Look) -> None:
        self._mat = BoneMat.of(look)

    def _count(self, look: Look, time_s: float) -> None:
        change = changes(self._mat, look)
        self._mat = BoneMat.of(look)
        came_from_beside = self.beside
        self.beside = sum(bone.off_mat for bone in look.bones)
        came_from_beside = max(0, came_from_beside - self.beside)
        self._read_late(change)
        fresh, moved = self._new(change)
        if not _read(fresh):
            self._gone += change.gone
        elif not self._is_back(fresh) and not self._is_pushed(fresh, change):
            stayed = (*change.stayed, *moved)
            if len(fresh) > 1 and len(change.gone) > 1:
                # So much is new that what lies near to where one lay was thrown there.
                fresh, stayed = (*fresh, *moved), change.stayed
            again = {bone.number for bone in change.gone} & self._unread_then
            late = time_s - self._rest_s <= LATE_S and not change.gone
            more = len(fresh) <= len(again) + came_from_beside and len(again) == len(change.gone)
            if (late or more) and self._are_of_last(stayed):
                self._extend(_read(fresh))
                self._unread_then -= again
            else:
                kept = {self._item_of.get(bone.number, 0) for bone in stayed}
                self._add(_read(fresh), kept, time_s)
                self._unread_then.clear()
                self._gone.clear()
            self._unread_then |= {bone.number for bone in fresh if bone.face is None}
            self._rest_s = time_s
        self.unread = tuple(
            bone
            for bone in look.bones
            if bone.face is None and not bone.off_mat and bone.number not in self._item_of
        )

    def _read_late(self, change: Changes) -> None:
        """Add to the last throw the bones of it that were seen, but are only now read."""
        now = [a for _, a in change.moved if a.face and a.number in self._unread_then]
        if now:
            self._unread_then -= {bone.number for bone in now}
            self._extend(_read(now))

    def _new(self, change: Changes) -> tuple[tuple[LyingBone, ...], tuple[LyingBone, ...]]:
        """Return the bones that are new, and those that lie nearly where they lay.

        A bone of no throw that was never read is new when it is.
        """
        first = [
            after
            for before, after in change.moved
            if before.face is None
            and after.number not in self._item_of
            and after.number not in self._unread_then
        ]
        moved = tuple(after for _, after in change.moved if after not in first)
        return (*change.fresh, *first), moved

    def _are_of_last(self, bones: Sequence[LyingBone]) -> bool:
        if not self.throws:
            return False
        last = {item.number for item in self.throws[-1].items}
        return any(self._item_of.get(bone.number) in last for bone in bones)

    def _is_back(self, fresh: Sequence[LyingBone]) -> bool:
        """Return whether all that is new lay just there before a hand hid it."""
        left, back = list(self._gone), []
        for bone in fresh:
            for was in left:
                if far_mm(was, bone) <= UNTOUCHED_MM and was.face in (bone.face, None):
                    left.remove(was)
                    back.append((was, bone))
                    break
            else:
                return False
        self._gone = left
        for was, bone in back:
            self._hand_on(was, bone)
        return True

    def _is_pushed(self, fresh: Sequence[LyingBone], change: Changes) -> bool:
        """Return whether the new bones are those that are gone, pushed: they count as they fell."""
        gone = list(change.gone)
        if len(fresh) != len(gone):
            return False
        if len(fresh) == 1:
            was, bone, same = gone[0], fresh[0], gone[0].face == fresh[0].face
            # Who pushes one may touch others, or only their shadows.
            alike = all(before.face in (after.face, None) for before, after in change.moved)
            if change.stayed or change.moved:
                pushed = alike and far_mm(was, bone) <= (PUSHED_FAR_MM if same else PUSHED_MM)
            else:
                pushed = same and far_mm(was, bone) <= PUSHED_MM
        else:
            faces = [Multiset(each.face for each in bones) for bones in (fresh, gone)]
            pushed = bool(change.stayed) and not change.moved and faces[0] == faces[1]
        if pushed:
            for bone in fresh:
                was = min(gone, key=lambda each: (each.face != bone.face, far_mm(each, bone)))
                gone.remove(was)
                self._hand_on(was, bone)
        return pushed

    def _hand_on(self, was: LyingBone, bone: LyingBone) -> None:
        """Let *bone* be what *was* counted as."""
        if was.number in self._item_of:
            self._item_of[bone.number] = self._item_of.pop(was.number)
        elif was.number in self._unread_then:
            self._unread_then.remove(was.number)
            if bone.face is None:
                self._unread_then.add(bone.number)
            else:
                self._extend(_read([bone]))


def _read(bones: Iterable[LyingBone]) -> Found:
    return [(bone.number, bone.face) for bone in bones if bone.face is not None]
