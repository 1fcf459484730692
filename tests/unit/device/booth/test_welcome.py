"""The screen that waits: it says what the camera reads, and every language is near."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pygame
import pytest

from device.booth.attract import WELCOME_S
from device.booth.scenes.games import GamesScene
from device.booth.welcome import LANGUAGE_S, Today, Welcome, labels_of, played_today
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig
from device.croupier.by_hand import can_be_entered
from device.croupier.messages import cannot_see
from device.runtime.observer import ObservedReading, ReadingObserver
from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.pages.renderer import PageScreen
from display.pages.welcome import WelcomePage
from engine import Phase
from engine.core.bones import Face
from engine.core.cards import Card
from engine.games import catalog
from tests.support.booth_rig import IDLE_S, Company, Rig
from tests.support.mat_readings import Mat
from tests.support.words import in_words
from vision.image_quality import IssueKind, QualityIssue
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    Spot,
)
from vision.readings import UnsureReading as Unsure

NAMES = ["English", "Deutsch", "Español", "Français", "Nederlands"]


class Eyes:
    """A watch that reads what it is told to."""

    reading = None

    def see(self, image, time_s):
        return self.reading


def rig_of(folder, **booth):
    return Rig(
        folder,
        Config(
            game=GameConfig(players=("Ann", "Bess")),
            display=DisplayConfig(language="fr"),
            booth=BoothConfig(enabled=True, idle_s=IDLE_S, **booth),
        ),
    )


@pytest.fixture
def rig(tmp_path):
    made = rig_of(tmp_path)
    yield made
    made.booth.shut()
    made.journal.close()


def watched(rig, *readings):
    """Give the booth of *rig* a camera that reads *readings*, a frame each."""
    eyes = Eyes()
    observer = rig.booth.context.observer = ReadingObserver(eyes)
    rig.step()  # from now on the live picture is made
    for number, reading in enumerate(readings):
        eyes.reading = reading
        observer.see(np.zeros((300, 400, 3), np.uint8), 0.1 * number)
    return observer


def square(x, y):
    return tuple((x + dx, y + dy) for dx, dy in ((-20, -30), (20, -30), (20, 30), (-20, 30)))


def at(x, y):
    return Place(square(x, y), (float(x), float(y)))


def spot(x, y):
    return Spot(square(x, y), (float(x), float(y)), (float(x), float(y)))


SEVEN = CardReading(Card.parse("7H"), 0.99, at(100, 75))
QUEEN = CardReading(Card.parse("QS"), 0.99, at(300, 75))
BACK = BackReading(0.9, at(100, 225))
JOKER = JokerReading(0.9, at(300, 225))
DOUBT = Unsure((Card.parse("9D"), Card.parse("6D")), 0.5, at(300, 225))
EMPTY = Reading(0.0, seats=4)


@pytest.mark.parametrize(
    ("found", "title", "note", "labels"),
    [
        (
            {},
            "This table can read real cards",
            "Lay any card under the camera, and watch!",
            [],
        ),
        (
            {"cards": (SEVEN,)},
            "I see the seven of hearts!",
            "Lay another one beside it, and watch!",
            [("seven of hearts", (0.25, 0.35), True)],
        ),
        (
            {"cards": (SEVEN, QUEEN), "backs": (BACK,)},
            "I see 2 cards!",
            "Turn one face down, or take one away, and watch!",
            [
                ("seven of hearts", (0.25, 0.35), True),
                ("queen of spades", (0.75, 0.35), True),
                ("face down", (0.25, 0.85), True),
            ],
        ),
        (
            {"backs": (BACK,)},
            "I see the back of a card",
            "Turn it face up, and watch!",
            [("face down", (0.25, 0.85), True)],
        ),
        (
            {"jokers": (JOKER,)},
            "I see a joker!",
            "It is in none of the games. Lay another card, and watch!",
            [("joker", (0.75, 0.85), True)],
        ),
        (
            {"cards": (SEVEN,), "jokers": (JOKER,)},
            "I see the seven of hearts!",
            "Lay another one beside it, and watch!",
            [("seven of hearts", (0.25, 0.35), True), ("joker", (0.75, 0.85), True)],
        ),
        (
            {"unsure": (DOUBT,)},
            "I cannot read that card yet",
            "Lay it flat, with no other card on it.",
            [("not sure", (0.75, 0.85), False)],
        ),
    ],
)
def test_it_says_what_is_read_as_anybody_lays_a_card(rig, found, title, note, labels):
    watched(rig, replace(EMPTY, **found))
    page = in_words(rig.booth.view.page, "en")
    assert (page.title, page.note) == (title, note)
    assert [(each.text, each.at, each.sure) for each in page.labels] == labels
    assert page.picture.size == (400, 300)
    assert rig.journal.sittings() == (), "what nobody plays is not written down"


def test_a_booth_that_sees_nothing_says_so(rig):
    rig.booth.context.observer = None
    page = in_words(rig.booth.view.page, "en")
    assert page.steps[2] == "Tell the table what lies there: it keeps the score."
    watched(rig, EMPTY)
    page = in_words(rig.booth.view.page, "en")
    assert page.steps[2] == "The table sees them and keeps the score."


def test_a_booth_for_bones_says_what_it_reads(tmp_path):
    config = Config(game=GameConfig(name="knucklebones"), booth=BoothConfig(enabled=True))
    rig = Rig(tmp_path, replace(config, display=DisplayConfig(language="en")))
    observer = watched(rig, EMPTY)
    assert in_words(rig.booth.view.page, "en").title == "This table can see real knucklebones"
    bone = BoneReading(Face.TWISTED, 0.9, spot(100, 75))
    observer.watch.reading = replace(EMPTY, bones=(bone, bone))
    observer.see(np.zeros((300, 400, 3), np.uint8), 1.0)
    page = in_words(rig.booth.view.page, "en")
    assert page.title == "I see 2 bones!"
    assert [each.text for each in page.labels] == ["twisted", "twisted"]
    assert page.steps[1] == "Throw real knucklebones."
    rig.booth.shut()
    rig.journal.close()


def test_a_card_laid_while_it_plays_by_itself_brings_the_screen_back(rig):
    rig.step()
    for _ in range(int(WELCOME_S) + 5):
        rig.step(1.0)
    assert rig.glass.view is not None, "it plays by itself while nobody lays anything"
    rig.eyes.mat = Mat(2)
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert isinstance(rig.glass.page, WelcomePage)
    for _ in range(int(WELCOME_S) - 2):
        rig.step(1.0)
    rig.eyes.mat.lay(0, "8H")
    rig.step(1.0)
    for _ in range(int(WELCOME_S) - 2):
        rig.step(1.0)
        assert isinstance(rig.glass.page, WelcomePage), "as long as somebody goes on"
    rig.step(3.0).step()
    assert rig.glass.view is not None, "what lies there and is not moved does not stop the show"


def test_the_live_picture_is_made_only_while_it_is_shown(rig):
    observer = watched(rig, EMPTY)
    assert (observer.live, observer.plain) == (True, True)
    rig.press("have")
    assert isinstance(rig.scene, GamesScene)
    assert (observer.live, observer.plain, observer.picture) == (False, False, None)
    rig.press("undo")
    assert isinstance(rig.glass.page, WelcomePage)
    assert observer.live
    for _ in range(int(WELCOME_S) + 5):
        rig.step(1.0)
    assert rig.glass.view is not None
    assert not observer.live


def test_the_outlines_of_the_picture_have_no_words_of_their_own(rig):
    def bright(observer):
        return sum(part > 0 for part in observer.picture.pixels)

    observer = watched(rig, replace(EMPTY, cards=(SEVEN,)))
    outlined = bright(observer)
    assert outlined, "what is read has an outline"
    observer.plain = False
    observer.see(np.zeros((300, 400, 3), np.uint8), 1.0)
    assert bright(observer) > outlined


# Languages


@pytest.mark.parametrize("own", languages())
@pytest.mark.parametrize("wanted", languages())
def test_every_language_is_two_presses_away(tmp_path, own, wanted):
    config = Config(display=DisplayConfig(language=own), booth=BoothConfig(enabled=True))
    rig = Rig(tmp_path, config)
    rig.step()
    known = languages()
    assert list(rig.glass.page.languages) == NAMES
    on = (known.index(wanted) - known.index(own)) % len(known)
    back = (known.index(own) - known.index(wanted)) % len(known)
    assert min(on, back) <= 2
    for _ in range(min(on, back)):
        rig.press("stick" if on <= back else "undo")
    assert rig.booth.context.preferences.language == wanted
    assert rig.glass.page.languages[rig.glass.page.language] == NAMES[known.index(wanted)]
    rig.journal.close()


def test_a_language_that_is_touched_is_spoken(rig):
    watched(rig)
    rig.step().press("have", choice=1)
    assert rig.glass.page.title == "Dieser Tisch kann echte Karten lesen"
    rig.press("have", choice=99)
    assert isinstance(rig.scene, GamesScene), "no such language: it is a press as any other"
    assert rig.glass.page.title == "Welches Spiel?"


def test_the_knob_goes_through_the_languages_while_it_plays_by_itself_too(rig):
    rig.step()
    for _ in range(int(WELCOME_S) + 5):
        rig.step(1.0)
    assert rig.glass.view is not None
    rig.press("right")
    assert isinstance(rig.glass.page, WelcomePage)
    assert rig.glass.page.languages[rig.glass.page.language] == "Nederlands"


def test_an_idle_booth_goes_back_to_its_own_language(rig):
    rig.step().press("stick").press("stick")
    assert rig.booth.context.preferences.language == "en"
    rig.step(LANGUAGE_S - 1)
    assert rig.booth.context.preferences.language == "en"
    rig.step(2.0)
    assert rig.booth.context.preferences.language == "fr"


def test_at_home_the_language_stays(tmp_path):
    rig = rig_of(tmp_path, keep_settings=True)
    rig.step().press("stick")
    rig.step(LANGUAGE_S * 3)
    assert rig.booth.context.preferences.language == "nl"
    rig.booth.shut()
    rig.journal.close()


# Without a picture


@pytest.mark.parametrize(
    ("camera", "trouble", "waiting"),
    [
        (False, None, "No camera today: you tell the table what lies there."),
        (True, "unplugged", "The camera is having a rest. Please call the host."),
        (True, None, "The camera is waking up."),
    ],
)
def test_without_a_picture_it_says_so_kindly(rig, camera, trouble, waiting):
    if camera:
        watched(rig)
    rig.eyes.trouble = None if trouble is None else cannot_see(trouble)
    page = in_words(rig.booth.view.page, "en")
    assert (page.picture, page.waiting) == (None, waiting)
    assert trouble is None or trouble not in str(page), "what the host needs is in the log"
    assert page.cards, "cards stand where the picture would be"


def test_a_mat_that_is_not_seen_is_told(rig):
    observer = watched(rig, Reading(0.0))
    observer.remarks = (QualityIssue(IssueKind.DARK, "", ""),)
    page = in_words(rig.booth.view.page, "en")
    assert page.note == "There is too little light. Add a lamp beside the table."


def test_a_booth_without_a_camera_is_played_by_hand(tmp_path):
    rig = Rig(tmp_path)
    rig.booth._services = rig.booth.tables._services = replace(rig.booth._services, by_hand=True)
    scat = catalog.find("scat")
    swaps = next(
        preset.name
        for preset in scat.presets
        if not can_be_entered(catalog.make_options(scat, preset, {}))
    )
    rig.press("have").press("have", choice=catalog.all_games().index(scat))
    rig.booth.context.setup.use(swaps)
    rig.press("have")
    assert "Only a camera can follow this game" in rig.glass.page.note
    rig.booth.context.setup.use(scat.presets[0].name)
    rig.press("have")
    assert rig.booth.stage.table.is_by_hand
    rig.journal.close()


# The best of the day


def test_the_best_of_the_day_is_told_without_names(rig):
    rig.step()
    assert [str(fact) for fact in rig.booth.view.page.facts] == [
        "Nobody has played today: be the first!"
    ]
    rig.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.DONE)
    (hand,) = rig.booth.session.state.hands
    most = max(net for _seat, net in hand.settlement)
    rig.step(IDLE_S + 1).step(IDLE_S + 1)
    wanted = Today(1, most, "bone-ace")
    assert rig.booth.view.welcome.today == wanted, "of a game that was left"
    best, played = (str(fact) for fact in rig.booth.view.page.facts)
    assert best == f"Best of the day: {most} tokens in one hand of Bone-Ace"
    assert played == "1 hand played today"
    rig.eyes.mat.clear()
    rig.step().press("have").press("have", choice=1).press("have")
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert played_today(rig.journal, rig.clock.wall()) == wanted, "and of one that is over"
    assert played_today(rig.journal, rig.clock.wall() + 86_400) == Today()


def test_the_figures_are_read_anew_whenever_it_comes_back(rig):
    rig.finished()
    rig.booth.end_session()
    rig.press("stick")
    assert rig.booth.is_waiting
    assert str(rig.booth.view.page.facts[-1]) == "1 hand played today"


def test_a_journal_that_cannot_be_read_stops_no_booth(rig, caplog):
    rig.journal.close()
    assert played_today(rig.journal, 0.0) == Today()
    assert "the best of the day is not shown" in caplog.text


# How it looks


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", languages())
def test_nothing_is_cut_off_in_any_language(rig, language, theme):
    context = replace(rig.booth.context)
    context.preferences = replace(context.preferences, language=language)
    crowded = replace(EMPTY, cards=(SEVEN, QUEEN), backs=(BACK,), unsure=(DOUBT,))
    alone = tuple(
        replace(EMPTY, cards=(replace(SEVEN, card=Card.parse(code)),)) for code in ("QS", "8D")
    )
    for name in ("bone-ace", "knucklebones"):
        joker = replace(EMPTY, jokers=(JOKER,))
        for reading in (EMPTY, crowded, *alone, joker, replace(EMPTY, backs=(BACK,)), None):
            welcome = Welcome(context, catalog.find(name), lambda: "")
            welcome.today = Today(128, 114, "one-and-thirty")
            context.observer = ReadingObserver(Eyes())
            if reading is not None:
                welcome.look(True)
                context.observer.watch.reading = reading
                context.observer.see(np.zeros((300, 400, 3), np.uint8), 0.0)
            for size in ((800, 480), (1280, 720), (1920, 1080)):
                screen = PageScreen(size, theme=THEMES[theme], language=language)
                written = screen.draw(pygame.Surface(size), welcome.page()).written
                for piece in written:
                    assert piece.box.contains(piece.ink), piece.text
                    assert not piece.text.endswith(ELLIPSIS), piece.text
                for one, other in combinations(written, 2):
                    assert not one.ink.colliderect(other.ink), (one.text, other.text)


def test_labels_lie_on_what_they_name():
    seen = ObservedReading(
        np.zeros((300, 400, 3), np.uint8), replace(EMPTY, cards=(SEVEN,), unsure=(DOUBT,))
    )
    assert [(str(each.text), each.at) for each in labels_of(seen)] == [
        ("seven of hearts", (0.25, 0.35)),
        ("not sure", (0.75, 0.85)),
    ]
