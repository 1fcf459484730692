"""What a croupier returns: events to play, a question to ask, notices to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from device.ports import Button
from engine import Event
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.events import Correct
from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import a_card, card_words, rank_index, the_card


class QuestionKind(StrEnum):
    """What a question is about: the words of a readings log, which is a closed list.

    ``dealt``, ``turns``, ``held`` and ``back`` stand in that list, but are not asked any more.
    """

    CARD = "card"
    CHANGED = "changed"
    MISDEAL = "misdeal"
    FACE = "face"
    BUMPED = "bumped"
    DEALT = "dealt"
    RESTART = "restart"
    NUMBER = "number"
    WHOSE = "whose"
    SOURCE = "source"
    TURNS = "turns"
    OUT = "out"
    HELD = "held"
    HAD = "had"
    STUCK = "stuck"
    KNOCKED = "knocked"
    KNOCKER = "knocker"
    OPEN = "open"
    BACK = "back"
    OFFMAT = "offmat"
    MOVE = "move"
    HISTORY = "history"

    @property
    def word(self) -> str:
        """Its word in a readings log: the list there is closed (docs/reference/readings.md)."""
        return str(_WORDS.get(self, self))

    @property
    def names_seats(self) -> bool:
        """Whether a press at a seat answers it: its player is meant."""
        return self in (QuestionKind.WHOSE, QuestionKind.KNOCKER)

    @property
    def patience(self) -> int | None:
        """After how many looks it is asked, from 0; ``None``: only when money depends on it."""
        return PATIENCE.get(self, 2)


_WORDS: dict[QuestionKind, QuestionKind] = {
    QuestionKind.CHANGED: QuestionKind.CARD,
    QuestionKind.KNOCKER: QuestionKind.WHOSE,
}
"""Kinds that are one to people: the words that leave the program."""

LONG = 6
"""So many looks are waited for what the next moves of people mostly show."""

PATIENCE: dict[QuestionKind, int | None] = {
    QuestionKind.WHOSE: LONG,
    QuestionKind.OUT: LONG,
    QuestionKind.KNOCKED: LONG,
    QuestionKind.KNOCKER: 2 * LONG,
    QuestionKind.STUCK: LONG,
    QuestionKind.HAD: LONG,
    QuestionKind.HISTORY: LONG,
    QuestionKind.SOURCE: None,
    QuestionKind.CARD: 0,
    QuestionKind.BUMPED: 0,
    QuestionKind.OFFMAT: 0,
    QuestionKind.RESTART: 0,
    QuestionKind.MOVE: 0,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer in words: *key* for the program, *text* for people."""

    key: str
    text: Value


YES = Choice("yes", Message("yes"))
NO = Choice("no", Message("no"))
NONE = Choice("none", Message("none of these"))
COUNTS = Choice("counts", Message("it counts"))
AGAIN = Choice("again", Message("throw it again"))
OTHER = Choice("other", Message("another card"))

Place = tuple[float, float]
"""Where something lies on the mat: millimetres from its top left corner."""

