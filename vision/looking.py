"""Look at a picture: find, straighten, read faces and indices, and weigh one against the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import CardFinder, Detection, IndexDetection
from vision.card_geometry import READ, Points, area, is_card_like, overlap, straighten, with_room
from vision.card_reader import CardLook, CardReader, FaceLook
from vision.corner_geometry import IndexFrame, frames_of
from vision.corner_reader import CornerReader, IndexLook
from vision.mat import MatPose
from vision.mat_finder import OnMat, find_on_mat
from vision.taught import BACK, DeckMatcher, TaughtDeck
from vision.weighing import ON_MAT, WEIGHTS, weigh

WARM, WARM_ON_MAT = 0.3, 0.2
"""Heat below which a thing found is not looked at; on a mat its size speaks for it as well."""

PART = 0.15
"""Part of a find that may lie on a card found by its outline, where the finder was asked too."""

TAKEN = 0.8
"""Part of a find on a mat where something must lie: half a card and half the mat are no card."""

BESIDE = 0.2
"""Part of a find that a surer one may share before its face alone is not believed."""

NOT_UP = 0.2
"""Probability of lying face up below which a card is taken for a back if the finder says so."""

IS_CARD = 0.5
"""Probability below which a thing found is no card at all."""

SETTLED = 0.98
"""Certainty of each of two indices that makes reading the face unnecessary on a mat."""

DOUBTFUL = 0.9
"""Confidence below which a card is read again from other crops."""

TAUGHT_ALIKE = 0.75
"""Likeness to a taught print above which a thing found is a card of that deck."""

REACH = 0.2
"""How far from a card's corner its index may lie, in widths of the card."""

MISFIT = 0.45
"""How badly an index may fit a card that it belongs to, in parts of the card's width."""

READABLE = 0.5
"""Probability above which an index is taken for one."""

ALONE = 0.8
"""The same where nothing but the index speaks for a card."""

LONE = 0.85
"""Confidence below which a card of which only one index is seen is in doubt."""


