"""A deck is taught look by look, kept in a file that can be copied, and then read surely."""

from __future__ import annotations

import zipfile

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands.teach import teach_from_camera
from device.ports import EndOfFramesError, Frame
from device.simulator.table import SimulatedTable
from device.storage.custom_sets import load_set, save_set
from device.storage.taught import DECKS, find_deck
from engine import Card, deck
from vision import TableReader
from vision.cards.classifier import CARDS, CardPrediction, FacePrediction, IndexPrediction
from vision.cards.custom_deck import CustomDeck, DeckMatcher
from vision.cards.enrolment import DeckEnrolment, EnrolmentStatus
from vision.cards.evidence import Evidence
from vision.cards.geometry import READ, straighten
from vision.cards.pipeline import CardPipeline
from vision.errors import EnrolmentError
from vision.mat.pose import MatLayout

pytestmark = pytest.mark.slow

COURTS = ("KS", "QS", "JS", "KH", "QD", "JC")
"""The court cards of a deck without indices, which no reader can know by their figures."""


def shown(code: str, style: str = "old", seed: int = 31) -> np.ndarray:
    """A picture of one card alone on the mat."""
    table = SimulatedTable(MatLayout(4), style=style, seed=seed)
    table.lay(1, Card.parse(code), face_up=True)
    while table.is_moving:
        table.frame()
    return table.frame()


@pytest.fixture(scope="module")
def taught() -> CustomDeck:
    teacher = DeckEnrolment(CustomDeck("courts"))
    for code in COURTS:
        result = teacher.show(shown(code), Card.parse(code), surely=True)
        assert result.status is EnrolmentStatus.TAKEN, code
    return teacher.deck


def test_a_deck_without_indices_is_read_from_one_look_a_card(taught) -> None:
    table = SimulatedTable(MatLayout(4), style="old", seed=77)
    for number, code in enumerate(COURTS):
        table.lay(number % 4, Card.parse(code), face_up=True)
        while table.is_moving:
            table.frame()
    reading = TableReader(deck=taught).read(table.frame())
    assert {str(card.card) for card in reading.cards} == set(COURTS)


def moved(card: np.ndarray, across: float, down: float) -> CardPrediction:
    """A look at a card's outline, moved by parts of its width and height; nothing is known yet."""
    by = (card[1] - card[0]) * across + (card[3] - card[0]) * down
    return CardPrediction((card + by).astype(np.float32), 1.0, 0.0, np.zeros(len(CARDS)))


def whole_deck() -> CustomDeck:
    """All cards of the deck without indices, cut from where the table says that they lie."""
    taught = CustomDeck("whole")
    table = SimulatedTable(MatLayout(4), style="old", seed=31)
    for card in deck():
        if not table.room(1):
            table.take_up(by=0)
        table.lay(1, card, face_up=True)
        table.settle()
        quad = np.asarray(table.quad(table.at(1)[-1]), np.float32)
        taught.add(card, straighten(table.frame(), quad, READ))
    return taught


def test_part_of_a_card_and_part_of_the_mat_are_no_taught_card() -> None:
    # An ace moved down has its pip where a two has one, half a five is half a four: that is the
    # likest of the cards that were taught, but it is not like it.
    moves = {"AD": ((0.0, 0.3), (0.0, -0.3)), "5D": ((0.5, 0.0), (-0.5, 0.0)), "3S": ((-0.3, 0.0),)}
    looker = CardPipeline(whole_deck())
    table = SimulatedTable(MatLayout(4), style="old", seed=77)
    for number, code in enumerate(moves):
        table.lay(number, Card.parse(code), face_up=True)
    table.settle()
    for lying in table.cards:
        quad = np.asarray(table.quad(lying), np.float32)
        steps = moves[str(lying.card)]
        looks = [moved(quad, *step) for step in ((0.0, 0.0), *steps)]
        whole, *parts = looker.reclassify(table.frame(), looks)
        assert CARDS[int(whole.cards.argmax())] == lying.card
        assert whole.face_up * whole.cards.max() > 0.99
        for part, step in zip(parts, steps, strict=True):
            assert part.face_up * part.cards.max() <= 0.5, (str(lying.card), step)


