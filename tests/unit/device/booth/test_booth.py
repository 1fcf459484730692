"""The booth with everything faked but the game: it waits, asks, deals, shows, and waits again."""

import csv
import json
import logging
from dataclasses import replace

import pygame
import pytest

from device.booth import preferences
from device.booth.attract import RESULT_S, WELCOME_S, AttractMode
from device.booth.booth import ALONE, LEFT_ALONE, OFFERED_S
from device.booth.scenes.base import SetPreferences
from device.booth.scenes.correct import ChangeScene, CorrectScene
from device.booth.scenes.games import GamesScene
from device.booth.scenes.menu import (
    AfterwardsScene,
    EndScene,
    MenuScene,
    SettingsScene,
    StillThereScene,
)
from device.booth.scenes.names_and_ages import LettersScene
from device.booth.scenes.naming import RankScene
from device.booth.scenes.players import PeopleScene
from device.booth.scenes.rules import OddsScene
from device.booth.scenes.seats import SeatsScene
from device.booth.stuck_buttons import PACE_S, STUCK_S, StuckButtons, stuck_words
from device.booth.welcome import LANGUAGE_STEPS
from device.cli import main
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig
from device.croupier.looks import LyingCard, Side
from device.hardware.lamps import brightness
from device.ports import Button, Lamps, Press
from device.runtime.table import GOES_ON_S, REFUSED_S
from display import PromptKind, TableScreen
from display.pages.evening import LedgerPage
from display.pages.renderer import PageScreen
from display.pages.welcome import WelcomePage
from display.table.correcting import open_cards
from engine import Phase
from engine.core.cards import Rank, Suit, deck
from engine.core.messages.words import count
from engine.core.views import SeatStatus
from engine.games import catalog
from tests.support.booth_rig import IDLE_S, IN_PLAY, Company, Rig
from tests.support.mat_readings import Mat


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path)
    yield made
    made.booth.shut()
    made.journal.close()


def begin(rig):
    """Begin a hand: the first card is read."""
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    return rig.step()


# Waiting for people


INVITATION = "Press HAVE IT, or touch here, to play"


def test_it_waits_with_what_it_can_do_and_then_plays_by_itself(rig):
    rig.step()
    assert isinstance(rig.glass.page, WelcomePage)
    assert rig.glass.page.invitation == INVITATION
    shown = set()
    for _ in range(3500):
        rig.step()
        if rig.glass.view is not None:
            shown.add((rig.glass.view.game, rig.glass.view.phase))
            assert rig.glass.prompt.title == INVITATION
    assert {game for game, _ in shown} == {game.name for game in catalog.all_games()}
    assert ("bone-ace", Phase.DONE) in shown
    assert rig.journal.sittings() == (), "what nobody plays is not written down"
    assert [said for kind, said in rig.speaker.heard if kind == "say"] == [], "nor spoken"


@pytest.mark.parametrize(
    "button", [b for b in Button if b is not Button.QUIT and b not in LANGUAGE_STEPS]
)
def test_any_button_but_those_of_the_languages_wakes_it(rig, button):
    rig.step().press(button)
    assert isinstance(rig.scene, GamesScene)


@pytest.mark.parametrize("button", ["have", "stick", "out", "undo"])
def test_every_button_at_a_seat_wakes_it(rig, button):
    rig.step().press(button, seat=3)
    assert isinstance(rig.scene, GamesScene)


def test_three_presses_from_waiting_to_the_first_card(rig):
    rig.step().press("have").press("have").press("have")
    view = rig.booth.session.view
    assert (view.game, view.phase) == ("bone-ace", Phase.CUT)
    assert [seat.name for seat in view.seats] == ["Player 1", "Player 2"]
    assert rig.glass.view == view
    assert rig.glass.prompt.title == "Cut for the deal"
    rig.eyes.mat = Mat(2)
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert dict(rig.booth.session.view.cuts), "the first card is read"


@pytest.mark.parametrize("name", [game.name for game in catalog.all_games()])
def test_every_game_of_the_registry_starts_from_its_tile(rig, name):
    number = [game.name for game in catalog.all_games()].index(name)
    rig.press("menu").press("have", choice=number).press("have")
    assert rig.booth.session.view.game == name


SIT_DOWN = "Everybody presses the button at their own seat, or touches it; then deal."
CHOOSING = [("have", "choose"), ("stick", "next one"), ("undo", "back")]
READING = [("undo", "back"), ("menu", "to the table")]


RULES = [("have", "about this game"), ("next", "chances"), *READING]


@pytest.mark.parametrize(
    ("row", "then", "title", "note", "keys"),
    [
        (None, [], "Which game?", "Turn the knob, or touch a game.", CHOOSING),
        (
            1,
            [],
            "Who plays?",
            SIT_DOWN,
            CHOOSING,
        ),
        (1, [2], "Whose rules?", "Bone-Ace", [*CHOOSING, ("next", "read them")]),
        (1, [2, "next"], "Bone-Ace", "Willughby", RULES),
        (1, [2, "next", 0], "About this game", "Bone-Ace", READING),
        (1, [2, "next", "next"], "Chances", "Willughby", READING),
        (1, [3], "Names", "Nobody needs one; choose yours to change it.", CHOOSING),
        (1, [3, 1], "A name for seat 2", "NEXT: done.", CHOOSING),
    ],
)
def test_every_scene_before_the_deal_says_what_it_asks_and_what_the_keys_do(
    rig, row, then, title, note, keys
):
    rig.step().press("have")
    for press in [] if row is None else [row, *then]:
        rig.press(press) if isinstance(press, str) else rig.press("have", choice=press)
    page = rig.glass.page
    assert (page.title, page.note) == (title, note)
    assert [(hint.button, hint.message) for hint in page.hints] == keys
    rig.press("undo")
    if row is not None:
        assert rig.glass.page.title != title, "back to the screen before"


def test_the_keys_of_the_seats_say_what_is_agreed(rig):
    rig.press("have").press("have").press("have", choice=1)
    agreed = [(key.text, key.value) for key in rig.glass.page.choices]
    assert agreed == [
        ("Deal", "2 players"),
        ("Stake", "2 tokens"),
        ("Rules", "Willughby"),
        ("Names", "Player 1 …"),
        ("Options", ""),
    ]
    assert rig.glass.page.middle == ("Bone-Ace", "Willughby")


# Who plays


def test_people_sit_down_by_their_own_buttons(rig):
    rig.press("have").press("have")
    assert list(rig.booth.context.setup.seated) == [0, 1], "the company of the config is proposed"
    rig.press("have", seat=5)
    assert rig.booth.context.setup.seated == {5: "Player 6"}, "who comes himself takes its place"
    assert rig.panel.lamps.lit == (5,)
    assert [brightness(rig.panel.lamps, seat, 0.3, dims=True) for seat in (4, 5)] == [0.0, 1.0]
    rig.press("have")
    assert "2 players must sit down: press the button at another seat" in rig.glass.page.note
    assert rig.glass.page.warning
    assert rig.booth.session is None
    rig.press("have", seat=2).press("have", seat=3).press("stick", seat=3)
    rig.press("next")
    assert [seat.seat for seat in rig.booth.session.view.seats] == [2, 5]


