"""People who play Thirty-one on the virtual table: whole hands of every variant, without pixels."""

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from device.clock import HandClock
from device.croupier.questions import Choice, Question, QuestionKind
from device.ports import Button
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.demo import CardTally, Demo
from device.simulator.scat_players import ScatPlayers
from device.simulator.scat_table import DISCARD, ScatTable
from device.simulator.table import TableFullError
from device.storage.journal.journal import Journal
from engine import Card, Phase, Player, apply, view
from engine.core.events import Correct, Deal, DealTo, Facing
from engine.core.views import MiddleView
from engine.games import catalog
from engine.table.visibility import actions_for
from tests.support.mat_readings import NAMES
from tests.support.oracle_source import KnowingEyes
from vision.mat.pose import MatLayout
from vision.readings import ZoneKind

pytestmark = pytest.mark.slow

PRESETS = [preset.name for preset in catalog.find("scat").presets]
STYLES = ("cautious", "bold", "cautious")


class UndrawnTable(ScatTable):
    """A table whose frames nobody draws."""

    def _empty(self):
        return np.zeros((2, 2, 3), np.uint8)

    def frame(self):
        self._cards.advance()


def covered(table):
    """Of the discard only the top can be read."""
    return table.at(DISCARD)[:-1]


class Evening:
    def __init__(self, folder, preset, players=3, seed=1, styles=STYLES):
        clock = HandClock()
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        self.journal = Journal(folder / "journal.sqlite3")
        self.session = Session.begin(
            self.journal, clock, "scat", company, dealer=None, preset=preset
        )
        options = self.session.state.setup.options
        middle = None if options.table == "none" else players
        layout = MatLayout(players + (middle is not None))
        self.table = UndrawnTable(layout, middle=middle, seed=seed, size=(160, 120))
        styles = [styles[seat % len(styles)] for seat in range(players)]
        self.people = ScatPlayers(
            *(self.table, seed, NAMES[:players], styles, options, self.ask),
            put_right=lambda event: self.demo.app.enter(event),
        )
        self.eyes = KnowingEyes(self.table, covered)
        self.events = []
        self.session.listeners.append(lambda event, *_: self.events.append(event))
        self.demo = Demo(
            TableController(self.session, self.eyes, [], clock),
            self.people,
            clock,
            tally=CardTally(self.table.face_up),
            fingerprint=self.table.fingerprint,
            say=lambda line: None,
        )

    def ask(self, seat, *supposed):
        state = self.session.state
        for event in supposed:
            state = apply(state, event)
        return view(state, seat), actions_for(state, seat)

    def play(self, hands=1):
        assert self.demo.run(hands)
        return Counter(event.kind for event in self.events)


@pytest.fixture
def evening(tmp_path):
    made = []

    def begin(preset, **more):
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Evening(folder, preset, **more))
        return made[-1]

    yield begin
    for each in made:
        each.journal.close()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 4])
def test_two_hands_of_every_preset(evening, preset, players):
    party = evening(preset, players=players, seed=players)
    kinds = party.play(hands=2)
    assert party.session.view.hand_number == 2
    assert party.session.view.phase is Phase.DONE
    assert kinds["misdeal"] == kinds["undo"] == kinds["correct"] == 0
    # What the croupier made of what it saw is what the people did: every hand shown is true.
    for seat in party.session.view.seats:
        shown = {card for card in seat.cards if card is not None}
        assert shown <= set(party.people._hands.get(seat.seat, ()))


def test_a_whole_match_is_played_to_its_winner(evening):
    party = evening("west-lansing", players=3, seed=2, styles=("bold",))
    for hands in range(1, 30):
        party.play(hands)
        if party.session.view.match.over:
            break
    match = party.session.view.match
    assert match.over
    assert sum(net for _seat, net in match.settlement) == 0
    out = [seat for seat in party.session.view.seats if seat.match.eliminated]
    assert len(out) == 2
    # Who was out got no card any more (rule G-21).
    last = [event.seat for event in party.events if isinstance(event, Deal)][-3:]
    assert len(set(last)) <= 2


