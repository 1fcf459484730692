import pytest

from tests.support.newcomer import House, Newcomer


def pytest_configure(config):
    config.addinivalue_line("markers", "tries(command, ...): commands of the pages that it runs")


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """What a newcomer has: a home, a table that was played at, a photograph, decks, bones."""
    return House(tmp_path_factory.mktemp("house"))


@pytest.fixture
def newcomer(house, request):
    """Somebody who types what the pages say; every command that a test claims must be run."""
    made = Newcomer(house)
    failed = request.session.testsfailed
    yield made
    if request.session.testsfailed > failed or made.excused:
        return
    claimed = [word for mark in request.node.iter_markers("tries") for word in mark.args]
    assert [word for word in claimed if word not in made.ran] == [], "claimed and not run"
