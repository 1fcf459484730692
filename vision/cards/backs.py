"""Tell the backs on a mat from what looks like some: a deck has one back.

Hands, tokens and the parts of two cards are taken for backs where the networks know none of them.
Beside a back that is sure they are of other colours, and one card lies in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.evidence import CLEAR_SCORE, Evidence
from vision.cards.geometry import READ, straighten
from vision.geometry import Image, Points, overlap, without_conflicts

CLEAR_BACK = 0.9
"""Probability of lying face down from which a card surely does."""

BACK_CELLS = (6, 8)
"""Cells across and down in which cards are compared that may show the same back."""

PLAIN = 6.0
"""Grey levels (0-255) by which each cell of a card that is printed spreads on average, at least."""

MOST_UNLIKE = 12.0
"""Grey levels (0-255) by which two pictures of one back differ on average, at most.

Measured on three drawn decks: backs 5 to 11 from each other, 18 to 44 from the nearest face.
"""

WELL_LIT = 144.0
"""Mean grey level of backs in that light; in less all differences are less, by as much.

In any light backs differ by 0.02 to 0.08 of their level, and the nearest face by 0.14 and more.
"""

OTHER_COLOURS = 0.63
"""Part of what was taken for a back that is of other colours than the deck's backs, if it is none.

On the rendered mats of the half that chooses the backs differed by 0.56 and less, glare among them;
a table top, a hand and parts of cards by 0.69 and more.
"""

CLEAR_INDEX = 0.9
"""Probability of an index above which a card is no back, and its corner lies uppermost.

Patterned backs show something like an index.
"""

TINTS, SPREAD = 36, 1.8
"""Steps in which blue and red beside green are counted, and how far: logarithms."""

TWICE = 0.5
"""Part of one back that lies on another, turned otherwise, from which the two are one."""

PARALLEL, ABREAST, BESIDE = 0.985, 0.15, (0.35, 0.97)
"""How two cards of one row lie that overlap: the cosine of their angle at least, how far one lies
along the other at most, in its lengths, and how far across, in its widths."""

JUST_BESIDE = 0.1
"""How far across a back lies at least that is hardly found: most of it may be another, the rest
bare mat."""

GAP, BARE = 0.08, 0.35
"""Part of the width of a back that the cards to both sides of it leave free, at least; and part of
that strip that is of other colours than the deck's backs, if nothing lies there.

On 120 drawn tables, most of them in poor light, the strips of backs in fans differed by 0.31 and
less; where halves of two backs looked like one, all but one by 0.58 and more, on tables of drawn
evenings by 0.38 and more.
"""

COVERED, COVERED_FAINT, TOUCHING = 0.9, 0.75, 0.05
"""Part of a back that lies on two others from which it is parts of them; of one that is hardly
found (FAINT); and the part of one of these that may lie on the other."""

FAINT = 0.7
"""The finder's score below which a back is hardly found."""

Traits = NDArray[np.float32]
"""float32 (8, 6, 6): of each cell the mean blue, green and red, and how each spreads."""


def traits(image: Image, quad: Points) -> Traits:
    """Return what a card under *quad*, shape (4, 2), is compared by.

    It is coarse: backs are finely patterned, and half a pixel changes a fine pattern, but not the
    mean colour and the roughness of each cell.
    """
    left, top = READ.margin_x, READ.margin_y
    crop = straighten(image, quad, READ)[top:-top, left:-left].astype(np.float32)
    means = np.asarray(cv2.resize(crop, BACK_CELLS, interpolation=cv2.INTER_AREA), np.float32)
    squares = np.asarray(
        cv2.resize(crop * crop, BACK_CELLS, interpolation=cv2.INTER_AREA), np.float32
    )
    spread = np.sqrt(np.maximum(squares - means * means, 0))
    return np.asarray(np.concatenate([means, spread], axis=2), np.float32)


def is_same_back(one: Traits, other: Traits) -> bool:
    """Return whether two cards, one of them surely a back, show the same, either way up."""
    level = min(float(each[..., :3].mean()) for each in (one, other))
    most = MOST_UNLIKE * min(level / WELL_LIT, 1.0)
    return any(float(np.abs(one - turned).mean()) < most for turned in (other, other[::-1, ::-1]))


def has_pattern(seen: Traits) -> bool:
    """Return whether a card under a quad is printed, not plain as paper or a table is."""
    return float(seen[..., 3:].mean()) > PLAIN


def without_false_backs(
    image: Image,
    evidence: Sequence[Evidence],
    taken: Callable[[Evidence], float],
    known: Sequence[Points] = (),
) -> list[Evidence]:
    """Leave out the backs that look unlike the deck's, or are told twice.

    *taken* gives the part of a card, 0.0-1.0, where something lies; *known* are the outlines,
    shape (4, 2), of backs that were read before and lie there still.
    """
    backs = [e for e in evidence if _is_back(e)]
    doubtful = [e for e in backs if e.score < 1.0]
    if not doubtful:
        return list(evidence)
    alone = [e for e in backs if e.score >= 1.0 and is_clear_back(e)]
    deck = [tints(image, quad) for quad in (*known, *(e.quad for e in alone))]
    other = [e for e in doubtful if deck and _unlike(tints(image, e.quad), deck) > OTHER_COLOURS]
    for e in doubtful:
        beside = [*known, *(o.quad for o in backs if o is not e)]
        if e not in other and lies_on_gap(image, e.quad, beside, half=e.score < CLEAR_SCORE):
            other.append(e)
    left = sorted((e for e in backs if e not in other), key=lambda e: -_worth(e) * taken(e))
    once = without_conflicts(left, _lie_across)
    surer = [[*known, *(other.quad for other in once[:n])] for n in range(len(once))]
    once = [e for e, o in zip(once, surer, strict=True) if e.score >= 1.0 or not _is_covered(e, o)]
    return [e for e in evidence if e in once or e not in backs]


