"""What is asked where no question of the game divides what may have happened."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from device.croupier import interpreter
from device.croupier.forks import Fork, _what, find_fork
from device.croupier.questions import NO, YES, QuestionKind, divides
from device.simulator.people import setup_for
from engine import Player
from engine.core.events import Stick
from engine.core.messages.message import Message
from tests.support.mat_readings import Bench
from tests.support.readings_player import play
from tests.unit.device.croupier.test_logs import AGES

LOGS = Path(__file__).parent / "logs"


def asked_of(name, monkeypatch, waits_for=None):
    """Return each such question of the log *name*, with what is said before it is put.

    Or what would be said before the question *waits_for*.
    """
    told = json.loads((LOGS / f"{name}.json").read_text("utf-8"))
    found = []

    def find(words, histories, look, left_alone):
        fork = find_fork(words, histories, look, left_alone)
        if fork is not None and fork.question.kind is QuestionKind.HISTORY:
            said = words.waiting(waits_for or fork.about, histories.best, look)
            found.append((fork.question, said))
        return fork

    monkeypatch.setattr(interpreter, "find_fork", find)
    ages = AGES[: len(told["players"])]
    who = (tuple(told["players"]), ages, told["dealer"], told["options"])
    setup = setup_for(told["game"], told["preset"], *who)
    lines = (LOGS / f"{name}.jsonl").read_text("utf-8").splitlines()
    play(lines, told["answers"], setup)
    return found


@pytest.mark.parametrize(
    ("name", "title", "before", "answers"),
    [
        (
            "ot_shows_late_and_is_not_out",
            "What did Ann do?",
            "Before that: Ann gets a card.",
            {"Ann has another card.", "Ann sticks."},
        ),
        (
            "ot_laid_anew_with_two_cards_more",
            "What did Bess do?",
            "Before that: Bess gets a card.",
            {"Bess has another card.", "Bess sticks."},
        ),
        (
            "kb_leaning_never_read",
            "What did Ann do?",
            "",
            {"Ann throws 17.", "Nothing else happened."},
        ),
    ],
)
def test_it_is_asked_what_a_player_did_and_told_after_what(
    name, title, before, answers, monkeypatch
):
    question, waiting = asked_of(name, monkeypatch)[-1]
    assert (str(question.text), str(question.detail)) == (title, before)
    assert {str(each.text) for each in question.candidates} == answers
    assert "?" not in str(waiting.text), "what is only waited for is no question"


def test_where_it_was_one_player_or_another_nobody_is_named():
    state = SimpleNamespace(players=(Player(0, "Ann"), Player(1, "Bess")))
    two = [SimpleNamespace(state=state, events=(Stick(seat),)) for seat in (0, 1)]
    assert str(_what(two, 0)) == "What happened?"
    assert str(_what(two[:1], 0)) == "What did Ann do?"


def test_of_a_card_that_is_gone_again_it_only_says_that_it_waits(monkeypatch):
    found = asked_of("ot_shows_late_and_is_not_out", monkeypatch, waits_for="whose:999")
    assert {str(said.text) for _, said in found} == {"I wait for the next move."}


def test_what_is_asked_only_for_money_keeps_nothing_else_from_being_asked():
    """Four histories: where a card came from divides them best, whose turn it is matters."""
    alive = [
        SimpleNamespace(state=turn, cost=cost, events=(), source=source)
        for turn, cost, source in ((0, 0, "stock"), (1, 1, "stock"), (0, 1, "pile"), (0, 1, "pile"))
    ]
    game = SimpleNamespace(frame=lambda state: state, money=lambda state: None)
    histories = SimpleNamespace(
        alive=alive, game=game, doubt=None, agrees=False, is_repairing=False, explained=True
    )
    kinds = {"source": QuestionKind.SOURCE, "turn": QuestionKind.WHOSE}
    words = SimpleNamespace(
        answers=lambda at, look: {"source": at.source, "turn": at.state},
        forgotten=(),
        decided=(),
        question=lambda about, answers, at, look: SimpleNamespace(kind=kinds[about]),
    )
    fork = find_fork(words, histories, None, ())
    assert fork.about == "turn"
    assert [len(part) for part in fork.parts] == [3, 1]
    assert find_fork(words, histories, None, {"turn"}).about == "source"


def test_whether_somebody_is_out_is_not_asked_again_until_something_changes(monkeypatch):
    def find(words, histories, look, left_alone):
        answers = [NO, YES]
        question = divides(QuestionKind.OUT, Message("Is {name} out?", name="Bess"), answers, 1)
        alive = histories.alive
        return Fork("out:1", question, [alive, alive], money=True, urgent=True, since=0)

    monkeypatch.setattr(interpreter, "find_fork", find)
    bench = Bench(3, game="one-and-thirty")
    bench.lay(0)
    assert bench.question.kind is QuestionKind.OUT
    bench.press("have")
    assert bench.question is None
    bench.look()
    assert bench.question is None, "they have said so"
    bench.lay(1)
    assert bench.question.kind is QuestionKind.OUT
    bench.press("have")
    bench.press("undo")
    assert bench.question.kind is QuestionKind.OUT, "the answer was taken back"