Candidate = Card | Face | int | Choice
"""What can be chosen: a card, the face of a bone, a number, or an answer in words."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only people can settle; answered with the buttons.

    HAVE is yes (or the candidate highlighted), STICK the next candidate (or no), UNDO none of
    these, MENU leaves it.

    Attributes:
        thing: number of the card or bone on the mat that it is about.
        selected: index of the candidate highlighted.
        place: where on the mat that thing lies, in millimetres; ``None`` where it is about none.
        detail: what else helps to answer; what the buttons do is in *keys*.
        was: what the game knows the card as that now looks like another one.
        of: the question that this one is a step of: which rank, then which suit it is.
        hints: what the buttons answer, where that is not as usual.
        later: it is put only when what it is about stays so, for the game can go on without it.
    """

    kind: QuestionKind
    text: Value
    seat: int | None = None
    candidates: tuple[Candidate, ...] = ()
    thing: int | None = None
    selected: int = 0
    place: Place | None = None
    detail: Value = ""
    was: Card | None = None
    of: Question | None = None
    hints: tuple[KeyHint, ...] = ()
    later: bool = False

    @property
    def whole(self) -> Question:
        """The question itself, where this is only a step towards its answer."""
        return self if self.of is None else self.of

    @property
    def card(self) -> Card | None:
        """The card that the question is about, where everybody knows it."""
        return self.was

    @property
    def is_direct(self) -> bool:
        """Whether HAVE takes the first answer and STICK the second, whatever is marked."""
        return len(self.candidates) == 2 and self.kind in DIRECT

    @property
    def marked(self) -> int | None:
        """Index of the answer that HAVE takes; ``None`` where it is a word until one is chosen."""
        return None if self.hints == SAID and not self.selected else self.selected

    @property
    def keys(self) -> tuple[KeyHint, ...]:
        """What the buttons answer."""
        if self.marked is None:
            return SAID[1:]
        if self.hints:
            return self.hints
        if self.of is not None:
            return STEP
        if OTHER in self.candidates:
            return (*MARKED, KeyHint("next", OTHER.text), OR_NONE[-1])
        if self.is_direct and self.kind not in ANSWERS:
            first, second = (each for each in self.answers)
            return (KeyHint("have", first), KeyHint("stick", second), KeyHint("undo", LEAVE))
        if self.kind in DIRECT and self.kind not in ANSWERS:
            return OR_LEAVE
        return ANSWERS.get(self.kind, MARKED)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The candidates that are cards, to be shown as pictures."""
        return tuple(each for each in self.candidates if isinstance(each, Card))

    @property
    def faces(self) -> tuple[Face, ...]:
        """The candidates that are faces of a bone, to be shown as pictures too."""
        return tuple(each for each in self.candidates if isinstance(each, Face))

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The candidates that are ranks, where a rank is asked for: the first of *answers*."""
        if self.of is None or self.cards:
            return ()
        keys = {each.key for each in self.candidates if isinstance(each, Choice)}
        return tuple(rank for rank in Rank if rank.value in keys)

    @property
    def answers(self) -> tuple[Value, ...]:
        """The candidates that are no cards, in words."""
        return tuple(answer_words(each) for each in self.candidates if not isinstance(each, Card))

    def is_same(self, other: Question | None) -> bool:
        """Return whether *other* asks the same, whatever is highlighted, in whatever order."""
        return other is not None and _asked(self.whole) == _asked(other.whole)


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the table.

    Attributes:
        urgent: the game cannot go on before something is done about it.
        keys: buttons that help.
    """

    text: Value
    detail: Value = ""
    urgent: bool = True
    keys: tuple[KeyHint, ...] = ()

    @property
    def sentence(self) -> Value:
        """All of it in one line."""
        return sentences(self.text, self.detail)


@dataclass(frozen=True, slots=True)
class CroupierResult:
    """What one reading or one press leads to.

    Attributes:
        events: to be applied in this order; the engine has already been asked about each.
        refused: why a press had no effect; shown for a few seconds.
        back: so many events of the hand are taken back first: something else had happened.
        marks: beside each event what was assumed about it; none where nothing was.
    """

    events: tuple[Event, ...] = ()
    question: Question | None = None
    notices: tuple[Notice, ...] = ()
    refused: tuple[Notice, ...] = ()
    back: int = 0
    marks: tuple[str, ...] = ()

    @property
    def notice(self) -> Notice | None:
        """The notice to show when there is room for one."""
        for notice in self.notices:
            if notice.urgent:
                return notice
        return self.notices[0] if self.notices else None


def _asked(question: Question) -> object:
    about = (question.kind, question.seat, question.thing, question.text)
    return about, frozenset(question.candidates)


LEAVE = Message("leave it open")

DIRECT = frozenset(
    {
        QuestionKind.WHOSE,
        QuestionKind.SOURCE,
        QuestionKind.OUT,
        QuestionKind.HAD,
        QuestionKind.STUCK,
        QuestionKind.KNOCKED,
        QuestionKind.KNOCKER,
        QuestionKind.OPEN,
        QuestionKind.MOVE,
        QuestionKind.HISTORY,
        QuestionKind.NUMBER,
        QuestionKind.BUMPED,
        QuestionKind.MISDEAL,
        QuestionKind.OFFMAT,
    }
)
"""Questions that divide histories: with two answers each has its own button."""

MARKED = (KeyHint("have", Message("the one marked")), KeyHint("stick", Message("the next one")))

OR_LEAVE = (*MARKED, KeyHint("undo", LEAVE))

OR_NONE = (*MARKED, KeyHint("undo", Message("none of these")))

STEP = (
    *MARKED,
    KeyHint("next", Message("further on")),
    KeyHint("undo", Message("back")),
)
"""What the buttons do while a rank or a suit is asked for."""

ANSWERS: Mapping[QuestionKind, tuple[KeyHint, ...]] = {
    # Translators: what a button does, beside its name: short.
    QuestionKind.CARD: OR_NONE,
    QuestionKind.CHANGED: OR_NONE,
    QuestionKind.FACE: (*MARKED, KeyHint("undo", Message("throw it again"))),
    QuestionKind.OPEN: (
        KeyHint("have", Message("play on with it")),
        KeyHint("stick", Message("take it back")),
        KeyHint("menu", Message("misdeal")),
    ),
    QuestionKind.MISDEAL: (
        KeyHint("have", Message("yes: the hand is void")),
        KeyHint("stick", Message("no, play on")),
    ),
}
"""What the buttons do while a question is open; at the others they choose among answers."""

_FACES = {
    Face.FLAT: Message("flat, 1"),
    Face.CONCAVE: Message("concave, 3"),
    Face.CONVEX: Message("convex, 4"),
    Face.TWISTED: Message("twisted, 6"),
}


def answer_words(candidate: Candidate) -> Value:
    """Return an answer in words."""
    if isinstance(candidate, Choice):
        return candidate.text
    if isinstance(candidate, Card):
        return card_words(candidate)
    return _FACES[candidate] if isinstance(candidate, Face) else candidate


def which_card(
    name: Value, seat: int, candidates: tuple[Card, ...], thing: int, place: Place | None = None
) -> Question:
    """Ask what an unread card is."""
    text = (
        Message("Is {name}'s card {card}?", name=name, card=the_card(candidates[0]))
        if len(candidates) == 1
        else Message("Which card is {name}'s?", name=name)
    )
    return Question(QuestionKind.CARD, text, seat, candidates, thing, place=place)


def changed(
    name: Value, seat: int, was: Card, now: Card, thing: int, place: Place | None = None
) -> Question:
    """Ask what a card is that no longer looks like the one it was read as (rule G-10)."""
    return Question(
        QuestionKind.CHANGED,
        # Translators: {was} is a card such as "ace of hearts", {now} one such as "an ace of clubs".
        Message(
            "{name}'s {was} now looks like {now}. Which is it?",
            name=name,
            was=card_words(was),
            now=a_card(now),
        ),
        seat,
        (now, was),
        thing,
        place=place,
        was=was,
    )


def neither(question: Question, name: Value) -> Question:
    """Ask what a card is of which people said that it is neither what it was nor what it looks."""
    text = Message("Which card is {name}'s?", name=name)
    return replace(question, text=text, candidates=(), later=True)


def exposed(name: Value, seat: int, card: Card, thing: int, place: Place | None = None) -> Question:
    """Ask about a card that should lie face down; playing on is the dealer's choice."""
    return Question(
        QuestionKind.OPEN,
        Message("{name}'s card lies face up: {card}. Play on?", name=name, card=the_card(card)),
        seat,
        (YES, NO),
        thing=thing,
        place=place,
        later=True,
    )


