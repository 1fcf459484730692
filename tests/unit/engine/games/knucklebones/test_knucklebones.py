"""One-and-Twenty with knucklebones, rule by rule: stakes, throws, payment, options (KB-1 to KB-23).

The notation is that of ``bone_words``.
"""

from __future__ import annotations

import pytest

from engine import (
    Card,
    Claim,
    Cut,
    Declare,
    End,
    IllegalActionError,
    Join,
    Phase,
    Player,
    SeatStatus,
    apply,
    legal_actions,
    new_table,
    view,
)
from engine.core.events import Choose
from engine.core.options import OptionError
from engine.core.players import PlayersError
from engine.games.catalog import find
from tests.support.bone_notation import BOUND, BUST, ONES, go_on, paid, play, refusal, stage

SIX_BONES = "333333"


# --- the bank and the stakes --------------------------------------------------------------------


def test_the_game_is_found_by_its_name_and_its_old_name():
    game = find("one-and-twenty")
    assert (game.name, game.title) == ("knucklebones", "One-and-Twenty")
    assert find("knucklebones") is game


@pytest.mark.parametrize(("faces", "points"), [("11111", 5), ("13346", 17), ("66666", 30)])
def test_kb1_the_faces_count_1_3_4_and_6(faces, points):
    assert play(f"0:{faces}").live_play.hand(0).points == points


def test_kb1_the_target_may_be_31():
    state = play(f"0:{BUST} 0+2 0:33", target=31)
    assert (state.turn, state.live_play.hand(0).points) == (1, 31)
    assert play(f"0:{BUST} 0+2 0:34", target=31).live_play.hand(0).out


@pytest.mark.parametrize("wrong", [{"target": 20}, {"bones_first": 0}, {"max_players": 9}])
def test_options_outside_their_choices_are_refused(wrong):
    with pytest.raises(OptionError):
        play(**wrong)


def test_kb2_everybody_but_the_banker_stakes_as_he_pleases_before_the_first_throw():
    state = play("0=5 1=9 2=1!UNKNOWN_SEAT 1=0!BAD_STAKE 1=7")
    assert [seat.stake_laid for seat in view(state).seats] == [5, 7, 0]
    state = go_on(state, "0:33333 1=8!WRONG_PHASE 0=8!WRONG_PHASE 2=8!UNKNOWN_SEAT")
    assert paid(go_on(state, "0+0 1:33344 1+0 2:33334 2+0")) == [-5, 7, -2]


def test_kb2_the_stakes_may_be_changed_again_once_the_first_throw_is_undone():
    assert play("0:33333 undo 0=9").live_play.stakes == ((0, 9), (1, 2))


def test_kb2_who_has_laid_nothing_plays_for_one_token():
    state = play("0:44443 0+0 1:33333 1+0 2:44433 2+0", stakes={"0": 4})
    assert paid(state) == [4, -1, -3]


def test_kb2_stakes_lie_again_round_by_round_also_the_bankers_own():
    rounds = "0:44444 0+0 1:33333 1+0 2:33333 2+0 next"
    state = play(rounds, stakes={"0": 3, "1": 4, "2": 5})
    assert (state.dealer, state.live_play.stakes) == (0, ((1, 4), (2, 5)))
    state = go_on(state, "1=6 1:33333 1+0 2:33333 2+0 0:33333 0+0 next:2=8,0=1")
    assert state.live_play.stakes == ((1, 6), (2, 8))
    state = go_on(state, "1:44444 1+0 2:33333 2+0 0:33333 0+0 next")
    assert (state.dealer, state.live_play.stakes) == (1, ((0, 1), (2, 8)))


@pytest.mark.parametrize(
    "word", ["next:0=0!BAD_STAKE", "next:7=2!UNKNOWN_SEAT", "next:0=2,1=0!BAD_STAKE"]
)
def test_kb2_stakes_of_the_next_round_are_checked_too(word):
    state = play(f"0:33333 0+0 1:33333 1+0 2:33333 2+0 {word}")
    assert state.phase is Phase.DONE


def test_kb2_stakes_at_the_start_are_checked_too():
    for stakes, code in (({"0": 0}, "BAD_STAKE"), ({"7": 1}, "UNKNOWN_SEAT")):
        with pytest.raises(IllegalActionError) as refused:
            play(stakes=stakes)
        assert refused.value.code == code
    with pytest.raises(IllegalActionError, match="start"):
        new_table(
            "knucklebones",
            [Player(0, "Ann"), Player(1, "Bess")],
            dealer=0,
            start={"start": {"lives": {"0": 1}}},
        )


def test_the_first_banker_is_chosen_and_no_cards_are_cut():
    with pytest.raises(PlayersError, match="name one of"):
        new_table("knucklebones", [Player(0, "Ann"), Player(1, "Bess")], dealer=None)
    assert refusal(play(), Cut(0, Card.parse("AS"))).code == "WRONG_PHASE"


