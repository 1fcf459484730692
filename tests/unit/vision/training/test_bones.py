# ruff: noqa: E402
"""The generator of bones for training, with a small bank of the project's own bone."""

import math

import pytest

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")

from vision.bones.classifier import CROP, KINDS, MASK
from vision.training.bones import samples, tops
from vision.training.bones.layout import Pieces, outlines, place
from vision.training.bones.render import compose, table_normal
from vision.training.bones.samples import BONES, SCENE, Source
from vision.training.bones.sprites import NO_BONE, ensure_bank

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A bank of 128 sprites."""
    folder = tmp_path_factory.mktemp("work")
    ensure_bank(folder, 128, processes=1)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GROUNDS", "BACKS", "EACH"):
            patch.setattr(tops, name, 8)
        yield folder


@pytest.fixture
def source(work):
    return Source(work, "cpu", 3)


def pieces_of(source, count, touch):
    """Convex-face bones on one table, 60 pixels long, seen from above."""
    kind = torch.full((1, count), 2)
    pieces = source._pieces(kind, torch.zeros(1), torch.zeros(1), torch.full((1, count), 60.0))
    place(source.bank, pieces, torch.full((1, count), touch), SCENE, source.dice)
    return pieces


def gaps(source, pieces):
    """How far the outlines of each two pieces are from each other."""
    rims = outlines(source.bank, pieces)[0] + pieces.centre[0][:, None]
    there = pieces.there[0].nonzero()[:, 0].tolist()
    return [float(torch.cdist(rims[a], rims[b]).min()) for a in there for b in there if a < b]


def test_a_seed_gives_the_same_scenes_and_another_one_others(work):
    one, again, other = (Source(work, "cpu", seed).scenes(2)[0] for seed in (1, 1, 2))
    assert one.eq(again).all()
    assert not one.eq(other).all()


def test_what_is_held_out_is_not_trained_on(work):
    trained, held = (Source(work, "cpu", 1, held_out=flag).bank for flag in (False, True))
    rims = {tuple(each) for each in trained.rim.tolist()}
    assert len(held.rim) > 4
    assert not rims & {tuple(each) for each in held.rim.tolist()}


def test_pushed_bones_touch(source):
    found = [min(gaps(source, pieces_of(source, 2, touch=True))) for _ in range(20)]
    assert sum(gap < 8 for gap in found) >= 18


def test_bones_do_not_lie_in_each_other(source):
    pieces = pieces_of(source, 6, touch=True)
    geometry = compose(source.bank, pieces, table_normal(torch.zeros(1), torch.zeros(1)), SCENE)
    seen = torch.bincount(geometry.owner.flatten() + 1, minlength=7)[1:]
    whole = source.bank.area[pieces.sprite[0]] * pieces.scale[0] ** 2
    middle = pieces.centre[0]
    inside = (middle > 35).all(1) & (middle < torch.tensor(SCENE) - 35).all(1)
    kept = (pieces.there[0] & inside).nonzero()[:, 0]
    assert len(kept) >= 2
    assert (seen[kept] > 0.85 * whole[kept]).all()


def test_a_turned_bone_turns_with_its_normals(source):
    def lying(turn):
        one = torch.ones(1, 1)
        pieces = Pieces(
            torch.zeros(1, 1, dtype=torch.int64), one * 0.5, one * turn, one,
            torch.full((1, 1, 2), 40.0), one.bool(),
        )  # fmt: skip
        up = table_normal(torch.zeros(1), torch.zeros(1))
        return compose(source.bank, pieces, up, (80, 80))

    plain, quarter = lying(0.0), lying(math.pi / 2)
    assert plain.cover.rot90(-1, (2, 3)).sub(quarter.cover).abs().max() < 0.05
    x, y = quarter.normal[:, 0], quarter.normal[:, 1]
    covered = quarter.cover[:, 0] > 0.9
    was_x, was_y = (plain.normal[:, k].rot90(-1, (1, 2)) for k in (0, 1))
    assert (x - -was_y)[covered].abs().mean() < 0.02
    assert (y - was_x)[covered].abs().mean() < 0.02


def test_each_peak_of_the_heat_lies_on_a_bone_of_the_length_told(source):
    pictures, heat, shapes = source.scenes(8)
    assert pictures.shape == (8, 3, SCENE[1], SCENE[0])
    assert heat.shape[1:] == (1, SCENE[1] // 4, SCENE[0] // 4)
    peaks = (heat[:, 0] == 1).nonzero()
    assert 8 <= len(peaks) <= 8 * BONES
    told = shapes[peaks[:, 0], :, peaks[:, 1], peaks[:, 2]]
    assert told[:, :2].abs().max() <= 0.5
    long = 40 * told[:, 2].exp()
    assert long.min() > 15 * 0.8
    assert long.max() < 120 * 1.2
    assert told[:, 3].eq(1).all()


def test_crops_show_a_bone_in_the_middle_and_its_mask(source):
    crops, kind, mask = source.crops(64)
    assert crops.shape == (64, 3, CROP, CROP)
    assert kind.max() < KINDS
    bones = kind < NO_BONE
    assert 32 < bones.sum() < 64
    assert mask.shape == (64, MASK, MASK)
    assert mask[~bones].sum() == 0
    covered = mask[bones].sum((1, 2)) / (MASK * MASK)
    assert covered.min() > 0.05
    assert covered.max() < 0.6
    x = (mask[bones] * torch.arange(MASK)).sum((1, 2)) / mask[bones].sum((1, 2))
    assert (x - (MASK - 1) / 2).abs().max() < 0.2 * MASK


def test_a_metal_shows_its_room_and_a_clear_thing_the_table(source):
    """The same bone, light and table: brass differs from bone, and glass lets the table through."""
    face = torch.tensor([2])
    shown = {}
    for name in ("bone", "brass", "glass"):
        alike = Source(source.work, "cpu", 5)
        stuff = alike.materials.a_set(name, Source(source.work, "cpu", 6).dice)
        shown[name] = alike.alone(face, stuff[None, None], (128, 96), 80).float()
    assert (shown["bone"] - shown["brass"]).abs().mean() > 2
    assert (shown["bone"] - shown["glass"]).abs().mean() > 2


def test_crops_of_clutter_are_no_bones(work, monkeypatch):
    clutter = torch.full((1, CROP, CROP, 3), 7, dtype=torch.uint8)
    source = Source(work, "cpu", 3)
    source.clutter = clutter
    monkeypatch.setattr(samples, "CLUTTER", 0.5)
    pictures, kind, mask = source.crops(24)
    is_clutter = (pictures == 7).flatten(1).all(1)
    assert 4 <= int(is_clutter.sum()) <= 20
    assert (kind[is_clutter] == NO_BONE).all()
    assert not mask[is_clutter].any()