def test_a_touched_seat_sits_down_and_gets_up(rig):
    rig.press("have").press("have")
    keys = len(rig.glass.page.choices)
    rig.press("have", choice=keys + 4)
    assert list(rig.booth.context.setup.seated) == [4], (
        "who comes himself takes the proposal's place"
    )
    rig.press("have", choice=keys + 0).press("have", choice=keys + 1)
    assert list(rig.booth.context.setup.seated) == [0, 1, 4]
    rig.press("have", choice=keys + 0)
    assert list(rig.booth.context.setup.seated) == [1, 4]


def test_a_proposed_company_is_not_drawn_as_people_who_sit_there(rig):
    rig.press("have").press("have")
    assert all(chair.proposed for chair in rig.glass.page.seats)
    rig.press("have", choice=len(rig.glass.page.choices) + 1)
    assert rig.booth.context.setup.seated == {1: "Player 2"}, "one of the proposed has come himself"
    assert not any(chair.proposed for chair in rig.glass.page.seats)


@pytest.mark.parametrize("at_home", [False, True])
def test_the_names_of_the_config_are_for_a_table_at_home(tmp_path, at_home):
    config = Config(
        game=GameConfig(players=("Ann", "Bess"), ages=(34, 28)),
        booth=BoothConfig(enabled=True, keep_settings=at_home),
    )
    setup = preferences.default_setup(config)
    assert setup.seated == ({0: "Ann", 1: "Bess"} if at_home else {0: "Player 1", 1: "Player 2"})
    assert setup.ages == ({0: 34, 1: 28} if at_home else {}), "nor have strangers their ages"


def test_stake_rules_and_names_are_chosen(rig):
    rig.press("have").press("have")
    rig.press("stick").press("have").press("have")
    assert rig.booth.context.setup.stake == 3
    rig.press("right").press("have").press("stick").press("push")
    assert rig.booth.context.setup.preset == "cotton"
    rig.press("right").press("have").press("have")
    assert isinstance(rig.scene, LettersScene)
    for letter in "ZOE":
        rig.press("have", choice=rig.glass.page.keys.index(letter))
    assert rig.glass.page.name == "Zoe"
    rig.press("next")
    rig.press("undo").press("next")
    state = rig.booth.session.state
    assert (state.setup.preset, state.setup.options.stake) == ("cotton", 3)
    assert [seat.name for seat in rig.booth.session.view.seats] == ["Zoe", "Player 2"]


def spell(rig, name):
    for letter in name:
        rig.press("have", choice=rig.glass.page.keys.index("space" if letter == " " else letter))


def test_a_name_that_another_player_has_is_refused_and_can_be_changed(rig):
    rig.press("have").press("have")
    rig.booth.context.setup.seated = {0: "Ann", 1: "Bess"}
    rig.press("have", choice=3).press("have")
    spell(rig, "BESS")
    rig.press("next")
    assert isinstance(rig.scene, LettersScene)
    page = rig.glass.page
    assert (page.name, page.warning) == ("Bess", True), "what was written is not lost"
    assert page.note == "Bess plays already: choose another name, such as Bess B."
    spell(rig, " B")
    assert not rig.glass.page.warning
    rig.press("next")
    assert rig.booth.context.setup.seated == {0: "Bess B", 1: "Bess"}
    rig.press("have")
    spell(rig, "BESS B")
    rig.press("next")
    assert rig.booth.context.setup.seated == {0: "Bess B", 1: "Bess"}, "one's own name may be kept"


def test_the_name_that_is_proposed_instead_is_free(rig):
    rig.booth.context.setup.seated = {0: "Ann", 1: "Ann B", 2: "Bess"}
    rig.press("have").press("have").press("have", choice=3).press("have", choice=2)
    spell(rig, "ANN")
    rig.press("next")
    assert rig.glass.page.note.endswith("such as Ann C.")


def test_whoever_gives_no_name_gets_one_that_nobody_has(rig):
    rig.booth.context.setup.seated = {0: "Bess", 1: "Ann"}
    rig.press("have").press("have").press("have", seat=1).press("have", seat=0)
    assert rig.booth.context.setup.seated == {0: "Player 1", 1: "Ann"}


def test_where_nobody_sits_no_names_can_be_changed(rig):
    rig.press("have").press("have").press("stick", seat=0).press("stick", seat=1)
    assert rig.booth.context.setup.seated == {}
    rig.press("have", choice=3)
    assert isinstance(rig.scene, SeatsScene)
    assert "2 players must sit down" in rig.glass.page.note


def test_too_many_for_the_rules_is_said(tmp_path):
    names = tuple("ABCDEFGH")
    rig = Rig(tmp_path, Config(game=GameConfig(name="scat", players=names)))
    rig.booth.context.setup.preset = "stop-the-bus"
    most = rig.booth.context.setup.most
    rig.press("have").press("have").press("have")
    if most < len(names):
        assert f"At most {most}" in rig.glass.page.note
        assert rig.booth.session is None
    else:
        assert rig.booth.session is not None
    rig.journal.close()


# At the table


def test_a_hand_is_played_and_the_booth_waits_again(rig):
    rig.finished()
    rig.step(IDLE_S + 1)
    assert isinstance(rig.glass.page, LedgerPage)
    sums = [column.tokens for column in rig.glass.page.columns]
    assert sum(sums) == 0
    assert any(sums)
    rig.step(IDLE_S + 1)
    assert rig.booth.is_waiting
    rig.press("have")
    assert rig.glass.page.items[0].text == "Bone-Ace, hand 1: the game that was left."
    rig.press("have", choice=0)
    assert rig.glass.view.phase is Phase.DONE, "and they can come back to it"


def test_who_comes_to_the_ledger_begins_a_new_game(rig):
    rig.finished()
    rig.step(IDLE_S + 1)
    assert isinstance(rig.scene, AfterwardsScene)
    assert [(hint.button, hint.message) for hint in rig.glass.page.hints][:2] == [
        ("have", "a new game"),
        ("next", "play on"),
    ]
    rig.press("have").press("stick").press("have")
    assert isinstance(rig.scene, GamesScene)
    assert not rig.journal.open_sittings()


@pytest.mark.parametrize("leaves", ["have", "push", "undo", "menu"])
def test_one_press_on_the_ledger_that_came_by_itself_ends_nothing(rig, leaves):
    rig.finished()
    state = rig.booth.session.state
    rig.step(IDLE_S + 1).press("have")
    assert rig.glass.page.title == "End this game?"
    assert (rig.glass.page.items[0].text, rig.glass.page.focus) == ("Go on", 0)
    assert rig.glass.page.note == "", "the hand is over: it is not lost"
    rig.press(leaves)
    assert rig.scene is None
    assert rig.glass.view.phase is Phase.DONE
    assert rig.booth.session.state == state
    assert rig.journal.open_sittings()


