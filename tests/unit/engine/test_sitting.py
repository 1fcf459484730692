"""What belongs to every game: cutting, money, coming and going, misdeals, undo."""

from __future__ import annotations

import re

import pytest

from engine import (
    BoneAceError,
    End,
    IllegalActionError,
    Join,
    NextHand,
    Phase,
    Player,
    Reveal,
    Stick,
    apply,
    new_table,
    view,
)
from engine.core.players import PlayersError, check_names, clockwise
from engine.games.catalog import find

PLAIN = ("KH 9D 5C", "TD 8S 7H", "QS 6D 2C")  # 24, 25, 18
OVER = " s0 s1 s2"


def last(state):
    return state.hands[-1]


def test_g1_eldest_is_on_the_dealers_left_with_gaps():
    assert clockwise([0, 3, 5, 7], after=5) == (7, 0, 3, 5)
    assert clockwise([0, 3, 7], after=4) == (7, 0, 3)


def test_g2_those_who_tie_for_lowest_cut_again_until_one_is_lowest(sit):
    state = sit("cut2KH cut0AS cut1AD", dealer=None)
    assert state.round.to_cut == (0, 1)
    state = sit("cut2KH cut0AS cut1AD cut0AS cut1AS!DUPLICATE_CARD cut1AH", dealer=None)
    assert state.round.to_cut == (0, 1)  # aces again, a round of cutting of its own
    state = sit("cut2KH cut0AS cut1AD cut0AS cut1KH", dealer=None)
    assert (state.phase, state.dealer) == (Phase.DEAL, 0)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("cut0KH cut1KH!DUPLICATE_CARD", id="G-2-same-card"),
        pytest.param("cut0KH cut0QH!NOT_YOUR_TURN", id="cut-twice"),
        pytest.param("cut0??!UPCARD_UNREADABLE", id="unread"),
        pytest.param("0KH!WRONG_PHASE s0!WRONG_PHASE", id="no-card-yet"),
        pytest.param("cut9KH!UNKNOWN_SEAT", id="nobody-there"),
        pytest.param("leave0!WRONG_PHASE", id="G-17-no-leaving"),
        pytest.param("join5!JOIN_NOT_NOW", id="G-15-no-joining"),
        pytest.param("misdeal!WRONG_PHASE", id="no-hand-yet"),
        pytest.param("undo!NOTHING_TO_UNDO", id="G-14"),
        pytest.param("next!WRONG_PHASE", id="no-hand-over"),
    ],
)
def test_refused_while_cutting(sit, script):
    assert sit(script, dealer=None).phase is Phase.CUT


@pytest.mark.parametrize(
    ("mode", "due"), [("left", 0), ("winner", 1), ("same", 2), ("recut", None)]
)
def test_g4_next_dealer(sit, deal, mode, due):
    state = sit(deal(*PLAIN) + OVER + " next", next_dealer=mode)
    assert state.hands[0].next_dealer == due
    assert state.dealer == due
    assert state.phase is (Phase.CUT if due is None else Phase.DEAL)


def test_g4_a_split_win_falls_back_to_the_left(sit, deal):
    script = deal("KH 5D 3C", "TD 8S 7H", "QS 8D 7C") + OVER
    assert last(sit(script, tie_rule="split", next_dealer="winner")).next_dealer == 0


def test_g9_every_card_of_the_pack_is_in_it(sit):
    assert sit("02D 12S").phase is Phase.DEAL


def test_g13_misdeal_in_play_and_the_same_dealer_deals_even_if_winners_deal(sit, deal):
    state = sit(deal(*PLAIN) + " s0 misdeal misdeal!WRONG_PHASE", next_dealer="winner")
    assert (last(state).end, last(state).next_dealer) == (End.MISDEAL, 2)
    assert view(state).result.settlement == ((0, 0), (1, 0), (2, 0))


def test_g13_a_hand_is_made_void_after_its_payment_but_only_once(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " misdeal misdeal!WRONG_PHASE")
    assert (last(state).end, dict(state.ledger.entries)) == (End.MISDEAL, {0: 0, 1: 0, 2: 0})
    assert last(sit(deal(*PLAIN) + OVER + " misdeal undo")).end is End.SHOWDOWN


