# ruff: noqa: E402
"""The generator of training scenes and the trainer, with a small bank of art made here."""

import hashlib

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("onnx", reason="the extra 'train' is not installed")

from tests.support.quads import encode_quad
from vision import inference
from vision.cards.detector import decode_quad
from vision.cards.geometry import READ, frames_of
from vision.models import read_network
from vision.training import calibrate, compare, export, train
from vision.training.cards import art, targets
from vision.training.cards.deck_art import CODES
from vision.training.cards.networks import Finder
from vision.training.cards.render import Grounds, Things, homographies, paint, project
from vision.training.cards.tables import BACK, FACE, THING, Scenes, Tables
from vision.training.common.atlas import Atlas
from vision.training.common.camera import Camera
from vision.training.common.other_weights import weights
from vision.training.common.weights import take_weights

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """Art of two crude designs, one free and one held out."""
    folder = tmp_path_factory.mktemp("work")
    rng = np.random.default_rng(1)
    faces = rng.integers(0, 255, (104, 336, 240, 3), dtype=np.uint8)
    np.save(folder / "faces.npy", faces)
    np.save(folder / "labels.npy", np.tile(np.arange(52), 2))
    np.save(folder / "decks.npy", np.repeat(["npm-svg-cards", "gnome-plastic"], 52))
    np.save(folder / "backs.npy", faces[:2])
    np.save(folder / "back-decks.npy", np.array(["npm-svg-cards", "gnome-plastic"]))
    np.save(folder / "drawn.npy", faces[None, :52])
    np.save(folder / "drawn-bare.npy", np.array([False]))
    np.save(folder / "drawn-jokers.npy", faces[None, :2])
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BACKS", "THINGS", "GROUNDS"):
            patch.setattr(art, name, 8)
        yield folder


@pytest.fixture(scope="module")
def tables(work):
    return Tables(art.load(work), (192, 160), (20.0, 60.0))


def thing(**given):
    one = {
        "scene": 0, "quad": [[10, 10], [50, 10], [50, 70], [10, 70]], "picture": 1, "radius": 0.0,
        "cut": 0.0, "curl": (0, 0), "shadow": (0, 1, 0, 0), "tint": (1, 1, 1, 0, 0, 0),
        "redden": 0.0, "bend": (0, 0), "gloss": (0, 0, 0, 1), "rim": 0.0,
    }  # fmt: skip
    return one | given


def painted(*things, beyond=(-1, -1, -1)):
    atlas = Atlas([np.full((8, 8, 3), 100, np.uint8), np.full((60, 40, 3), 200, np.uint8)])
    columns = {name: [each[name] for each in things] for name in thing()}
    ground = Grounds(
        np.array([0]),
        np.diag([1 / 96, 1 / 80, 1.0])[None],
        np.array([96.0]),
        np.array([[1.0, 1, 1, 0, 0, 0]]),
        np.array([beyond], np.float32),
    )
    return paint(Things.of(columns, "cpu"), ground, atlas, (96, 80))


def test_a_thing_covers_the_pixels_in_its_quad_and_no_other():
    image, owner = painted(thing())
    assert owner[0, 10:70, 10:50].eq(0).all()
    assert owner.eq(0).sum() == 60 * 40
    assert image[0, 11:69, 11:49].eq(200).all()
    assert image[0, :9].eq(100).all()


def test_what_is_laid_last_lies_uppermost():
    image, owner = painted(thing(), thing(quad=[[30, 30], [90, 30], [90, 60], [30, 60]]))
    assert owner[0, 45, 45] == 1
    assert owner[0, 20, 20] == 0
    assert image[0, 45, 70, 0] == 200


def test_a_quarter_of_pixel_covered_is_a_quarter_of_its_colour():
    quad = [[10.25, 10], [50, 10], [50, 70], [10.25, 70]]
    assert painted(thing(quad=quad))[0][0, 40, 10, 0] == pytest.approx(175, abs=1)


def test_round_corners_show_the_table():
    _, owner = painted(thing(radius=0.5))
    assert owner[0, 11, 11] == -1
    assert owner[0, 40, 11] == 0


def test_a_shadow_darkens_what_lies_below_it_alone():
    image, _ = painted(thing(shadow=(0.5, 3, 3, 0)))
    assert image[0, 40, 52, 0] < 80
    assert image[0, 40, 40, 0] == 200
    assert image[0, 40, 90, 0] == 100


def test_an_empty_table_is_the_table():
    image, owner = painted()
    assert image.eq(100).all()
    assert owner.eq(-1).all()


