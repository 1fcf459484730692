"""The story of whole hands, and the commands that tell it from a journal."""

import contextlib
import csv
import io
import json
import sqlite3

import pytest

from device.cli import main
from device.clock import HandClock
from device.commands import ledger
from device.commands.common import find_session
from device.narration.story import opening_lines, tell
from device.runtime.session import Session
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from display.i18n.translate import Translator
from engine import (
    TABLE,
    Card,
    Correct,
    Cut,
    Deal,
    Declare,
    Facing,
    Have,
    Misdeal,
    NextHand,
    Phase,
    Player,
    Reveal,
    Stick,
    Undo,
    apply,
    new_table,
    view,
)
from engine.core.events import Claim
from tests.support.mat_readings import NAMES, croupier_at_seats
from tests.support.paper_players import PaperPeople

ENGLISH = Translator.of("en")


def told(events, players=3, dealer=2, game="bone-ace", **more):
    company = [Player(seat, NAMES[seat]) for seat in range(players)]
    state = new_table(game, company, dealer=dealer, **more)
    lines = []
    for event in events:
        before = view(state, TABLE)
        state = apply(state, event)
        lines.extend(tell(event, before, view(state, TABLE), ENGLISH))
    return lines


def cards(text):
    return tuple(Card.parse(code) for code in text.split())


def the_deal(*thirds, players=3, dealer=2):
    order = [(dealer + 1 + n) % players for n in range(players)]
    backs = [Deal(seat, None) for _ in range(2) for seat in order]
    return backs + [
        Deal(seat, Card.parse(third), Facing.UP) for seat, third in zip(order, thirds, strict=True)
    ]


def test_opening():
    company = [Player(seat, NAMES[seat]) for seat in range(3)]
    lines = opening_lines(view(new_table("bone-ace", company, dealer=2), TABLE), ENGLISH)
    assert lines == [
        "Bone-Ace, the willughby rules. Ann, Bess and Cecil sit down; the stake is one token.",
        "Hand 1. Cecil deals.",
    ]
    lines = opening_lines(view(new_table("one-and-thirty", company, dealer=None), TABLE), ENGLISH)
    assert lines[0].startswith("One-and-Thirty, the")
    assert lines[1] == "They cut for the deal."


def test_cut_with_a_tie():
    lines = told(
        [
            Cut(0, *cards("4D")),
            Cut(1, *cards("4S")),
            Cut(0, *cards("9D")),
            Cut(1, *cards("AS")),
        ],
        players=2,
        dealer=None,
    )
    assert lines == [
        "Ann cuts the four of diamonds.",
        "Bess cuts the four of spades. A tie: Ann and Bess cut again.",
        "Ann cuts the nine of diamonds.",
        "Bess cuts the ace of spades.",
        "The lowest is Bess's, who deals.",
    ]


def test_bone_and_payments():
    lines = told(the_deal("KC", "AH", "9C"))
    assert lines == [
        "Ann's card is turned up: the king of clubs.",
        "Bess's card is turned up: the ace of hearts.",
        "Cecil's card is turned up: the nine of clubs.",
        "Bess has the Bone with the ace of hearts! Ann and Cecil pay one token each.",
    ]


def test_showdown_with_a_hand_over():
    events = [*the_deal("KC", "7H", "9C"), Have(0), Deal(0, None)]
    events.append(Declare(0, Claim.OUT, cards("TH 9D KC 8D")))
    events += [Stick(1), Stick(2), Reveal(1, cards("TD 8S 7H")), Reveal(2, cards("QS 6D 9C"))]
    lines = told(events)[4:]
    assert lines == [
        "Ann: “Have it.”",
        "Ann gets a card.",
        "Ann turns up the ten of hearts, the nine of diamonds, the king of clubs and the eight "
        "of diamonds: 37, and is out.",
        "Bess: “Stick.”",
        "Cecil: “Stick.”",
        "The cards on the table, Bess and Cecil!",
        "Bess shows the ten of diamonds, the eight of spades and the seven of hearts: 25.",
        "Cecil shows the queen of spades, the six of diamonds and the nine of clubs: 25.",
        "Bess wins with 25.",
        "Ann and Cecil pay one token each to Bess.",
        "The hand: Ann +1, Bess +1, Cecil -2.",
    ]


def test_thirty_one():
    events = [*the_deal("KC", "7H", "9C"), Have(0), Deal(0, None)]
    events.append(Declare(0, Claim.THIRTY_ONE, cards("TH 9D KC 2D")))
    lines = told(events)
    assert lines[-4].endswith(": thirty-one!")
    assert lines[-3] == "Thirty-one on the nose: Ann wins with 31."
    assert lines[-2] == "Bess and Cecil pay two tokens each to Ann."


def test_misdeal_undo_correct_and_the_next_hand():
    deal = the_deal("KC", "7H", "9C")
    lines = told(
        [
            *deal,
            Correct(*cards("KC QC"), seat=0),
            Stick(0),
            Undo(),
            Misdeal("called"),
            NextHand(),
        ]
    )[4:]
    assert lines == [
        "A misreading put right: the king of clubs is the queen of clubs.",
        "Ann: “Stick.”",
        "What Ann did last is taken back.",
        "A misdeal: the hand is void and everything goes back.",
        "The hand: Ann 0, Bess 0, Cecil 0.",
        "",
        "Hand 2. Cecil deals.",
    ]


def test_no_hidden_card_is_ever_told():
    events = the_deal("KC", "7H", "9C")
    events[0] = Deal(0, *cards("2H"))  # known to the engine, face down on the table
    assert "two of hearts" not in " ".join(told(events))


