"""Logs of readings: the codec, what a camera would have seen, the truth, what is told."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.croupier import questions as ask
from device.croupier.lines import (
    NOWHERE,
    Line,
    ReadingsError,
    press_line,
    read_line,
    reading_lines,
    with_hands,
)
from device.croupier.looks import Looks
from device.croupier.questions import Choice, Question, QuestionKind, divides
from device.ports import Button, Press
from device.runtime.readings import TruthTeller, _differing, play_readings, settled
from device.runtime.truth import Asked, Truth, codes, counted, presses_for
from device.simulator.people.sitting import Setup
from engine import Deal, Undo
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.events import Choose, Discard, Draw, Facing, Knock, Roll, Source, Stick
from tests.support.readings_logs import bone_ace
from tests.support.readings_player import table_of
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
    Zone,
    ZoneKind,
)

CARDS = st.builds(Card, st.sampled_from(Rank), st.sampled_from(Suit))
ZONES = st.none() | st.builds(
    lambda kind, seat: Zone(kind, seat if kind is ZoneKind.SEAT else None),
    st.sampled_from(ZoneKind),
    st.integers(0, 7),
)
FACES = st.sampled_from(list(Face))


@st.composite
def readings(draw):
    """Draw a reading as a log holds it: rounded, ordered or not, no card under another."""
    ordered = draw(st.booleans())
    spots = draw(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), unique=True, max_size=8)
    )
    cards, backs, unsure, jokers = [], [], [], []
    if not ordered:
        spots.sort()
    for layer, (x, y) in enumerate(spots):
        at = (x * 25.5, y * 25.25)
        turn = draw(st.none() | st.integers(0, 1799).map(lambda tenths: tenths / 10))
        place = Place(NOWHERE, at, draw(ZONES), turn, layer if ordered else None)
        kind = draw(st.integers(0, 3))
        if kind == 0:
            cards.append(CardReading(draw(CARDS), 1.0, place))
        elif kind == 1:
            backs.append(BackReading(1.0, place))
        elif kind == 2:
            jokers.append(JokerReading(1.0, place))
        else:
            maybe = tuple(draw(st.lists(CARDS, max_size=3)))
            unsure.append(UnsureReading(maybe, 0.5, place))
    bones, unsure_bones = [], []
    for number in range(draw(st.integers(0, 5))):
        at = (10.0 * number, 300.0)
        spot = Spot((), at, at, None, draw(st.booleans()))
        if draw(st.booleans()):
            bones.append(BoneReading(draw(FACES), 1.0, spot))
        else:
            maybe = tuple(draw(st.lists(FACES, max_size=2)))
            unsure_bones.append(UnsureBoneReading(maybe, 0.5, spot))
    hands = draw(st.none() | st.lists(st.none() | st.integers(0, 7), max_size=3).map(tuple))
    over = draw(st.frozensets(st.sampled_from(["stock", "discard", "seat 1"]))) if hands else ()
    return Reading(
        draw(st.integers(0, 10**7)) / 1000,
        tuple(cards),
        tuple(backs),
        tuple(unsure),
        draw(st.integers(2, 8)),
        tuple(bones),
        tuple(unsure_bones),
        hands,
        frozenset(over),
        tuple(jokers),
    )


@settings(max_examples=25, deadline=None)
@given(readings())
def test_a_reading_comes_back_from_its_lines(reading):
    lines = list(with_hands(read_line(text) for text in reading_lines(reading)))
    assert [line.reading for line in lines] == [reading]


@given(st.sampled_from(list(Button)), st.none() | st.integers(0, 7), st.none() | st.integers(0, 5))
def test_a_press_comes_back_from_its_line(button, seat, choice):
    press = Press(button, 12.5, seat, choice)
    assert read_line(press_line(press)).press == press


def test_no_mat_is_a_reading_without_a_mat():
    (text,) = reading_lines(Reading(3.0, hands=(1,)))
    assert read_line(text).reading == Reading(3.0)


def lies(t, *cards):
    things = [{"card": code, "at": None, "x": x, "y": y} for code, x, y in cards]
    return json.dumps({"t": t, "lies": things})


def test_a_card_under_a_later_one_is_not_seen():
    text = lies(1, ("KS", 100, 100), ("2H", 112, 88), ("3H", 130, 100), ("4H", 130, 112.5))
    found = [str(each.card) for each in read_line(text).reading.cards]
    assert found == ["2H", "3H", "4H"]  # 12 mm both ways hide a card, 12.5 mm do not


def test_unknown_keys_and_any_text_of_a_look_are_passed_over():
    assert read_line('{"t":1,"look":"why not","x":[]}').looks
    for others in ('"note":"nothing"', '"event":7', '"since":"noon"', '"event":{"e":"stick"}'):
        line = read_line(f'{{"t":1,{others}}}')
        assert line == Line(1.0)
    assert read_line('{"t":1,"lies":[],"seats":"many"}').reading.seats == 8


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not JSON"),
        ("[1]", "is no JSON object"),
        ('{"lies":[]}', "has no 't'"),
        ('{"t":-1}', "is no time"),
        ('{"t":NaN}', "is not a number"),
        ('{"t":"1"}', "is not a number"),
        ('{"t":1,"press":"jump"}', "the buttons are stick, have"),
        ('{"t":1,"press":"have","seat":-1}', "is not a whole number"),
        ('{"t":1,"hand":true}', "is not a whole number"),
        ('{"t":1,"hand":8}', "hand: a mat has no seat 8; write 0 to 7"),
        ('{"t":1,"press":"have","seat":77}', "seat: a mat has no seat 77"),
        ('{"t":1,"lies":[{"card":"2S","at":"seat 12","x":1,"y":1}]}', "a mat has no seat 12"),
        ('{"t":1,"lies":[{"bone":true,"x":1,"y":1}]}', "is not a whole number"),
        ('{"t":1,"hand":0,"over":["attic"]}', "unknown place 'attic'"),
        ('{"t":1,"lies":{}}', "is not a list"),
        ('{"t":1,"lies":[1]}', "neither a card nor a bone"),
        ('{"t":1,"lies":[{"card":"1S","at":null,"x":1,"y":1}]}', "unknown card '1S'"),
        ('{"t":1,"lies":[{"card":7,"at":null,"x":1,"y":1}]}', "unknown card '7'"),
        ('{"t":1,"lies":[{"card":"??","maybe":["9"],"x":1,"y":1}]}', "unknown card '9'"),
        ('{"t":1,"lies":[{"card":"2S","at":"seat","x":1,"y":1}]}', "unknown place 'seat'"),
        ('{"t":1,"lies":[{"card":"2S","at":"seat -1","x":1,"y":1}]}', "unknown place"),
        ('{"t":1,"lies":[{"card":"2S","at":"stock 1","x":1,"y":1}]}', "unknown place"),
        ('{"t":1,"lies":[{"card":"2S","at":null,"x":1}]}', "has no 'y'"),
        ('{"t":1,"lies":[{"card":"2S","at":null,"x":1e999,"y":1}]}', "is not a number"),
        ('{"t":1,"lies":[{"bone":2,"x":1,"y":1}]}', "allowed are 1, 3, 4 and 6"),
    ],
)
def test_a_line_that_is_none_is_refused(text, why):
    with pytest.raises(ReadingsError) as refused:
        read_line(text)
    assert why in str(refused.value)


# What a camera would have seen


def seen(*texts):
    lines = settled(read_line(text) for text in texts)
    return [(each.time_s, each.reading.hands, each.reading.over) for each in lines if each.reading]


def test_of_a_log_no_more_is_read_than_tells_what_was_seen():
    read = []

    def lines():
        for t in (1.0, 1.05, 1.5, 2.5, 9.9):
            read.append(t)
            yield read_line(lies(t))

    found = settled(lines())
    assert next(found).time_s == 1.05
    assert read == [1.0, 1.05, 1.5]
    assert [line.time_s for line in found] == [1.5, 2.5, 9.9]


def test_a_rest_that_is_too_short_is_not_seen():
    hand = '{"t":%s,"hand":%s,"over":["stock"]}'
    found = seen(
        hand % (0.5, 0),
        lies(1.0, ("2S", 10, 10)),
        hand % (1.05, 1),
        lies(2.0, ("3S", 10, 10)),
        lies(2.05, ("4S", 10, 10)),
        lies(2.11),
    )
    assert found == [(2.05, (0, 1), {"stock"}), (2.11, (), set())]


def test_nothing_but_a_hand_or_other_cards_cuts_a_rest_short():
    found = seen(lies(1.0), '{"t":1.01,"press":"next"}', '{"t":1.02,"mat":false}')
    assert found == [(1.0, None, frozenset()), (1.02, None, frozenset())]


def test_hands_are_told_apart_from_the_first_that_is_told():
    found = seen(lies(1.0), lies(2.0), '{"t":3,"hand":null}', lies(4.0), lies(5.0))
    assert [hands for _, hands, _ in found] == [None, None, (None,), ()]


# Answers as words and as presses


def test_the_words_of_questions_are_those_of_the_closed_list():
    closed = (
        "card face number whose source turns out held dealt had stuck knocked open back bumped "
        "offmat misdeal move restart history"
    )
    assert {kind.word for kind in QuestionKind} == set(closed.split())


def which(*candidates):
    found = tuple(Card.parse(each) for each in candidates)
    return ask.with_any_card(ask.which_card("Ann", 0, found, 3, (1.0, 2.0)))


def test_another_card_and_none_of_these_are_the_last_answers_about_a_card():
    question = which("9D", "9H")
    assert [str(each) for each in question.answers] == ["another card", "none of these"]
    assert codes(question) == ["9D", "9H"]


def presses_to(question, wanted):
    """Return how many presses of STICK, NEXT and HAVE take the answer *wanted*."""
    keys = [each.key if isinstance(each, Choice) else str(each) for each in question.candidates]
    far = (keys.index(wanted) - question.selected) % len(keys)
    jump = ask.stride(question, Button.NEXT)
    return far // jump + far % jump + 1


@pytest.mark.parametrize("names", [("9D",), ("9D", "QS"), ("9D", "QS", "2C", "7H")])
def test_any_card_takes_four_touches_and_in_the_median_nine_presses(names):
    costs = []
    whole = which(*names)
    for rank in Rank:
        for suit in Suit:
            ranks = ask.next_step(whole, whole.candidates.index(ask.OTHER))
            suits = ask.next_step(ranks, list(Rank).index(rank))
            card = str(Card(rank, suit))
            steps = ((whole, "other"), (ranks, str(rank)), (suits, card))
            costs.append(sum(presses_to(question, wanted) for question, wanted in steps))
            touches = presses_for(whole, card, 0.0, divides=False)
            assert len(touches) <= 4
            last = whole if len(touches) == 1 else suits
            assert str(last.candidates[touches[-1].choice]) == card
    assert sorted(costs)[len(costs) // 2] <= 9


def test_an_answer_becomes_presses():
    source = divides(
        QuestionKind.SOURCE, "From where?", [Choice("stock", ""), Choice("discard", "")], 0
    )
    assert presses_for(source, "discard", 1.0, divides=True) == [Press(Button.HAVE, 1.0, choice=1)]
    assert presses_for(source, "none", 1.0, divides=True) == [Press(Button.HAVE, 1.0, choice=2)]
    assert presses_for(ask.misdeal(), "none", 1.0, divides=False) == [Press(Button.UNDO, 1.0)]
    assert presses_for(source, "4C", 1.0, divides=True) is None
    card = which("9D")
    assert presses_for(card, "none", 1.0, divides=False) == [Press(Button.HAVE, 1.0, choice=2)]


# The truth


def truth_of(record, question, **known):
    return Truth(record).answer(Asked(question, **known))


YES_NO = (ask.YES, ask.NO)


@pytest.mark.parametrize("kind", ["out", "held", "stuck", "had", "knocked"])
def test_lists_of_seats_say_yes_and_no(kind):
    for seat, said in ((0, "yes"), (1, "no")):
        question = divides(QuestionKind(kind), "?", YES_NO, seat)
        assert truth_of({kind: [0]}, question) == said
        assert truth_of({kind: "no"}, question) == "no"
        assert truth_of({"hands": [{}]}, question) == "no"
        assert truth_of({}, question) is None


@pytest.mark.parametrize(
    ("kind", "keys", "told", "said"),
    [
        ("open", ("yes", "no"), "yes", "yes"),
        ("dealt", ("yes", "no"), ["no"], "no"),
        ("back", ("yes", "no"), "no", "no"),
        ("misdeal", ("yes", "no"), "no", "no"),
        ("bumped", ("new", "old"), "old", "old"),
        ("offmat", ("counts", "again"), "again", "again"),
        ("move", ("draw", "knock"), "knock", "knock"),
        ("restart", ("2", "accept"), "yes", "yes"),
        ("source", ("stock", "discard"), ["none"], "none"),
        ("whose", ("0", "1"), [1], 1),
        ("turns", ("one", "two"), "two", "two"),
    ],
)
def test_any_kind_stands_under_its_own_name(kind, keys, told, said):
    question = divides(QuestionKind(kind), "?", [Choice(key, key) for key in keys], 0)
    assert truth_of({kind: told}, question) == said


def test_cards_are_used_up_one_by_one():
    truth = Truth({"card": ["9H", "4C", "2S"]})
    first = truth.answer(Asked(which("9D", "9H"), id=1))
    again = truth.answer(Asked(which("9D", "9H"), id=1))
    other = truth.answer(Asked(which("2S", "2C"), id=2))
    last = truth.answer(Asked(which("9D", "9H"), id=3))
    assert (first, again, other, last) == ("9H", "9H", "2S", "4C")
    assert truth.answer(Asked(which("9D"), id=4)) is None


def test_a_card_is_told_by_where_it_lies():
    laid = [(1.0, "9H", 30.0), (5.0, "4C", 100.0), (8.0, "2S", 102.0), (20.0, "KD", 101.0)]
    unread = [{"t": t, "card": card, "at": "seat 0", "x": x, "y": 50.0} for t, card, x in laid]
    truth = {"card": ["9H", "4C", "2S", "KD"], "unread": unread}
    asked = replace(which(), place=(110.0, 50.0))
    assert truth_of(truth, asked, reading=Reading(10.0, {})) == "2S"
    elsewhere = replace(asked, place=(300.0, 50.0))
    assert truth_of(truth, elsewhere, reading=Reading(10.0, {})) == "9H"
    damaged = {**truth, "unread": [7, {"card": "2S"}, {**unread[0], "x": "here"}]}
    assert truth_of(damaged, asked, reading=Reading(10.0, {})) == "9H"


TURNS = {"turns": [[0, "stock", "3C"], [1, "discard", "KD"], [0, "knock"]]}


def turn(seat, source, card):
    return [Draw(seat, source), Discard(seat, Card.parse(card))]


def test_the_history_that_agrees_with_the_turns_is_true():
    begun = turn(0, Source.STOCK, "3C")
    stories = [
        [(*begun, *turn(1, Source.STOCK, "KD"))],
        [(*begun, *turn(1, Source.DISCARD, "KD"))],
        [(*begun, *turn(1, Source.DISCARD, "4D"))],
    ]
    choices = [Choice(str(n), str(n)) for n in range(3)]
    for kind in (QuestionKind.SOURCE, QuestionKind.TURNS, QuestionKind.HISTORY):
        question = divides(kind, "?", choices)
        assert truth_of(TURNS, question, stories=stories) == 1
    other = {"turns": [[1, "stock", "3C"]]}
    assert truth_of(other, divides(QuestionKind.TURNS, "?", choices), stories=stories) is None


def test_whose_turn_it_is_is_known_where_no_history_knows_what_was_drawn():
    stories = [
        [(*turn(0, Source.DISCARD, "3C"), *turn(1, Source.STOCK, "KD"))],
        [(*turn(1, Source.DISCARD, "3C"), *turn(2, Source.STOCK, "KD"))],
    ]
    choices = [Choice(str(n), str(n)) for n in (2, 0)]
    assert truth_of(TURNS, divides(QuestionKind.WHOSE, "?", choices), stories=stories) == 2
    assert truth_of(TURNS, divides(QuestionKind.SOURCE, "?", choices), stories=stories) is None


def test_a_knock_that_nobody_made_is_not_true():
    begun = [*turn(0, Source.STOCK, "3C"), *turn(1, Source.DISCARD, "KD")]
    stories = [[(*begun, Knock(0))], [tuple(begun)]]
    question = divides(QuestionKind.MOVE, "?", [Choice("knock", ""), Choice("draw", "")], 0)
    assert truth_of(TURNS, question, stories=stories) == "knock"
    assert truth_of({**TURNS, "knocked": []}, question, stories=stories) == "draw"


THROWS = {"throws": [[0, [3, 3, 4, 4, 1]], [0, [3, 1]], [1, [4, 4, 4, 3, 3]]]}


def test_throws_say_whose_how_many_and_which_face():
    first = Roll(0, (3, 3, 4, 4, 1))
    whose = divides(QuestionKind.WHOSE, "?", [Choice("1", ""), Choice("0", "")])
    assert truth_of(THROWS, whose, log=[first]) == 0
    assert truth_of(THROWS, whose, log=[first, Roll(0, (1, 3))]) == 1
    number = divides(QuestionKind.NUMBER, "?", [0, 1, 2], 0)
    assert truth_of(THROWS, number, log=[first]) == 2
    stories = [[(first, Choose(0, n))] for n in (0, 1, 2)]
    assert truth_of(THROWS, number, stories=stories) == 2
    bones = tuple(
        BoneReading(Face.from_points(each), 1.0, Spot((), (0, 0))) for each in (3, 3, 4, 4, 1, 1)
    )
    leans = (UnsureBoneReading((Face.TWISTED,), 0.5, Spot((), (0, 0))),)
    reading = Reading(1.0, seats=4, bones=bones, unsure_bones=leans)
    face = ask.which_face("Ann", 0, (Face.TWISTED, Face.CONCAVE))
    assert truth_of(THROWS, face, log=[first], reading=reading) == 3


def test_what_is_told_of_each_hand_counts_for_that_hand():
    record = {"stuck": [0], "hands": [{"stuck": [0]}, {}], "dealt": "yes"}
    stuck = divides(QuestionKind.STUCK, "?", YES_NO, 0)
    assert truth_of(record, stuck, hand=1) == "yes"
    assert truth_of(record, stuck, hand=2) == "no"
    assert truth_of(record, divides(QuestionKind.DEALT, "?", YES_NO), hand=2) == "yes"
    stories = [[(Stick(1),)], [(Stick(0),)]]
    whose = divides(QuestionKind.WHOSE, "?", [Choice("1", ""), Choice("0", "")])
    assert truth_of(record, whose, hand=1, stories=stories) == 0


def test_turns_of_hands_before_are_passed_over():
    before = [*turn(0, Source.STOCK, "3C"), Undo(), Undo(), *turn(0, Source.STOCK, "3C")]
    stories = [[tuple(turn(1, Source.STOCK, "KD"))], [tuple(turn(1, Source.DISCARD, "KD"))]]
    question = divides(QuestionKind.SOURCE, "?", [Choice("stock", ""), Choice("discard", "")], 1)
    known = {"earlier": counted(before), "stories": stories}
    assert truth_of(TURNS, question, **known) == "discard"


# What is told


def test_histories_are_told_by_the_events_in_which_they_differ():
    same, one, two = (Deal(seat, None, Facing.DOWN) for seat in range(3))
    found = _differing([[(same, one)], [(same, two, one)]])
    assert [[event["seat"] for event in each] for each in found] == [[1], [2, 1]]


def setup():
    return Setup("bone-ace", "willughby", ("Ann", "Bess"), (20, 30), 1, 4)


def told_of(lines, record=None):
    table, clock = table_of(setup())
    out = []
    people = None if record is None else TruthTeller(Truth(record))
    play_readings(table, map(read_line, lines), clock, told=out.append, people=people)
    return table, out


def test_a_question_is_told_answered_and_the_same_lines_tell_the_same():
    table, out = told_of(bone_ace(), {"card": ["2S"]})
    asked = next(line["asked"] for line in out if "asked" in line)
    assert asked["id"] == 1
    assert (asked["kind"], asked["seat"], asked["answers"]) == ("card", 0, ["9D", "9H"])
    settled_by = [line["settled"] for line in out if "settled" in line]
    assert settled_by == [{"id": 1, "by": "press", "answer": "2S"}]
    assert out[-1]["end"] == {"open": None}
    assert [line["event"]["card"] for line in out if "event" in line][-2:] == ["2S", "KC"]
    assert table.question is None
    assert told_of(bone_ace(), {"card": ["2S"]})[1] == out
    times = [line["t"] for line in out]
    assert times == sorted(times)


def test_a_question_that_nobody_answers_stays_open():
    for record in (None, {}, {"card": []}):
        _, out = told_of(bone_ace(), record)
        assert out[-1]["end"] == {"open": 1}
        assert not any("settled" in line for line in out)


def test_none_of_these_does_not_bring_the_question_back():
    table, out = told_of(bone_ace(), {"card": ["none", "9D"]})
    assert sum("asked" in line for line in out) == 1
    assert out[-1]["end"] == {"open": None}
    assert table.question is None


def test_a_question_goes_by_itself_when_the_card_is_read():
    lines = bone_ace()
    lies_now = json.loads(lines[-1])
    lies_now["lies"][4] = {**lies_now["lies"][4], "card": "9H"}
    lies_now["t"] += 1
    _, out = told_of([*lines, json.dumps(lies_now)])
    assert [line["settled"] for line in out if "settled" in line] == [{"id": 1, "by": "table"}]


def test_quit_ends_a_log():
    lines = bone_ace()
    table, out = told_of([*lines[:3], '{"t":1.6,"press":"quit"}', *lines[3:]])
    assert len(table.session.state.events) == 1
    assert out[-1] == {"t": 1.6, "end": {"open": None}}


def test_a_question_keeps_its_place_while_its_answers_only_change_order():
    choices = [Choice("stock", ""), Choice("discard", "")]
    one = divides(QuestionKind.SOURCE, "?", choices, 0)
    assert one.is_same(divides(QuestionKind.SOURCE, "?", choices[::-1], 0))
    assert not one.is_same(divides(QuestionKind.SOURCE, "?", choices, 1))
    assert not one.is_same(divides(QuestionKind.SOURCE, "another turn?", choices, 0))
    assert isinstance(one, Question)


def test_a_card_that_is_none_of_these_is_not_believed_as_it_is_read():
    looks = Looks()
    reading = read_line(lies(1, ("9D", 100, 100))).reading
    number = looks.see(reading).cards[0].number
    looks.name(number, None)
    (card,) = looks.see(reading).cards
    assert (card.number, card.card, card.unread) == (number, None, True)


def test_resumed_lines_give_each_reading_its_hands():
    lines = [read_line(text) for text in bone_ace()[:5]]
    found = [line.reading.hands for line in with_hands(lines)]
    assert found == [None, (1,), (1,)]


def test_a_reading_keeps_the_hands_that_the_camera_saw():
    reading = Reading(2.0, seats=3, hands=(2, None))
    before = Line(1.0, is_hand=True, hand=1)
    found = [line.reading.hands for line in with_hands([Line(2.0, reading=reading)])]
    assert found == [(2, None)]
    (line,) = with_hands([before, Line(2.0, reading=reading)])
    assert line.reading.hands == (1, 2, None)
    again = with_hands(read_line(text) for text in reading_lines(reading))
    assert [line.reading.hands for line in again] == [(2, None)]
