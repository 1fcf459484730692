"""What a seat is worth: counted by hand where it can be, and the table beside fresh hands."""

from __future__ import annotations

import json
import pkgutil
import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod, sqrt

import pytest

from benchmarks import seats as table_maker
from engine.core.payments import Unit
from engine.games import catalog
from engine.games.knucklebones.chances import BonesChances
from engine.games.knucklebones.odds_throws import throw_totals
from engine.odds.unseen import OddsError
from engine.worth import packs as packs_module
from engine.worth.matches import won
from engine.worth.packs import Packs
from engine.worth.seats import Playing, exactly, from_table, worths
from tests.support.paths import ROOT

BUILT_IN = [
    (game, preset)
    for game in catalog.all_games()
    if type(game).__module__.startswith("engine.")
    for preset in game.presets
]


def options_of(name: str, preset: str | None = None, **changes: object):
    game, found = catalog.choose(name, preset)
    return game, catalog.make_options(game, found, changes)


# --- counted ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", ["banker", "push"])
@pytest.mark.parametrize("players", [2, 3])
def test_one_throw_each_is_what_throws_beside_each_other_make(players: int, tie: str) -> None:
    _, options = options_of("knucklebones", max_extra=0, tie=tie)
    throws = throw_totals(5).chances
    worth = [Fraction(0)] * players
    for hands in product(throws, repeat=players):
        chance = prod(p for _, p in hands)
        *totals, bank = (total for total, _ in hands)
        for seat, total in enumerate(totals):
            if total > 21 or (bank <= 21 and total < bank) or (total == bank and tie == "banker"):
                gain = -1
            else:
                gain = 0 if total == bank else 1
            worth[seat] += gain * chance
            worth[-1] -= gain * chance
    assert BonesChances().seats(options, players) == tuple(worth)


def test_the_count_of_bones_is_what_the_best_player_plays() -> None:
    game, options = options_of("knucklebones")
    counted = exactly(game, options, 3)
    playing = Playing(game, "west-kingdom", {}, 3)
    rng = random.Random(3)
    while playing.hands < 600:
        playing.play(rng)
    agrees(playing.worths(rng), counted)


def test_bones_one_at_a_time_are_not_counted() -> None:
    game, options = options_of("knucklebones", extra_mode="one_at_a_time")
    assert exactly(game, options, 2) is None


@pytest.mark.parametrize(
    "preset", ["wikipedia", "eenendertigen", "three-of-a-kind", "stop-the-bus"]
)
def test_chances_lie_between_never_and_always(preset: str) -> None:
    game, options = options_of("scat", preset)
    for table in pkgutil.resolve_name(game.chances)().tables(options):
        for _, chances in table.rows:
            assert all(0 <= chance <= 1 for chance in chances)


# --- matches ------------------------------------------------------------------------------------


def match(hands: Mapping[int, list[tuple[int, ...]]], players: int, **changes: object):
    _, options = options_of("scat", "west-lansing", **changes)
    return won(hands, players, options, 200, random.Random(1))


def test_the_deal_goes_to_the_left() -> None:
    # Whoever deals loses: the first dealer, then the other, then the first dealer is out.
    assert match({2: [(0, 1)]}, 2, lives=2) == (1, 0)


def test_the_deal_passes_over_who_is_out() -> None:
    # The dealer is out; the seat on the left deals, and the eldest of the two left loses.
    assert match({3: [(0, 0, 1)], 2: [(1, 0)]}, 3, lives=1) == (1, 0, 0)


def test_who_goes_out_together_plays_on_or_shares() -> None:
    hands = {2: [(1, 1), (1, 0)]}
    assert match(hands, 2, lives=1, all_out="void") != (0.5, 0.5)
    assert match({2: [(1, 1)]}, 2, lives=1, all_out="split") == (0.5, 0.5)


def test_hands_that_cost_nothing_end_no_match() -> None:
    with pytest.raises(OddsError, match="too few hands"):
        match({2: [(0, 0)]}, 2)


@pytest.mark.parametrize("preset", ["wikipedia", "switch", "california-quick"])
def test_what_a_hand_costs_does_not_depend_on_the_lives(preset: str, monkeypatch) -> None:
    costs = []
    for lives in (9, 4):
        monkeypatch.setattr(packs_module, "MANY_LIVES", lives)
        table = Packs(catalog.find("scat"), preset, {}, 3)
        costs.append([table.play(random.Random(seed)) for seed in range(3)])
    assert costs[0] == costs[1]


# --- packs --------------------------------------------------------------------------------------


