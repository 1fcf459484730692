"""Every picture of the pages is there, is shown somewhere, and is made by a command."""

from pathlib import Path

import cv2
import pytest

from benchmarks import hard_scenes
from tests.acceptance.walk import draw_film, draw_pictures
from tests.support.doc_pages import ROOT, pages, pictures, text_of

FOLDER = ROOT / "docs" / "pictures"
FILM = FOLDER / "demo.webp"
BENCH = Path("benchmarks/hard_scenes.py")

MAKES = (
    "make pictures",
    BENCH.name,
    "boneace wiring --example --png",
    "boneace wiring --rig --png",
)
"""One of them stands in each page with pictures."""

APART = 2.5
"""Grey levels between a stored picture and the same one drawn now: the loss of a JPEG is one."""


def drawn_by_the_bench():
    return {f"{name}.jpg" for name, _, _ in hard_scenes.SCENES}


def test_each_picture_that_is_shown_is_there_and_each_that_is_there_is_shown():
    assert {ROOT / shown for shown in pictures()} == set(FOLDER.iterdir())


def test_each_picture_is_drawn_by_make_pictures():
    kept = {path.name for path in FOLDER.iterdir()}
    assert kept == set(draw_pictures.DRAWN) | drawn_by_the_bench() | {FILM.name}
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\npictures:")[1]
    recipe = recipe.split("\n\n")[0]
    assert "tests/acceptance/walk/draw_pictures.py" in recipe
    assert draw_film.__name__ in recipe
    assert str(BENCH) in recipe


def test_a_page_with_pictures_names_the_command_that_makes_them():
    for page in pages():
        if any(page in shown for shown in pictures().values()):
            text = text_of(page)
            assert any(command in text for command in MAKES), page


@pytest.fixture(scope="module")
def anew(house, tmp_path_factory):
    """The pictures of the README, drawn once more."""
    assert house.demo.status == 0
    return draw_pictures.draw(tmp_path_factory.mktemp("pictures"), house.clone / "out" / "demo")


@pytest.mark.parametrize("name", draw_pictures.DRAWN)
def test_the_picture_is_what_the_command_draws(anew, name):
    apart = draw_pictures.difference(cv2.imread(str(FOLDER / name)), anew[name])
    assert apart < APART, "the program draws it otherwise by now: look at it, and run make pictures"


def test_the_moving_picture_heads_the_readme_and_is_what_the_demo_shows():
    assert text_of("README.md").index(FILM.name) < text_of("README.md").index("## ")
    assert FILM.stat().st_size < 1_500_000
    found, moving = cv2.imreadanimation(str(FILM))
    assert found
    assert sum(moving.durations) > 10_000, "milliseconds: it can be followed"
    now = draw_film.film()
    for number in (0, -1):
        kept = cv2.cvtColor(moving.frames[number], cv2.COLOR_BGRA2BGR)
        apart = draw_pictures.difference(kept, now[number])
        assert apart < APART, "the program shows it otherwise by now: look, and run make pictures"


def test_another_picture_is_found_out(anew):
    shown = cv2.imread(str(FOLDER / "camera.jpg"))
    shown[60:160, 330:530] = 255 - shown[60:160, 330:530]
    assert draw_pictures.difference(shown, anew["camera.jpg"]) > APART
    assert draw_pictures.difference(anew["camera.jpg"], anew["read.jpg"]) > APART
    assert draw_pictures.difference(shown[1:], anew["camera.jpg"]) == 255.0
