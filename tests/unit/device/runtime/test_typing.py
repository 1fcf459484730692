"""A real keyboard: letters and digits type where letters, ranks or digits are shown."""

import contextlib
import re

import pygame
import pytest

from device.app import build_booth, window_panels
from device.booth.scenes.names_and_ages import AgeScene, LettersScene, NamesScene
from device.booth.scenes.naming import FaceScene, SuitScene
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig
from device.hardware.key_names import legend
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from display import Window
from display.drawing.text import ELLIPSIS
from display.i18n.languages import languages
from display.pages.legend import HEIGHT_PX, draw_legend
from engine import Player
from engine.core.bones import Face
from engine.core.cards import Card, Suit
from engine.core.events import Choose, Cut, Stake

NAMED = {
    "enter": (pygame.K_RETURN, "\r"), "backspace": (pygame.K_BACKSPACE, "\b"),
    "esc": (pygame.K_ESCAPE, "\x1b"), "space": (pygame.K_SPACE, " "), "f9": (pygame.K_F9, ""),
}  # fmt: skip


class Keyboard:
    """A loop at a window of its own, and somebody who types there."""

    def __init__(self, window, loop, clock):
        self.window, self.loop, self.clock = window, loop, clock
        self.step()

    def step(self):
        self.clock.wait(0.1)
        return self.loop.step()

    def type(self, *keys):
        """Press *keys*, all of them before the table looks; return whether it goes on."""
        for key in keys:
            code, sign = NAMED.get(key) or (pygame.key.key_code(key.lower()), key)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=sign))
        return all([self.step() for _ in range(len(keys) + 1)])


@contextlib.contextmanager
def keyboard(folder, game="bone-ace", language="en", **more):
    """Ann and Bess at a table that no camera sees."""
    clock = HandClock()
    with (
        Journal(folder / "journal.sqlite3") as journal,
        Window((800, 480 + HEIGHT_PX), headless=True, foot=HEIGHT_PX, language=language) as window,
    ):
        people = [Player(0, "Ann"), Player(1, "Bess")]
        session = Session.begin(journal, clock, game, people, **more)
        panels = window_panels(window, lambda: ())
        how = {"screen": window, "language": language, "by_hand": True}
        yield Keyboard(window, TableController(session, NoCamera(), panels, clock, **how), clock)


@pytest.fixture
def keys(tmp_path, request):
    with keyboard(tmp_path, language=getattr(request, "param", "en")) as made:
        yield made


def cuts(keys):
    log = keys.loop.session.state.log
    return [str(event.card) for event in log if isinstance(event, Cut)]


def test_cards_are_typed_by_rank_and_suit(keys):
    assert keys.type("2", "s", "K", "h")
    assert cuts(keys) == ["2S", "KH"], "the digit is no button of seat 2"


@pytest.mark.parametrize("ten", ["1", "0", "t"])
def test_ten_has_three_keys(keys, ten):
    assert keys.type(ten, "c")
    assert cuts(keys) == ["TC"]


@pytest.mark.parametrize(
    ("keys", "typed", "cut"),
    [
        ("fr", "dp", "QS"),
        ("fr", "qk", "QD"),
        ("fr", "rt", "KC"),
        ("de", "bx", "JC"),
        ("nl", "hr", "KD"),
        ("es", "jt", "JC"),
    ],
    indirect=["keys"],
)
def test_every_language_has_its_own_letters_and_those_of_english(keys, typed, cut):
    assert keys.type(*typed)
    assert cuts(keys) == [cut]


@pytest.mark.parametrize(
    ("keys", "letter", "suits"), [("fr", "c", "HD"), ("de", "k", "DC")], indirect=["keys"]
)
def test_a_letter_that_suits_share_only_marks_one_of_them(keys, letter, suits):
    for times in (1, 2, 3):
        keys.type("5", *letter * times)
        asked = keys.loop.question
        assert str(asked.candidates[asked.selected]) == f"5{suits[(times - 1) % 2]}"
        assert not cuts(keys)
        keys.type("backspace")
    keys.type("5", letter, letter, "enter")
    assert cuts(keys) == [f"5{suits[1]}"]


@pytest.mark.parametrize("key", ["q", "n", "m", "u", "o", "h"])
def test_letters_that_are_no_rank_do_nothing_while_ranks_are_shown(keys, key):
    if key == "q":
        keys.type("3")  # a queen is typed by it; no suit is
    asked, selected = keys.loop.question.text, keys.loop.question.selected
    assert keys.type(key)
    now = keys.loop.question
    taken = key == "h" and now.cards  # hearts
    assert taken or (now.text, now.selected) == (asked, selected)
    assert not cuts(keys)


def test_keys_that_type_nothing_stay_commands(keys):
    keys.type("k", "backspace", "3", "space", "enter")
    assert cuts(keys) == ["3H"], "back, another rank, and the suit beside the first"
    keys.type("esc")
    assert str(keys.loop.prompt.title) == "What happened?"
    keys.type("esc")
    before = keys.loop.prompt_text.asked
    assert keys.type("r", "f9")
    assert keys.loop.prompt_text.asked == before + 2, "the voice says it again"


