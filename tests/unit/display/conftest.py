"""Every moment of a hand, and both sizes of the screen, for the tests of the display."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from display import PromptText
from engine.core.views import View
from tests.support.table_moments import make_view, moments


@pytest.fixture
def at() -> Callable[[int, str], tuple[View, PromptText | None]]:
    """Return one moment: ``at(8, "turn")``."""
    return lambda count, name: moments(count)[name]


@pytest.fixture
def view_of() -> Callable[..., View]:
    """Return the maker of views."""
    return make_view


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``moment`` and ``size`` to the tests that ask for them."""
    if "moment" in metafunc.fixturenames:
        cases = [
            pytest.param(moment, id=f"{count}-{name}")
            for count in range(2, 11)
            for name, moment in moments(count).items()
        ]
        metafunc.parametrize("moment", cases)
    if "size" in metafunc.fixturenames:
        metafunc.parametrize("size", [(800, 480), (1920, 1080)], ids=["800x480", "1920x1080"])
