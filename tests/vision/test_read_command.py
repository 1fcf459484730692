"""``boneace read``: one line a picture, and clear words for what is no picture."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from device.cli import main


@pytest.fixture
def empty_table(tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), 60, np.uint8))
    return path


def test_an_empty_table_gives_a_line_with_no_cards(empty_table, capsys) -> None:
    assert main(["read", "--format", "json", str(empty_table)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer.pop("ms") >= 0
    assert answer == {
        "image": str(empty_table),
        "cards": [],
        "face_down": 0,
        "bones": [],
        "bones_total": 0,
        "unsure": [],
    }


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


def test_picture_writes_an_annotated_copy_beside_it(empty_table) -> None:
    assert main(["read", "--format", "picture", str(empty_table)]) == 0
    copy = cv2.imread(str(empty_table.with_name("table.read.png")))
    assert copy.shape == (300, 400, 3)
