"""Add the bones on a table to the reading of its cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.bones.pipeline import BoneOrUnsure, BoneReader
from vision.bones.votes import BoneVotes
from vision.camera.lens import Lens
from vision.geometry import Image, area, holds
from vision.mat.foreground import are_shadows
from vision.mat.pose import MatPose, find_mat
from vision.mat.segmentation import FrameAnalysis
from vision.readings import (
    BackReading,
    BoneReading,
    Quad,
    Reading,
    UnsureBoneReading,
    UnsureReading,
)

CARD_SIZED = 0.3
"""Part of a card's area that no bone covers: a bone is a ninth of a card."""

LEAST, MOST = 0.04, 0.25
"""Parts of a card's area between which a bone's lies: 25 to 40 mm of bone on 57 by 88 of card."""

BESIDE_CARDS = 0.99
"""Confidence below which a bone on a photograph that shows cards, and no mat, is unsure; on a mat
one that lies in a card which is surely there is a part of its picture.

On every third dev photograph of cards 0.97 left four false bones, 0.98 three, 0.99 none; of the
bones of the dev scenes 97 %, 94 % and 83 % are that sure. ``benchmarks/photographs.py`` lists
them for other networks.
"""

TIMES_A_BONE = 3.0
"""How many times as large as a bone a card is at least, seen askew: it is six to twelve times."""

BEYOND_DOUBT = 0.97
"""Confidence from which a bone outweighs backs: where bones lie, those are shadows."""

CLEAR = 0.98
"""Confidence from which a bone is no shadow: those were read with 0.96 and less."""

FAINT = 0.3
"""Confidence under which a card that holds a bone beyond doubt is none: it is the bone's shadow."""

LIKELY_CARD = 0.5
"""Confidence from which a card that is not sure is one, so that what looks like a bone within is
its picture: such were three of five false bones of the rendered mats, and 8 of 12 of photographs.
"""

SURE_CARD = 0.9
"""Probability of lying face up from which it is one on a mat, too, but for the surest of bones: of
a deck without indices no court may have that confidence."""

RIM_MM = 5.0
"""How far beyond the rim of the mat a bone's middle may seem to lie: it has some height."""

SMALLEST_MM = 12.0
"""What is shorter on the mat is no bone: the shortest measures 25 mm, and 15 mm stood on its end. A
word printed on an empty mat measured 10 mm, and was one bone of five."""

THINNEST_MM = 10.5
"""What is thinner on the mat is no bone either: those measure 15 mm and more. Words printed on it
measured 13 mm by 4 to 18 mm by 9, and were bones in dim light."""


Read = Callable[[Image, float | None], tuple[BoneOrUnsure, ...]]
"""Reads the bones of a picture, given its pixels per millimetre, where a mat tells them."""


