"""Cards at the seats, played by people of software: nothing they do is booked wrongly."""

import json
import random

import pytest

from device.croupier.histories import KEPT
from device.runtime.table import TableController
from device.simulator.people import (
    PRESETS,
    Happening,
    play_sitting,
    setup_by_chance,
    setup_for,
)
from tests.acceptance.people.judge import Verdict, judge
from tests.support import readings_player
from tests.support.mat_readings import dealt
from tests.support.seat_people import follow_truth, sitting_of

RIGHT = {Verdict.RIGHT_UNASKED, Verdict.RIGHT_ASKED}


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace"])
@pytest.mark.parametrize("seed", range(4))
def test_the_truth_is_never_ruled_out(game, seed):
    """At each look the true history has a cost: else the generator is short of a move."""
    for mix in ("careful", "mixed"):
        sitting = sitting_of(game, "willughby", mix, seed)
        if {Happening.UNREAD, Happening.WORD_TAKEN_BACK} & {*sitting.hands[0].tally}:
            continue  # a person names the card, or presses UNDO
        assert None not in follow_truth(sitting)


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace"])
def test_hands_of_careful_people_are_right(game):
    for seed in range(4):
        sitting = sitting_of(game, "willughby", "careful", seed)
        judged, _ = judge(
            sitting, readings_player.play(sitting.lines, sitting.answers, sitting.setup)
        )
        assert judged[0].verdict in RIGHT, seed


def test_a_hand_that_was_31_before_its_last_card_is_asked_about():
    """Rule OT-19: the order of a hand that was held is not known, so one question is asked."""
    sitting = sitting_of("one-and-thirty", "willughby", "mixed", 30)
    judged, _ = judge(sitting, readings_player.play(sitting.lines, sitting.answers, sitting.setup))
    assert judged[0].verdict is Verdict.RIGHT_ASKED


def test_a_hand_laid_open_by_a_player_who_waits_for_a_card_ends_as_played():
    sitting = sitting_of("one-and-thirty", "willughby", "mixed", 43)
    judged, _ = judge(sitting, readings_player.play(sitting.lines, sitting.answers, sitting.setup))
    assert judged[0].verdict in RIGHT


def test_the_same_lines_give_the_same_rows_and_few_histories(monkeypatch):
    kept = []
    see = TableController.see

    def seen(table, reading):
        see(table, reading)
        kept.append(len(table.croupier._set.kept))

    monkeypatch.setattr(TableController, "see", seen)
    for seed in range(3):
        sitting = sitting_of("one-and-thirty", "willughby", "mixed", seed)
        one, other = (
            readings_player.play(sitting.lines, sitting.answers, sitting.setup) for _ in range(2)
        )
        assert one == other
    assert 0 < max(kept) <= KEPT


@pytest.mark.parametrize(
    ("game", "mix", "seed", "verdict"),
    [
        pytest.param(
            *("one-and-thirty", "careful", "11.0-38", Verdict.RIGHT_UNASKED),
            id="a hand shown over a card that another had thrown in there",  # once paid wrongly
        ),
        pytest.param(
            *("bone-ace", "mixed", "11.0-29", Verdict.RIGHT_ASKED),
            id="a hand thrown in at a neighbour's place, one card in sight",  # once paid wrongly
        ),
        pytest.param(
            *("one-and-thirty", "mixed", "21.0-15", Verdict.RIGHT_UNASKED),
            id="a hand laid open by one who seemed to be out",  # once paid wrongly
        ),
        pytest.param(
            *("one-and-thirty", "careful", "11.0-51", Verdict.RIGHT_UNASKED),
            id="31 laid out card by card is the whole hand",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "11.0-31", Verdict.RIGHT_UNASKED),
            id="the last hand thrown in instead of shown shows by itself",
        ),
        pytest.param(
            *("one-and-thirty", "mixed", "21.0-20", Verdict.RIGHT_ASKED),
            id="an unread card in a hand of which too many were counted",
        ),
        pytest.param(
            *("bone-ace", "mixed", "11.0-9", Verdict.RIGHT_UNASKED),
            id="a card that is dealt rules out that a hand had been 31 before",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-8", Verdict.RIGHT_ASKED),
            id="a card at a neighbour's place is not the dealer's own hand thrown in",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-19", Verdict.RIGHT_UNASKED),
            id="thrown at a neighbour's place, askew to the cards that lie there",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-10", Verdict.RIGHT_UNASKED),
            id="two cards thrown by the only hand that was seen",  # this and the rest: once asked
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-40", Verdict.RIGHT_UNASKED),
            id="whether somebody had stuck who is out does not matter",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-60", Verdict.RIGHT_UNASKED),
            id="thrown on the place of the stock",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-77", Verdict.RIGHT_UNASKED),
            id="a card that lay at a neighbour's place is put right, and no other one comes",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "104-34", Verdict.RIGHT_UNASKED),
            id="one card in sight of a hand thrown in, askew at a neighbour's place",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "104-60", Verdict.RIGHT_UNASKED),
            id="the dealer brings the card that was asked for, beside cards thrown in",
        ),
        pytest.param(
            *("one-and-thirty", "mixed", "101-9", Verdict.RIGHT_ASKED),
            id="a fan that reaches into the neighbour's place",  # once paid wrongly
        ),
        pytest.param(
            *("bone-ace", "careful", "104-44", Verdict.RIGHT_UNASKED),
            id="an open card turned down by its player's own hand",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "101-59", Verdict.RIGHT_UNASKED),
            id="the next card that is dealt tells that a hand laid open had not been 31 before",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "303.0-41", Verdict.RIGHT_UNASKED),
            id="thrown where no stock had lain",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "303.0-141", Verdict.RIGHT_UNASKED),
            id="a held hand thrown on cards that had been thrown in",
        ),
        pytest.param(
            *("one-and-thirty", "careful", "303.0-75", Verdict.RIGHT_ASKED),
            id="thrown on others by an unknown hand, the cards gone from their place",  # no result
        ),
        pytest.param(
            *("one-and-thirty", "mixed", "101-25", Verdict.RIGHT_UNASKED),
            id="how many cards were dealt to a hand that lies open",  # once left open
        ),
    ],
)
def test_hands_that_were_wrong_or_without_a_result(game, mix, seed, verdict):
    preset = next(iter(PRESETS[game]))
    rng = random.Random(f"{game}-{preset}-{mix}-{seed}")
    sitting = play_sitting(setup_by_chance(game, preset, rng), mix, rng, 1)
    (found,), _ = judge(
        sitting, readings_player.play(sitting.lines, sitting.answers, sitting.setup)
    )
    assert found.verdict is verdict