def test_no_hand_is_read_before_it_is_shown(evening):
    """Hidden hands are known to the people only (rules SC-23, G-7)."""
    party = evening("wikipedia", seed=3)
    party.play()
    dealt = [event for event in party.events if isinstance(event, Deal)]
    assert {event.card for event in dealt} == {None}
    assert {event.face for event in dealt} == {Facing.DOWN}


def test_cards_in_the_middle_lie_on_a_place_that_is_nobodys(evening):
    party = evening("switch", seed=1)
    party.play()
    assert {event.to for event in party.events if isinstance(event, DealTo)} == {"second", "B"}
    assert party.table.middle == 3


def test_an_overlooked_discard_is_pushed_until_it_is_seen(evening):
    party = evening("wikipedia", seed=2)
    looks = Counter()

    def overlook(table):
        pile = table.at(DISCARD)
        if len(pile) > 2 and party.session.view.phase is Phase.PLAY:
            looks[pile[-1].card] += 1
            if looks[pile[-1].card] < 3:
                return pile
        return covered(table)

    party.eyes.overlook = overlook
    kinds = party.play()
    assert kinds["discard"] >= 3
    assert max(looks.values()) >= 3


def test_an_overlooked_discard_of_who_drew_the_one_before_is_pushed_too(evening):
    """He has three cards, and the screen still shows four: that is no misdeal."""
    party = evening("dollar-bill", players=4, seed=4)
    looks = Counter()

    def overlook(table):
        pile = table.at(DISCARD)
        middle = party.session.view.middle
        if pile and pile[-1].card not in middle.discards and middle.drawn == "discard":
            looks[pile[-1].card] += 1
            if looks[pile[-1].card] < 3:
                return pile
        return covered(table)

    party.eyes.overlook = overlook
    kinds = party.play()
    assert max(looks.values()) == 3
    assert kinds["misdeal"] == 0


def second_discard(people):
    return people.middle.discards[1] if len(people.middle.discards) == 2 else None


def first_on_the_table(people):
    return people.middle.piles["table"][0][0] if people.middle.piles.get("table") else None


def first_swapped_in(people):
    if people._view is None or people._view.middle is None:
        return None
    shown = people._view.middle.pile("table")
    swapped = [card for card, _up in people.middle.piles.get("table", ()) if card not in shown]
    return swapped[0] if people._mover is not None and swapped else None


@pytest.mark.parametrize(
    ("preset", "which"),
    [
        ("wikipedia", second_discard),
        ("stop-the-bus", first_on_the_table),
        ("stop-the-bus", first_swapped_in),
    ],
)
def test_a_card_that_was_read_as_another_is_put_right(evening, preset, which):
    """Who laid it sees on the screen that it is not so, and says so by the menu (rule G-10)."""
    party = evening(preset, seed=1)
    poll = party.eyes.poll
    wrong = {}

    def misread():
        readings = poll()
        card = None if wrong else which(party.people)
        if card is not None:
            wrong[card] = party.people._pack[-1]  # it is dealt to nobody
        if any(event.kind == "correct" for event in party.events):
            return readings
        return tuple(
            replace(
                reading,
                cards=tuple(replace(c, card=wrong.get(c.card, c.card)) for c in reading.cards),
            )
            for reading in readings
        )

    party.eyes.poll = misread
    kinds = party.play()
    ((card, seemed),) = wrong.items()
    assert [event for event in party.events if event.kind == "correct"] == [Correct(seemed, card)]
    assert kinds["misdeal"] == kinds["undo"] == 0
    assert list(party.session.view.middle.discards) == party.people.middle.discards


def test_a_card_counted_that_nobody_dealt_is_a_misdeal(evening):
    party = evening("wikipedia", seed=3)
    while party.session.view.phase is not Phase.TURN_UP:
        party.demo.app.step()
        party.people.act(party.session.view)
    settle(party.table)
    party.people._hands[1].pop()  # as if the eyes had seen one card more than was dealt
    presses = party.people.act(party.session.view)
    assert [press.button for press in presses] == [Button.MENU]
    party.demo.app.press(presses[0])
    assert party.people.answer(party.demo.app.question)[0].button is Button.HAVE


