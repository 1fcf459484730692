"""``boneace teach bones``: from pictures or the camera to a set that ``boneace read`` uses."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands import teach
from device.commands.teach import judgement
from device.ports import Frame
from device.simulator.bone_table import BonesTable
from device.storage.custom_sets import save_set
from device.storage.taught import BONES, load_bones
from engine.core.bones import Face
from vision.bones.classifier import FEATURES, KINDS, BonePrediction
from vision.bones.custom_set import BoneMatcher, CustomBoneSet
from vision.bones.detector import BoneCandidate
from vision.bones.enrolment import BoneSetEnrolment
from vision.bones.pipeline import BoneDetection
from vision.errors import EnrolmentError
from vision.mat.pose import MatLayout

pytestmark = pytest.mark.slow

DYE = "ivory"


def picture(face: Face, seed: int) -> np.ndarray:
    """Five bones on a virtual table, all with *face* uppermost, near to the camera."""
    table = BonesTable(MatLayout(4, "A2"), seed=seed, dye=DYE)
    table.throw(0, 5, faces=[face] * 5)
    while table.is_moving:
        table.frame()
    return table.frame()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pictures")
    for number, face in enumerate(Face):
        (place / face.value).mkdir()
        for k in range(2):
            cv2.imwrite(str(place / face.value / f"{k}.png"), picture(face, 10 * number + k))
    return place


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "boneace" / "bones"


@pytest.fixture(scope="module")
def taught(folder, tmp_path_factory) -> BoneMatcher:
    """One set, taught once for all tests: it takes some seconds."""
    teacher = BoneSetEnrolment(CustomBoneSet("blue-set"))
    teach.teach_from_folder(teacher, folder)
    return BoneMatcher(teacher.bones)


def test_a_set_taught_from_pictures_is_kept_judged_and_used(
    folder, state, tmp_path, capsys
) -> None:
    assert main(["teach", "bones", "blue-set", "--from", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert "looks that were held out are told right" in out
    assert str(state / "blue-set.json") in err
    right = load_bones("blue-set").report.right
    assert right > 0.9
    new = tmp_path / "new.png"
    cv2.imwrite(str(new), picture(Face.TWISTED, 77))
    assert main(["read", "--format", "json", "--bones", "blue-set", str(new)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [bone["face"] for bone in answer["bones"]].count("twisted") >= 4
    assert answer["bones_total"] == sum(bone["value"] for bone in answer["bones"])


def test_the_judgement_names_each_face_and_what_was_confused(taught) -> None:
    lines = list(judgement(taught))
    assert lines[0].startswith("blue-set: ")
    for face in Face:
        assert any(line.strip().startswith(f"{face} ({face.points}): ") for line in lines)
    assert len(lines) == 5 + min(len(taught.report.confused), 3)


def test_the_camera_is_asked_for_each_face_and_a_bad_picture_is_taken_again() -> None:
    class Table:
        """A camera over bones that somebody lays as he is asked to."""

        def __init__(self) -> None:
            self.image = np.full((480, 640, 3), 90, np.uint8)
            self.asked: list[str] = []

        def read(self, timeout_s: float = 2.0) -> Frame:
            return Frame(self.image, 0.0)

        def close(self) -> None: ...

        def answer(self, question: str) -> str:
            self.asked.append(question)
            face = next(face for face in Face if question.startswith(f"{face} ("))
            times = sum(each.startswith(f"{face} (") for each in self.asked)
            if face is Face.FLAT and times == 1:
                return ""  # the table is still empty
            if times > 3:
                return "n"
            self.image = picture(face, 40 + len(self.asked))
            return ""

    table = Table()
    teacher = BoneSetEnrolment(CustomBoneSet("asked"))
    teach.ask_for_faces(teacher, table, table.answer)
    assert [teacher.bones.showings(face) for face in Face] == [2, 3, 3, 3]
    assert "n: next face" not in table.asked[0]
    assert "n: next face" in table.asked[3]


def test_too_few_pictures_are_named_with_the_folder(folder, tmp_path, capsys) -> None:
    (tmp_path / "flat").mkdir()
    assert main(["teach", "bones", "few", "--from", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert str(tmp_path / "flat") in err
    assert "at least 2" in err


def test_a_picture_without_bones_is_named(folder, state, tmp_path, capsys) -> None:
    for face in Face:
        (tmp_path / face.value).mkdir()
        for k in range(2):
            cv2.imwrite(str(tmp_path / face.value / f"{k}.png"), np.full((300, 400, 3), 80))
    assert main(["teach", "bones", "empty", "--from", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert "0.png" in err
    assert "no bone is seen" in err
    assert not (state / "empty.json").exists()


def test_an_unknown_set_lists_those_that_were_taught(taught, state, capsys, tmp_path) -> None:
    save_set(taught.bones, BONES.path("blue-set"))
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), 60, np.uint8))
    assert main(["read", "--bones", "green", str(path)]) == 1
    err = capsys.readouterr().err
    assert "'green'" in err
    assert "blue-set" in err
    assert "boneace teach bones green" in err


def test_a_set_may_be_named_by_its_file(taught, tmp_path) -> None:
    path = tmp_path / "copied.json"
    save_set(taught.bones, path)
    assert load_bones(str(path)).report == taught.report


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".", "x" * 61])
def test_a_name_that_is_no_file_name_is_refused(name) -> None:
    with pytest.raises(EnrolmentError, match="cannot be the name of a taught set of bones"):
        BONES.path(name)


class Stub:
    """Sees one bone on every picture, and knows its face by the colour of the picture."""

    def detect(self, image, px_per_mm=None, *, thorough=None):
        shown = int(image[0, 0, 0]) // 50
        features = np.zeros(FEATURES, np.float32)
        features[shown] = 3.0
        kinds = np.full(KINDS, 0.16, np.float32)
        rim = np.array([[0, 0], [9, 0], [0, 9]], np.float32)
        look = BonePrediction(kinds, features, rim)
        return [BoneDetection(BoneCandidate(5.0, 5.0, 9.0, 1.0), look, 1.0)]


class Shown:
    """A camera that is shown what is asked for, and somebody who stops after some answers."""

    def __init__(self, patience: int) -> None:
        self.asked: list[str] = []
        self.patience = patience
        self.image = np.zeros((480, 640, 3), np.uint8)
        self.closed = False

    def read(self, timeout_s: float = 2.0) -> Frame:
        return Frame(self.image, 0.0)

    def close(self) -> None:
        self.closed = True

    def answer(self, question: str) -> str:
        self.asked.append(question)
        if len(self.asked) > self.patience:
            raise KeyboardInterrupt
        face = next(face for face in Face if question.startswith(f"{face} ("))
        self.image[:] = 50 * list(Face).index(face)
        return ""


def test_teaching_that_was_stopped_goes_on_where_it_was(state, monkeypatch, capsys) -> None:
    monkeypatch.setattr(teach, "BoneSetEnrolment", lambda bones: BoneSetEnrolment(bones, Stub()))

    def run(patience):
        table = Shown(patience)
        monkeypatch.setattr(teach, "open_camera", lambda spec: table)
        monkeypatch.setattr("builtins.input", table.answer)
        status = main(["teach", "bones", "brass", "--camera", "0"])
        assert table.closed
        return status, table.asked

    status, asked = run(0)
    assert status == 1
    assert "nothing has been shown yet" in capsys.readouterr().err
    status, asked = run(6)
    assert status == 1
    assert "the same command goes on" in capsys.readouterr().err
    assert not (state / "brass.json").exists()
    status, asked = run(99)
    assert status == 0
    assert "flat 4, concave 2, convex 0, twisted 0" in capsys.readouterr().err
    assert asked[0].startswith("concave (3), 3 of 4")
    assert len(asked) == 16 - 6
    assert [path.name for path in state.iterdir()] == ["brass.json"]
    report = load_bones("brass").report
    assert report.looks == 4 * 4 * 4
    assert report.right == 1.0
    assert report.before < 0.5


def test_what_was_begun_and_is_damaged_is_begun_anew(state, monkeypatch, capsys) -> None:
    monkeypatch.setattr(teach, "BoneSetEnrolment", lambda bones: BoneSetEnrolment(bones, Stub()))
    table = Shown(99)
    monkeypatch.setattr(teach, "open_camera", lambda spec: table)
    monkeypatch.setattr("builtins.input", table.answer)
    state.mkdir(parents=True)
    (state / "brass.json.begun").write_text("{", encoding="utf-8")
    assert main(["teach", "bones", "brass", "--camera", "0"]) == 0
    assert "Beginning anew" in capsys.readouterr().err
    assert len(table.asked) == 16