@pytest.mark.parametrize("leaves", ["have", "push", "undo", "menu"])
@pytest.mark.parametrize("row", ["Another game", "End the evening"])
def test_one_press_in_the_menu_ends_no_game(rig, row, leaves):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    state = rig.booth.session.state
    rig.press("menu")
    rig.press("have", choice=[item.text for item in rig.glass.page.items].index(row))
    assert rig.glass.page.note == "The hand in play would be lost."
    assert [item.text for item in rig.glass.page.items] == ["Go on", row]
    assert rig.glass.page.focus == 0
    rig.press(leaves)
    assert rig.scene is None
    assert rig.glass.view.phase is Phase.PLAY
    assert rig.booth.session.state == state


def test_who_means_it_begins_another_game_from_the_menu(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.press("menu")
    rig.press("have", choice=[item.text for item in rig.glass.page.items].index("Another game"))
    rig.press("have", choice=1)
    assert isinstance(rig.scene, GamesScene)
    assert rig.booth.session is None


def test_undo_leads_back_to_the_hand_from_the_menu_and_from_every_ledger(rig):
    rig.finished()
    rig.press("menu").press("undo")
    assert rig.scene is None
    rig.press("menu")
    rig.press("have", choice=[item.text for item in rig.glass.page.items].index("The ledger"))
    assert isinstance(rig.glass.page, LedgerPage)
    rig.press("undo").press("undo")
    assert rig.scene is None
    rig.step(IDLE_S + 1)
    assert isinstance(rig.scene, AfterwardsScene)
    rig.press("undo")
    assert rig.scene is None
    assert rig.glass.view.phase is Phase.DONE


@pytest.mark.parametrize(
    ("button", "said"),
    [
        ("have", "NEXT begins the next hand."),
        ("stick", "Nobody is asked just now. Press HAVE IT or STICK when it is your turn."),
    ],
)
def test_a_refused_press_after_a_hand_leaves_the_winner_where_he_stands(rig, button, said):
    rig.finished()
    won = rig.glass.prompt
    assert won.title.endswith(" wins")
    rig.press(button)
    assert rig.glass.prompt == replace(won, refused=said)
    heard = [text for kind, text in rig.speaker.heard if kind == "say"]
    assert heard[-1] == said
    told = [text for text in heard if "wins" in text or text.startswith("Thirty-one")]
    assert len(told) == 1, "who has won is not said again"
    rig.step(REFUSED_S)
    assert rig.glass.prompt == won


def test_next_on_the_ledger_goes_back_to_the_table(rig):
    rig.finished()
    rig.step(IDLE_S + 1).press("next")
    assert rig.glass.view.phase is Phase.DONE
    rig.step(IDLE_S * 2 / 3 - 1)
    assert rig.glass.view is not None, "a press is a sign of life"


def test_a_hand_in_play_is_kept_and_offered_again(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    events = rig.booth.session.events
    rig.step(IDLE_S - 1)
    assert rig.glass.view is not None, "people think"
    rig.step(2)
    assert isinstance(rig.scene, StillThereScene)
    page = rig.glass.page
    assert page.title == "Is anybody still playing?"
    assert page.note == "If nobody says so, the welcome screen comes back by itself."
    rows = [item.text for item in page.items]
    assert rows == ["Yes, go on with this hand", "No: a new game"]
    rig.step(IDLE_S * IN_PLAY)
    assert rig.booth.is_waiting
    rig.press("have")
    left, *games_there = rig.glass.page.items
    assert left.is_open
    assert not any(tile.is_open for tile in games_there)
    assert "Bone-Ace, hand 1" in left.text
    assert "Ann" not in left.text
    marked = rig.glass.page.items[rig.glass.page.focus]
    assert marked.title == "Bone-Ace", "newcomers who only press HAVE start again"
    rig.press("have", choice=0)
    assert rig.booth.session.events == events
    assert rig.glass.view.phase is Phase.CUT


def test_a_game_in_which_nothing_has_happened_is_not_offered(rig):
    rig.start().step()
    rig.step(IDLE_S + 1).step(IDLE_S * IN_PLAY)
    assert rig.booth.is_waiting
    assert rig.booth.session is None
    assert not rig.journal.open_sittings()


def test_a_hand_that_was_left_is_offered_for_a_day(rig):
    begin(rig)
    rig.step(IDLE_S + 1).step(IDLE_S * IN_PLAY)
    assert rig.booth.is_waiting
    rig.step(OFFERED_S - 5)
    assert rig.booth.session is not None
    rig.step(10)
    assert rig.booth.session is None
    assert rig.journal.sittings()[0].closed is not None
    rig.press("have")
    assert not any(tile.is_open for tile in rig.glass.page.items)


def test_who_is_still_there_goes_on_by_a_button_or_by_a_card(rig):
    rig.start().step()
    rig.step(IDLE_S + 1)
    assert isinstance(rig.scene, StillThereScene)
    rig.press("have")
    assert rig.glass.view.phase is Phase.CUT, "HAVE only says that somebody is there"
    rig.step(IDLE_S + 1)
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert rig.scene is None
    assert dict(rig.booth.session.view.cuts), "and the card counts"


def test_a_second_look_at_the_same_cards_is_no_sign_of_life(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    for _ in range(int(IDLE_S * IN_PLAY / 5) + 1):
        rig.eyes.before = None  # shadows of who walks past: the eyes look again
        rig.eyes.mat.shift(0, 0, by=(0.2, 0.0))
        rig.step(5.0)
    assert rig.booth.is_waiting


def test_cards_that_others_left_lying_are_cleared_away_first(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.eyes.mat.lay(1)
    rig.step().step(IDLE_S * IN_PLAY + 1).step()
    rig.press("have").press("have").press("have")
    assert "Clear the mat: 2 cards or bones lie there." in rig.glass.page.note
    assert rig.glass.page.warning
    rig.eyes.mat.clear()
    rig.step()
    assert rig.glass.view.phase is Phase.CUT, "and it begins by itself"
    assert not rig.booth.session.view.cuts


def test_who_goes_on_choosing_meanwhile_begins_by_a_press(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step().step(IDLE_S * IN_PLAY + 1).step()
    rig.press("have").press("have").press("have")
    rig.press("stick", seat=1)
    rig.eyes.mat.clear()
    rig.step()
    assert isinstance(rig.scene, SeatsScene)
    rig.press("have")
    assert "2 players must sit down" in rig.glass.page.note
    rig.press("have", seat=1).press("have")
    assert rig.glass.view.phase is Phase.CUT


def test_a_button_that_stays_down_is_named_on_every_screen(rig, caplog):
    down = [(Button.HAVE, 2)]
    rig.booth.view.stuck = StuckButtons(lambda: down)
    rig.step()
    assert "held down" not in rig.glass.page.note
    with caplog.at_level(logging.WARNING):
        rig.step(STUCK_S + 1).step()
    assert caplog.text.count("stays down") == 1, "said once, not with every frame"
    said = "HAVE IT at seat 3 is held down: let go of it, or lift it."
    assert rig.glass.prompt.detail == said, "while the booth plays with itself"
    rig.press("have")
    assert (rig.glass.page.note, rig.glass.page.warning) == (said, True)
    rig.press("have").press("have")
    assert rig.glass.prompt.detail == said, "at the table"
    down.clear()
    rig.step(PACE_S)
    assert "held down" not in rig.glass.prompt.detail


def test_buttons_are_not_asked_with_every_frame():
    asked = []
    stuck = StuckButtons(lambda: asked.append(1) or [(Button.UNDO, None)])
    for frame in range(60):
        stuck.check(frame / 60)
    assert len(asked) == 1
    stuck.check(STUCK_S + 0.5)
    assert stuck.keys == ((Button.UNDO, None),)
    stuck.check(STUCK_S + 0.6)
    assert str(stuck_words(stuck.keys)).startswith("UNDO is held down")


def test_who_comes_to_a_hand_that_was_left_begins_a_new_game(rig):
    rig.press("have").press("have").press("right").press("right").press("right").press("have")
    rig.press("have", choice=0)
    for letter in "ZOE":
        rig.press("have", choice=rig.glass.page.keys.index(letter))
    rig.press("next").press("undo").press("next")
    assert rig.glass.view.seats[0].name == "Zoe"
    rig.step(IDLE_S + 1).press("stick").press("have")
    assert isinstance(rig.scene, GamesScene)
    assert rig.booth.session is None, "nothing had happened in it"
    rig.press("have")
    assert [chair.name for chair in rig.glass.page.seats][:2] == ["Player 1", "Player 2"]


def test_nothing_of_a_company_is_left_for_the_next(rig):
    rig.press("have").press("have").press("stick").press("have")
    rig.booth.carry_out(
        SetPreferences(
            replace(rig.booth.context.preferences, language="de", theme="large", volume=10)
        )
    )
    assert rig.booth.context.setup.stake == 2
    rig.step(IDLE_S + 1)
    assert rig.booth.is_waiting
    assert rig.glass.page.invitation == INVITATION
    assert rig.glass.dressed[-1] == ("felt", False, "en")
    assert rig.booth.context.preferences == preferences.of_config(rig.config)
    assert not (rig.folder / preferences.FILE).exists()
    assert rig.booth.context.setup.stake == 1


def test_settings_outlive_a_power_cut_in_the_middle_of_a_game_only(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, language="de")))
    assert rig.make().context.preferences.language == "de"
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, language="de")))
    rig.booth.new_game()
    assert rig.booth.context.preferences.language == "en"
    assert rig.make().context.preferences.language == "en"


