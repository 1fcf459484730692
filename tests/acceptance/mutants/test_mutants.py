"""Which changes `make mutants` knows, and which lines it leaves alone."""

import pytest

from tests.acceptance.mutants import mutants
from tests.acceptance.mutants.changes import changes_of
from tests.support.paths import ROOT

SOURCE = '''"""A docstring: 1 < 2."""
import logging
MOST: int = 24
def of(n: int = 3, *, loud: bool = False) -> str:
    """Another one."""
    logging.info("told %s", n)
    if n < MOST and not loud:
        raise ValueError(f"{n} is too small", n)
    n += 1
    return say(n, "tokens", loud=True)
'''


def test_every_kind_of_change_is_one_line_and_still_python():
    found = {}
    for change in changes_of(SOURCE):
        after = change.text(SOURCE)
        assert after is not None
        lines = zip(SOURCE.splitlines(), after.splitlines(), strict=True)
        ((new),) = [new.strip() for old, new in lines if old != new]
        found.setdefault(change.line, set()).add(new)
    assert found == {
        3: {"MOST: int = 25", "MOST: int = (23)"},
        4: {
            "def of(n: int = 4, *, loud: bool = False) -> str:",
            "def of(n: int = (2), *, loud: bool = False) -> str:",
            "def of(n: int = 3, *, loud: bool = True) -> str:",
        },
        7: {
            "if (not (n < MOST and not loud)):",
            "if n < MOST or not loud:",
            "if n <= MOST and not loud:",
            "if n < MOST and (loud):",
        },
        8: {"pass", 'raise ValueError(n, f"{n} is too small")'},
        9: {"pass", "n -= 1", "n += 2", "n += (0)"},
        10: {
            "return None",
            'return say("tokens", n, loud=True)',
            "return say(n, 'XXtokens', loud=True)",
            'return say(n, "tokens", loud=False)',
        },
    }


@pytest.mark.slow
def test_a_seed_draws_the_same_changes_each_time_and_another_seed_others():
    first, again, other = (mutants.draw(ROOT, seed, 12) for seed in (1, 1, 2))
    assert first == again
    assert len({(path, change.line) for path, change, _ in first}) == 12
    assert {(path, change.line) for path, change, _ in first} != {
        (path, change.line) for path, change, _ in other
    }


@pytest.mark.slow
def test_the_closest_tests_come_first():
    closeness = mutants.Closeness(ROOT)
    path = "device/storage/journal/last_file.py"
    change = changes_of((ROOT / path).read_text(encoding="utf-8"))[0]
    assert closeness.order(path, change)[0].startswith("tests/unit/device/storage/")


def test_the_bounds_are_those_of_wilson():
    assert mutants.wilson(96, 100) == pytest.approx((0.9016, 0.9843), abs=1e-4)
    assert mutants.wilson(100, 100)[1] == pytest.approx(1.0)
