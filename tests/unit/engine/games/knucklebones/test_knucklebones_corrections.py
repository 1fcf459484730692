"""Knucklebones put right, players who come and go, what is seen and said (KB-20, KB-21, G-10…).

The notation is that of ``bone_words``.
"""

from __future__ import annotations

import pytest

from engine import EVERYTHING, Card, Correct, Cut, Deal, End, Phase, SeatStatus, legal_actions, view
from engine.core.events import Choose, Roll
from engine.games.catalog import find
from engine.records.referee import replay, state_record
from tests.support.bone_notation import (
    BOUND,
    BUST,
    ONES,
    event_of,
    go_on,
    paid,
    play,
    refusal,
    stage,
)

# --- putting things right -----------------------------------------------------------------------


def test_kb20_a_bone_is_corrected_by_throw_and_place():
    state = play("0:33333 0+2 0:34 1:33333 fix0.0.1=1 fix0.1.0=6")
    assert state.live_play.hand(0).throws == ((3, 1, 3, 3, 3), (6, 4))
    assert state.live_play.hand(0).points == 23


@pytest.mark.parametrize(
    "word",
    [
        pytest.param("fix0.1.0=1!BAD_CORRECTION", id="no-such-throw"),
        pytest.param("fix1.0.0=1!BAD_CORRECTION", id="has-not-thrown"),
        pytest.param("fix0.0.5=1!BAD_CORRECTION", id="no-such-bone"),
        pytest.param("fix0.0.0=2!BAD_FACE", id="no-such-face"),
        pytest.param("fix0.0.0=0!COCKED_BONE", id="cocked"),
        pytest.param("fix7.0.0=1!UNKNOWN_SEAT", id="nobody-there"),
    ],
)
def test_kb20_refused_corrections(word):
    assert play(f"0:33333 {word}").live_play.hand(0).points == 15


def test_g11_wrongly_called_out_his_turn_goes_on_if_nobody_has_acted_since():
    state = play("0:66334 fix0.0.0=3")
    assert stage(state) == (0, "choose", 0)
    state = play("0:66334 fix0.0.0=3", **ONES)
    assert stage(state) == (0, "one", 0)


@pytest.mark.parametrize("options", [{}, ONES])
def test_g11_if_a_later_player_has_acted_he_counts_as_having_chosen_0(options):
    state = play("0:66334 1:33333 fix0.0.0=3", **options)
    assert (state.turn, state.live_play.hand(0).stuck) == (1, True)
    assert state.live_play.hand(0).points == 19


def test_g11_his_throw_was_over_with_one_bone_of_several_and_the_rest_is_not_made_up():
    state = play("0:33333 h0 0:6 h0 0:4 1:33333 fix0.2.0=3", **ONES)  # 25, really 24: still over
    assert state.live_play.hand(0).out
    state = play("0:33333 h0 0:4 h0 0:4 1:33333 fix0.1.0=1", **ONES)  # 23, really 20
    assert (state.turn, state.live_play.hand(0).points) == (1, 20)


def test_g11_nobody_counts_as_having_chosen_before_his_first_throw_or_out_of_turn():
    state, game = play("0:33333"), find("knucklebones")
    assert game.stick_for(state.live_play, 1) is None
    assert game.stick_for(play().live_play, 0) is None
    assert game.stick_for(state.live_play, 0).turn == 1


def test_a_round_that_goes_on_has_no_result():
    with pytest.raises(ValueError, match="not over"):
        find("knucklebones").result(play().live_play)


def test_g10_what_a_player_did_after_he_was_over_is_void():
    state = play("0:33333 0+1 0:3 fix0.0.0=6 fix0.0.1=6 fix0.0.2=6")
    assert (state.turn, state.live_play.hand(0).throws) == (1, ((6, 6, 6, 3, 3),))
    go_on(state, "fix0.1.0=4!BAD_CORRECTION")
    back = go_on(state, "fix0.0.2=3")  # 21: in again, and so is what they did after
    assert back.live_play.hand(0).throws == ((6, 6, 3, 3, 3), (3,))
    assert back.live_play.hand(0).out


def test_g10_the_bankers_throw_is_void_when_all_were_over_after_all():
    state = play(f"0:{BUST} 1:33336 1+0 2:33333 2+0 fix1.0.0=4 fix1.0.1=6 fix1.0.2=6")
    assert (state.hands[-1].end, dict(state.hands[-1].totals)[2]) == (End.ALL_BUST, None)
    state = play(f"0:{BUST} 1:{BUST} fix1.0.0=1")  # and the other way round
    assert stage(state) == (1, "choose", 0)


