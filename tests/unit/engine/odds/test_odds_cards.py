"""Chances on the way to 31, counted a second time: every hand, every order of a small pack."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest

from engine import Card, deck
from engine.core import counting
from engine.games.one_and_thirty.odds import EFFORT, Opponent, stick_now
from engine.games.one_and_thirty.odds_bone import the_bone
from engine.odds.totals import DEALT, hand_total, next_card, next_card_at, stick_at

ALL_HANDS = list(combinations(deck(), 3))
ACES = [1, 11, "1or11"]


def cards(text):
    return [Card.parse(code) for code in text.split()]


def chances(counts):
    whole = sum(counts.values())
    return {key: Fraction(n) / whole for key, n in counts.items() if n}


# --- cards on the way to 31 ----------------------------------------------------------------------


def best(points, ace):
    return best_of(tuple(sorted(points)), ace)


@cache
def best_of(points, ace):
    """The best total of points in which 1 is an ace; plainly, every ace both ways."""
    ways = product(*(counting.ACES[ace] if each == 1 else (each,) for each in points))
    totals = [sum(way) for way in ways]
    return max((total for total in totals if total <= 31), default=min(totals))


def worth(hand):
    return [card.rank.points for card in hand]


@pytest.mark.parametrize("ace", ACES)
def test_ot4_all_three_card_hands(ace):
    counts = Counter(best(worth(hand), ace) for hand in ALL_HANDS)
    assert dict(hand_total(ace_value=ace).chances) == chances(counts)


@pytest.mark.parametrize("ace", ACES)
def test_ot8_one_more_card_after_all_three_card_hands(ace):
    pack = Counter(worth(deck()))
    by_total = defaultdict(Counter)
    for hand, times in Counter(tuple(sorted(worth(hand))) for hand in ALL_HANDS).items():
        left = pack - Counter(hand)
        for points, number in left.items():
            by_total[best(hand, ace)][best([*hand, points], ace)] += times * number
    for total in range(3, 31):
        if by_total[total]:
            found = next_card_at(total, ace_value=ace)
            assert dict(found.chances) == chances(by_total[total]), total
    whole = sum((by_total[total] for total in by_total if total <= 31), Counter())
    assert dict(next_card(DEALT, ace_value=ace).chances) == chances(whole)


def small_world(rolls, unseen, decks):
    """A pack of which all but some cards are seen: those, and the seen ones."""
    pack = list(deck()) * decks
    rolls.shuffle(pack)
    aces = [card for card in pack if card.rank == "A"][: rolls.randint(0, 2)]
    high = [card for card in pack if card.rank.points > 4 and card not in aces]
    hidden = [*aces, *high][:unseen]
    seen = Counter(pack) - Counter(hidden)
    return hidden, list(seen.elements())


@pytest.mark.parametrize("ace", ACES)
@pytest.mark.parametrize("seed", range(4))
def test_hands_partly_unknown_in_small_worlds(seed, ace):
    """Own cards known and unknown, one more card, and a player who sticks: all orders of a pack."""
    rolls = random.Random(f"{seed} {ace}")
    decks = rolls.choice([1, 2])
    unseen, seen = small_world(rolls, 7, decks)
    known = [seen.pop() for _ in range(rolls.randint(0, 2))]
    hand = [*known, *[None] * (3 - len(known))]
    base, hidden = worth(known), 3 - len(known)
    least = rolls.randint(20, 27)
    now, still, after, final = Counter(), Counter(), Counter(), Counter()
    for order in permutations(worth(unseen)):
        held = [*base, *order[:hidden]]
        now[best(held, ace)] += 1
        if best(held, ace) <= 31:
            still[best(held, ace)] += 1
            after[best([*held, order[hidden]], ace)] += 1
        stock = iter(order[hidden:])
        while best(held, ace) < least:
            held.append(next(stock))
        final[best(held, ace)] += 1
    given = {"decks": decks, "ace_value": ace}
    assert dict(hand_total(hand, seen, **given).chances) == chances(now)
    assert dict(hand_total(hand, seen, still_in=True, **given).chances) == chances(still)
    assert dict(next_card(hand, seen, **given).chances) == chances(after)
    assert dict(stick_at(least, hand, seen, **given).chances) == chances(final)


@pytest.mark.parametrize("ace", ACES)
def test_seeing_one_card_more_changes_nothing_on_the_average(ace):
    """The chance now is the mean of the chances after any unseen card has been shown."""
    hand, seen = [*cards("9H 6S"), None], cards("KD KC 2S AH 5H")
    now = next_card(hand, seen, ace_value=ace, still_in=False)
    rest = [card for card in deck() if card not in seen and card not in hand]
    assert len(rest) == 45
    mean = defaultdict(Fraction)
    for card in rest:
        for total, chance in next_card(hand, [*seen, card], ace_value=ace, still_in=False).chances:
            mean[total] += chance / 45
    assert dict(now.chances) == mean


# --- sticking now --------------------------------------------------------------------------------


def brute_stick(mine, rivals, unseen, ace, tie_rule):
    """Deal the unseen cards in every order: hands first, then to those still to act, in turn."""
    win = share = whole = 0
    for order in permutations(unseen):
        stock, hands = iter(order), []
        for rival in rivals:
            hands.append([next(stock) if c is None else c.rank.points for c in rival.cards])
        beaten = tied = False
        for rival, hand in zip(rivals, hands, strict=True):
            if rival.stick_at is None:
                if not rival.at_least <= best(hand, ace) <= 31:
                    break
            else:
                while best(hand, ace) < rival.stick_at:
                    hand.append(next(stock))
            total = best(hand, ace)
            level = total == mine
            beaten |= mine < total <= 31 or (level and tie_rule == "eldest" and rival.elder)
            tied |= level and tie_rule == "split"
        else:
            whole += 1
            win += not beaten and not tied
            share += tied and not beaten
    return Fraction(win, whole), Fraction(share, whole)


STICKING = {
    "two stuck": ("TS 9S 7S", "?? ?? ??:-:0 ?? ?? ??:-:0", "AH 4H 6D 7C 8H TD KC"),
    "stuck on four": ("TS 9S 7S", "6S ?? ?? ??:-:0 ?? ?? KH:-:0", "2H 3H 4D 8H TD AD KC"),
    "would not have with less": ("TS 9S 6S", "?? ?? ??:-:22 ?? ?? KH:-:20", "AH 4H 6D 9C TD JD"),
    "to act after a stuck one": ("TS 9S 8S", "?? ?? KH:-:0 ?? ?? QH:25:0", "5H 6H 7D 9C 8H TD AC"),
    "two to act": ("TS 9S 8S", "?? ?? KH:24:0 ?? ?? 9H:25:0", "6H 7D 9C 8H TD JD AC 5C"),
    "three, one to act": (
        "TS 9S 5S", "?? ?? KH:-:0 2S ?? ??:26:0 ?? 5H JH:-:0", "6H 7D 9C 8H TD AC 5C 9D",
    ),
}  # fmt: skip
"""Own hand; each rival's cards, sticking total (- if stuck) and least; the unseen cards."""


