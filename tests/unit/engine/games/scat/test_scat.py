"""The base game of Thirty-one, rule by rule (SC-1 to SC-22, G-21), in scat_notation's words."""

from __future__ import annotations

import pytest

from engine import BoneAceError, Player, new_table
from engine.core.options import OptionError, Preset
from engine.games.catalog import find, make_options
from tests.support.scat_notation import PLAIN, go_on, hand, match, now, sit

FOUR = {**PLAIN, 3: "TD JC 2S"}
DUEL = {0: "KH QH 2C", 1: "5D 6D 7S"}


# --- the deal -------------------------------------------------------------------------------------


def test_sc1_two_to_seven_players_and_nine_by_option():
    players = [Player(seat, f"P{seat}") for seat in range(10)]
    assert new_table("scat", players[:7], dealer=0)
    assert new_table("scat", players[:9], dealer=0, options={"max_players": 9})
    for count, options in ((1, {}), (8, {}), (10, {"max_players": 9})):
        with pytest.raises(BoneAceError, match="players cannot play"):
            new_table("scat", players[:count], dealer=0, options=options)


def test_sc1_the_pack_must_serve_the_deal():
    nine = {"deck": 32, "table": "switch", "max_players": 9}
    with pytest.raises(OptionError, match="need 33 cards and the pack has 32"):
        make_options(find("scat"), Preset("none", ""), nine)
    assert make_options(find("scat"), Preset("none", ""), {**nine, "decks": 2}).decks == 2
    with pytest.raises(OptionError, match="0 lives cannot be lost"):
        make_options(find("scat"), Preset("none", ""), {"lives": 0})


def test_sc3_one_at_a_time_round_the_table_then_the_turn_up():
    script = (
        "0KH 0QH!WRONG_DEAL_ORDER up:4C!WRONG_PHASE 29S 15D 0QH 16D 28S "
        "02C 17S 23H 0AS!WRONG_PHASE k0!WRONG_PHASE up:??!UPCARD_UNREADABLE up:KH!DUPLICATE_CARD "
        "up:4C up:5C!WRONG_PHASE 0AS!WRONG_PHASE"
    )
    state = sit(script, {}, seats=[0, 1, 2], dealer=2)
    assert now(state)["phase"] == "play"
    assert (now(state)["turn"], now(state)["top"], now(state)["stock"]) == (0, "4C", 42)


def test_sc3_a_fourth_card_is_refused_while_others_wait():
    sit("0KH 15D 0QH 16D 02C 03C!TOO_MANY_CARDS", {}, seats=[0, 1], dealer=1)


def test_sc3_cards_come_from_the_top_and_the_table_gets_none():
    sit("w:KH!WRONG_PHASE t:KH!WRONG_PHASE z:KH!WRONG_PHASE", {}, seats=[0, 1], dealer=1)


@pytest.mark.parametrize("count", range(2, 10))
def test_sc17_the_stock_is_52_less_three_each_and_one(count):
    cards = iter(f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK")
    hands = {seat: " ".join(next(cards) for _ in range(3)) for seat in range(count)}
    # Three of a suit in a row are no 31: the cards come in the order of the pack.
    state = sit("", hands, max_players=9, up="KC", blitz=False)
    assert now(state)["stock"] == 52 - 3 * count - 1


# --- turns ----------------------------------------------------------------------------------------


def test_sc4_draw_from_the_stock_or_the_discard_then_throw_one():
    state = sit("0-2C!MUST_DRAW s0!STAND_NOT_ALLOWED 0+9H 0+8H!MUST_DISCARD 0<!MUST_DISCARD")
    state = go_on(state, "k0!MUST_DISCARD s0!MUST_DISCARD 0-AS!NOT_IN_HAND 1-5D!NOT_YOUR_TURN")
    state = go_on(state, "0-9H")  # a stock card may be thrown away at once
    assert (now(state)["turn"], now(state)["top"]) == (1, "9H")
    state = go_on(state, "2<!NOT_YOUR_TURN 1<9H 1-7S 2<8C!MISMATCH")
    assert (now(state)["turn"], now(state)["top"]) == (2, "7S")


def test_sc4_a_discard_lies_open_and_is_read():
    sit("0+9H 0-??!UPCARD_UNREADABLE 0-9H")


def test_sc5_sc6_a_knock_instead_of_a_turn_then_one_more_turn_each():
    state = sit("k1!NOT_YOUR_TURN k0 k1!ALREADY_KNOCKED 2<!NOT_YOUR_TURN 1+8D 1-7S s2", PLAIN)
    found = hand(state)
    assert (found["knocker"], found["values"]) == (0, {0: 20, 1: 19, 2: 17})
    assert (found["lost"], found["lives"]) == ({2: 1}, {0: 3, 1: 3, 2: 2})
    assert (found["end"], found["next_dealer"]) == ("showdown", 0)


def test_sc6_the_round_ends_with_the_player_on_the_knockers_right():
    state = sit("0+9D 0-9D 1+2D 1-2D k2", FOUR)
    assert now(state)["turn"] == 3
    state = go_on(state, "s3 s2!NOT_YOUR_TURN s0")
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 1)
    state = go_on(state, "s1 s2!WRONG_PHASE k3!WRONG_PHASE")
    assert hand(state)["knocker"] == 2


