"""Each difference of Bone-Ace, by hand."""

from __future__ import annotations

import pytest

from engine import TABLE, End, Phase, legal_actions, view


@pytest.fixture
def bone(sit):
    def play(script, **how):
        return sit(script, game="bone-ace", **how)

    return play


def last(state):
    return state.hands[-1]


def paid(state):
    return dict(last(state).settlement)


DEALT = "0KH 1TD 2QS 09D 18S 26D 0^5C 1^7H 2^9C"  # 24, 25, 25; the Bone to seat 2
PACKETS = "0KH 09D 0^5C 1TD 18S 1^7H 2QS 26D 2^9C"


def test_ba1_the_third_card_waits_for_a_reading(bone):
    script = "0KH 09D 0^??!UPCARD_UNREADABLE 0??!UPCARD_UNREADABLE 05C!UPCARD_UNREADABLE 0^5C"
    assert bone(script).phase is Phase.DEAL


@pytest.mark.parametrize(
    ("ups", "options", "holder"),
    [
        pytest.param("KC QC AH", {}, 2, id="BA-2-ace-of-hearts"),
        pytest.param("KC QC AD", {}, 0, id="BA-2-other-ace-low"),
        pytest.param("KC QC AD", {"bone_ace": "AD"}, 2, id="BA-5-diamonds"),
        pytest.param("KC AS QC", {"upcard_ace": "high"}, 1, id="BA-7-ace-high"),
        pytest.param("AH AS QC", {"upcard_ace": "high"}, 0, id="BA-7-bone-ace-above"),
        pytest.param("9C QC QD", {}, 1, id="BA-4-eldest"),
        pytest.param("2C AD AS", {}, 0, id="BA-2-two-above-ace"),
    ],
)
def test_who_gets_the_bone(bone, ups, options, holder):
    one, two, three = ups.split()
    script = f"02H 12D 22S 03H 13D 23S 0^{one} 1^{two} 2^{three}"
    state = bone(script, **options)
    assert state.live_play.bone.holder == holder


def test_ba3_the_bone_is_on_the_tokens_before_play(bone):
    tokens = [seat.tokens for seat in view(bone(DEALT, stake=2), TABLE).seats]
    assert tokens == [-2, -2, 4]


def test_ba6_cottons_pool_is_paid_in_at_once_and_never_doubled(bone):
    state = bone(PACKETS, preset="cotton", double_on_31=True, stake=3)
    assert [seat.tokens for seat in view(state, TABLE).seats] == [-3, -3, 1]  # Bone 4 of 9
    state = bone(PACKETS + " s0 h1 16H", preset="cotton", double_on_31=True, stake=3)
    assert last(state).end is End.THIRTY_ONE
    assert paid(state) == {0: -3, 1: 2, 2: 1}  # the game takes the other 5


def test_ba6_who_has_left_shares_nothing_when_all_are_out(bone):
    dealt = "0?? 0?? 0^5C 1?? 1?? 1^7H 2?? 2?? 2^9C"
    turns = " h0 0?? s0 h1 1?? s1 h2 2?? s2 leave0"
    shown = " show1:TD,8S,7H,9H show2:QS,6D,9C,KD"
    state = bone(dealt + turns + shown, preset="cotton", stake=3, late_out="at_showdown")
    assert last(state).end is End.ALL_OUT
    assert paid(state) == {0: -3, 1: 0, 2: 3}  # the game half of 5: 3 to the eldest who stayed


def test_ba8_the_holder_plays_first_and_the_dealer_last(bone):
    state = bone("0KH 1TD 2QS 09D 18S 26D 0^5C 1^JH 2^9C", preset="davis", ages=[9, 8, 7])
    assert state.live_play.order == (1, 0, 2)
    assert set(dict(state.live_play.bone.payments).values()) == {0}


def test_ba8_a_dealer_who_holds_it_plays_first(bone):
    assert bone(DEALT, preset="davis", ages=[9, 8, 7]).live_play.order == (2, 0, 1)


def test_ba8_ties_go_to_the_older_dealer_included(bone):
    dealt = "0KH 1TD 2QS 09D 18S 26D 0^9H 1^7H 2^9C"
    assert bone(dealt, preset="davis", ages=[20, 30, 40]).live_play.bone.holder == 2


def test_ba8_a_correction_moves_the_bone_but_never_the_order_of_turns(bone):
    state = bone(DEALT + " fix1:7H>JH", preset="davis", ages=[9, 8, 7])
    assert state.live_play.bone.holder == 1
    assert state.live_play.order == (2, 0, 1)  # G-10
    assert state.turn == 2


@pytest.mark.parametrize(
    ("cap", "expected"),
    [
        pytest.param("game_only", {0: 3, 1: -3, 2: 0}, id="three-stakes"),
        pytest.param("whole_hand", {0: 2, 1: -2, 2: 0}, id="two-at-most"),
    ],
)
def test_ba10_what_a_player_can_lose(bone, cap, expected):
    state = bone(DEALT + " h0 07D", cap_double=cap)
    assert last(state).end is End.THIRTY_ONE
    assert paid(state) == expected  # seat 2 holds the Bone: +2 and -2


def test_ba10_the_cap_leaves_single_stakes_alone(bone):
    assert paid(bone(DEALT + " s0 s1 s2", cap_double="whole_hand")) == {0: -2, 1: 1, 2: 1}


def test_ba11_who_leaves_keeps_the_bone(bone):
    state = bone(DEALT + " leave2 s0 s1")
    assert paid(state) == {0: -2, 1: 1, 2: 1}


def test_ba12_the_bone_ace_face_down_is_an_ordinary_ace(bone):
    state = bone("0AH 1TD 2QS 09D 18S 26D 0^5C 1^7H 2^9C")
    assert state.live_play.bone.holder == 2


def test_ba13_a_misdeal_gives_the_bone_back(bone):
    state = bone(DEALT + " misdeal")
    assert paid(state) == {0: 0, 1: 0, 2: 0}
    assert view(state).bone is None
    assert [seat.tokens for seat in view(state).seats] == [0, 0, 0]


def test_ba14_in_the_handouts_cut_the_bone_ace_is_high_and_other_aces_low(bone):
    assert bone("cut0AH cut1KD cut2KS cut1QS cut2QD", preset="handout", dealer=None).dealer is None
    assert bone("cut0AH cut1KD cut2AD", preset="handout", dealer=None).dealer == 2
    assert bone("cut0AH cut1KD cut2QD", preset="willughby", dealer=None).dealer == 0


def test_ba15_the_bone_comes_before_a_dealt_31(bone):
    dealt = "0KH 0QD 0^AC 1TD 18S 1^AD 2QS 26D 2^9C"
    state = bone(dealt, preset="ealdormere")
    assert last(state).bone.holder == 1
    assert paid(state) == {0: 1, 1: 1, 2: -2}


def test_actions_of_the_deal_say_where_and_how_the_next_card_lies(bone):
    def deals(state):
        return [(a.seat, str(a.face)) for a in legal_actions(state) if a.kind == "deal"]

    assert deals(bone("0KH 09D 0^5C 1TD")) == [(1, "down"), (2, "down")]
    assert deals(bone("0KH 09D 0^5C 1TD 18S")) == [(1, "up"), (2, "down")]
    assert deals(bone("0KH 09D", preset="cotton")) == [(0, "up")]


def test_ba9_packets_two_down_and_one_up(bone):
    state = bone("0KH 09D", preset="cotton")
    assert view(state).deal_to == (0, True)
    state = bone("0KH 09D 0^5C", preset="cotton")
    assert view(state).deal_to == (1, False)