@pytest.fixture
def evening(tmp_path):
    """Two sittings on disk: two finished hands, and one hand begun."""
    path = tmp_path / "journal.sqlite3"
    clock = HandClock(wall=1_700_000_000.0)
    company = [Player(seat, NAMES[seat]) for seat in range(3)]
    with Journal(path) as journal:
        session = Session.begin(journal, clock, "bone-ace", company, dealer=2)
        people, croupier = PaperPeople(3), croupier_at_seats()

        def follow(advice):
            while advice.events:
                for event in advice.events:
                    session.apply(event)
                advice = croupier.reinterpret(session.state)

        while not (session.view.phase is Phase.DONE and session.view.hand_number == 2):
            for press in people.act(session.view):
                follow(croupier.on_press(press, session.state))
            follow(croupier.on_reading(people.mat.reading(), session.state))
        session.close()
        other = Session.begin(journal, clock, "one-and-thirty", company, dealer=0)
        other.apply(Deal(1, None))
    return path, session


def run(*words):
    return main([str(word) for word in words])


def test_replay_tells_the_last_or_the_named_sitting(evening, capsys):
    path, session = evening
    assert run("replay", "--journal", path) == 0
    assert capsys.readouterr().out.startswith("One-and-Thirty")
    assert run("replay", "--journal", path, "--sitting", 1) == 0
    out = capsys.readouterr().out
    assert out.count("The hand: ") == 2
    assert "Hand 2." in out
    best = max(session.view.seats, key=lambda seat: seat.tokens)
    assert f"The evening: {best.name} +{best.tokens}" in out


def test_replay_of_a_sitting_that_is_not_there(evening, capsys):
    path, _ = evening
    assert run("replay", "--journal", path, "--sitting", 9) == 1
    assert "choose one from 1 to 2" in capsys.readouterr().err


def test_replay_of_what_somebody_has_changed_says_so_and_fails(evening, tmp_path, capsys):
    path, _ = evening
    out = tmp_path / "evening.json"
    assert run("export", "--journal", path, "--sitting", 1, "--out", out) == 0
    assert run("replay", out) == 0
    record = json.loads(out.read_text(encoding="utf-8"))
    record["events"][3]["t"] += 60
    out.write_text(json.dumps(record), encoding="utf-8")
    capsys.readouterr()
    assert run("replay", out) == 1
    assert f"boneace replay: {out}: " in capsys.readouterr().err

    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE events SET time = time + 60 WHERE sitting = 1 AND number = 3")
    assert run("replay", "--journal", path, "--sitting", 1) == 1


def test_replay_without_journal_names_the_cure(tmp_path, capsys):
    assert run("replay", "--journal", tmp_path / "none") == 1
    assert "play a hand first" in capsys.readouterr().err


def test_replay_of_an_empty_journal(tmp_path):
    path = tmp_path / "journal.sqlite3"
    Journal(path).close()
    with (
        JournalReader(path) as journal,
        pytest.raises(JournalError, match="nobody has sat down yet"),
    ):
        find_session(journal, None)


def test_ledger_as_csv_sums_to_zero(evening, capsys):
    path, session = evening
    assert run("ledger", "--csv", "--journal", path) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 6
    assert list(rows[0]) == list(ledger.COLUMNS)
    for hand in ("1", "2"):
        assert sum(int(row["net"]) for row in rows if row["hand"] == hand) == 0
    for seat in session.view.seats:
        mine = [row for row in rows if row["seat"] == str(seat.seat)]
        assert int(mine[-1]["total"]) == seat.tokens == sum(int(row["net"]) for row in mine)
        assert {row["name"] for row in mine} == {seat.name}


def test_ledger_for_people(evening, capsys):
    path, session = evening
    assert run("ledger", "--journal", path) == 0
    out = capsys.readouterr().out
    assert "Sitting 1," in out
    last = out.strip().splitlines()[-1].split()
    assert last[0] == "total"
    assert [int(word) for word in last[1:]] == [seat.tokens for seat in session.view.seats]


def test_settle_up_squares_the_evening(evening, capsys):
    path, _ = evening
    assert run("ledger", "--csv", "--journal", path) == 0
    nets = {}
    for row in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        nets[row["name"]] = nets.get(row["name"], 0) + int(row["net"])
    assert any(nets.values())
    assert run("ledger", "--settle", "--csv", "--journal", path) == 0
    paid = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(paid) < len(nets)
    for row in paid:
        nets[row["payer"]] += int(row["tokens"])
        nets[row["payee"]] -= int(row["tokens"])
    assert not any(nets.values())
    assert run("ledger", "--settle", "--journal", path) == 0
    first = paid[0]
    words = f"{first['payer']} pays {first['payee']}: {first['tokens']}"
    assert capsys.readouterr().out.splitlines()[0] == words


@pytest.mark.parametrize(
    "change",
    ["UPDATE sittings SET players = replace(players, 'name', 'nome')", "DELETE FROM events"],
)
def test_a_journal_that_somebody_has_changed_is_not_told_as_an_empty_one(
    evening, capsys, caplog, change
):
    path, _ = evening
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute(change).rowcount
        db.commit()
    for words in (["ledger"], ["ledger", "--settle"], ["accuracy"]):
        assert run(*words, "--journal", path) == 1
        told = capsys.readouterr().out
        assert "could be read: the journal is damaged, or somebody has changed it" in told
    assert "unless somebody has changed the file" in caplog.text
    assert run("ledger", "--picture", path.with_suffix(".png"), "--journal", path) == 1
    assert "No finished hand could be read" in capsys.readouterr().err
    if "players" in change:
        assert run("replay", "--journal", path) == 1
        assert "no sitting could be read" in capsys.readouterr().err


def test_ledger_without_a_finished_hand(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    Journal(path).close()
    assert run("ledger", "--journal", path) == 0
    assert "No hand has been finished" in capsys.readouterr().out
