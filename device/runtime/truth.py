"""Answers the croupier's questions from what truly happened; docs/reference/readings.md."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.croupier.questions import NONE, OTHER, Candidate, Choice, Question, QuestionKind
from device.ports import Button, Press
from engine import Event
from engine.core.bones import Face
from engine.core.cards import UNREAD, Card, Rank, Suit, code_of
from engine.core.errors import BoneAceError
from engine.core.events import (
    Choose,
    Claim,
    Declare,
    Discard,
    Draw,
    Have,
    Knock,
    Roll,
    Stand,
    Stick,
    Undo,
)
from vision.readings import Reading

SEATS_OF = ("out", "held", "stuck", "had", "knocked")
"""Kinds whose truth is a list of seats: each is answered with yes or no."""

FROM_HISTORY = ("source", "turns", "move", "history", "whose", "number", "restart", "face")
"""Kinds that are answered by the history that agrees with the truth, where one does."""

ANSWERS_WITHOUT_WORDS = {"offmat": ("counts", "again")}

SAME_CARD_MM = 25.0
"""A card asked about that lies no further from an unread one is that one: less than half a card."""

Stories = Sequence[Sequence[Sequence[Event]]]
"""For each answer the events of the histories that it leaves."""


# --- answers as words ---------------------------------------------------------------------------


def code(answer: Candidate) -> object:
    """Return an answer as a word of the format."""
    if isinstance(answer, Choice):
        if answer.key.lstrip("-").isdecimal():
            return int(answer.key) if int(answer.key) >= 0 else NONE.key
        return answer.key
    if isinstance(answer, Face):
        return answer.points
    return str(answer) if isinstance(answer, Card) else answer


def codes(question: Question) -> list[object]:
    """Return the answers of a question as words, without "another card" and "none of these"."""
    whole = question.whole
    if not whole.candidates:
        return list(ANSWERS_WITHOUT_WORDS.get(whole.kind.word, ("yes", "no")))
    found = [code(each) for each in whole.candidates if each not in (OTHER, NONE)]
    if whole.kind.word == "restart":
        return ["yes" if isinstance(each, int) else "no" for each in found]
    return found


def presses_for(
    question: Question, answer: object, time_s: float, *, divides: bool
) -> list[Press] | None:
    """Return the presses that give *answer*; ``None`` where it is none of this question.

    Args:
        question: the open one.
        answer: a word of the format.
        time_s: when they are pressed.
        divides: whether the question divides histories, so that all may be said to be wrong.
    """
    whole, back = question.whole, []
    if question.of is not None:
        back = [Press(Button.UNDO, time_s)]

    def choose(number: int) -> Press:
        return Press(Button.HAVE, time_s, choice=number)

    if answer == NONE.key and NONE in question.candidates:
        return [choose(question.candidates.index(NONE))]
    card = _card(answer)
    if card is not None and question.of is not None and not question.cards:
        return [choose(list(Rank).index(card.rank)), choose(list(Suit).index(card.suit))]
    words = [str(each) for each in codes(whole)]
    if str(answer) in words:
        place = words.index(str(answer))
        if not whole.candidates:
            return [Press((Button.HAVE, Button.STICK)[place], time_s)]
        return [*back, choose(place)]
    if answer == NONE.key:
        if NONE in whole.candidates:
            return [*back, choose(whole.candidates.index(NONE))]
        return [choose(len(whole.candidates)) if divides else Press(Button.UNDO, time_s)]
    if card is None or OTHER not in whole.candidates:
        return None
    steps = (
        whole.candidates.index(OTHER),
        list(Rank).index(card.rank),
        list(Suit).index(card.suit),
    )
    return [*back, *map(choose, steps)]


def _card(answer: object) -> Card | None:
    try:
        return Card.parse(str(answer))
    except BoneAceError:
        return None


# --- the truth ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what is known when it is asked.

    Attributes:
        question: the open one.
        id: its number among those that were asked, from 1.
        hand: the number of the hand in this log, from 1.
        log: the events of the hand so far.
        earlier: those of the hands before it in this log.
        stories: for each answer the events of the histories that it leaves; none where the
            question divides no histories.
        reading: what was seen last.
    """

    question: Question
    id: int = 1
    hand: int = 1
    log: Sequence[Event] = ()
    earlier: Sequence[Event] = ()
    stories: Stories = ()
    reading: Reading | None = None


