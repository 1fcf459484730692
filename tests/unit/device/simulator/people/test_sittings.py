"""Sittings of people of software: their logs, and that they come out of the seed alone."""

import json
import random
from itertools import pairwise

import pytest

from device.simulator.people import MIXES, PRESETS, Happening, play_sitting, setup_by_chance
from device.simulator.people.packs import pack

EVERY = [(game, preset) for game, presets in PRESETS.items() for preset in presets]


def sitting_of(game, preset, mix, seed=1, hands=2):
    rng = random.Random(f"{game} {preset} {mix} {seed}")
    return play_sitting(setup_by_chance(game, preset, rng), mix, rng, hands)


def played(game, preset):
    return [sitting_of(game, preset, mix, seed) for mix in MIXES for seed in range(3)]


@pytest.mark.parametrize(("game", "preset"), EVERY)
def test_a_log_is_in_the_form_of_readings(game, preset):
    for sitting in played(game, preset):
        lines = [json.loads(line) for line in sitting.lines]
        assert all(one["t"] <= two["t"] for one, two in pairwise(lines))
        kinds = {"hand", "lies", "press", "look", "mat"}
        assert all(len(kinds & line.keys()) == 1 for line in lines)
        assert sum(line.get("press") == "next" for line in lines) == len(sitting.hands) - 1
        for line in lines:
            known = [c["card"] for c in line.get("lies", ()) if c.get("card") in set(pack())]
            assert len(known) == len(set(known))


@pytest.mark.parametrize(("game", "preset"), EVERY)
def test_a_settlement_sums_to_zero(game, preset):
    for sitting in played(game, preset):
        for hand in sitting.hands:
            assert hand.tally
            assert sum(hand.result.get("settlement", {}).values()) == 0


def test_the_same_seed_gives_the_same_sitting():
    one, two = (sitting_of("scat", "wikipedia", "wild", 5, 3) for _ in range(2))
    assert one == two
    assert one != sitting_of("scat", "wikipedia", "wild", 6, 3)


def test_a_log_never_shows_what_a_hand_holds():
    """A card that was dealt face down and never shown stands in no line of the log."""
    for seed in range(12):
        sitting = sitting_of("one-and-thirty", "willughby", "careful", seed, 1)
        (hand,) = sitting.hands
        shown = {card for event in hand.events for card in event.get("cards", ())}
        text = "\n".join(line for line in sitting.lines if '"lies"' in line)
        for line in text.splitlines():
            for each in json.loads(line)["lies"]:
                if each["card"] not in ("back", "??"):
                    assert each["card"] in shown


def test_a_rest_too_short_to_be_seen_ends_with_a_hand():
    sittings = [sitting_of("scat", "wikipedia", "wild", seed, 4) for seed in range(3)]
    lines = [json.loads(line) for sitting in sittings for line in sitting.lines]
    short = [
        (one, two)
        for one, two in pairwise(lines)
        if "lies" in one and 0 <= round(two["t"] - one["t"], 3) < 0.06
    ]
    assert short
    assert all("hand" in two for _, two in short)


def test_words_that_are_said_are_pressed():
    for seed in range(20):
        sitting = sitting_of("one-and-thirty", "willughby", "careful", seed, 1)
        (hand,) = sitting.hands
        if hand.tally[Happening.HAVE_UNSAID]:
            continue
        had = sum(event["e"] == "have" for event in hand.events)
        pressed = sum('"press":"have"' in line for line in sitting.lines)
        assert had == pressed


def test_answers_name_who_asked_and_who_sticks():
    sitting = sitting_of("one-and-thirty", "willughby", "careful", 5, 1)
    (hand,) = sitting.hands
    had = {event["seat"] for event in hand.events if event["e"] == "have"}
    stuck = {event["seat"] for event in hand.events if event["e"] == "stick"}
    assert had
    assert stuck
    assert set(sitting.answers["had"]) == had
    assert set(sitting.answers["stuck"]) == stuck


def test_answers_tell_every_turn_of_scat():
    sitting = sitting_of("scat", "wikipedia", "mixed", 4, 1)
    (hand,) = sitting.hands
    laid = [[e["seat"], e["card"]] for e in hand.events if e["e"] == "discard"]
    told = [[turn[0], turn[2]] for turn in sitting.answers["turns"] if len(turn) == 3]
    assert laid
    assert told == laid


@pytest.mark.parametrize(("game", "preset"), EVERY)
def test_hands_that_are_shown_lie_there_to_be_seen(game, preset):
    for mix in MIXES:
        for seed in range(6):
            sitting = sitting_of(game, preset, mix, seed, 1)
            shown = {
                card
                for event in sitting.hands[0].events
                if event["e"] in ("reveal", "declare")
                for card in event.get("cards", ())
            }
            last = [json.loads(line) for line in sitting.lines if '"lies"' in line][-1]["lies"]
            unread = sum(each.get("card") == "??" for each in last)
            assert len(shown - {each.get("card") for each in last}) <= unread