@pytest.mark.parametrize("ends", ["quit", "crash"])
def test_what_visitors_set_counts_for_no_other_command(rig, ends):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, language="fr")))
    if ends == "quit":
        rig.booth.shut()
    else:
        rig.make()
    assert preferences.load(rig.folder, rig.config) == preferences.of_config(rig.config)


def test_a_house_that_keeps_its_settings_keeps_them(tmp_path):
    booth = BoothConfig(enabled=True, idle_s=IDLE_S, keep_settings=True)
    rig = Rig(tmp_path, Config(display=DisplayConfig(language="en"), booth=booth))
    rig.press("have")
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, theme="large")))
    rig.step(IDLE_S + 1)
    assert rig.booth.is_waiting
    rig.booth.shut()
    assert rig.make().context.preferences.theme == rig.booth.context.preferences.theme == "large"
    rig.journal.close()


def test_another_game_ends_the_one_that_was_left(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step().step(IDLE_S * IN_PLAY + 1).step()
    assert rig.booth.is_waiting
    one_and_thirty = 1 + [game.name for game in catalog.all_games()].index("one-and-thirty")
    rig.press("have").press("have", choice=one_and_thirty).press("have")
    assert rig.booth.session.view.game == "bone-ace"
    assert "Clear the mat: 1 card or bone lies there." in rig.glass.page.note
    rig.press("have")
    assert rig.booth.session.view.game == "one-and-thirty"
    assert rig.booth.session.events == 0
    assert rig.journal.sittings()[0].closed is None, "until somebody has begun"
    rig.eyes.mat = Mat(2)
    rig.eyes.mat.lay(0, "8H")
    rig.step().step()
    assert rig.booth.session.events
    assert rig.journal.sittings()[0].closed is not None


@pytest.mark.parametrize("how", ["the menu", "nobody comes", "a power cut"])
def test_a_game_that_nobody_begins_ends_none(rig, how):
    begin(rig)
    state = rig.booth.session.state
    rig.step(IDLE_S * IN_PLAY + 1)
    rig.press("have").press("have").press("have").press("have")
    assert rig.booth.session.events == 0
    if how == "the menu":
        rig.press("menu").press("have", choice=2).press("have", choice=1)
        rig.press("have", choice=0)
    elif how == "nobody comes":
        rig.step(IDLE_S + 1).step(IDLE_S * IN_PLAY + 1)
        rig.press("have").press("have", choice=0)
    else:
        rig.booth = rig.make()
    assert rig.booth.session.state == state
    assert next(sitting.closed for sitting in rig.journal.sittings()) is None


def test_no_a_new_game_leaves_the_hand_where_it_is(rig):
    begin(rig)
    state = rig.booth.session.state
    rig.step(IDLE_S + 1).press("stick").press("have")
    assert isinstance(rig.scene, GamesScene)
    rig.press("have", choice=0)
    assert rig.booth.session.state == state


def test_the_consoles_have_goes_on_from_three_seconds_after_the_result(rig):
    rig.finished()
    rig.eyes.mat.clear()
    rig.step().press("have")
    assert rig.glass.view.phase is Phase.DONE, "somebody has pressed once too often"
    assert rig.glass.prompt.refused == "NEXT begins the next hand."
    assert "wins" in rig.glass.prompt.title, "and the result stays"
    rig.step(GOES_ON_S).press("have")
    assert (rig.glass.view.phase, rig.glass.view.hand_number) == (Phase.DEAL, 2)


def test_a_players_have_never_begins_the_next_hand(rig):
    rig.finished()
    rig.step(GOES_ON_S + 1).press("have", seat=0)
    assert rig.glass.view.phase is Phase.DONE
    assert rig.glass.prompt.refused == "NEXT begins the next hand."
    assert "wins" in rig.glass.prompt.title
    rig.step(REFUSED_S + 0.1)
    assert rig.glass.prompt.refused == ""


def test_in_a_file_of_presses_only_next_begins_a_hand(rig):
    rig.booth.shut()
    rig.scripted = True
    rig.booth = rig.make()
    rig.finished()
    rig.step(GOES_ON_S + 1).press("have")
    assert rig.glass.view.phase is Phase.DONE


def test_after_a_power_cut_it_goes_on_where_it_was(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    before = rig.booth.session.view
    again = rig.make()
    assert again.session.view == before
    assert not again.is_waiting


def test_the_evening_ends_with_a_picture(rig):
    rig.finished()
    rig.press("menu")
    last = len(rig.glass.page.items) - 1
    rig.press("have", choice=last)
    assert rig.glass.page.title == "End the evening?"
    rig.press("have", choice=1)
    assert isinstance(rig.scene, EndScene)
    ((page, path),) = rig.saved
    assert path.parent == rig.folder / "pictures"
    assert page.headline.endswith("wins the evening")
    assert not rig.journal.open_sittings()
    rig.press("stick")
    assert rig.booth.is_waiting


def test_the_picture_of_the_evening_says_how_to_go_on(rig):
    rig.finished()
    rig.booth.end_session()
    rig.step()
    (hint,) = rig.glass.page.hints
    assert (hint.button, hint.message) == ("have", "a new game")
    ((page, _path),) = rig.saved
    assert page.hints == (), "the picture that is kept names no buttons"
    rig.press("have")
    assert isinstance(rig.scene, GamesScene)


@pytest.mark.parametrize("by_hand", [False, True])
def test_only_a_table_that_has_read_cards_says_so(rig, by_hand):
    rig.finished()
    rig.booth._services = replace(rig.booth._services, by_hand=by_hand)
    rig.booth.end_session()
    rig.step()
    ((page, _path),) = rig.saved
    assert ("read them" in page.foot) is ("read them" in rig.glass.page.foot) is not by_hand


def test_a_picture_that_cannot_be_kept_costs_nobody_the_evening(rig, caplog):
    def refuse(page, path):
        raise OSError("disk full")

    rig.finished()
    rig.save = refuse
    with caplog.at_level(logging.WARNING):
        rig.booth.end_session()
    assert "disk full" in caplog.text
    assert isinstance(rig.scene, EndScene)


# The menu


def menu_rows(rig, then=""):
    """The rows of the menu; *then* is chosen."""
    rig.press("menu")
    assert (rig.glass.page.title, rig.glass.page.note) == ("Menu", "The game waits.")
    rows = [item.text for item in rig.glass.page.items]
    rig.press("have", choice=rows.index(then)) if then else rig.press("menu")
    return rows


def test_the_menu_has_what_can_be_done_now(rig):
    first = ["Go on", "Take the last thing back", "Another game", "Correct a reading"]
    by_hand = "Enter the rest of the hand by hand"
    last = [
        "The ledger",
        "Settle up",
        "The evening in figures",
        "The rules",
        "Settings",
        "End the evening",
    ]
    rig.start()
    assert menu_rows(rig) == [*first, by_hand, *last], "while they cut"
    people = Company(2)
    rig.play(people, lambda seen: seen.phase is Phase.PLAY)
    now = [by_hand, "Call a misdeal", "I throw in", "Who plays on?"]
    assert menu_rows(rig) == [*first, *now, *last]
    rig.play(people, lambda seen: seen.phase is Phase.DONE)
    after = ["Call a misdeal", "Who plays on?", "Put a hand right", "Write an entry"]
    assert menu_rows(rig) == [*first, *after, *last]


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ("Another game", "End this game?"),
        ("Correct a reading", "What was read wrongly?"),
        ("I throw in", "Who throws in?"),
        ("Who plays on?", "Who plays on?"),
        ("The ledger", "The ledger"),
        ("Settle up", "Settle up"),
        ("The evening in figures", "The evening in figures"),
        ("The rules", "Bone-Ace"),
        ("Settings", "Settings"),
        ("End the evening", "End the evening?"),
    ],
)
def test_every_row_of_the_menu_opens_what_it_says(rig, row, title):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    menu_rows(rig, row)
    assert rig.glass.page.title == title
    rig.press("menu")
    assert rig.scene is None
    menu_rows(rig, "Go on")
    assert rig.scene is None
    assert rig.glass.view.phase is Phase.PLAY


