"""Side bets from the screen: four choices, the likeliest marked, by five buttons or a finger."""

import pytest

from device.booth.scenes.ledger import LedgerScene
from device.booth.scenes.wager import OutcomeScene, WagerScene, likeliest, outcomes
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig
from device.storage.journal.errors import JournalError
from engine import Leave, Phase
from engine.table.wagers import Wager
from tests.support.booth_rig import IDLE_S, Rig
from tests.support.scat_notation import dealt, event_of, sit

ANN, BESS, CECIL, DOLL = range(4)
HANDS = {ANN: "KH QH 2C", BESS: "5D 6D 7S", CECIL: "9S 8S 3H"}  # 20, 11, 17
ROUND = f"cut0KH cut1QH cut2AS {dealt(HANDS, CECIL)} up:4C k0 s1 s2".split()


def config(game="scat", preset="west-lansing", language="en", **options):
    players = ("Ann", "Bess", "Cecil")
    return Config(
        game=GameConfig(
            name=game, preset=preset, players=players, options=options, token_value="0.25"
        ),
        display=DisplayConfig(language=language),
        booth=BoothConfig(enabled=True, idle_s=IDLE_S, keep_settings=True),
    )


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path, config())
    made.start(3)
    yield made
    made.booth.shut()
    made.journal.close()


def rows(rig):
    return [item.text for item in rig.glass.page.items]


def values(rig):
    return [item.value for item in rig.glass.page.items]


def choose(rig, text):
    return rig.press("have", choice=rows(rig).index(text))


def session(rig):
    return rig.booth.session


def play(rig, words=ROUND):
    for word in words:
        session(rig).apply(event_of(word))
    return rig.step()


def test_a_bet_with_five_buttons_and_what_is_likeliest(rig):
    rig.press("menu")
    choose(rig, "Side bet")
    assert rows(rig) == ["Who bets", "With whom", "On what", "How much", "It is a bet"]
    assert values(rig)[:3] == ["Ann", "Bess", "Ann wins the match"]
    assert values(rig)[3].startswith("one token (")
    for _ in range(4):
        rig.press("stick")
    rig.press("have")
    assert rig.scene is None, "the table is shown"
    assert [each.wager for each in session(rig).wagers] == [Wager(ANN, BESS, 1, ANN)]
    assert session(rig).wagers[0].reason == "Side bet 1: Ann wins the match"


def test_each_of_the_four_is_chosen_on_the_one_screen(rig):
    rig.press("menu")
    choose(rig, "Side bet")
    choose(rig, "Who bets")
    assert values(rig)[:2] == ["Bess", "Ann"], "the two change places"
    choose(rig, "With whom")
    assert values(rig)[:2] == ["Bess", "Cecil"]
    choose(rig, "With whom")
    assert values(rig)[:2] == ["Bess", "Ann"], "nobody bets with themselves"
    choose(rig, "On what")
    assert isinstance(rig.scene, OutcomeScene)
    assert rig.scene.focus == rows(rig).index("Ann wins the match")
    choose(rig, "Cecil goes further than Ann")
    choose(rig, "How much")
    rig.press("have", choice=2).press("have", choice=4).press("next")
    assert isinstance(rig.scene, WagerScene)
    assert values(rig)[2] == "Cecil goes further than Ann"
    choose(rig, "It is a bet")
    assert session(rig).wagers[0].wager == Wager(BESS, ANN, 35, CECIL, ANN)


def bet(rig):
    rig.press("menu")
    choose(rig, "Side bet")
    return choose(rig, "It is a bet")


def test_an_open_bet_is_called_off_after_a_question(rig):
    bet(rig)
    rig.press("menu")
    choose(rig, "Side bet")
    assert rows(rig)[-1] == "Side bet 1: Ann wins the match"
    assert values(rig)[-1] == "Ann with Bess, 1"
    choose(rig, "Side bet 1: Ann wins the match")
    choose(rig, "Go on")
    assert not session(rig).wagers[0].off
    rig.press("menu")
    choose(rig, "Side bet")
    choose(rig, "Side bet 1: Ann wins the match")
    choose(rig, "Call it off")
    assert session(rig).wagers[0].off
    rig.press("menu")
    choose(rig, "Side bet")
    assert rows(rig)[-1] == "It is a bet"


