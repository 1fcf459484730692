"""What a table tells on its socket, and the presses that come by it."""

import contextlib
import gc
import json
import math
import os
import socket
import stat
from dataclasses import replace

import pytest

from device.app import attach
from device.clock import HandClock
from device.feed import feed as feeds
from device.feed.door import NOTICE_S
from device.feed.feed import DENIED_S, Feed, shown_at
from device.feed.phones import Phones, mark
from device.feed.wire import RequestRefusedError
from device.ports import Button, Press
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from display.i18n.languages import LANGUAGES
from engine import Card, Deal, Declare, Facing, Player, Undo
from engine.core.events import Claim, Entry, Leave, NextHand, Stick
from engine.core.messages.prompt import Prompt, PromptKind

PEOPLE = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]


LAST = [1 << 40, 0]
"""After all that happens: who asks for it has heard what was told before."""


class Reader:
    """Another process, as this test sees it."""

    def __init__(self, path, step=None):
        self._step = step
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(5)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")
        self._number = 0
        self.events = []
        self.state = None
        self.answers = {}
        self.hello = self.line()

    def line(self):
        told = json.loads(self._lines.readline())
        if told["kind"] == "event":
            self.events.append(told)
        elif told["kind"] == "state":
            self.state = told
        elif told["kind"] == "answer":
            self.answers[told["to"]] = told
        return told

    def read_until(self, wanted):
        while True:
            told = self.line()
            if wanted(told):
                return told

    def send(self, **body):
        self._socket.sendall(json.dumps(body).encode() + b"\n")

    def ask(self, what, **body):
        self._number += 1
        self.send(id=self._number, ask=what, **body)
        number = self._number
        while what == "press" and self._step is not None and number not in self.answers:
            self._step()  # the loop answers
            self.ask("events", after=LAST)
        return self.answer(number)

    def answer(self, number):
        if number not in self.answers:
            self.read_until(lambda told: number in self.answers)
        return self.answers.pop(number)

    def close(self):
        self._lines.close()
        self._socket.close()


class MovingClock(HandClock):
    """No two looks at it show the same time."""

    def wall(self):
        self.wait(0.001)
        return super().wall()


class Rig:
    """A table of three with a feed, stepped by hand."""

    def __init__(self, folder, stack, game="bone-ace", dealer=2, by_hand=False):
        self.folder = folder
        self.clock = MovingClock(wall=1_700_000_000.0)
        self.journal = stack.enter_context(Journal(folder / "journal.sqlite3"))
        self.session = Session.begin(self.journal, self.clock, game, PEOPLE, dealer=dealer)
        self.table = TableController(self.session, NoCamera(), [], self.clock, by_hand=by_hand)
        self.presses = []
        self.table.on_press = self.presses.append
        self.path = folder / "feed.sock"
        self.feed = stack.enter_context(
            Feed(self.path, self.journal.path, "oak-hare-7", self.clock, "http://oak.local:8031")
        )
        assert self.feed.ready.wait(5)
        self.feed.shows = lambda: shown_at(self.table)
        self.feed.open(self.session)
        attach(self.feed, self.table)
        self._stack = stack
        self.step()

    def step(self):
        self.clock.wait(0.1)
        self.table.step()

    def reader(self):
        made = Reader(self.path, self.table.step)
        self._stack.callback(made.close)
        return made

    def deal(self, *cards):
        for number, card in enumerate(cards):
            up = card is not None
            facing = Facing.UP if up else Facing.DOWN
            self.session.apply(Deal(number % 3, Card.parse(card) if up else None, facing))
        self.step()


def play_hand(rig):
    """Play a hand to its end: nobody wants more, and all are out at the showdown."""
    rig.deal(None, None, None, None, None, None, "5S", "6S", "7S")  # the third cards lie open
    for seat in (0, 1, 2):
        rig.session.apply(Stick(seat))
    for seat in (0, 1, 2):
        rig.session.apply(Declare(seat, Claim.OUT))
    rig.step()


def events_told(rig, reader):
    """Return what a reader has been told, up to the newest event."""
    number = rig.session.events - 1
    if not reader.events or reader.events[-1]["number"] != number:
        reader.read_until(lambda told: told["kind"] == "event" and told["number"] == number)
    return reader.events


@pytest.fixture
def rig(tmp_path):
    with contextlib.ExitStack() as stack:
        yield Rig(tmp_path, stack)


def secret_of(rig, reader, seat):
    reader.read_until(lambda told: told["kind"] == "state" and told["view"] is not None)
    return rig.feed.phones.secrets[seat]