def test_sc5_nobody_knocks_before_a_turn_of_his_own_where_forbidden():
    state = sit("k0!KNOCK_NOT_ALLOWED 0+9D 0-9D k1!KNOCK_NOT_ALLOWED 1+2D 1-2D", DUEL,
                first_knock="forbidden")  # fmt: skip
    assert now(go_on(state, "k0"))["knocker"] == 0


# --- who loses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "options", "lost"),
    [
        # SC-7, SC-8: the lowest, and all who tie for it
        ({0: "KH QH 2C", 1: "5D 6D 7S", 2: "9S 2S 3H"}, {}, {1: 1, 2: 1}),
        # SC-9: the knocker tied for lowest is safe, also when everybody ties
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {}, {1: 1}),
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JC"}, {}, {1: 1, 2: 1}),
        # SC-10: alone lowest, two, or one by option
        ({0: "KH 2D 3C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {}, {0: 2}),
        ({0: "KH 2D 3C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {"knock_penalty": 1}, {0: 1}),
        # SC-10: the other ways to settle the tie
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {"knock_tie": "both"}, {0: 2, 1: 1}),
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {"knock_tie": "knocker_only"}, {0: 2}),
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {"knock_tie": "all_lose"}, {0: 1, 1: 1}),
        # A knocker who is not among the lowest never pays.
        ({0: "KH QH 2C", 1: "9D 8D 7S", 2: "9S 6S JD"}, {"knock_tie": "both"}, {2: 1}),
    ],
)
def test_sc7_to_sc10_lives_lost_when_the_first_player_knocks(hands, options, lost):
    found = hand(sit("k0 s1 s2", hands, **options))
    assert found["lost"] == lost
    assert found["lives"] == {seat: 3 - lost.get(seat, 0) for seat in hands}
    assert sum(found["settlement"].values()) == 0


# --- blitz ----------------------------------------------------------------------------------------


def test_sc11_a_blitz_at_the_end_of_a_turn_ends_the_round():
    found = hand(sit("0+AH 0-2C 1+3S!WRONG_PHASE"))
    assert (found["end"], found["winners"], found["winner"]) == ("blitz", [0], 0)
    assert (found["lost"], found["knocker"]) == ({1: 1, 2: 1}, None)


def test_sc11_a_31_in_the_middle_of_a_turn_waits_for_the_discard():
    state = sit("0+AH")
    assert now(state)["phase"] == "play"
    assert hand(go_on(state, "0-QH 1+3S 1-3S k2 s0 s1"))["end"] == "showdown"


def test_sc12_after_a_knock_31_is_only_the_best_hand():
    found = hand(sit("k1!NOT_YOUR_TURN 0+3S 0-3S k1 2+2H 2-2H 0+AH 0-2C"))
    assert (found["end"], found["values"][0], found["lost"]) == ("showdown", 31, {1: 2})


def test_sc13_a_31_on_the_deal_is_shown_once_the_discard_has_begun():
    state = sit("", {**PLAIN, 1: "AS KS TS"}, up="4C")
    found = hand(state)
    assert (found["end"], found["winners"], found["lost"]) == ("blitz", [1], {0: 1, 2: 1})
    assert now(state)["stock"] == 42


