"""A taught deck or set of bones that cannot be used is named, and never stops a table."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from device.storage.taught import BONES, DECKS, LOAD, problem_with_set
from vision.errors import EnrolmentError


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    for sets in (DECKS, BONES):
        sets.folder.mkdir()


@pytest.mark.parametrize("kind", LOAD)
def test_a_name_that_is_too_long_for_a_file_is_a_problem_and_no_error(kind):
    assert "up to sixty letters" in problem_with_set(kind, "x" * 300)


@pytest.mark.parametrize("sets", [DECKS, BONES], ids=lambda sets: sets.thing)
def test_sixty_letters_of_any_alphabet_make_a_file(sets):
    path = sets.path("𐐷" * 60)
    path.with_name(path.name + ".begun").touch()
    with pytest.raises(EnrolmentError, match="cannot be the name"):
        sets.path("x" * 61)


@pytest.mark.parametrize("kind", LOAD)
def test_a_folder_that_may_not_be_opened_is_a_problem_and_no_error(kind, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "exists", refused)
    monkeypatch.setattr("device.storage.custom_sets.read_file", refused)
    assert "cannot be read (Permission denied)" in problem_with_set(kind, "brass")