def test_kb3_turns_go_from_the_bankers_left_the_banker_last():
    state = play(seats=[1, 3, 4, 7], banker=3)
    assert state.live_play.order == (4, 7, 1, 3)
    state = go_on(state, f"7:33333!NOT_YOUR_TURN 3:33333!NOT_YOUR_TURN 4:{BUST} 7:{BUST}")
    assert go_on(state, "1:33333 1+0").turn == 3


def test_kb3_two_to_eight_at_the_table():
    assert len(play(seats=8).live_play.hands) == 8
    for seats in (1, 9):
        with pytest.raises(PlayersError):
            play(seats=seats)


# --- throwing -----------------------------------------------------------------------------------


def test_kb4_over_on_the_first_throw_loses_the_stake_at_once():
    state = play(f"0:{BUST}")
    assert state.live_play.hand(0).out
    assert stage(state) == (1, "first", 5)
    assert [hand.acted for hand in state.live_play.hands] == [True, False, False]
    assert [seat.tokens for seat in view(state).seats] == [-2, 0, 2]
    go_on(state, "0+0!SEAT_OUT 0:33333!SEAT_OUT")


def test_kb5_one_decision_of_0_to_5_before_the_bones_are_seen():
    state = play("0+1!WRONG_PHASE 0:11111")
    assert stage(state) == (0, "choose", 0)
    state = go_on(state, "0:3!CHOOSE_FIRST 0+6!BAD_CHOICE 1+0!NOT_YOUR_TURN 0+5 0+1!WRONG_PHASE")
    assert stage(state) == (0, "extra", 5)
    assert refusal(play("0:11111"), Choose(0, -1)).code == "BAD_CHOICE"


def test_kb5_the_most_extra_bones_may_be_agreed():
    state = play("0:11111 0+3!BAD_CHOICE", max_extra=2)
    assert [a.most for a in legal_actions(state) if a.kind == "choose"] == [2]
    assert play("0:11111", max_extra=0).turn == 1


def test_kb6_the_extra_bones_are_added_and_the_turn_is_over():
    state = play("0:33333 0+2 0:33")
    assert state.live_play.hand(0).throws == ((3, 3, 3, 3, 3), (3, 3))
    assert state.turn == 1
    state = play("0:33333 0+2 0:34")
    assert state.live_play.hand(0).out
    assert paid(go_on(state, "1:33333 1+0 2:33333 2+0")) == [-2, -2, 4]


def test_kb7_21_is_good_and_nothing_special():
    state = play("0:44436")
    assert stage(state) == (0, "choose", 0)
    assert paid(go_on(state, "0+0 1:33333 1+0 2:44444 2+0")) == [2, -2, 0]


def test_kb8_ties_go_to_the_bank():
    assert paid(play("0:33333 0+0 1:33334 1+0 2:33343 2+0")) == [-2, -2, 4]


def test_kb9_a_banker_who_is_over_pays_whoever_is_still_in_his_own_stake():
    state = play(f"0=3 0:{BUST} 1:11111 1+0 2:{BUST}")
    assert (paid(state), state.hands[-1].winners) == ([-3, 2, 1], (1,))
    assert state.hands[-1].end is End.COMPARED
    assert state.hands[-1].payments == ((0, 2, 3), (2, 1, 2))


def test_kb10_higher_than_the_bank_is_paid_equal_or_lower_is_not():
    state = play("0:44443 0+0 1:33334 1+0 2:33344 2+0")
    assert paid(state) == [2, -2, 0]
    assert view(state).seat(0).status is SeatStatus.WINNER


def test_kb11_the_best_winner_gets_the_bank_of_equals_who_threw_first():
    state = play("3:33333 3+0 0:44444 0+0 1:44444 1+0 2:11111 2+0", seats=4, banker=2)
    assert state.hands[-1].winners == (3, 0, 1)
    assert state.hands[-1].next_dealer == 0
    assert go_on(state, "next").dealer == 0


def test_kb12_otherwise_the_bank_stays():
    state = play("0:33333 0+0 1:33333 1+0 2:33333 2+0 next")
    assert (state.dealer, state.turn) == (2, 0)


def test_kb13_when_all_are_over_the_banker_need_not_throw():
    state = play(f"0:{BUST} 1:{BUST} 2:33333!WRONG_PHASE")
    last = state.hands[-1]
    assert (last.end, last.winners, last.next_dealer) == (End.ALL_BUST, (), 2)
    assert (last.totals, paid(state)) == (((0, 25), (1, 25), (2, None)), [-2, -2, 4])


