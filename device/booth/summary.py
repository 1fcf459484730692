"""The evening so far, for screens and exports: the ledger, figures, and a picture to keep.

Everything here is computed from the state of the session, so an undo or a correction changes it
as it changes the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.clock import local
from display.drawing.canvas import signed
from display.pages.evening import Column, Figure, LedgerPage, Row, SharePage, StatisticsPage
from engine import State
from engine.core.counting import GOAL
from engine.core.messages.message import Joined, Listing, Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.outcome import End, Outcome
from engine.core.settle_up import Payment, settle_up
from engine.games import catalog

END_WORDS: Mapping[End, Message] = {
    # Translators: how a hand ended, in one or two words, for a narrow column.
    End.THIRTY_ONE: Message("31"),
    End.DEALER_WINS: Message("dealer wins"),
    End.SOLE_SURVIVOR: Message("last one in"),
    End.SHOWDOWN: Message("showdown"),
    End.ALL_OUT: Message("all out"),
    End.COMPARED: Message("against the bank"),
    End.ALL_BUST: Message("all over"),
    End.MISDEAL: Message("misdeal"),
    End.BLITZ: Message("31"),
    End.OUT_OF_GATE: Message("knock at once"),
    End.DRAW: Message("draw"),
    End.RESTART: Message("begun anew"),
    End.WALKOVER: Message("all left"),
}


POT = ""
"""Stands among names for the tokens that a hand left on the table (rule BK-8)."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The evening in figures; misdeals do not count.

    Attributes:
        hands: finished hands.
        over: how often a player went over.
        exact: hands of exactly the goal that were shown.
        biggest: the most tokens won in one hand, ``(tokens, seat, hand)``; ``None`` without any.
        luckiest: who won the most hands, alone or shared, ``(hands, seats)``.
        run: the most hands won in a row, ``(hands, seat)``.
        misdeals: hands that were void.
    """

    hands: int = 0
    over: int = 0
    exact: int = 0
    biggest: tuple[int, int, int] | None = None
    luckiest: tuple[int, tuple[int, ...]] | None = None
    run: tuple[int, int] | None = None
    misdeals: int = 0


def statistics(hands: Sequence[Outcome], goal: int = GOAL) -> Statistics:
    """Count the evening's *hands*, in order; *goal* is the total all come near to."""
    won: Counter[int] = Counter()
    over = exact = played = misdeals = 0
    biggest: tuple[int, int, int] | None = None
    runs: dict[int, int] = {}
    run: tuple[int, int] | None = None
    for number, hand in enumerate(hands, 1):
        if hand.end is End.MISDEAL:
            misdeals += 1
            continue
        played += 1
        over += len(hand.out)
        exact += sum(total == goal for _seat, total in hand.totals)
        won.update(hand.winners)
        runs = {seat: runs.get(seat, 0) + 1 for seat in hand.winners}
        for seat, length in runs.items():
            if run is None or length > run[0]:
                run = (length, seat)
        for seat, net in hand.settlement:
            if net > 0 and (biggest is None or net > biggest[0]):
                biggest = (net, seat, number)
    luckiest = None
    if won:
        most = max(won.values())
        luckiest = (most, tuple(sorted(seat for seat, times in won.items() if times == most)))
    return Statistics(played, over, exact, biggest, luckiest, run, misdeals)


def player_names(state: State) -> dict[int, str]:
    """Return the names by seat; of several at one seat the last."""
    everybody = {player.seat: player.name for player in state.setup.players}
    everybody.update((player.seat, player.name) for player in state.round.players)
    everybody.update((player.seat, player.name) for player in state.players)
    return dict(sorted(everybody.items()))