@dataclass(slots=True, eq=False)
class Evidence:
    """All that is known of one card while it is being looked at."""

    quad: Points
    heat: float
    says_up: bool
    face: FaceLook | None = None
    indices: list[IndexLook] = field(default_factory=list)
    found: list[IndexFrame] = field(default_factory=list)
    """Indices that the finder saw at its corners."""
    strange: list[IndexFrame] = field(default_factory=list)
    """Indices of other cards near its corners."""
    taught: NDArray[np.float64] | None = None
    covered: float = 0.0
    """Part of it, 0.0-1.0, over or under which other cards lie."""
    doubted: bool = False
    """What is seen of its face may be another card's."""

    def places(self) -> list[list[IndexFrame]]:
        """Return where its indices may lie: for each, one or more frames to read it in.

        The outline of a card half covered is a guess at its far end; where the finder saw an
        index itself, that is the better place to look.
        """
        own: list[list[IndexFrame]] = [
            [frame]
            for frame in frames_of(self.quad)
            if not any(_at(seen, frame, REACH) for seen in self.strange)
        ]
        others: list[list[IndexFrame]] = []
        for seen in self.found:
            near = [group for group in own if _at(seen, group[0], REACH)]
            if near:
                near[0].append(seen)
            else:
                others.append([seen])
        return own + others

    def is_settled(self) -> bool:
        """Judge whether the indices alone leave no doubt: both are read, surely and alike."""
        if len(self.indices) != 2 or min(look.readable for look in self.indices) < SETTLED:
            return False
        told = [weigh(None, [look]) for look in self.indices]
        best = int(told[0].argmax())
        return all(cards[best] > SETTLED for cards in told)

    def look(self) -> CardLook:
        """Weigh the evidence."""
        clear = any(look.readable > READABLE for look in self.indices)
        counts = max(0.0, 1.0 - 2.5 * self.covered) if clear else 1.0
        weights = ON_MAT if self.heat >= 1.0 else WEIGHTS
        cards = weigh(
            self.face, self.indices, face_counts=counts, taught=self.taught, weights=weights
        )
        if self.face is None:
            up = max(look.readable for look in self.indices)
            # One witness alone must be sure of itself: else it is asked about.
            up = up if up * float(cards.max()) >= LONE else min(up, 0.5)
            return CardLook(self.quad, up, 0.0, cards)
        up, down = float(self.face.kinds[0]), float(self.face.kinds[1])
        if clear and up < 0.9:
            # An index is never on a back, nor where no card is.
            up = max(up, *(look.readable for look in self.indices))
            down = min(down, 1 - up)
        elif self.doubted:
            up = min(up, 0.5)
        return CardLook(self.quad, up, down, cards)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A card as it was shown: float32 (4, 2) *quad*, what its face says, and its straight crop."""

    quad: Points
    face: FaceLook
    crop: NDArray[np.uint8]


class Looker:
    """Runs the networks over a picture, in passes over all cards at once."""

    def __init__(self, taught: TaughtDeck | None = None) -> None:
        """Load the networks; *taught* is the deck on the table, if it was taught.

        Raises:
            DeckError: no card of the deck has been taught.
            ModelError: a network is missing or damaged.
        """
        self._finder = CardFinder(threshold=WARM_ON_MAT, index_threshold=0.25)
        self._cards = CardReader()
        self._corners = CornerReader()
        self._matcher = DeckMatcher(taught, self._cards.prints) if taught else None

    def prints(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Return the prints of straightened cards: see :meth:`CardReader.prints`."""
        return self._cards.prints(crops)

    def shown(self, image: NDArray[np.uint8], pose: MatPose | None, card_mm: float) -> list[Shown]:
        """Return the cards that lie there, whatever they are.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            pose: where the mat lies, if there is one.
            card_mm: the width of a card.
        """
        if pose is None:
            cards = [d for d in self._finder.find(image).cards if d.heat >= WARM]
        else:
            cards, _, _ = self._found_on_mat(image, pose, pose.px_per_mm * card_mm)
        kept: list[Points] = [d.quad for d in cards if d.heat >= 1.0]
        bent = [d.quad for d in cards if d.heat < 1.0]
        for quad in self._cards.straightened(image, bent):
            if is_card_like(quad) and not any(_excludes(quad, other) for other in kept):
                kept.append(quad)
        faces = self._cards.read(image, kept)
        return [
            Shown(quad, face, straighten(image, quad, READ))
            for quad, face in zip(kept, faces, strict=True)
            if pose is not None or face.kinds[2] < IS_CARD
        ]

    def look(self, image: NDArray[np.uint8], card_px: float | None = None) -> list[CardLook]:
        """Look at all that can be found; of two that cannot both be cards the better is kept.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            card_px: the width of a card in pixels, where it is known.
        """
        found = self._finder.find(image, card_px)
        cards = [d for d in found.cards if d.heat >= WARM]
        whole = _kept(self._wholes(image, cards, found.indices))
        alone = self._alone(image, found.indices, whole)
        return [e.look() for e in (*whole, *alone)]

    def look_on_mat(
        self,
        image: NDArray[np.uint8],
        pose: MatPose,
        card_mm: float,
        wanted: Callable[[Points], bool] | None = None,
    ) -> list[CardLook]:
        """Look at what lies on a mat.

        What is as large as a card is read at once; where cards overlap, or something else lies,
        the finder is asked.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            pose: where the mat lies.
            card_mm: the width of a card.
            wanted: says of an outline, float32 (4, 2), whether to look there; by default
                everywhere.
        """
        cards, indices, on_mat = self._found_on_mat(image, pose, pose.px_per_mm * card_mm)
        if wanted is not None:
            cards = [d for d in cards if wanted(d.quad)]
            indices = [i for i in indices if wanted(i.frame.quad())]
        whole = _kept(self._wholes(image, cards, indices, quick=True))
        whole = [e for e in whole if not _is_ghost(e, whole, on_mat.share(pose.to_mm(e.quad)))]
        alone = self._alone(image, indices, whole)
        return [e.look() for e in (*whole, *alone)]

    def _found_on_mat(
        self, image: NDArray[np.uint8], pose: MatPose, card_px: float
    ) -> tuple[list[Detection], list[IndexDetection], OnMat]:
        """Find by outline, with all heat, and by the network where something else lies."""
        on_mat = find_on_mat(image, pose)
        cards = [Detection(quad, True, 1.0) for quad in on_mat.cards]
        indices: list[IndexDetection] = []
        for box in on_mat.rest:
            left, top, right, bottom = with_room(box, card_px, image.shape)
            found = self._finder.find(image[top:bottom, left:right], card_px)
            by = np.array([left, top], np.float32)
            others = [replace(d, quad=d.quad + by) for d in found.cards]
            # The room round the box shows parts of cards that were found by their outlines.
            cards += [d for d in others if not any(overlap(d.quad, q) > PART for q in on_mat.cards)]
            indices += [replace(i, frame=i.frame.moved(by)) for i in found.indices]
        return cards, indices, on_mat

    def again(self, image: NDArray[np.uint8], looks: Sequence[CardLook]) -> list[CardLook]:
        """Look again at cards whose outlines are known, on another frame of a still table.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            looks: what :meth:`look` gave on a frame before.
        """
        faces = self._cards.read(image, [look.quad for look in looks])
        frames = [frame for look in looks for frame in frames_of(look.quad)]
        indices = self._corners.read(image, frames)
        evidence = [
            Evidence(look.quad, 1.0, True, face, indices[2 * n : 2 * n + 2])
            for n, (look, face) in enumerate(zip(looks, faces, strict=True))
        ]
        self._match(evidence)
        _note_covers(evidence)
        return [e.look() for e in evidence]

    def _wholes(
        self,
        image: NDArray[np.uint8],
        cards: Sequence[Detection],
        indices: Sequence[IndexDetection],
        *,
        quick: bool = False,
    ) -> list[Evidence]:
        """Read what was found as whole cards.

        *quick* is for the mat, where all is seen well: what was found by its outline, with all
        heat, is straight, and a face is left unread where both its indices say the same and are
        sure.
        """
        bent = [d for d in cards if not (quick and d.heat >= 1.0)]
        straight = self._cards.straightened(image, [d.quad for d in bent])
        cards = [d for d in cards if quick and d.heat >= 1.0] + bent
        quads = [d.quad for d in cards[: len(cards) - len(bent)]] + straight
        evidence = [
            Evidence(quad, d.heat, d.face_up)
            for d, quad in zip(cards, quads, strict=True)
            if is_card_like(quad)
        ]
        _hand_out(indices, evidence)
        self._read_indices(image, evidence)
        open_ = [e for e in evidence if not (quick and self._matcher is None and e.is_settled())]
        faces = self._cards.read(
            image, [e.quad for e in open_], once=quick and self._matcher is None
        )
        for e, face in zip(open_, faces, strict=True):
            e.face = _as_found(face, e) if quick else face
            if face.kinds[1] > 0.9:
                e.indices = []
        self._match(open_)
        _note_covers(evidence)
        self._again(image, [e for e in open_ if _is_doubtful(e.look())])
        return [e for e in evidence if _is_card(e.look())]

    def _read_indices(
        self,
        image: NDArray[np.uint8],
        evidence: Sequence[Evidence],
        *,
        often: bool = False,
    ) -> None:
        """Read the indices of each card, in place; of frames for the same one the best counts."""
        places = [e.places() for e in evidence]
        frames = [frame for groups in places for group in groups for frame in group]
        looks = iter(self._corners.read(image, frames, often=often))
        for e, groups in zip(evidence, places, strict=True):
            e.indices = [
                max((next(looks) for _ in group), key=lambda look: look.readable)
                for group in groups
            ]

    def _again(self, image: NDArray[np.uint8], doubtful: Sequence[Evidence]) -> None:
        """Read doubtful cards again from crops cut otherwise, in place."""
        faces = self._cards.read(image, [e.quad for e in doubtful], often=True)
        self._read_indices(image, doubtful, often=True)
        for e, face in zip(doubtful, faces, strict=True):
            assert e.face is not None
            e.face = replace(face, kinds=e.face.kinds)
        self._match(doubtful)

    def _match(self, evidence: Sequence[Evidence]) -> None:
        """Add the word of the taught deck, in place."""
        if self._matcher is None or not evidence:
            return
        prints = np.stack([e.face.seen for e in evidence if e.face is not None])
        words = self._matcher.words(prints)
        likeness = self._matcher.likeness(prints)
        for e, word, alike in zip(evidence, words, likeness, strict=True):
            assert e.face is not None
            e.taught = word
            best = float(alike[:BACK].max())
            if max(best, float(alike[BACK])) > TAUGHT_ALIKE:
                # What looks like a taught print is what was taught, face or back.
                up = float(best > alike[BACK])
                e.face = replace(e.face, kinds=np.array([up, 1 - up, 0.0]))

    def _alone(
        self,
        image: NDArray[np.uint8],
        indices: Sequence[IndexDetection],
        whole: list[Evidence],
    ) -> list[Evidence]:
        """Read the indices that belong to none of the cards already read."""
        kept = {id(frame) for e in whole for frame in e.found}
        orphans = [i for i in indices if id(i.frame) not in kept]
        looks = self._corners.read(image, [i.frame for i in orphans], often=True)
        alone: list[Evidence] = []
        pairs = sorted(zip(orphans, looks, strict=True), key=lambda pair: -pair[1].readable)
        for orphan, look in pairs:
            if look.readable < ALONE:
                continue
            e = Evidence(orphan.frame.quad(), orphan.heat, True, None, [look])
            best = int(e.look().cards.argmax())
            if any(_says(other, best) and _near(e.quad, other.quad) < 1.2 for other in whole):
                continue
            if any(_says(other, best) and _near(e.quad, other.quad) < 1.2 for other in alone):
                continue
            alone.append(e)
        return alone


