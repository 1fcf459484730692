"""Teaching a set of bones: what is learnt, how honestly it is judged, and the file it fills."""

from __future__ import annotations

import json

import numpy as np
import pytest

from device.storage.custom_sets import load_set, save_set
from engine.core.bones import Face
from vision.bones.classifier import FACES, FEATURES, KINDS, BonePrediction
from vision.bones.custom_set import BoneMatcher, CustomBoneSet, EnrolmentSample
from vision.bones.pipeline import SURE
from vision.errors import EnrolmentError

RIM = np.zeros((3, 2), np.float32)


def made(
    rng: np.random.Generator, *, apart: float, showings: int = 4, looks: int = 4
) -> list[EnrolmentSample]:
    """Looks whose features lie *apart* widths from face to face; the network knows nothing."""
    middles = rng.normal(0, apart, (4, FEATURES)) / np.sqrt(FEATURES)
    samples = []
    for showing in range(4 * showings):
        face = FACES[showing % 4]
        light = rng.normal(0, 0.3, FEATURES)
        for _ in range(looks):
            features = middles[FACES.index(face)] + light + rng.normal(0, 0.3, FEATURES)
            samples.append(EnrolmentSample(face, showing, features, clueless()))
    return samples


def clueless(none: float = 0.1) -> np.ndarray:
    """What a network says that cannot tell the faces."""
    return np.array([*[(1 - none) / 4] * 4, 0.0, none])


def look(features: np.ndarray, kinds: np.ndarray) -> BonePrediction:
    return BonePrediction(kinds.astype(np.float32), features.astype(np.float32), RIM)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_a_set_the_network_cannot_read_is_read_after_teaching(rng) -> None:
    samples = made(rng, apart=6.0)
    taught = BoneMatcher(CustomBoneSet("resin", samples[: 4 * 12]))
    right = 0
    for sample in samples[4 * 12 :]:
        kinds = taught.adapt(look(sample.features, sample.kinds))
        assert kinds.shape == (KINDS,)
        assert kinds.sum() == pytest.approx(1.0, abs=1e-5)
        right += FACES[int(kinds[:4].argmax())] is sample.face
    assert right == 16
    assert taught.report.right > 0.95
    assert taught.report.before < 0.5


def test_the_judgement_is_of_looks_held_out_and_does_not_flatter(rng) -> None:
    # Nothing tells the faces apart but the light of each showing, which says nothing of the face:
    # a set judged by what it was learnt from would seem perfect.
    taught = BoneMatcher(CustomBoneSet("pebbles", made(rng, apart=0.0)))
    assert taught.report.right < 0.6
    assert taught.report.looks == 4 * 4 * 4
    assert taught.report.confused


def test_a_network_that_knows_the_faces_is_not_spoilt_by_bad_teaching(rng) -> None:
    samples = [
        EnrolmentSample(s.face, s.showing, s.features, sure_of(s.face))
        for s in made(rng, apart=0.0)
    ]
    taught = BoneMatcher(CustomBoneSet("ivory", samples))
    assert taught.report.right == 1.0
    assert taught.report.before == 1.0
    kinds = taught.adapt(look(samples[0].features, sure_of(Face.TWISTED)))
    assert FACES[int(kinds[:4].argmax())] is Face.TWISTED


def test_a_set_that_the_network_names_wrongly_with_confidence_is_asked_about(rng) -> None:
    # Every second look the network is sure of a wrong face, as it is of some metals and resins.
    samples = [
        EnrolmentSample(s.face, s.showing, s.features, sure_of(s.face if n % 2 else Face.FLAT))
        for n, s in enumerate(made(rng, apart=0.0))
    ]
    taught = BoneMatcher(CustomBoneSet("brass", samples))
    kinds = taught.adapt(look(samples[0].features, sure_of(Face.TWISTED)))
    assert FACES[int(kinds[:4].argmax())] is Face.TWISTED
    assert kinds.max() < SURE
    known = [EnrolmentSample(s.face, s.showing, s.features, sure_of(s.face)) for s in samples]
    sure = BoneMatcher(CustomBoneSet("ivory", known)).adapt(
        look(samples[0].features, sure_of(Face.TWISTED))
    )
    assert sure.max() > SURE


def sure_of(face: Face) -> np.ndarray:
    kinds = np.full(KINDS, 0.01)
    kinds[FACES.index(face)] = 0.95
    return kinds


def test_what_looks_like_the_taught_set_is_a_bone_and_what_does_not_is_left_alone(rng) -> None:
    samples = made(rng, apart=6.0)
    taught = BoneMatcher(CustomBoneSet("lead", samples))
    doubted = clueless(none=0.9)
    assert taught.adapt(look(samples[0].features, doubted))[-1] <= 0.2 + 1e-6
    strange = samples[0].features + 9.0
    assert taught.adapt(look(strange, doubted))[-1] == pytest.approx(0.9)


def test_a_face_shown_once_cannot_be_judged(rng) -> None:
    samples = [s for s in made(rng, apart=6.0) if s.face is not Face.FLAT or s.showing == 0]
    with pytest.raises(EnrolmentError, match=r"flat was shown 1 times, at least 2"):
        BoneMatcher(CustomBoneSet("short", samples))


def test_a_set_is_the_same_after_it_was_kept_in_a_file(rng, tmp_path) -> None:
    samples = made(rng, apart=3.0)
    taught = BoneMatcher(CustomBoneSet("horn", samples))
    path = tmp_path / "sets" / "horn.json"
    save_set(taught.bones, path)
    again = BoneMatcher(load_set(CustomBoneSet, path))
    assert again.bones.name == "horn"
    assert again.report == taught.report
    seen = look(samples[7].features, samples[7].kinds)
    assert again.adapt(seen) == pytest.approx(taught.adapt(seen), abs=1e-3)
    assert path.stat().st_size < 200_000
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda kept: kept.update(format=9), "format 9"),
        (lambda kept: kept.update(network="0" * 64), "taught to another version"),
        (lambda kept: kept.pop("network"), "taught to another version"),
        (lambda kept: kept.pop("samples"), "damaged"),
        (lambda kept: kept["samples"][0].update(face="round"), "damaged"),
        (lambda kept: kept["samples"][0].update(features=[1.0]), "damaged"),
        (lambda kept: kept["samples"][0]["features"].__setitem__(0, None), "damaged"),
    ],
    ids=["format", "network", "no network", "no samples", "face", "too short", "no number"],
)
def test_a_spoilt_file_is_refused_with_what_to_do(rng, tmp_path, spoil, word) -> None:
    path = tmp_path / "set.json"
    save_set(CustomBoneSet("horn", made(rng, apart=3.0)), path)
    kept = json.loads(path.read_text(encoding="utf-8"))
    spoil(kept)
    path.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(EnrolmentError, match=word) as caught:
        load_set(CustomBoneSet, path)
    assert "boneace teach bones" in str(caught.value)


def test_a_missing_or_torn_file_and_a_closed_folder_are_named(rng, tmp_path) -> None:
    with pytest.raises(EnrolmentError, match="cannot be read"):
        load_set(CustomBoneSet, tmp_path / "none.json")
    torn = tmp_path / "torn.json"
    torn.write_text('{"format": 1, "sam', encoding="utf-8")
    with pytest.raises(EnrolmentError, match="damaged"):
        load_set(CustomBoneSet, torn)
    with pytest.raises(EnrolmentError, match="cannot be written"):
        save_set(CustomBoneSet("horn", made(rng, apart=3.0)), torn / "horn.json")