def test_reader_is_told_the_state_and_each_event(rig):
    reader = rig.reader()
    assert reader.hello["v"] == 1
    assert reader.hello["table"] == "oak-hare-7"
    first = reader.line()
    assert (first["sitting"], first["number"]) == (1, -1)
    assert [seat["name"] for seat in first["view"]["seats"]] == ["Ann", "Bess", "Cecil"]
    rig.deal(None, None, None)
    told = reader.read_until(lambda told: told["kind"] == "state" and told["number"] == 2)
    assert told["view"]["seats"][0]["cards"] == [None]
    assert [each["number"] for each in reader.events] == [0, 1, 2]
    assert [each["previous"] for each in reader.events] == [None, [1, 0], [1, 1]]
    assert {each["what"] for each in reader.events} == {"deal"}
    assert set(told["prompt"]["title"]) == set(LANGUAGES.names)
    assert told["prompt"]["title"]["fr"] != told["prompt"]["title"]["en"]


def test_events_are_told_again_as_they_were(rig):
    reader = rig.reader()
    rig.deal(None, None, None)
    rig.session.apply(Undo())
    rig.step()
    reader.read_until(lambda told: told["kind"] == "state" and told["number"] == 3)
    live = list(reader.events)
    reader.events.clear()
    assert reader.ask("events", after=None)["ok"]
    assert reader.events == live
    reader.events.clear()
    assert reader.ask("events", after=[1, 1])["ok"]
    assert reader.events == live[2:]


def test_a_repair_is_told_in_whole(rig):
    reader = rig.reader()
    rig.deal(None, None, None)
    rig.session.amend(1, [(Deal(2, None, Facing.DOWN), "")])
    rig.step()
    reader.read_until(lambda told: told["kind"] == "state" and told["number"] == 4)
    numbers = sorted({each["number"] for each in reader.events})
    assert numbers == [0, 1, 2, 3, 4]


def test_a_new_sitting_follows_the_one_before(rig):
    rig.deal(None, None)
    rig.session.close()
    session = Session.begin(rig.journal, rig.clock, "one-and-thirty", PEOPLE, dealer=2)
    rig.feed.open(session)
    reader = rig.reader()
    session.apply(Deal(0, None))
    told = reader.read_until(lambda told: told["kind"] == "event")
    assert (told["sitting"], told["number"], told["previous"]) == (2, 0, [1, 1])
    reader.events.clear()
    assert reader.ask("events", after=[1, 0])["ok"]
    assert [(each["sitting"], each["number"], each["previous"]) for each in reader.events] == [
        (1, 1, [1, 0]),
        (2, 0, [1, 1]),
    ]


def test_phone_takes_its_seat_and_presses(rig):
    reader = rig.reader()
    secret = secret_of(rig, reader, 1)
    phone = {"seat": 1, "secret": secret, "phone": "abc"}
    assert reader.ask("seat", **phone)["ok"]
    told = reader.state
    assert told["phones"] == [1]
    assert list(told["own"]) == ["1"]
    assert reader.ask("press", button="have", **phone)["problem"] == "rules", "cards are dealt"
    assert rig.presses == [Press(Button.HAVE, pytest.approx(0.1, abs=1), 1)]
    assert reader.ask("leave", **phone)["ok"]
    assert rig.feed.phones.holders == {}


def test_only_the_own_player_sees_their_hidden_cards(rig):
    """No state of the table, and no event, has a card that lies face down."""
    reader, other = rig.reader(), rig.reader()
    secret = secret_of(rig, reader, 0)
    assert reader.ask("seat", seat=0, secret=secret, phone="a")["ok"]
    rig.deal("AD")  # by the rules the first card of Bone-Ace lies face down
    rig.session.apply(Undo())
    rig.session.apply(Deal(0, Card.parse("AD"), Facing.DOWN))
    rig.step()
    told = reader.read_until(lambda told: told["kind"] == "state" and told["number"] == 2)
    assert told["own"]["0"]["seats"][0]["cards"] == ["AD"]
    assert told["view"]["seats"][0]["cards"] == [None]
    other.read_until(lambda told: told["kind"] == "state" and told["number"] == 2)
    assert other.state["own"] == {}
    assert "AD" not in json.dumps([other.state, other.events[2:]])


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"ask": "press", "button": "have", "seat": 1, "secret": "no", "phone": "a"}, "secret"),
        ({"ask": "press", "button": "have", "seat": 7, "secret": "no", "phone": "a"}, "nobody"),
        ({"ask": "press", "button": "have", "host": "no"}, "secret"),
        ({"ask": "seat", "seat": 1, "secret": "", "phone": "a"}, "secret"),
        ({"ask": "seat", "seat": 1, "secret": "", "phone": ""}, "bad"),
        ({"ask": "host", "pin": "000000"}, "pin"),
        ({"ask": "sing"}, "bad"),
        ({"ask": "press", "button": "quit", "host": "no"}, "secret"),
        ({"ask": "press", "button": "explode", "seat": 1}, "bad"),
        ({}, "bad"),
        ({"ask": "events", "after": []}, "bad"),
        ({"ask": "events", "after": [math.inf, 0]}, "bad"),
    ],
)
def test_wrong_questions_have_an_answer_and_no_effect(rig, asked, problem):
    reader = rig.reader()
    reader.line()
    reader.send(id=1, **asked)
    told = reader.read_until(lambda told: told["kind"] == "answer")
    assert told["ok"] is False
    assert told["problem"] == problem
    rig.step()
    assert rig.presses == []


