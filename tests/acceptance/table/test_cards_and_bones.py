"""Cards and bones in one picture, from pixels to the line of JSON."""

from __future__ import annotations

import json
from collections import Counter

import cv2

from device.cli import main
from device.simulator.bone_table import BonesTable
from engine import Card
from vision.mat.pose import MatLayout


def test_cards_and_bones_of_one_picture_are_read_together(tmp_path, capsys):
    table = BonesTable(MatLayout(4, "A1"), seed=30, size=(1920, 1080))
    table.throw(0, 5)
    table.settle()
    for seat, code in enumerate(("AH", "9C", "KD")):
        table.lay(seat, Card.parse(code), face_up=True)
    table.settle()
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), table.frame())
    assert main(["read", "--format", "json", str(picture)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {card["card"] for card in told["cards"]} == {"AH", "9C", "KD"}
    thrown = Counter(bone.face.value for bone in table.bones)
    assert Counter(bone["face"] for bone in told["bones"]) == thrown
    assert told["bones_total"] == sum(bone.face.points for bone in table.bones)
    assert all(0 <= bone["confidence"] <= 1 for bone in told["bones"])
    for bone in told["bones"]:
        x, y = bone["centre"]
        near = min(
            abs(table.outline(lying).mean(0)[0] - x) + abs(table.outline(lying).mean(0)[1] - y)
            for lying in table.bones
        )
        assert near < 12
        assert len(bone["outline"]) >= 3