def _as_found(face: FaceLook, e: Evidence) -> FaceLook:
    """Take for a card what on a mat has the size of one.

    A back overlooked there stalls the hand, and a card that looks like none is asked about.
    """
    if e.heat < WARM or face.kinds[2] < IS_CARD:
        return face
    kinds = face.kinds.copy()
    clear_back = not e.says_up and kinds[0] < NOT_UP
    kinds[:2] = (0.0, 1.0) if clear_back else kinds[:2] / max(float(kinds[:2].sum()), 1e-9)
    # It may lie either way: certain of neither, it is asked about.
    kinds[0] = max(kinds[0], 0.5) if not clear_back else kinds[0]
    kinds[2] = 0.0
    return replace(face, kinds=kinds)


def _is_doubtful(look: CardLook) -> bool:
    return look.face_up > look.face_down and look.face_up * float(look.cards.max()) < DOUBTFUL


def _is_card(look: CardLook) -> bool:
    return look.face_up + look.face_down >= IS_CARD


def _near(one: Points, other: Points) -> float:
    """Return how far apart two cards' middles lie, in heights of the other."""
    height = float(np.linalg.norm(other[3] - other[0]))
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))) / max(height, 1.0)


def _says(e: Evidence, card: int) -> bool:
    return int(e.look().cards.argmax()) == card