def renamed(question: Question, chosen: Candidate | None) -> Correct | None:
    """Return the correction that the answer *chosen* makes; ``None`` where it makes none."""
    if question.was is None or not isinstance(chosen, Card) or chosen == question.was:
        return None
    return Correct(question.was, chosen, question.seat)


def which_face(name: Value, seat: int, candidates: tuple[Face, ...]) -> Question:
    """Ask what a bone shows that was not read with certainty (rule KB-15)."""
    return Question(
        QuestionKind.FACE,
        Message("How does {name}'s bone lie?", name=name),
        seat,
        (*candidates, *(face for face in Face if face not in candidates)),
    )


def off_the_mat(name: Value, seat: int) -> Question:
    """Ask whether a bone beside the mat counts as it lies (rule KB-15)."""
    return Question(
        QuestionKind.OFFMAT,
        Message("A bone of {name} lies off the mat. Does it count?", name=name),
        seat,
        (COUNTS, AGAIN),
    )


def bone_changed(name: Value, seat: int, was: int, now: int, keys: Sequence[str]) -> Question:
    """Ask about a bone that shows other points than were counted: bumped, or misread (KB-20).

    *keys* are "old" and "new", the likelier first.
    """
    points = {"old": was, "new": now}
    return Question(
        QuestionKind.BUMPED,
        # Translators: {was} and {now} are the points of a bone, such as 4 and 6.
        Message(
            "A bone of {name}'s throw was read as {was} and now shows {now}. Which counts?",
            name=name,
            was=was,
            now=now,
        ),
        seat,
        tuple(Choice(key, str(points[key])) for key in keys),
        detail=Message("A bone that was bumped keeps its points."),
    )


