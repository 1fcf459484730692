"""A network gives the same answer whatever runs it."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from vision.errors import ModelError
from vision.inference import Network
from vision.models import check

PATCHES = list(np.random.default_rng(3).integers(0, 256, (5, 60, 40, 3), np.uint8))


def runtime(answer, *, fails: bool = False) -> ModuleType:
    """A module that stands for ONNX Runtime and answers *answer* for each picture."""
    module = ModuleType("onnxruntime")

    class Session:
        def __init__(self, model, options, providers) -> None:
            if fails:
                raise RuntimeError("not for me")
            check("corner_reader.onnx", model)
            assert providers == ["CPUExecutionProvider"]

        def get_inputs(self):
            return [SimpleNamespace(name="pictures")]

        def run(self, names, given):
            return [np.stack([answer(picture) for picture in given["pictures"]])]

    class Options:
        def add_session_config_entry(self, key, value) -> None:
            assert (key, value) == ("session.intra_op.allow_spinning", "0")

    module.SessionOptions, module.InferenceSession = Options, Session  # type: ignore[attr-defined]
    return module


@pytest.fixture
def only_opencv(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)


def test_without_onnx_runtime_opencv_runs_it(only_opencv) -> None:
    net = Network("corner_reader.onnx")
    assert net.runtime == "opencv"
    whole = net.run(PATCHES)
    assert whole.shape == (5, 19)
    assert np.ptp(whole) > 0
    # In parts it says the same, and what was given before stays as it was.
    kept = whole.copy()
    assert net.run(PATCHES[::-1], batch=2) == pytest.approx(whole[::-1], abs=1e-4)
    assert np.array_equal(whole, kept)


def test_onnx_runtime_is_used_where_it_is_installed(monkeypatch) -> None:
    module = runtime(lambda picture: picture.mean(axis=(1, 2)))
    monkeypatch.setitem(sys.modules, "onnxruntime", module)
    net = Network("corner_reader.onnx")
    assert net.runtime == "onnxruntime"
    means = [patch.mean(axis=(0, 1)) / 255 for patch in PATCHES]
    assert net.run(PATCHES, batch=2) == pytest.approx(np.array(means), abs=1e-5)


@pytest.mark.parametrize("before", ["", "0"])
def test_telemetry_is_off_when_onnx_runtime_is_imported(monkeypatch, tmp_path, before) -> None:
    seen = tmp_path / "seen"
    (tmp_path / "onnxruntime.py").write_text(
        "import os, pathlib\n"
        f"pathlib.Path({str(seen)!r}).write_text(os.environ['ORT_DISABLE_TELEMETRY'])\n"
        "raise ImportError\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", before)
    Network("corner_reader.onnx", trusted=True)
    assert seen.read_text() == "1"


def test_what_onnx_runtime_will_not_load_opencv_runs(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime(np.mean, fails=True))
    net = Network("corner_reader.onnx")
    assert net.runtime == "opencv"
    assert net.run(PATCHES).shape == (5, 19)


@pytest.mark.parametrize("installed", [False, True], ids=["opencv", "onnxruntime"])
def test_a_missing_network_says_to_install_again(monkeypatch, installed) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime(np.mean) if installed else None)
    with pytest.raises(ModelError, match=r"none\.onnx is missing; install boneace again"):
        Network("none.onnx")


@pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="ONNX Runtime is not installed"
)
@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("corner_reader.onnx", (60, 40)),
        ("reader.onnx", (152, 112)),
        ("straightener.onnx", (128, 96)),
        ("card_finder.onnx", (96, 160)),
    ],
)
def test_both_say_the_same(monkeypatch, name, size) -> None:
    pictures = list(np.random.default_rng(4).integers(0, 256, (2, *size, 3), np.uint8))
    fast = Network(name)
    assert fast.runtime == "onnxruntime"
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    slow = Network(name)
    assert slow.runtime == "opencv"
    assert fast.run(pictures) == pytest.approx(slow.run(pictures), rel=1e-3, abs=1e-3)