@pytest.mark.parametrize(
    ("option", "winners", "lost"),
    [("all_safe", [1, 2], {0: 1}), ("eldest_only", [1], {0: 1, 2: 1})],
)
def test_sc13_two_31s_on_the_deal(option, winners, lost):
    hands = {0: "KH QH 2C", 1: "AS KS TS", 2: "AD QD JD"}
    found = hand(sit("", hands, double_blitz=option))
    assert (found["winners"], found["lost"]) == (winners, lost)


def test_sc13_the_elder_is_the_one_nearer_the_dealers_left():
    hands = {0: "AD QD JD", 1: "KH QH 2C", 2: "AS KS TS"}
    assert hand(sit("", hands, dealer=0, double_blitz="eldest_only"))["winners"] == [2]


# --- the discard ----------------------------------------------------------------------------------


def test_sc14_two_left_and_a_knock_the_other_takes_his_own_discard_back():
    state = sit("0+9C 0-2C k1 0<2C 0-9C", DUEL)
    assert hand(state)["end"] == "showdown"


def test_sc15_with_three_players_his_own_discard_is_refused():
    state = sit("0+9C 0-9C k1 s2 0<9C!OWN_DISCARD s0")
    assert hand(state)["knocker"] == 1


def test_sc15_own_discard_always_by_option():
    state = sit("0+9C 0-9C k1 s2 0<9C 0-KH", own_discard="always")
    assert hand(state)["end"] == "showdown"


def test_sc15_who_is_left_counts_not_who_began():
    state = sit("0+9C 0-9C k1 leave2 0<9C 0-9C!RETURNED_DISCARD 0-KH")
    assert hand(state)["end"] == "showdown"


def test_sc15_nobody_threw_the_turn_up():
    assert now(sit("0<4C 0-2C"))["top"] == "2C"


def test_sc16_the_card_just_taken_does_not_go_back():
    state = sit("0<4C 0-4C!RETURNED_DISCARD 0-2C 1<2C 1-5D")
    assert now(state)["top"] == "5D"
    assert now(sit("0<4C 0-4C", return_discard=True))["top"] == "4C"


def test_sc16_a_stock_card_may_go_back_and_one_taken_in_an_earlier_turn_too():
    state = sit("0<4C 0-2C 1+3S 1-3S 2+5S 2-5S 0+6S 0-4C")
    assert now(state)["top"] == "4C"


def test_sc16_with_two_packs_the_twin_may_be_thrown():
    hands = {0: "4C KH 2S", 1: "5D 6D 7S"}
    assert now(sit("0<4C 0-4C", hands, decks=2))["top"] == "4C"
    sit("0<4C 0-4C!RETURNED_DISCARD", DUEL, decks=2)


# --- the stock ------------------------------------------------------------------------------------

SEVEN = {
    0: "7C KD 9H", 1: "7H 8D 9C", 2: "8H 9D TC", 3: "9S TD JC", 4: "TH JD QC", 5: "JH QD KC",
    6: "QH AD AC",
}  # fmt: skip
"""Seven hands of the small pack, which leave ten cards in the stock."""
NINE_TURNS = (
    "1+7S 1-7S 2+8S 2-8S 3+QS 3-QS 4+TS 4-TS 5+JS 5-JS 6+KS 6-KS 0+KH 0-KH 1+AH 1-AH 2+7D 2-7D"
)


def test_sc17_the_turn_of_the_last_stock_card_is_finished_then_nobody_loses():
    state = sit(NINE_TURNS, SEVEN, dealer=0, up="AS", deck=32)
    assert (now(state)["stock"], now(state)["phase"]) == (1, "play")
    state = go_on(state, "3+8C")
    assert (now(state)["stock"], now(state)["phase"]) == (0, "play")
    state = go_on(state, "3-8C 4+TH!WRONG_PHASE")
    found = hand(state)
    assert (found["end"], found["lost"], found["next_dealer"]) == ("draw", {}, 1)
    assert found["lives"] == dict.fromkeys(range(7), 3)
    assert (found["winners"], found["county"], found["knocker"]) == ([], [], None)


def test_sc17_31_with_the_last_card_is_a_blitz_and_no_draw():
    hands = {**SEVEN, 3: "QS TD JS"}
    turns = NINE_TURNS.replace("QS", "9S").replace("JS", "JC")
    state = sit(turns, hands, dealer=0, up="8C", deck=32)
    assert hand(go_on(state, "3+AS 3-TD"))["end"] == "blitz"


