"""A table without a mat is told once for each change, though single looks differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine import Card
from vision.mat.segmentation import FrameAnalysis
from vision.readings import (
    BackReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    UnsureReading,
)
from vision.tracking.settled import (
    LOOKS,
    Changes,
    SettledReader,
    cells_of,
    is_unmoved,
    peeps_out,
)

rng = np.random.default_rng(3)
TABLE = rng.integers(0, 255, (12, 16, 3), np.uint8).repeat(30, axis=0).repeat(30, axis=1)


def place(x: float) -> Place:
    return Place(((x, 50.0), (x + 60, 50.0), (x + 60, 134.0), (x, 134.0)))


def reading(*codes: str, shift: float = 0.0, unsure: Iterable[int] = (), backs: int = 0) -> Reading:
    """Cards side by side; ``""`` leaves a place out, and those of *unsure* are not sure."""
    placed = [
        (Card.parse(code), place(20 + 70 * n + shift)) for n, code in enumerate(codes) if code
    ]
    return Reading(
        0.0,
        cards=tuple(CardReading(card, 0.95, at) for card, at in placed),
        unsure=tuple(UnsureReading((Card.parse("2C"),), 0.5, place(20 + 70 * n)) for n in unsure),
        backs=tuple(BackReading(0.9, place(300 + 70 * n)) for n in range(backs)),
    )


class Looks:
    """Reads what is written; the last of it for ever."""

    in_doubt = False

    def __init__(self, *looks: Reading) -> None:
        self.looks = list(looks)

    def read(self, image, time_s=0.0):
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]

    follow = vote = read

    def is_clear(self, frame):
        return False


def rest(reader: SettledReader, image: np.ndarray = TABLE) -> Reading:
    """What is told when a table has come to rest."""
    frame = FrameAnalysis(image)
    told = reader.follow(frame)
    while reader.in_doubt:
        told = reader.vote(frame)
    return told


def names(told: Reading) -> list[str]:
    return sorted(str(card.card) for card in told.cards)


def test_what_most_looks_show_is_told() -> None:
    right, once, less = reading("KH", "9C"), reading("KH", "8C", "2C"), reading("KH")
    assert names(rest(SettledReader(Looks(right, once, right, less, right)))) == ["9C", "KH"]


def test_a_sure_card_stays_sure_while_its_pixels_stand_still() -> None:
    looks = [reading("KH", "9C")] * LOOKS + [reading("KH", unsure=[1], shift=2.0)] * 2
    reader = SettledReader(Looks(*looks, reading("KH", "9C")))
    assert names(rest(reader)) == ["9C", "KH"]
    told = rest(reader)
    assert (names(told), told.unsure) == (["9C", "KH"], ())


def test_a_back_that_some_looks_show_is_told_no_more_than_a_card_would_be() -> None:
    """A video showed the shadow between two cards as a back in three looks of a hundred."""
    plain, back = reading("KH"), reading("KH", backs=1, unsure=[2])
    blinks = SettledReader(Looks(*[plain] * LOOKS, back, back, plain, plain, plain, plain))
    assert [len((*rest(blinks).backs, *rest(blinks).unsure)) for _ in range(2)] == [0, 0]
    looks = Looks(plain)
    once = SettledReader(looks)
    rest(once)
    looks.looks = [back]
    assert rest(once).backs == ()
    looks.looks = [plain]
    assert rest(once).backs == ()
    # Where something was laid, the pixels are others.
    looks.looks = [back]
    assert len(rest(once, TABLE[::-1].copy()).backs) == 1
    stays = SettledReader(Looks(*[back] * LOOKS, plain, plain, plain, back))
    assert [len(rest(stays).backs) for _ in range(3)] == [1, 1, 1]


def test_a_card_that_the_looks_are_not_sure_of_is_looked_at_for_longer() -> None:
    """A video renews its picture now and then; until then all looks err alike."""
    wrong, right = reading("2C"), reading("2S")
    first = replace(wrong, cards=(replace(wrong.cards[0], confidence=0.9),))
    sure = replace(right, cards=(replace(right.cards[0], confidence=0.999),))
    assert names(rest(SettledReader(Looks(*[first] * LOOKS, sure)))) == ["2S"]
    # Who is sure is told at once.
    again = SettledReader(Looks(*[sure] * LOOKS, first))
    assert names(rest(again)) == ["2S"]
    assert again._looks == LOOKS


def test_no_table_is_looked_at_for_longer_than_a_second() -> None:
    reader, frame = SettledReader(Looks(reading("KH"))), FrameAnalysis(TABLE)
    reader.follow(frame, 5.0)
    for look in range(1, LOOKS):
        assert reader.in_doubt
        reader.vote(frame, 5.0 + look / 10)
    assert reader.in_doubt
    reader.vote(frame, 6.0)
    assert not reader.in_doubt


def test_who_has_less_patience_is_told_earlier() -> None:
    reader, frame = SettledReader(Looks(reading("KH")), patience_s=0.5), FrameAnalysis(TABLE)
    reader.follow(frame, 5.0)
    for look in range(1, LOOKS):
        reader.vote(frame, 5.0 + look / 10)
    assert reader.in_doubt
    reader.vote(frame, 5.5)
    assert not reader.in_doubt


CARD = CardReading(Card.parse("KH"), 0.95, place(50.0))


def light_on(image: np.ndarray, gain: float) -> np.ndarray:
    return np.clip(image * gain, 0, 255).astype(np.uint8)


def test_in_a_little_more_light_an_untouched_card_is_unmoved() -> None:
    image = light_on(TABLE, 0.8)
    cells = cells_of(image, CARD)
    assert is_unmoved(light_on(image, 1.1), CARD, cells)
    assert is_unmoved(light_on(image, 0.9), CARD, cells)


def test_in_dim_light_another_card_is_another_one() -> None:
    dim = light_on(TABLE, 0.1)
    assert is_unmoved(dim, CARD, cells_of(dim, CARD))
    assert not is_unmoved(light_on(TABLE[::-1, ::-1], 0.1), CARD, cells_of(dim, CARD))


def test_of_a_card_below_others_an_index_peeps_out() -> None:
    cells, covered = cells_of(TABLE, CARD), TABLE.copy()
    assert not peeps_out(covered, CARD, cells)
    covered[60:150, 66:120] = 230
    assert peeps_out(covered, CARD, cells)
    covered[50:80] = 230
    assert not peeps_out(covered, CARD, cells)


def test_a_card_that_was_taken_away_is_gone_with_its_pixels() -> None:
    reader = SettledReader(Looks(*[reading("KH", "9C")] * LOOKS, reading("KH")))
    rest(reader)
    bare = TABLE.copy()
    bare[40:140, 85:160] = 255
    assert names(rest(reader, bare)) == ["KH"]


def test_what_is_doubtful_or_face_down_in_one_look_alone_is_nothing() -> None:
    flicker = [reading("KH"), reading("KH", unsure=[2], backs=1)] * LOOKS
    told = rest(SettledReader(Looks(*flicker)))
    assert (told.unsure, told.backs) == ((), ())
    told = rest(SettledReader(Looks(reading("KH", unsure=[2], backs=1))))
    assert (len(told.unsure), len(told.backs)) == (1, 1)


def test_a_mat_remembers_by_itself_and_is_believed() -> None:
    seen = Reading(0.0, cards=reading("KH").cards, seats=4)
    reader = SettledReader(Looks(seen))
    assert reader.follow(FrameAnalysis(TABLE)) is seen
    assert not reader.in_doubt


def test_each_change_is_told_once() -> None:
    changes = Changes()
    told = [
        changes.see(each) is not None
        for each in (
            reading(),
            reading(),
            reading("KH"),
            reading("KH", shift=3.0),  # found a little aside
            reading("QH"),
            reading("QH", "9C"),
            reading("QH", "9C", unsure=[2]),
            reading("QH", "9C"),  # the doubt is gone: nothing new
            reading("QH", shift=70.0),  # it lies elsewhere
            reading("QH", shift=70.0, backs=1),
        )
    ]
    assert told == [True, False, True, False, True, True, True, False, True, True]


def test_a_joker_is_told_when_it_comes_and_when_it_goes() -> None:
    joker = replace(reading("KH"), jokers=(JokerReading(0.7, place(300)),))
    reader = SettledReader(Looks(*[joker] * LOOKS))
    changes = Changes()
    assert len(changes.see(rest(reader)).jokers) == 1
    assert changes.see(joker) is None
    assert changes.see(reading("KH")) is not None
