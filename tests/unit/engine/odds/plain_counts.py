"""The odds counted plainly, hand by hand and throw by throw; nothing of the product is used.

python tests/unit/engine/odds/plain_counts.py writes what they come to into golden.json.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, perm, prod
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("golden.json")
PIPS = {**dict.fromkeys(range(1, 10), 4), 10: 16}
"""How many cards of a pack count so much; 1 is an ace."""
BONE = {1: 1, 3: 4, 4: 4, 6: 1}
"""Of ten throws of one bone (RULES E13)."""


# --- cards on the way to 31 ----------------------------------------------------------------------


def taken(pack: Mapping[int, int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every *size* cards by their kinds, and in how many ways they can be so."""
    for cards in combinations_with_replacement(sorted(pack), size):
        ways = prod(comb(pack[kind], cards.count(kind)) for kind in set(cards))
        if ways:
            yield cards, ways


def worth(cards: tuple[int, ...], ace: int) -> int:
    return sum(ace if card == 1 else card for card in cards)


def three_cards(ace: int) -> dict[str, Any]:
    totals: Counter[int] = Counter()
    for cards, ways in taken(PIPS, 3):
        totals[worth(cards, ace)] += ways
    chances = {total: Fraction(totals[total], comb(52, 3)) for total in sorted(totals)}
    return {
        "three_card_total": chances,
        "p_31_on_the_deal": chances.get(31, Fraction(0)),
        "p_over_31_on_the_deal": sum((p for t, p in chances.items() if t > 31), Fraction(0)),
        "mean": sum(total * chance for total, chance in chances.items()),
    }


def one_more(held: int, ace: int) -> dict[int, dict[str, Fraction]]:
    """Of all hands of so many cards with one total: the chances of the next card."""
    every: Counter[int] = Counter()
    bust: Counter[int] = Counter()
    exact: Counter[int] = Counter()
    for cards, ways in taken(PIPS, held):
        total = worth(cards, ace)
        if total > 30:
            continue
        for card, number in PIPS.items():
            left, after = ways * (number - cards.count(card)), worth((*cards, card), ace)
            every[total] += left
            bust[total] += left * (after > 31)
            exact[total] += left * (after == 31)
    return {
        total: {
            "bust": Fraction(bust[total], every[total]),
            "exactly_31": Fraction(exact[total], every[total]),
        }
        for total in sorted(every)
    }


def fresh_pack() -> dict[int, dict[str, Fraction]]:
    return {
        total: {
            "bust": Fraction(sum(n for card, n in PIPS.items() if total + card > 31), 52),
            "exactly_31": Fraction(PIPS.get(31 - total, 0), 52),
        }
        for total in range(3, 31)
    }


def sticking_at(least: int) -> dict[str, Fraction]:
    """Where a player ends who sticks at *least* or more: every order of the pack, card by card."""
    ends = Counter[int]()
    chances: dict[int, Fraction] = {}
    kinds = tuple(PIPS)
    going = {(0,) * len(kinds): 1}
    drawn = 0
    while going:
        after: Counter[tuple[int, ...]] = Counter()
        drawn += 1
        for held, ways in going.items():
            for place, kind in enumerate(kinds):
                if left := PIPS[kind] - held[place]:
                    more = (*held[:place], held[place] + 1, *held[place + 1 :])
                    after[more] += ways * left
        going, ends = {}, Counter()
        for held, ways in after.items():
            total = sum(n * kind for n, kind in zip(held, kinds, strict=True))
            if drawn < 3 or total < least:
                going[held] = ways
            else:
                ends[min(total, 32)] += ways
        for total, ways in ends.items():
            chances[total] = chances.get(total, Fraction(0)) + Fraction(ways, perm(52, drawn))
    named = {f"ends_{total}": chances.get(total, Fraction(0)) for total in range(22, 31)}
    return {
        "bust": chances.get(32, Fraction(0)),
        "exactly_31": chances.get(31, Fraction(0)),
        **named,
    }


def the_bone(players: int) -> dict[str, Fraction]:
    """The third cards by rank: other aces 1, two to king 2 to 13, the Bone-Ace 14."""
    ranks = {1: 3, **dict.fromkeys(range(2, 14), 4), 14: 1}
    tie = bone_ace = 0
    for cards, ways in taken(ranks, players):
        tie += ways * (cards[-1] == cards[-2])
        bone_ace += ways * (cards[-1] == 14)
    whole = comb(52, players)
    return {
        "p_tie_for_the_bone": Fraction(tie, whole),
        "p_ace_of_hearts_face_up": Fraction(bone_ace, whole),
    }


