"""People of the virtual table: whole hands on paper, styles of play, and help for the eyes."""

import pytest

from device.clock import HandClock
from device.ports import Button
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.demo import CardTally, Demo
from device.simulator.players import CardPlayers
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from engine import Card, Phase, Player, SeatStatus, SeatView, View, deck
from engine.bots import StrategyError
from engine.core.counting import total
from engine.games import catalog
from tests.support.mat_readings import NAMES
from tests.support.oracle_source import KnowingEyes
from vision.mat.pose import MatLayout

pytestmark = pytest.mark.slow

ALL_STYLES = ("cautious", "bold", "exact")


class Evening:
    """A demo without pixels: the frames are drawn small and nobody reads them."""

    def __init__(self, folder, players=3, seed=1, game="bone-ace", preset=None):
        self.journal = Journal(folder / "journal.sqlite3")
        clock = HandClock()
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        self.session = Session.begin(self.journal, clock, game, company, dealer=None, preset=preset)
        self.table = SimulatedTable(MatLayout(players), seed=seed, size=(160, 120))
        self.people = CardPlayers(
            self.table,
            seed,
            NAMES[:players],
            [ALL_STYLES[seat % 3] for seat in range(players)],
            self.session.state.setup.options,
        )
        self.eyes = KnowingEyes(self.table)
        self.demo = Demo(
            TableController(self.session, self.eyes, [], clock),
            self.people,
            clock,
            tally=CardTally(self.table.face_up),
            fingerprint=self.table.fingerprint,
            say=lambda line: None,
        )

    def play(self, hands=1):
        assert self.demo.run(hands)
        return self.demo.lines


@pytest.fixture
def evening(tmp_path):
    made = []

    def begin(**more):
        made.append(Evening(tmp_path / str(len(made)), **more))
        return made[-1]

    yield begin
    for each in made:
        each.journal.close()


def seen(phase=Phase.PLAY, statuses=(), **more):
    """A view with three backs before each of three players."""
    seats = tuple(
        SeatView(
            seat,
            NAMES[seat],
            status=dict(statuses).get(seat, SeatStatus.WAITING),
            cards=(None, None, None),
        )
        for seat in range(3)
    )
    return View("one-and-thirty", "willughby", phase, 1, 1, seats, dealer=2, **more)


def settle(table):
    while table.is_moving:
        table.frame()


def options_with(ace_value):
    game = catalog.find("one-and-thirty")
    return catalog.make_options(game, game.presets[0], {"ace_value": ace_value})


def open_session(hands, style="bold", ace_value=1):
    """Three players whose hands are known."""
    table = SimulatedTable(MatLayout(3), seed=1, size=(160, 120))
    people = CardPlayers(table, 1, NAMES[:3], [style] * 3, options_with(ace_value))
    codes = [hand.split() for hand in hands]
    # The pack is stacked with the people's own dealing: one card each, three times round.
    people.act(seen(Phase.DEAL, deal_to=None))
    people._pack = [Card.parse(hand[turn]) for turn in range(3) for hand in codes]
    people._pack += [card for card in deck() if str(card) not in " ".join(hands)]
    for turn in range(3):
        for seat in range(3):
            view = seen(Phase.DEAL, deal_to=(seat, False))
            counted = tuple(
                SeatView(each.seat, each.name, cards=(None,) * (turn + (each.seat < seat)))
                for each in view.seats
            )
            people.act(View(**{**fields_of(view), "seats": counted}))
            settle(table)
    return table, people


def fields_of(view):
    return {name: getattr(view, name) for name in View.__slots__}


# Whole hands


@pytest.mark.parametrize(
    ("players", "game", "preset"),
    [
        (2, "bone-ace", None),
        (8, "bone-ace", None),
        (4, "bone-ace", "cotton"),
        (3, "bone-ace", "davis"),
        (5, "bone-ace", "ealdormere"),
        (4, "one-and-thirty", None),
    ],
)
def test_people_play_whole_hands_of_every_kind(evening, players, game, preset):
    table = evening(players=players, game=game, preset=preset)
    table.play(2)
    hands = table.session.state.hands
    assert len(hands) == 2
    assert all(sum(net for _, net in hand.settlement) == 0 for hand in hands)
    assert table.demo.app.asked == 0
    tally = table.demo.tally
    assert tally.laid
    assert tally.read == tally.laid
    assert not tally.wrong