def test_sc18_with_an_empty_stock_the_last_turns_take_the_discard_or_stand():
    state = sit(f"{NINE_TURNS} k3 4+8C 4-8C", SEVEN, dealer=0, up="AS", deck=32)
    assert (now(state)["stock"], now(state)["phase"]) == (0, "play")
    state = go_on(state, "5+TH!STOCK_EMPTY 5<8C 5-JH s6 s0 s1 s2")
    assert (hand(state)["end"], hand(state)["knocker"]) == ("showdown", 3)


# --- lives ----------------------------------------------------------------------------------------


def test_sc19_without_a_penny_a_player_is_on_the_county_and_in_play():
    found = hand(sit("k0 s1 s2", start={"lives": {"1": 1}}))
    assert (found["lost"], found["lives"][1]) == ({1: 1}, 0)
    assert (found["county"], found["eliminated"], found["next_dealer"]) == ([1], [], 0)


def test_sc20_a_loss_on_the_county_is_the_end():
    state = sit("k0 s1 s2", start={"lives": {"1": 0}})
    found = hand(state)
    assert (found["eliminated"], found["county"], found["lives"][1]) == ([1], [], 0)
    assert match(state) is None
    state = go_on(state, "next 15D!SEAT_OUT 2KH 05D 2QH 06D 22C 07S 1AS!WRONG_PHASE up:4C")
    state = go_on(state, "1+3S!SEAT_OUT k1!SEAT_OUT leave1!SEAT_OUT")
    assert now(state)["turn"] == 2


@pytest.mark.parametrize(
    ("option", "county", "eliminated"), [("out", [], [0]), ("county", [0], [])]
)
def test_sc20_one_penny_left_and_two_lives_lost(option, county, eliminated):
    hands = {**PLAIN, 0: "KH 2D 3C"}
    state = sit("k0 s1 s2", hands, start={"lives": {"0": 1}}, double_loss_last=option)
    found = hand(state)
    assert (found["lost"], found["lives"][0]) == ({0: 2}, 0)
    assert (found["county"], found["eliminated"]) == (county, eliminated)


def test_sc20_without_a_free_ride_the_last_life_is_the_end():
    found = hand(sit("k0 s1 s2", start={"lives": {"1": 1}}, free_ride=False))
    assert (found["eliminated"], found["county"], found["lives"][1]) == ([1], [], 0)


def test_sc21_the_last_player_wins_the_match_and_the_pot():
    state = sit("k0 s1", DUEL, start={"lives": {"1": 0}})
    assert match(state) == {"over": True, "winner": 0, "settlement": {0: 3, 1: -3}}
    assert hand(state)["next_dealer"] is None
    assert dict(state.ledger.entries) == {0: 3, 1: -3}
    go_on(state, "next!MATCH_OVER 0KH!WRONG_PHASE join2!JOIN_NOT_NOW")


def test_sc21_who_went_earlier_lost_his_buy_in_too():
    state = sit("k0 s1", DUEL, seats=[0, 1, 2], dealer=1, buy_in=4,
                start={"lives": {"1": 0, "2": 0}, "eliminated": [2]})  # fmt: skip
    assert match(state)["settlement"] == {0: 8, 1: -4, 2: -4}
    assert hand(state)["lives"] == {0: 3, 1: 0, 2: 0}


def test_sc22_the_deal_passes_left_over_players_who_are_out():
    start = {"lives": {"1": 0, "2": 0}, "eliminated": [2]}
    hands = {0: "KH QH 2C", 1: "5D 6D 7S", 3: "9S 8S 3H", 4: "TD JC 2S"}
    state = sit("k3 s4 s0 s1", hands, seats=range(5), dealer=1, start=start)
    assert (hand(state)["next_dealer"], hand(state)["eliminated"]) == (3, [])
    assert hand(state)["lost"] == {4: 1}


def test_sc22_the_next_dealer_may_have_just_gone_out():
    hands = {0: "9S 8S 3H", 1: "KH QH 2C", 2: "5D 2H 3S"}
    state = sit("k2 s0 s1", hands, dealer=1, start={"lives": {"2": 1}})
    assert hand(state)["eliminated"] == [2]
    assert hand(state)["next_dealer"] == 0
    state = sit("k0 s1 s2", hands, dealer=2, next_dealer="same", start={"lives": {"2": 0}})
    assert (hand(state)["eliminated"], hand(state)["next_dealer"]) == ([2], 0)