def test_homographies_are_those_of_opencv():
    quad = np.array([[10, 12], [60, 5], [70, 66], [4, 50]], np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    found = homographies(torch.from_numpy(quad)[None])
    mine = found[0].numpy()
    assert np.allclose(mine / mine[2, 2], cv2.getPerspectiveTransform(unit, quad), atol=1e-4)
    assert np.allclose(project(found, torch.from_numpy(unit)), quad, atol=1e-3)


def test_quads_and_index_frames_are_those_of_the_product():
    quad = np.array([[40, 20], [100, 30], [95, 120], [30, 100]], np.float32)
    encoded = targets.encode_quads(torch.from_numpy(quad)[None])[0].numpy()
    assert np.allclose(encoded, encode_quad(quad), atol=1e-4)
    scenes = lone(quad, indices=2)
    frames = targets.Frames(scenes)
    for n, frame in enumerate(frames_of(quad)):
        for name in ("middle", "across", "down", "centre"):
            assert np.allclose(getattr(frames, name)[n], getattr(frame, name), atol=1e-2), name


def lone(quad, *, indices=2, kind=FACE):
    """A scene of one card of which all is seen."""
    owner = np.full((160, 192), -1, np.int64)
    cv2.fillConvexPoly(mask := np.zeros((160, 192), np.uint8), quad.astype(np.int32), 1)
    owner[mask > 0] = 0
    return Scenes(
        torch.zeros(1, 160, 192, 3),
        torch.from_numpy(owner)[None],
        torch.tensor([0]),
        torch.from_numpy(quad)[None],
        torch.tensor([kind]),
        torch.tensor([17]),
        torch.tensor([indices]),
    )


def test_the_maps_of_a_card_decode_to_it():
    quad = np.array([[40, 20], [100, 20], [100, 110], [40, 110]], np.float32)
    maps = targets.finder_maps(lone(quad))[0].numpy()
    assert (maps[0] == 1).sum() == 1
    row, column = np.argwhere(maps[0] == 1)[0]
    numbers = maps[4:14, row, column] * 32
    numbers[:2] += [column * 8 + 4, row * 8 + 4]
    assert np.allclose(decode_quad(numbers), quad, atol=0.1)
    assert (maps[2] == 1).sum() == 2
    assert not maps[1].any()


def test_a_back_is_heat_of_its_own_and_has_no_index():
    quad = np.array([[40, 20], [100, 20], [100, 110], [40, 110]], np.float32)
    maps = targets.finder_maps(lone(quad, indices=0, kind=BACK))[0].numpy()
    assert (maps[1] == 1).sum() == 1
    assert not maps[0].any()
    assert not maps[2].any()


def test_a_card_laid_on_another_hides_its_index():
    low = np.array([[40, 20], [100, 20], [100, 110], [40, 110]], np.float32)
    scenes = lone(low)
    scenes.owner[0, 20:60] = -1
    assert targets.Frames(scenes).seen.tolist() == pytest.approx([0, 1], abs=0.15)


def test_scenes_are_the_same_for_the_same_seed(tables):
    one, other = (tables.draw(3, np.random.default_rng(4)) for _ in range(2))
    assert torch.equal(one.pictures, other.pictures)
    assert one.pictures.shape == (3, 160, 192, 3)
    assert set(one.kind.tolist()) <= {FACE, BACK, THING}
    assert (one.label[one.kind != FACE] == -1).all()
    # Each card of a deck lies there once, unless decks are mixed.
    assert one.label.max() < len(CODES)


def test_a_photograph_is_one_and_the_same_for_the_same_seed(tables):
    camera = Camera()
    pictures = tables.draw(4, np.random.default_rng(4)).pictures
    taken = []
    for _ in range(2):
        camera.seed(3)
        taken.append(camera.photograph(pictures))
    assert torch.equal(*taken)
    assert taken[0].dtype == torch.uint8
    assert taken[0].shape == (4, 3, 160, 192)


def test_crops_show_the_card_where_it_should_be():
    quad = np.array([[40, 20], [100, 30], [95, 120], [30, 100]], np.float32)
    scenes = lone(quad)
    picture = (scenes.owner >= 0).to(torch.uint8)[:, None].expand(1, 3, 160, 192) * 255
    crops, kind, rank, suit, off = targets.card_crops(
        scenes, picture, READ, 0.0, np.random.default_rng(0)
    )
    assert (kind.tolist(), rank.tolist(), suit.tolist()) == ([targets.FACE_UP], [4], [1])
    assert off.abs().max() < 1e-5
    x, y = READ.margin_x + 3, READ.margin_y + 3
    inner = crops[0, 0, y:-y, x:-x]
    assert inner.min() > 250
    assert crops[0, 0, :4].max() < 60


@pytest.mark.parametrize("name", ["finder", "straightener", "reader", "corners"])
def test_each_network_learns_from_scenes_and_goes_on_where_it_stopped(name, work, tmp_path):
    where = ["--model", name, "--work", str(work), "--out", str(tmp_path), "--device", "cpu"]
    args = [*where, *["--batch", "4", "--size", "192x160", "--judge-count", "4", "--steps", "2"]]
    train.Trainer(train.parser().parse_args(args)).run()
    again = train.Trainer(train.parser().parse_args([*args, "--steps", "3"]))
    assert again.step == 2
    again.run()
    assert again.step == 3
    assert (tmp_path / "pid").read_text().strip().isdigit()
    told = train.pace(train.parser().parse_args([*args, "--pace", "2"]))
    assert "a second of a processor" in told


def test_other_processes_draw_other_samples_until_the_time_is_up(work, tmp_path):
    where = ["--model", "reader", "--work", str(work), "--out", str(tmp_path), "--device", "cpu"]
    args = train.parser().parse_args([*where, "--batch", "2", "--workers", "2"])
    batches = train.drawn(args, [1])
    sums = {int(next(batches)[0].sum()) for _ in range(6)}
    assert len(sums) == 6
    batches.close()
    timed = train.parser().parse_args(
        [*where, "--batch", "2", "--minutes", "0", "--judge-count", "2"]
    )
    trainer = train.Trainer(timed)
    trainer.run()
    assert trainer.step == 1


@pytest.mark.parametrize("name", train.TASKS)
def test_shipped_weights_come_back_and_go_out_the_same(name, tmp_path):
    task = train.TASKS[name]
    torch.manual_seed(0)
    size = (96, 128) if task.any_size else task.size
    given = (torch.rand(2, 3, *size) * 255).round() / 255
    net = task.net().eval()
    take_weights(net, export.MODELS / task.file, given)
    export.write(net, task, tmp_path / task.file)
    digest = hashlib.sha256((tmp_path / task.file).read_bytes()).hexdigest()
    assert digest in (tmp_path / "SHA256SUMS").read_text()
    with torch.no_grad():
        before, after = (
            compare.Exported(task.file, folder)(given) for folder in (export.MODELS, tmp_path)
        )
    assert torch.allclose(before, after, atol=0.03)


def test_weights_of_another_network_are_refused():
    with pytest.raises(ValueError, match="no such network"):
        take_weights(Finder(), export.MODELS / "reader.onnx", torch.rand(1, 3, 96, 128))


def test_while_weights_are_tried_those_that_lack_are_the_shipped_ones(tmp_path):
    with weights(tmp_path):
        assert inference.read_network("reader.onnx") == read_network("reader.onnx")
        (tmp_path / "reader.onnx").write_bytes(b"other")
        assert inference.read_network("reader.onnx") == b"other"


def test_the_halves_share_no_photograph():
    assert compare.half_of("dev", "edje", "dev/edje/IMG_2400.jpg") == "choose"
    assert compare.half_of("dev", "edje", "dev/edje/IMG_2653.jpg") == "report"
    assert compare.half_of("mat", "mat-casino", "mat_001.jpg") == "choose"
    assert compare.half_of("dev2", "c17326283", "a.jpg") == "choose"
    assert compare.half_of("dev", "wmc", "a.jpg") is None


def test_a_reader_is_calibrated_and_exported(work, tmp_path, monkeypatch, capsys):
    words = ["--model", "reader", "--work", str(work), "--batch", "4", "--device", "cpu"]
    options = [*words, "--steps", "1", "--judge-count", "4"]
    train.Trainer(train.parser().parse_args(options)).run()
    monkeypatch.setattr("sys.argv", ["calibrate", *words])
    calibrate.main()
    assert "at temperature" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["export", "--work", str(work), "--out", str(tmp_path)])
    export.main()
    assert (tmp_path / "reader.onnx").exists()
    with compare.weights(tmp_path):
        assert inference.read_network("reader.onnx") == (tmp_path / "reader.onnx").read_bytes()
    told = list(compare.drawn([export.MODELS, tmp_path], work, 4))
    assert [line.split()[:2] for line in told] == [
        ["reader", name] for name in ("rank", "suit", "kind", "sure", "wrong")
    ]