def test_an_open_hand_that_is_over_is_asked_for_its_order_in_such_words():
    sitting = sitting_of("one-and-thirty", "willughby", "careful", "303.0-142")
    played = readings_player.play(sitting.lines, sitting.answers, sitting.setup)
    asked = [line["asked"] for line in played.out if "asked" in line]
    assert [each["text"] for each in asked] == ["Bess: out, or 31 before the last card?"]
    assert (asked[0]["kind"], asked[0]["answers"]) == ("out", ["yes", "no"])


def shown_by_bess(*open_cards):
    """Return all notices after Bess has taken up three cards, and laid these open."""
    places = {0: (150.0, 480.0), 1: (150.0, 110.0)}
    lying, lines, t = [], [], 0.0

    def rest(*cards):
        lines.append(json.dumps({"t": t, "hand": None}))
        lines.append(json.dumps({"t": t + 0.4, "lies": list(cards)}))

    for seat in (1, 0) * 3:
        x, y = places[seat]
        number = sum(card["at"] == f"seat {seat}" for card in lying)
        lying.append({"card": "back", "at": f"seat {seat}", "x": x + 80 * number, "y": y})
        t += 1.0
        rest(*lying)
    mine = [card for card in lying if card["at"] == "seat 0"]
    x, y = places[1]
    laid = [
        {"card": code, "at": "seat 1", "x": x + 20 * number, "y": y, "deg": 0.0}
        for number, code in enumerate(open_cards)
    ]
    for cards in (mine, [*mine, *laid]):
        t += 1.0
        rest(*cards)
    setup = setup_for("one-and-thirty", "willughby", ("Ann", "Bess"), (30, 40), 0)
    _table, told = readings_player.play_log(lines, {}, setup)
    return [line["said"] for line in told if "said" in line]


def test_a_hand_laid_open_of_which_not_every_card_shows_is_remarked_on():
    said = shown_by_bess("KS", "9H")
    assert "I see 2 of Bess's 3 cards: lay them side by side." in said
    assert not any(text.startswith("I see") for text in shown_by_bess("KS", "9H", "2D"))
    assert not any(text.startswith("I see") for text in shown_by_bess("KS"))


@pytest.mark.fault(
    "all buttons at once",
    sees="Several buttons at once: none of them counts.",
    does="counts none of three or more presses within 0.15 s that are not all alike, UNDO too",
)
@pytest.mark.parametrize("late_s", [0.02, 1.0], ids=["an elbow", "one after the other"])
def test_buttons_that_contradict_each_other_are_no_words_when_all_are_pressed_at_once(late_s):
    bench = dealt()
    bench.press("have", 0)
    bench.press("stick", 1, late_s)
    bench.press("have", 2, late_s)
    bench.press("stick", None, late_s)
    mashed = late_s < 0.1
    assert ("none of them counts" in bench.said) == mashed
    assert (bench.state.log == bench.state.log[:9]) == mashed, "the deal alone"
    bench.press("have", 0)
    bench.lay(0)
    assert len(bench.view.seats[0].cards) == 4


@pytest.mark.parametrize("place", [0, 1, 3], ids=["first", "second", "last"])
def test_undo_among_buttons_at_once_takes_nothing_back(place):
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    bench.press("stick", 0)
    before, held = bench.state.log, bench.view.seat(0).cards
    keys = [("have", 2), ("stick", 1), ("stick", None)]
    keys.insert(place, ("undo", None))
    bench.pressed_s += 1.0
    for button, seat in keys:
        bench.press(button, seat, 0.02)
    assert "none of them counts" in bench.said
    assert (bench.state.log, bench.view.seat(0).cards) == (before, held)
    assert bench.look() == []
    bench.press("undo", None)
    assert bench.state.log == before[:-1], "alone it does"


def test_stakes_of_several_at_once_are_no_mash():
    bench = dealt()
    for seat in (0, 1, 2):
        bench.press("stick", seat, 0.02)
    assert [event.kind for event in bench.state.log[9:]] == ["stick"] * 3
