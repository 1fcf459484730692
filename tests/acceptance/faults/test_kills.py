"""The program is killed as it writes; `make kills` tries every writing call."""

import shutil

import pytest

from tests.acceptance.faults import kills

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