@pytest.mark.parametrize(
    ("likeness", "readable", "believed"),
    [
        pytest.param(0.9, 0.0, True, id="like"),
        pytest.param(0.4, 0.0, False, id="unlike"),
        pytest.param(0.4, 0.99, True, id="unlike with an index"),
        pytest.param(0.4, 0.52, False, id="unlike with what may be an index"),
        pytest.param(-1.0, 0.0, True, id="never taught"),
        pytest.param(None, 0.0, True, id="no deck"),
    ],
)
def test_a_face_is_believed_where_it_is_like_what_was_taught(likeness, readable, believed) -> None:
    two = CARDS.index(Card.parse("2D"))
    ranks, suits = 9.0 * np.eye(13)[two % 13], 9.0 * np.eye(4)[two // 13]
    face = FacePrediction(np.array([1.0, 0.0, 0.0]), ranks, suits, np.zeros(4, np.float32))
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    e = Evidence(quad, 1.0, True, face, [IndexPrediction(readable, ranks, suits)])
    if likeness is not None:
        e.custom, e.similarity = np.zeros(len(CARDS)), np.full(len(CARDS) + 1, 0.1)
        e.custom[two], e.similarity[two] = 9.0, likeness
    look = e.fuse()
    assert int(look.cards.argmax()) == two
    assert (look.face_up * float(look.cards[two]) > 0.9) == believed
    assert believed or look.face_up == 0.5


def test_indices_do_not_outvote_the_print_of_another_taught_card() -> None:
    # In glare both indices of a jack were read as kings'; its face was the jack's all the same.
    jack, king = CARDS.index(Card.parse("JC")), CARDS.index(Card.parse("KC"))
    ranks, suits = 12.0 * np.eye(13)[king % 13], 12.0 * np.eye(4)[king // 13]
    face = FacePrediction(np.array([1.0, 0, 0]), 0 * ranks, suits, np.zeros(4, np.float32))
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    for likest, believed in ((jack, False), (king, True)):
        e = Evidence(quad, 1.0, True, face, [IndexPrediction(0.99, ranks, suits)] * 2)
        e.similarity = np.full(len(CARDS) + 1, 0.7)
        e.similarity[likest] = 0.85
        e.custom = 30 * e.similarity[:-1]
        look = e.fuse()
        assert int(look.cards.argmax()) == king
        assert (look.face_up * float(look.cards[king]) > 0.9) == believed


def test_the_file_can_be_copied_and_gives_the_same_deck(taught, tmp_path) -> None:
    path = tmp_path / "here" / "courts.deck"
    save_set(taught, path)
    copy = tmp_path / "there.deck"
    copy.write_bytes(path.read_bytes())
    again = load_set(CustomDeck, copy)
    assert again.name == "courts"
    assert set(again.looks) == set(taught.looks)
    assert path.stat().st_size < 200_000
    off = again.looks[Card.parse("KS")][0].astype(int) - taught.looks[Card.parse("KS")][0]
    assert np.abs(off).mean() < 3  # as JPEG keeps it
    assert not list(path.parent.glob("*.new"))


def test_the_teacher_asks_in_order_and_goes_on_where_it_was() -> None:
    half = CustomDeck("half")
    crop = np.zeros((READ.height, READ.width, 3), np.uint8)
    for card in CARDS[:5]:
        half.add(card, crop)
    teacher = DeckEnrolment(half)
    assert teacher.wanted == CARDS[5]
    assert teacher.left == 47
    twice = DeckEnrolment(half, looks=2)
    assert twice.wanted == CARDS[5]
    assert twice.left == 99


def test_an_empty_mat_and_two_cards_are_not_taken() -> None:
    teacher = DeckEnrolment(CustomDeck("none"))
    table = SimulatedTable(MatLayout(4), style="modern", seed=5)
    assert teacher.show(table.frame()).status is EnrolmentStatus.NOTHING
    for code in ("AS", "2S"):
        table.lay(1, Card.parse(code), face_up=True)
        while table.is_moving:
            table.frame()
    assert teacher.show(table.frame()).status is EnrolmentStatus.SEVERAL
    assert not teacher.deck.looks


def test_the_card_that_still_lies_there_is_not_taken_for_the_next() -> None:
    teacher = DeckEnrolment(CustomDeck("modern"))
    picture = shown("AS", "modern")
    assert teacher.show(picture).status is EnrolmentStatus.TAKEN
    assert teacher.show(picture).status is EnrolmentStatus.STILL_THERE
    assert set(teacher.deck.looks) == {Card.parse("AS")}


def test_another_card_than_asked_for_is_objected_to_once() -> None:
    teacher = DeckEnrolment(CustomDeck("modern"))
    picture = shown("9H", "modern")
    result = teacher.show(picture, Card.parse("AS"))
    assert result.status is EnrolmentStatus.LOOKS_LIKE_ANOTHER
    assert result.like == Card.parse("9H")
    assert teacher.show(picture, Card.parse("AS")).status is EnrolmentStatus.TAKEN


def test_cards_that_look_alike_are_named() -> None:
    rng = np.random.default_rng(3)
    deck_ = CustomDeck("twins")
    face = rng.integers(0, 255, (READ.height, READ.width, 3), dtype=np.uint8)
    other = rng.integers(0, 255, (READ.height, READ.width, 3), dtype=np.uint8)
    deck_.add(Card.parse("JS"), face)
    deck_.add(Card.parse("JC"), face.copy())
    deck_.add(Card.parse("2H"), other)

    def embed(crops):
        flat = np.stack([crop.reshape(-1).astype(np.float32) for crop in crops])
        flat -= flat.mean(axis=1, keepdims=True)
        return flat / np.linalg.norm(flat, axis=1, keepdims=True)

    pairs = DeckMatcher(deck_, embed).confusable()
    assert [(str(a), str(b)) for a, b, _ in pairs] == [("JS", "JC")]
    words = DeckMatcher(deck_, embed).logits(embed([other]))[0]
    assert CARDS[int(words.argmax())] == Card.parse("2H")
    # What was never taught is neither likely nor ruled out.
    assert words.min() < words[CARDS.index(Card.parse("KD"))] < words.max()


def test_an_empty_deck_cannot_be_played_with() -> None:
    with pytest.raises(EnrolmentError, match="boneace teach deck"):
        TableReader(deck=CustomDeck("empty"))


@pytest.mark.parametrize("damage", ["text", "torn", "newer"])
def test_a_damaged_file_says_what_to_do(taught, tmp_path, damage) -> None:
    path = tmp_path / "d.deck"
    save_set(taught, path)
    if damage == "text":
        path.write_text("no deck")
    elif damage == "torn":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("deck.json", '{"format": 99, "name": "d"}')
    with pytest.raises(EnrolmentError, match="teach the deck again"):
        load_set(CustomDeck, path)


@pytest.mark.parametrize("name", ["../evil", "", "a/b", "x" * 61])
def test_names_that_are_no_file_names_are_refused(tmp_path, name) -> None:
    with pytest.raises(EnrolmentError, match="letters"):
        DECKS.path(name, tmp_path)


@pytest.fixture
def home(tmp_path, monkeypatch):
    for key in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(key, str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def test_teach_from_pictures_by_their_names_then_read_with_the_deck(home, capsys) -> None:
    pictures = home / "pictures"
    pictures.mkdir()
    for code in ("KS", "QS"):
        assert cv2.imwrite(str(pictures / f"{code}-1.png"), shown(code))
    assert main(["teach", "deck", "old", "--pictures", str(pictures)]) == 0
    out = capsys.readouterr().out
    assert "2 of 52 cards are taught" in out
    assert "missing: AS" in out
    taught = find_deck("old")
    assert taught is not None
    assert set(taught.looks) == {Card.parse("KS"), Card.parse("QS")}
    other = home / "table.png"
    assert cv2.imwrite(str(other), shown("QS", seed=90))
    assert main(["read", "--deck", "old", str(other)]) == 0
    assert "QS" in capsys.readouterr().out


def test_a_picture_whose_name_tells_no_card_is_named(home, capsys) -> None:
    stray = home / "holiday.png"
    assert cv2.imwrite(str(stray), np.zeros((60, 80, 3), np.uint8))
    assert main(["teach", "deck", "old", "--pictures", str(stray)]) == 1
    assert "AS.jpg" in capsys.readouterr().err


def test_a_deck_never_taught_lists_those_that_are(home) -> None:
    deck_ = CustomDeck("blue")
    deck_.add(Card.parse("AS"), np.zeros((READ.height, READ.width, 3), np.uint8))
    save_set(deck_, home / "boneace" / "decks" / "blue.deck")
    with pytest.raises(EnrolmentError, match=r"taught: blue.*boneace teach deck red"):
        find_deck("red")


class Dealer:
    """A camera over a table where somebody lays down the card asked for, each in its turn."""

    def __init__(self, order, frames_each: int = 5) -> None:
        self._pictures = [shown(str(card), "modern") for card in order]
        self._empty = SimulatedTable(MatLayout(4), style="modern", seed=31).frame()
        self._each, self._count = frames_each, 0

    def read(self, timeout_s: float = 2.0) -> Frame:
        turn, frame = divmod(self._count, 2 * self._each)
        self._count += 1
        if turn >= len(self._pictures):
            raise EndOfFramesError("the film is over")
        picture = self._empty if frame < self._each else self._pictures[turn]
        return Frame(picture, self._count * 0.1)

    def close(self) -> None:
        """Nothing to let go of."""


def test_teaching_by_camera_asks_takes_and_keeps_what_it_has(tmp_path, capsys) -> None:
    path = tmp_path / "new.deck"
    teacher = DeckEnrolment(CustomDeck("new"))
    assert teach_from_camera(teacher, path, Dealer(deck()[:3])) is False  # the film ends early
    assert set(load_set(CustomDeck, path).looks) == set(deck()[:3])
    out = capsys.readouterr().out
    assert "ace of spades" in out
    assert "(52 left)" in out
    assert "(49 left)" in out
