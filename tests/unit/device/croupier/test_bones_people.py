"""Rounds of people who behave like people: the croupier of knucklebones explains them."""

import random

import pytest

from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.histories import Histories
from device.croupier.interpreter import Interpreter
from device.croupier.resume import resume
from device.simulator.people import bank_customs, play_sitting, setup_by_chance
from engine import event_to_dict
from engine.core.events import Roll
from tests.acceptance.people.judge import RIGHT, judge
from tests.support.readings_player import play, play_log

SITTINGS = 12

BANK = {
    "target": 21,
    "extra_mode": "single_decision",
    "tie": "banker",
    "banker_rule": "free",
    "bank_passes": "best_winner",
}
"""The customs of the bank, as a run of all of them names them."""


def sitting(mix, seed, hands=1, custom=None):
    rng = random.Random(f"bones {mix} {seed}")
    setup = setup_by_chance("knucklebones", "west-kingdom", rng, custom or {})
    return play_sitting(setup, mix, rng, hands)


def events_of(table):
    return [event_to_dict(event) for event in table.session.state.events]


def test_careful_people_mostly_take_all_bones_up_before_they_throw():
    throws = empty = 0
    for seed in range(SITTINGS):
        one = sitting("careful", seed, hands=3)
        throws += sum(event["e"] == "roll" for hand in one.hands for event in hand.events)
        empty += sum('"lies":[]' in line for line in one.lines)
    assert 0.7 * throws < empty < 1.3 * throws


@pytest.mark.parametrize("mix", ["careful", "mixed"])
def test_rounds_are_booked_as_they_were(mix):
    for seed in range(SITTINGS):
        true = sitting(mix, seed)
        judged, _ = judge(true, play(true.lines, true.answers, true.setup))
        assert judged[0].verdict in RIGHT, f"{mix} {seed}: {judged[0].why}"


@pytest.mark.parametrize("custom", bank_customs(), ids=lambda c: "-".join(map(str, c.values())))
def test_every_custom_of_the_bank_is_booked_as_it_was(custom):
    """Bone by bone nobody need press at the end: what the bank wanted is asked."""
    found = []
    for seed in range(2):
        true = sitting("careful", f"custom {seed}", 2, custom)
        judged, _ = judge(true, play(true.lines, true.answers, true.setup))
        found += [each.verdict for each in judged]
    assert len(found) == 4
    assert set(found) <= set(RIGHT)


@pytest.mark.parametrize(
    ("custom", "seed"),
    [
        pytest.param(
            {"target": 31, "tie": "push", "bank_passes": "banker_over"}, "1.0-0", id="off-the-mat"
        ),
        pytest.param({"target": 31}, "1.0-1", id="dialled-before-it-is-asked"),
        pytest.param({}, "3.0-15", id="dialled-while-asked-whose"),
    ],
)
def test_rounds_that_were_booked_wrongly_once(custom, seed):
    """A bone off the mat beside one left lying; a number dialled when a question comes up."""
    options = {**BANK, **custom} if custom else {}
    name = "".join(f"-{value}" for value in options.values())
    rng = random.Random(f"knucklebones-west-kingdom{name}-mixed-{seed}")
    setup = setup_by_chance("knucklebones", "west-kingdom", rng, options)
    true = play_sitting(setup, "mixed", rng, 1)
    judged, _ = judge(true, play(true.lines, true.answers, true.setup))
    assert judged[0].verdict in RIGHT, judged[0].why


@pytest.mark.parametrize("mix", ["careful", "mixed"])
def test_the_true_history_has_a_finite_cost_at_every_look(mix, monkeypatch):
    """The histories kept hold one whose throws so far are those that truly fell by then."""
    seen = []
    see = Histories.see

    def watching(self, look, *, heard=False):
        see(self, look, heard=heard)
        seen.append([thrown(each.state.log) for each in self.kept])

    monkeypatch.setattr(Histories, "see", watching)
    for seed in range(SITTINGS):
        true = sitting(mix, seed)
        all_thrown = [
            (event["seat"], tuple(sorted(event["faces"])))
            for event in true.hands[0].events
            if event["e"] == "roll"
        ]
        seen.clear()
        play_log(true.lines, true.answers, true.setup)
        assert seen
        for number, kept in enumerate(seen):
            alive = any(each == all_thrown[: len(each)] for each in kept)
            assert alive, f"{mix} {seed}: no true history after look {number}: {kept}"
        assert any(each == all_thrown for each in seen[-1]), f"{mix} {seed}"


def thrown(log):
    return [(event.seat, tuple(sorted(event.faces))) for event in log if isinstance(event, Roll)]


def test_the_same_lines_give_the_same_rows():
    true = sitting("mixed", 3, hands=2)
    first, told = play_log(true.lines, true.answers, true.setup)
    second, again = play_log(true.lines, true.answers, true.setup)
    assert (events_of(first), told) == (events_of(second), again)


@pytest.mark.parametrize("seed", range(3))
def test_after_a_power_cut_the_hand_goes_on_as_it_would_have(seed, monkeypatch):
    true = sitting("mixed", seed)
    whole, _ = play_log(true.lines, {}, true.setup)
    for cut in range(5, len(true.lines), 11):
        lines = []
        taken = Interpreter.take_lines

        def taking(self, lines=lines, taken=taken):
            new = taken(self)
            lines.extend(new)
            return new

        with monkeypatch.context() as patch:
            patch.setattr(Interpreter, "take_lines", taking)
            table, _ = play_log(true.lines[:cut], {}, true.setup)
        fresh = Interpreter(BoneMoves(), BoneWords())
        assert resume(fresh, table.session.state, lines), f"{seed}: cut at {cut}"
        advice = fresh.reinterpret(table.session.state)
        assert (advice.back, advice.events) == (0, ()), f"{seed}: cut at {cut}"
    assert whole.session.state.events
