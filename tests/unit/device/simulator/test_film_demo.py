"""The demo of people who do not wait for the camera, and who answers for them."""

import json
import random
from dataclasses import replace

import pytest

from device.cli import main
from device.croupier import questions as ask
from device.ports import Button
from device.runtime.truth import Asked
from device.simulator.film_demo import Witness, line_of
from device.simulator.people import play_sitting, setup_by_chance
from device.simulator.people.drawn import Moment
from engine.core.bones import Face
from engine.core.cards import Card
from vision.readings import Reading


@pytest.mark.slow
def test_a_round_of_people_who_behave_like_people(tmp_path, capsys):
    words = ["demo", "--headless", "--hands", "1", "--game", "knucklebones", "--language", "en"]
    assert main([*words, "--people", "mixed", "--seed", "3", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "The hand: " in told
    assert "Bones read: " in told
    assert (tmp_path / "01-hand1-compared.png").exists()
    assert main(["ledger", "--journal", str(tmp_path / "journal.sqlite3")]) == 0
    assert "One-and-Twenty" in told
    assert "compared" in capsys.readouterr().out


@pytest.mark.parametrize("more", [["--open"], ["--record", "film"], ["--paper", "A2"]])
def test_what_they_cannot_do_is_said(more, capsys):
    words = ["demo", "--headless", "--game", "one-and-thirty", "--people", "careful"]
    assert main([*words, *more]) == 1
    assert f"{more[0]}: not with --people" in capsys.readouterr().err


def sitting_of(game, preset):
    rng = random.Random(7)
    return play_sitting(setup_by_chance(game, preset, rng), "mixed", rng, 1)


def test_a_question_about_a_card_is_answered_by_what_lies_there():
    sitting = sitting_of("one-and-thirty", "willughby")
    witness = Witness(sitting)
    shown = [
        (json.loads(text)["t"], card)
        for text, scene in zip(sitting.lines, sitting.scenes, strict=True)
        for card in scene.cards
        if card.up
    ]
    time_s, card = shown[-1]
    true = Card.parse(card.card)
    other = next(each for each in (Card.parse("2C"), Card.parse("9H")) if each != true)
    about = ask.with_any_card(ask.which_card("Ann", 0, (other, true), 1, (card.x, card.y)))
    (press,) = witness.presses(Asked(about), time_s)
    assert (press.button, press.choice) == (Button.HAVE, 1)
    nowhere = ask.with_any_card(ask.which_card("Ann", 0, (other, true), 1, (-500.0, -500.0)))
    (press,) = witness.presses(Asked(nowhere, id=2), time_s)
    assert nowhere.candidates[press.choice] == ask.NONE


def test_a_question_about_a_bone_is_answered_by_how_it_lies():
    sitting = sitting_of("knucklebones", "west-kingdom")
    time_s, scene = next(
        (json.loads(text)["t"], scene)
        for text, scene in zip(sitting.lines, sitting.scenes, strict=True)
        if scene.bones
    )
    bone = scene.bones[0]
    question = replace(ask.which_face("Ann", 0, ()), thing=1, place=(bone.x, bone.y))
    (press,) = Witness(sitting).presses(Asked(question), time_s)
    assert question.candidates[press.choice] is Face.from_points(bone.face)


def test_a_moment_of_a_film_is_a_line_of_a_log():
    seen = Reading(1.5, seats=4)
    assert line_of(Moment(1.5, seen)).reading is seen
    pressed = line_of(Moment(2.0, line={"t": 2.0, "press": "stick", "seat": 1}))
    assert (pressed.time_s, pressed.press.button, pressed.press.seat) == (2.0, Button.STICK, 1)
    assert line_of(Moment(3.0, line={"t": 3.0, "look": "a turn"})).looks