def test_same_seed_same_evening(evening):
    lines = evening(seed=3).play(2)
    assert evening(seed=3).play(2) == lines
    assert evening(seed=4).play(2) != lines


def test_who_ties_in_the_cut_takes_his_card_up_and_cuts_again(evening):
    # The seed is one whose two lowest cards of the cut are equal.
    lines = evening(players=8, seed=TIED_CUT).play()
    tie = next(number for number, line in enumerate(lines) if "A tie" in line)
    again = [line for line in lines[tie + 1 :] if " cuts " in line]
    assert len(again) >= 2


def test_overlooked_cards_are_pushed_until_they_are_seen(evening):
    table = evening(seed=6)
    first_look = set()

    def overlook(virtual):
        new = [each for each in virtual.cards if each.card not in first_look]
        first_look.update(each.card for each in new)
        return new

    table.eyes.overlook = overlook
    table.play()
    assert table.session.state.hands[0].settlement
    assert len(first_look) > 9


def test_a_card_that_stays_unread_is_settled_by_a_question(evening):
    plain = evening(seed=9)
    plain.play()
    third = plain.session.view.seat(0).cards[2]
    other = next(card for card in deck() if card not in {each for _, each in plain.demo.tally.laid})
    doubtful = evening(seed=9)
    doubtful.eyes.unsure = {third: (other, third)}
    doubtful.play()
    assert doubtful.demo.app.asked >= 1
    assert doubtful.session.view.seat(0).cards[2] == third
    assert doubtful.session.state.hands[0].settlement == plain.session.state.hands[0].settlement


def test_a_card_that_only_the_eyes_saw_is_taken_back(evening):
    plain = evening(seed=9)
    plain.play()
    phantom = next(
        card for card in deck() if card not in {each for _, each in plain.demo.tally.laid}
    )
    fooled = evening(seed=9)

    def fool(event, before, after, _):
        # From the first look at the deal: every back seems a card face up, once.
        if before.phase is Phase.CUT and after.phase is Phase.DEAL:
            fooled.eyes.mistaken = dict.fromkeys(deck(), phantom)

    fooled.session.listeners.append(fool)
    fooled.play()
    assert fooled.demo.tally.wrong == {(1, phantom)}
    assert fooled.demo.app.asked == 0, "it does not stay, so nobody is asked"
    assert fooled.session.state.hands[0].settlement == plain.session.state.hands[0].settlement


def test_after_the_result_the_cards_are_gathered_before_next_is_pressed(evening):
    table = evening(seed=2)
    table.play()
    people, view = table.people, table.session.view
    settle(table.table)
    assert table.table.cards
    assert people.act(view) == []
    assert not table.table.cards
    assert people.act(view) == []
    settle(table.table)
    (press,) = people.act(view)
    assert press.button is Button.NEXT


# One act at a time


def test_everybody_waits_while_an_arm_is_in_the_picture():
    table, people = open_session(["KS 9H 2D", "QS 8H 3D", "JS 7H 4D"])
    table.touch(0)
    before = table.fingerprint()
    assert people.act(seen(turn=0)) == []
    assert table.fingerprint() == before
    settle(table)
    (press,) = people.act(seen(turn=0))
    assert (press.button, press.seat) == (Button.HAVE, 0)


def test_the_card_asked_for_comes_from_the_bottom_face_down():
    table, people = open_session(["KS 9H 2D", "QS 8H 3D", "JS 7H 4D"])
    bottom = people._pack[-1]
    assert people.act(seen(turn=0, card_asked=True)) == []
    newest = table.at(0)[-1]
    assert (newest.card, newest.face_up) == (bottom, False)


def test_thirty_one_is_shown_at_once_even_out_of_turn():
    table, people = open_session(["KS 9H 2D", "AS TH QD", "JS 7H 4D"], ace_value=11)
    assert people.act(seen(turn=0)) == []
    assert {each.seat for each in table.cards if each.face_up} == {1}