@pytest.mark.parametrize("throw", ["2:33333 2+0", "2:33333 2+3 2:333", f"2:{BUST}"])
def test_kb13_or_he_must_throw_and_nothing_depends_on_it(throw):
    state = play(f"0:{BUST} 1:{BUST}", banker_must_roll=True)
    assert stage(state) == (2, "first", 5)
    state = go_on(state, throw)
    assert (state.hands[-1].end, paid(state)) == (End.ALL_BUST, [-2, -2, 4])
    assert state.hands[-1].next_dealer == 2
    assert dict(state.hands[-1].totals)[2] is not None


def test_kb14_a_throw_has_the_right_number_of_bones():
    state = play(f"0:3333!BONE_COUNT 0:{SIX_BONES}!BONE_COUNT 0:!BONE_COUNT 0:33333")
    state = go_on(state, "0+2 0:3!BONE_COUNT 0:333!BONE_COUNT 0:33")
    assert state.turn == 1
    assert play("0:33333!BONE_COUNT 0:333", bones_first=3).live_play.hand(0).points == 9


@pytest.mark.parametrize(
    ("faces", "code"),
    [
        ("33340", "COCKED_BONE"),
        ("3025", "COCKED_BONE"),
        ("3325", "BAD_FACE"),
        ("333", "BONE_COUNT"),
    ],
)
def test_kb15_a_throw_is_checked_for_cocked_bones_then_faces_then_their_number(faces, code):
    play(f"0:{faces}!{code}")


def test_g19_a_refused_throw_changes_nothing():
    state = play()
    written = repr(state)
    go_on(state, "0:33330!COCKED_BONE 0:33335!BAD_FACE 0:3!BONE_COUNT 0=0!BAD_STAKE")
    assert repr(state) == written


# --- what else may be agreed --------------------------------------------------------------------


def test_kb16_a_push_moves_nothing_and_does_not_cost_the_bank():
    state = play("0:33333 0+0 1:33334 1+0 2:33343 2+0", tie="push")
    assert (paid(state), state.hands[-1].winners) == ([-2, 0, 2], ())
    assert state.hands[-1].next_dealer == 2
    assert state.hands[-1].payments == ((0, 2, 2),)


def test_kb17_one_at_a_time_have_look_and_so_on_up_to_five():
    state = play("h0!WRONG_PHASE s0!WRONG_PHASE 0:11111", **ONES)
    assert stage(state) == (0, "one", 0)
    state = go_on(state, "0:1!CHOOSE_FIRST 0+1!WRONG_PHASE h1!NOT_YOUR_TURN h0")
    assert stage(state) == (0, "extra", 1)
    state = go_on(state, "h0!WRONG_PHASE s0!WRONG_PHASE 0:11!BONE_COUNT 0:1 h0 0:3 h0 0:1 h0 0:1")
    assert stage(state) == (0, "one", 0)
    state = go_on(state, "h0 0:1")
    assert (state.turn, state.live_play.hand(0).points) == (1, 12)  # five more: no sixth
    assert state.live_play.hand(0).throws[1:] == ((1,), (3,), (1,), (1,), (1,))


def test_kb17_going_over_and_sticking_end_the_turn():
    assert play("0:33333 h0 0:6 h0 0:1", **ONES).live_play.hand(0).out
    assert play("0:33333 h0 0:4 s0", **ONES).turn == 1
    assert play("0:33333 s0", **ONES).turn == 1


def test_kb17_in_the_usual_way_of_play_there_is_no_have_or_stick():
    play("0:33333 h0!WRONG_PHASE s0!WRONG_PHASE")


def test_kb18_a_bound_banker_stands_at_once_on_17():
    state = play("0:33333 0+0 1:33333 1+0 2:33344", **BOUND)
    assert (state.hands[-1].end, paid(state)) == (End.COMPARED, [-2, -2, 4])
    assert stage(play("0:33344", **BOUND)) == (0, "choose", 0)  # only the banker is bound


def test_kb18_a_bound_banker_throws_at_least_one_bone_on_16():
    state = play("0:33333 0+0 1:33333 1+0 2:33334 2+0!BANKER_MUST_ROLL", **BOUND)
    assert [a.least for a in legal_actions(state) if a.kind == "choose"] == [1]
    state = go_on(state, "2+1 2:4")
    assert paid(state) == [-2, -2, 4]
    play("0:33334 0+0", **BOUND)  # players are free


def test_kb18_one_at_a_time_he_goes_on_to_17():
    state = play("0:33333 s0 1:33333 s1 2:11111 s2!BANKER_MUST_ROLL h2 2:6", **BOUND, **ONES)
    assert "stick" not in {action.kind for action in legal_actions(state)}
    state = go_on(state, "s2!BANKER_MUST_ROLL h2 2:6")
    assert (state.phase, dict(state.hands[-1].totals)[2]) == (Phase.DONE, 17)


def test_kb18_without_extra_bones_he_cannot_be_made_to_throw():
    state = play("0:33333 1:33333 2:11111", max_extra=0, **BOUND)
    assert paid(state) == [2, 2, -4]


