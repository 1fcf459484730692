"""Which cards of a deck were dealt, from readings written by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest

from engine import Card, deck
from vision.cards.assignment import assign
from vision.geometry import Image
from vision.readings import CardReading, JokerReading, Place, Reading, UnsureReading
from vision.tracking.deck_check import DeckCheck, DeckFindings

WIDE, TALL = 60.0, 84.0


class Table:
    """Cards on a table; each has its own pixels, so that it is seen whether it was changed.

    In dim *light*, 0.0 to 1.0, there is less between them.
    """

    def __init__(self, light: float = 1.0) -> None:
        self.check = DeckCheck()
        self.light = light
        self.lying: dict[str, tuple[float, float]] = {}

    def show(self, *more: tuple[str, float, float], confidence: float = 0.99) -> None:
        """Look at what lies there, and at *more*: ``KH?KD`` is in doubt, ``joker`` is one.

        ``KH!`` lies there but is not read.
        """
        image = np.full((700, 900, 3), 60, np.uint8)
        cards, jokers, unsure = [], [], []
        told = [(name, *at) for name, at in self.lying.items()]
        for name, x, y in [*told, *more]:
            place = paint(image, name.strip("!"), x, y, self.light)
            if name.endswith("!"):
                continue
            if name == "joker":
                jokers.append(JokerReading(0.7, place))
            elif "?" in name:
                maybe = tuple(map(Card.parse, name.split("?")))
                unsure.append(UnsureReading(maybe, 0.6, place))
            else:
                cards.append(CardReading(Card.parse(name.split("#")[0]), confidence, place))
        reading = Reading(0.0, tuple(cards), unsure=tuple(unsure), jokers=tuple(jokers))
        self.check.see(reading, image)

    def findings(self, **deck_: int) -> DeckFindings:
        return self.check.findings(**deck_)


def paint(image: Image, name: str, x: float, y: float, light: float) -> Place:
    """Draw a card as noise of its own, and say where it lies."""
    left, top = round(x), round(y)
    rng = np.random.default_rng(sum(map(ord, name)))
    cells = rng.integers(0, 255, (14, 10, 3), np.uint8).repeat(6, axis=0).repeat(6, axis=1)
    image[top : top + 84, left : left + 60] = 60 + light * (cells - 60.0)
    return Place(((x, y), (x + WIDE, y), (x + WIDE, y + TALL), (x, y + TALL)))


def codes(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def in_rows(table: Table, names: Iterable[str], at_once: int = 6) -> None:
    """Lay cards beside each other, some at a time."""
    for number, name in enumerate(names):
        table.lying[name] = (10 + 70 * (number % 12), 10 + 95 * (number // 12))
        if number % at_once == 0:
            table.show()
    table.show()


def singly(table: Table, names: Iterable[str], seed: int = 1) -> None:
    rng = random.Random(seed)
    for name in names:
        table.show((name, 300 + rng.uniform(-25, 25), 300 + rng.uniform(-25, 25)))


NAMES = [str(card) for card in deck()]


@pytest.mark.parametrize("way", [in_rows, singly])
def test_a_whole_deck_is_whole(way) -> None:
    table = Table()
    way(table, NAMES)
    assert table.findings().is_whole
    assert table.findings().seen == 52


@pytest.mark.parametrize("way", [in_rows, singly])
def test_what_is_missing_and_too_many_is_named(way) -> None:
    names = [name for name in NAMES if name not in ("7H", "2C")] + ["KC#2"]
    random.Random(4).shuffle(names)
    table = Table()
    way(table, names)
    found = table.findings()
    assert (codes(found.missing), codes(found.surplus)) == (["7H", "2C"], ["KC"])
    assert found.doubtful == ()


def test_of_two_packs_each_card_comes_twice() -> None:
    table = Table()
    singly(table, [*NAMES, *(name for name in NAMES if name != "QD"), "5S"])
    found = table.findings(packs=2)
    assert (codes(found.missing), codes(found.surplus)) == (["QD"], ["5S"])


def test_low_cards_are_no_part_of_a_short_pack() -> None:
    table = Table()
    short = [name for name in NAMES if name[0] in "A789TJQK"]
    in_rows(table, [*short, "3D"])
    found = table.findings(lowest=7)
    assert (found.missing, found.surplus, codes(found.foreign)) == ((), (), ["3D"])
    assert not found.is_whole
    assert len(table.findings().missing) == 19


def test_a_joker_is_no_card_of_the_deck() -> None:
    table = Table()
    in_rows(table, ["AS", "joker", "KH"])
    assert (table.findings().jokers, table.findings().seen) == (1, 3)
    assert len(table.findings().missing) == 50


def test_a_card_that_is_pushed_is_one_card() -> None:
    table = Table()
    in_rows(table, NAMES)
    table.lying["KH"] = (table.lying["KH"][0] + 40, 500)
    table.show()
    assert table.findings().is_whole


def test_a_card_that_is_overlooked_for_a_while_is_one_card() -> None:
    table = Table()
    in_rows(table, NAMES)
    at = table.lying.pop("KH")
    table.show()
    table.lying["KH"] = at
    table.show()
    assert table.findings().is_whole


def test_of_cards_dealt_singly_the_same_again_is_a_second_one() -> None:
    """Where one comes after the other at one place, nobody pushes them about."""
    table = Table()
    rest = [name for name in NAMES if name != "TS"]
    singly(table, [*rest[:10], "TS", "TS#2", *rest[10:]])
    assert codes(table.findings().surplus) == ["TS"]
    assert table.findings().missing == ()


def test_in_dim_light_another_card_at_the_same_place_is_another_one() -> None:
    table = Table(light=0.12)
    for name in NAMES:
        table.show((name, 300, 300))
    assert table.findings().is_whole
    assert table.findings().seen == 52


def test_in_dim_light_the_same_card_again_is_a_second_one() -> None:
    table = Table(light=0.12)
    singly(table, NAMES[:10])
    table.show(("QC", 300, 300))
    table.show(("QC", 306, 304))
    singly(table, [name for name in NAMES[10:] if name != "QC"])
    assert codes(table.findings().surplus) == ["QC"]


def test_a_second_one_is_seen_where_it_covers_more_of_another() -> None:
    table = Table()
    singly(table, NAMES[:10])
    below = ("QC", 300, 300)
    table.show(below)
    table.show(below, ("KC", 322, 306))
    table.show(below, ("KC!", 322, 306), ("KC", 318, 302))
    singly(table, [name for name in NAMES[10:] if name not in ("QC", "KC")])
    assert codes(table.findings().surplus) == ["KC"]


def test_what_is_laid_on_a_heap_where_no_other_card_is_read_is_a_second_one() -> None:
    table = Table()
    singly(table, NAMES[:10])
    table.show(("QC", 300, 300))
    table.show(("QC", 300, 300), ("KC!", 322, 306))
    singly(table, [name for name in NAMES[10:] if name != "QC"])
    assert codes(table.findings().surplus) == ["QC"]


def test_a_card_that_comes_to_light_again_below_others_is_the_same() -> None:
    table = Table()
    below = ("2C", 300, 300)
    table.show(below)
    table.show(("2C!", 300, 300), ("3C", 320, 306))
    table.show(below, ("3C!", 320, 306), ("4C", 322, 304))
    singly(table, [name for name in NAMES if name not in ("2C", "3C", "4C")])
    assert table.findings().is_whole
    assert table.findings().seen == 52


def test_a_deck_is_not_whole_where_a_card_came_that_could_not_be_read() -> None:
    table = Table()
    below = ("2C", 300, 300)
    table.show(below)
    table.show(below, ("3C", 320, 306))
    table.show(below, ("3C!", 320, 306), ("9H?7H", 322, 304))
    singly(table, [name for name in NAMES if name not in ("2C", "3C")])
    assert not table.findings().is_whole
    assert table.findings().missing == ()


@pytest.mark.parametrize("confidence", [0.987, 0.999])
@pytest.mark.parametrize("way", [in_rows, singly])
def test_a_card_that_is_there_twice_is_not_its_twin_that_is_missing(way, confidence) -> None:
    table = Table()
    show = table.show
    table.show = lambda *more: show(*more, confidence=confidence)  # type: ignore[method-assign]
    way(table, [*(name for name in NAMES if name != "4H"), "4D#2"])
    found = table.findings()
    assert (codes(found.missing), codes(found.surplus)) == (["4H"], ["4D"])
    assert found.doubtful == ()


def in_two_rounds(table: Table, names: list[str], shadow: str) -> None:
    """Lay cards beside each other, take them all up and lay the others; a *shadow* stays."""
    for part in (names[:26], names[26:]):
        table.lying = {shadow: (800, 600)}
        in_rows(table, part)
        table.lying = {shadow: (800, 600)}
        table.show()


@pytest.mark.parametrize("missing", [[], ["AS"]])
def test_a_shadow_that_stays_where_all_cards_are_taken_up_is_no_card(missing) -> None:
    table = Table()
    in_two_rounds(table, [name for name in NAMES if name not in missing], "AS?AC")
    found = table.findings()
    assert codes(found.missing) == missing
    assert found.surplus == found.doubtful == ()


def test_a_joker_that_stays_is_a_joker() -> None:
    table = Table()
    in_two_rounds(table, NAMES, "joker")
    assert table.findings().jokers == 1


def test_a_card_in_doubt_is_named_by_what_the_deck_lacks() -> None:
    table = Table()
    in_rows(table, ["9C?9S" if name == "9S" else name for name in NAMES])
    found = table.findings()
    assert found.missing == found.surplus == found.doubtful == ()


def test_what_could_be_either_of_two_that_the_deck_lacks_stays_in_doubt() -> None:
    table = Table()
    names = ["6D?9D" if name == "9D" else name for name in NAMES if name != "6D"]
    in_rows(table, names)
    found = table.findings()
    assert len(found.missing) == 1
    assert {codes(pair)[0] for pair in found.doubtful} <= {"6D", "9D"}
    assert len(found.doubtful) == 1
    assert not found.is_whole


def test_a_misread_suit_is_put_right_where_the_deck_is_whole_so() -> None:
    """Two kings of clubs and none of spades: one of them is that."""
    table = Table()
    in_rows(table, [name for name in NAMES if name != "KS"])
    table.show(("KC#2", 820, 600), confidence=0.92)
    found = table.findings()
    assert found.missing == found.surplus == found.doubtful == ()


def test_a_part_of_a_card_in_doubt_is_no_card() -> None:
    table = Table()
    in_rows(table, NAMES)
    x, y = table.lying["8H"]
    table.show(("8H?3H", x + 10, y + 15))
    assert table.findings().is_whole


def test_nothing_dealt_lacks_everything() -> None:
    found = DeckCheck().findings()
    assert (found.seen, len(found.missing)) == (0, 52)


@pytest.mark.parametrize("seed", range(40))
def test_the_least_of_all_costs_is_found(seed) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 5))
    columns = int(rng.integers(rows, 7))
    costs = rng.normal(0, 3, (rows, columns))
    found, least = assign(costs)
    ways = itertools.permutations(range(columns), rows)
    assert least == pytest.approx(min(sum(costs[np.arange(rows), list(way)]) for way in ways))
    assert len(set(found.tolist())) == rows
