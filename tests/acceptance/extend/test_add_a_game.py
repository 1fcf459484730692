"""The game of docs/how-to/add-a-game.md: a few overridden methods, and all the rest is there."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest

from engine import (
    TABLE,
    Card,
    Correct,
    Deal,
    End,
    IllegalActionError,
    NextHand,
    Phase,
    Player,
    Undo,
    apply,
    legal_actions,
    new_table,
    view,
)
from engine.core.events import (
    DealTo,
    Facing,
    Have,
    Knock,
    Leave,
    Pile,
    Stand,
    Stick,
    SwapCards,
)
from engine.core.options import OptionError
from tests.support.plugin_package import files, text

FILE = files()["my_table/schwimmen.py"]


def imported(source, name):
    module = ModuleType(name)
    sys.modules[name] = module  # dataclasses look their own module up
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    return module


Schwimmen = imported(FILE, "schwimmen_of_the_page").Schwimmen

HANDS = ("KH 9D 8C", "TD 8S 7H", "QS JD TC")
TABLE_CARDS = "AH QH 7D"


def card(code):
    return Card.parse(code)


def cards(text):
    return tuple(map(card, text.split()))


def lay(state, text):
    for each in cards(text):
        state = apply(state, DealTo(Pile.TABLE, each, Facing.UP))
    return state


def sit(hands=HANDS, table=TABLE_CARDS, **options):
    company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    state = new_table(Schwimmen(), company, dealer=2, options=options)
    for each in range(3):
        for seat, hand in enumerate(hands):
            state = apply(state, Deal(seat, cards(hand)[each]))
    return lay(state, table)


def play(state, *events):
    for event in events:
        state = apply(state, event)
    return state


def swap(seat, give, take):
    return SwapCards(seat, cards(give), cards(take))


def test_a_swap_that_makes_31_ends_the_round_at_once():
    state = play(sit(), swap(0, "9D 8C KH", "AH QH 7D"))
    assert state.phase is Phase.PLAY
    state = play(sit(hands=("KH TH 8C", *HANDS[1:])), swap(0, "8C", "AH"))
    assert state.outcome.end is End.BLITZ
    assert state.outcome.details.lost == ((1, 1), (2, 1))


def test_when_all_pass_the_table_is_renewed_and_the_same_player_goes_on():
    state = play(sit(), swap(0, "8C", "AH"), Stand(1), Stand(2), Stand(0))
    assert state.phase is Phase.DEAL
    assert view(state, TABLE).middle.deal_to == ("table",)
    state = lay(state, "9H 9S 9C")
    assert state.turn == 1
    assert view(state, TABLE).middle.pile("table") == cards("9H 9S 9C")


def test_cards_laid_aside_cannot_come_back():
    state = play(sit(), Stand(0), Stand(1), Stand(2))
    with pytest.raises(IllegalActionError) as refused:
        lay(state, "AH")
    assert refused.value.code == "DUPLICATE_CARD"


def test_a_swap_between_makes_the_passes_count_anew():
    state = play(sit(), Stand(0), Stand(1), swap(2, "TC", "QH"), Stand(0), Stand(1))
    assert state.phase is Phase.PLAY
    assert state.turn == 2


def test_the_option_ends_the_round_instead():
    state = play(sit(all_pass="end"), Stand(0), Stand(1), Stand(2))
    assert state.outcome.end is End.SHOWDOWN
    with pytest.raises(OptionError, match="all_pass"):
        sit(all_pass="maybe")


def test_knock_lives_and_the_next_hand_are_inherited():
    state = play(sit(), swap(0, "9D", "QH"), Knock(1), Stand(2), Stand(0))
    assert dict(state.outcome.details.lost) == {2: 1}, "the knocker tied for lowest is safe"
    state = play(state, NextHand())
    assert state.dealer == 0
    assert state.phase is Phase.DEAL


def test_undo_correction_and_legal_actions_are_inherited():
    state = sit()
    passed = play(state, Stand(0))
    assert play(passed, Undo()).round == state.round
    fixed = play(passed, Correct(card("9D"), card("9S")))
    assert fixed.round.play.hand(0).cards == cards("KH 9S 8C")
    assert {action.kind for action in legal_actions(state)} >= {"swap", "stand", "knock"}


def test_its_page_of_rules_says_what_is_different():
    game = Schwimmen()
    options = new_table(game, [Player(0, "A"), Player(1, "B")], dealer=0).setup.options
    page = [str(rule) for section in game.rules(options) for rule in section.rules]
    assert "When all pass, the table gets three new cards." in page
    assert any("seven to ace" in line for line in page)


def pontoon(script, dealer=2):
    page = text("docs/how-to/add-a-game.md")
    (source,) = re.findall(r"^```python\n((?:(?!```).)*class Pontoon.*?)^```$", page, re.M | re.S)
    company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    game = imported(source, "pontoon_of_the_page").Pontoon()
    return play(new_table(game, company, dealer=dealer), *script)


def dealt(*hands):
    return [Deal(seat, cards(hand)[each]) for each in range(2) for seat, hand in enumerate(hands)]


def test_the_sketch_of_the_page_is_played_as_it_stands():
    low, trick = dealt("KH 9D", "2S 2D", "TH TC"), cards("2C 3C 4C")
    drawn = [event for card in trick for event in (Have(1), Deal(1, card))]
    state = pontoon([*low, Stick(0), *drawn, Stick(2)])
    assert (state.phase, state.outcome.end) == (Phase.DONE, End.COMPARED)
    assert state.outcome.winners == (1,), "13 in five cards beat the 20 of the bank, 19 do not"
    assert state.setup.game.rules(state.setup.options) == ()
    state = pontoon([*low, Stick(0), Stick(1), Have(2), Deal(2, card("5C"))])
    assert state.outcome.winners == (0, 1), "the bank is over"
    assert pontoon([*low, Leave(2), Stick(0), Stick(1)]).outcome.winners == (0, 1)


def test_the_file_is_small():
    assert len(FILE.splitlines()) < 100
