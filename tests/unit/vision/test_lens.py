"""A lens that bends is measured from the mat, and places come out right through it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.cli import main
from device.simulator.table import SimulatedTable
from device.storage.lens_file import CalibrationError, load_lens, save_lens
from vision.camera.lens import Lens, fit_lens
from vision.mat.pose import MatLayout, find_mat, marker_points

BARREL = -0.16


def through(lens: Lens, image: np.ndarray) -> np.ndarray:
    """What the camera would give through the lens."""
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    flat = lens.undistort(np.stack([columns.ravel(), rows.ravel()], axis=1))
    x, y = flat.reshape(*image.shape[:2], 2).astype(np.float32).transpose(2, 0, 1)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@pytest.fixture(scope="module")
def flat() -> np.ndarray:
    return SimulatedTable(MatLayout(4), style="modern", seed=3).frame()


@pytest.fixture(scope="module")
def bent(flat) -> np.ndarray:
    return through(Lens(BARREL, flat.shape[1], flat.shape[0]), flat)


@pytest.mark.parametrize("bend", [-0.3, -0.1, 0.0, 0.12])
def test_bending_and_flattening_undo_each_other(bend) -> None:
    lens = Lens(bend, 1600, 1200)
    points = np.random.default_rng(0).uniform([0, 0], [1600, 1200], (50, 2))
    assert np.abs(lens.undistort(lens.distort(points)) - points).max() < 0.01


def test_the_bend_is_found_from_the_markers(bent) -> None:
    view = marker_points(bent)
    assert view is not None
    fit = fit_lens([view], (bent.shape[1], bent.shape[0]))
    assert fit.lens.bend == pytest.approx(BARREL, abs=0.03)
    assert fit.after_mm < 0.5 * fit.before_mm


def test_a_straight_lens_is_found_straight(flat) -> None:
    view = marker_points(flat)
    assert view is not None
    assert abs(fit_lens([view], (flat.shape[1], flat.shape[0])).lens.bend) < 0.02


def test_places_on_the_mat_come_out_right_through_the_lens(flat, bent) -> None:
    true = find_mat(flat)
    assert true is not None
    lens = Lens(BARREL, flat.shape[1], flat.shape[0])
    middle = np.array([[400.0, 300.0], [100.0, 290.0]])
    seen = lens.distort(true.to_px(middle))
    plain, corrected = find_mat(bent), find_mat(bent, lens)
    assert plain is not None
    assert corrected is not None
    off = np.abs(corrected.to_mm(seen) - middle).max()
    assert off < 1.5
    assert np.abs(plain.to_mm(seen) - middle).max() > 2 * off
    assert np.abs(corrected.to_px(middle) - seen).max() < 3


def test_too_few_points_are_refused() -> None:
    with pytest.raises(ValueError, match="whole mat"):
        fit_lens([(np.zeros((4, 2)), np.zeros((4, 2)))], (640, 480))


@pytest.fixture
def camera_of(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)

    def film(image: np.ndarray) -> str:
        folder = tmp_path / "film"
        folder.mkdir()
        assert cv2.imwrite(str(folder / "0.png"), image)
        return str(folder)

    return film


def test_calibrate_keeps_a_lens_that_bends_and_forgets_it(bent, camera_of, capsys) -> None:
    assert main(["calibrate", "--camera", camera_of(bent), "--lens"]) == 0
    assert "The mat for 4" in capsys.readouterr().out
    lens = load_lens()
    assert lens is not None
    assert lens.bend == pytest.approx(BARREL, abs=0.03)
    assert main(["calibrate", "--forget"]) == 0
    assert load_lens() is None


def test_calibrate_keeps_nothing_of_a_straight_lens(flat, camera_of, capsys) -> None:
    assert main(["calibrate", "--camera", camera_of(flat), "--lens"]) == 0
    assert "nothing to correct" in capsys.readouterr().out
    assert load_lens() is None


def test_calibrate_without_a_mat_measures_no_lens(camera_of, capsys) -> None:
    grey = np.full((480, 640, 3), 120, np.uint8)
    assert main(["calibrate", "--camera", camera_of(grey), "--lens"]) == 1
    told = capsys.readouterr().err
    assert told == "Too few markers are seen; show all four and run this again.\n"
    assert load_lens() is None


def test_calibrate_without_a_mat_says_what_to_do(camera_of, capsys) -> None:
    assert main(["calibrate", "--camera", camera_of(np.full((480, 640, 3), 120, np.uint8))]) == 1
    assert "boneace mat" in capsys.readouterr().err


def test_a_damaged_lens_file_says_how_to_measure_again(tmp_path) -> None:
    path = save_lens(Lens(-0.1, 1600, 1200), tmp_path / "lens.json")
    assert load_lens(path) == Lens(-0.1, 1600, 1200)
    path.write_text('{"bend": 7, "width_px": 1, "height_px": 1}')
    with pytest.raises(CalibrationError, match="boneace calibrate --lens"):
        load_lens(path)
