"""The oracle, on hands worked out by hand from the text of the rules."""

import pytest

from device.simulator.people.oracle import bones, counting, scat
from device.simulator.people.oracle.brag import brag_rank
from device.simulator.people.settings import options_of

PLAIN = options_of("one-and-thirty", "willughby")
AGES = {0: 30, 1: 60, 2: 45}


def holding(seat, cards, when, **more):
    cards = cards.split()
    return counting.Holding(seat, cards, list(when), **more)


def result(*hands, dealer=2, options=PLAIN, upcards=None):
    by_seat = {hand.seat: hand for hand in hands}
    return counting.result_of(by_seat, dealer, options, AGES, upcards or {})


class TestCounting:
    def test_the_highest_wins_a_stake_of_each(self):
        found = result(
            holding(0, "KS QS 5H", (1, 4, 7), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8), acted=8, shown=True),
            holding(2, "KD QD 8C", (3, 6, 9), acted=9, shown=True),
        )
        assert found["settlement"] == {"0": -1, "1": 2, "2": -1}
        assert found["next_dealer"] == 0

    def test_31_is_paid_double(self):
        found = result(
            holding(0, "KS QS 5H 6D", (1, 4, 7, 10), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8)),
            holding(2, "KD QD 8C", (3, 6, 9)),
        )
        assert (found["end"], found["settlement"]) == ("thirty-one", {"0": 4, "1": -2, "2": -2})

    def test_an_unclaimed_31_wins_when_it_is_shown_though_more_was_taken(self):
        found = result(
            holding(0, "KS QS 5H 6D 2S", (1, 4, 7, 10, 11), acted=7, shown=True),
            holding(1, "KH QH 8D 3C", (2, 5, 8, 12), acted=11, shown=True),
            holding(2, "KD QD 8C", (3, 6, 9), acted=12, shown=True),
        )
        assert (found["end"], found["winner"]) == ("thirty-one", 0)

    def test_who_went_over_in_silence_was_out_before_the_dealer(self):
        found = result(
            holding(0, "KS QS 5H 9D", (1, 4, 7, 10), acted=7, shown=True),
            holding(1, "KH QH 8D 9C", (2, 5, 8, 11), acted=10, shown=True),
            holding(2, "KD QD 8C 9S", (3, 6, 9, 12), acted=11, shown=True),
        )
        assert (found["end"], found["winner"]) == ("dealer-wins", 2)

    def test_thrown_in_unseen_counts_from_the_last_card(self):
        hands = (
            holding(0, "KS 2S 5H 3D", (1, 4, 7, 10), acted=7, word=13),
            holding(1, "KH QH 8D 9C", (2, 5, 8, 11), acted=10, shown=True),
            holding(2, "KD QD 8C 9S", (3, 6, 9, 12), acted=11, shown=True),
        )
        assert result(*hands)["end"] == "dealer-wins"

    def test_three_cards_thrown_in_are_out_from_the_word_on(self):
        hands = (
            holding(0, "KS 2S 5H", (1, 4, 7), acted=7, word=13),
            holding(1, "KH QH 8D 9C", (2, 5, 8, 11), acted=10, shown=True),
            holding(2, "KD QD 8C", (3, 6, 9), acted=11, shown=True),
        )
        found = result(*hands)
        assert (found["end"], found["winner"]) == ("sole-survivor", 2)

    def test_the_dealer_loses_a_tie(self):
        found = result(
            holding(0, "KS QS 5H", (1, 4, 7), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8), acted=8, shown=True),
            holding(2, "JD QD 8C", (3, 6, 9), acted=9, shown=True),
            dealer=1,
        )
        assert found["winner"] == 2

    def test_the_oldest_wins_a_tie_where_age_decides(self):
        davis = options_of("one-and-thirty", "davis")
        hands = (
            holding(0, "KS QS 8H", (1, 4, 7), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8), acted=8, shown=True),
            holding(2, "JD QD 7C", (3, 6, 9), acted=9, shown=True),
        )
        assert result(*hands, options=davis)["winner"] == 1
        assert counting.turn_order((0, 1, 2), 1, davis, AGES) == [2, 0, 1]

    def test_the_bone_and_the_game_are_paid_apart(self):
        found = result(
            holding(0, "KS QS 5H", (1, 4, 7), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8), acted=8, shown=True),
            holding(2, "KD QD AH", (3, 6, 9), acted=9, shown=True),
            options=options_of("bone-ace", "willughby"),
            upcards={0: "5H", 1: "8D", 2: "AH"},
        )
        assert found["settlement"] == {"0": -2, "1": 1, "2": 1}

    def test_half_of_an_odd_pool_is_rounded_down(self):
        found = result(
            holding(0, "KS QS 5H", (1, 4, 7), acted=7, shown=True),
            holding(1, "KH QH 8D", (2, 5, 8), acted=8, shown=True),
            holding(2, "KD QD 3D", (3, 6, 9), acted=9, shown=True),
            options=options_of("bone-ace", "cotton-ace-one"),
            upcards={0: "5H", 1: "8D", 2: "3D"},
        )
        assert found["settlement"] == {"0": -1, "1": 2, "2": -1}


