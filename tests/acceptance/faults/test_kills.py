"""The program is killed as it writes; `make kills` tries every writing call."""

import shutil

import pytest

from tests.acceptance.faults import killed_copies, kills

needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not installed: apt install strace"
)


@needs_strace
@pytest.mark.fault(
    "process killed while it writes",
    sees="after the start all that was on the screen before",
    does="writes each thing whole or not at all; the number outside never leads the journal",
)
def test_a_kill_at_a_writing_call_loses_nothing(tmp_path):
    found = dict(kills.kill_all(tmp_path, every=13))
    assert len(found) > 5
    assert not [wrong for wrong in found.values() if wrong]


@needs_strace
@pytest.mark.fault(
    "backup, restore or erase killed",
    sees="after the start the old state or the new one; no sound copy is broken",
    does="writes each copy whole or not at all; finishes a restore at the next start, or undoes it",
)
@pytest.mark.parametrize("name", killed_copies.COMMANDS)
def test_a_kill_of_what_copies_restores_and_erases_loses_nothing(tmp_path, name):
    found = dict(killed_copies.kill_all(tmp_path, name, every=29))
    assert len(found) >= 1
    assert not [wrong for wrong in found.values() if wrong]
