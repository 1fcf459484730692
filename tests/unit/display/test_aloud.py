"""What is told to who cannot see the table."""

from dataclasses import replace

import pytest

from display.i18n.translate import Translator
from display.table.aloud import facts
from engine import TABLE, Player, Stake, apply, new_table, view
from engine.core.cards import Card
from engine.core.views import (
    MatchView,
    MiddleView,
    Phase,
    PileView,
    PlayerMatchView,
    SeatStatus,
    SeatView,
    TableKind,
    View,
)


def cards(text):
    return tuple(None if code == "--" else Card.parse(code) for code in text.split())


ANN = SeatView(0, "Ann", cards=cards("-- -- TS 6H"), tokens=2)
BESS = SeatView(1, "Bess", cards=cards("-- -- 4C"), status=SeatStatus.STUCK, tokens=-1)
CECIL = SeatView(2, "Cecil", cards=cards("-- -- KC"), tokens=-1)
PLAY = View("bone-ace", "x", Phase.PLAY, 1, 1, (ANN, BESS, CECIL), dealer=2, turn=0)


def told(view, seat=None, language="en"):
    return [Translator.of(language).render(fact) for fact in facts(view, seat)]


def test_first_comes_whose_turn_it_is_then_who_leads_then_the_others():
    assert told(PLAY) == [
        "Ann's turn, showing 10, 6.",
        "Ann leads with two tokens.",
        "Bess: Sticks, showing 4, 2 cards face down, -1 tokens.",
        "Cecil: showing king, 2 cards face down, -1 tokens.",
    ]


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("en", "Showing king. Ann's turn."),
        ("fr", "On voit roi. À Ann de jouer."),
        ("de", "Offen König. Ann ist dran."),
        ("es", "A la vista rey. Juega Ann."),
        ("nl", "Open heer. Ann is aan zet."),
    ],
)
def test_who_asks_at_their_own_seat_hears_of_their_own_cards(language, first):
    assert told(PLAY, 2, language)[0] == first


def test_a_french_colon_keeps_its_space():
    assert told(PLAY, language="fr")[2] == "Bess\xa0: Reste, on voit 4, 2 cartes cachées, -1 jeton."


def test_a_total_that_all_may_see_comes_first_and_cards_without_their_suits():
    shown = replace(ANN, cards=cards("TS 6H AD"), total=17)
    assert told(replace(PLAY, seats=(shown, BESS, CECIL)))[0] == "Ann's turn, 17, 10, 6, ace."
    seen = replace(PLAY, seats=(replace(ANN, cards=(), total=17, throws=((6, 6, 5),)), BESS, CECIL))
    assert told(seen)[0] == "Ann's turn, 17."


SCAT = View(
    "scat", "x", Phase.PLAY, 1, 0,
    (
        SeatView(0, "Ann", cards=cards("-- -- --"), known=cards("9H"),
                 match=PlayerMatchView(lives=2)),
        SeatView(1, "Bess", cards=cards("-- -- --"), match=PlayerMatchView(lives=2)),
        SeatView(2, "Cecil", match=PlayerMatchView(lives=0, eliminated=True)),
    ),
    turn=0, table=TableKind.MIDDLE, match=MatchView(pot=6),
    middle=MiddleView(20, Card.parse("QD"), knocker=1,
                      piles=(PileView("widow", cards("-- 2C --")),)),
)  # fmt: skip


def test_what_lies_between_the_players_and_who_knocked_is_told():
    assert told(SCAT)[0] == (
        "Ann's turn, nine of hearts. Discard: queen of diamonds. "
        "Widow: face down, two of clubs, face down. Bess has knocked."
    )


def test_lives_decide_who_leads_and_the_pot_is_told():
    assert told(SCAT)[1] == "Ann and Bess lead with 2 lives. Pot: 6 tokens."
    ahead = replace(SCAT.seats[1], match=PlayerMatchView(lives=3))
    seen = replace(SCAT, seats=(SCAT.seats[0], ahead, SCAT.seats[2]))
    assert told(seen)[1] == "Bess leads with 3 lives. Ann: 2 lives. Pot: 6 tokens."


@pytest.mark.parametrize("phase", [Phase.CUT, Phase.DONE])
def test_where_several_or_none_are_to_act(phase):
    seen = replace(PLAY, phase=phase, turn=None)
    seen = replace(seen, to_cut=(0, 1) if phase is Phase.CUT else ())
    wanted = "To act: Ann and Bess." if phase is Phase.CUT else "It is nobody's turn."
    assert told(seen)[0] == wanted


@pytest.mark.parametrize("phase", [Phase.CUT, Phase.DEAL])
def test_the_card_that_somebody_cut_is_told(phase):
    seats = tuple(replace(seat, cards=(), status=SeatStatus.WAITING) for seat in PLAY.seats)
    seen = replace(PLAY, phase=phase, turn=None, seats=seats, cuts=((0, Card.parse("JS")),))
    assert told(seen, 2)[2] == "Ann: jack of spades, two tokens."


def test_all_of_them_are_not_named_one_by_one():
    seen = replace(PLAY, phase=Phase.CUT, turn=None, to_cut=(0, 1, 2))
    assert told(seen)[0] == "Everybody has to act now."


def test_who_asks_at_the_showdown_hears_total_and_cards_at_once():
    bess = replace(SCAT.seats[1], cards=cards("AD 7D KS"), total=18, shown=True)
    seen = replace(SCAT, phase=Phase.SHOWDOWN, turn=None, seats=(SCAT.seats[0], bess))
    # No pause is heard where the space does not break.
    assert told(seen, 1)[0].startswith("18, diamonds ace, 7,\xa0spades king. Discard:")
    assert told(seen, 1, "de")[0].startswith("18, Karo Ass, 7,\xa0Pik König. Ablage:")


def test_a_stake_is_told_once():
    people = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    state = apply(new_table("knucklebones", people, dealer=0), Stake(2, 2))
    assert "Cecil: Stake 2." in told(view(state, TABLE), 0)
