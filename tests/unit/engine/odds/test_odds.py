"""Chances against two tables, and questions that make no sense.

One table is our own, counted plainly by plain_counts.py; the other was published by others and lies
beside the project, where it does.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import pytest

from engine import Card, deck
from engine.games.knucklebones import odds as kb
from engine.games.knucklebones.odds import BoneGame, best_bones, best_bones_of_banker, same_table
from engine.games.knucklebones.odds_throws import PUBLISHED, extra_bones, faces, throw_totals
from engine.games.one_and_thirty.odds import Opponent, stick_now
from engine.games.one_and_thirty.odds_bone import the_bone
from engine.games.scat.odds import THREE_KIND, beats, brag_counts, brag_hands, draw, starting_hand
from engine.odds.totals import DEALT, hand_total, next_card, next_card_at, next_card_onto, stick_at
from engine.odds.unseen import OddsError
from tests.support.paths import SHARED
from tests.unit.engine.odds import plain_counts

TABLES = {"ours": plain_counts.TABLE, "published": SHARED / "rules" / "odds.json"}
ALL_HANDS = list(combinations(deck(), 3))


def cards(text):
    return [Card.parse(code) for code in text.split()]


# --- the tables --------------------------------------------------------------------------------


def plain(value):
    """A table without decimals: "1/2", or ``{"fraction": "1/2", "value": 0.5}``, is one half."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, str) and "/" in value:
        return Fraction(value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"fraction", "value"}:
        assert float(Fraction(value["fraction"])) == pytest.approx(value["value"], abs=1e-11)
        return Fraction(value["fraction"])
    return {key: plain(each) for key, each in value.items() if key != "note"}


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    path = TABLES[request.param]
    if not path.exists():
        pytest.skip(f"no published table of odds at {path}: it lies beside the project")
    return plain(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("section", plain_counts.SECTIONS)
def test_our_table_is_what_plain_counting_comes_to(section):
    """Every hand and every throw, by code that shares nothing with the product."""
    told = json.loads(plain_counts.TABLE.read_text(encoding="utf-8"))
    for key in section.split():
        told = told[key]
    found = plain_counts.written(plain_counts.SECTIONS[section]())
    assert found == ({key: told[key] for key in found} if isinstance(found, dict) else told)


def named(values):
    return {str(key): chance for key, chance in values.chances}


def next_cards(row, ask):
    totals = {total: ask(int(total)) for total in row}
    return {t: {"bust": c.over, "exactly_31": c.exactly_31} for t, c in totals.items()}


@pytest.mark.parametrize("ace", [1, 11])
def test_totals_and_next_cards(table, ace):
    dealt = hand_total(ace_value=ace)
    found = {
        "three_card_total": named(dealt),
        "p_31_on_the_deal": dealt.exactly_31,
        "p_over_31_on_the_deal": dealt.over,
        "mean": dealt.mean,
    }
    told = table["one_and_thirty"][f"ace_{ace}"]
    for held, word in ((3, "three"), (4, "four"), (5, "five")):
        name = f"next_card_by_{word}_card_total"
        found[name] = next_cards(
            told[name], lambda total, held=held: next_card_at(total, held, ace_value=ace)
        )
    assert found == told


def test_fresh_pack_and_sticking(table):
    told = table["one_and_thirty"]
    name = "fresh_pack_next_card_ace_1"
    assert next_cards(told[name], next_card_onto) == told[name]
    found = {}
    for least in told["stick_at_or_above_ace_1"]:
        ends = stick_at(int(least))
        found[least] = {"bust": ends.over, "exactly_31": ends.exactly_31}
        found[least] |= {f"ends_{total}": ends.at(total) for total in range(22, 31)}
    assert found == told["stick_at_or_above_ace_1"]
    assert told["combinations"] == len(ALL_HANDS)


def test_the_bone_between_two_to_eight(table):
    found = {}
    for players in range(2, 9):
        bone = the_bone(players)
        found[str(players)] = {
            "p_tie_for_the_bone": bone.tie,
            "p_ace_of_hearts_face_up": bone.bone_ace,
        }
    assert found == table["bone_ace"]


def test_throws_and_extra_bones(table):
    told, first = table["knucklebones"], throw_totals(5)
    assert {str(points): chance for points, chance in PUBLISHED} == told["faces"]
    assert named(first) == told["five_bone_total"]
    assert first.between(22, 30) == told["p_over_21_first_roll"]
    assert (first.at(21), first.mean) == (told["p_exactly_21_first_roll"], told["mean_first_roll"])
    assert {str(n): named(throw_totals(n)) for n in range(1, 6)} == told["n_bone_totals"]
    rows = {}
    for total in told["by_first_total_and_extra_bones"]:
        extra = {str(n): extra_bones(int(total), n) for n in range(6)}
        rows[total] = {
            n: {"p_bust": e.bust, "p_exactly_21": e.exact, "mean_if_not_bust": e.mean_if_in}
            if e.mean_if_in is not None
            else {"p_bust": e.bust, "p_exactly_21": e.exact, "mean_if_not_bust": None}
            for n, e in extra.items()
        }
    assert rows == told["by_first_total_and_extra_bones"]


def played(game, ends, told, **ask):
    advice = {total: best_bones(int(total), **ask) for total in told["p_win_by_first_total"]}
    whole = kb.overall(game, ends)
    return {
        "best_extra_by_first_total": {t: a.best.bones for t, a in advice.items()},
        "p_win_by_first_total": {t: a.best.win for t, a in advice.items()},
        "p_win_by_first_total_and_extra": {
            t: [throw.win for throw in a.choices] for t, a in advice.items()
        },
        "p_player_wins_overall": whole.win,
        "player_expectation_per_stake": whole.result,
    }


def always(bones, game):
    return kb.Table(tuple(((total, 5), bones) for total in range(game.target + 1)))


def test_best_numbers_of_bones_against_the_same_table(table):
    game = BoneGame()
    (best,) = same_table(game)
    kept = [kb.End(Fraction(0), Fraction(0), Fraction(points)) for points in range(22)]
    over = kb.End(Fraction(0), Fraction(0), Fraction(0))
    starts = {
        "start_0_extra": always(0, game),
        "start_5_extra": always(5, game),
        "start_max_mean": kb.best_answer(game, kb.Ends([*kept, over])),
    }
    told = table["knucklebones"]["same_policy_banker"]
    found = {}
    for name, start in starts.items():
        way = kb.answers(game, start)
        assert way[-1] == best, "every start leads to the same table"
        finals = named(kb.finals(best, game))
        finals["bust"] = finals.pop("22")
        found[name] = {
            "result": "fixed point" if way[-1] == way[-2] else "circle",
            "iterations": len(way) - 1,
            "final_distribution": finals,
            **played(game, kb.against((best,), game), told[name]),
        }
    assert found == told


def test_banker_who_sees_the_total(table):
    told, game = table["knucklebones"]["informed_banker_heads_up"], BoneGame()
    ends = kb.against_informed(game)
    found = played(game, ends, told, banker="informed")
    found["banker_best_extra"] = {
        mine: {
            total: best_bones_of_banker(int(total), [(int(mine), 1)]).best.bones for total in row
        }
        for mine, row in told["banker_best_extra"].items()
    }
    found["p_banker_wins_against_total"] = {
        mine: 1 - ends[int(mine)].win for mine in told["p_banker_wins_against_total"]
    }
    assert found == told


@pytest.mark.parametrize("pack", [52, 32])
def test_scat_hands(table, pack):
    hands = starting_hand(pack=pack)
    assert table["scat"][f"deck_{pack}"] == {
        "hands": sum(brag_counts([c for c in deck() if c not in pack_of(pack)]).values()),
        "value": named(hands),
        "p_31": hands.at(31),
        "p_three_of_a_kind": starting_hand(pack=pack, three_kind="rank").at(THREE_KIND),
        "mean": hands.mean,
    }


def pack_of(size):
    return [card for card in deck() if size == 52 or card.rank in "A789TJQK"]


def test_brag_hands(table):
    assert table["brag"] == {"counts": brag_counts(), "odds": brag_hands()}


# --- questions that make no sense ----------------------------------------------------------------

WRONG = {
    "a card twice": (lambda: next_card(cards("TH 8C 4D"), cards("TH")), "TH"),
    "not in 32 cards": (lambda: draw(cards("TH 8C 4D"), pack=32), "4D"),
    "an ace of 5": (lambda: hand_total(ace_value=5), "1or11"),
    "no such total": (lambda: next_card_at(31), "check"),
    "over 31": (lambda: stick_now(cards("TH KC QD 2S"), []), "before"),
    "own hand unknown": (lambda: stick_now([None, *cards("TH KC")], []), "hand_total"),
    "impossible hand": (
        lambda: stick_now(cards("TH 8C 4D"), [Opponent((*cards("TS KS"), None), at_least=31)]),
        "check",
    ),
    "tie rule": (lambda: stick_now(cards("TH 8C 4D"), [], tie_rule="toss"), "split"),
    "too small a stock": (lambda: stick_at(30, DEALT, deck()[5:]), "lower limit"),
    "no card left to draw": (lambda: next_card((None, None), deck()[2:]), "3 cards"),
    "more backs than cards": (lambda: hand_total(DEALT, deck()[2:]), "two packs"),
    "no players": (lambda: the_bone(0), "1 or more"),
    "aces": (lambda: the_bone(3, upcard_ace="best"), "high"),
    "minus one bone": (lambda: throw_totals(-1), "0 or more"),
    "faces that do not sum to 1": (
        lambda: throw_totals(2, 0, ((1, Fraction(1, 2)),)),
        "sum to 1",
    ),
    "nothing counted": (lambda: faces({}), "count"),
    "a total over the target": (lambda: best_bones(22), "nothing to choose"),
    "a second decision": (lambda: best_bones(12, 1), "single_decision"),
    "a banker": (lambda: best_bones(12, banker="blind"), "informed"),
    "a player who is out": (lambda: best_bones_of_banker(12, [(22, 1)]), "still in"),
    "a rule": (lambda: BoneGame(tie="player"), "push"),
    "four cards before a draw": (lambda: draw(cards("TH 8C 4D 5D")), "3"),
    "three of what": (lambda: draw(cards("TH 8C 4D"), three_kind="suit"), "rank"),
    "three of a kind among many": (lambda: beats(20, 2, three_kind="rank"), "hands=1"),
    "eighteen hands": (lambda: beats(20, 18), "52"),
    "a pack of 40": (lambda: starting_hand(pack=40), "32"),
    "no cards left": (lambda: brag_hands(deck()[:50]), "check"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_questions_say_what_to_do(name):
    ask, remedy = WRONG[name]
    with pytest.raises(OddsError) as refusal:
        ask()
    assert remedy in str(refusal.value)
    assert isinstance(refusal.value, ValueError)
