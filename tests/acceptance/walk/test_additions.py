"""What docs/how-to/extend.md lets a tinkerer add, used by the commands that its pages tell."""

import os
import re

import cv2
import pytest

from tests.support import plugin_package
from tests.support.doc_pages import ROOT


@pytest.fixture
def tinkerer(newcomer):
    """A newcomer with the package of docs/how-to/extend.md, laid out as pip would."""
    files = [path for path in plugin_package.files() if path.startswith("my_table/")]
    site = plugin_package.install(newcomer.at / "site", *files)
    newcomer.knows(PYTHONPATH=os.pathsep.join((str(ROOT), str(site))))
    return newcomer


SHORT = "--headless --hands 1 --players 2"


@pytest.mark.tries(
    "boneace doctor additions",
    "boneace rules schwimmen",
    "boneace demo --game schwimmen",
    "boneace demo --theme midnight",
    "boneace demo --headless --theme midnight --out pictures",
    "boneace play --game schwimmen",
)
def test_what_a_page_adds_is_used_by_its_commands(tinkerer, house):
    assert "schwimmen (my-table 1)" in tinkerer.run("boneace doctor additions").out
    assert "chwimmen" in tinkerer.run("boneace rules schwimmen").out
    told = tinkerer.run("boneace demo --game schwimmen", more=SHORT).out
    assert re.search(r"Cards read: (\d+) of \1;", told)
    # Both themes' pictures are of the same hand; one colour of the look is enough to tell.
    tinkerer.run("boneace demo --headless --theme midnight --out pictures", more=SHORT)
    night = cv2.imread(str(next((tinkerer.at / "pictures").glob("*.png"))))
    tinkerer.run("boneace demo --theme midnight", more=f"{SHORT} --out again")
    assert (cv2.imread(str(next((tinkerer.at / "again").glob("*.png")))) == night).all()
    assert house.demo.status == 0
    felt = cv2.imread(str(house.clone / "out" / "demo" / "04-hand1-showdown.png"))
    assert abs(night.mean(axis=(0, 1)) - felt.mean(axis=(0, 1))).max() > 5

    tinkerer.sees(house.dealt)
    told = tinkerer.run("boneace play --game schwimmen").out
    assert re.search(r"chwimmen.* sit down", told)