def test_g12_a_paid_round_is_withdrawn_and_made_again_until_the_next_begins():
    state = play("0:33333 0+0 1:33333 1+0 2:33334 2+0")
    assert paid(state) == [-2, -2, 4]
    assert paid(go_on(state, "fix0.0.0=6")) == [2, -2, 0]
    state = go_on(state, "undo")
    assert (state.phase, stage(state)) == (Phase.PLAY, (2, "choose", 0))
    go_on(state, "2+0 next undo!NOTHING_TO_UNDO fix0.0.0=6!BAD_CORRECTION")


def test_kb18_a_bound_banker_misread_is_asked_again_or_stands_after_all():
    state = play("0:33333 0+0 1:33333 1+0 2:33344 fix2.0.4=3", **BOUND)
    assert stage(state) == (2, "choose", 0)
    state = go_on(state, "2+1 2:6 fix2.0.4=4")  # 17 all the time: the extra bone is void
    assert dict(state.hands[-1].totals)[2] == 17


def test_g14_undo_takes_back_stakes_throws_and_choices():
    state = play()
    for script in ("0=9", "0:33333", f"0:{BUST}", "leave2", "leave0", "misdeal"):
        assert go_on(state, script + " undo").round == state.round
    asked = go_on(state, "0:33333 0+2")
    assert stage(go_on(asked, "undo")) == (0, "choose", 0)


def test_g13_a_misdeal_gives_the_stakes_back_and_they_lie_again():
    state = play(f"0=7 0:{BUST} misdeal")
    last = state.hands[-1]
    assert (last.end, paid(state), last.next_dealer) == (End.MISDEAL, [0, 0, 0], 2)
    assert [(seat.tokens, seat.stake_laid) for seat in view(state).seats] == [(0, 0)] * 3
    assert stage(state) == (None, None, 0)
    assert go_on(state, "next").live_play.stakes == ((0, 7), (1, 2))


# --- coming and going ---------------------------------------------------------------------------


@pytest.mark.parametrize("thrown", ["", "0:44444 ", "0:44444 0+1 ", "0:44444 0+0 1:33333 "])
def test_g17_who_leaves_in_mid_round_pays_and_gets_nothing(thrown):
    state = play(thrown + "leave0")
    assert state.turn == 1
    rest = "1+0" if "1:" in thrown else "1:33333 1+0"
    state = go_on(state, f"{rest} 2:{BUST}")
    assert (paid(state), state.hands[-1].winners) == ([-2, 2, 0], (1,))
    assert dict(state.hands[-1].totals)[0] == (20 if thrown else None)
    assert state.hands[-1].out == (0, 2)
    go_on(state, "leave0!UNKNOWN_SEAT")


def test_g17_who_has_left_is_out():
    state = play("0:44444 0+0 leave0 leave0!SEAT_OUT")
    go_on(state, "0:33333!SEAT_OUT")
    go_on(play("leave0"), "0=3!SEAT_OUT")
    assert [a.seat for a in legal_actions(play("leave0")) if a.kind == "stake"] == [1]


@pytest.mark.parametrize("asked", ["0:33333 0+2", "0:33333"])
def test_g17_nothing_is_asked_of_the_last_player_once_he_has_left(asked):
    state = play(f"{asked} leave0", seats=[0, 1])
    assert (stage(state), paid(state)) == ((None, None, 0), [-2, 2])


def test_g17_if_all_the_players_leave_the_bank_takes_their_stakes():
    state = play("0:44444 0+0 1:44444 1+0 2:33333 leave0 leave1 2+0!WRONG_PHASE")
    assert (state.hands[-1].end, paid(state)) == (End.ALL_BUST, [-2, -2, 4])
    go_on(state, "next!NOT_ENOUGH_PLAYERS")


@pytest.mark.parametrize("thrown", ["", f"3:{BUST} ", "3:33333 3+0 0:33333 0+0 1:44444 "])
def test_kb21_without_the_banker_the_round_is_void_and_the_bank_goes_to_his_left(thrown):
    state = play(thrown + "leave1", seats=[0, 1, 3], banker=1)
    last = state.hands[-1]
    assert (last.end, paid(state), last.next_dealer) == (End.MISDEAL, [0, 0, 0], 3)
    state = go_on(state, "next")
    assert (state.dealer, state.turn, state.live_play.stakes) == (3, 0, ((0, 2),))


def test_g16_the_winner_may_leave_before_he_takes_the_bank():
    state = play("0:44444 0+0 1:33333 1+0 2:33333 2+0 leave0")
    assert state.hands[-1].next_dealer == 1
    assert go_on(state, "next").live_play.stakes == ((2, 2),)


def test_g15_players_join_between_rounds_and_may_bring_a_stake():
    over = "0:33333 0+0 1:33333 1+0 2:33333 2+0 "
    play("join4!JOIN_NOT_NOW")
    state = play(over + "join4=0!BAD_STAKE join0!SEAT_TAKEN join4=6 join5 next")
    assert state.live_play.stakes == ((0, 2), (1, 2), (4, 6), (5, 1))
    play(over + "join4!TABLE_FULL", max_players=3)
    state = play(over + "leave1 join1 next")  # a newcomer does not inherit a stake
    assert state.live_play.stakes == ((0, 2), (1, 1))


