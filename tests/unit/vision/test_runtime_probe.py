"""ONNX Runtime is tried in a child first: what ends the child does not end the table."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from vision import runtime_probe
from vision.inference import Network
from vision.runtime_probe import answer_file, fast_runtime, identity

DIES = "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n"
COUNTS = "open({path!r}, 'a').write('tried\\n')\n"


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path) -> None:
    """No answer is remembered, and ONNX Runtime is not imported yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(runtime_probe, "identity", lambda: "this machine")
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    fast_runtime.cache_clear()
    yield
    fast_runtime.cache_clear()


def stand_in(monkeypatch, folder: Path, text: str) -> None:
    (folder / "onnxruntime.py").write_text(text)
    monkeypatch.syspath_prepend(folder)


def test_a_runtime_that_ends_the_program_is_not_used(monkeypatch, tmp_path) -> None:
    stand_in(monkeypatch, tmp_path, DIES)
    assert Network("corner_reader.onnx").runtime == "opencv"
    assert not fast_runtime().works
    assert fast_runtime().reason == "ends the program that uses it on this machine (SIGILL)"


def test_the_answer_is_remembered_until_something_changes(monkeypatch, tmp_path) -> None:
    tries = tmp_path / "tries"
    stand_in(monkeypatch, tmp_path, COUNTS.format(path=str(tries)) + DIES)
    for _ in range(2):
        fast_runtime.cache_clear()
        assert not fast_runtime().works
    assert tries.read_text() == "tried\n"
    monkeypatch.setattr(runtime_probe, "identity", lambda: "another version")
    fast_runtime.cache_clear()
    fast_runtime()
    assert tries.read_text() == "tried\ntried\n"


def test_what_may_be_mended_is_tried_at_each_start(monkeypatch, tmp_path) -> None:
    stand_in(monkeypatch, tmp_path, "raise ImportError('libgomp.so.1 is missing')\n")
    assert not fast_runtime().works
    assert not answer_file().exists()


@pytest.mark.parametrize("left", [b"", b"[1]", b"{}", b"\xff\xfe", b'{"identity": "this machine"}'])
def test_a_damaged_answer_is_made_again(monkeypatch, tmp_path, left) -> None:
    stand_in(monkeypatch, tmp_path, DIES)
    answer_file().parent.mkdir(parents=True)
    answer_file().write_bytes(left)
    assert not fast_runtime().works
    assert b"SIGILL" in answer_file().read_bytes()


def test_where_nothing_can_be_written_it_is_tried_all_the_same(monkeypatch, tmp_path) -> None:
    stand_in(monkeypatch, tmp_path, DIES)
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert not fast_runtime().works


def test_what_is_not_installed_is_not_tried(monkeypatch) -> None:
    monkeypatch.setattr(runtime_probe, "identity", identity)

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert fast_runtime() == runtime_probe.Probe("", works=False, reason="is not installed")
    assert not answer_file().exists()


@pytest.mark.skipif(not identity(), reason="ONNX Runtime is not installed")
def test_the_real_one_works_here_and_is_used() -> None:
    assert fast_runtime().works
    assert Network("corner_reader.onnx").runtime == "onnxruntime"