class TestBones:
    def test_the_bank_pays_the_better_and_takes_from_the_rest(self):
        options = options_of("knucklebones", "west-kingdom")
        stakes, points = {1: 1, 2: 3, 0: 2}, {1: 22, 2: 20, 0: 19, 3: 19}
        found = bones.result_of(3, (0, 1, 2), stakes, points, frozenset(), options)
        assert found["settlement"] == {"0": -2, "1": -1, "2": 3, "3": 0}
        assert found["next_banker"] == 2

    def test_all_over_leaves_the_bank(self):
        options = options_of("knucklebones", "west-kingdom")
        found = bones.result_of(1, (0,), {0: 2}, {0: 23}, frozenset(), options)
        assert (found["end"], found["next_banker"]) == ("all-bust", 1)

    @pytest.mark.parametrize(
        ("passes", "banker"), [("left", 0), ("never", 3), ("banker_over", 3), ("best_winner", 2)]
    )
    def test_the_bank_passes_as_the_option_says(self, passes, banker):
        options = {**options_of("knucklebones", "west-kingdom"), "bank_passes": passes}
        points = {0: 22, 1: 18, 2: 20, 3: 19}
        found = bones.result_of(3, (0, 1, 2), {0: 1, 1: 1, 2: 1}, points, frozenset(), options)
        assert found["next_banker"] == banker

    def test_thrown_in_is_lost_at_once(self):
        options = options_of("knucklebones", "west-kingdom")
        found = bones.result_of(1, (0,), {0: 2}, {0: 20, 1: 10}, frozenset({0}), options)
        assert found["settlement"] == {"0": -2, "1": 2}


def ended(hands, knocker=0, kind="showdown", blitz=()):
    by_seat = {n: None if hand is None else hand.split() for n, hand in enumerate(hands)}
    return scat.Round(kind, by_seat, knocker, blitz, sorted(by_seat))


LOW, MIDDLE, HIGH = "2H 3S 4D", "KH 5H 2D", "KS QS 9S"


class TestScat:
    @pytest.mark.parametrize(
        ("preset", "hands", "lost"),
        [
            ("wikipedia", (MIDDLE, LOW, HIGH), {1: 1}),
            ("wikipedia", (LOW, MIDDLE, HIGH), {0: 2}),
            ("wikipedia", (LOW, "2S 3C 4H", HIGH), {1: 1}),
            ("california-quick", (LOW, "2S 3C 4H", HIGH), {0: 2, 1: 1}),
            ("west-lansing", (LOW, "2S 3C 4H", HIGH), {0: 2}),
            ("wikipedia", (MIDDLE, None, LOW), {1: 1}),
            ("wikipedia", (None, LOW, HIGH), {0: 2}),
        ],
    )
    def test_the_lowest_loses(self, preset, hands, lost):
        assert scat.losses(ended(hands), options_of("scat", preset)) == lost

    def test_31_takes_a_life_of_everybody_else(self):
        end = ended((LOW, HIGH, "AS KS QS"), None, "blitz", (2,))
        assert scat.losses(end, options_of("scat", "wikipedia")) == {0: 1, 1: 1}

    def test_three_of_a_kind_beats_30_and_loses_to_31(self):
        options = options_of("scat", "three-of-a-kind")
        assert scat.value(["2H", "2S", "2D"], options) == 30.5
        assert scat.value(["AH", "KH", "9H"], options) == 30

    def test_on_the_county_and_then_out(self):
        match = scat.Match.begun((0, 1, 2), options_of("scat", "wikipedia"))
        assert not match.charge({0: 2})
        assert not match.charge({0: 1})
        assert (match.lives[0], match.inside) == (0, [0, 1, 2])
        match.charge({0: 1})
        assert match.inside == [1, 2]

    def test_a_hand_that_would_put_everybody_out_is_void(self):
        match = scat.Match.begun((0, 1), options_of("scat", "stop-the-bus-plain"))
        match.charge({0: 2, 1: 2})
        assert match.charge({0: 1, 1: 1})
        assert match.lives == {0: 1, 1: 1}

    def test_points(self):
        options = options_of("scat", "no-elimination")
        assert scat.gains(ended((LOW, MIDDLE, HIGH)), options) == {0: 0, 1: 2, 2: 3}
        assert scat.gains(ended((HIGH, MIDDLE, LOW)), options) == {0: 4, 1: 2, 2: 1}
        assert scat.gains(ended((HIGH, LOW, None)), options) == {0: 4, 1: 2, 2: 0}

    def test_the_pot_is_shared_and_the_eldest_has_the_rest(self):
        options = options_of("scat", "banking")
        end = ended((HIGH, "KD QD 9D", LOW), 2)
        assert scat.pot(end, options) == {0: 1, 1: 0, 2: -1}

    def test_the_order_of_brag_hands(self):
        order = (
            *("2H 5S 9D", "2H 2S 9D", "2H 5H 9H", "2H 3S 4D", "QH KS AD", "AH 2S 3D"),
            *("2H 3H 4H", "2H 2S 2D", "AH AS AD", "3H 3S 3D"),
        )
        worth = [brag_rank(hand.split()) for hand in order]
        assert worth == sorted(worth)
        assert len(set(worth)) == len(worth)
