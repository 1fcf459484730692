"""Which question divides the histories best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, TypeVar

from device.croupier.doubts import first_knock
from device.croupier.explain import name_of, story
from device.croupier.histories import Histories
from device.croupier.history import History, common
from device.croupier.looks import Look
from device.croupier.moves import Words
from device.croupier.questions import Choice, Question, QuestionKind, divides
from engine.core.messages.message import Message, Value
from engine.core.views import Phase
from vision.readings import ZoneKind

M = TypeVar("M")

KNOCK_IS_WHOSE = "knocker"
"""What is asked where an event is doubted: whose it was."""

PLAYED = (Phase.DEAL, Phase.PLAY)
"""Phases in which people still take cards."""

BY_BUTTON = {QuestionKind.STUCK.value: False}
"""Where HAVE IT is not the yes: a button must not mean the opposite of its name."""

MOST_ANSWERS = 5
"""A question with more answers than this is no help, but for naming a card."""


@dataclass(frozen=True, slots=True)
class Fork(Generic[M]):
    """A question, and the histories that each of its answers leaves.

    Attributes:
        about: what it is about, as the game names it.
        parts: for each answer the histories that give it, the likeliest first.
        money: what is paid depends on it: it cannot be left open.
        urgent: it decides between payments, or whether play still goes on: nothing more shows it.
        since: so many events all histories have in common.
        doubt: the number of the event of which it is asked whose it was; that it was somebody's
            who did it in no history is an answer too.
    """

    about: str
    question: Question
    parts: Sequence[Sequence[History[M]]]
    money: bool
    urgent: bool
    since: int
    doubt: int | None = None


def find_fork(
    words: Words[M], histories: Histories[M], look: Look, left_alone: Collection[object]
) -> Fork[M] | None:
    """Return the question to be asked; ``None`` where the histories agree in what matters.

    Of the questions that the game knows it is the one whose largest part is smallest, each history
    weighing a tenth for every rank; then that with fewer answers, then the one named first. Where
    it is about money, what people may have forgotten comes last.

    Args:
        words: answers questions for each history.
        histories: those of the hand in play.
        look: the newest one.
        left_alone: what people have left open; asked again only where money depends on it.
    """
    alive, game = histories.alive, histories.game
    if histories.doubt is not None and len({game.money(each.state) for each in alive}) == 1:
        return _whose_knock(words, histories, look, histories.doubt)
    # While what lies there is not explained, what is asked may be no question any more.
    is_open = histories.is_repairing and not histories.explained
    if len(alive) < 2 or histories.agrees or is_open:
        return None
    money = len({game.money(each.state) for each in alive}) > 1
    classes = {id(each): (game.frame(each.state), game.money(each.state)) for each in alive}
    best_cost = alive[0].cost
    found: list[tuple[bool, float, int, str, dict[Hashable, list[History[M]]]]] = []
    told = [words.answers(each, look) for each in alive]
    for about in dict.fromkeys(key for answers in told for key in answers):
        if about in left_alone and not money:
            continue
        parts: dict[Hashable, list[History[M]]] = defaultdict(list)
        for each, answers in zip(alive, told, strict=True):
            parts[answers.get(about)].append(each)
        few = len(parts) <= MOST_ANSWERS or about in words.decided
        if None in parts or len(parts) < 2 or not few:
            continue
        if len({frozenset(classes[id(h)] for h in part) for part in parts.values()}) < 2:
            continue
        largest = max(sum(10.0 ** (best_cost - h.cost) for h in p) for p in parts.values())
        late = money and about.split(":")[0] in words.forgotten
        found.append((late, largest, len(parts), about, parts))
    if not found:
        return _by_history(words, histories, classes, money, left_alone)
    since = common(each.events for each in alive)
    urgent = money and (_is_urgent(histories) or _is_gathered(histories, look))
    forks = [
        _put(words, about, parts, look, since, money=money, urgent=urgent)
        for *_, about, parts in sorted(found, key=lambda each: each[:3])
    ]
    # What is asked only where money depends on it would never be, and keep others from it.
    return next((f for f in forks if money or f.question.kind.patience is not None), forks[0])


def _put(
    words: Words[M],
    about: str,
    parts: Mapping[Hashable, list[History[M]]],
    look: Look,
    since: int,
    *,
    money: bool,
    urgent: bool,
) -> Fork[M]:
    """Return the fork *about* something, its answers the likeliest first; yes comes before no."""
    ordered = sorted(parts.items(), key=lambda part: part[1][0].cost)
    best = ordered[0][1][0]
    if all(isinstance(answer, bool) for answer in parts):
        first = BY_BUTTON.get(about.split(":")[0], True)
        ordered.sort(key=lambda part: part[0] != first)
    choices = [answer for answer, _ in ordered]
    doubt = first_knock(best) if about == KNOCK_IS_WHOSE and money else None
    if doubt is not None:  # the one who did may be in no history
        choices = _with_others(choices, best)
    question = words.question(about, choices, best, look)
    return Fork(about, question, [part for _, part in ordered], money, urgent, since, doubt)


def _whose_knock(
    words: Words[M], histories: Histories[M], look: Look, number: int
) -> Fork[M] | None:
    """Return the question who knocked, where event *number*, a knock, is not sure."""
    if histories.is_repairing:
        return None  # it may find another story yet
    best = histories.best
    seats = _with_others([getattr(best.events[number], "seat", None)], best)
    question = words.question(KNOCK_IS_WHOSE, seats, best, look)
    return Fork(KNOCK_IS_WHOSE, question, [histories.alive], True, True, number, number)


def _with_others(seats: Sequence[Hashable], best: History[M]) -> list[Hashable]:
    """Return *seats* and those of all other players; who is out comes last."""
    play = best.state.live_play
    hands = () if play is None else sorted(play.hands, key=lambda hand: hand.out)
    return [*seats, *(hand.seat for hand in hands if hand.seat not in seats)]


def _is_urgent(histories: Histories[M]) -> bool:
    """Return whether a fork about money is to be asked at once.

    It is not where hands are still shown that the others have seen already. Where play goes on, a
    history in which it is over explains whatever comes, so that to wait would speak for it; but
    not where the game tells by what comes that it is not.
    """
    game = histories.game
    paid = {game.money(each.state) for each in histories.alive if each.done is not None}
    plays = any(each.state.phase in PLAYED for each in histories.alive)
    return len(paid) > 1 or (plays and not game.tells_end)


def _is_gathered(histories: Histories[M], look: Look) -> bool:
    """Return whether hands are still to be shown, and no card lies at any place any more."""
    shows = any(each.state.phase is Phase.SHOWDOWN for each in histories.alive)
    return shows and not look.in_zone(ZoneKind.SEAT)


def _by_history(
    words: Words[M],
    histories: Histories[M],
    classes: Mapping[int, object],
    money: bool,
    left_alone: Collection[object],
) -> Fork[M] | None:
    """Return the question which of two histories happened, each told by where they differ."""
    parts: dict[object, list[History[M]]] = defaultdict(list)
    for each in histories.alive:
        parts[classes[id(each)]].append(each)
    two = list(parts.values())[:2]
    since = common(part[0].events for part in two)
    about = f"history:{since}"
    if about in left_alone and not money:
        return None
    choices = [Choice(str(i), words.tell(part[0], since)) for i, part in enumerate(two)]
    question = divides(QuestionKind.HISTORY, _what([part[0] for part in two], since), choices)
    question = replace(question, detail=_before(two[0][0], since))
    return Fork(about, question, two, money, money and _is_urgent(histories), since)


def _what(two: Sequence[History[M]], since: int) -> Message:
    """Ask what happened from event number *since* on; where it was one player's, by name."""
    first = [each.events[since] for each in two if len(each.events) > since]
    seats = {getattr(event, "seat", None) for event in first}
    seat = seats.pop() if len(seats) == 1 else None
    if seat is None:
        return Message("What happened?")
    return Message("What did {name} do?", name=name_of(two[0].state, seat))


def _before(at: History[M], since: int) -> Value:
    """Tell what is sure last, before event number *since*; empty where nothing is."""
    told = [sentence for lines in islice(story(at.state), since) for sentence in lines]
    return Message("Before that: {said}", said=told[-1]) if told else ""
