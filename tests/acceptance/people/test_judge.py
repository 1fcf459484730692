"""The judge, with a player who sees everything and with players who are wrong on purpose."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from device.simulator.people import Happening, play_sitting, setup_by_chance
from tests.acceptance.people import people
from tests.acceptance.people.judge import Judged, Tables, Verdict, judge, table, wilson
from tests.acceptance.people.protocol import Played, truth_told, write_down


def sitting_of(game, hands=1, seed=3):
    rng = random.Random(f"judge {game} {seed}")
    preset = {"scat": "wikipedia", "knucklebones": "west-kingdom"}.get(game, "willughby")
    return play_sitting(setup_by_chance(game, preset, rng), "careful", rng, hands)


def told(sitting, *out, **changes):
    """Return a player's booking that is the truth, but for *changes* in its last hand."""
    hands = [dict(hand.result) for hand in sitting.hands]
    hands[-1].update(changes)
    return Played(tuple(hands), out)


def verdicts(sitting, played):
    return [each.verdict for each in judge(sitting, played)[0]]


@pytest.fixture
def bones():
    return sitting_of("knucklebones")


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace", "knucklebones", "scat"])
def test_the_truth_is_right_unasked(game):
    sitting = sitting_of(game, hands=2)
    assert verdicts(sitting, told(sitting)) == [Verdict.RIGHT_UNASKED] * 2


def test_the_engine_with_the_true_events_is_right(bones):
    assert verdicts(bones, truth_told(bones)) == [Verdict.RIGHT_UNASKED]


def test_a_token_too_many_is_a_silent_misbooking(bones):
    settlement = dict(bones.hands[0].result["settlement"])
    first, second = list(settlement)[:2]
    settlement[first] += 1
    settlement[second] -= 1
    (one,), _ = judge(bones, told(bones, settlement=settlement))
    assert one.verdict is Verdict.WRONG_SILENT
    assert "settlement" in one.why


def test_the_bank_with_another_is_a_silent_misbooking(bones):
    other = (bones.hands[0].result["next_banker"] + 1) % len(bones.setup.players)
    assert verdicts(bones, told(bones, next_banker=other)) == [Verdict.WRONG_SILENT]


@pytest.mark.parametrize(("key", "value"), [("lost", {"0": 3}), ("eliminated", [1])])
def test_another_life_lost_is_a_silent_misbooking(key, value):
    sitting = sitting_of("scat")
    assert verdicts(sitting, told(sitting, **{key: value})) == [Verdict.WRONG_SILENT]


def test_a_question_counts_for_the_hand_it_is_asked_in():
    sitting = sitting_of("knucklebones", hands=2)
    asked = {"t": sitting.hands[1].began_s + 1.0, "asked": {"id": 1, "kind": "number"}}
    judged, _ = judge(sitting, told(sitting, asked))
    assert [each.verdict for each in judged] == [Verdict.RIGHT_UNASKED, Verdict.RIGHT_ASKED]
    assert [each.asked for each in judged] == [Counter(), Counter(number=1)]


def test_asked_and_still_wrong_is_wrong(bones):
    asked = {"t": 1.0, "asked": {"id": 1, "kind": "number"}}
    wrong = dict.fromkeys(bones.hands[0].result["settlement"], 9)
    assert verdicts(bones, told(bones, asked, settlement=wrong)) == [Verdict.WRONG_ASKED]


def test_a_question_left_open_is_open(bones):
    left = {"t": 9.0, "end": {"open": 1}}
    assert verdicts(bones, Played((), (left,))) == [Verdict.OPEN]


def test_a_hand_without_result_or_question_is_none(bones):
    gone = {"t": 9.0, "end": {"open": None}}
    assert verdicts(bones, Played((), (gone,))) == [Verdict.STUCK]


def test_a_misdeal_is_given_up(bones):
    assert verdicts(bones, told(bones, end="misdeal")) == [Verdict.GIVEN_UP]


def test_hands_after_one_that_is_not_right_are_not_judged():
    sitting = sitting_of("knucklebones", hands=3)
    hands = [{**hand.result, "settlement": {"0": 7}} for hand in sitting.hands]
    judged, unjudged = judge(sitting, Played(tuple(hands)))
    assert len(judged) == 1
    assert unjudged == 2


def test_wilson_bounds():
    # Newcombe 1998, table I: 15 of 148, and 0 of 20.
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_the_table_says_how_each_happening_ended():
    counted = Tables()
    for verdict in (Verdict.RIGHT_UNASKED, Verdict.WRONG_SILENT):
        counted.add(Judged(verdict, Counter({Happening.BUMPED: 3}), Counter(whose=1)))
    other = Tables()
    other.add(Judged(Verdict.RIGHT_ASKED, Counter({Happening.BUMPED: 1}), Counter(number=1)))
    counted.join(other)
    lines = table(counted)
    row = next(line for line in lines if line.startswith("bone bumped"))
    assert row.split()[2:5] == ["7", "3", "1"]
    assert "questions a hand: 1.000 (whose 2, number 1)" in lines[-1]


def test_the_table_tells_how_long_looks_took():
    counted, other = Tables(looks_s=[0.001 * ms for ms in range(2, 101)]), Tables(looks_s=[2.5])
    counted.join(other)
    assert table(counted)[-1] == (
        "ms of computing, on this machine, until each of 100 looks: "
        "median 51.0, 99 % 100.0, worst 2500.0"
    )


def wrong_on_purpose(lines, answers, setup):
    """A player under test who gives every hand to nobody."""
    del lines, setup
    return Played(tuple({"end": "showdown"} for _ in answers["hands"]))


def run(capsys, *words):
    code = people.main(["--game", "knucklebones", "--mix", "careful", "--hands", "12", *words])
    return code, capsys.readouterr().out


def test_the_harness_says_no_to_a_wrong_player(capsys, tmp_path):
    name = f"{__name__}:wrong_on_purpose"
    code, out = run(capsys, "--player", name, "--save", str(tmp_path))
    assert code == 1
    assert "knucklebones, careful people" in out
    assert (tmp_path / "verdicts.txt").read_text().count("SILENT WRONG") >= 3
    assert list(tmp_path.glob("*.jsonl"))


def test_the_harness_compares_engine_and_oracle_without_a_player(capsys, monkeypatch):
    def perfect(sitting):
        return Played(tuple(hand.result for hand in sitting.hands))

    monkeypatch.setattr(people, "truth_told", perfect)
    code, out = run(capsys)
    assert code == 0
    assert "all hands" in out


def test_the_harness_gives_the_same_for_the_same_seed(tmp_path, capsys):
    for folder in ("one", "two"):
        run(capsys, "--write", str(tmp_path / folder))
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two]
    assert [path.read_text() for path in one] == [path.read_text() for path in two]


def test_a_sitting_is_written_for_play(tmp_path):
    sitting = sitting_of("scat")
    write_down(replace(sitting, lines=sitting.lines[:3]), tmp_path, "short")
    assert len((tmp_path / "short.jsonl").read_text().splitlines()) == 3
    assert {path.suffix for path in tmp_path.iterdir()} == {".jsonl", ".json"}