def test_g4_the_same_dealer_by_option():
    assert hand(sit("k0 s1 s2", next_dealer="same"))["next_dealer"] == 2


def test_g21_who_is_out_has_no_cut_and_no_deal():
    start = {"eliminated": [1], "lives": {"1": 0}}
    state = sit("", {}, seats=[0, 1, 2], dealer=None, start=start)
    assert now(state)["to_cut"] == [0, 2]
    state = go_on(state, "cut1AH!NOT_YOUR_TURN cut0KH cut2KD")
    assert now(state)["to_cut"] == [0, 2]  # they tie and cut again
    state = go_on(state, "cut0QH cut2TC")
    assert (now(state)["dealer"], now(state)["phase"]) == (2, "deal")
    go_on(state, "15D!SEAT_OUT 0KH 2QH")


@pytest.mark.parametrize(
    ("start", "options", "said"),
    [
        ({"lifes": {"0": 1}}, {}, "did you mean 'lives'"),
        ({"lives": {"7": 1}}, {}, r"start.lives: nobody sits at seat 7"),
        ({"lives": {"0": -1}}, {}, "start.lives.0"),
        ({"lives": [1]}, {}, "names no seats"),
        ({"eliminated": [7]}, {}, "start.eliminated: nobody sits at seat 7"),
        ({"eliminated": "0"}, {}, "not a list of seats"),
        ({"eliminated": [0, 1]}, {}, "fewer than two players are left"),
        ({"eliminated": [2]}, {}, "dealer: seat 2 is out of the match"),
        ({"points": {"0": 3}}, {}, "needs the scoring 'points'"),
        ({"pot": 3}, {}, "needs the scoring 'ante'"),
        ({"pot": -1}, {"scoring": "ante"}, "is no number of tokens"),
        ({"lives": {"0": 0}}, {"free_ride": False}, "name it in eliminated"),
        ("all", {}, "is no object"),
    ],
)
def test_a_match_in_progress_that_cannot_be_is_refused(start, options, said):
    with pytest.raises(BoneAceError, match=said):
        sit("", {}, seats=[0, 1, 2], dealer=2, start=start, **options)


def test_what_else_is_wrong_with_a_beginning_is_named():
    players = [Player(seat, f"P{seat}") for seat in range(3)]
    with pytest.raises(BoneAceError, match="nobody chooses a stake"):
        new_table("scat", players, dealer=0, start={"stakes": {"0": 1}})
    with pytest.raises(BoneAceError, match="lives: unknown key"):
        new_table("scat", players, dealer=0, start={"lives": {"0": 1}})


# --- a whole match going wrong --------------------------------------------------------------------


def test_sc25_nobody_loses_when_all_would_go_out():
    hands = {0: "KH 7H 2C", 1: "9D 8D 7S"}
    state = sit("k0 s1", hands, knock_tie="both", start={"lives": {"0": 1, "1": 0}})
    found = hand(state)
    assert (found["void"], found["lost"], found["eliminated"]) == (True, {}, [])
    assert (found["lives"], found["county"]) == ({0: 1, 1: 0}, [1])
    assert (found["next_dealer"], match(state)) == (0, None)


def test_sc25_all_who_go_out_together_share_the_pot_by_option():
    hands = {0: "KH 7H 2C", 1: "9D 8D 7S"}
    start = {"lives": {"0": 1, "1": 0, "2": 0}, "eliminated": [2]}
    state = sit("k0 s1", hands, seats=[0, 1, 2], dealer=1, knock_tie="both", all_out="split",
                start=start)  # fmt: skip
    found = hand(state)
    assert (found["void"], found["lost"], found["eliminated"]) == (False, {0: 2, 1: 1}, [0, 1])
    assert found["next_dealer"] is None
    # nine pennies: the eldest, seat 0, has the odd one
    assert match(state) == {"over": True, "winner": None, "settlement": {0: 2, 1: 1, 2: -3}}


def test_sc25_also_when_the_knocker_has_left():
    hands = {0: "KH QH 2C", 1: "9D 8D 7S", 2: "9S 8S JC"}
    state = sit("k0 leave0 s1 s2", hands, start={"lives": {"1": 0, "2": 0}})
    found = hand(state)
    assert (found["void"], found["values"]) == (True, {0: None, 1: 17, 2: 17})
    assert (match(state), found["next_dealer"]) == (None, 1)
