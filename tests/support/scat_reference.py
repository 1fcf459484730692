"""A second, plainer scorer of Thirty-one: from hands laid open, seat by seat, by the letter.

It knows no turns and no legality, and shares no code with the engine.
"""

from __future__ import annotations

from collections import Counter

PIPS = dict(zip("A23456789TJQK", (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
HEIGHT = {rank: height for height, rank in enumerate("23456789TJQKA")}


def plain_value(hand, three_kind="off", suits_differ=True):
    """Add up by the letters of the cards alone (SC-2, TK-1 to TK-4)."""
    codes = [str(card) for card in hand]
    sums = Counter()
    for rank, suit in codes:
        sums[suit] += PIPS[rank]
    best = min(31, max(sums.values()))
    ranks, suits = {code[0] for code in codes}, {code[1] for code in codes}
    alike = len(ranks) == 1 or (three_kind == "value" and len({PIPS[r] for r in ranks}) == 1)
    counts = three_kind != "off" and alike and (len(suits) == 3 or not suits_differ)
    return 30.5 if counts and best < 30.5 else best


def plain_brag(hand, a23="top", threes_top=True):
    """Give a hand a word of letters that sorts as the hands do (SB-1, SB-4 to SB-6)."""
    codes = [str(card) for card in hand]
    down = "".join(sorted((code[0] for code in codes), key=HEIGHT.__getitem__, reverse=True))
    flush = len({code[1] for code in codes}) == 1
    runs = ["432", "543", "654", "765", "876", "987", "T98", "JT9", "QJT", "KQJ", "AKQ"]
    runs = [*runs, "A32"] if a23 == "top" else ["A32", *runs]
    tall = [HEIGHT[rank] for rank in down]
    if len(set(down)) == 1:
        return 5, 99 if down == "333" and threes_top else tall[0]
    if down in runs:
        return (4 if flush else 3), runs.index(down)
    if flush:
        return (2, *tall)
    if len(set(down)) == 2:
        pair = next(rank for rank in down if down.count(rank) == 2)
        odd = next(rank for rank in down if down.count(rank) == 1)
        return 1, HEIGHT[pair], HEIGHT[odd]
    return (0, *tall)


def plain_loss(seat, values, knocker, penalty, tie):
    """What one seat loses in a showdown, asked of that seat alone (SC-7 to SC-10, CQ-1, WL-2)."""
    lower = [other for other, value in values.items() if value < values[seat]]
    same = [s for s, value in values.items() if value == values[seat] and s != seat]
    if lower:
        return 0
    if seat == knocker:
        if not same:
            return penalty
        return {"safe": 0, "both": penalty, "knocker_only": penalty, "all_lose": 1}[tie]
    return 0 if knocker in same and tie == "knocker_only" else 1


def plainly_gone(before, count, free_ride, last):
    """Take the lives one by one, and see when the player has none to pay with (SC-19, SC-20)."""
    if count == 0:
        return False
    if not free_ride:
        return before - count <= 0
    if before == 0:
        return True  # any loss on the county
    return count > before and last == "out"


def plain_points(seat, values, knocker, post_knock_31=3):
    """Low, middle or high, asked of one seat alone (NE-1 to NE-3, NE-5)."""
    lowest = [s for s in values if values[s] == min(values.values())]
    if values[seat] == max(values.values()):
        return 4 if seat == knocker else post_knock_31 if values[seat] == 31 else 3
    alone = lowest == [seat]
    if seat == knocker:
        return 0 if alone else 1
    return 1 if alone else 2


def plain_blitz_points(seat, values, winners, knocker, others):
    """Six for a blitz, the rest ranked below it (NE-4)."""
    if seat in winners:
        return 6
    if others == "zero":
        return 0
    rest = {s: v for s, v in values.items() if s not in winners}
    alone = [s for s in rest if rest[s] == min(rest.values())] == [seat]
    if seat == knocker:
        return 0 if alone else 1
    return 1 if alone else 2


def plain_pot(seats, winners, ante, bonus, carried):
    """What each wins or loses of a pot; *winners* the eldest first (BK-1 to BK-6, G-18)."""
    put_in = {seat: ante + (0 if seat in winners else bonus) for seat in seats}
    pot = carried + sum(put_in.values())
    got = dict.fromkeys(seats, 0)
    for winner in winners:
        got[winner] = pot // len(winners)
    if winners:
        got[winners[0]] += pot % len(winners)
    return {seat: got[seat] - put_in[seat] for seat in seats}
