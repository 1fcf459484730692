"""Chances of bones, counted a second time: every throw, every choice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine import Face
from engine.games.knucklebones import odds as kb
from engine.games.knucklebones.odds import BoneGame, best_bones, best_bones_of_banker, same_table
from engine.games.knucklebones.odds_throws import extra_bones, faces, throw_totals
from tests.support.bone_throws import WEIGHT, throws


def chances(counts):
    whole = sum(counts.values())
    return {key: Fraction(n) / whole for key, n in counts.items() if n}


@pytest.mark.parametrize("bones", range(6))
def test_kb1_all_throws(bones):
    assert dict(throw_totals(bones).chances) == chances(throws(bones))
    for total in (5, 12, 17, 21):
        extra = extra_bones(total, bones)
        kept = {t: n for t, n in throws(bones).items() if total + t <= 21}
        assert extra.bust == 1 - Fraction(sum(kept.values()), 10**bones)
        assert extra.exact == Fraction(throws(bones)[21 - total], 10**bones)
        if kept:
            mean = Fraction(sum(t * n for t, n in kept.items()), sum(kept.values()))
            assert extra.mean_if_in == total + mean
        else:
            assert extra.mean_if_in is None


def test_faces_are_data():
    mine = faces({Face.FLAT: 2, Face.CONCAVE: 5, Face.CONVEX: 3})
    assert mine == ((1, Fraction(1, 5)), (3, Fraction(1, 2)), (4, Fraction(3, 10)))
    assert faces({Face.TWISTED: 0, Face.FLAT: 3}) == ((1, Fraction(1)),)
    assert dict(throw_totals(2, 10, mine).chances)[14] == Fraction(1, 5)
    game = BoneGame(odds=mine)
    assert best_bones(20, game=game).choices[1].bust == Fraction(4, 5)


def plain_banker(game):
    """Final totals of a banker by the table for ever, throw by throw; over as None."""
    (best_table,) = same_table(game)
    finals = Counter()
    for first, weight in throws(5).items():
        bones = 0 if first > game.target else best_table.bones(first, 5)
        if game.banker_rule == "stand17":
            bones = 0 if first >= 17 else max(bones, 1)
        for extra, more in throws(bones).items():
            end = first + extra
            finals[end if end <= game.target else None] += weight * more * 10 ** (5 - bones)
    return chances(finals)


@pytest.mark.parametrize("tie", ["banker", "push"])
@pytest.mark.parametrize("rule", ["free", "stand17"])
def test_kb5_every_choice_against_the_same_table(tie, rule):
    game = BoneGame(tie=tie, banker_rule=rule)
    banker = plain_banker(game)
    for total in range(5, 22):
        advice = best_bones(total, game=game)
        assert [throw.bones for throw in advice.choices] == list(range(6))
        for throw in advice.choices:
            won = level = Fraction(0)
            for extra, weight in throws(throw.bones).items():
                end = total + extra
                for bank, chance in banker.items() if end <= 21 else ():
                    share = chance * Fraction(weight, 10**throw.bones)
                    won += share * (bank is None or bank < end)
                    level += share * (bank == end and tie == "push")
            assert (throw.win, throw.tie) == (won, level)
            assert throw.result == won - (1 - won - level)
        assert advice.best.result == max(throw.result for throw in advice.choices)
        (table,) = same_table(game)
        assert table.bones(total, 5) == advice.best.bones


def test_kb1_with_31_the_tables_answer_each_other_in_a_circle():
    game = BoneGame(target=31)
    circle = same_table(game)
    assert len(circle) > 1
    for table, answer in zip(circle, [*circle[1:], circle[0]], strict=True):
        assert kb.best_answer(game, kb.against((table,), game)) == answer
    mixed = kb.against(circle, game)
    for total in (20, 25, 31):
        each = [kb.against((table,), game)[total].win for table in circle]
        assert mixed[total].win == sum(each) / len(circle)


def plain_one_at_a_time(total, left, worth_of):
    """The best a player can expect who may throw *left* more bones, one by one."""
    if total > 21:
        return Fraction(-1)
    stand = worth_of[total]
    if not left:
        return stand
    again = sum(
        Fraction(weight, 10) * plain_one_at_a_time(total + points, left - 1, worth_of)
        for points, weight in WEIGHT.items()
    )
    return max(stand, again)


def test_kb17_one_bone_at_a_time():
    game = BoneGame(extra_mode="one_at_a_time")
    ends = kb.against(same_table(game), game)
    worth_of = {total: ends[total].result for total in range(22)}
    for total, thrown in ((5, 0), (12, 0), (14, 2), (17, 4), (18, 5), (20, 1)):
        advice = best_bones(total, thrown, game=game)
        assert [throw.bones for throw in advice.choices] == [0, 1][: 1 + (thrown < 5)]
        assert advice.best.result == plain_one_at_a_time(total, 5 - thrown, worth_of)
        if thrown < 5:
            assert advice.choices[1].bust >= Fraction(
                sum(weight for points, weight in WEIGHT.items() if total + points > 21), 10
            )


@pytest.mark.parametrize("tie", ["banker", "push"])
def test_kb10_the_banker_weighs_all_stakes(tie):
    players = [(14, 3), (18, 1), (20, 2)]
    game = BoneGame(tie=tie)
    for total in (9, 13, 16, 18, 21):
        advice = best_bones_of_banker(total, players, game=game)
        for throw in advice.choices:
            tokens = kept = Fraction(0)
            for extra, weight in throws(throw.bones).items():
                end, share = total + extra, Fraction(weight, 10**throw.bones)
                for points, stake in players:
                    if end > 21 or points > end:
                        tokens -= share * stake
                    elif points < end or tie == "banker":
                        tokens += share * stake
                kept += share * (20 <= end <= 21)
            assert (throw.result, throw.win) == (tokens, kept)
        assert advice.best.result == max(throw.result for throw in advice.choices)


def test_kb18_the_bound_banker():
    game = BoneGame(banker_rule="stand17")
    bones = {
        total: [t.bones for t in best_bones_of_banker(total, [(20, 1)], game=game).choices]
        for total in (16, 17)
    }
    assert bones == {16: [1, 2, 3, 4, 5], 17: [0]}


@pytest.mark.parametrize("rule", ["free", "stand17"])
def test_kb18_where_a_banker_ends_who_throws_one_at_a_time(rule):
    """Every sequence of single bones, followed to its end."""
    game = BoneGame(extra_mode="one_at_a_time", banker_rule=rule)
    table = same_table(game)[-1]
    finals = Counter()

    def follow(total, left, weight):
        stands = total >= 17 if rule == "stand17" else total <= 21 and not table.bones(total, left)
        if total > 21 or stands or not left:
            finals[min(total, 22)] += weight * 10**left
            return
        for points, share in WEIGHT.items():
            follow(total + points, left - 1, weight * share)

    for first, weight in throws(5).items():
        follow(first, 5, weight)
    assert dict(kb.finals(table, game, banker=True).chances) == chances(finals)


@pytest.mark.parametrize("tie", ["banker", "push"])
def test_kb16_the_banker_who_knows_the_total_does_his_best(tie):
    game = BoneGame(tie=tie)
    ends = kb.against_informed(game)
    for mine in (5, 15, 18, 21):
        banker = Fraction(0)
        for first, weight in throws(5).items():
            results = []
            for bones in range(6):
                result = Fraction(0)
                for extra, share in throws(bones).items():
                    end = first + extra
                    lost = end > 21 or end < mine
                    level = end == mine and tie == "push"
                    result += Fraction(share, 10**bones) * (-1 if lost else 0 if level else 1)
                results.append(result)
            banker += Fraction(weight, 10**5) * (max(results) if first <= 21 else -1)
        assert ends[mine].result == -banker
        assert ends[mine].result == ends[mine].win - (1 - ends[mine].win - ends[mine].tie)
    assert (ends[21].tie > 0) == (tie == "push")