# --- bones ---------------------------------------------------------------------------------------


def thrown(bones: int) -> dict[int, Fraction]:
    """Every throw of so many bones: the chance of each sum."""
    sums: Counter[int] = Counter()
    for faces in product(BONE, repeat=bones):
        sums[sum(faces)] += prod(BONE[face] for face in faces)
    return {total: Fraction(sums[total], 10**bones) for total in sorted(sums)}


THROWN = [thrown(bones) for bones in range(6)]
FIRST = [total for total in THROWN[5] if total <= 21]
"""First totals after which there is something to choose."""
Worth = Callable[[int | None], Fraction]
"""What a final total is worth; ``None``: over 21."""


def mean_of(worth_of: Worth, total: int, bones: int) -> Fraction:
    return sum(
        (p * worth_of(total + n if total + n <= 21 else None) for n, p in THROWN[bones].items()),
        Fraction(0),
    )


def best_of(worth_of: Worth, total: int) -> int:
    """Of equal numbers of bones the fewest."""
    return max(range(6), key=lambda bones: (mean_of(worth_of, total, bones), -bones))


def extra(total: int, bones: int) -> dict[str, Fraction | None]:
    kept = {total + n: p for n, p in THROWN[bones].items() if total + n <= 21}
    inside = sum(kept.values(), Fraction(0))
    return {
        "p_bust": 1 - inside,
        "p_exactly_21": kept.get(21, Fraction(0)),
        "mean_if_not_bust": sum(t * p for t, p in kept.items()) / inside if kept else None,
    }


def first_throw() -> dict[str, Any]:
    return {
        "faces": {face: Fraction(n, 10) for face, n in BONE.items()},
        "five_bone_total": THROWN[5],
        "p_over_21_first_roll": sum(p for total, p in THROWN[5].items() if total > 21),
        "p_exactly_21_first_roll": THROWN[5][21],
        "mean_first_roll": sum(total * p for total, p in THROWN[5].items()),
        "n_bone_totals": {bones: THROWN[bones] for bones in range(1, 6)},
        "by_first_total_and_extra_bones": {
            total: {bones: extra(total, bones) for bones in range(6)} for total in FIRST
        },
    }


def ends_of(policy: Mapping[int, int]) -> dict[int | None, Fraction]:
    """Where somebody ends who throws so many bones after each first total."""
    ends: dict[int | None, Fraction] = {}
    for first, chance in THROWN[5].items():
        for more, share in THROWN[policy.get(first, 0)].items():
            end = first + more if first + more <= 21 else None
            ends[end] = ends.get(end, Fraction(0)) + chance * share
    return ends


def against(bank: Mapping[int | None, Fraction]) -> Worth:
    """The chance to win with a final total; ties go to the bank."""

    def worth_of(mine: int | None) -> Fraction:
        if mine is None:
            return Fraction(0)
        return sum((p for end, p in bank.items() if end is None or end < mine), Fraction(0))

    by_total = {mine: worth_of(mine) for mine in (None, *range(22))}
    return by_total.__getitem__


def answer(worth_of: Worth) -> dict[int, int]:
    return {total: best_of(worth_of, total) for total in FIRST}


def played(worth_of: Worth) -> dict[str, Any]:
    """What somebody wins who plays best where final totals are worth so much."""
    choices = {total: [mean_of(worth_of, total, bones) for bones in range(6)] for total in FIRST}
    win = sum((THROWN[5][total] * max(choices[total]) for total in FIRST), Fraction(0))
    return {
        "best_extra_by_first_total": answer(worth_of),
        "p_win_by_first_total": {total: max(row) for total, row in choices.items()},
        "p_win_by_first_total_and_extra": choices,
        "p_player_wins_overall": win,
        "player_expectation_per_stake": 2 * win - 1,
    }


