"""The booth on the real display: what its words measure in every language, and real fingers."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pygame
import pytest

from device.app import FRAME_S, build_booth, processor_cache
from device.booth.preferences import GameSetup
from device.booth.scenes.agreed import OptionsScene, PresetsScene
from device.booth.scenes.base import (
    CameraScene,
    Close,
    Do,
    SureScene,
    after_match,
    confirm_end,
    confirm_new_game,
)
from device.booth.scenes.correct import CALLED, ChangeScene, CorrectScene, HandScene
from device.booth.scenes.count import CountScene, WhichScene
from device.booth.scenes.entry import PayeeScene, PayerScene, ReasonScene
from device.booth.scenes.games import GamesScene
from device.booth.scenes.ledger import LedgerScene, SettleScene, StatisticsScene
from device.booth.scenes.menu import MenuScene, SettingsScene
from device.booth.scenes.names_and_ages import AgeScene, AgesScene, LettersScene, NamesScene
from device.booth.scenes.naming import FaceScene, RankScene, SuitScene
from device.booth.scenes.rules import OddsScene, RulesScene
from device.booth.scenes.seats import SeatsScene
from device.booth.scenes.tiles import tile_of
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig, SoundConfig
from device.croupier import messages
from device.croupier.counting.counter import Kind
from device.croupier.scat.messages import just_exchange, lay_open
from device.ports import Button, Press
from device.runtime.counting import Counting
from device.runtime.hints import hint_for
from device.runtime.observer import ReadingObserver
from device.storage.journal.journal import Journal
from display import PromptKind, TableScreen, Window, prompt_for
from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.pages.renderer import PageScreen
from engine import Card, Phase, apply
from engine.core.bones import Face
from engine.core.events import Entry, Misdeal
from engine.core.messages.message import Message
from engine.games import catalog
from tests.support.booth_rig import Company, PaperEyes, Rig
from tests.support.count_readings import FIVE, reading, thrown
from tests.support.mat_readings import Mat
from vision.image_quality import IssueKind, QualityIssue
from vision.readings import Reading

SIZES = ((800, 480), (1920, 1080))


class Nobody:
    """A watch that sees nothing."""

    def see(self, image, time_s):
        return None


def in_language(folder, language):
    """A booth in *language* with one finished hand at the table."""
    config = Config(
        game=GameConfig(players=("Ann", "Bess")),
        display=DisplayConfig(language=language),
        booth=BoothConfig(enabled=True, idle_s=60),
    )
    rig = Rig(folder, config)
    rig.step()
    rig.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.DONE)
    looking = ReadingObserver(Nobody())
    looking.remarks = tuple(
        QualityIssue(flaw, "", "") for flaw in (IssueKind.FLICKER, IssueKind.BLURRED)
    )
    rig.booth.context.observer = rig.booth.stage.table._observer = looking
    return rig


def name_taken(context):
    """Where a name is written that another player has."""
    context.setup.seated = {0: "Ann", 7: "Hester"}
    scene = LettersScene(context, 7)
    scene._text = "Ann"
    scene.press(Press(Button.NEXT, 0.0))
    assert scene.page().warning
    return scene


def void_already(context):
    """The ledger of a hand that was made void, which somebody chooses."""
    state = apply(context.state, Misdeal(CALLED))
    session = SimpleNamespace(token_value=None, state=state, wagers=())
    scene = LedgerScene(replace(context, session=session))
    scene.choose(0)
    assert scene.page().warning
    return scene


def every_agreement(context):
    """The list of options of every game, at each leaf, and the choices of each option."""
    for game in catalog.all_games():
        setup = GameSetup(game, game.presets[0].name, seated={0: "Ann"})
        near = replace(context, setup=setup)
        count = OptionsScene(near).count
        for first in range(0, count, 4):
            scene = OptionsScene(near)
            scene.focus = first
            yield scene
        yield from (scene.choose(number).scene for number in range(count))


def every_count(rig):
    """What is counted: nothing yet, many bones of which some do not count, and cards."""

    def scene(name, kind):
        path = rig.folder / f"{name}.jsonl"
        return CountScene(rig.booth.context, lambda _: Counting(kind, path, rig.clock), kind)

    bare, bones = scene("bare", Kind.BONES), scene("bones", Kind.BONES)
    cards = scene("cards", Kind.CARDS)
    for number in range(30):
        bones.see(reading(thrown(number), 3.0 * number))
    odd = ((None, 230, 200), (None, 290, 100), (Face.FLAT, 500, 100, "off"))
    bones.see(reading((*FIVE, *odd), 100.0))
    mat = Mat(4)
    for seat, code in enumerate(("9H", "TD", "KS", "9D?6D")):
        mat.lay(seat, code)
        cards.see(replace(mat.reading(), time_s=float(seat)))
    which = WhichScene(rig.booth.context, bones.counting, Close())
    return bare, bones, cards, which


def every_scene(rig):
    """Every screen that the booth can open, as a page."""
    context = rig.booth.context
    scenes = [
        GamesScene(context),
        SeatsScene(context),
        PresetsScene(context),
        *every_agreement(context),
        AgesScene(context),
        AgeScene(context, "Bartholomew Whitcomb", lambda age: Do.BACK),
        NamesScene(context),
        LettersScene(context, 7),
        name_taken(context),
        MenuScene(context),
        SettingsScene(context),
        LedgerScene(context),
        StatisticsScene(context),
        CameraScene(context),
        CorrectScene(context),
        HandScene(context, 1),
        ChangeScene(context, Misdeal(CALLED)),
        ChangeScene(context, Misdeal(CALLED, 9)),
        ChangeScene(context, Entry(((0, 2), (1, -2)), "Bess paid Ann by mistake")),
        LedgerScene(context, Message("Which hand was wrong?")),
        void_already(context),
        PayerScene(context),
        PayeeScene(context, 0),
        ReasonScene(context, 0, 1, 12),
        SettleScene(context),
        RankScene(context, Card.parse("9D"), lambda card: Close()),
        SuitScene(context, Card.parse("9D"), Card.parse("9D"), lambda card: Close()),
        FaceScene(context, Face.CONCAVE, lambda face: Close()),
        *every_count(rig),
        confirm_new_game(context),
        confirm_end(context),
        SureScene(
            context,
            Message("{name} gets up in mid-play?", name="Bartholomew Whitcomb"),
            (Message("Get up"), Close()),
            note=Message("The hand in play would be lost."),
        ),
        after_match(context),
    ]
    for game in catalog.all_games():
        for preset in game.presets:
            options = catalog.make_options(game, preset, {})
            scenes.append(RulesScene(context, game.name, preset.name, options))
            scenes.append(OddsScene(context, game, preset.name, options))
    yield from ((type(scene).__name__, scene.page()) for scene in scenes)
    rig.booth.end_session()
    yield "End", rig.booth.view.page
    rig.press("stick").step()
    yield "Welcome", rig.booth.view.page


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["felt", "large"])
@pytest.mark.parametrize("language", languages())
def test_nothing_overflows_in_any_language(tmp_path, language, theme):
    rig = in_language(tmp_path, language)
    screens = {
        size: PageScreen(size, theme=THEMES[theme], language=language)
        for size in (SIZES if theme == "felt" else SIZES[:1])
    }
    for name, page in every_scene(rig):
        for size, screen in screens.items():
            written = screen.draw(pygame.Surface(size), page).written
            assert written, name
            for piece in written:
                assert piece.box.contains(piece.ink), (name, piece.text)
                own = piece.text.endswith(ELLIPSIS) and not piece.text.startswith("Ann")
                assert not own, (name, piece.text, "is cut off")
                # Half as high as a name on a plate: what is smaller nobody reads.
                assert piece.cap / size[1] >= 0.0135, (name, piece.text, piece.cap / size[1])
            for one, other in combinations(written, 2):
                assert not one.ink.colliderect(other.ink), (name, one.text, other.text)
    rig.booth.shut()
    rig.journal.close()


@pytest.mark.parametrize("language", languages())
def test_table_and_hint_fit_in_every_language(tmp_path, language):
    rig = in_language(tmp_path, language)
    state = rig.booth.session.state
    view, trouble = rig.booth.view.table(0.0)
    assert trouble.kind is PromptKind.TROUBLE, "who sees no mat says why"
    hint = Translator.of(language).render(hint_for(view, state.setup.options))
    prompt = replace(prompt_for(view, language), hint=hint)
    written = TableScreen((800, 480), language=language).draw(
        pygame.Surface((800, 480)), view, prompt
    )
    assert prompt.hint in [piece.text for piece in written]
    surface = pygame.Surface((800, 480))
    for said in (prompt, trouble):
        for piece in TableScreen((800, 480), language=language).draw(surface, view, said):
            assert piece.box.contains(piece.ink)
            assert not piece.text.endswith(ELLIPSIS), piece.text
    rig.booth.shut()
    rig.journal.close()


@pytest.mark.parametrize("language", languages())
def test_why_a_press_is_refused_fits_in_every_language(tmp_path, language):
    rig = in_language(tmp_path, language)
    rig.booth.context.observer = rig.booth.stage.table._observer = None
    said = [messages.nobody_asked(), messages.not_over(), lay_open(), just_exchange()]
    translator = Translator.of(language)
    sentences = [translator.render(notice.sentence) for notice in said]
    sentences += [translator.render(words) for words in messages.REFUSALS.values()]
    # The longest that a game says in English, with names in it.
    sentences.append("It is not the turn of Bartholomew Whitcomb; ask Joan Éclairée." * 2)
    screen = TableScreen((800, 480), language=language)
    view, prompt = rig.booth.view.table(0.0)
    for sentence in sentences:
        written = screen.draw(pygame.Surface((800, 480)), view, replace(prompt, refused=sentence))
        assert sentence in [piece.text for piece in written], "whole, and not cut off"
        for piece in written:
            assert piece.box.contains(piece.ink)
            assert not piece.text.endswith(ELLIPSIS), piece.text
    rig.booth.shut()
    rig.journal.close()


@pytest.fixture
def glass(tmp_path):
    """The booth on a real window off screen, with the keys and fingers of that window."""
    config = Config(
        game=GameConfig(players=("Ann", "Bess")),
        display=DisplayConfig(language="en"),
        sound=SoundConfig(mute=True),
        booth=BoothConfig(enabled=True),
    )
    with Window((800, 480), headless=True) as window, Journal(tmp_path / "j.sqlite3") as journal:
        observer = ReadingObserver(Nobody())
        services = Services(journal, HandClock(), PaperEyes(), observer=observer)
        booth = build_booth(config, services, window)
        pygame.event.clear()
        booth.step()
        yield booth, window
        booth.shut()


def touch(booth, window, area):
    """Put a finger down in the middle of *area*, and let two frames pass."""
    x, y = area.centerx / window.size[0], area.centery / window.size[1]
    finger = {"touch_id": 1, "finger_id": 1, "x": x, "y": y, "dx": 0.0, "dy": 0.0}
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, **finger))
    booth._clock.wait(FRAME_S)
    assert booth.step()


def key(booth, name):
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name)))
    booth._clock.wait(FRAME_S)
    assert booth.step()


@pytest.mark.parametrize("language", languages())
def test_no_tile_says_that_a_game_is_also_called_by_its_name(language):
    render = Translator.of(language).render
    scat = tile_of(catalog.find("scat"), language)
    also = render(scat.also)
    assert f": {render(scat.title)}," not in also
    assert f", {render(scat.title)}," not in also
    assert "Scat" in also, "it stands in no title"


def test_three_touches_start_a_hand(glass):
    booth, window = glass
    touch(booth, window, pygame.Rect(100, 100, 4, 4))
    booth._clock.wait(1.0)
    (bone_ace,) = [t for t in window.touches() if t.choice == 1]
    touch(booth, window, bone_ace.area)
    (deal,) = [t for t in window.touches() if t.choice == 0]
    touch(booth, window, deal.area)
    assert booth.session.view.game == "bone-ace"
    assert booth.view.table(0.0)[1].title == "Cut for the deal"


def test_keys_do_the_same(glass):
    booth, _window = glass
    for name in ("return", "s", "s", "left", "h", "return"):
        key(booth, name)
    assert booth.session is not None
    key(booth, "m")
    assert str(booth.view.page.title) == "Menu"
    key(booth, "escape")
    assert booth.view.page is None


def test_no_key_of_a_visitor_ends_the_booth_but_closing_its_window_does(glass):
    booth, _ = glass
    key(booth, "q")
    assert booth.is_waiting, "nor does it wake anybody"
    key(booth, "h")
    key(booth, "q")
    assert str(booth.view.page.title) == "Which game?"
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not booth.step()


def test_one_touch_answers_a_question(glass):
    booth, window = glass
    for name in ("h", "h", "h"):
        key(booth, name)
    booth._source.mat = mat = Mat(2)
    for seat, code in ((0, "3C"), (1, "9C")):
        mat.lay(seat, code)
        key(booth, "tab")
    mat.clear()
    key(booth, "tab")
    for seat in (1, 0, 1, 0):
        mat.lay(seat)
        key(booth, "tab")
    mat.lay(1, "9D?6D")
    key(booth, "tab")
    assert [str(card) for card in booth.stage.table.question.cards] == ["9D", "6D"]
    (second,) = [each for each in window.touches() if each.choice == 1]
    touch(booth, window, second.area)
    assert booth.stage.table.question is None
    assert str(booth.session.view.seat(1).cards[2]) == "6D"


def test_a_press_is_on_the_glass_with_the_next_frame(glass):
    booth, window = glass
    before = pygame.image.tobytes(window._surface, "RGB")
    key(booth, "h")
    assert pygame.image.tobytes(window._surface, "RGB") != before
    assert FRAME_S <= 1 / 60


def test_the_networks_of_a_game_that_was_played_stay_loaded():
    made = []

    class Reader:
        def read(self, image, time_s=0.0):
            return Reading(time_s)

    def reader(game, packs):
        made.append((game, packs))
        return Reader()

    class TwoPacks:
        decks = 2

    watches = processor_cache(reader)
    first, again = watches("bone-ace", None), watches("bone-ace", None)
    assert first is not again, "what lay there for the last game is looked at anew"
    assert watches("one-and-thirty", None)._reader is first._reader, "the same cards"
    watches("knucklebones", None)
    watches("scat", TwoPacks())
    watches("knucklebones", None)
    assert made == [("bone-ace", 1), ("knucklebones", 1), ("scat", 2)]
