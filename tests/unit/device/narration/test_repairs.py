"""What is told when something was assumed, and when it turns out otherwise."""

import pytest

from device.clock import HandClock
from device.croupier.questions import CroupierResult
from device.narration.announcer import Announcer
from device.narration.speech import SilentSpeaker
from device.narration.story import tell_live
from device.ports import Button, Press
from device.runtime.repairs import after_all, first_difference
from device.runtime.session import REPAIRED, Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from display.i18n.translate import Translator
from engine import TABLE, Card, Deal, Have, Player, Stick, Undo, apply, new_table, view
from engine.core.events import Claim, Declare, Discard, Draw, Knock, Roll, Source, TurnUp

ENGLISH = Translator.of("en")
DEALT = [Deal(seat, None) for _ in range(3) for seat in (0, 1, 2)]


def company():
    return [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]


def played(game, *events):
    state = new_table(game, company(), dealer=2)
    for event in events:
        state = apply(state, event)
    return state


@pytest.fixture
def session(tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as journal:
        found = Session.begin(journal, HandClock(), "one-and-thirty", company(), dealer=2)
        for event in DEALT:
            found.apply(event)
        yield found


def test_a_source_that_is_assumed_is_not_told_and_the_discard_is():
    nine, four = Card.parse("9H"), Card.parse("4C")
    state = played("scat", *DEALT, TurnUp(nine))
    before = view(state, TABLE)
    draw = Draw(0, Source.DISCARD, nine)
    after = view(apply(state, draw), TABLE)
    for assumed in ("source:9H", "one_motion", "unseen_turn,one_motion"):
        assert tell_live(draw, before, after, assumed, ENGLISH) == []
    assert tell_live(draw, before, after, "", ENGLISH) == [
        "Ann takes the nine of hearts from the discard."
    ]
    laid = view(apply(apply(state, draw), Discard(0, four)), TABLE)
    told = tell_live(Discard(0, four), after, laid, "one_motion", ENGLISH)
    assert told == ["Ann lays the four of clubs."]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Draw(1, Source.DISCARD, Card.parse("9H")), "Bess took the nine of hearts after all."),
        (Draw(1, Source.STOCK), "Bess drew from the stock after all."),
        (Discard(1, Card.parse("4C")), "Bess laid the four of clubs after all."),
        (Knock(1), "Bess knocked after all."),
        (Stick(1), "Bess sticks after all."),
        (Deal(1, None), "Bess has another card after all."),
        (Declare(1, Claim.OUT), "Bess is out after all."),
        (Roll(1, (4, 3)), "Bess throws 7 after all."),
        (Undo(), ""),
    ],
)  # fmt: skip
def test_a_repair_is_one_sentence(event, words):
    seen = view(played("one-and-thirty", *DEALT), TABLE)
    assert tell_live(event, seen, seen, REPAIRED, ENGLISH) == ([words] if words else [])


def test_whose_turn_it_is_after_all():
    before = view(played("one-and-thirty", *DEALT, Stick(0)), TABLE)
    after = view(played("one-and-thirty", *DEALT), TABLE)
    assert str(after_all(None, before, after)) == "It is Ann's turn after all."


def test_the_first_difference():
    stick, have = Stick(0), Have(0)
    assert first_difference([stick], [stick, have]) == have
    assert first_difference([stick, have], [have]) == have
    assert first_difference([stick, have], [stick]) is None


def test_a_repair_is_heard_once_and_stops_what_was_being_said(session):
    speaker = SilentSpeaker()
    session.listeners.append(Announcer(speaker).listen)
    session.apply(Stick(0), "silent_stick")
    speaker.heard.clear()
    session.amend(1, [(Have(0), ""), (Deal(0, None), ""), (Stick(0), "")])
    assert list(speaker.heard) == [
        ("chime", "undo"),
        ("hush", ""),
        ("say", "Ann has another card after all."),
    ]


class NoSource:
    trouble = None


class Amending:
    """A croupier that finds at the first press that the last event was another one."""

    def __init__(self):
        self.advice = CroupierResult((Have(0),), back=1)

    def on_press(self, press, state):
        return self.advice

    def reinterpret(self, state):
        return CroupierResult()

    def take_lines(self):
        return ()


def test_a_repair_is_shown_for_a_while(session):
    clock = HandClock()
    table = TableController(session, NoSource(), [], clock)
    session.apply(Stick(0), "silent_stick")
    table.croupier = Amending()
    table.press(Press(Button.HAVE, 0.0))
    assert str(table.prompt.refused) == "Ann has another card after all."
    clock.wait(5.0)
    assert table.prompt.refused == ""