@pytest.mark.parametrize("data", [b"\n", b"[]\n", b"nonsense\n", b"{" * 3000 + b"\n", b"\xff\n"])
def test_nonsense_is_answered(rig, data):
    reader = rig.reader()
    reader._socket.sendall(data)
    assert reader.read_until(lambda told: told["kind"] == "answer")["problem"] == "bad"


def test_a_line_that_never_ends_cuts_its_reader_off_alone(rig):
    reader, other = rig.reader(), rig.reader()
    reader._socket.sendall(b"x" * 100_000)
    with pytest.raises((ValueError, OSError)):
        reader.read_until(lambda told: False)
    assert other.ask("events", after=None)["ok"]


def test_a_seat_may_not_press_what_only_the_console_has(rig):
    reader = rig.reader()
    phone = {"seat": 1, "secret": secret_of(rig, reader, 1), "phone": "abc"}
    assert reader.ask("press", button="menu", **phone)["problem"] == "other"
    assert reader.ask("press", button="left", **phone)["problem"] == "bad"
    assert reader.ask("press", button="have", choice=0, **phone)["problem"] == "bad"


def shown_to(phone):
    """Return the number of what is asked, as the page of *phone* has it now."""
    phone.reader.ask("events", after=LAST)  # all that was told before has come
    return phone.reader.state["prompt"]["id"]


def both_press(rig, one, other, **pressed):
    """Have two phones press at once, before the table has come to either; return their answers."""
    for phone in (one, other):
        phone.reader.send(id=99, ask="press", prompt=shown_to(phone), **pressed, **phone.who)
        phone.reader.ask("events", after=LAST)
    rig.step()
    rig.step()
    told = [phone.reader.answer(99) for phone in (one, other)]
    return [each.get("problem", "") for each in told]


@pytest.fixture
def hand_rig(tmp_path):
    """Give a table whose cards people enter."""
    with contextlib.ExitStack() as stack:
        yield Rig(tmp_path, stack, "one-and-thirty", by_hand=True)


def test_of_two_phones_that_answer_at_once_one_answers(tmp_path):
    """The other's rank is no answer to which suit it is."""
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack, by_hand=True)
        phones = seated(rig, ann=0, bess=1)
        rig.table.on_change = None
        assert "which is it" in str(rig.table.question.text)
        asked = rig.table.question.seat
        rig.feed.shows = lambda: replace(shown_at(rig.table), whose=None)
        rig.step()
        assert both_press(rig, phones["ann"], phones["bess"], choice=4) == ["", "stale"]
        assert str(rig.table.question.text).endswith("which suit is it?")
        assert rig.table.question.seat == asked


def test_of_two_phones_that_go_on_at_once_one_goes_on(hand_rig):
    phones = seated(hand_rig, ann=0, bess=1)
    for seat in (0, 1):
        hand_rig.session.apply(Declare(seat, Claim.OUT))
    hand_rig.step()
    assert hand_rig.session.view.result is not None
    assert both_press(hand_rig, phones["ann"], phones["bess"], button="next") == ["", "stale"]
    assert hand_rig.session.view.hand_number == 2
    late = {"prompt": shown_to(phones["bess"]) - 1, **phones["bess"].who}
    assert phones["bess"].reader.ask("press", button="out", **late)["problem"] == "stale"


def test_of_two_phones_that_take_back_at_once_one_does(hand_rig):
    phones = seated(hand_rig, ann=0, bess=1)
    hand_rig.session.apply(Stick(0))
    hand_rig.session.apply(Stick(1))
    hand_rig.step()
    assert both_press(hand_rig, phones["ann"], phones["bess"], button="undo") == ["rules", ""]
    assert hand_rig.session.view.turn == 1
    assert both_press(hand_rig, phones["ann"], phones["bess"], button="undo") == ["", "stale"]
    assert hand_rig.session.view.turn == 0


