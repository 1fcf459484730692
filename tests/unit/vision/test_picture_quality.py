"""What is wrong with a picture is told in words, and nothing is said of a good one."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from device.cli import main
from device.config.model import load_layers
from device.simulator.table import SimulatedTable
from vision.image_quality import CURES, IssueKind, assess
from vision.mat.pose import MatLayout


@pytest.fixture(scope="module")
def good() -> np.ndarray:
    return SimulatedTable(MatLayout(4), style="modern", seed=3).frame()


def flaws(*frames: np.ndarray) -> set[IssueKind]:
    return {remark.kind for remark in assess(frames)}


def test_nothing_is_wrong_with_a_good_picture(good) -> None:
    assert assess([good]) == []


def test_a_dark_picture_asks_for_a_lamp(good) -> None:
    remarks = assess([(good * 0.15).astype(np.uint8)])
    assert remarks[0].kind is IssueKind.DARK
    assert "lamp" in remarks[0].cure


def test_a_picture_out_of_focus_is_blurred_and_a_sharp_one_is_not(good) -> None:
    assert IssueKind.BLURRED in flaws(np.asarray(cv2.GaussianBlur(good, (0, 0), 3.5)))
    assert IssueKind.BLURRED not in flaws(np.asarray(cv2.GaussianBlur(good, (0, 0), 0.6)))


def test_a_lamp_mirrored_on_the_mat_is_glare(good) -> None:
    y, x = np.mgrid[0 : good.shape[0], 0 : good.shape[1]]
    spot = 260 * np.exp(-((x - 800) ** 2 + (y - 700) ** 2) / (2 * 130**2))
    lit = np.clip(good + spot[..., None], 0, 255).astype(np.uint8)
    assert flaws(lit) == {IssueKind.GLARE}


def test_a_mat_out_of_the_picture_is_cut_on_that_side(good) -> None:
    cut = assess([np.ascontiguousarray(good[:, 130:])])
    assert [remark.kind for remark in cut] == [IssueKind.MAT_CUT]
    assert "left" in cut[0].measured


def test_a_table_without_a_mat_says_how_to_print_one() -> None:
    noise = np.random.default_rng(1).integers(60, 200, (480, 640, 3), dtype=np.uint8)
    (remark,) = (r for r in assess([noise]) if r.kind is IssueKind.NO_MAT)
    assert "boneace mat" in remark.cure


def test_a_camera_too_high_is_told_to_come_lower(good) -> None:
    small = cv2.resize(good, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    assert IssueKind.FAR in flaws(np.asarray(small))


def test_bands_that_roll_are_flicker_and_a_cloud_is_not(good) -> None:
    rows = np.arange(good.shape[0])[:, None, None]
    rolling = [
        np.clip(good + 14 * np.sin(rows / 90 + phase), 0, 255).astype(np.uint8)
        for phase in (0.0, 2.1, 4.2)
    ]
    assert IssueKind.FLICKER in flaws(*rolling)
    cloudy = [np.clip(good * light, 0, 255).astype(np.uint8) for light in (1.0, 0.9, 0.8)]
    assert IssueKind.FLICKER not in flaws(*cloudy)


def test_no_picture_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one picture"):
        assess([])


def test_doctor_camera_says_what_is_wrong_and_what_to_do(
    good, tmp_path, monkeypatch, capsys
) -> None:
    film = tmp_path / "film"
    film.mkdir()
    assert cv2.imwrite(str(film / "0.png"), (good * 0.15).astype(np.uint8))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml", raising=False)
    (tmp_path / "boneace").mkdir()
    (tmp_path / "boneace" / "config.toml").write_text(f'[camera]\nspec = "{film}"\n')
    main(["doctor", "camera"])
    out = capsys.readouterr().out
    assert "dark: its bright parts reach" in out
    assert "add a lamp" in out


@pytest.mark.parametrize("kind", IssueKind)
def test_a_cure_names_no_key_that_the_config_lacks(kind) -> None:
    keys = {entry.name for entry in load_layers([]).entries()}
    assert set(re.findall(r"\b[a-z_]+\.[a-z_]+\b", CURES[kind])) <= keys
