"""One look at a deck's back is enough for all of them; a face is never taken for one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import deck
from tests.support.card_evidence import face
from vision import TableReader
from vision.cards.backs import is_same_back, traits, without_false_backs
from vision.cards.classifier import CARDS, CardPrediction
from vision.cards.evidence import Evidence
from vision.cards.pipeline import CardPipeline
from vision.mat.layout import CARD_WIDTH_MM
from vision.mat.pose import MatLayout, find_mat
from vision.mat.segmentation import MatScene, _card_askew

pytestmark = pytest.mark.slow


def laid(style: str) -> SimulatedTable:
    """Six backs and six faces, courts among them."""
    table = SimulatedTable(MatLayout(6, "A1"), style=style, seed=31, size=(1600, 1200))
    for number, card in enumerate(deck()[9::3][:12]):
        table.lay(number % 6, card, face_up=number % 2 == 1)
        while table.is_moving:
            table.frame()
    return table


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.5, 0.5, 0.5), (0.19, 0.3, 0.37)])
@pytest.mark.parametrize("style", ["modern", "four-colour", "old"])
def test_backs_are_alike_and_no_face_is_like_them(style, light) -> None:
    """In good light, in half of it, and by a warm lamp that is almost out."""
    table = laid(style)
    image = np.asarray(table.frame() * np.array(light), np.uint8)
    backs = [traits(image, table.quad(c)) for c in table.cards if not c.face_up]
    faces = [traits(image, table.quad(c)) for c in table.cards if c.face_up]
    assert len(backs) == len(faces) == 6
    assert all(is_same_back(one, other) for one, other in itertools.combinations(backs, 2))
    assert not any(is_same_back(back, face) for back in backs for face in faces)


def test_one_back_is_read_for_all_of_them(monkeypatch) -> None:
    image = laid("modern").frame()
    reader = TableReader()
    read: list[int] = []
    cards = reader._pipeline._faces
    plain = cards.read

    def counting(image, quads, **how):
        read.append(len(quads))
        return plain(image, quads, **how)

    monkeypatch.setattr(cards, "read", counting)
    reading = reader.read(image)
    # The six, and the stock, which may have slipped.
    assert len(reading.backs) == 7
    assert sum(read) <= 4


def touching(*downs: float) -> list[np.ndarray]:
    """Which of some cards that touch are told as backs: each is one with such a probability."""
    image = np.full((300, 600, 3), 255, np.uint8)
    row = [(_CARD + np.array([20 + 120 * n, 40])).astype(np.float32) for n in range(len(downs))]
    for quad, down in zip(row, downs, strict=True):
        (left, top), (right, bottom) = np.rint(quad[0]).astype(int), np.rint(quad[2]).astype(int)
        image[top:bottom, left:right] = (140, 40, 30) if down > 0.5 else (240, 240, 240)
    kinds = iter([1 - down, down, 0.0] for down in downs)
    pipeline = CardPipeline.__new__(CardPipeline)
    pipeline._faces = SimpleNamespace(
        read=lambda _, quads: [replace(face("KS"), kinds=np.array(next(kinds))) for _ in quads]
    )
    return [round((quad[0][0] - 20) / 120) for quad in pipeline._backs(image, row)]


_CARD = np.array([[0, 0], [120, 0], [120, 176], [0, 176]])


def test_backs_that_touch_are_told_one_by_one() -> None:
    assert touching(1.0, 0.95) == [0, 1]
    assert touching(0.0, 0.99, 0.99) == [1, 2]


def test_one_back_beside_others_is_left_to_the_detector() -> None:
    """Cards that overlap may be as large as two that touch."""
    assert touching(0.99, 0.0) == []
    assert touching(0.99, 0.8) == []


def back(x: float, y: float, score: float = 0.5, quad: np.ndarray = _CARD) -> Evidence:
    """What the networks take for a card face down, its corner at x, y."""
    seen = replace(face("KS"), kinds=np.array([0.0, 1.0, 0.0]))
    return Evidence((quad + np.array([x, y])).astype(np.float32), score, False, seen)


def test_what_has_other_colours_than_the_back_of_the_deck_is_none() -> None:
    image = np.full((300, 600, 3), 255, np.uint8)
    for left, colour in ((20, (140, 40, 30)), (200, (70, 20, 15)), (400, (130, 160, 210))):
        image[40:216, left : left + 120] = colour
    deck, in_shade, hand = back(20, 40, 1.0), back(200, 40), back(400, 40)
    assert without_false_backs(image, [deck, in_shade, hand], lambda e: 1.0) == [deck, in_shade]
    assert without_false_backs(image, [in_shade, hand], lambda e: 1.0) == [in_shade, hand]
    known = [deck.quad]  # where only what changed is read it is none of the evidence
    assert without_false_backs(image, [in_shade, hand], lambda e: 1.0, known) == [in_shade]


def test_halves_of_two_backs_with_the_mat_between_them_are_no_back() -> None:
    image = np.full((300, 600, 3), (120, 160, 130), np.uint8)
    for left in (100, 260):
        image[40:216, left : left + 120] = (140, 40, 30)
    left, right, between = back(100, 40), back(260, 40), back(180, 40)
    lying = [left, right, between]
    assert without_false_backs(image, lying, lambda e: 1.0) == [left, right]
    image[40:216, 180:300] = (140, 40, 30)  # one lies there, over both
    assert without_false_backs(image, lying, lambda e: 1.0) == lying


def test_most_of_a_back_and_bare_mat_beside_it_are_no_back() -> None:
    """Beside it or beyond its end; where a back lies under it there is no bare mat."""
    image = np.full((400, 600, 3), (120, 160, 130), np.uint8)
    image[40:216, 100:220] = (140, 40, 30)
    card, aside, below = back(100, 40, 0.9), back(150, 40, 0.4), back(100, 90, 0.4)
    assert without_false_backs(image, [card, aside, below], lambda e: 1.0) == [card]
    image[40:266, 100:270] = (140, 40, 30)
    lying = [card, aside, below]
    assert without_false_backs(image, lying, lambda e: 1.0) == lying


def test_parts_of_two_backs_that_touch_are_no_third() -> None:
    image = np.full((300, 600, 3), (140, 40, 30), np.uint8)
    left, right, parts, over = back(100, 40), back(222, 40), back(205, 40, 0.4), back(190, 40, 0.9)
    assert without_false_backs(image, [left, right, parts], lambda e: 1.0) == [left, right]
    surer = [left, right, over]  # it lies on both, and is seen better than they are
    assert without_false_backs(image, surer, lambda e: 1.0) == surer
    # A card known before counts as one of the two; the finder's score says how much is enough.
    askew, faint, clear = back(230, 40), back(190, 40, 0.4), back(190, 40, 0.8)
    known = [left.quad]
    assert without_false_backs(image, [askew, faint], lambda e: 1.0, known) == [askew]
    assert without_false_backs(image, [clear, askew], lambda e: 1.0, known) == [clear, askew]
    packet = [back(100, 40), back(140, 40), back(120, 40, 0.4)]  # each lies on the one before
    assert without_false_backs(image, packet, lambda e: 1.0) == packet


def test_a_back_told_again_as_lying_across_is_told_once() -> None:
    image = np.full((300, 600, 3), 90, np.uint8)
    across = _CARD[::-1, ::-1]
    one, turned = back(200, 40, 0.4), back(180, 60, 0.5, across)
    overlapping, far = back(250, 40, 0.4), back(400, 90, 0.4, across)
    taken = {id(turned): 0.6}
    told = without_false_backs(
        image, [turned, one, overlapping, far], lambda e: taken.get(id(e), 1.0)
    )
    assert told == [one, overlapping, far]


def test_one_of_two_that_look_alike_says_that_both_are_backs() -> None:
    image = np.full((300, 600, 3), 255, np.uint8)
    image[40:216, 20:140] = image[40:216, 200:320] = (140, 40, 30)
    cards = [back(20, 40, 1.0), back(200, 40, 1.0), back(400, 40, 1.0)]
    kinds = iter([[0.6, 0.4, 0.0], [0.05, 0.95, 0.0], [0.6, 0.4, 0.0]])
    pipeline = CardPipeline.__new__(CardPipeline)
    pipeline._matcher = None
    pipeline._faces = SimpleNamespace(
        read=lambda _, quads, **how: [
            replace(face("KS"), kinds=np.array(next(kinds))) for _ in quads
        ]
    )
    read = pipeline._read_faces(image, cards, quick=True)
    assert [each.kinds[1] for each in read] == [0.95, 0.95, 0.4]


def test_what_is_left_once_the_cards_that_are_read_are_taken_away() -> None:
    """Two backs that touch, and a face that lies on one of them."""
    table = laid("modern")
    pose = find_mat(table.frame())
    assert pose is not None
    thing = [(100, 100), (222, 100), (222, 150), (260, 150), (260, 238), (200, 238), (200, 188)]
    thing += [(100, 188)]
    scene = MatScene((), (), (), (), (np.array(thing, np.int32)[:, None],), pose.layout.size_mm)

    def lying(left: int, top: int, right: int, bottom: int) -> np.ndarray:
        corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
        return pose.to_px(np.array(corners, np.float32))

    rest = [pose.to_mm(quad).mean(axis=0) for quad in scene.rest(pose, [lying(200, 150, 260, 238)])]
    assert np.allclose(sorted(map(tuple, rest)), [(130.5, 144), (191.5, 144)], atol=2)
    assert scene.rest(pose, []) == []
    assert scene.rest(pose, [lying(90, 90, 250, 260)]) == []


def test_no_back_is_told_beside_the_mat() -> None:
    image = laid("modern").frame()
    reader, pose = TableReader(), find_mat(image)
    assert pose is not None

    def told(x: float, y: float) -> int:
        quad = pose.to_px((_CARD / 2 + np.array([x, y])).astype(np.float32))
        seen = CardPrediction(quad, 0.0, 1.0, np.full(len(CARDS), 1 / len(CARDS)))
        return len(reader._reading(image, [seen], pose, 0.0).backs)

    assert told(200, 200) == 1
    assert told(-60, 200) == 0


@pytest.mark.parametrize("found", [False, True])
def test_a_thing_in_which_no_card_is_found_is_looked_at_from_nearer(found, monkeypatch) -> None:
    monkeypatch.setattr("vision.cards.pipeline.is_unoccupied", lambda *_: False)
    image = np.full((300, 600, 3), 120, np.uint8)
    box, looked, cards = (80, 20, 240, 240), [], [back(100, 40)] if found else []
    crumb = (300, 20, 340, 240)  # no card lies in so narrow a thing
    scene = SimpleNamespace(unresolved=(box, crumb), rest=lambda *_: [], share_taken=lambda _: 1.0)
    frame = SimpleNamespace(image=image, scene=lambda *_: scene)
    pose = SimpleNamespace(px_per_mm=2.0, to_mm=lambda quad: quad / 2, layout=None)
    pipeline = CardPipeline.__new__(CardPipeline)
    pipeline._detections = lambda *_: ([], [])
    pipeline._read_cards = lambda *_, **how: cards
    pipeline._covered = SimpleNamespace(read=lambda *_: [])
    pipeline._look_into = lambda _, box, px: looked.append((box, px)) or ([], [])
    pipeline.detect_on_mat(frame, pose)
    assert looked == ([] if found else [(box, 0.8 * 2.0 * CARD_WIDTH_MM)])


def as_contour(quad: np.ndarray, low: float, high: float) -> np.ndarray:
    """What is left of a card within two printed lines, as a contour in millimetres."""
    mask = np.zeros((200, 200), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
    mask[: int(low)] = mask[int(high) :] = 0
    (contour, *_), _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(contour, np.int32)


@pytest.mark.parametrize("degrees", [-6, -4, 4, 6])
def test_a_card_askew_across_printed_lines_has_the_size_of_those_beside_it(degrees) -> None:
    beside = cv2.boxPoints(((160.0, 100.0), (63.0, 88.0), 0.0))
    card = cv2.boxPoints(((90.0, 100.0), (63.0, 88.0), float(degrees)))
    left = as_contour(card, 58, 142)  # 84 mm between the lines
    (found,) = _card_askew(left, [beside])
    assert np.linalg.norm(found.mean(axis=0) - (90, 100)) < 2
    edge = found[np.argsort(found[:, 1])][:2]
    edge = edge[np.argsort(edge[:, 0])]
    turned = np.degrees(np.arctan2(*(edge[1] - edge[0])[::-1]))
    assert turned == pytest.approx(degrees, abs=2)
    assert _card_askew(as_contour(card, 80, 142), [beside]) == [], "a part of one"
    assert _card_askew(as_contour(card, 58, 142), [beside * 0.8]) == [], "more than one"