def test_word_of_a_player_counts_at_once_after_that_of_another(hand_rig):
    """Her page still shows what the one before her was asked."""
    bess = seated(hand_rig, bess=1)["bess"]
    before = shown_to(bess)
    hand_rig.session.apply(Stick(0))
    hand_rig.step()
    assert shown_to(bess) != before
    assert bess.reader.ask("press", button="stick", prompt=before, **bess.who)["ok"]
    assert hand_rig.session.view.turn == 2


def test_word_is_no_answer_to_a_question_that_came_up_meanwhile(hand_rig):
    bess = seated(hand_rig, bess=1)["bess"]
    before = shown_to(bess)
    shown = hand_rig.feed.shows
    asked = Prompt("Is it yours?", choices=("yes", "no"), kind=PromptKind.QUESTION)
    hand_rig.feed.shows = lambda: replace(shown(), prompt=asked, whose=1)
    hand_rig.step()
    press = {"button": "have", **bess.who}
    assert bess.reader.ask("press", prompt=before, **press)["problem"] == "stale"
    hand_rig.feed.shows = lambda: replace(shown(), prompt=asked, whose=0)
    hand_rig.step()
    assert bess.reader.ask("press", prompt=before, **press)["problem"] == "rules", "a word"


def test_number_of_what_nobody_has_asked_is_stale(rig):
    bess = seated(rig, bess=1)["bess"]
    for number in (shown_to(bess) + 7, 1):
        told = bess.reader.ask("press", button="have", prompt=number, **bess.who)
        assert told["problem"] == "stale"
    assert rig.presses == []


def test_only_the_phone_that_pressed_is_told_why_it_was_refused(hand_rig):
    bess = seated(hand_rig, bess=1)["bess"]
    told = bess.reader.ask("press", button="have", **bess.who)
    assert (told["ok"], told["problem"]) == (False, "rules")
    assert "turn" in told["why"]["en"]
    assert set(told["why"]) == set(LANGUAGES.names)
    hand_rig.session.apply(Stick(0))
    hand_rig.step()
    assert bess.reader.ask("press", button="have", **bess.who)["ok"]


def test_more_than_ten_presses_a_second_are_refused(rig):
    reader = rig.reader()
    phone = {"seat": 1, "secret": secret_of(rig, reader, 1), "phone": "abc"}
    answers = [reader.ask("press", button="have", **phone) for _ in range(11)]
    assert [each["problem"] for each in answers] == ["rules"] * 10 + ["busy"]
    rig.clock.wait(1.0)
    assert reader.ask("press", button="have", **phone)["problem"] == "rules"


@pytest.mark.parametrize(("button", "may"), [(Button.HAVE, True), (Button.STICK, False)])
def test_another_phone_is_let_in_by_the_table(rig, button, may):
    reader = rig.reader()
    secret = secret_of(rig, reader, 1)
    assert reader.ask("seat", seat=1, secret=secret, phone="first")["ok"]
    for _ in range(2):  # as long as nobody has answered
        asked = reader.ask("seat", seat=1, secret=secret, phone="second")
        assert asked["problem"] == "asked"
    page = rig.feed.tick(rig.clock.monotonic())
    assert "Bess" in str(page.title)
    assert rig.feed.door.press(Press(button, rig.clock.monotonic()))
    answer = reader.ask("seat", seat=1, secret=secret, phone="second")
    assert answer["ok"] is may
    assert rig.feed.phones.holders[1] == mark("second" if may else "first")
    assert rig.feed.tick(rig.clock.monotonic()) is None


def test_nobody_answers_the_door(rig):
    reader = rig.reader()
    secret = secret_of(rig, reader, 1)
    reader.ask("seat", seat=1, secret=secret, phone="first")
    assert reader.ask("seat", seat=1, secret=secret, phone="second")["problem"] == "asked"
    now_s = rig.clock.monotonic()
    assert not rig.feed.door.press(Press(Button.HAVE, now_s, seat=1)), "a word opens no door"
    assert not rig.feed.door.press(Press(Button.HAVE, now_s, seat=0, choice=0)), "nor a neighbour"
    rig.clock.wait(60)
    rig.step()
    assert reader.ask("seat", seat=1, secret=secret, phone="second")["problem"] == "taken"
    assert rig.feed.tick(rig.clock.monotonic()) is None