class Truth:
    """The truth of a table, as an ANSWERS file tells it."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        """Answer from the file's object."""
        self._record = record
        self._used: dict[tuple[int, str], set[int]] = {}
        self._last: tuple[int, object] = (0, None)

    def answer(self, asked: Asked) -> object:
        """Return which answer is true, as a word; ``None`` where the truth does not settle it."""
        if asked.id != self._last[0]:
            self._last = (asked.id, self._answer(asked))
        return self._last[1]

    def _answer(self, asked: Asked) -> object:
        question, truth = asked.question.whole, _Told(self._record, asked.hand)
        kind, words = question.kind.word, codes(question)
        if kind in SEATS_OF:
            told = truth.get(kind)
            if told is None and truth.is_of_hand:
                told = []  # of a hand told apart: nobody
            if isinstance(told, list):
                if question.seat is None:
                    return None
                return "yes" if question.seat in told else "no"
        if kind in FROM_HISTORY and asked.stories:
            found = _agreeing(asked, truth)
            if found is not None:
                return words[found]
        if question.kind is QuestionKind.KNOCKER and isinstance(truth.get("knocked"), list):
            told = [seat for seat in truth.get("knocked") if seat in words]
            return told[0] if told else NONE.key
        by_throws = _by_throws(asked, truth) if kind in ("number", "whose", "face") else None
        if by_throws in words:
            return by_throws
        told = truth.get(kind)
        if not isinstance(told, list):
            return told
        return _lying_there(asked, truth) or self._next(told, (truth.number, kind), words)

    def _next(self, told: list[object], key: tuple[int, str], words: list[object]) -> object:
        """Use up one of a list: of cards the first that may be meant, else the first."""
        used = self._used.setdefault(key, set())
        left = [place for place in range(len(told)) if place not in used]
        if key[1] == "card":
            # A card that was read in the meantime is asked about no more.
            left.sort(key=lambda place: told[place] not in words)
        if not left or (key[1] != "card" and told[left[0]] not in (*words, NONE.key)):
            return None
        used.add(left[0])
        return told[left[0]]


class _Told:
    """What is told of one hand: by ``hands``, or by the whole object."""

    def __init__(self, record: Mapping[str, Any], hand: int) -> None:
        hands = record.get("hands")
        self._all: Mapping[str, Any] = record
        self._hand: Mapping[str, Any] | None = None
        self.number = 0
        if (
            isinstance(hands, list)
            and 1 <= hand <= len(hands)
            and isinstance(hands[hand - 1], dict)
        ):
            self._hand, self.number = hands[hand - 1], hand
            self._by_hand = {key for each in hands if isinstance(each, dict) for key in each}

    @property
    def is_of_hand(self) -> bool:
        """Whether it is told hand by hand."""
        return self._hand is not None

    def get(self, key: str) -> Any:
        """Return what is told under *key*; nothing where it is told of other hands only."""
        if self._hand is None:
            return self._all.get(key)
        if key in self._by_hand:
            return self._hand.get(key, [] if key in SEATS_OF else None)
        return self._all.get(key)

    def rows(self, key: str) -> list[list[Any]]:
        """Return a list of lists, such as the turns; empty where there is none."""
        found = self.get(key)
        return [row for row in found if isinstance(row, list)] if isinstance(found, list) else []


def _lying_there(asked: Asked, truth: _Told) -> object:
    """Return the unread card that was laid last where the question asks; ``None`` for none."""
    question, reading, told = asked.question.whole, asked.reading, truth.get("unread")
    place = question.place if question.kind.word == "card" else None
    if place is None or reading is None or not isinstance(told, list):
        return None
    laid = [
        each
        for each in told
        if isinstance(each, Mapping)
        and isinstance(each.get("card"), str)
        and all(isinstance(each.get(key), int | float) for key in ("t", "x", "y"))
        and each["t"] <= reading.time_s
        and math.dist(place, (each["x"], each["y"])) <= SAME_CARD_MM
    ]
    return max(laid, key=lambda each: float(each["t"]))["card"] if laid else None


def _agreeing(asked: Asked, truth: _Told) -> int | None:
    """Return the answer whose histories agree with the truth; ``None`` where not just one does.

    Where none does, faces do not count, nor, where it is asked whose turn it is, what was drawn.
    """
    for strictly in (True, False):
        scores = [
            max((_agreement(events, asked, truth, strictly) for events in part), default=-1)
            for part in asked.stories
        ]
        best = max(scores, default=-1)
        if best >= 0 and scores.count(best) == 1:
            return scores.index(best)
    return None


