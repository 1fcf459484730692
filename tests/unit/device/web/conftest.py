import contextlib

import httpx
import pytest

from tests.support.played_table import PlayedTable
from tests.support.web_service import served


@contextlib.contextmanager
def opened(folder):
    """Begin a table and its pages."""
    with (
        PlayedTable(folder) as table,
        served(table.path) as url,
        httpx.Client(base_url=url, timeout=10) as web,
    ):
        web.headers["accept-language"] = "en"
        yield table, web


@pytest.fixture
def pair(tmp_path):
    with opened(tmp_path / "table") as pair:
        yield pair


@pytest.fixture
def table(pair):
    return pair[0]


@pytest.fixture
def web(pair):
    return pair[1]


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """Return a table at which nobody does anything, and its pages."""
    with opened(tmp_path_factory.mktemp("still") / "table") as pair:
        pair[0].deal()
        yield pair
