"""What the bank is worth, found a second time: the whole tree of a round, and rounds thrown."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from engine.games.knucklebones.bank_odds import BANK_PASSES, BankOdds, bank_odds, seat_worths
from engine.games.knucklebones.odds import BoneGame, against_informed, best_bones, overall
from engine.odds.unseen import OddsError
from tests.support.bone_throws import WEIGHT, throws

OPTIONS = {
    "target": (21, 31),
    "extra_mode": ("single_decision", "one_at_a_time"),
    "tie": ("banker", "push"),
    "banker_rule": ("free", "stand17"),
}
GAMES = [BoneGame(**dict(zip(OPTIONS, each, strict=True))) for each in product(*OPTIONS.values())]
EVERY = [(game, passes) for game in GAMES for passes in BANK_PASSES]


def names(case):
    game, passes = case
    return f"{game.target}-{game.extra_mode}-{game.tie}-{game.banker_rule}-{passes}"


class Tree:
    """One side of a round, followed throw by throw: the value of its best style, and its ends.

    Whole numbers: values and chances at a total with so many bones *left* are of 10 ** left.
    """

    def __init__(self, game, ends, bound=False):
        self.game, self.ends, self.bound = game, ends, bound
        self.kept = {}

    def may(self, total, left):
        most = min(left, 1) if self.game.extra_mode == "one_at_a_time" else left
        if self.bound and most:
            return [0] if total >= 17 else list(range(1, most + 1))
        return list(range(most + 1))

    def at(self, total, left):
        """Return value and ends at a total with so many bones left to ask for."""
        if total > self.game.target:
            return self.ends["over"] * 10**left, {"over": 10**left}
        if (total, left) not in self.kept:
            singly = self.game.extra_mode == "one_at_a_time"
            best = None
            for bones in self.may(total, left):
                value, ends = 0, Counter()
                for points, weight in throws(bones).items():
                    if bones and singly:
                        worth, reached = self.at(total + points, left - 1)
                        times = weight
                    else:
                        end = total + points if total + points <= self.game.target else "over"
                        worth, reached, times = (
                            self.ends[end],
                            {end: 1},
                            weight * 10 ** (left - bones),
                        )
                    value += times * worth
                    for end, chance in reached.items():
                        ends[end] += times * chance
                if best is None or value > best[0]:  # of equals that with fewest bones
                    best = value, ends
            self.kept[total, left] = best
        return self.kept[total, left]

    def whole(self):
        value, ends = 0, Counter()
        for first, weight in throws(5).items():
            worth, reached = self.at(first, 5)
            value += weight * worth
            for end, chance in reached.items():
                ends[end] += weight * chance
        return value, ends


def plain(game, passes, worth):
    """A round by its tree, where the bank is *worth* so much: what is found, and its value."""
    up, down = worth.numerator, worth.denominator
    beaten = -up if passes == "best_winner" else up
    broken = up if passes == "never" else -up
    bound = game.banker_rule == "stand17"
    players_ends, answers = {"over": -(10**10) * (down + up)}, {}
    for mine in range(game.target + 1):
        ends = {"over": broken - down}
        for his in range(game.target + 1):
            if his == mine:
                ends[his] = up + (0 if game.tie == "push" else down)
            else:
                ends[his] = up + down if his > mine else beaten - down
        value, answers[mine] = Tree(game, ends, bound).whole()
        players_ends[mine] = -value
    value, player = Tree(game, players_ends).whole()
    win = tie = passing = 0
    banker = Counter()
    for mine, often in player.items():
        for his, share in answers.get(mine, {}).items():
            chance = often * share
            banker[his] += chance
            if his == "over" or his < mine:
                win += chance
                if passes == "best_winner" or (passes == "banker_over" and his == "over"):
                    passing += chance
            elif his == mine and game.tie == "push":
                tie += chance
    every = Fraction(1, 10**20)
    edge = 1 - (2 * win + tie) * every
    return player, banker, win * every, tie * every, edge, passing * every, -value * every / down


def by_total(totals, game):
    return {"over" if t == game.bust else t: chance for t, chance in totals.chances}


def shares(counts):
    whole = sum(counts.values())
    return {key: Fraction(n, whole) for key, n in counts.items() if n}


@pytest.mark.parametrize("case", EVERY, ids=names)
def test_every_combination_is_what_its_tree_says(case):
    game, passes = case
    found = bank_odds(game, passes)
    moves = passes in ("best_winner", "banker_over") and found.passes > 0
    worth = found.worth if moves else Fraction(0)
    style = passes if moves else "never"
    player, banker, win, tie, edge, passing, value = plain(game, style, worth)
    assert by_total(found.player, game) == shares(player)
    assert by_total(found.banker, game) == shares(banker)
    assert (found.win, found.tie, found.edge) == (win, tie, edge)
    assert found.passes == {"left": 1}.get(passes, passing)
    # What the bank is worth now is what a round brings and what it is worth after it, as it should.
    assert value == (found.worth if moves else edge)
    if passes == "left":
        assert found.worth == edge / 2
    elif not moves:
        assert found.worth is None


def test_against_a_banker_who_knows_the_only_player_it_is_as_the_odds_of_a_round_say():
    for game in GAMES[:8]:
        found, told = bank_odds(game, "never"), overall(game, against_informed(game))
        assert (found.win, found.tie, -found.edge) == (told.win, told.tie, told.result)


def test_a_bank_of_31_bound_to_17_and_bone_by_bone_never_goes_over():
    game = BoneGame(target=31, extra_mode="one_at_a_time", banker_rule="stand17")
    found = bank_odds(game, "banker_over")
    assert found.banker.at(game.bust) == found.passes == 0
    assert found.worth is None
    assert found.edge < Fraction(-9, 10)


def test_one_player_is_the_round_by_itself():
    game = BoneGame(tie="push")
    edge = bank_odds(game, "never").edge
    assert seat_worths(game) == (-edge, edge)


def test_two_players_against_a_plain_tree_of_a_short_game():
    """Two bones and one more: every throw of both players and of the bank, by hand."""
    game = BoneGame(target=8, bones_first=2, max_extra=1)
    first = throws(2)

    def settle(made, his):
        over = his > 8
        return [
            -1 if mine > 8 else 1 if over or mine > his else -1 for mine in made
        ]  # ties go to the bank

    def after(total, bones):
        return [(total + p, Fraction(w, 10**bones)) for p, w in throws(bones).items()]

    def choose(total, worth, who):
        if total > 8:
            return worth(total)
        ways = [after(total, bones) for bones in (0, 1)]
        values = [[sum(c * worth(end)[n] for end, c in one) for n in range(3)] for one in ways]
        return max(values, key=lambda value: value[who])  # the first of equals: fewest bones

    def bank(made):
        def worth(his):
            got = settle(made, his)
            return [*got, -sum(got)]

        return rounds(worth, 2)

    def rounds(worth, who):
        whole = [Fraction(0)] * 3
        for total, weight in first.items():
            for n, value in enumerate(choose(total, worth, who)):
                whole[n] += Fraction(weight, 100) * value
        return whole

    @cache
    def both(one, two):
        return bank((one, two))

    @cache
    def second(one):
        return rounds(lambda two: both(one, two), 1)

    assert seat_worths(game, 2) == tuple(rounds(second, 0))


@pytest.mark.parametrize("players", [1, 2])
def test_what_the_seats_get_sums_to_nothing(players):
    worths = seat_worths(BoneGame(), players)
    assert len(worths) == players + 1
    assert sum(worths) == 0
    assert worths[-1] > 0


def thrown(game, rng):
    """A player's final total by chance, thrown as :func:`best_bones` advises."""
    total = sum(rng.choices(list(WEIGHT), WEIGHT.values(), k=5))
    done = 0
    while total <= game.target and done < 5:
        bones = best_bones(total, done, game=game, banker="informed").best.bones
        if not bones:
            break
        total += sum(rng.choices(list(WEIGHT), WEIGHT.values(), k=bones))
        done += bones if game.extra_mode == "one_at_a_time" else 5
    return min(total, game.bust)


@pytest.mark.parametrize("game", [GAMES[0], GAMES[4]], ids=["at once", "bone by bone"])
def test_thrown_rounds_come_out_so(game):
    rng, rounds = random.Random(1), 1500
    found = bank_odds(game, "never").player
    fallen = Counter(thrown(game, rng) for _ in range(rounds))
    for total, chance in found.chances:
        mean = float(chance) * rounds
        assert abs(fallen[total] - mean) < 4.5 * max(mean, 1) ** 0.5, total


def test_what_cannot_be_is_refused():
    with pytest.raises(OddsError, match="bank_passes"):
        bank_odds(BoneGame(), "right")
    for players in (0, 4):
        with pytest.raises(OddsError, match="1 to 3"):
            seat_worths(BoneGame(), players)


def test_faces_of_ones_own_bones_count():
    fair = tuple((points, Fraction(1, 4)) for points in WEIGHT)
    found = bank_odds(BoneGame(odds=fair))
    assert isinstance(found, BankOdds)
    assert found.edge != bank_odds().edge