def _lies_in(frame: IndexFrame, e: Evidence) -> bool:
    """Judge whether an index lies on a card that was surely read."""
    x, y = (float(value) for value in frame.middle)
    inside = cv2.pointPolygonTest(np.asarray(e.quad, np.float32), (x, y), False) >= 0
    return inside and not _is_doubtful(e.look())


def _at(frame: IndexFrame, other: IndexFrame, reach: float) -> bool:
    """Judge whether two frames are of one index."""
    off = float(np.hypot(*(frame.middle - other.middle)))
    along = float(frame.down @ other.down)
    cosine = along / max(float(np.hypot(*frame.down) * np.hypot(*other.down)), 1e-6)
    return off < reach * other.width_px and cosine > 0.85


def _hand_out(indices: Sequence[IndexDetection], evidence: Sequence[Evidence]) -> None:
    """Give each index to the card it fits best, if any, and let the others know; in place.

    In a fan the next card's index lies where an index of this one could be: what tells them
    apart is where each says the middle of its card is.
    """
    for detection in indices:
        costs = [_misfit(detection.frame, e.quad) for e in evidence]
        best = int(np.argmin(costs)) if costs else -1
        for number, e in enumerate(evidence):
            if number == best and costs[number] < MISFIT:
                e.found.append(detection.frame)
            else:
                e.strange.append(detection.frame)