# The table


def blind(middle=None, seats=4):
    return UndrawnTable(MatLayout(seats), middle=middle, size=(160, 120))


def settle(table):
    while table.is_moving:
        table.frame()


def test_the_discard_is_a_pile_on_its_place():
    table = blind()
    for code in ("9H", "KD"):
        table.discard(Card.parse(code), by=0)
        settle(table)
    assert [str(each.card) for each in table.at(DISCARD)] == ["9H", "KD"]
    for each in table.at(DISCARD):
        assert table.layout.zone_at(each.x_mm, each.y_mm).kind is ZoneKind.DISCARD
    first, second = table.at(DISCARD)
    assert (first.x_mm, first.y_mm) != (second.x_mm, second.y_mm)
    table.draw_discard(by=1)
    assert [str(each.card) for each in table.at(DISCARD)] == ["9H"]


def test_whether_a_card_below_the_top_was_taken_may_stay_in_doubt(evening):
    people = evening("no-elimination").people
    people.middle.discards = [Card.parse(code) for code in ("2S", "3H", "4C")]
    shown = partial(MiddleView, stock=32)
    for seen, agrees in (("2S 3H 4C", True), ("3H 4C", True), ("2S 3H", False), ("", False)):
        cards = tuple(map(Card.parse, seen.split()))
        assert people.middle.agrees(shown(discards=cards)) is agrees


def test_the_middle_has_two_rows_that_run_as_seat_0_sees_them():
    table = blind(middle=3)
    for place, code in enumerate(("2C", "3C", "4C", "5C", "6C", "7C")):
        table.put(place, Card.parse(code), face_up=True, by=0)
        settle(table)
    lying = {str(each.card): (each.x_mm, each.y_mm) for each in table.cards}
    for row in (("2C", "3C", "4C"), ("5C", "6C", "7C")):
        spots = [lying[code] for code in row]
        wide = max(x for x, _ in spots) - min(x for x, _ in spots)
        high = max(y for _, y in spots) - min(y for _, y in spots)
        axis = 0 if wide >= high else 1
        assert [spot[axis] for spot in spots] == sorted(spot[axis] for spot in spots)
    table.take(1, by=0)
    assert "3C" not in {str(each.card) for each in table.cards}
    assert table.nearest(lying["4C"]).card == Card.parse("4C")
    assert table.nearest(lying["3C"]) is None


def test_without_a_free_place_there_is_no_middle():
    with pytest.raises(TableFullError, match="lay a mat for one more"):
        blind().put(0, Card.parse("2C"), face_up=True, by=0)


def test_a_place_that_is_not_there():
    table = blind(middle=3)
    with pytest.raises(TableFullError, match="take a larger paper"):
        table.put(99, Card.parse("2C"), face_up=True, by=0)


# Answers


def test_of_a_pile_only_the_card_on_top_is_asked_about(evening):
    party = evening("wikipedia")
    for code in ("4D", "4S"):
        party.table.discard(Card.parse(code), by=0)
        settle(party.table)
    top = party.table.at(DISCARD)[-1]
    candidates = (Card.parse("4D"), Card.parse("4S"))
    for selected, answer in enumerate((Button.STICK, Button.HAVE)):
        question = Question(
            QuestionKind.CARD,
            "?",
            "",
            candidates=candidates,
            selected=selected,
            place=(top.x_mm, top.y_mm),
        )
        assert [press.button for press in party.people.answer(question)] == [answer]


@pytest.mark.parametrize(
    ("taken", "button"), [(True, Button.STICK), (False, Button.HAVE)], ids=["taken", "left"]
)
def test_where_a_card_was_drawn_from_is_told_as_it_happened(evening, taken, button):
    party = evening("wikipedia")
    if taken:
        party.people._taken.add((0, Card.parse("KD")))
    answers = (Choice("stock", "no"), Choice("discard", "yes"))
    question = Question(QuestionKind.SOURCE, "?", 0, answers, was=Card.parse("KD"))
    assert [press.button for press in party.people.answer(question)] == [button]