def test_menu_undo_and_misdeal_reach_the_table(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert rig.booth.session.view.cuts
    rig.press("menu").press("stick").press("have")
    assert not rig.booth.session.view.cuts, "taken back"
    rig.play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.press("menu")
    texts = [item.text for item in rig.glass.page.items]
    rig.press("have", choice=texts.index("Call a misdeal"))
    assert rig.glass.prompt.kind is PromptKind.QUESTION
    rig.press("push")
    assert rig.booth.session.view.result.end == "misdeal"


def test_a_reading_is_corrected_and_the_ledger_follows(rig):
    rig.finished()
    state = rig.booth.session.state
    before = rig.booth.session.view
    seat = next(s for s in before.seats if s.seat not in before.result.winners)
    was = seat.cards[2]  # dealt face up
    free = next(
        card
        for card in sorted(catalog.find("bone-ace").pack(None))
        if card.suit == was.suit
        and all(card not in s.cards for s in rig.booth.session.view.seats)
        and card.rank is not was.rank
    )
    rig.press("menu")
    texts = [item.text for item in rig.glass.page.items]
    rig.press("have", choice=texts.index("Correct a reading"))
    assert isinstance(rig.scene, CorrectScene)
    whats = [pick.what for pick in rig.glass.page.items]
    rig.press("have", choice=whats.index(was))
    ranks = [pick.what.rank for pick in rig.glass.page.items]
    rig.press("have", choice=ranks.index(free.rank))
    suits = [pick.what.suit for pick in rig.glass.page.items]
    rig.press("have", choice=suits.index(free.suit))
    assert isinstance(rig.scene, ChangeScene), "the hand is over: first it shows what changes"
    rig.press("have")
    assert rig.scene is None
    cards = rig.booth.session.view.seat(seat.seat).cards
    assert free in cards
    assert was not in cards
    now = rig.booth.session.state
    assert now.events[len(state.events)].kind == "correct"
    assert sum(dict(now.ledger.entries).values()) == 0
    rig.step().step()
    assert rig.booth.stage.table.question is None, "the card is known by a person's word"


def test_a_card_that_is_touched_is_put_right_by_three_touches_more(rig):
    rig.finished()
    before = len(rig.booth.session.state.events)
    seat = rig.booth.session.view.seats[0]
    cards = list(open_cards(rig.booth.session.view))
    number = next(n for n, (owner, _card) in enumerate(cards) if owner == seat.seat)
    was = cards[number][1]
    rig.press("menu", choice=number)
    assert isinstance(rig.scene, RankScene)
    assert rig.glass.page.items[rig.glass.page.focus].what == was, "as it was read"
    free = next(card for card in deck() if all(card != each for _owner, each in cards))
    rig.press("have", choice=list(Rank).index(free.rank))
    rig.press("have", choice=list(Suit).index(free.suit))
    if isinstance(rig.scene, ChangeScene):
        rig.press("have")
    assert rig.scene is None
    assert rig.booth.session.state.events[before].kind == "correct"
    assert free in rig.booth.session.view.seats[0].cards
    assert rig.step(1.0).glass.prompt.put_right == free, "it is shown for two seconds"
    assert rig.step(1.0).glass.prompt.put_right is None


def test_a_card_that_is_gone_when_it_is_touched_changes_nothing(rig):
    rig.finished()
    before = rig.booth.session.state.events
    rig.press("menu", choice=51)
    assert rig.scene is None
    assert rig.booth.session.state.events == before
    assert rig.booth.stage.table.question is None


def test_between_hands_people_come_and_go_by_their_own_buttons(rig):
    """Rules G-15, G-16: a press at a free seat sits down, two at one's own get up."""
    rig.finished()
    rig.press("have", seat=4)
    assert isinstance(rig.scene, PeopleScene)
    assert [p.name for p in rig.booth.session.state.players] == ["Player 1", "Player 2", "Player 5"]
    assert rig.panel.lamps.lit == (0, 1, 4)
    rig.press("next")
    assert rig.scene is None
    rig.eyes.mat.clear()
    rig.step()
    assert [seat.name for seat in rig.booth.session.view.seats] == [
        "Player 1",
        "Player 2",
        "Player 5",
    ]
    assert rig.booth.session.view.hand_number == 2
    assert rig.booth.context.setup.seated == {0: "Player 1", 1: "Player 2", 4: "Player 5"}


def test_who_sits_down_after_next_before_the_deal_is_in_the_hand(rig):
    """Rule G-15: the hand that had only begun is void, and the next one has all of them."""
    rig.finished()
    rig.eyes.mat.clear()
    rig.press("next")
    rig.step()
    assert rig.booth.session.view.phase is Phase.DEAL
    before = rig.booth.session.state.ledger
    rig.press("have", seat=4)
    assert isinstance(rig.scene, PeopleScene)
    assert [p.name for p in rig.booth.session.state.players] == ["Player 1", "Player 2", "Player 5"]
    rig.press("next")
    rig.step()
    assert rig.scene is None
    assert len(rig.booth.session.view.seats) == 3
    assert rig.booth.session.view.phase is Phase.DEAL
    assert rig.booth.session.state.ledger == before


@pytest.mark.parametrize("free_seat_first", [True, False])
def test_an_elbow_on_many_buttons_before_the_deal_seats_nobody(rig, free_seat_first):
    rig.finished()
    rig.eyes.mat.clear()
    rig.press("next")
    rig.step()
    now_s = rig.clock.monotonic()
    seats = (4, 0) if free_seat_first else (0, 4)
    rig.panel.waiting += [
        Press(Button.HAVE, now_s + number / 100, seat) for number, seat in enumerate(seats)
    ]
    for _ in range(5):
        rig.step(0.1)
    assert rig.scene is None
    assert len(rig.booth.session.state.players) == 2
    assert rig.booth.session.view.phase is Phase.DEAL


def test_who_comes_between_hands_gets_a_name_that_nobody_has(tmp_path):
    game = GameConfig(players=("Ann", "PLAYER 5"))
    rig = Rig(tmp_path, Config(game=game, display=DisplayConfig(language="en")))
    rig.step().finished()
    rig.press("have", seat=4)
    assert [p.name for p in rig.booth.session.state.players] == ["Ann", "PLAYER 5", "Player 6"]
    rig.booth.shut()
    rig.journal.close()


def test_who_gets_up_must_mean_it_and_may_come_back(rig):
    rig.finished()
    rig.press("stick", seat=1)
    assert isinstance(rig.scene, PeopleScene)
    assert len(rig.booth.session.state.players) == 2, "one press only asks"
    rig.press("stick", seat=1)
    assert [player.seat for player in rig.booth.session.state.players] == [0]
    rig.eyes.mat.clear()
    rig.press("next")
    assert "wait until 2 sit down" in rig.glass.prompt.refused
    rig.step(REFUSED_S)
    assert rig.glass.prompt.refused == ""
    assert rig.glass.prompt.title.endswith(" wins"), "a refused NEXT is not tried again by itself"
    assert rig.booth.session.view.hand_number == 1
    rig.press("have", seat=1)
    assert len(rig.booth.session.state.players) == 2
    rig.press("menu")
    rig.press("undo")
    assert len(rig.booth.session.state.players) == 1, "UNDO takes back that he came"


def test_nobody_sits_down_in_the_middle_of_a_hand_but_may_go_by_the_menu(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.press("have", seat=5)
    assert rig.scene is None
    assert len(rig.booth.session.state.players) == 2
    rig.press("menu")
    rows = [item.text for item in rig.glass.page.items]
    rig.press("have", choice=rows.index("Who plays on?"))
    assert rig.glass.page.note == "Who gets up now pays as if they had lost."
    rig.press("have", seat=5)
    assert rig.glass.page.warning
    assert "between hands" in rig.glass.page.note
    for back in ("have", "undo"):
        rig.press("have", choice=2)  # the second seat gets up
        assert rig.glass.page.title == "Player 2 gets up in mid-play?"
        assert rig.glass.page.note == "Who gets up now pays as if they had lost."
        rig.press(back)
        assert rig.glass.view.phase is Phase.PLAY
        rig.press("menu").press("have", choice=rows.index("Who plays on?"))
    rig.press("stick", seat=1).press("have", choice=1)
    assert rig.scene is None
    assert rig.booth.session.view.phase is Phase.DONE
    net = dict(rig.booth.session.state.hands[-1].settlement)
    assert net[1] < 0 < net[0]


def test_settle_up_names_who_pays_whom(rig):
    rig.start()
    menu_rows(rig, "Settle up")
    assert rig.glass.page.note == "Nobody owes anybody anything."
    rig.press("menu")
    rig.play(Company(2, seed=3), lambda seen: seen.phase is Phase.DONE)
    nets = {seat.name: seat.tokens for seat in rig.booth.session.view.seats}
    payer, payee = sorted(nets, key=nets.get)
    menu_rows(rig, "Settle up")
    (row,) = rig.glass.page.items
    assert row.text == f"{payer} pays {payee}"
    assert row.value == str(count(nets[payee], "token"))


@pytest.mark.parametrize("at_the_seat", [False, True], ids=["menu", "seat"])
def test_who_throws_in_is_out_at_once_and_undo_takes_it_back(rig, at_the_seat):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    seen = rig.booth.session.view
    seat = seen.turn
    menu_rows(rig, "I throw in")
    names = [item.text for item in rig.glass.page.items]
    assert names == [each.name for each in seen.seats]
    if at_the_seat:
        rig.press("have", seat=seat)
    else:
        rig.press("have", choice=names.index(seen.seat(seat).name))
    assert rig.scene is None
    assert rig.glass.view.seat(seat).status is SeatStatus.OUT
    assert rig.booth.stage.table.question is None
    rig.press("menu")
    rig.press("have", choice=1)
    assert rig.glass.view.seat(seat).status is not SeatStatus.OUT


def test_nothing_hidden_is_offered_for_correction(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.booth.stage.open(CorrectScene(rig.booth.context))
    rig.step()
    up = [card for s in rig.booth.session.view.seats for card in s.cards if card is not None]
    assert sorted(pick.what for pick in rig.glass.page.items) == sorted(up)


def test_what_lies_open_and_is_not_in_the_game_can_be_corrected(rig, monkeypatch):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    table, seen = rig.booth.stage.table, rig.booth.session.view
    free = next(each for each in deck() if all(each != c for _, c in open_cards(seen)))
    lying = [
        LyingCard(n, Side.UP, (0.0, 0.0), free, seat=seat)
        for n, seat in enumerate((seen.seats[0].seat, None))
    ]
    monkeypatch.setattr(type(table), "lying", (*lying, *table.lying))
    rig.press("menu")
    texts = [item.text for item in rig.glass.page.items]
    rig.press("have", choice=texts.index("Correct a reading"))
    picks = rig.glass.page.items
    named = [(pick.what, pick.label) for pick in picks if pick.what == free]
    assert named == [(free, seen.seats[0].name)], "what lies at nobody's place is not asked about"
    assert len(picks) == 1 + len(list(open_cards(seen))), "nothing is listed twice"


def test_what_was_read_last_is_the_first_to_be_corrected_and_is_marked(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    dealt = [event.card for event in rig.booth.session.state.events if event.kind == "deal"]
    up = {card for s in rig.booth.session.view.seats for card in s.cards if card is not None}
    last_first = [card for card in reversed(dealt) if card in up]
    rig.booth.stage.open(CorrectScene(rig.booth.context))
    rig.step()
    assert [pick.what for pick in rig.glass.page.items] == last_first
    assert rig.glass.page.focus == 0


def test_settings_take_force_at_once_and_are_kept(rig):
    rig.press("have")
    rig.booth.stage.open(SettingsScene(rig.booth.context))
    rig.step()
    rows = [item.text for item in rig.glass.page.items]
    changed = ("Look", "Suits", "Teaching: show the chances", "Volume", "Sound", "The voice says")
    for row in (*changed, "It speaks", "Motion"):
        rig.press("have", choice=rows.index(row))
    assert rig.glass.dressed[-1] == ("contrast", False, "en")
    rig.press("have", choice=0)
    assert rig.booth.context.preferences.language == "de"
    assert rig.glass.dressed[-1][2] == "de"
    assert rig.glass.page.title == "Einstellungen"
    kept = json.loads((rig.folder / preferences.FILE).read_text())
    assert kept == {
        "language": "de",
        "theme": "contrast",
        "four_colours": False,
        "volume": 80,
        "mute": True,
        "voice": True,
        "talk": "all",
        "pace": 180,
        "less_motion": True,
        "teaching": True,
        "token_value": "",
    }
    assert preferences.load(rig.folder, rig.config) == rig.booth.context.preferences


@pytest.mark.parametrize(
    "text",
    ["", "[]", "[" * 2000, '{"volume": "loud", "theme": "pink", "language": 7, "mute": 1}'],
    ids=["empty", "list", "deep", "values"],
)
def test_damaged_settings_are_passed_over(tmp_path, text):
    (tmp_path / preferences.FILE).write_text(text)
    assert preferences.load(tmp_path, Config()) == preferences.of_config(Config())


def test_teaching_adds_chances_to_the_prompt(rig):
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, teaching=True)))
    rig.booth.tables._teacher._start = lambda work: work()
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.step()
    assert "One more card: over 31 in" in rig.glass.prompt.hint
    rig.booth.carry_out(SetPreferences(replace(rig.booth.context.preferences, teaching=False)))
    rig.step()
    assert rig.glass.prompt.hint == ""


def test_teaching_puts_the_chances_into_the_menu(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    for teaching in (False, True):
        rig.booth.context.preferences = replace(rig.booth.context.preferences, teaching=teaching)
        rig.booth.stage.open(MenuScene(rig.booth.context))
        rig.step()
        rows = [item.text for item in rig.glass.page.items]
        assert ("Chances" in rows) == teaching
    rig.press("have", choice=rows.index("Chances")).step()
    assert rig.glass.page.title == "Chances"


def test_the_chances_are_those_that_the_command_prints(rig, capsys):
    game, preset = catalog.choose("bone-ace", "cotton")
    options = catalog.make_options(game, preset, {})
    page = OddsScene(rig.booth.context, game, "cotton", options).page()
    said = str(page.spoken())
    assert main(["odds", "bone-ace", "--preset", "cotton", "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    seats = [row for row in rows if row["about"] == "seat"]
    assert {row["players"] for row in seats} == {"2", "4", "8"}
    for row in seats:
        value, within = float(row["value"]), float(row["within"])
        assert f"{row['of']}: {value:+.2f} ±{within:.2f}" in said
    (after_24,) = [
        float(row["value"])
        for row in rows
        if row["about"].startswith("One more") and (row["of"], row["figure"]) == ("24", "over 31")
    ]
    assert f"24: {100 * after_24:.1f} / " in said


def test_rules_that_were_changed_are_in_no_table(rig):
    game, preset = catalog.choose("scat", "banking")
    options = catalog.make_options(game, preset, {"ante": 2})
    said = str(OddsScene(rig.booth.context, game, "banking", options).page().spoken())
    assert "There are no figures for these rules." in said
    assert "exactly 31" in said


def test_a_question_keeps_its_menu(rig):
    rig.start().play(Company(2), lambda seen: seen.phase is Phase.PLAY)
    rig.press("menu").step()
    assert isinstance(rig.scene, MenuScene)
    rig.press("menu")
    assert rig.scene is None


def test_disk_that_refuses_is_said_and_harms_nobody(rig):
    rig.start()
    rig.journal._connection().execute("PRAGMA query_only = ON")
    rig.eyes.mat.lay(0, "9H")
    rig.step()
    assert rig.glass.prompt.kind is PromptKind.TROUBLE
    assert not rig.booth.session.view.cuts
    rig.journal._connection().execute("PRAGMA query_only = OFF")
    rig.press("undo")
    assert rig.glass.prompt.kind is not PromptKind.TROUBLE


def test_screens_are_read_aloud_once(rig):
    rig.press("have").step().step()
    said = [text for kind, text in rig.speaker.heard if kind == "say"]
    assert len(said) == 1
    assert "Which game?" in said[0]
    assert "Bone-Ace" in said[0]
    rig.press("stick").step()
    said = [text for kind, text in rig.speaker.heard if kind == "say"]
    assert len(said) == 2


def test_the_keys_of_a_question_and_of_the_end_are_spoken(rig):
    rig.start()
    rig.eyes.mat.lay(0, "9D?6D")
    rig.step().step()
    said = [text for kind, text in rig.speaker.heard if kind == "say"]
    assert said[-1].endswith(
        "HAVE IT: the one marked. STICK: the next one. NEXT: another card. UNDO: none of these."
    )
    rig.eyes.mat.clear()
    rig.step().play(Company(2, seed=3), lambda seen: seen.phase is Phase.DONE).step()
    said = [text for kind, text in rig.speaker.heard if kind == "say"]
    assert any("NEXT: next hand." in text for text in said)


@pytest.mark.parametrize(
    ("home", "result", "asked", "left"), [(False, 40, 60, 150), (True, 120, 120, 360)]
)
def test_a_fair_waits_for_less_long_than_a_home(tmp_path, home, result, asked, left):
    """By default: seconds after the last sign of life."""
    config = Config(
        game=GameConfig(players=("Ann", "Bess")),
        display=DisplayConfig(language="en"),
        booth=BoothConfig(enabled=True, keep_settings=home),
    )
    rig = Rig(tmp_path, config)

    def passes(seconds):
        for _ in range(int(seconds / 2)):
            rig.step(2.0)

    rig.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.PLAY)
    passes(asked - 2)
    assert rig.scene is None
    passes(4)
    assert isinstance(rig.scene, StillThereScene)
    passes(left - asked - 4)
    assert not rig.booth.is_waiting
    passes(4)
    assert rig.booth.is_waiting
    assert left <= 180 or home
    rig.booth.shut()
    rig.journal.close()
    (tmp_path / "over").mkdir()
    rig = Rig(tmp_path / "over", config).finished()
    passes(result - 2)
    assert rig.scene is None
    passes(4)
    assert isinstance(rig.scene, AfterwardsScene)
    passes(result - 4)
    assert isinstance(rig.scene, AfterwardsScene)
    passes(4)
    assert rig.booth.is_waiting
    assert 2 * result <= 90 or home
    rig.booth.shut()
    rig.journal.close()


# Strangers


def test_strangers_have_no_names_that_are_not_theirs(tmp_path):
    config = Config(display=DisplayConfig(language="fr"), booth=BoothConfig(enabled=True))
    rig = Rig(tmp_path, config)
    rig.step().press("have").press("have")
    screen = PageScreen((800, 480), language="fr")

    def texts(draw, *what):
        return [piece.text for piece in draw(pygame.Surface((800, 480)), *what)]

    page = rig.booth.view.page
    assert "●\xa0Joueur 1" in texts(lambda *what: screen.draw(*what).written, page)
    rig.press("have", seat=1).press("have", seat=4)
    assert rig.booth.context.setup.seated == {1: "Player 2", 4: "Player 5"}, "as they are kept"
    rig.press("next")
    shown = texts(TableScreen((800, 480), language="fr").draw, *rig.booth.view.table(0.0))
    assert {"▲\xa0Joueur 2", "✚\xa0Joueur 5"} <= set(shown)
    rig.eyes.mat = Mat(6)
    for seat, card in ((1, "9H"), (4, "3C")):
        rig.eyes.mat.lay(seat, card)
        rig.step().step(5.0)
    said = " ".join(words for kind, words in rig.speaker.heard if kind == "say")
    shown = texts(TableScreen((800, 480), language="fr").draw, *rig.booth.view.table(0.0))
    assert "Joueur 5" in said
    assert "Player" not in said + " ".join(shown)
    rig.booth.shut()
    rig.journal.close()


def test_who_sits_down_where_the_config_proposes_somebody_is_that_person(tmp_path):
    config = Config(
        game=GameConfig(players=("Ann", "Bess", "Cecil")),
        booth=BoothConfig(enabled=True, keep_settings=True),
    )
    rig = Rig(tmp_path, config)
    rig.step().press("have").press("have").press("have", seat=1).press("have", seat=0)
    assert rig.booth.context.setup.seated == {0: "Ann", 1: "Bess"}
    rig.booth.context.setup.seated = {0: "cecil"}
    rig.press("have", seat=2)
    assert rig.booth.context.setup.seated == {0: "cecil", 2: "Player 3"}, "two names must differ"
    rig.booth.shut()
    rig.journal.close()


def test_a_stranger_gets_the_next_number_where_somebody_is_called_so(rig):
    rig.booth.context.setup.seated = {0: "player 2"}
    rig.booth.context.setup.is_default = False
    rig.press("have").press("have").press("have", seat=1)
    assert rig.booth.context.setup.seated == {0: "player 2", 1: "Player 3"}


def test_idle_screens_go_back_to_waiting(rig):
    rig.press("have").press("have")
    assert isinstance(rig.scene, SeatsScene)
    rig.step(IDLE_S * ALONE + 1)
    assert rig.glass.page.note == str(LEFT_ALONE)
    rig.press("stick", seat=7)
    assert rig.glass.page.note != str(LEFT_ALONE)
    rig.step(IDLE_S + 1)
    assert rig.booth.is_waiting


def test_a_fault_of_a_screen_does_not_end_the_evening(rig, caplog):
    class Broken:
        lamps = Lamps()

        def page(self):
            raise ValueError("cosmic ray")

        def closed(self):
            pass

        def press(self, press):
            pass

    rig.booth.stage.open(Broken())
    rig.booth.frame_s = 0.1
    rig.panel.waiting = []
    polls = []

    def ended_later(time_s):
        polls.append(time_s)
        return (Press(Button.QUIT, 0.0),) if len(polls) > 3 else ()

    rig.panel.poll = ended_later
    with caplog.at_level(logging.ERROR):
        rig.booth.run()
    assert "the loop failed" in caplog.text
    assert rig.scene is None


# The show


def test_the_show_goes_through_every_game_and_every_hand_ends():
    show = AttractMode(seed=7)
    ends, now = set(), 0.0
    for _ in range(6000):
        now += 0.25
        show.tick(now)
        if show.view is not None and show.view.result is not None:
            ends.add(show.game)
    assert ends == {game.name for game in catalog.all_games()}


def test_the_show_shows_what_the_whole_table_may_see():
    show, now, hidden = AttractMode(["one-and-thirty"], seed=3), 0.0, 0
    for _ in range(800):
        now += 0.25
        show.tick(now)
        if show.view is not None and show.view.phase is Phase.PLAY:
            hidden += sum(card is None for seat in show.view.seats for card in seat.cards)
    assert hidden > 0


def test_the_show_keeps_its_pace_when_the_clock_jumps():
    show = AttractMode(["bone-ace"], seed=1)
    show.tick(0.0)
    assert show.view is None
    show.tick(WELCOME_S - 0.1)
    assert show.view is None
    show.tick(WELCOME_S + 0.1)
    assert show.view is not None
    show.tick(1e6)
    assert show.view is not None
    assert show.view.phase is not Phase.DONE
    assert RESULT_S > 0


def test_a_second_tap_on_the_welcome_screen_chooses_no_game(rig):
    for choice in (None, 3):
        rig.panel.waiting.append(Press(Button.HAVE, 0.0, None, choice))
        rig.step()
    assert isinstance(rig.scene, GamesScene)
    rig.step(1.0).press("have", choice=3)
    assert not isinstance(rig.scene, GamesScene)