def test_each_pack_is_played_from_every_seat(monkeypatch) -> None:
    dealt = []
    played = packs_module.Packs._hand

    def watch(self, driver):
        hand = played(self, driver)
        hands = sorted(driver.state.round.play.hands, key=lambda each: each.seat)
        dealt.append([each.cards[:3] for each in hands])
        return hand

    monkeypatch.setattr(packs_module.Packs, "_hand", watch)
    Packs(catalog.find("one-and-thirty"), "willughby", {}, 4).play(random.Random(2))
    first = dealt[0]
    assert dealt == [[*first[turn:], *first[:turn]] for turn in range(4)]


@pytest.mark.parametrize(
    ("name", "preset", "unit"),
    [
        ("bone-ace", "cotton", Unit.TOKENS),
        ("scat", "banking", Unit.TOKENS),
        ("scat", "no-elimination", Unit.POINTS),
        ("scat", "switch", Unit.LIVES),
    ],
)
def test_a_hand_is_counted_in_what_is_played_for(name: str, preset: str, unit: Unit) -> None:
    table = Packs(catalog.find(name), preset, {}, 3)
    hands = table.play(random.Random(4))
    assert table.unit is unit
    if unit is Unit.TOKENS:
        assert [sum(hand) for hand in hands] == [0, 0, 0]
    else:
        assert all(number >= 0 for hand in hands for number in hand)
        assert any(any(hand) for hand in hands)


def test_more_packs_make_narrower_intervals() -> None:
    few = [[(1, -1)], [(-1, 1)]] * 10
    wide, narrow = (
        worths({2: pack}, 2, None, Unit.TOKENS, random.Random()) for pack in (few, few * 100)
    )
    assert wide.seats[0].within == pytest.approx(2.09 / sqrt(19), rel=0.01)
    assert narrow.deal.within == pytest.approx(2 * 1.96 / sqrt(2000), rel=0.01)
    assert not narrow.exact


# --- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "preset"), BUILT_IN, ids=lambda each: each.name)
def test_the_table_has_every_preset_with_two_four_and_the_most(game, preset) -> None:
    options = catalog.make_options(game, preset, {})
    for players in (2, 4, options.max_players):
        found = from_table(game.name, preset.name, players)
        assert found is not None, f"run: make odds; the table has no {game.name} {preset.name}"
        assert len(found.seats) == players
        assert found.unit is game.match.unit(options)
        total = {Unit.TOKENS: 0.0, Unit.LIVES: 1.0}.get(found.unit)
        means = [seat.mean for seat in found.seats]
        if total is not None:
            assert sum(means) == pytest.approx(total, abs=0.002)
        others = sum(means[:-1]) / (players - 1)
        assert found.deal.mean == pytest.approx(means[-1] - others, abs=0.001)
        assert found.exact == game.with_bones
        assert found.exact or all(seat.within > 0 for seat in found.seats)


def test_the_table_has_nothing_else() -> None:
    assert from_table("scat", "wikipedia", 8) is None
    rows = json.loads((ROOT / "engine" / "worth" / "table.json").read_text(encoding="utf-8"))
    names = {f"{game.name} {preset.name}" for game, preset in BUILT_IN}
    assert {row.rsplit(" ", 1)[0] for row in rows} == names, "run: make odds"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "preset", "players", "hands"),
    [
        ("one-and-thirty", "willughby", 2, 600),
        ("bone-ace", "cotton", 4, 240),
        ("bone-ace", "davis", 2, 400),
        ("scat", "stop-the-bus-plain", 2, 200),
        ("scat", "no-elimination", 2, 80),
    ],
)
def test_fresh_hands_agree_with_the_table(name: str, preset: str, players: int, hands: int) -> None:
    playing = Playing(catalog.find(name), preset, {}, players)
    rng = random.Random(f"fresh {name}")
    while playing.hands < hands:
        playing.play(rng)
    agrees(playing.worths(rng), from_table(name, preset, players))


def agrees(fresh, known) -> None:
    """Twice the interval: once in ten thousand figures by chance, and the seeds are fixed."""
    for one, other in zip((*fresh.seats, fresh.deal), (*known.seats, known.deal), strict=True):
        assert abs(one.mean - other.mean) <= 2 * sqrt(one.within**2 + other.within**2)


def test_presets_of_the_same_hands_share_them() -> None:
    kinds = table_maker.kinds()
    assert kinds["scat", "dollar-bill", 3] == kinds["scat", "wikipedia", 3]
    assert kinds["scat", "west-lansing", 3] != kinds["scat", "three-of-a-kind", 3]
    assert kinds["one-and-thirty", "kerr", 4][1] == "willughby"