def test_a_no_counts_for_a_minute(rig):
    phones = seated(rig, ann=0, bess=1)
    new = Phone(rig, 1, "new")
    for waited_s, problem in ((DENIED_S - 1, "taken"), (DENIED_S + 1, "asked")):
        assert new.sit()["problem"] == "asked"
        rig.step()
        assert rig.feed.door.press(Press(Button.STICK, rig.clock.monotonic()))
        phones["ann"].reader.ask("events", after=LAST)  # the thread has heard it
        rig.clock.wait(waited_s)
        assert new.sit()["problem"] == problem


class Phone:
    """One phone at a seat, by a reader of its own."""

    def __init__(self, rig, seat, name):
        self.rig, self.reader, self.seat = rig, rig.reader(), seat
        secret = secret_of(rig, self.reader, seat)
        self.who = {"seat": seat, "secret": secret, "phone": name}

    def sit(self):
        return self.reader.ask("seat", **self.who)

    def says(self, choice):
        """Answer the question that the table shows."""
        self.rig.step()
        if not self.reader.state["page"]:
            self.reader.read_until(lambda told: told["kind"] == "state" and told["page"])
        number = self.reader.state["page"]["id"]
        answer = self.reader.ask("press", choice=choice, prompt=number, **self.who)
        self.rig.step()
        return answer.get("problem", "")

    def sees(self):
        """Return the cards that this phone is told beside what the whole table may see."""
        self.rig.session.apply(Deal(self.rig.session.view.deal_to[0], None, Facing.DOWN))
        self.rig.step()
        number = self.rig.session.events - 1
        self.reader.read_until(lambda told: told["kind"] == "state" and told["number"] == number)
        return self.reader.state["own"]


def seated(rig, **phones):
    """Let each of *phones* take its seat."""
    made = {name: Phone(rig, seat, name) for name, seat in phones.items()}
    assert all(phone.sit()["ok"] for phone in made.values())
    return made


def wait_for_notice(rig):
    rig.clock.wait(NOTICE_S)
    rig.step()


def test_two_other_phones_let_a_phone_in_where_the_old_one_is_dead(rig):
    phones = seated(rig, ann=0, bess=1, cecil=2)
    new = Phone(rig, 1, "new")
    assert new.sit()["problem"] == "asked"
    assert "Two other players may let it in" in str(rig.feed.door.page().note)
    assert phones["ann"].says(0) == phones["cecil"].says(0) == ""
    assert rig.feed.phones.holders[1] == mark("bess"), "everybody has time to see it"
    wait_for_notice(rig)
    answer = new.sit()
    assert (answer["ok"], answer["own"]) == (True, False)
    assert rig.feed.phones.holders[1] == mark("new")
    assert new.reader.ask("press", button="stick", **new.who)["problem"] == "rules"
    assert phones["bess"].sit()["problem"] == "asked", "it may ask, too"


def test_one_no_keeps_a_phone_out(rig):
    phones = seated(rig, ann=0, bess=1, cecil=2)
    new = Phone(rig, 1, "new")
    assert new.sit()["problem"] == "asked"
    phones["ann"].says(0)
    assert "one more must" in str(rig.feed.door.page().note)
    phones["cecil"].says(1)
    assert new.sit()["problem"] == "taken"
    wait_for_notice(rig)
    assert rig.feed.phones.holders[1] == mark("bess")


def test_stranger_with_the_code_of_a_seat_stays_outside(rig):
    """Somebody has scanned every code on the screen, and calls every phone as they like."""
    phones = seated(rig, ann=0, bess=1)
    stranger = Phone(rig, 1, "stranger")
    assert stranger.sit()["problem"] == "asked"
    assert stranger.says(0) == "asked", "nobody lets themself in"
    neighbour = Phone(rig, 0, "stranger")
    assert neighbour.says(0) == "asked", "this seat has another phone"
    free = Phone(rig, 2, "another")
    assert free.says(0) == "other", "it came after the question"
    assert phones["ann"].says(0) == "other", "alone she is not asked: there are three"
    wait_for_notice(rig)
    rig.clock.wait(60)
    rig.step()
    assert stranger.sit()["problem"] == "taken"
    assert rig.feed.phones.holders == {
        seat: mark(phone) for seat, phone in enumerate(("ann", "bess", "another"))
    }
    assert rig.presses == []


def test_one_phone_with_two_seats_has_one_voice(rig):
    phones = seated(rig, ann=0, bess=1)
    second = Phone(rig, 2, "ann")
    assert second.sit()["ok"]
    assert Phone(rig, 1, "new").sit()["problem"] == "asked"
    assert rig.feed.door.asks == (1,), "there is one other phone, and the table has three"
    assert phones["ann"].says(0) == second.says(0) == "other"


