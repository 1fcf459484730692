"""The evening so far, for screens and exports: the ledger, figures, and a picture to keep.

Everything here is computed from the state of the session, so an undo or a correction changes it
as it changes the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.clock import local
from display.controls import KeyHint
from display.drawing.canvas import signed
from display.i18n.translate import N_, _, names, plural
from display.pages.ledger import Column, LedgerPage, Row
from display.pages.statistics import Figure, StatisticsPage
from display.pages.summary import SharePage
from engine import State
from engine.core.counting import GOAL
from engine.core.outcome import End, Outcome
from engine.games import catalog

END_WORDS: Mapping[End, str] = {
    # Translators: how a hand ended, in one or two words, for a narrow column.
    End.THIRTY_ONE: N_("31"),
    End.DEALER_WINS: N_("dealer wins"),
    End.SOLE_SURVIVOR: N_("last one in"),
    End.SHOWDOWN: N_("showdown"),
    End.ALL_OUT: N_("all out"),
    End.COMPARED: N_("against the bank"),
    End.ALL_BUST: N_("all over"),
    End.MISDEAL: N_("misdeal"),
    End.BLITZ: N_("31"),
    End.OUT_OF_GATE: N_("knock at once"),
    End.DRAW: N_("draw"),
    End.RESTART: N_("begun anew"),
    End.WALKOVER: N_("all left"),
}


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
        end = _(END_WORDS[hand.end])
        rows.append(Row(number, end, tuple(nets.get(seat) for seat in seats), winners))
    return LedgerPage(
        title=_("The ledger"),
        note=_game_and_hands(state),
        hints=hints,
        focus=focus,
        columns=tuple(Column(name, paid.of(seat)) for seat, name in people.items()),
        rows=tuple(reversed(rows)),
        empty=_("No hand has been finished yet."),
    )


def statistics_page(state: State, hints: tuple[KeyHint, ...]) -> StatisticsPage:
    """Return the evening in figures."""
    return StatisticsPage(
        title=_("The evening in figures"),
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
    best = [column.name for column in columns if column.tokens == columns[0].tokens > 0]
    if not best:
        headline = _("Nobody is ahead")
    elif len(best) == 1:
        headline = _("{name} wins the evening").format(name=best[0])
    else:
        headline = _("{names} share the evening").format(names=names(best))
    date = local(wall_s, "%Y-%m-%d")
    return SharePage(
        title=_(state.setup.game.title),
        note=f"{date} · {_hands(state)}",
        headline=headline,
        columns=tuple(columns),
        figures=_figures(state)[:4],
        foot=_("Dealt with real cards; the table read them and kept the score."),
    )


def _game_and_hands(state: State) -> str:
    title = _(catalog.find(state.setup.game.name).title)
    preset = state.setup.preset.replace("-", " ").title()
    return f"{title} · {preset} · {_hands(state)}"


def _hands(state: State) -> str:
    played = statistics(state.hands).hands
    return plural("{n} hand", "{n} hands", played).format(n=played)


def _figures(state: State) -> tuple[Figure, ...]:
    goal = state.setup.game.goal(state.setup.options)
    told, people = statistics(state.hands, goal), player_names(state)

    def name(seat: int) -> str:
        return people.get(seat, str(seat + 1))

    figures = [
        Figure(_("Hands"), str(told.hands)),
        Figure(_("Went over"), str(told.over)),
        Figure(_("Exactly {n}").format(n=goal), str(told.exact)),
    ]
    if told.biggest is not None:
        tokens, seat, hand = told.biggest
        detail = _("{name}, hand {n}").format(name=name(seat), n=hand)
        figures.append(Figure(_("Biggest win"), signed(tokens), detail))
    else:
        figures.append(Figure(_("Biggest win"), "0"))
    if told.luckiest is not None:
        won, seats = told.luckiest
        lucky = ", ".join(str(seat + 1) for seat in seats)
        who = names([name(seat) for seat in seats])
        label = _("Luckiest seat") if len(seats) == 1 else _("Luckiest seats")
        figures.append(Figure(label, lucky, _("{names}: {n} won").format(names=who, n=won)))
    if told.run is not None:
        figures.append(Figure(_("Won in a row"), str(told.run[0]), name(told.run[1])))
    return tuple(figures)