class BonesOnMat:
    """Reads a mat on which bones are thrown and no cards are played.

    No card is searched for, so none can hide a bone: a bone in the shadow of two others has been
    taken for a card face down. It takes half the time, too.
    """

    def __init__(self, bones: BoneReader, lens: Lens | None = None) -> None:
        """Read with *bones*; *lens* is the camera's."""
        self._bones, self._lens = bones, lens
        self._votes = BoneVotes(bones)
        self.pose: MatPose | None = None
        """Where the mat lay in the last picture; ``None`` where none was seen."""

    def read(self, image: Image, time_s: float = 0.0) -> Reading:
        """Read one picture by itself; without a mat in view its bones have no places.

        Raises:
            ImageError: *image* has another shape or type.
        """
        return self._reading(image, time_s, partial(self._bones.read, alone=True))

    def follow(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read the first frame of a rest.

        Raises:
            ImageError: the frame has another shape or type.
        """
        return self._reading(frame.image, time_s, self._votes.look)

    def is_clear(self, frame: FrameAnalysis) -> bool:
        """Return ``False``: bones roll, so they are read when all is at rest."""
        return False

    @property
    def in_doubt(self) -> bool:
        """Return whether another frame may settle which face of a bone lies up."""
        return self._votes.in_doubt

    def vote(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read all bones on another frame of the same still mat; the mean counts.

        Raises:
            ImageError: the frame has another shape or type.
        """
        return self._reading(frame.image, time_s, self._votes.vote)

    def _reading(self, image: Image, time_s: float, read: Read) -> Reading:
        mat = self.pose = find_mat(image, self._lens)
        seats = None if mat is None else mat.layout.seats
        seen = read(image, None if mat is None else mat.px_per_mm)
        return with_bones(Reading(time_s, seats=seats), seen, image, mat)


def with_bones(
    reading: Reading, seen: tuple[BoneOrUnsure, ...], image: Image, mat: MatPose | None
) -> Reading:
    """Add the bones *seen* in a picture to the *reading* of its cards.

    A bone inside a card that was read is part of its picture, such as a court's sleeve; a back or
    a card unread that is mostly a bone is none.

    *mat* is where the mat lies in it, if one is in view.
    """
    cards = [card.place.corners for card in reading.cards]
    if mat is not None:
        seen = _placed(seen, image, mat)
    seen = _beside(_sized(seen, cards), cards)
    likely = [each.place.corners for each in reading.unsure if each.confidence >= LIKELY_CARD]
    seen = _beside(seen, likely)
    if mat is not None:
        up = [each.place.corners for each in reading.unsure if each.face_up >= SURE_CARD]
        beside = _beside(seen, up)
        seen = tuple(bone for bone in seen if bone.confidence >= BESIDE_CARDS or bone in beside)
    # A bone is found surer than a back: what was taken for one and is mostly a bone is none.
    named = tuple(bone for bone in seen if isinstance(bone, BoneReading))
    sure = [bone for bone in named if _is_beyond_doubt(bone)]
    scale = float(np.median([area(bone.spot.outline) for bone in sure])) if sure else 0.0

    def is_none(card: UnsureReading | BackReading, bones: tuple[BoneOrUnsure, ...]) -> bool:
        too_small = area(card.place.corners) < TIMES_A_BONE * scale
        return too_small or _is_bone(card, bones)

    backs = tuple(back for back in reading.backs if not is_none(back, named))
    on_backs = [back.place.corners for back in backs]
    seen = _beside(seen, on_backs)
    unread = [card for card in reading.unsure if not is_none(card, seen)]
    doubtful = on_backs + [card.place.corners for card in unread]
    if any(map(_is_beyond_doubt, seen)):
        # Where bones lie, their shadows are taken for backs: one bone beyond doubt outweighs those.
        doubtful = []
    if not cards:
        seen = _sized(seen, doubtful)
    if mat is None and (cards or doubtful):
        seen = tuple(_doubted(bone) for bone in seen)
    return replace(
        reading,
        backs=backs,
        unsure=tuple(card for card in unread if not _is_bone(card, seen)),
        bones=tuple(bone for bone in seen if isinstance(bone, BoneReading)),
        unsure_bones=tuple(bone for bone in seen if isinstance(bone, UnsureBoneReading)),
    )


def _is_beyond_doubt(bone: BoneOrUnsure) -> bool:
    return isinstance(bone, BoneReading) and bone.confidence >= BEYOND_DOUBT


def _beside(seen: tuple[BoneOrUnsure, ...], cards: list[Quad]) -> tuple[BoneOrUnsure, ...]:
    """Keep the bones that lie on none of the *cards*."""
    return tuple(bone for bone in seen if not any(holds(quad, bone.spot.centre) for quad in cards))


def _sized(seen: tuple[BoneOrUnsure, ...], cards: list[Quad]) -> tuple[BoneOrUnsure, ...]:
    """Keep what has the size of a bone beside *cards*: a pip is smaller, a book larger."""
    if not cards:
        return seen
    of_card = float(np.median([area(quad) for quad in cards]))
    return tuple(
        bone for bone in seen if LEAST * of_card < area(bone.spot.outline) < MOST * of_card
    )


def _doubted(bone: BoneOrUnsure) -> BoneOrUnsure:
    """Make a bone unsure on a photograph of cards, where knots, pens and pips are commoner."""
    if isinstance(bone, UnsureBoneReading) or bone.confidence >= BESIDE_CARDS:
        return bone
    return UnsureBoneReading((bone.face,), bone.confidence, bone.spot)


def _placed(seen: tuple[BoneOrUnsure, ...], image: Image, mat: MatPose) -> tuple[BoneOrUnsure, ...]:
    """Give the bones their places on the mat; leave out what is something else of its size.

    That is the white pattern of a marker, which nothing covers, what is too short, and the shadow
    of a bone; sure bones are no shadows.
    """
    found: list[BoneOrUnsure] = []
    doubtful: list[int] = []
    outlines = []
    for bone in seen:
        x, y = (float(each) for each in mat.to_mm([bone.spot.centre])[0])
        outline = mat.to_mm(bone.spot.outline)
        is_marker = any(holds(mat.layout.markers[number], (x, y)) for number in mat.bare)
        _, sides, _ = cv2.minAreaRect(outline)
        if is_marker or max(sides) < SMALLEST_MM or min(sides) < THINNEST_MM:
            continue
        if isinstance(bone, UnsureBoneReading) or bone.confidence < CLEAR:
            doubtful.append(len(found))
            outlines.append(outline)
        zone, off_mat = mat.layout.zone_at(x, y), not mat.layout.holds((x, y), RIM_MM)
        spot = replace(bone.spot, centre_mm=(x, y), zone=zone, off_mat=off_mat)
        found.append(replace(bone, spot=spot))
    shade = dict(zip(doubtful, are_shadows(image, mat, outlines), strict=True))
    return tuple(bone for number, bone in enumerate(found) if not shade.get(number))


def _is_bone(card: UnsureReading | BackReading, bones: tuple[BoneOrUnsure, ...]) -> bool:
    """Return whether what was taken for a card is a bone, a part of one, or one with its shadow."""
    size = max(area(card.place.corners), 1.0)
    middle = np.mean(card.place.corners, axis=0)
    faint = isinstance(card, UnsureReading) and card.confidence < FAINT
    for bone in bones:
        of_bone = area(bone.spot.outline)
        if size < TIMES_A_BONE * of_bone and holds(bone.spot.outline, middle):
            return True
        sure = _is_beyond_doubt(bone)
        if holds(card.place.corners, bone.spot.centre) and (
            of_bone > CARD_SIZED * size or (faint and sure)
        ):
            return True
    return False