def test_who_is_out_is_likeliest_to_bet_and_the_leader_to_be_bet_on():
    state = sit(
        "k0 s1 s2 s3",
        {**HANDS, DOLL: "TC 9C 4D"},
        preset="west-lansing",
        start={"lives": {"0": 1, "1": 1, "2": 3, "3": 2}},
    )
    assert likeliest(state, [Wager(0, 1, 7, 2)]) == Wager(BESS, ANN, 7, CECIL)
    assert outcomes(state)[:4] == [(CECIL, None), (DOLL, None), (ANN, None), (CECIL, DOLL)]
    assert len(outcomes(state)) == 3 + 6


def test_somebody_who_leaves_meanwhile_is_passed_over(rig):
    rig.press("menu")
    choose(rig, "Side bet")
    play(rig, [*ROUND, "leave1"])
    choose(rig, "It is a bet")
    assert "no wager" in rig.glass.page.note
    assert rig.glass.page.warning
    choose(rig, "With whom")
    assert values(rig)[1] == "Cecil"
    choose(rig, "It is a bet")
    assert session(rig).wagers[0].wager == Wager(ANN, CECIL, 1, ANN)


def test_a_disk_that_refuses_says_so_and_keeps_the_choices(rig, monkeypatch):
    def full(*_words, **_more):
        raise JournalError("the disk is full")

    monkeypatch.setattr(rig.journal, "note", full)
    bet(rig)
    assert isinstance(rig.scene, WagerScene)
    assert rig.glass.page.note == "This could not be written down yet."
    monkeypatch.undo()
    choose(rig, "It is a bet")
    assert len(session(rig).wagers) == 1


@pytest.mark.parametrize(
    ("game", "preset"), [("scat", "no-elimination"), ("scat", "banking"), ("bone-ace", "willughby")]
)
def test_without_lives_the_menu_has_no_side_bet(tmp_path, game, preset):
    made = Rig(tmp_path, config(game, preset))
    made.start(3).press("menu")
    assert "Side bet" not in rows(made)
    made.booth.shut()
    made.journal.close()


@pytest.mark.parametrize("preset", ["wikipedia", "california-quick", "dollar-bill", "switch"])
def test_every_match_with_lives_has_it(tmp_path, preset):
    made = Rig(tmp_path, config(preset=preset))
    made.start(3).press("menu")
    assert "Side bet" in rows(made)
    made.booth.shut()
    made.journal.close()


def test_the_ledger_shows_it_and_its_heading_cannot_be_chosen(rig):
    bet(rig)
    play(rig)
    assert session(rig).state.phase is Phase.DONE
    rig.press("menu")
    choose(rig, "The ledger")
    assert isinstance(rig.scene, LedgerScene)
    found = rig.glass.page.rows
    assert [row.end for row in found if row.heading] == ["Side bets"]
    assert found[-1].end == "Side bet 1: Ann wins the match, Ann with Bess, 1, open"
    rig.press("have", choice=next(n for n, row in enumerate(found) if row.heading))
    assert rig.glass.page.note != "An entry stays; another one makes it good."


def test_once_the_match_is_won_nobody_bets_and_the_picture_tells_it(rig):
    bet(rig)
    play(rig)
    session(rig).apply(Leave(BESS))
    session(rig).apply(Leave(CECIL))
    rig.step()
    assert session(rig).state.round.standing.over
    rig.press("menu")
    assert "Side bet" not in rows(rig)


def test_a_booth_that_lost_its_power_has_the_bet(rig):
    bet(rig)
    rig.booth.shut()
    rig.booth = rig.make()
    assert [each.wager for each in session(rig).wagers] == [Wager(ANN, BESS, 1, ANN)]


def test_the_reason_is_in_the_language_of_the_table(tmp_path):
    made = Rig(tmp_path, config(language="de"))
    made.start(3).press("menu")
    choose(made, "Nebenwette")
    choose(made, rows(made)[4])
    assert session(made).wagers[0].reason == "Nebenwette 1: Ann gewinnt die Partie"
    made.booth.shut()
    made.journal.close()
