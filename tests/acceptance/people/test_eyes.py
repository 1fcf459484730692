"""The run through the real eyes comes to its end, and tells what it found."""

import pytest

from tests.acceptance.people import eyes


@pytest.mark.slow
def test_a_round_of_bones_is_thrown_seen_and_judged(capsys):
    words = ["--game", "knucklebones", "--mix", "careful", "--hands", "1", "--minutes", "1"]
    assert eyes.main(words) == 0
    told = capsys.readouterr().out
    assert "knucklebones, careful people, through the real eyes" in told
    assert "right: 1 of 1" in told
    assert "'bone read'" in told