def lies_on_gap(
    image: Image, back: Points, others: Sequence[Points], *, half: bool = False
) -> bool:
    """Return whether what was taken for a *back* is halves of two others, and between them nothing.

    Args:
        image: the picture, BGR.
        back: its outline, shape (4, 2), in pixels of the picture.
        others: the outlines of other cards that lie face down.
        half: it may be a part of one of them, too, and beside that nothing.
    """
    # In a row cards lie side by side, or end to end.
    ways = ([np.roll(quad, -turns, axis=0) for quad in (back, *others)] for turns in (0, 1))
    gaps = [_between(own, beside, half=half) for own, *beside in ways]
    deck = [tints(image, quad) for quad in others] if any(gap is not None for gap in gaps) else []
    return any(_unlike(tints(image, gap), deck) > BARE for gap in gaps if gap is not None)


def tints(image: Image, quad: Points) -> NDArray[np.float32]:
    """Return how much of a card has which colour, however light: float32 (TINTS, TINTS), sum 1."""
    crop = straighten(image, quad, READ)[READ.margin_y : -READ.margin_y]
    light = np.log(cv2.blur(crop[:, READ.margin_x : -READ.margin_x].astype(np.float32) + 4, (3, 3)))
    beside = [light[..., channel] - light[..., 1] for channel in (0, 2)]
    counts = cv2.calcHist(beside, [0, 1], None, [TINTS] * 2, [-SPREAD, SPREAD] * 2)
    soft = cv2.GaussianBlur(counts, (0, 0), 1.0)
    return np.asarray(soft / max(float(soft.sum()), 1e-6), np.float32)


def _unlike(seen: NDArray[np.float32], others: Iterable[NDArray[np.float32]]) -> float:
    """Return by what part its tints differ from the likest of the others, 0.0-1.0."""
    return min(1 - float(np.minimum(seen, other).sum()) for other in others)


def is_clear_back(e: Evidence) -> bool:
    """Return whether a card surely lies face down."""
    return e.fuse().face_down >= CLEAR_BACK


def _is_back(e: Evidence) -> bool:
    seen = e.fuse()
    return seen.face_down > seen.face_up


def _between(back: Points, others: Iterable[Points], *, half: bool) -> Points | None:
    """Return the strip of *back*, shape (4, 2), between two others that lie to both sides of it.

    ``None`` where it does not lie across two cards of a row; *half*: or across one. Halves of two
    cards, or most of one and bare mat, look like a card.
    """
    across, along = back[1] - back[0], back[3] - back[0]
    wide, high = float(across @ across), float(along @ along)
    left, right = 0.0, 1.0
    for quad in others:
        side, off = quad[1] - quad[0], quad.mean(axis=0) - back.mean(axis=0)
        parallel = abs(float(across @ side)) > PARALLEL * float(np.sqrt(wide * (side @ side)))
        far = float(off @ across) / wide
        if not parallel or abs(float(off @ along)) / high > ABREAST:
            continue
        if (JUST_BESIDE if half else BESIDE[0]) < abs(far) < BESIDE[1]:
            reach = (quad - back[0]) @ across / wide
            if far > 0:
                right = min(right, float(reach.min()))
            else:
                left = max(left, float(reach.max()))
    met = (left > 0.0) + (right < 1.0)
    if met < (1 if half else 2) or right - left < GAP:
        return None
    low = back[2] - back[3]
    edges = [(back[0], across, left), (back[0], across, right), (back[3], low, right)]
    return np.asarray([at + part * way for at, way, part in (*edges, (back[3], low, left))])


def _worth(e: Evidence) -> float:
    return e.score * e.fit * e.fuse().face_down


def _is_covered(e: Evidence, others: Sequence[Points]) -> bool:
    """Return whether two cards that hardly touch each other, both surer, lie where this one does.

    Where some touch, parts of two look like a third; one that lay on them would be seen better.
    """
    lying = [(part, other) for other in others if (part := overlap(e.quad, other)) > 0]
    most = COVERED if e.score >= FAINT else COVERED_FAINT
    return any(
        one + two > most and overlap(a, b) < TOUCHING
        for (one, a), (two, b) in combinations(lying, 2)
    )


def _lie_across(one: Evidence, other: Evidence) -> bool:
    """Return whether one card was taken for two, of which one lies across."""
    if overlap(one.quad, other.quad) < TWICE:
        return False
    a, b = one.quad[1] - one.quad[0], other.quad[1] - other.quad[0]
    return bool(abs(float(a @ b)) < 0.5 * float(np.linalg.norm(a) * np.linalg.norm(b)))