def how_many(name: Value, seat: int, numbers: Sequence[int]) -> Question:
    """Ask for the one decision of One-and-Twenty (rule KB-5), the likeliest number first."""
    return Question(
        QuestionKind.NUMBER,
        Message("How many more bones did {name} want?", name=name),
        seat,
        tuple(numbers),
    )


SAID = (
    KeyHint("have", Message("that many")),
    KeyHint("stick", Message("none")),
    KeyHint("undo", LEAVE),
)
"""What the buttons answer where a player may still think: STICK says what it says in the game."""


def misdeal() -> Question:
    """Ask before a hand is thrown away (rule G-13)."""
    return Question(QuestionKind.MISDEAL, Message("Call a misdeal?"), candidates=(YES, NO))


def divides(
    kind: QuestionKind, text: Value, answers: Sequence[Candidate], seat: int | None = None
) -> Question:
    """Ask what divides the histories; *answers* are the likeliest first."""
    return Question(kind, text, seat, tuple(answers))


# --- any card -----------------------------------------------------------------------------------

JUMP, SHORT_JUMP = 4, 2
"""How far NEXT goes among ranks, and among suits: any card is soon reached with two buttons."""


def with_any_card(question: Question) -> Question:
    """Return a question about a card with the answers "another card" and "none of these"."""
    if question.kind not in (QuestionKind.CARD, QuestionKind.CHANGED) or question.thing is None:
        return question
    return replace(question, candidates=(*question.candidates, OTHER, NONE))


def next_step(question: Question, chosen: int) -> Question | None:
    """Return what is asked after answer *chosen*, from 0: a rank, a suit; else ``None``.

    What is marked first is the rank or suit of the likeliest answer.
    """
    if chosen >= len(question.candidates):
        return None
    whole, answer = question.whole, question.candidates[chosen]
    likely = whole.cards[0] if whole.cards else None
    if answer == OTHER:
        text = Message("Another card: of which rank?")
        ranks = [Choice(rank.value, rank_index(rank)) for rank in Rank]
        marked = 0 if likely is None else list(Rank).index(likely.rank)
        return replace(
            whole, text=text, candidates=tuple(ranks), selected=marked, detail="", of=whole
        )
    if question.of is None or not isinstance(answer, Choice):
        return None
    cards = tuple(Card(Rank(answer.key), suit) for suit in Suit)
    marked = 0 if likely is None else list(Suit).index(likely.suit)
    text = Message("Another card: of which suit?")
    return replace(question, text=text, candidates=cards, selected=marked)


def stride(question: Question, button: Button) -> int | None:
    """Return how far *button* moves the mark; ``None`` where it does not."""
    if button is Button.NEXT and question.of is not None:
        return JUMP if len(question.candidates) > len(Suit) else SHORT_JUMP
    if button is Button.NEXT and OTHER in question.candidates:
        return question.candidates.index(OTHER) - question.selected
    return {Button.STICK: 1, Button.RIGHT: 1, Button.LEFT: -1}.get(button)