def test_g14_undo_step_by_step_to_the_start_of_the_hand_and_no_further(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " next 1KH undo undo!NOTHING_TO_UNDO")
    assert len(state.hands) == 1
    state = sit("0KH 1TD undo undo undo!NOTHING_TO_UNDO 1TD")
    assert list(state.live_play.seen()) == [state.live_play.hand(1).cards[0]]


def test_g14_a_misdeal_can_be_undone(sit, deal):
    state = sit(deal(*PLAIN) + " s0 misdeal undo")
    assert state.turn == 1


def test_g15_joining_only_between_hands_on_a_free_seat(sit, deal):
    state = sit(deal(*PLAIN) + " join5!JOIN_NOT_NOW" + OVER + " join1!SEAT_TAKEN join5")
    assert [player.seat for player in state.players] == [0, 1, 2, 5]
    assert last(state).next_dealer == 0


def test_g15_the_place_of_one_who_left_is_free(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave1 leave1!UNKNOWN_SEAT")
    state = apply(apply(state, Join(1, "Zoe")), NextHand())
    assert [player.name for player in state.players] == ["Ann", "Zoe", "Cecil"]
    assert view(state).seat(1).tokens == 0  # a newcomer does not inherit what was won
    assert state.ledger.of(1) == 2


def test_g15_who_comes_back_to_his_own_seat_finds_his_tokens(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave1 join1 next")
    assert view(state).seat(1).tokens == 2


def test_g15_a_newcomer_does_not_take_the_deal_of_the_one_whose_turn_it_is(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " join3 next", seats=3, dealer=2)
    assert state.dealer == 0


def test_g16_the_deal_passes_the_empty_seat(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave0 next")
    assert (state.hands[0].next_dealer, state.dealer) == (1, 1)


def test_g16_one_player_alone_cannot_begin(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave0 leave2 next!NOT_ENOUGH_PLAYERS join4 next")
    assert state.phase is Phase.DEAL


def test_g16_an_empty_table_waits_for_newcomers(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave0 leave1 leave2")
    assert last(state).next_dealer is None
    state = sit(deal(*PLAIN) + OVER + " leave0 leave1 leave2 join3 join4 next")
    assert state.dealer == 3


def test_g16_the_winner_who_leaves_passes_the_deal_to_his_left(sit, deal):
    state = sit(deal(*PLAIN) + OVER + " leave1 next", next_dealer="winner")
    assert state.dealer == 2


def test_g17_leaving_in_the_deal_needs_a_misdeal_first(sit):
    state = sit("0KH leave0!WRONG_PHASE misdeal leave0 next", seats=3, dealer=0)
    assert state.dealer == 1


def test_g17_who_leaves_in_his_turn_passes_it_on_and_pays(sit, deal):
    state = sit(deal(*PLAIN) + " h0 leave0 leave0!SEAT_OUT s0!SEAT_OUT 02D!NOT_YOUR_TURN s1 s2")
    assert last(state).out == (0,)
    assert dict(last(state).totals)[0] == 24
    assert dict(last(state).settlement) == {0: -1, 1: 2, 2: -1}


def test_g18_the_ledger_keeps_the_sum_of_all_hands(sit, deal):
    script = deal(*PLAIN) + OVER + " next 1KH 2TD 0QS 19D 28S 06D 15C 27H 02C s1 s2 s0"
    state = sit(script, stake=5)
    assert dict(state.ledger.entries) == {0: -10, 1: 5, 2: 5}


def test_g19_a_refused_event_changes_nothing(sit, on, deal):
    state = sit(deal(*PLAIN))
    assert on(state, "s1!NOT_YOUR_TURN 02D!NO_REQUEST next!WRONG_PHASE") == state


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param("show0:KH,9D!MISMATCH", id="too-few"),
        pytest.param("show0:KH,9D,5C,AS!MISMATCH", id="too-many"),
        pytest.param("show0:QD,9D,5C!MISMATCH", id="known-card-missing"),
        pytest.param("show0:9D,KH,5C!MISMATCH", id="not-as-dealt"),
        pytest.param("show0:KH,9D,??!MISMATCH", id="one-unread"),
        pytest.param("show0:KH,TD,5C!DUPLICATE_CARD", id="known-elsewhere"),
        pytest.param("show0:KH,9D,9D!DUPLICATE_CARD", id="twice"),
    ],
)
def test_g20_what_is_shown_must_fit_what_is_known(sit, deal, shown):
    script = deal("KH ?? ??", *PLAIN[1:]) + OVER
    assert sit(f"{script} {shown}").phase is Phase.SHOWDOWN


def test_two_packs_take_the_same_card_in_two_hands(sit, deal):
    script = deal("KH ?? ??", *PLAIN[1:]) + OVER + " show0:KH,TD,TD!DUPLICATE_CARD"
    state = sit(script + " show0:KH,TD,2C", decks=2)
    assert dict(last(state).totals)[0] == 22


def test_unknown_names_are_answered_with_the_right_ones():
    players = [Player(0, "Ann"), Player(1, "Bess")]
    with pytest.raises(BoneAceError, match="did you mean 'bone-ace'"):
        new_table("bonace", players, dealer=0)
    with pytest.raises(BoneAceError, match="did you mean 'cotton'"):
        new_table("bone-ace", players, dealer=0, preset="coton")
    with pytest.raises(BoneAceError, match="did you mean 'stake'"):
        new_table("bone-ace", players, dealer=0, options={"steak": 2})
    with pytest.raises(BoneAceError, match="stake: 0 is not allowed; choose a whole number"):
        new_table("bone-ace", players, dealer=0, options={"stake": 0})
    with pytest.raises(BoneAceError, match=r"tie_rule: .*; double_on_31: 1 is not allowed"):
        new_table("bone-ace", players, dealer=0, options={"double_on_31": 1, "tie_rule": "no"})


def test_who_cannot_sit_down_together():
    with pytest.raises(PlayersError, match="seat 0 is given to"):
        new_table("bone-ace", [Player(0, "Ann"), Player(0, "Bess")], dealer=0)
    with pytest.raises(PlayersError, match="seat 2 to 8"):
        new_table("bone-ace", [Player(0, "Ann")], dealer=0)
    with pytest.raises(PlayersError, match="nobody sits at seat 4"):
        new_table("bone-ace", [Player(0, "Ann"), Player(1, "Bess")], dealer=4)
    with pytest.raises(PlayersError, match="seat -1 is no seat"):
        Player(-1, "Ann")


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Bess", "Ann"),
        ("Ann", "ann"),
        ("Ann Lee", " Ann  Lee "),
        ("Zo\u00eb", "Zoe\u0308"),
        ("Ann", "\uff21\uff4e\uff4e"),
        ("Strau\u00df", "STRAUSS"),
    ],
)
def test_two_players_of_one_name_are_refused_with_a_cure(names):
    cure = f'two players are called "{names[0]}"; give each a different name, such as '
    with pytest.raises(PlayersError, match=re.escape(f'{cure}"{names[0]}" and "{names[0]} B"')):
        check_names(names)


def test_names_that_people_tell_apart_are_different():
    check_names(["Ann", "Ann B", "Anna", "Änn", "Bess"])


def test_hands_are_numbered_from_one(sit, deal):
    assert view(sit("0KH")).hand_number == 1
    assert view(sit(deal(*PLAIN) + OVER + " next")).hand_number == 2


def test_a_refusal_says_whom_to_ask(sit, deal):
    with pytest.raises(IllegalActionError, match="not the turn of seat 1; ask seat 0"):
        apply(sit(deal(*PLAIN)), Stick(1))
    with pytest.raises(IllegalActionError, match="cards are still being dealt"):
        apply(sit("0KH"), Stick(1))
    shown = sit(deal("?? ?? ??", *PLAIN[1:]) + OVER)
    with pytest.raises(IllegalActionError, match=r"waiting for seats \[0\]"):
        apply(shown, Reveal(1, ()))


def test_a_game_answers_to_its_aliases():
    assert find("boneace") is find("bone-ace")