def test_phone_that_others_let_in_is_told_no_card(rig):
    """Not then, nor by another phone, nor when it goes and comes, until the table lets one in."""
    phones = seated(rig, ann=0, bess=1, cecil=2)
    rig.session.apply(Deal(0, None, Facing.DOWN))
    rig.session.apply(Deal(1, Card.parse("AD"), Facing.DOWN))
    assert "1" in phones["bess"].sees()
    new = Phone(rig, 1, "new")
    assert new.sit()["problem"] == "asked"
    phones["ann"].says(0)
    phones["cecil"].says(0)
    wait_for_notice(rig)
    assert new.sit()["own"] is False
    assert new.sees() == phones["bess"].sees() == {}
    assert new.reader.ask("leave", **new.who)["ok"]
    assert new.sit()["own"] is False
    other = Phone(rig, 1, "other")
    assert other.sit()["problem"] == "asked"
    assert new.says(0) == ""
    assert other.sit()["own"] is False, "the phone there has no more to give"
    kept = json.loads((rig.folder / "phones.json").read_text())
    assert kept["bare"] == [1]
    assert phones["bess"].sit()["problem"] == "asked"
    assert rig.feed.door.press(Press(Button.HAVE, rig.clock.monotonic()))
    assert phones["bess"].sit()["own"] is True
    assert "1" in phones["bess"].sees()


def test_of_two_players_the_other_lets_a_phone_in(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.PEOPLE", PEOPLE[:2])
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack, dealer=1)
        phones = seated(rig, ann=0, bess=1)
        assert Phone(rig, 1, "ann").sit()["problem"] == "asked"
        assert rig.feed.door.asks == (1,), "who asks is not asked"
        rig.clock.wait(60)
        rig.step()
        new = Phone(rig, 1, "new")
        assert new.sit()["problem"] == "asked"
        assert "The other player may let it in" in str(rig.feed.door.page().note)
        assert phones["ann"].says(0) == ""
        assert "one more" not in str(rig.feed.door.page().note), "her yes is enough"
        wait_for_notice(rig)
        assert new.sit()["own"] is False


def test_phone_that_has_the_seat_answers_whether_another_may_have_it(rig):
    first, second = rig.reader(), rig.reader()
    secret = secret_of(rig, first, 1)
    mine = {"seat": 1, "secret": secret, "phone": "first"}
    assert first.ask("seat", **mine)["ok"]
    assert second.ask("seat", seat=1, secret=secret, phone="second")["problem"] == "asked"
    rig.step()
    first.read_until(lambda told: told["kind"] == "state" and told["page"])
    page = first.state["page"]
    assert page["asks"] == [1]
    assert "Bess" in page["title"]["en"]
    assert first.ask("press", choice=0, prompt=page["id"], **mine)["ok"]
    rig.step()
    assert second.ask("seat", seat=1, secret=secret, phone="second")["ok"]
    assert rig.feed.phones.holders[1] == mark("second")
    assert rig.presses == [], "it is no answer of the game"


def test_hand_that_is_over_is_gone_on_with_at_any_phone(rig):
    reader = rig.reader()
    mine = {"seat": 1, "secret": secret_of(rig, reader, 1), "phone": "first"}
    assert reader.ask("press", button="next", **mine)["problem"] == "other"
    play_hand(rig)
    reader.read_until(lambda told: told["kind"] == "state" and told["view"]["result"])
    assert reader.ask("press", button="next", **mine)["ok"]
    rig.step()
    assert [(press.button, press.seat) for press in rig.presses] == [(Button.NEXT, None)]


def test_host_stays_the_host_when_the_table_starts_anew(rig):
    reader = rig.reader()
    reader.line()
    token = reader.ask("host", pin=rig.feed.show_pin())["token"]
    assert reader.ask("host", host=token)["ok"]
    assert reader.ask("host", host="another")["problem"] == "secret"
    again = Phones(rig.folder)
    again.sit_down(rig.session.record.number, [0], "")
    again.check_host(token)
    other = Phones(rig.folder)
    other.sit_down(rig.session.record.number + 1, [0], "")
    with pytest.raises(RequestRefusedError):
        other.check_host(token)


def test_host_comes_in_by_the_pin_and_presses_the_console(rig):
    reader = rig.reader()
    reader.line()
    pin = rig.feed.show_pin()
    token = reader.ask("host", pin=pin)["token"]
    assert reader.ask("press", button="undo", host=token)["problem"] == "rules", "nothing has been"
    assert rig.presses[0].button is Button.UNDO
    assert rig.presses[0].seat is None
    assert reader.ask("host", pin=pin)["problem"] == "pin", "a PIN counts once"