def ledger_page(state: State, hints: tuple[KeyHint, ...], focus: int = 0) -> LedgerPage:
    """Return the ledger, the last hand first."""
    people, paid = player_names(state), state.ledger
    seats = list(people)
    rows = []
    for number, hand in enumerate(state.hands, 1):
        nets = dict(hand.settlement)
        winners = tuple(seats.index(seat) for seat in hand.winners if seat in people)
        paid_to = tuple(nets.get(seat) for seat in seats)
        rows.append(Row(number, END_WORDS[hand.end], paid_to, winners))
        for noted in state.book.entries:
            if noted.hand == number:
                moved = dict(noted.entry.tokens)
                nets_moved = tuple(moved.get(seat) for seat in seats)
                rows.append(Row(None, noted.entry.reason, nets_moved))
    return LedgerPage(
        title=Message("The ledger"),
        note=_game_and_hands(state),
        hints=hints,
        focus=focus,
        columns=tuple(Column(name, paid.of(seat)) for seat, name in people.items()),
        rows=tuple(reversed(rows)),
        empty=Message("No hand has been finished yet."),
    )


def payments(state: State) -> tuple[Payment, ...]:
    """Return the fewest payments that square the evening; those to or from the pot by that name."""
    people, paid = player_names(state), state.ledger
    nets: Counter[str] = Counter()
    for seat, name in people.items():
        nets[name] += paid.of(seat)
    left = -sum(nets.values())
    if left:
        nets[POT] += left
    return settle_up(nets)


def statistics_page(state: State, hints: tuple[KeyHint, ...]) -> StatisticsPage:
    """Return the evening in figures."""
    return StatisticsPage(
        title=Message("The evening in figures"),
        note=_game_and_hands(state),
        hints=hints,
        figures=_figures(state),
    )


def share_page(state: State, wall_s: float) -> SharePage:
    """Return the picture to keep; *wall_s* dates it."""
    people, paid = player_names(state), state.ledger
    columns = sorted(
        (Column(name, paid.of(seat)) for seat, name in people.items()),
        key=lambda column: -column.tokens,
    )
    best = tuple(column.name for column in columns if column.tokens == columns[0].tokens > 0)
    if not best:
        headline = Message("Nobody is ahead")
    elif len(best) == 1:
        headline = Message("{name} wins the evening", name=best[0])
    else:
        headline = Message("{names} share the evening", names=Listing(best))
    return SharePage(
        title=Message(state.setup.game.title),
        note=Joined((local(wall_s, "%Y-%m-%d"), _hands(state)), " · "),
        headline=headline,
        columns=tuple(columns),
        figures=_figures(state)[:4],
        foot=Message("Dealt with real cards; the table read them and kept the score."),
    )


def _game_and_hands(state: State) -> Value:
    title = Message(catalog.find(state.setup.game.name).title)
    preset = state.setup.preset.replace("-", " ").title()
    return Joined((title, preset, _hands(state)), " · ")


def _hands(state: State) -> Message:
    played = statistics(state.hands).hands
    return Message("{n} hand", "{n} hands", played, n=played)


def _figures(state: State) -> tuple[Figure, ...]:
    goal = state.setup.game.goal(state.setup.options)
    told, people = statistics(state.hands, goal), player_names(state)

    def name(seat: int) -> str:
        return people.get(seat, str(seat + 1))

    figures = [
        Figure(Message("Hands"), str(told.hands)),
        Figure(Message("Went over"), str(told.over)),
        Figure(Message("Exactly {n}", n=goal), str(told.exact)),
    ]
    if told.biggest is not None:
        tokens, seat, hand = told.biggest
        detail = Message("{name}, hand {n}", name=name(seat), n=hand)
        figures.append(Figure(Message("Biggest win"), signed(tokens), detail))
    else:
        figures.append(Figure(Message("Biggest win"), "0"))
    if told.luckiest is not None:
        won, seats = told.luckiest
        lucky = ", ".join(str(seat + 1) for seat in seats)
        who = Listing(tuple(name(seat) for seat in seats))
        label = Message("Luckiest seat") if len(seats) == 1 else Message("Luckiest seats")
        figures.append(Figure(label, lucky, Message("{names}: {n} won", names=who, n=won)))
    if told.run is not None:
        figures.append(Figure(Message("Won in a row"), str(told.run[0]), name(told.run[1])))
    return tuple(figures)
