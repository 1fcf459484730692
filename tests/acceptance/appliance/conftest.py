import json
import os
import shutil

import pytest

from tests.acceptance.appliance import build, recording


def pytest_addoption(parser):
    parser.addoption("--cuts", type=int, default=20, help="how often the power is cut; default: 20")
    parser.addoption("--lot", default="1", help="draws the moments of the cuts; default: 1")


@pytest.fixture(scope="session")
def parts():
    """What the machine is made of, made now where it is not there yet."""
    problem = build.missing()
    if problem:
        pytest.skip(problem)
    return build.make(int(os.environ.get("APPLIANCE_SEED", "5")))


@pytest.fixture
def place(request):
    """A folder for the machines of one test; it stays for who looks for what went wrong."""
    folder = build.STORE / "run" / request.node.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def script(parts):
    return recording.read(parts.film.parent)


@pytest.fixture(scope="session")
def out():
    """Where pictures and figures go."""
    folder = build.STORE / "out"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def figures(out):
    """Seconds and counts, by what they measure; written down in the end."""
    found = {}
    yield found
    text = json.dumps(found, indent=2)
    (out / "figures.json").write_text(text + "\n", encoding="utf-8")
    print("\n" + text)