def _misfit(frame: IndexFrame, quad: Points) -> float:
    """Return how badly an index fits a card, in parts of its width; infinite if not at all."""
    own = frames_of(quad)
    apart = float(np.hypot(*(frame.centre - own[0].centre))) / max(own[0].width_px, 1.0)
    costs = [float("inf")]
    for other, dearer in (
        *((other, 0.0) for other in own),
        *((other, 0.15) for other in frames_of(quad[[1, 0, 3, 2]])),
    ):
        if _at(frame, other, REACH):
            off = float(np.hypot(*(frame.middle - other.middle))) / max(other.width_px, 1.0)
            costs.append(off + apart + dearer)
    return min(costs)


def _note_covers(evidence: list[Evidence]) -> None:
    """Note how much of each card others cover, or are covered by it."""
    for e in evidence:
        for other in evidence:
            if other is not e and not _excludes(e.quad, other.quad):
                e.covered = max(e.covered, _part(e, other))


def _part(e: Evidence, other: Evidence) -> float:
    """Return the part of *e* on which *other* lies, or that lies on it."""
    shared = overlap(e.quad, other.quad) * min(area(e.quad), area(other.quad))
    return shared / max(area(e.quad), 1.0)


def _is_ghost(e: Evidence, evidence: Sequence[Evidence], taken: float) -> bool:
    """Judge whether a find is half a card and half bare mat; *taken* is the part that is not.

    It sees that card's pips elsewhere: half of a six is a three. A find without an index of its
    own that shares much with one found surer is doubted, in place, where glare hides the mat.
    """
    if any(look.readable > READABLE for look in e.indices):
        return False
    e.doubted = any(o.heat > e.heat and _part(e, o) > BESIDE for o in evidence)
    return taken < TAKEN and (e.doubted or e.heat < WARM)


def _kept(evidence: list[Evidence]) -> list[Evidence]:
    """Of two that cannot both be cards keep the better."""

    def worth(e: Evidence) -> float:
        look = e.look()
        return e.heat * max(look.face_up * float(look.cards.max()), look.face_down)

    kept: list[Evidence] = []
    for e in sorted(evidence, key=lambda e: -worth(e)):
        if not any(_excludes(e.quad, other.quad) for other in kept):
            kept.append(e)
    return kept


def _excludes(one: Points, other: Points) -> bool:
    """Judge whether two quads cannot both be cards: the same card twice, or one inside another.

    Cards of one deck have one size: a small "card" on a large one is its court or a group of pips.
    """
    if overlap(one, other) < 0.6:
        return False
    near = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    ratio = area(one) / max(area(other), 1.0)
    return near < 0.2 * np.sqrt(area(other)) or not 0.5 < ratio < 2