def test_over_thirty_one_is_shown_in_his_turn_only():
    table, people = open_session(["KS 9H 2D", "AS AH QD", "JS 7H 4D"], ace_value=11)
    (press,) = people.act(seen(turn=0))
    assert press.button is Button.HAVE
    assert not table.face_up()
    assert people.act(seen(turn=1)) == []
    assert {each.seat for each in table.cards if each.face_up} == {1}


def test_in_the_showdown_the_named_hands_are_turned_up_one_by_one():
    table, people = open_session(["KS 9H 2D", "QS 8H 3D", "JS 7H 4D"])
    people.act(seen(Phase.SHOWDOWN, to_reveal=(1, 2)))
    assert {each.seat for each in table.cards if each.face_up} == {1}
    settle(table)
    people.act(seen(Phase.SHOWDOWN, to_reveal=(2,)))
    assert {each.seat for each in table.cards if each.face_up} == {1, 2}


def test_who_has_no_room_for_a_card_sticks(monkeypatch):
    table, people = open_session(["KS 2H 2D", "QS 8H 3D", "JS 7H 4D"])
    monkeypatch.setattr(table, "room", lambda seat: 0)
    (press,) = people.act(seen(turn=0))
    assert press.button is Button.STICK


# Styles


def wants(style, hand, opened="", ace_value=1):
    """Whether a player with that hand takes a card; *opened* lie face up before another one."""
    _, people = open_session([hand, "2C 3C 4C", "2S 3S 4S"], style, ace_value)
    people._hands[0] = cards(hand)
    seats = list(seen().seats)
    seats[0] = SeatView(0, NAMES[0], cards=(None,) * len(people._hands[0]))
    seats[1] = SeatView(1, NAMES[1], status=SeatStatus.OUT, cards=tuple(cards(opened)))
    view = View(**{**fields_of(seen(turn=0)), "seats": tuple(seats)})
    (press,) = people.act(view)
    assert press.button in (Button.HAVE, Button.STICK)
    return press.button is Button.HAVE


def cards(codes):
    return [Card.parse(code) for code in codes.split()]


HANDS = {
    20: "TS 8H 2D", 21: "TS 9H 2D", 22: "TS 9H 3D", 26: "TS 9H 7D", 27: "TS 9H 8D",
    29: "TS JH 9D", 30: "TS JH QD",
}  # fmt: skip


@pytest.mark.parametrize(("style", "last"), [("cautious", 21), ("bold", 26)])
def test_plain_styles_stick_at_their_number(style, last):
    assert [points for points, hand in HANDS.items() if wants(style, hand)][-1] == last


def test_exact_takes_a_card_that_cannot_hurt_and_never_beyond_thirty():
    assert wants("exact", HANDS[20])
    assert wants("exact", HANDS[21])
    assert not any(wants("exact", HANDS[points]) for points in (29, 30))


def test_exact_looks_at_the_cards_that_are_left():
    small = " ".join(f"{rank}{suit}" for rank in "A2345" for suit in "CDHS")
    large = " ".join(f"{rank}{suit}" for rank in "6789TJQK" for suit in "CDHS")
    assert wants("exact", HANDS[26], without(large, HANDS[26]))
    assert not wants("exact", HANDS[26], without(small, HANDS[26]))


def without(codes, hand):
    return " ".join(code for code in codes.split() if code not in hand.split())


@pytest.mark.parametrize(
    ("codes", "ace_value", "points"),
    [
        ("KS 9H 2D", 1, 21),
        ("AS AH TD", 1, 12),
        ("AS AH TD", 11, 32),
        ("AS AH TD", "1or11", 22),
        ("AS KH TD", "1or11", 31),
    ],
)
def test_totals(codes, ace_value, points):
    assert total(map(Card.parse, codes.split()), ace_value) == points


def test_unknown_styles_are_refused():
    table = SimulatedTable(MatLayout(2), size=(160, 120))
    with pytest.raises(StrategyError, match=f"'wild'; .*known are: {', '.join(ALL_STYLES)}"):
        CardPlayers(table, 1, NAMES[:2], ["bold", "wild"], options_with(1))
    with pytest.raises(StrategyError, match="2 people but 1 styles"):
        CardPlayers(table, 1, NAMES[:2], ["bold"], options_with(1))


TIED_CUT = 3