def _agreement(events: Sequence[Event], asked: Asked, truth: _Told, strictly: bool) -> int:
    """Return how much of the truth a history tells; -1 where it tells something else."""
    whole = events if truth.is_of_hand else (*asked.earlier, *events)
    turns, throws = truth.rows("turns"), truth.rows("throws")
    found = 0
    if turns:
        said = any(len(row) == 2 for row in turns)
        mine = [row for row in _turns(whole) if said or len(row) > 2]
        if not strictly and asked.question.kind is QuestionKind.WHOSE:
            mine, turns = _without_sources(mine), _without_sources(turns)
        if len(mine) > len(turns) or not all(map(_same_turn, mine, turns)):
            return -1
        found += sum(row[-1] is not None for row in mine)
    if throws:
        rolls = [event for event in whole if isinstance(event, Roll)]
        if len(rolls) > len(throws):
            return -1
        if not all(_same_throw(r, t, strictly) for r, t in zip(rolls, throws, strict=False)):
            return -1
        found += len(rolls)
        if not all(_extra(throws, e.seat) == e.n for e in events if isinstance(e, Choose)):
            return -1
    return found if _words_agree(events, truth) else -1


def _words_agree(events: Sequence[Event], truth: _Told) -> bool:
    """Return whether nobody says in *events* what nobody said."""
    for event in events:
        kind = _WORD_OF.get(type(event))
        if isinstance(event, Declare) and event.what is Claim.OUT:
            kind = "out"
        told = None if kind is None else truth.get(kind)
        if isinstance(told, list) and getattr(event, "seat", None) not in told:
            return False
    return True


_WORD_OF: Mapping[type[Event], str] = {Stick: "stuck", Have: "had", Knock: "knocked"}


def _turns(events: Sequence[Event]) -> Iterator[list[Any]]:
    """Yield turns as an ANSWERS file has them; the discard of a turn that goes on is ``None``."""
    drawn: Draw | None = None
    for event in events:
        if isinstance(event, Draw):
            drawn = event
        elif isinstance(event, Discard) and drawn is not None:
            yield [event.seat, str(drawn.source), code_of(event.card)]
            drawn = None
        elif isinstance(event, Knock | Stand):
            yield [event.seat, event.kind]
    if drawn is not None:
        yield [drawn.seat, str(drawn.source), None]


def _without_sources(turns: list[list[Any]]) -> list[list[Any]]:
    return [[row[0], None, row[2]] if len(row) > 2 else row for row in turns]


def _same_turn(mine: Sequence[Any], true: Sequence[Any]) -> bool:
    if len(mine) != len(true) or list(mine[:2]) != list(true[:2]):
        return False
    return len(mine) < 3 or mine[2] in (None, UNREAD) or true[2] in (mine[2], UNREAD)


def _same_throw(roll: Roll, true: Sequence[Any], with_faces: bool) -> bool:
    if len(true) != 2 or roll.seat != true[0] or not isinstance(true[1], list):
        return False
    if len(roll.faces) != len(true[1]):
        return False
    return not with_faces or Counter(roll.faces) == Counter(true[1])


def _extra(throws: Sequence[Sequence[Any]], seat: int | None) -> int:
    """Return how many more bones a player threw after the first throw."""
    sizes = [len(row[1]) for row in throws if len(row) == 2 and row[0] == seat]
    return sum(sizes[1:])


def _by_throws(asked: Asked, truth: _Told) -> object:
    """Return how many more, whose throw, or which face it is by the throws that are told."""
    throws = [row for row in truth.rows("throws") if len(row) == 2 and isinstance(row[1], list)]
    kind = asked.question.kind.word
    known = asked.log if truth.is_of_hand else (*asked.earlier, *asked.log)
    rolls = [event for event in known if isinstance(event, Roll)]
    if not throws:
        return None
    if kind == "number":
        if not truth.is_of_hand and asked.earlier:
            return None
        wanted, seat = _extra(throws, asked.question.seat), asked.question.seat
        if any(isinstance(event, Choose) for event in asked.log):
            return wanted
        # One by one: what is asked is whether another one was wanted.
        thrown = [[event.seat, event.faces] for event in asked.log if isinstance(event, Roll)]
        more = wanted - _extra(thrown, seat)
        return more if more in asked.question.candidates else min(more, 1)
    if len(rolls) >= len(throws):
        return None
    seat, faces = throws[len(rolls)]
    return seat if kind == "whose" else _face(asked, seat, faces)


def _face(asked: Asked, seat: int, faces: Sequence[int]) -> object:
    """Return a face of a throw that no bone on the mat was read to show."""
    if asked.reading is None:
        return None
    read = Counter(bone.value for bone in asked.reading.bones)
    lying = read.total() + len(asked.reading.unsure_bones)
    if lying > len(faces):  # those of the throws before still lie there
        for event in asked.log:
            if isinstance(event, Roll) and event.seat == seat:
                read -= Counter(event.faces)
    left = Counter(faces) - read
    likely = [each for each in codes(asked.question) if each in left]
    return likely[0] if likely else None


def counted(events: Sequence[Event]) -> list[Event]:
    """Return *events* without those that were taken back."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, Undo):
            if found:
                found.pop()
        else:
            found.append(event)
    return found