def rivals_of(text, elder):
    found = []
    hand: list[Card | None] = []
    for word in text.split():
        code, _, rest = word.partition(":")
        hand.append(None if code == "??" else Card.parse(code))
        if rest:
            limit, least = rest.split(":")
            stick_at = None if limit == "-" else int(limit)
            found.append(Opponent(tuple(hand), elder[len(found)], stick_at, int(least)))
            hand = []
    return found


@pytest.mark.parametrize(
    ("ace", "tie_rule"), [(1, "eldest"), (11, "split"), ("1or11", "eldest"), (1, "split")]
)
@pytest.mark.parametrize("name", STICKING)
def test_ot12_sticking_now_in_small_worlds(name, ace, tie_rule):
    own, text, unseen = STICKING[name]
    mine, hidden = cards(own), cards(unseen)
    rivals = rivals_of(text, [True, False, True])
    named_cards = {*mine, *hidden, *(card for rival in rivals for card in rival.cards)}
    seen = [card for card in deck() if card not in named_cards]
    given = {"ace_value": ace, "tie_rule": tie_rule}
    found = stick_now(mine, rivals, seen, effort=None, **given)
    plain_win = brute_stick(best(worth(mine), ace), rivals, worth(hidden), ace, tie_rule)
    assert (found.win, found.share) == plain_win
    assert found.exact
    assert found.lose == 1 - sum(plain_win)
    assert stick_now(mine, rivals[::-1], seen, effort=None, **given) == found


