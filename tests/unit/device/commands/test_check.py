"""``boneace check deck``: what it says, and how it ends."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands.check import as_json, as_text
from engine import Card
from vision.tracking.deck_check import DeckFindings

WHOLE = DeckFindings(52, (), (), (), 0, ())


def cards(*codes: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, codes))


def test_a_whole_deck_is_told_in_one_line_more() -> None:
    assert as_text(WHOLE) == ["52 cards dealt.", "The deck is whole."]
    assert as_json(WHOLE)["whole"] is True


def test_all_that_is_wrong_is_told_in_words_and_as_data() -> None:
    found = DeckFindings(
        55, cards("7H"), cards("KC", "KC", "2S"), cards("3D"), 2, (cards("9H", "9D"), cards("4S"))
    )
    assert as_text(found) == [
        "55 cards dealt.",
        "Missing: seven of hearts.",
        "Too many: king of clubs (2 times), two of spades (or dealt twice).",
        "Not of this deck: three of diamonds, 2 jokers.",
        "Not sure: nine of hearts or nine of diamonds? Deal all of it again.",
        "Not sure: four of spades? Deal all of it again.",
    ]
    assert as_json(found) == {
        "seen": 55,
        "missing": ["7H"],
        "surplus": ["KC", "KC", "2S"],
        "foreign": ["3D"],
        "jokers": 2,
        "doubtful": [["9H", "9D"], ["4S"]],
        "whole": False,
    }


def test_an_empty_table_lacks_all_cards(tmp_path, capsys) -> None:
    for number in range(8):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((300, 400, 3), 60, np.uint8))
    assert main(["check", "deck", "--camera", str(tmp_path), "--cards", "36", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["seen"], len(said["missing"])) == (0, 36)
    assert main(["check", "deck", "--camera", str(tmp_path)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Deal the deck face up. Ctrl-C when all cards have been dealt."
    assert told[1] == "0 cards dealt."


def test_a_camera_that_is_not_there_is_named(tmp_path, capsys) -> None:
    assert main(["check", "deck", "--camera", str(tmp_path / "none.mp4")]) == 1
    assert "none.mp4" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--decks", "9"], ["--cards", "40"]])
def test_packs_of_other_sizes_are_refused(words) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check", "deck", *words])
    assert left.value.code == 2