# --- what is seen and said ----------------------------------------------------------------------


def test_everything_is_public():
    state = play("0=5 0:33333 0+2 0:34")
    seen = view(state).seat(0)
    assert (seen.throws, seen.total, seen.stake_laid) == (((3, 3, 3, 3, 3), (3, 4)), 22, 5)
    assert (seen.status, seen.cards) == (SeatStatus.OUT, ())
    assert view(state).seat(1).total is None
    assert view(state).stake == 0
    assert all(view(state, who) == view(state) for who in (0, 1, 2, EVERYTHING))


def test_the_state_in_the_words_of_the_case_format():
    record = state_record(play("0:33333 0+2"))
    assert record["banker"] == 2
    assert (record["stage"], record["turn"], record["phase"]) == ("extra", 0, "play")
    assert (record["totals"], record["out"]) == ({"0": 15, "1": None, "2": None}, [])
    assert record["stock"] == 0  # no cards
    assert state_record(play(f"0:{BUST} 1:{BUST}"))["stage"] is None


def test_a_round_in_the_words_of_the_case_format():
    case = {
        "game": "one-and-twenty",
        "players": [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"}],
        "dealer": 1,
        "stakes": {"0": 3},
        "events": [{"e": "roll", "seat": 0, "faces": [6, 6, 6, 6, 6]}],
    }
    assert replay(case)["hands"] == [
        {
            "banker": 1,
            "next_banker": 1,
            "end": "all-bust",
            "winner": None,
            "winners": [],
            "totals": {"0": 30, "1": None},
            "out": [0],
            "settlement": {"0": -3, "1": 3},
        }
    ]


@pytest.mark.parametrize(
    ("script", "word", "sentence"),
    [
        ("", "0:33033", "bone 3 leans, stands on end or cannot be read; "
         "throw that bone alone again, then have all of them read"),
        ("", "0:33225", "no face of a bone counts 2 or 5; "
         "they count 1, 3, 4 and 6, so look at the bones again"),
        ("", "0:3", "1 bone in view, but seat 0 throws 5; see to the number and throw again"),
        ("", "1:33333", "it is not the turn of seat 1; wait for seat 0"),
        ("", "0+1", "seat 0 has a throw to make; throw 5 bones first"),
        ("", "0=0", "seat 0 cannot stake 0; lay whole tokens, at least 1"),
        ("", "2=3", "seat 2 holds the bank and lays no stake; take the tokens back"),
        ("0:33333", "0=3", "bones have been thrown, so the stakes lie; "
         "change yours before the next round"),
        ("0:33333", "0:3", "seat 0 has 15; first ask them how many more bones, 0 to 5"),
        ("0:33333", "0+6", "seat 0 cannot throw 6 more; choose 0 to 5"),
        ("0:33333 0+1", "0+1", "seat 0 has a throw to make; throw 1 bone first"),
        ("0:33333", "s0", "no 'stick' in this game: choose once how many more bones to throw"),
        (f"0:{BUST}", "0:33333", "seat 0 went over with 25 and is out of this round; go on"),
        ("0:33333 leave0", "0:33333", "seat 0 has left; go on without"),
        ("leave0", "leave0", "seat 0 has left already; go on without"),
        (f"0:{BUST} 1:{BUST}", "2:33333", "no 'roll' now: the round is over; "
         "begin the next one first"),
        ("0:33333", "fix0.1.0=3", "seat 0 has made 1 throw in this round, so there is no throw 2; "
         "look which throw was misread"),
        ("0:33333", "fix0.0.5=3", "throw 1 of seat 0 had 5 bones, so there is no bone 6; "
         "look which bone was misread"),
    ],
)  # fmt: skip
def test_refusals_are_sentences_a_dealer_understands(script, word, sentence):
    assert str(refusal(play(script), event_of(word))) == sentence


def test_refusals_of_the_options():
    state = play("0:33333", **ONES)
    assert str(refusal(state, Roll(0, (3,)))) == "seat 0 has 15; first ask them: have it, or stick?"
    assert "bones come one at a time" in str(refusal(state, Choose(0, 1)))
    state = play("0:33333 0+0 1:33333 1+0 2:33333", **BOUND)
    bound = "the banker has 15 and may not stand below 17; throw at least one more bone"
    assert str(refusal(state, Choose(2, 0))) == bound


def test_cards_have_no_place_here():
    state, ace = play("0:33333"), Card.parse("AS")
    for event in (Deal(0, ace), Cut(0, ace), Correct(ace, Card.parse("2S"))):
        refused = refusal(state, event)
        assert refused.code in ("WRONG_PHASE", "BAD_CORRECTION")
        assert "card" in str(refused)