def test_sticking_now_against_two_who_have_stuck_all_deals():
    """One card of each lies up, as in Bone-Ace: 50 · 49 · … orders are too many, pairs are not."""
    mine, up = cards("TS 8S 7D"), cards("KH QH")
    rest = [card.rank.points for card in deck() if card not in mine and card not in up]
    pairs = list(combinations(range(len(rest)), 2))
    good = [{*pair} for pair in pairs if 10 + sum(rest[place] for place in pair) <= 25]
    touching = Counter(place for pair in good for place in pair)
    both = sum(len(good) - sum(touching[place] for place in pair) + 1 for pair in map(tuple, good))
    rivals = [Opponent((None, None, card)) for card in up]
    found = stick_now(mine, rivals)
    assert found.exact
    assert found.win == Fraction(both, len(pairs) * (len(pairs) - 2 * len(rest) + 3))
    alone = stick_now(mine, rivals[:1], up[1:]).win
    assert found.win != alone**2, "hands from one pack are not independent"


def test_effort_runs_out_and_says_so():
    mine, rivals = cards("TH 8C 4D"), [Opponent(DEALT)] * 3
    quick = stick_now(mine, rivals, effort=EFFORT // 10)
    sure = stick_now(mine, rivals, effort=None)
    assert not quick.exact
    assert sure.exact
    assert quick.win != sure.win
    assert float(quick.win) == pytest.approx(float(sure.win), abs=0.002)


def test_ot9_31_has_won_and_nobody_else_in_has_won():
    assert stick_now(cards("TH KC 9D 2D"), [Opponent(DEALT)]).win == 1
    assert stick_now(cards("TH 2D 3S"), []).win == 1


def test_ot13_the_elder_wins_the_tie():
    rivals = {elder: [Opponent(DEALT, elder)] for elder in (True, False)}
    level = hand_total(DEALT, cards("TH 8C 8D")).at(26)
    first, last = (stick_now(cards("TH 8C 8D"), rivals[elder]).win for elder in (False, True))
    assert first - last == level > 0


# --- the Bone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ace", ["low", "high"])
@pytest.mark.parametrize("bone_ace", ["AH", "AD"])
def test_ba4_ties_for_the_bone_all_deals_to_three(bone_ace, ace):
    special = Card.parse(bone_ace)
    seen = cards("KS QS AS")
    rank = {c: 20 if c == special else (14 * (ace == "high") if c.rank == "A" else c.rank.order)
            for c in deck() if c not in seen}  # fmt: skip
    deals = list(combinations(rank, 3))
    tops = [sorted((rank[card] for card in deal), reverse=True) for deal in deals]
    found = the_bone(3, seen, bone_ace=special, upcard_ace=ace)
    assert found.tie == Fraction(sum(top[0] == top[1] for top in tops), len(deals))
    assert found.bone_ace == Fraction(sum(top[0] == 20 for top in tops), len(deals))


def test_ba2_two_bone_aces_of_two_packs_tie():
    pairs = list(combinations([*deck(), *deck()], 2))
    assert the_bone(2, decks=2).tie == Fraction(
        sum(a == b or (a.rank == b.rank and Card.parse("AH") not in (a, b)) for a, b in pairs),
        len(pairs),
    )
