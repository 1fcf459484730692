"""A deck dealt past the camera, by the command, and what it says."""

from __future__ import annotations

import json
import random

import cv2
import pytest

from benchmarks.deck_check import check, is_named, pack
from device.cli import main
from vision import TableReader

pytestmark = pytest.mark.slow


def short_pack(wrong: int, seed: int):
    """The first deck of a seed from *seed* on that is one pack of 32 cards."""
    for each in range(seed, seed + 100):
        given = pack(random.Random(each), wrong)
        if (given.packs, given.lowest) == (1, 7) and given.missing:
            return given
    raise AssertionError("no short pack")


def test_the_command_names_what_is_missing_from_a_film(tmp_path, capsys) -> None:
    cv2.setNumThreads(1)
    given = short_pack(1, seed=1)
    told = check(given, "rows", 2, TableReader(packs=8), mat=True, film=tmp_path)
    assert is_named(given, told)
    words = ["check", "deck", "--camera", str(tmp_path), "--cards", "32", "--json"]
    assert main(words) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["missing"] == [str(card) for card in given.missing]
    assert (said["seen"], said["surplus"], said["whole"]) == (31, [], False)
