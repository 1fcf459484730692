"""Side wagers at a table: kept through a power cut, settled once, put right by the difference."""

import json
import os
import random
import signal
from collections import Counter

import pytest

from device.booth.summary import ledger_page, share_page, statistics_page, won_by_name
from device.cli import main
from device.clock import HandClock
from device.ports import Button, Press
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.erase_rows import Erasure
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.journal.replay import play_session
from device.storage.journal.summary import from_text, summarise, to_text
from device.storage.journal.wagers import PlacedWager, entry_due, wager_number, wagers_of
from display.i18n.money import token_value
from engine import Card, Correct, Leave, Phase, Player, apply
from engine.core.events import Entry, Stand
from engine.core.settle_up import settle_up
from engine.table.wagers import Wager, WagerError, check_wager, in_match
from tests.support.scat_notation import dealt, event_of
from tests.support.scat_walker import Walker
from tests.support.words import in_words
from vision.readings import Reading

ANN, BESS, CECIL = range(3)
NAMES = ("Ann", "Bess", "Cecil")
HANDS = {ANN: "KH QH 2C", BESS: "5D 6D 7S", CECIL: "9S 8S 3H"}  # 20, 11, 17
SCRIPT = f"{dealt(HANDS, CECIL)} up:4C k0 s1 s2".split()
BET = Wager(CECIL, ANN, 2, BESS)
SAID = "Side bet 1: Bess wins the match"
MONEY = {"token_value": "0.25", "currency": "EUR"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def clock():
    return HandClock(wall=1_700_000_000.0)


@pytest.fixture
def journal(path):
    with Journal(path) as found:
        yield found


def begin(journal, clock, **options):
    people = [Player(seat, name) for seat, name in enumerate(NAMES)]
    chosen = {"lives": 1, **options}
    return Session.begin(
        journal, clock, "scat", people, dealer=2, preset="west-lansing", options=chosen,
        settings=MONEY,
    )  # fmt: skip


def table_of(session, clock):
    return TableController(session, NoCamera(), [], clock)


def look(table, time_s=1.0):
    table.see(Reading(time_s, seats=3))


def entries(session):
    return [event for event in session.state.events if isinstance(event, Entry)]


def nets(session):
    won = won_by_name(session.state)
    return {name: won[name] for name in NAMES}


def play(session, words=SCRIPT):
    for word in words:
        session.apply(event_of(word))


@pytest.fixture
def settled(journal, clock):
    """Bess, on whom Cecil had bet, is out; the table has seen the end of the hand."""
    session = begin(journal, clock)
    session.bet(BET, SAID)
    play(session)
    table = table_of(session, clock)
    look(table)
    return table


# Settled by the table


def test_a_bet_is_settled_as_soon_as_it_is_decided_and_once(settled):
    session = settled.session
    assert entries(session) == [Entry(((ANN, 2), (CECIL, -2)), SAID)]
    assert "An entry: Side bet 1" in str(settled.prompt.refused)
    for second in range(5):
        look(settled, 2.0 + second)
    settled.press(Press(Button.NEXT, 9.0))
    look(settled, 10.0)
    assert len(entries(session)) == 1
    assert session.state.hand_number == 2
    assert nets(session) == {"Ann": 2, "Bess": 0, "Cecil": -2}


def test_before_the_hand_ends_nothing_is_written(journal, clock):
    session = begin(journal, clock)
    session.bet(BET, SAID)
    play(session, SCRIPT[:-1])
    look(table_of(session, clock))
    assert entries(session) == []


def test_undo_takes_the_entry_back_with_what_it_followed_from(settled):
    session = settled.session
    before = len(session.state.log)
    settled.press(Press(Button.UNDO, 2.0))
    assert session.state.phase is not Phase.DONE
    assert len(session.state.log) < before - 1
    session.apply(Stand(CECIL))
    look(settled, 3.0)
    assert session.state.phase is Phase.DONE
    assert nets(session) == {"Ann": 2, "Bess": 0, "Cecil": -2}, "settled again, once"


def test_undo_of_something_else_leaves_the_bet_settled(settled):
    settled.enter(Leave(BESS))
    settled.press(Press(Button.UNDO, 2.0))
    assert [player.seat for player in settled.session.state.players] == [0, 1, 2]
    assert nets(settled.session) == {"Ann": 2, "Bess": 0, "Cecil": -2}


def test_a_correction_moves_the_difference_by_a_second_entry(settled):
    session = settled.session
    assert settled.enter(Correct(Card.parse("7S"), Card.parse("AD"), BESS)) == ""  # Bess has 22
    assert nets(session) == {"Ann": 0, "Bess": 0, "Cecil": 0}, "open again: Cecil is out instead"
    assert [dict(each.tokens)[CECIL] for each in entries(session)] == [-2, 2]
    look(settled, 5.0)
    assert len(entries(session)) == 2


def test_by_hand_it_is_settled_as_well(journal, clock):
    session = begin(journal, clock)
    session.bet(BET, SAID)
    play(session)
    table = TableController(session, NoCamera(), [], clock, by_hand=True)
    table.follow(table.croupier.reinterpret(session.state))
    assert nets(session) == {"Ann": 2, "Bess": 0, "Cecil": -2}
    table.press(Press(Button.UNDO, 2.0))
    assert session.state.phase is not Phase.DONE


def test_an_open_bet_is_called_off(journal, clock):
    session = begin(journal, clock)
    session.bet(BET, SAID)
    session.call_off(1)
    play(session)
    look(table_of(session, clock))
    assert entries(session) == []
    assert [each.off for each in wagers_of(journal, 1)] == [True]


def test_a_bet_that_cannot_be_made_is_not_kept(journal, clock):
    session = begin(journal, clock)
    with pytest.raises(WagerError):
        session.bet(Wager(ANN, ANN, 1, BESS), SAID)
    table = table_of(session, clock)
    assert "no wager" in str(table.bet(Wager(ANN, BESS, 0, BESS), SAID))
    assert (session.wagers, journal.notes()) == ((), ())


def test_a_full_disk_keeps_no_bet_and_settles_when_there_is_room(journal, clock):
    session = begin(journal, clock)
    table = table_of(session, clock)
    journal._connection().execute("PRAGMA query_only = ON")
    assert str(table.bet(BET, SAID)) == "This could not be written down yet."
    assert session.wagers == ()
    journal._connection().execute("PRAGMA query_only = OFF")
    assert table.bet(BET, SAID) == ""
    play(session)
    journal._connection().execute("PRAGMA query_only = ON")
    look(table)
    assert entries(session) == []
    journal._connection().execute("PRAGMA query_only = OFF")
    clock.wait(10.0)
    table.pass_time(clock.monotonic())
    assert len(entries(session)) == 1


def test_the_end_of_the_evening_settles_what_is_decided(journal, clock):
    session = begin(journal, clock)
    session.bet(BET, SAID)
    play(session)
    session.close()
    with JournalReader(journal.path) as kept:
        assert [event["e"] for _, event in kept.events(1)][-1] == "entry"
        assert from_text(kept.summary(1)).entries[0].wager == 1


def test_notes_of_another_form_are_no_bets(journal, clock):
    session = begin(journal, clock)
    for body in ({}, {"who": [0, 1]}, {"number": 1}, {"number": "1", "off": True}, {"number": 7}):
        journal.note("wager", body, 1.0, sitting=1)
    session.bet(BET, SAID)
    journal.note("wager", PlacedWager(2, BET, SAID).body, 1.0, sitting=9)
    assert wagers_of(journal, 1) == session.wagers == (PlacedWager(1, BET, SAID),)


# A power cut


def life(path, cut, after):
    """Go on with the match until the bet is settled; die at commit number *cut*, if ever."""
    journal, clock, commits = Journal(path), HandClock(wall=1_700_000_000.0), 0

    def on_sql(statement):
        nonlocal commits
        commits += statement.startswith("COMMIT") if not after else 0
        if commits == cut:
            os.kill(os.getpid(), signal.SIGKILL)

    session = Session.unfinished(journal, clock)
    if session is None:
        session = begin(journal, clock)
    journal._connection().set_trace_callback(on_sql)
    done = [session.bet] if not session.wagers else []
    for bet in done:
        bet(BET, SAID)
        commits += after
        if commits == cut:
            os.kill(os.getpid(), signal.SIGKILL)
    played = [event for event in session.state.events if not isinstance(event, Entry)]
    for word in SCRIPT[len(played) :]:
        session.apply(event_of(word))
        commits += after
        if commits == cut:
            os.kill(os.getpid(), signal.SIGKILL)
    look(table_of(session, clock))
    commits += after
    if commits == cut:
        os.kill(os.getpid(), signal.SIGKILL)
    journal.close()


@pytest.mark.parametrize("after", [False, True], ids=["inside a commit", "after a commit"])
def test_cut_anywhere_the_bet_is_there_and_settled_once(path, clock, after):
    for cut in range(1, len(SCRIPT) + 3):
        child = os.fork()
        if child == 0:
            life(path, cut, after)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"commit {cut} was never reached"
        life(path, -1, after)
        with Journal(path) as journal:
            session = Session.unfinished(journal, clock)
            assert session.wagers == (PlacedWager(1, BET, SAID),)
            assert entries(session) == [Entry(((ANN, 2), (CECIL, -2)), SAID)]
            look(table_of(session, clock))
            assert len(entries(session)) == 1
            session.close()


# What is shown


def test_the_ledger_has_a_heading_for_it(settled):
    session = settled.session
    settled.enter(Entry(((ANN, 1), (BESS, -1)), "Paid by mistake"))
    session.bet(Wager(ANN, BESS, 5, ANN, CECIL), "Side bet 2: Ann goes further than Cecil")
    page = in_words(ledger_page(session.state, (), placed=session.wagers))
    assert [(row.number, row.end, row.nets) for row in page.rows] == [
        (None, "Paid by mistake", (1, -1, None)),
        (1, "showdown, lives", (0, -1, 0)),
        (None, "Side bets", (None, None, None)),
        (None, "Side bet 2: Ann goes further than Cecil, Ann with Bess, 5, open", (None,) * 3),
        (None, "Side bet 1", (2, None, -2)),
    ]
    assert page.rows[-1].note == SAID
    assert [row.heading for row in page.rows] == [False, False, True, False, False]
    share = in_words(share_page(session.state, 0.0, placed=session.wagers))
    assert share.aside == "Side bets: Ann +2, Cecil \N{MINUS SIGN}2."
    figures = in_words(statistics_page(session.state, (), session.wagers)).figures
    assert [(each.value, each.detail) for each in figures if each.label == "Side bets"] == [
        ("2", "Ann +2, Cecil \N{MINUS SIGN}2")
    ]


def test_without_bets_nothing_is_said_of_them(journal, clock):
    session = begin(journal, clock)
    play(session)
    assert not any(row.heading for row in ledger_page(session.state, ()).rows)
    assert share_page(session.state, 0.0).aside == ""


@pytest.mark.parametrize("close", [False, True], ids=["unfinished", "closed"])
def test_boneace_ledger_tells_them_under_their_heading(settled, path, capsys, close):
    settled.session.bet(Wager(ANN, BESS, 5, ANN, CECIL), "Side bet 2: Ann goes further")
    if close:
        settled.session.close()
    ledger = ["ledger", "--journal", str(path)]
    assert main(ledger) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3:5] == ["side bets", f"  {SAID}"]
    assert lines[5].split() == ["+2", "-2"]
    assert lines[6].split() == ["total", "+2", "0", "-2"]
    assert lines[7].split() == ["EUR", "0.50", "0.00", "-0.50"]
    assert lines[8].split() == ["lives", "left", "1", "0", "1"]
    assert lines[9:] == [
        "The match is not over: 9 in its pot.",
        "side bets not decided",
        "  Side bet 2: Ann goes further (Ann with Bess, 5)",
    ]
    assert main([*ledger, "--csv"]) == 0
    assert f"wager,{SAID},0,Ann,2,2,0.50,0.50,EUR" in capsys.readouterr().out
    assert main([*ledger, "--settle"]) == 0
    assert capsys.readouterr().out.startswith("Cecil pays Ann: 2 (")
    assert main([*ledger, "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["sittings"]
    assert [(each["number"], each["verdict"]) for each in told["wagers"]] == [
        (1, "lost"),
        (2, "open"),
    ]
    assert [each["wager"] for each in told["entries"]] == [1]
    assert main([*ledger, "--audit"]) == 0


def test_boneace_correct_settles_the_difference(settled, path, journal, capsys):
    settled.session.close()
    journal.close()
    words = ["correct", "1", "--card", "7S", "AD", "--of", "Bess", "--journal", str(path)]
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{SAID}: Ann pays Cecil 2."
    with JournalReader(path) as kept:
        (record,) = kept.sittings()
        played = play_session(kept, record)
        assert played.whole
        found = summarise(played.state, played.people, wagers_of(kept, 1))
        assert [each.verdict for each in found.wagers] == ["open"]
    again = from_text(to_text(found).encode())
    assert (again.wagers, again.entries) == (found.wagers, found.entries)


def test_a_name_is_erased_from_bets_and_they_stay_settled(settled, path, journal, clock):
    session = settled.session
    session.bet(Wager(ANN, CECIL, 1, ANN), "Side bet 2: Bess said Ann wins")
    assert journal.erase(Erasure("Bess"), 1.0).renamed == [1]
    journal.close()
    for file in path.parent.glob("journal.sqlite3*"):
        assert b"Bess" not in file.read_bytes()
    with Journal(path) as found:
        again = Session.unfinished(found, clock)
        assert again.wagers[0].reason == "Side bet 1: Player 2 wins the match"
        look(table_of(again, clock))
        assert [each.reason for each in entries(again)] == [again.wagers[0].reason]


def test_a_record_holds_the_entry_and_no_bet(settled, path, tmp_path):
    settled.session.bet(Wager(ANN, BESS, 5, ANN, CECIL), "Side bet 2: Ann goes further")
    out = tmp_path / "record.json"
    assert main(["export", "--journal", str(path), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert [event["reason"] for event in json.loads(text)["events"] if event["e"] == "entry"] == [
        SAID
    ]
    assert "Side bet 2" not in text


@pytest.mark.parametrize("name", ["Side", "bet", "1", "Side bet"])
def test_a_name_that_is_a_word_of_the_reason_is_erased_and_nothing_paid_twice(journal, clock, name):
    people = [Player(0, "Ann"), Player(1, name), Player(2, "Cecil")]
    options = {"lives": 1}
    session = Session.begin(
        journal, clock, "scat", people, dealer=2, preset="west-lansing", options=options
    )
    session.bet(BET, SAID)
    play(session)
    look(table_of(session, clock))
    journal.erase(Erasure(name), 1.0)
    again = Session.unfinished(journal, clock)
    look(table_of(again, clock))
    assert len(entries(again)) == 1


# Thousands of random sittings


def decided(wager, state):
    """What a wager brings its bettor, told once more in plain words (rule WL-7)."""
    hands = [(past.hand, past.outcome) for past in state.book.played]
    hands.append((state.round, state.outcome))
    inside = {player.seat for player in state.setup.players}
    seated = {player.seat for player in state.setup.players}

    def settle(gone):
        """Whoever is in *gone* goes out together; return what is won, or nothing yet."""
        was = inside & gone
        if len(inside) < 2 or not was:
            return None
        inside.difference_update(was)
        if wager.than is None:
            if wager.on in was:
                return -wager.tokens
            return wager.tokens if inside == {wager.on} else None
        if {wager.on, wager.than} <= was:
            return 0
        if wager.on in was:
            return -wager.tokens
        return wager.tokens if wager.than in was else None

    for hand, ended in hands:
        charged = set() if ended.end == "misdeal" else set(ended.details.eliminated)
        left = seated - {player.seat for player in hand.ended_with}
        seated -= left
        if {wager.bettor, wager.other} & left:
            return 0
        won = settle(charged | left)
        if won is not None:
            return won
        for event in hand.since:
            seated.discard(event.seat)
            if event.seat in (wager.bettor, wager.other):
                return 0
            won = settle({event.seat})
            if won is not None:
                return won
    return 0


PRESETS = ["west-lansing", "wikipedia", "california-quick", "three-of-a-kind", "dollar-bill"]


def sitting(seed):
    """Play one at random, with bets, entries and corrections; return what was played and bet."""
    rng = random.Random(seed)
    walker = Walker(seed, rng.choice(PRESETS), {"lives": rng.choice([1, 1, 2])})
    placed = []
    for _ in range(rng.randint(1, 12)):
        for _ in walker.steps(rng.randint(1, 60)):
            pass
        state = walker.state
        wager = random_wager(rng, state)
        if wager is not None:
            number = len(placed) + 1
            placed.append(PlacedWager(number, wager, f"Side bet {number}", rng.random() < 0.05))
        while (due := entry_due(placed, state)) is not None:
            state = apply(state, due)
        walker.state = state
    return walker.state, placed


def random_wager(rng, state):
    here, playing = [player.seat for player in state.players], in_match(state)
    if len(here) < 2 or len(playing) < 2:
        return None
    on, than = rng.sample(playing, 2)
    wager = Wager(*rng.sample(here, 2), rng.randint(1, 20), on, rng.choice([None, than]))
    check_wager(wager, state)
    return wager


def check(seed):
    """Check one random sitting; return how many hands and bets it had, and entries for them."""
    state, placed = sitting(seed)
    paid = Counter()
    for noted in state.book.entries:
        number = wager_number(placed, noted.entry)
        if number is not None:
            paid[number] += dict(noted.entry.tokens)[placed[number - 1].wager.bettor]
    if state.phase is Phase.DONE:
        for each in placed:
            right = 0 if each.off else decided(each.wager, state)
            assert paid[each.number] == right, f"seed {seed}: {each}"
    won = won_by_name(state)
    assert sum(won.values()) == 0
    worth = token_value("0.25", "EUR")
    page = ledger_page(state, (), worth=worth, placed=placed)
    assert sum(column.tokens for column in page.columns) == -state.ledger.pot
    for column in page.columns:
        assert column.money.minor == 25 * column.tokens
    assert sum(column.money.minor for column in page.columns) == -25 * state.ledger.pot
    due = Counter()
    for each in settle_up(won):
        due[each.payee] += worth.of(each.tokens).minor
        due[each.payer] -= worth.of(each.tokens).minor
    assert {name: 25 * net for name, net in won.items() if net} == {
        name: net for name, net in due.items() if net
    }
    return len(state.hands), len(placed), len(paid)


def test_random_bets_come_out_as_told_in_plain_words_and_money_adds_up():
    found = [check(seed) for seed in range(60)]
    hands, bets, settled = map(sum, zip(*found, strict=True))
    assert hands > 60
    assert bets > 100
    assert settled > 20


@pytest.mark.slow
def test_over_hundreds_of_random_sittings():
    hands = sum(check(seed)[0] for seed in range(1000, 1600))
    assert hands > 1_500
