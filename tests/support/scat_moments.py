"""Views of every moment of Thirty-one and its variants, made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.views import (
    LossView,
    MatchView,
    MiddleView,
    Phase,
    PileView,
    PlayerMatchView,
    ResultView,
    SeatStatus,
    SeatView,
    TableKind,
    View,
)
from tests.support.table_moments import NAMES, cards

BACKS = cards("??", "??", "??")
HANDS = (
    "KH QH 2C",
    "AS TS 4D",
    "9D 9C 9S",
    "5H 6H 7H",
    "JC 8C 3S",
    "AD KD 7S",
    "4C 5C TD",
    "2S 3H 6D",
)
WIDOW = (PileView("widow", cards("??", "9H", "??")),)
TABLE = (PileView("table", cards("KD", "7S", "2H")),)
SWITCH = (PileView("B", cards("??", "JH", "??")), PileView("A", cards("4D", "7H", "TS")))


OUT = 2
"""Who is out of the match, where there are more than three."""


def lives_of(number: int, count: int = 8) -> PlayerMatchView:
    """Three lives, fewer, the free ride, and out."""
    if number == OUT and count > 3:
        return PlayerMatchView(lives=0, eliminated=True)
    return (
        PlayerMatchView(lives=3),
        PlayerMatchView(lives=0, on_county=True),
        PlayerMatchView(lives=1),
        PlayerMatchView(lives=4),
        PlayerMatchView(lives=2),
        PlayerMatchView(lives=9),
    )[number % 6]


def scat_view(
    count: int,
    phase: Phase,
    middle: MiddleView,
    change: Callable[[int], dict[str, Any]] = lambda seat: {},
    **fields: Any,
) -> View:
    seats = []
    for number in range(count):
        match = lives_of(number, count)
        seat: dict[str, Any] = {
            "seat": number,
            "name": NAMES[number],
            "is_dealer": number == count - 1,
            "cards": () if match.eliminated else BACKS,
            "status": SeatStatus.OUT if match.eliminated else SeatStatus.WAITING,
            "match": match,
        }
        seat |= change(number)
        if fields.get("turn") == number:
            seat["is_turn"] = True
        seats.append(SeatView(**seat))
    start: dict[str, Any] = {
        "game": "scat",
        "table": TableKind.MIDDLE,
        "preset": "wikipedia",
        "phase": phase,
        "hand_number": 12,
        "stake": 3,
        "seats": tuple(seats),
        "dealer": count - 1,
        "middle": middle,
        "match": MatchView(pot=3 * count),
    }
    return View(**(start | fields))


def _known(number: int) -> dict[str, Any]:
    return {"known": cards("KD", "3S")} if number == 0 else {}


def _shown(number: int) -> dict[str, Any]:
    if number == OUT:
        return {}
    hand = cards(*HANDS[number % len(HANDS)].split())
    if number % 8 == 3:
        return {"cards": hand, "value": 30.5, "shown": True}
    total = 20 + number % 8
    return {"cards": hand, "total": total, "value": float(total), "shown": True}


def _brag(number: int) -> dict[str, Any]:
    names = ("pair", "running flush", "prial", "run", "high card", "flush")
    return {
        "cards": cards(*HANDS[number % len(HANDS)].split()),
        "hand_name": names[number % 6],
        "shown": True,
        "match": PlayerMatchView(lives=1 + number % 3),
        "status": SeatStatus.WAITING,
    }


def _points(number: int) -> dict[str, Any]:
    return {"match": PlayerMatchView(points=7 * number + 3), "status": SeatStatus.WAITING} | {
        key: value for key, value in _shown(0).items()
    }


def _result(count: int, end: str, *winners: int, **losses: Any) -> ResultView:
    nothing = tuple((seat, 0) for seat in range(count))
    return ResultView(end, winners, nothing, (), 0, LossView(**losses))


def scat_moments(count: int) -> dict[str, View]:
    """Return every moment of a hand of *count* players."""
    last = count - 1
    usual = MiddleView(41 - count, cards("9H")[0], discards=cards("2C", "9H"), may_knock=True)
    knocked = MiddleView(
        9, cards("KS")[0], knocker=1, discards=cards("KS"), may_stand=True, last_turns=(0, last)
    )
    pot = MatchView(pot=3 * count, over=True, winner=0, settlement=((0, 3 * last), (1, -3)))
    tokens = {seat: -1 for seat in range(count)} | {0: last}
    taken = ResultView("showdown", (0,), tuple(tokens.items()), (), 1, LossView())
    done, play = Phase.DONE, Phase.PLAY
    return {
        "deal": scat_view(
            count, Phase.DEAL, MiddleView(48), lambda n: {"cards": ()}, deal_to=(0, False)
        ),
        "deal-widow": scat_view(
            count, Phase.DEAL, MiddleView(40, table="widow", deal_to=("widow",), piles=WIDOW)
        ),
        "deal-second": scat_view(
            count, Phase.DEAL, MiddleView(40, table="switch", deal_to=("second", "B"))
        ),
        "deal-table": scat_view(count, Phase.DEAL, MiddleView(40, table="bus", deal_to=("table",))),
        "turn-up": scat_view(count, Phase.TURN_UP, MiddleView(40)),
        "choose": scat_view(
            count, Phase.CHOOSE, MiddleView(33, table="switch", piles=SWITCH[:1]), turn=last
        ),
        "draw": scat_view(count, play, usual, _known, turn=last),
        "discard": scat_view(
            count,
            play,
            MiddleView(30, cards("9H")[0], discards=cards("9H"), drawn="stock"),
            lambda n: {"cards": (*BACKS, None), "known": cards("KD")} if n == last else {},
            turn=last,
        ),
        "no-discard": scat_view(
            count, play, MiddleView(1, None, drawn="discard", discards=()), turn=0
        ),
        "last-turn": scat_view(count, play, knocked, turn=0),
        "widow": scat_view(
            count,
            play,
            MiddleView(
                30, cards("TD")[0], piles=WIDOW, table="widow", discards=cards("TD"), may_knock=True
            ),
            lambda n: {"match": PlayerMatchView(), "tokens": 3 - n},
            turn=0,
            match=MatchView(pot=6),
        ),
        "switch": scat_view(
            count,
            play,
            MiddleView(22, piles=SWITCH, table="switch", may_knock=True),
            _known,
            turn=last,
        ),
        "switch-go-on": scat_view(
            count, play, MiddleView(19, piles=SWITCH, table="switch", renewed=True), turn=0
        ),
        "switch-last": scat_view(
            count,
            play,
            MiddleView(
                2, piles=SWITCH, table="switch", knocker=last, may_stand=True, last_turns=(0,)
            ),
            turn=0,
        ),
        "bus": scat_view(
            count,
            play,
            MiddleView(0, piles=TABLE, table="bus", may_knock=True, may_stand=True),
            turn=0,
        ),
        "bus-stopper": scat_view(
            count, play, MiddleView(0, piles=TABLE, table="bus", stopper=last), turn=0
        ),
        "showdown": scat_view(
            count, Phase.SHOWDOWN, knocked, to_reveal=tuple(range(min(5, count)))
        ),
        "showdown-brag": scat_view(
            count,
            Phase.SHOWDOWN,
            MiddleView(0, piles=TABLE, table="bus", knocker=0),
            lambda n: _brag(n) if n != last else {},
            to_reveal=(last,),
        ),
        "restart": scat_view(
            count,
            Phase.RESTART,
            MiddleView(20, piles=SWITCH, table="switch", knocker=0, may_restart=(0, last)),
            _shown,
        ),
        "lost": scat_view(
            count, done, knocked, _shown, result=_result(count, "showdown", lost=((1, 2),))
        ),
        "lost-many": scat_view(
            count,
            done,
            knocked,
            _shown,
            result=_result(
                count,
                "showdown",
                lost=tuple((seat, 1 + (seat == 1)) for seat in range(min(5, count)) if seat != OUT),
                eliminated=(1,),
            ),
        ),
        "void": scat_view(
            count, done, knocked, _shown, result=_result(count, "showdown", void=True)
        ),
        "blitz": scat_view(
            count,
            done,
            usual,
            lambda n: _shown(n) | ({"status": SeatStatus.WINNER} if n == 0 else {}),
            result=_result(count, "blitz", 0, lost=tuple((n, 1) for n in range(1, count))),
        ),
        "drawn": scat_view(count, done, usual, _shown, result=_result(count, "draw")),
        "gate": scat_view(
            count, done, knocked, _shown, result=_result(count, "out-of-gate", lost=((0, 1),))
        ),
        "anew": scat_view(
            count, done, usual, _shown, result=_result(count, "restart", restarter=last)
        ),
        "walkover": scat_view(count, done, usual, result=_result(count, "walkover", 0)),
        "brag": scat_view(
            count,
            done,
            MiddleView(0, piles=TABLE, table="bus", knocker=0),
            _brag,
            result=_result(count, "showdown", lost=((1, 1),)),
        ),
        "points": scat_view(
            count,
            done,
            usual,
            _points,
            match=MatchView(),
            result=_result(
                count, "showdown", gained=tuple((n, (4, 2, 1)[n % 3]) for n in range(count))
            ),
        ),
        "pot": scat_view(
            count,
            done,
            usual,
            lambda n: _shown(0) | {"match": PlayerMatchView(), "tokens": n},
            result=taken,
        ),
        "match-over": scat_view(
            count,
            done,
            usual,
            _shown,
            match=pot,
            result=_result(count, "showdown", lost=((1, 1),), eliminated=(1,)),
        ),
    }