@pytest.mark.parametrize(("rule", "banker"), [("any", 0), ("net", 2)])
def test_kb19_the_banker_has_lost_when_one_was_paid_or_when_he_paid_more(rule, banker):
    script = "0=1 1=5 0:44444 0+0 1:33333 1+0 2:44443 2+0"
    assert play(script, banker_loses=rule).hands[-1].next_dealer == banker


def test_kb19_net_means_more_than_it_took():
    script = "0:44444 0+0 1:33333 1+0 2:44443 2+0"
    assert play("0=5 1=5 " + script, banker_loses="net").hands[-1].next_dealer == 2
    assert play("0=6 1=5 " + script, banker_loses="net").hands[-1].next_dealer == 0


BEATEN = "0:33344 0+0 1:44443 1+0 2:33333 2+0 3:33343 3+0"  # 17, 19, 15 against 16
BANK_OVER = f"0:33344 0+0 1:44443 1+0 2:33333 2+0 3:{BUST}"
BANK_WINS = "0:33333 0+0 1:33333 1+0 2:33333 2+0 3:44444 3+0"


@pytest.mark.parametrize(
    ("passes", "after"),
    [
        ("best_winner", (1, 1, 3)),
        ("left", (0, 0, 0)),
        ("banker_over", (3, 1, 3)),
        ("never", (3, 3, 3)),
    ],
)
def test_kb22_where_the_bank_goes_beaten_gone_over_and_not_beaten(passes, after):
    rounds = (BEATEN, BANK_OVER, BANK_WINS)
    found = [play(script, seats=4, bank_passes=passes).hands[-1].next_dealer for script in rounds]
    assert tuple(found) == after


@pytest.mark.parametrize(
    ("passes", "script", "banker"),
    [
        ("best_winner", "leave1", 0),
        ("best_winner", "leave1 leave0", 2),
        ("banker_over", "leave3", 1),  # beaten but not over they kept it, and then went
        ("left", "leave0", 1),
        ("never", "leave3", 0),
    ],
)
def test_g16_the_next_banker_leaves(passes, script, banker):
    state = play(f"{BEATEN} {script} next", seats=4, bank_passes=passes)
    assert state.dealer == banker


def test_g16_a_newcomer_on_a_winners_seat_has_not_won():
    state = apply(play(f"{BEATEN} leave0", seats=4), Join(0, "Newcomer"))
    assert go_on(state, "leave1 next").dealer == 2


def test_g16_after_a_void_round_there_is_no_winner_to_take_the_bank():
    state = play("0:33344 0+0 misdeal leave3 next", seats=4, bank_passes="best_winner")
    assert state.dealer == 0


def test_kb23_who_throws_in_loses_the_stake_at_once_and_throws_no_more():
    state = play("0=3 1=4 out1 1=5!SEAT_OUT 0=6 0:33344 0+2 out0", seats=4)
    assert (state.turn, state.live_play.wanted) == (2, 0)
    assert [seat.tokens for seat in view(state).seats] == [-6, -4, 0, 10]
    state = go_on(state, "0:33!SEAT_OUT out0!SEAT_OUT 2:44444 2+0 3:33333 3+0 out2!WRONG_PHASE")
    assert paid(state) == [-6, -4, 2, 8]
    assert (state.hands[-1].totals, state.hands[-1].out) == (
        ((0, 17), (1, None), (2, 20), (3, 15)),
        (0, 1),
    )


def test_kb23_after_the_last_player_the_banker_need_not_throw():
    state = play("0:33344 0+0 out1 out0")
    assert (state.hands[-1].end, paid(state)) == (End.ALL_BUST, [-2, -2, 4])


def test_kb23_the_banker_throws_in_in_their_own_turn_and_has_gone_over():
    state = play(f"out2!NOT_YOUR_TURN 0:33344 0+0 1:{BUST} 2:44444 out2")
    assert (state.hands[-1].winners, paid(state)) == ((0,), [2, -2, 0])
    assert (state.hands[-1].next_dealer, view(state).seat(2).status) == (0, SeatStatus.OUT)


def test_kb23_no_cards_are_shown_here_and_31_is_not_declared():
    cards = (Card.parse("AS"),)
    assert refusal(play(), Declare(0, Claim.OUT, cards)).code == "MISMATCH"
    assert refusal(play(), Declare(0, Claim.THIRTY_ONE)).code == "WRONG_PHASE"


def test_kb6_more_than_five_bones_are_one_throw_of_the_same_five():
    state = play("0:33333!BONE_COUNT", bones_first=7)
    assert "the same 5 again" in str(find("knucklebones").prompt(view(state)).detail)
    assert go_on(state, "0:3311111").live_play.hand(0).throws == ((3, 3, 1, 1, 1, 1, 1),)