def test_pin_is_limited_in_tries_and_time(rig):
    reader = rig.reader()
    reader.line()
    pin = rig.feed.show_pin()
    wrong = "111111" if pin != "111111" else "222222"
    told = [reader.ask("host", pin=wrong)["problem"] for _ in range(6)]
    assert told == ["pin"] * 5 + ["tries"]
    assert reader.ask("host", pin=pin)["problem"] == "tries"
    rig.clock.wait(61)
    assert reader.ask("host", pin=pin)["problem"] == "pin", "none is shown any more"
    assert reader.ask("host", pin=rig.feed.show_pin())["ok"]


def test_what_a_hand_has_moved_counts_once_it_is_over(rig):
    reader = rig.reader()
    rig.deal(None, None, None, None, None, None, "5S", "6S", "7S")
    rig.step()
    assert any(seat.tokens for seat in rig.session.view.seats), "the Bone is paid"
    assert {each["tokens"] for each in events_told(rig, reader)[-1]["players"]} == {0}


def test_everybody_who_has_left_stays_in_the_balance(rig):
    reader = rig.reader()
    play_hand(rig)
    before = {each["name"]: each["tokens"] for each in events_told(rig, reader)[-1]["players"]}
    assert sum(before.values()) == 0
    assert before["Bess"] != 0
    rig.session.apply(Entry(((0, 5), (1, -5)), "owed"))
    rig.session.apply(Leave(1))
    rig.session.apply(NextHand())
    rig.step()
    assert [seat.name for seat in rig.session.view.seats] == ["Ann", "Cecil"]
    after = {each["name"]: each["tokens"] for each in events_told(rig, reader)[-1]["players"]}
    assert after == {**before, "Ann": before["Ann"] + 5, "Bess": before["Bess"] - 5}


def test_secrets_outlive_a_power_cut_and_not_the_sitting(rig, tmp_path):
    reader = rig.reader()
    first = secret_of(rig, reader, 1)
    kept = tmp_path / "phones.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with contextlib.ExitStack() as stack:
        path = tmp_path / "again.sock"
        again = stack.enter_context(Feed(path, rig.journal.path, "oak", rig.clock))
        again.phones.sit_down(1, [0, 1, 2], "")
        assert again.phones.secrets[1] == first
        again.phones.sit_down(2, [0, 1, 2], "")
        assert again.phones.secrets[1] != first


@pytest.mark.parametrize("text", ["{", "[]", "[" * 2000], ids=["cut", "list", "deep"])
def test_damaged_secrets_are_made_anew(tmp_path, text, caplog):
    (tmp_path / "phones.json").write_text(text)
    phones = Phones(tmp_path)
    phones.sit_down(1, [0, 1], "")
    assert phones.secrets.keys() == {0, 1}
    assert "phones get new secrets" in caplog.text


@pytest.mark.parametrize("let_in", [False, True])
def test_phone_keeps_its_seat_when_the_table_starts_anew(rig, tmp_path, let_in):
    """Whoever comes first then; nobody finds in the file what a phone calls itself."""
    phones = seated(rig, ann=0, bess=1, cecil=2)
    if let_in:
        assert Phone(rig, 1, "new").sit()["problem"] == "asked"
        rig.step()
        assert rig.feed.door.press(Press(Button.HAVE, rig.clock.monotonic()))
        assert Phone(rig, 1, "new").sit()["ok"]
    assert phones["cecil"].reader.ask("leave", **phones["cecil"].who)["ok"]
    rig.feed.close()
    kept = (tmp_path / "phones.json").read_text()
    assert not any(name in kept for name in ("ann", "bess", "cecil", "new"))
    with contextlib.ExitStack() as stack:
        rig.feed = stack.enter_context(Feed(rig.path, rig.journal.path, "oak", rig.clock))
        assert rig.feed.ready.wait(5)
        rig.feed.shows = lambda: shown_at(rig.table)
        rig.table.panels.clear(), rig.table.tasks.clear(), rig.table.intercepts.clear()
        attach(rig.feed, rig.table)
        rig.step()
        assert Phone(rig, 1, "stranger").sit()["problem"] == "asked"
        assert rig.feed.door.asks == (1,), "one other phone is left; it takes two"
        assert Phone(rig, 1, "new" if let_in else "bess").sit()["ok"]
        assert Phone(rig, 2, "another").sit()["ok"], "Cecil has given it back"


