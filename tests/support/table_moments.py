"""Views of every moment of a hand, made by hand: drawing must not need the engine to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from display import PromptKind, PromptText, prompt_for
from engine.core.cards import Card
from engine.core.messages.prompt import KeyHint
from engine.core.outcome import Bone
from engine.core.views import Phase, ResultView, SeatStatus, SeatView, View

NAMES = (
    "Ann",
    "Bess",
    "Tom",
    "Joan Éclairée",
    "William",
    "Margaret",
    "Bartholomew Whitcomb",  # twenty characters, the longest name there may be
    "WWWWWWWWWWMMMMMMMMMM",
    "Eve",
    "Zachary",
)
UPCARDS = ("7H", "KD", "TS", "AH", "3C", "QH", "9S", "5D", "2C", "JD")


def card(code: str) -> Card:
    return Card.parse(code)


def cards(*codes: str) -> tuple[Card | None, ...]:
    return tuple(None if code == "??" else card(code) for code in codes)


def make_view(
    count: int,
    phase: Phase,
    change: Callable[[int], dict[str, Any]] = lambda seat: {},
    **fields: Any,
) -> View:
    seats = []
    for number in range(count):
        seat: dict[str, Any] = {
            "seat": number,
            "name": NAMES[number],
            "tokens": number * 11 % 23 - 9,
            "is_dealer": number == count - 1,
            "cards": cards("??", "??", UPCARDS[number]),
        }
        seats.append(SeatView(**(seat | change(number))))
    start: dict[str, Any] = {
        "game": "bone-ace",
        "preset": "willughby",
        "phase": phase,
        "hand_number": 3,
        "stake": 1,
        "seats": tuple(seats),
        "dealer": count - 1,
    }
    return View(**(start | fields))


def bone_of(count: int, holder: int = 1) -> Bone:
    payments = tuple((n, count - 1 if n == holder else -1) for n in range(count))
    return Bone(holder, card(UPCARDS[holder]), payments)


def result_of(count: int, end: str, *winners: int, tokens: int = 1) -> ResultView:
    losers = [n for n in range(count) if n not in winners]
    payments = tuple((n, winners[0], tokens) for n in losers) if winners else ()
    net = {n: 0 for n in range(count)}
    for payer, payee, paid in payments:
        net[payer] -= paid
        net[payee] += paid
    return ResultView(end, winners, tuple(net.items()), payments, 0)


def _in_play(turn: int) -> Callable[[int], dict[str, Any]]:
    def change(number: int) -> dict[str, Any]:
        seat: dict[str, Any] = {"is_bone_holder": number == 1, "is_turn": number == turn}
        if number == 0:
            seat |= {"cards": cards("9H", "8C", "7H", "KD"), "total": 34, "shown": True}
            seat["status"] = SeatStatus.OUT
        elif number == 2:
            seat |= {"cards": cards(*["??"] * 2, "TS", *["??"] * 6), "status": SeatStatus.STUCK}
        elif number == 4:
            seat["status"] = SeatStatus.LEFT
        return seat

    return change


def moments(count: int) -> dict[str, tuple[View, PromptText | None]]:
    """Return every moment of a hand of *count* players, and the croupier's own prompts."""
    bone, last = bone_of(count), count - 1
    turn = make_view(count, Phase.PLAY, _in_play(last), turn=last, bone=bone)
    won = result_of(count, "thirty-one", last, tokens=2)

    def with_31(number: int) -> dict[str, Any]:
        if number != last:
            return _in_play(-1)(number)
        hand = cards("9D", "8D", UPCARDS[number], "2H", "9C")
        return {"status": SeatStatus.THIRTY_ONE, "cards": hand, "total": 31, "shown": True}

    shared = ResultView(
        "showdown",
        (0, 1),
        tuple((n, {0: count, 1: -count}.get(n, 0)) for n in range(count)),
        tuple((payer, payee, 1 + payer) for payer in range(count) for payee in (0, 1)),
        None,
    )
    views = {
        "cut": make_view(
            count,
            Phase.CUT,
            lambda n: {"cards": (), "is_dealer": False},
            dealer=None,
            to_cut=tuple(range(1, count)),
            cuts=((0, card("9H")),),
        ),
        "cut-last": make_view(count, Phase.CUT, dealer=None, to_cut=(last,)),
        "deal-up": make_view(count, Phase.DEAL, deal_to=(last, True)),
        "deal-any": make_view(count, Phase.DEAL, lambda n: {"cards": ()}),
        "bone": make_view(
            count, Phase.PLAY, lambda n: {"is_bone_holder": n == 1}, turn=0, bone=bone
        ),
        "turn": turn,
        "asked": make_view(
            count, Phase.PLAY, _in_play(last), turn=last, card_asked=True, bone=bone
        ),
        "showdown": make_view(count, Phase.SHOWDOWN, _in_play(-1), to_reveal=tuple(range(count))),
        "won-31": make_view(count, Phase.DONE, with_31, bone=bone, result=won),
        "shared": make_view(count, Phase.DONE, _in_play(-1), bone=bone, result=shared),
        "all-out": make_view(
            count,
            Phase.DONE,
            lambda n: {"status": SeatStatus.OUT},
            result=result_of(count, "all-out"),
        ),
        "misdeal": make_view(count, Phase.DONE, result=ResultView("misdeal", (), (), (), last)),
    }
    asked: dict[str, tuple[View, PromptText | None]] = {
        name: (view, None) for name, view in views.items()
    }
    asked["question"] = (turn, QUESTION)
    asked["question-words"] = (
        turn,
        PromptText(
            "Which card is this?",
            choices=("None of these", "Look again"),
            card_choices=(card("TH"), card("8H")),
            kind=PromptKind.QUESTION,
            selected=2,
        ),
    )
    asked["yes-no"] = (
        turn,
        PromptText(
            "Take back the last card, please, and deal it once more?",
            "The last card was the five of diamonds, which has been read already.",
            choices=("Yes", "No"),
            kind=PromptKind.QUESTION,
            selected=1,
        ),
    )
    asked["trouble"] = (
        turn,
        PromptText(
            "The camera is not answering",
            "Check the ribbon cable. The game is safe and goes on by itself.",
            kind=PromptKind.TROUBLE,
        ),
    )
    asked["refused"] = (
        views["won-31"],
        replace(
            prompt_for(views["won-31"]),
            keys=(KeyHint("next", "next hand"), KeyHint("menu", "")),
            refused="Nobody is asked just now. Press HAVE IT or STICK when it is your turn.",
        ),
    )
    asked["silent"] = (turn, PromptText(""))
    return asked


QUESTION = PromptText(
    "Which card is this?",
    "Margaret, third card.",
    card_choices=(card("9D"), card("6D"), card("QS")),
    kind=PromptKind.QUESTION,
    selected=1,
)