def same_policy_banker() -> dict[str, Any]:
    """Answers to answers, from three beginnings, until one is the answer to itself."""
    found = {}
    for name, policy in {
        "start_0_extra": dict.fromkeys(FIRST, 0),
        "start_5_extra": dict.fromkeys(FIRST, 5),
        "start_max_mean": answer(lambda total: Fraction(total or 0)),
    }.items():
        way = [policy]
        while len(way) < 3 or way[-1] != way[-2]:
            way.append(answer(against(ends_of(way[-1]))))
        ends = ends_of(way[-1])
        totals = {total: ends[total] for total in sorted(t for t in ends if t is not None)}
        found[name] = {
            "result": "fixed point",
            "iterations": len(way) - 2,
            "final_distribution": {**totals, "bust": ends[None]},
            **played(against(ends)),
        }
    return found


def informed_banker() -> dict[str, Any]:
    """One player; the banker knows what is to be beaten, and wins with as much."""
    banker, best = {}, {}
    for mine in range(5, 22):

        def worth_of(end: int | None, mine: int = mine) -> Fraction:
            return Fraction(end is not None and end >= mine)

        best[mine] = answer(worth_of)
        banker[mine] = sum(
            (THROWN[5][first] * mean_of(worth_of, first, best[mine][first]) for first in FIRST),
            Fraction(0),
        )
    return {
        **played(lambda mine: Fraction(0) if mine is None else 1 - banker[mine]),
        "banker_best_extra": best,
        "p_banker_wins_against_total": banker,
    }


# --- hands of three ------------------------------------------------------------------------------


def starting_hands(ranks: str) -> dict[str, Any]:
    values: Counter[int] = Counter()
    alike = 0
    for hand in combinations(product(ranks, "SHDC"), 3):
        suits: Counter[str] = Counter()
        for rank, suit in hand:
            suits[suit] += 11 if rank == "A" else int(rank) if rank.isdigit() else 10
        values[max(suits.values())] += 1
        alike += len({rank for rank, _ in hand}) == 1
    whole = values.total()
    return {
        "hands": whole,
        "value": {value: Fraction(values[value], whole) for value in sorted(values)},
        "p_31": Fraction(values[31], whole),
        "p_three_of_a_kind": Fraction(alike, whole),
        "mean": Fraction(sum(value * n for value, n in values.items()), whole),
    }


def brag() -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    for hand in combinations(product("23456789TJQKA", "SHDC"), 3):
        ranks = sorted("A23456789TJQKA".rindex(rank) for rank, _ in hand)
        flush = len({suit for _, suit in hand}) == 1
        run = ranks == [1, 2, 13] or ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        alike = {1: "prial", 2: "pair", 3: "high card"}[len(set(ranks))]
        in_order = {(1, 1): "running flush", (1, 0): "run", (0, 1): "flush"}
        kinds[in_order.get((run, flush), alike)] += 1
    return {
        "counts": dict(kinds),
        "odds": {kind: Fraction(n, kinds.total()) for kind, n in kinds.items()},
    }


# --- the table -----------------------------------------------------------------------------------

WORDS = {3: "three", 4: "four", 5: "five"}
SECTIONS: dict[str, Callable[[], Any]] = {
    "one_and_thirty combinations": lambda: comb(52, 3),
    "one_and_thirty fresh_pack_next_card_ace_1": fresh_pack,
    "one_and_thirty stick_at_or_above_ace_1": lambda: {n: sticking_at(n) for n in range(22, 31)},
    "bone_ace": lambda: {players: the_bone(players) for players in range(2, 9)},
    "knucklebones": first_throw,
    "knucklebones same_policy_banker": same_policy_banker,
    "knucklebones informed_banker_heads_up": informed_banker,
    "scat deck_52": lambda: starting_hands("A23456789TJQK"),
    "scat deck_32": lambda: starting_hands("A789TJQK"),
    "brag": brag,
}
for _ace in (1, 11):
    SECTIONS[f"one_and_thirty ace_{_ace}"] = lambda ace=_ace: {
        **three_cards(ace),
        **{f"next_card_by_{word}_card_total": one_more(n, ace) for n, word in WORDS.items()},
    }


def written(value: Any) -> Any:
    """Return *value* as JSON has it: a fraction as ``"1/2"``, a key as text."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): written(each) for key, each in value.items()}
    return [written(each) for each in value] if isinstance(value, list) else value


def main() -> None:
    table: dict[str, Any] = {}
    for name, count in SECTIONS.items():
        *path, last = name.split()
        place = table
        for key in path:
            place = place.setdefault(key, {})
        found = written(count())
        place[last] = {**place.get(last, {}), **found} if isinstance(found, dict) else found
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
