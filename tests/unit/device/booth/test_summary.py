"""The evening's figures and exports, what is taught, and what is seen over the eyes' shoulder."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pygame
import pytest

from device.booth.summary import Statistics, ledger_page, share_page, statistics, statistics_page
from device.cli import main
from device.clock import HandClock
from device.croupier import messages
from device.croupier.questions import QuestionKind, which_card, which_face
from device.runtime.camera_trouble import WORDS, words_for
from device.runtime.hints import HintProvider, hint_for
from device.runtime.observer import (
    CARD_PX,
    LIVE_PX,
    LOOK_OVER_S,
    PAUSES_S,
    STILL_S,
    ObservedReading,
    ReadingObserver,
    crop,
    picture_of,
)
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from display.i18n.translate import Translator
from engine import (
    TABLE,
    Card,
    Deal,
    Facing,
    Misdeal,
    NextHand,
    Player,
    Undo,
    apply,
    new_table,
    view,
)
from engine.core.bones import Face
from engine.core.events import Claim, Declare, Have, Roll, Stake, Stick
from engine.core.outcome import End, Outcome
from engine.games.hints import over_with_one_more
from engine.games.knucklebones.odds import best_bones
from engine.odds.totals import next_card
from tests.support.mat_readings import Bench, Mat
from tests.support.words import in_words
from vision.image_quality import IssueKind, QualityIssue
from vision.readings import BoneReading, CardReading, Place, Reading, Spot, UnsureReading
from vision.tracking.motion_gate import MotionGate

PEOPLE = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]


def card(code):
    return Card.parse(code)


def dealt(game="one-and-thirty", **more):
    """Three players, Ann deals, three cards face down each."""
    state = new_table(game, PEOPLE, dealer=0, **more)
    for seat in (1, 2, 0) * 3:
        state = apply(state, Deal(seat, None, Facing.DOWN))
    return state


def won_by_31(state, seat, *codes):
    return apply(state, Declare(seat, Claim.THIRTY_ONE, tuple(map(card, codes))))


def one_hand():
    """Bess asks for a card and shows 31 with it."""
    state = apply(apply(dealt(), Have(1)), Deal(1, None))
    return won_by_31(state, 1, "KS", "KH", "TC", "AD")


# The figures


def outcome(end, winners, settlement, out=(), totals=()):
    return Outcome(end, winners, totals, out, settlement, dealer=0, next_dealer=1)


def test_figures_are_counted_and_misdeals_are_not():
    hands = [
        outcome(End.SHOWDOWN, (1,), ((0, -1), (1, 2), (2, -1)), (0,), ((1, 29), (2, 20), (0, 34))),
        outcome(End.MISDEAL, (), ()),
        outcome(End.THIRTY_ONE, (1,), ((0, -2), (1, 4), (2, -2)), (), ((1, 31),)),
        outcome(End.SHOWDOWN, (0, 2), ((0, 1), (1, -2), (2, 1)), (1,), ((0, 31), (2, 31))),
    ]
    told = statistics(hands)
    assert told == Statistics(
        hands=3,
        over=2,
        exact=3,
        biggest=(4, 1, 3),
        luckiest=(2, (1,)),
        run=(2, 1),
        misdeals=1,
    )
    assert statistics([]) == Statistics()
    assert statistics(hands, goal=29).exact == 1


def test_undo_takes_a_hand_out_of_the_figures():
    state = one_hand()
    assert statistics(state.hands).exact == 1
    assert statistics_page(state, ()).figures[0].value == "1"
    undone = apply(state, Undo())
    assert statistics(undone.hands) == Statistics()
    assert ledger_page(undone, ()).rows == ()


def test_each_figure_says_what_it_counts():
    page = statistics_page(apply(one_hand(), NextHand()), ())
    told = {in_words(each.label): in_words(each.value) for each in page.figures}
    assert told["Hands"] == "1"
    assert told["Biggest win"] == "+4"  # two for 31, of each of the others


def test_the_ledger_has_the_last_hand_first_and_sums_to_zero():
    state = apply(one_hand(), NextHand())
    for seat in (2, 0, 1) * 3:
        state = apply(state, Deal(seat, None))
    state = apply(state, Misdeal("called"))
    page = in_words(ledger_page(state, ()))
    assert [(row.number, row.end) for row in page.rows] == [(2, "misdeal"), (1, "31")]
    assert page.rows[1].winners == (1,)
    assert [column.tokens for column in page.columns] == [-2, 4, -2]
    assert page.rows[1].nets == (-2, 4, -2)


def test_the_picture_names_the_winner_and_shared_wins():
    page = in_words(share_page(one_hand(), 1_700_000_000.0))
    assert page.headline == "Bess wins the evening"
    assert [column.name for column in page.columns] == ["Bess", "Ann", "Cecil"]
    german = in_words(share_page(one_hand(), 0.0), "de")
    assert german.headline == "Bess gewinnt den Abend"


# The exports


@pytest.fixture
def journal_of_one_hand(tmp_path):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        clock = HandClock(wall=1_700_000_000.0)
        session = Session.begin(journal, clock, "one-and-thirty", PEOPLE, dealer=0)
        for event in one_hand().events:
            session.apply(event)
    return path


def test_ledger_as_json(journal_of_one_hand, capsys):
    assert main(["ledger", "--json", "--journal", str(journal_of_one_hand)]) == 0
    (sitting,) = json.loads(capsys.readouterr().out)["sittings"]
    assert sitting["started"] == "2023-11-14T22:13:20Z"
    assert (sitting["game"], sitting["closed"]) == ("one-and-thirty", None)
    assert [player["tokens"] for player in sitting["players"]] == [-2, 4, -2]
    assert sitting["hands"][0]["winners"] == [1]
    assert sum(line["net"] for line in sitting["hands"][0]["tokens"]) == 0
    figures = sitting["statistics"]
    assert figures["biggest_win"] == {"tokens": 4, "seat": 1, "hand": 1}
    assert (figures["exact"], figures["goal"], figures["luckiest_seats"]) == (1, 31, [1])


def test_ledger_as_a_picture(journal_of_one_hand, tmp_path, capsys):
    path = tmp_path / "evening.png"
    words = ["ledger", "--picture", str(path), "--journal", str(journal_of_one_hand)]
    assert main(words) == 0
    assert pygame.image.load(path).get_size() == (1200, 900)


def test_a_picture_of_nothing_says_what_to_do(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    Journal(path).close()
    assert main(["ledger", "--picture", str(tmp_path / "p.png"), "--journal", str(path)]) == 1
    assert "boneace play" in capsys.readouterr().err
    assert not (tmp_path / "p.png").exists()


# Teaching


def test_the_chance_to_go_over_is_that_of_the_odds():
    state = dealt()
    seen = view(state, TABLE)
    seat = seen.seat(seen.turn)
    chance = over_with_one_more(seen, seat, state.setup.options)
    assert chance == next_card((None, None, None)).over
    assert str(hint_for(seen, state.setup.options)) == (
        f"One more card: over 31 in {round(100 * chance)} of 100."
    )


def test_open_cards_elsewhere_count_as_seen():
    """Bone-Ace: the third card of everybody lies open (rule BA-1)."""
    state = new_table("bone-ace", PEOPLE, dealer=0)
    for seat in (1, 2, 0) * 2:
        state = apply(state, Deal(seat, None, Facing.DOWN))
    for seat, code in ((1, "KH"), (2, "KD"), (0, "QS")):
        state = apply(state, Deal(seat, card(code), Facing.UP))
    seen = view(state, TABLE)
    chance = over_with_one_more(seen, seen.seat(1), state.setup.options)
    whole = next_card((None, None, card("KH")), [card("KD"), card("QS")], still_in=True)
    assert chance == whole.over
    assert chance != next_card((None, None, card("KH"))).over


def test_the_best_number_of_bones_is_that_of_the_odds():
    state = new_table("knucklebones", PEOPLE, dealer=0)
    for seat in (1, 2):
        state = apply(state, Stake(seat, 1))
    state = apply(state, Roll(1, (3, 3, 4, 1, 1)))
    seen = view(state, TABLE)
    best = best_bones(12).best
    hint = str(hint_for(seen, state.setup.options))
    words = {1: "one bone", 2: "two bones", 3: "three bones"}[best.bones]
    assert hint == f"Best: {words}; over in {round(100 * best.bust)} of 100."


def test_why_somebody_won():
    state = one_hand()
    assert str(hint_for(view(state, TABLE), state.setup.options)) == "Exactly 31 wins at once."
    stuck = dealt()
    for seat in (1, 2, 0):
        stuck = apply(stuck, Stick(seat))
    assert hint_for(view(stuck, TABLE), stuck.setup.options) == "", "hidden cards are not told"


def test_the_teacher_answers_when_it_is_ready():
    work = []
    teacher = HintProvider(work.append)
    state = dealt()
    seen, options = view(state, TABLE), state.setup.options
    assert teacher.hint(seen, options) == ""
    assert teacher.hint(seen, options) == ""
    assert len(work) == 1, "the same question is counted once"
    work[0]()
    assert str(teacher.hint(seen, options)).startswith("One more card")
    later = apply(apply(state, Have(1)), Deal(1, None))
    assert teacher.hint(view(later, TABLE), options) == ""
    work[0]()
    assert teacher.hint(view(later, TABLE), options) == "", "late words are wrong words"
    work[1]()
    assert str(teacher.hint(view(later, TABLE), options)).startswith("One more card")
    dutch = Translator.of("nl").render(teacher.hint(view(later, TABLE), options))
    assert dutch.startswith("Nog een kaart"), "what was counted is said in any language"


def test_chances_are_exact():
    state = dealt()
    seen = view(state, TABLE)
    chance = over_with_one_more(seen, seen.seat(1), state.setup.options)
    assert isinstance(chance, Fraction)


# Over the eyes' shoulder


class FrameProcessor:
    """Answers with what it is told."""

    def __init__(self, *readings):
        self.readings = list(readings)

    def see(self, image, time_s):
        return self.readings.pop(0) if self.readings else None


class NoReader:
    """Reads nothing."""

    def read(self, image, time_s=0.0):
        return Reading(time_s)


def table_picture():
    """A grey table, a red card at (100, 60) to (160, 148), a blue bone round (300, 200)."""
    image = np.full((400, 600, 3), 90, np.uint8)
    image[60:148, 100:160] = (0, 0, 220)
    image[185:215, 280:320] = (230, 0, 0)
    return image


def test_an_idle_table_is_looked_at_less_often():
    noise = np.random.default_rng(1)
    watch = MotionGate(NoReader())
    looking = ReadingObserver(watch)

    def still(seconds):
        for _ in range(int(seconds * 10)):
            image = (table_picture() + noise.integers(0, 3, (400, 600, 3))).astype(np.uint8)
            looking.see(image, still.now_s)
            still.now_s += 0.1

    (late_s, long_s), (soon_s, short_s) = PAUSES_S
    still.now_s = 0.0
    still(soon_s - 0.5)
    assert looking.pause_s == 0.0
    still(1.0)
    assert looking.pause_s == short_s
    still(late_s)
    assert looking.pause_s == long_s > short_s
    looking.live = True
    assert looking.pause_s == long_s, "a picture in which nothing moves need not be renewed"
    looking.see(np.zeros((400, 600, 3), np.uint8), still.now_s)
    assert looking.pause_s == 0.0, "something moves"
    assert ReadingObserver(FrameProcessor()).pause_s == 0.0, "nothing is known of other watches"


CORNERS = ((100.0, 60.0), (160.0, 60.0), (160.0, 148.0), (100.0, 148.0))
OUTLINE = ((280.0, 185.0), (320.0, 185.0), (320.0, 215.0), (280.0, 215.0))
READING = Reading(
    1.0,
    cards=(CardReading(card("AS"), 0.99, Place(CORNERS, (400.0, 400.0))),),
    unsure=(UnsureReading((card("9D"), card("6D")), 0.5, Place(CORNERS, (130.0, 104.0))),),
    bones=(BoneReading(Face.FLAT, 0.9, Spot(OUTLINE, (300.0, 200.0), (300.0, 200.0))),),
    seats=2,
)


def middle(picture):
    """The colour in the middle of a picture, blue first."""
    width, height = picture.size
    at = (height // 2 * width + width // 2) * 3
    return tuple(picture.pixels[at : at + 3])


def test_the_card_asked_about_is_cut_out_upright():
    sighting = ObservedReading(table_picture(), READING)
    asked = which_card("Ann", 0, (card("9D"), card("6D")), 7, (131.0, 105.0))
    assert asked.kind is QuestionKind.CARD
    picture = crop(sighting, asked)
    assert picture.size == CARD_PX
    assert middle(picture) == (0, 0, 220)
    assert tuple(picture.pixels[:3]) == (90, 90, 90), "a little of the mat lies round it"


def test_the_bone_asked_about_is_cut_out():
    asked = replace(which_face("Ann", 0, (Face.FLAT,)), place=(302.0, 201.0))
    assert middle(crop(ObservedReading(table_picture(), READING), asked)) == (230, 0, 0)


@pytest.mark.parametrize("place", [None, (900.0, 900.0)])
def test_what_is_not_on_the_picture_is_not_cut_out(place):
    asked = which_card("Ann", 0, (card("9D"),), 7, place)
    assert crop(ObservedReading(table_picture(), READING), asked) is None


def test_pictures_are_made_no_larger_than_they_are_shown():
    large = picture_of(np.zeros((1296, 2304, 3), np.uint8), LIVE_PX)
    assert large.size == (960, 540)
    assert picture_of(np.zeros((10, 20, 3), np.uint8), LIVE_PX).size == (20, 10)


def test_looking_keeps_the_frame_of_the_reading_and_draws_only_when_looked_at():
    looking = ReadingObserver(FrameProcessor(None, READING, None))
    image = table_picture()
    assert looking.see(image, 0.0) is None
    assert looking.last is None
    assert looking.see(image, 1.0) is READING
    assert looking.last.image is image
    assert looking.picture is None
    looking.live = True
    looking.see(image, 2.0)
    assert looking.picture.size == (600, 400)
    looking.live = False
    assert looking.picture is None


def test_what_is_wrong_is_judged_while_nothing_can_be_read():
    looking = ReadingObserver(FrameProcessor())
    looking.see(np.zeros((480, 640, 3), np.uint8), 0.0)
    assert looking.remarks == (), "the first reading may be on its way"
    looking.see(np.zeros((480, 640, 3), np.uint8), LOOK_OVER_S)
    assert {remark.kind for remark in looking.remarks} >= {IssueKind.DARK, IssueKind.NO_MAT}
    seen = ReadingObserver(FrameProcessor(READING))
    seen.see(np.zeros((480, 640, 3), np.uint8), 0.0)
    assert seen.remarks == (), "who reads needs no advice"


def test_a_table_that_stays_still_is_judged_once(monkeypatch):
    dark = np.zeros((480, 640, 3), np.uint8)
    idle = iter([STILL_S - 1, STILL_S, STILL_S + 1, 0.0])
    monkeypatch.setattr(ReadingObserver, "idle_s", property(lambda _: next(idle)))
    looking = ReadingObserver(FrameProcessor(READING))
    looking.see(dark, 5.0)
    assert looking.remarks == ()
    looking.see(dark, 6.0)
    judged = looking.remarks
    assert IssueKind.DARK in {remark.kind for remark in judged}
    looking.see(dark, 7.0)
    assert looking.remarks is judged
    looking.see(dark, 8.0)
    assert looking.remarks == (), "somebody does something"


def test_every_flaw_has_words_in_every_language():
    assert set(WORDS) == set(IssueKind)
    said = set()
    for language in ("en", "fr", "de", "es", "nl"):
        translator = Translator.of(language)
        for flaw in IssueKind:
            wrong, cure = (translator.render(each) for each in WORDS[flaw])
            issue = QualityIssue(flaw, "measured", "cure")
            assert translator.render(words_for(issue)) == f"{wrong} {cure}"
            assert wrong.endswith(".")
            assert cure.endswith(".")
            said.add(wrong)
    assert len(said) == 5 * len(IssueKind)


def test_a_paper_mat_gives_every_question_its_place():
    """The croupier says where the card lies, so that it can be cut out."""
    bench = Bench(2)
    assert isinstance(bench.mat, Mat)
    for seat in (0, 1, 0, 1):
        bench.mat.lay(seat)
        bench.look()
    bench.mat.lay(0, "9D?6D")
    bench.look()
    assert bench.question.kind is QuestionKind.CARD
    assert bench.question.place is not None
    assert messages.no_mat().urgent
