"""``boneace read``: one line a picture, and clear words for what is no picture."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from jsonschema import Draft202012Validator, ValidationError

from device.cli import main
from device.commands.read import as_json, as_text
from engine.core.bones import Face
from engine.core.cards import Card
from tests.support.paths import ROOT
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
)

SCHEMA = Draft202012Validator(
    json.loads((ROOT / "docs/reference/read.schema.json").read_text(encoding="utf-8"))
)


@pytest.fixture
def empty_table(tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), 60, np.uint8))
    return path


def test_an_empty_table_gives_a_line_with_no_cards(empty_table, capsys) -> None:
    assert main(["read", "--format", "json", str(empty_table)]) == 0
    answer = json.loads(capsys.readouterr().out)
    SCHEMA.validate(answer)
    assert answer.pop("ms") >= 0
    assert answer == {
        "format": "boneace-reading",
        "version": 1,
        "image": str(empty_table),
        "cards": [],
        "face_down": 0,
        "backs": [],
        "jokers": [],
        "bones": [],
        "bones_total": 0,
        "unsure": [],
    }


def test_a_picture_may_come_by_the_standard_input(empty_table, monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(empty_table.read_bytes())))
    assert main(["read", "--format", "json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["image"] == "-"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"no picture")))
    assert main(["read", "-"]) == 1
    assert "boneace read: -: is not a picture" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"", "damaged"), (b"no picture at all", "damaged"), (b"\xff\xd8\xff\xe0 torn", "damaged")],
    ids=["empty", "text", "torn"],
)
def test_a_file_that_is_no_picture_is_named_and_the_others_are_read(
    content, word, empty_table, tmp_path, capsys
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(content)
    assert main(["read", "--format", "json", str(bad), str(empty_table)]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["image"] == str(empty_table)
    assert str(bad) in err
    assert word in err


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path, capsys) -> None:
    assert main(["read", str(tmp_path / "none.jpg"), str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert "no such file" in err
    assert "is a folder" in err


def test_picture_writes_an_annotated_copy_beside_it(empty_table, capsys) -> None:
    assert main(["read", "--format", "picture", str(empty_table)]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert said.err == f"{empty_table.with_name('table.read.png')}: drawn on it what was read\n"
    copy = cv2.imread(str(empty_table.with_name("table.read.png")))
    assert copy.shape == (300, 400, 3)


def test_cards_and_bones_of_one_picture_are_told_together() -> None:
    quad = ((0.04, 0.0), (60.0, 0.0), (60.0, 84.0), (0.0, 84.06))
    rim = ((100.04, 10.0), (130.0, 10.0), (115.0, 40.0))
    king, ten, jack = map(Card.parse, ("KH", "TS", "JS"))
    reading = Reading(
        0.0,
        cards=(CardReading(king, 0.912345, Place(quad)),),
        backs=(BackReading(0.9, Place(quad)),),
        bones=tuple(
            BoneReading(face, 0.98765, Spot(rim, (115.0, 20.04)))
            for face in (Face.FLAT, Face.TWISTED)
        ),
        unsure=(UnsureReading((ten, jack), 0.5, Place(quad)),),
        jokers=(JokerReading(0.66667, Place(quad)),),
        unsure_bones=(UnsureBoneReading((Face.CONVEX, Face.CONCAVE), 0.5, Spot(rim, (1.0, 2.0))),),
    )
    corners = [[0.0, 0.0], [60.0, 0.0], [60.0, 84.0], [0.0, 84.1]]
    outline = [[100.0, 10.0], [130.0, 10.0], [115.0, 40.0]]
    bone = {"confidence": 0.9877, "outline": outline, "centre": [115.0, 20.0]}
    doubt = {"confidence": 0.5, "outline": outline, "centre": [1.0, 2.0]}
    answer = as_json(Path("table.jpg"), reading, 1.04)
    SCHEMA.validate(answer)
    assert answer == {
        "format": "boneace-reading",
        "version": 1,
        "image": "table.jpg",
        "ms": 1.0,
        "cards": [{"card": "KH", "confidence": 0.9123, "corners": corners}],
        "face_down": 1,
        "backs": [{"confidence": 0.9, "corners": corners}],
        "jokers": [{"confidence": 0.6667, "corners": corners}],
        "bones": [
            {"face": "flat", "value": 1, **bone},
            {"face": "twisted", "value": 6, **bone},
        ],
        "bones_total": 7,
        "unsure": [
            {"candidates": ["TS", "JS"], "confidence": 0.5, "corners": corners},
            {"candidates": ["convex", "concave"], **doubt},
        ],
    }
    assert as_text(reading) == (
        "KH; 2 bones: flat 1, twisted 6: total 7; 1 joker; 1 face down; unsure: TS or JS; "
        "unsure bone: convex or concave"
    )
    assert as_text(Reading(0.0)) == "no card read"


def test_what_is_seen_before_a_camera_has_the_same_form(empty_table, tmp_path, capsys) -> None:
    film = tmp_path / "film"
    film.mkdir()
    for number in range(12):
        shutil.copy(empty_table, film / f"{number:02}.png")
    assert main(["watch", "--format", "json", "--camera", str(film)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    SCHEMA.validate(answer)
    assert answer["t"] >= 0
    assert answer["version"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"t": 1.0},
        {"colour": "red"},
        {"cards": [{"card": "10H", "confidence": 1, "corners": [[0, 0]] * 4}]},
        {"backs": [{"confidence": 1.5, "corners": [[0, 0]] * 4}]},
        {"unsure": [{"candidates": ["flat"], "confidence": 1, "corners": [[0, 0]] * 4}]},
    ],
)
def test_the_schema_refuses_what_no_reading_holds(change) -> None:
    answer = as_json(Path("table.jpg"), Reading(0.0), 1.0)
    SCHEMA.validate(answer)
    with pytest.raises(ValidationError):
        SCHEMA.validate(answer | change)
