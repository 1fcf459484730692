"""``boneace correct``: what it changes, what it refuses, and that nobody else writes meanwhile."""

import json

import pytest

from device.cli import main
from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from engine import Card, Deal, NextHand, Player
from engine.core.events import (
    Choose,
    Claim,
    Declare,
    Have,
    Roll,
    TurnUp,
)

PEOPLE = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


def hand_of_31(winner, dealer, *codes):
    """The events of a hand that is won by a dealt 31 after one card more."""
    order = [(dealer + 1 + place) % 3 for place in range(3)]
    cards = tuple(map(Card.parse, codes))
    claim = Declare(winner, Claim.THIRTY_ONE, cards)
    return [*(Deal(seat, None) for seat in order * 3), Have(winner), Deal(winner, None), claim]


def sitting(path, *, close, more=()):
    """Bess wins the first hand, Cecil the second; then *more*."""
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "one-and-thirty", PEOPLE, dealer=0)
        first = hand_of_31(1, 0, "KS", "KH", "TC", "AD")
        second = hand_of_31(2, 1, "QS", "QH", "TD", "AC")
        for event in (*first, NextHand(), *second, *more):
            session.apply(event)
        if close:
            session.close()


def run(path, *words):
    return main(["correct", *words, "--journal", str(path)])


def events(path):
    with JournalReader(path) as journal:
        assert not journal.check()
        return [event["e"] for _, event in journal.events(1)]


def nets(path, capsys):
    capsys.readouterr()
    assert main(["ledger", "--json", "--journal", str(path)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["sittings"]
    return {player["name"]: player["tokens"] for player in found["players"]}


@pytest.mark.parametrize("close", [False, True], ids=["unfinished", "closed"])
def test_a_misdeal_goes_back_and_who_owes_whom_is_told(path, capsys, close):
    sitting(path, close=close)
    assert run(path, "1", "--void") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Hand 1 before: thirty-one, Ann -2, Bess +4, Cecil -2",
        "Hand 1 now: misdeal, Ann 0, Bess 0, Cecil 0",
        "Bess pays Ann 2.",
        "Bess pays Cecil 2.",
    ]
    assert nets(path, capsys) == {"Ann": -2, "Bess": -2, "Cecil": 4}
    with JournalReader(path) as journal:
        (record,) = journal.sittings()
        assert (record.closed is not None) == close


def test_where_lives_are_lost_they_are_told(path, capsys):
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "scat", PEOPLE[:2], dealer=1)
        for seat in (0, 1) * 3:
            session.apply(Deal(seat, None))
        session.apply(TurnUp(Card.parse("4C")))
        session.apply(Declare(1, Claim.OUT))
        session.close()
    assert run(path, "1", "--void") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Hand 1 before: showdown, lives, Ann 0, Bess -1",
        "Hand 1 now: misdeal, Ann 0, Bess 0",
        "Nobody owes anybody anything for it.",
    ]


def test_a_card_of_an_earlier_hand_is_put_right(path, capsys):
    sitting(path, close=True)
    assert run(path, "1", "--card", "KS", "QS", "--of", "Bess") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Hand 1 before: thirty-one, Ann -2, Bess +4, Cecil -2"
    assert told[-1] == "Nobody owes anybody anything for it."
    with JournalReader(path) as journal:
        *_, (_, event) = journal.events(1)
    assert event == {"e": "correct", "was": "KS", "card": "QS", "seat": 1, "hand": 1}


def test_an_entry_of_several_people_is_one(path, capsys):
    sitting(path, close=True)
    pays = ["--entry", "Ann", "Bess", "2", "--entry", "Cecil", "Bess", "3"]
    assert run(path, *pays, "--reason", "a side wager") == 0
    assert capsys.readouterr().out.splitlines() == ["Cecil pays Bess 3.", "Ann pays Bess 2."]
    assert nets(path, capsys) == {"Ann": -6, "Bess": 7, "Cecil": -1}
    assert events(path)[-1] == "entry"


def test_a_bone_is_named_by_throw_and_place_from_one(path, capsys):
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "knucklebones", PEOPLE, dealer=0)
        for seat, faces in ((1, (6, 6, 4, 4, 1)), (2, (6, 6, 4, 3, 1)), (0, (6, 6, 4, 3, 1))):
            session.apply(Roll(seat, faces))
            session.apply(Choose(seat, 0))
        session.close()
    assert run(path, "1", "--bone", "Bess", "1", "4", "1") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Hand 1 before: compared, Ann 0, Bess +1, Cecil -1",
        "Hand 1 now: compared, Ann +2, Bess -1, Cecil -1",
        "Bess pays Ann 2.",
    ]


def test_it_can_be_tried_first(path, capsys):
    sitting(path, close=False)
    before = events(path)
    assert run(path, "2", "--void", "--dry-run") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is written."
    assert events(path) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["3", "--void"], "There is no hand 3; name one from 1 to 2."),
        (["--void"], "HAND: which hand?"),
        (["1", "--card", "9D", "8D"], "The nine of diamonds was not read in this hand"),
        (["1", "--card", "AD", "2D", "--of", "Doll"], "nobody is called 'Doll'; choose one of"),
        (["1", "--void", "--of", "Ann"], "use it with --card"),
        (["1", "--bone", "Ann", "x", "1", "6"], "needs three numbers after the name"),
        (["1", "--entry", "Ann", "Bess", "2"], "leave the number out"),
        (["--entry", "Ann", "Bess", "2"], "say what for"),
        (["--entry", "Ann", "Bess", "0", "--reason", "x"], "'0' is no number of tokens"),
        (["--entry", "Ann", "Ann", "2", "--reason", "x"], "name at least two seats"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(path, capsys, words, said):
    sitting(path, close=True)
    before = events(path)
    assert run(path, *words) == 2
    assert said in capsys.readouterr().err
    assert events(path) == before


def test_a_table_that_holds_the_journal_is_not_written_to(path, capsys):
    sitting(path, close=False)
    with Journal(path):
        assert run(path, "1", "--void") == 1
    assert "another boneace is writing to this journal; close its window" in capsys.readouterr().err


def test_where_there_is_no_journal_none_is_made(path, capsys):
    assert run(path, "1", "--void") == 1
    assert "there is no journal yet" in capsys.readouterr().err
    assert not path.exists()


def test_what_came_since_the_end_is_read_after_a_power_cut(path):
    """A closed sitting is sealed again with each event: none can go missing unseen."""
    sitting(path, close=True)
    assert run(path, "1", "--void") == 0
    with Journal(path) as journal:
        assert not journal.check()
        assert not journal.open_sittings()
        journal.ask(lambda db: db.execute("DELETE FROM events WHERE number = 25"))
    with JournalReader(path) as journal:
        assert journal.check()