def test_a_reader_that_is_too_slow_is_cut_off_and_the_table_goes_on(rig, monkeypatch):
    monkeypatch.setattr(feeds, "MOST_PENDING", 10_000)
    slow, other = rig.reader(), rig.reader()
    other.line()
    for _ in range(200):
        rig.session.apply(Deal(0, None))
        rig.session.apply(Undo())
        rig.step()
        other.read_until(lambda told: told["kind"] == "state" and told["number"] >= 0)
    with pytest.raises((ValueError, OSError)):
        slow.read_until(lambda told: False)
    assert other.ask("events", after=[1, 397])["ok"]


def test_what_the_loop_leaves_is_bounded(rig, monkeypatch):
    """A thread that hangs costs the table nothing; its readers ask anew."""
    monkeypatch.setattr(feeds, "MOST_WAITING", 5)
    monkeypatch.setattr(rig.feed, "_loop", type("Hung", (), {"call_soon_threadsafe": print})())
    for _ in range(20):
        rig.session.apply(Deal(0, None))
        rig.session.apply(Undo())
    assert len(rig.feed._waiting) == 5
    assert rig.feed._overflowed
    monkeypatch.undo()


def test_socket_is_for_its_group_alone_and_goes_with_the_table(tmp_path):
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack)
        assert stat.S_IMODE(os.stat(rig.path).st_mode) == 0o660
    assert not rig.path.exists()


def test_table_that_ends_leaves_no_reader_half_served(tmp_path, caplog):
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack)
        readers = [rig.reader() for _ in range(3)]
        assert all(reader.line()["kind"] == "state" for reader in readers)
        rig.feed.close()
        gc.collect()
        assert "destroyed" not in caplog.text


def test_a_socket_that_cannot_be_made_stops_no_game(tmp_path, caplog):
    (tmp_path / "feed.sock").mkdir()
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack)
        rig.deal(None, None)
        assert rig.session.events == 2
    assert "[web] socket" in caplog.text


def test_what_is_left_of_a_killed_table_is_in_nobodys_way(tmp_path):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "feed.sock"))
    left.close()
    with contextlib.ExitStack() as stack:
        rig = Rig(tmp_path, stack)
        assert rig.reader().hello["kind"] == "hello"


def test_result_and_tokens_are_told(rig):
    reader = rig.reader()
    play_hand(rig)
    last = events_told(rig, reader)[-1]
    assert last["result"]["end"] == str(rig.session.view.result.end)
    tokens = {seat.seat: seat.tokens for seat in rig.session.view.seats}
    assert {each["seat"]: each["tokens"] for each in last["players"]} == tokens
    assert any(tokens.values())


def test_every_reader_is_told_who_has_a_phone(rig):
    reader, other = rig.reader(), rig.reader()
    secret = secret_of(rig, reader, 0)
    asked = {"seat": 0, "secret": secret, "phone": "a"}
    assert reader.ask("seat", **asked)["ok"]
    other.read_until(lambda told: told["kind"] == "state" and told["phones"] == [0])
    assert reader.ask("leave", **asked)["ok"]
    other.read_until(lambda told: told["kind"] == "state" and told["phones"] == [])


def answer_of_a_phone(rig, reader, **more):
    secret = secret_of(rig, reader, 0)
    number = reader.state["prompt"]["id"]
    asked = {"seat": 0, "secret": secret, "phone": "a", "choice": 1, "prompt": number}
    return reader.ask("press", **asked, **more)


def test_answer_to_what_anybody_is_asked_counts_whoever_gives_it(rig):
    answer_of_a_phone(rig, rig.reader())
    (press,) = rig.presses
    assert (press.button, press.seat, press.choice) == (Button.HAVE, None, 1)


def test_answer_to_what_a_player_is_asked_is_theirs(rig):
    shown = rig.feed.shows
    rig.feed.shows = lambda: replace(shown(), whose=0)
    rig.step()
    answer_of_a_phone(rig, rig.reader())
    assert [press.seat for press in rig.presses] == [0]


def test_answer_of_a_phone_lets_no_other_phone_in(rig):
    reader = rig.reader()
    let_in = []
    mine = {"seat": 0, "secret": secret_of(rig, reader, 0), "phone": "a"}
    rig.feed.door.knock("Bess", 1, lambda *said: let_in.append(said))
    assert answer_of_a_phone(rig, rig.reader())["problem"] == "stale"
    rig.step()
    reader.read_until(lambda told: told["kind"] == "state" and told["page"])
    number = reader.state["page"]["id"]
    assert reader.ask("press", choice=0, prompt=number, **mine)["problem"] == "other"
    early = Press(Button.HAVE, rig.clock.monotonic() - 60.0, None, 0)
    assert not rig.feed.door.press(early), "pressed before the table was asked"
    assert let_in == []