def test_letters_and_digits_are_commands_where_none_is_shown(tmp_path):
    with keyboard(tmp_path, "one-and-thirty", dealer=1) as keys:
        assert keys.type("h", "s", "2")
        said = [event.kind for event in keys.loop.session.state.log if event.kind != "deal"]
        assert said == ["have", "stick", "have"]
        assert not keys.type("q"), "out of the program"


def test_bones_are_typed_by_their_points(tmp_path):
    with keyboard(tmp_path, "knucklebones", dealer=1) as keys:
        assert keys.type(*"63", "2", *"441")
        (roll,) = [event for event in keys.loop.session.state.log if event.kind == "roll"]
        assert list(roll.faces) == [6, 3, 4, 4, 1], "there is no 2"
        assert "how many" in str(keys.loop.prompt.title)


def test_stakes_are_typed_where_bones_are_shown(tmp_path):
    with keyboard(tmp_path, "knucklebones", dealer=1) as keys:
        keys.type("2", "esc")  # no digit is a button at a seat
        assert str(keys.loop.prompt.title) == "What happened?"
        keys.type("enter")
        keys.type("3")
        assert keys.loop.session.state.log[-1] == Stake(0, 3)
        assert "bone 1" in str(keys.loop.prompt.title)


def test_numbers_are_typed_and_commands_stay(tmp_path):
    with keyboard(tmp_path, "knucklebones", dealer=1) as keys:
        keys.type(*["enter"] * 5)
        assert "how many" in str(keys.loop.prompt.title)
        keys.type("2")
        assert keys.loop.session.state.log[-1] == Choose(0, 2)
        keys.type("u")
        assert "how many" in str(keys.loop.prompt.title)


def test_a_strip_below_the_table_names_the_keys(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "display.window.draw_legend", lambda _strip, text, _like: written.append(str(text))
    )
    with keyboard(tmp_path, "one-and-thirty", dealer=1) as keys:
        assert "HAVE IT: H, Enter" in written[-1]
        assert "quit: Q" in written[-1]
        keys.type("s", "s")
        assert "which is it" in str(keys.loop.prompt.title)
        assert [line.split(": ") for line in re.split(r"\s\s+", written[-1])] == [
            ["HAVE IT", "Enter"], ["STICK", "Space"], ["NEXT", "Page Down"],
            ["UNDO", "Backspace"], ["MENU", "Esc"], ["or type it"],
        ], "letters type"  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_all_of_the_strip_can_be_read(language):
    with Window((800, 480 + HEIGHT_PX), headless=True, foot=HEIGHT_PX, language=language) as window:
        strip = window._surface.subsurface((0, 480, 800, HEIGHT_PX))
        for signs in ((), ("a", "j", "q", "k", "1", "2", "t")):
            (line,) = draw_legend(strip, legend(signs), window._screen)
            assert ELLIPSIS not in line.text


@pytest.fixture
def booth(tmp_path):
    config = Config(display=DisplayConfig(language="fr"), booth=BoothConfig(enabled=True))
    clock = HandClock()
    with (
        Journal(tmp_path / "journal.sqlite3") as journal,
        Window(headless=True, language="fr") as window,
    ):
        services = Services(journal, clock, NoCamera(), (), by_hand=True)
        made = build_booth(config, services, window)
        yield Keyboard(window, made, clock)
        made.shut()


def test_a_name_is_typed_at_a_booth(booth):
    scene = LettersScene(booth.loop.context, 0)
    booth.loop.stage.open(NamesScene(booth.loop.context))
    booth.loop.stage.open(scene)
    booth.step()
    assert booth.type(*"qumé-n", "backspace", "space", "'", "1", "m")
    assert scene.page().name == "Qumé- 'M"
    assert booth.loop.stage.top is scene
    booth.type("enter")
    assert booth.loop.context.setup.seated[0] == "Qumé- 'M"
    assert isinstance(booth.loop.stage.top, NamesScene)


def test_a_letter_that_suits_share_marks_them_at_a_booth(booth):
    told = []
    booth.loop.stage.open(SuitScene(booth.loop.context, None, Card.parse("5S"), told.append))
    booth.step()
    booth.type(*"ccc")
    assert booth.loop.stage.top.focus == list(Suit).index(Suit.HEARTS)
    booth.type("c", "enter")
    assert told == [Card.parse("5D")]
    booth.type("t")
    assert told[1:] == [Card.parse("5C")]


def test_an_age_is_typed_at_a_booth(booth):
    told = []
    scene = AgeScene(booth.loop.context, "Ann", told.append)
    booth.loop.stage.open(scene)
    booth.step()
    booth.type("4", "2", "enter")
    assert told == [42]
    booth.type("backspace", "7", "n")
    assert told == [42, 47], "no letter is shown: N is done"


def test_a_bone_is_typed_at_a_booth(booth):
    told = []
    booth.loop.stage.open(FaceScene(booth.loop.context, Face.FLAT, told.append))
    booth.step()
    booth.type("2", "4")
    assert told == [Face.CONVEX]
