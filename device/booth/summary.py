"""The evening so far, for screens and exports: the ledger, figures, and a picture to keep.

Everything here is computed from the state of the session, so an undo or a correction changes it
as it changes the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from device.booth.presets import preset_title
from device.clock import local
from device.storage.journal.summary import WagerLine, charged, wager_lines
from device.storage.journal.wagers import PlacedWager, wager_number
from display.drawing.canvas import signed
from display.i18n.money import TokenValue
from display.pages.base import labelled
from display.pages.evening import Column, Figure, LedgerPage, Row, SharePage, StatisticsPage
from engine import State, apply
from engine.core.counting import GOAL
from engine.core.events import Correct, CorrectBone, Entry, Misdeal
from engine.core.messages.message import Joined, Listing, Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import count
from engine.core.outcome import End, Outcome
from engine.core.settle_up import Payment, settle_up
from engine.core.tokens import Ledger
from engine.games import catalog
from engine.table.wagers import Verdict

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
    End.RESTART: Message("started again"),
    End.WALKOVER: Message("all left"),
}

CHARGED: Mapping[str, Message] = {"lives": Message("lives"), "points": Message("points")}

POT = ""
"""Stands among names for the tokens that a hand left on the table (rule BK-8)."""

THE_POT = Message("the pot")

MOST_TOLD = 2
"""More payments than this are counted, not told in a sentence; the rows have each."""


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
    hands = (*(past.hand for past in state.book.played), state.round)
    everybody = {player.seat: player.name for hand in hands for player in hand.players}
    everybody.update((player.seat, player.name) for player in state.players)
    return dict(sorted(everybody.items()))


def ledger_page(
    state: State,
    hints: tuple[KeyHint, ...],
    focus: int = 0,
    worth: TokenValue | None = None,
    placed: Sequence[PlacedWager] = (),
) -> LedgerPage:
    """Return the ledger, the last hand first, then the side bets under a heading of their own.

    Args:
        state: of the sitting.
        hints: what the keys do.
        focus: which row is marked.
        worth: the value of a token in money.
        placed: the side wagers of the sitting.
    """
    people, paid = player_names(state), state.ledger
    seats = list(people)
    rows: list[Row] = []
    bets: list[Row] = []

    def moved(entry: Entry, words: Value) -> Row:
        nets = dict(entry.tokens)
        return Row(None, words, tuple(nets.get(seat) for seat in seats), note=entry.reason)

    for number, hand in enumerate(state.hands, 1):
        nets: dict[int, int] = dict(hand.settlement)
        words: Value = END_WORDS[hand.end]
        unit, charges = charged(state.setup.game, hand)
        if charges and not any(nets.values()):
            nets = dict.fromkeys(nets, 0) | dict(charges)
            words = Joined((words, CHARGED[unit]), ", ")
        winners = tuple(seats.index(seat) for seat in hand.winners if seat in people)
        paid_to = tuple(nets.get(seat) for seat in seats)
        rows.append(Row(number, words, paid_to, winners))
        for noted in state.book.entries:
            if noted.hand == number:
                bet = wager_number(placed, noted.entry)
                if bet is None:
                    rows.append(moved(noted.entry, noted.entry.reason))
                else:
                    bets.append(moved(noted.entry, Message("Side bet {n}", n=bet)))
    rows.reverse()
    rows += _bet_rows(state, people, bets, placed)
    return LedgerPage(
        title=Message("The ledger"),
        note=_game_and_hands(state),
        hints=hints,
        focus=focus,
        columns=tuple(_column(name, paid.of(seat), worth) for seat, name in people.items()),
        rows=tuple(rows),
        empty=Message("No hand has been finished yet."),
    )


def pair(line: WagerLine) -> Value:
    """Return who bets with whom, and how much."""
    names = Message("{name} with {other}", name=line.bettor[1], other=line.other[1])
    return Joined((names, str(line.tokens)), ", ")


def _bet_rows(
    state: State, people: Mapping[int, str], paid: list[Row], placed: Sequence[PlacedWager]
) -> list[Row]:
    """Return what was *paid* for side bets, the last first, and those that are still open."""
    nobody = (None,) * len(people)
    waiting = [
        Row(None, Joined((line.reason, pair(line), Message("open")), ", "), nobody)
        for line in wager_lines(state, people, placed)
        if line.verdict is Verdict.OPEN
    ]
    found = [*reversed(waiting), *reversed(paid)]
    return [Row(None, Message("Side bets"), nobody, heading=True), *found] if found else []


def _column(name: str, tokens: int, worth: TokenValue | None) -> Column:
    return Column(name, tokens, "" if worth is None else worth.of(tokens, signed=True))


def won_by_name(state: State) -> Counter[str]:
    """Return the tokens that each person won or lost, whoever sat there later; they sum to zero.

    Those that a hand left on the table (rule BK-8) are the pot's, by that name.
    """
    found: Counter[str] = Counter()
    hands = [past.hand for past in state.book.played]
    for hand, ended in zip((*hands, state.round), state.hands, strict=False):
        names = {player.seat: player.name for player in hand.players}
        for seat, net in ended.settlement:
            found[names[seat]] += net
    for noted in state.book.entries:
        names = dict(noted.names)
        for seat, net in noted.entry.tokens:
            found[names[seat]] += net
    if state.outcome is not None and state.round.standing.over:
        names = player_names(state)
        for seat, net in state.round.standing.settlement:
            found[names[seat]] += net
    found[POT] -= found.total()
    return found


def won_by_bets(state: State, placed: Sequence[PlacedWager]) -> Counter[str]:
    """Return the tokens that each person won or lost by side bets; they sum to zero."""
    found: Counter[str] = Counter()
    for noted in state.book.entries:
        if wager_number(placed, noted.entry) is not None:
            names = dict(noted.names)
            for seat, net in noted.entry.tokens:
                found[names[seat]] += net
    return found


def payments(state: State) -> tuple[Payment, ...]:
    """Return the fewest payments that square the evening; those to or from the pot by that name."""
    return settle_up(won_by_name(state))


@dataclass(frozen=True, slots=True)
class Change:
    """What an event that puts something right does to the ledger.

    Attributes:
        number: of the hand that it is about; ``None`` for an entry.
        before, after: that hand; ``None`` for an entry, and before its end.
        names: of who played it, by seat; for an entry of everybody.
        due: the fewest payments that make good what has changed.
        ledger: as it is then.
    """

    number: int | None
    before: Outcome | None
    after: Outcome | None
    names: Mapping[int, str]
    due: tuple[Payment, ...]
    ledger: Ledger


def change(state: State, event: Correct | CorrectBone | Misdeal | Entry) -> Change:
    """Return what *event* would change in *state*.

    Raises:
        IllegalActionError: the rules refuse it.
    """
    after = apply(state, event)
    moved = won_by_name(after)
    moved.subtract(won_by_name(state))
    due = settle_up(moved)
    if isinstance(event, Entry):
        return Change(None, None, None, player_names(after), due, after.ledger)
    number = state.hand_number if event.hand is None else event.hand
    hands = [*(past.hand for past in after.book.played), after.round]
    names = {player.seat: player.name for player in hands[number - 1].players}
    ended = [*state.past, state.outcome][number - 1], [*after.past, after.outcome][number - 1]
    return Change(number, *ended, names, due, after.ledger)


def change_page(found: Change, state: State, hints: tuple[KeyHint, ...]) -> LedgerPage:
    """Return what would change in *state*: the hand before and after, and who pays whom for it."""
    people, seats = found.names, list(found.names)

    def row(number: int | None, words: Value, nets: Mapping[int, int]) -> Row:
        return Row(number, words, tuple(nets.get(seat) for seat in seats))

    rows = []
    for ended, words in ((found.before, Message("before")), (found.after, Message("now"))):
        if ended is not None:
            winners = tuple(place for place, seat in enumerate(seats) if seat in ended.winners)
            rows.append(replace(row(found.number, words, dict(ended.settlement)), winners=winners))
            unit, nets = charged(state.setup.game, ended)
            rows += [row(None, CHARGED[unit], dict(nets))] if nets else []
    # Translators: before what each player pays or gets, in a narrow column.
    to_pay = Message("to pay")
    for each in found.due:
        paid = {each.payer: -each.tokens, each.payee: each.tokens}
        rows.append(Row(None, to_pay, tuple(paid.get(name) for name in people.values())))
    entry = found.number is None
    return LedgerPage(
        title=Message("A new entry") if entry else Message("Hand {n}", n=found.number or 0),
        note=_due_words(found.due),
        hints=hints,
        columns=tuple(Column(name, found.ledger.of(seat)) for seat, name in people.items()),
        rows=tuple(rows),
    )


def _due_words(due: Sequence[Payment]) -> Value:
    """Return who pays whom to make good what has changed."""
    if not due:
        return Message("Nobody owes anybody anything for it.")
    told = [
        Message(
            "{payer} pays {tokens} to {payee}.",
            payer=each.payer or THE_POT,
            payee=each.payee or THE_POT,
            tokens=count(each.tokens, "token"),
        )
        for each in due[:MOST_TOLD]
    ]
    if len(due) > MOST_TOLD:
        return Message("{n} payments make it good.", n=len(due))
    return Joined(tuple(told))


def _bets_told(state: State, placed: Sequence[PlacedWager]) -> Value:
    """Return what side bets have moved: "Ann +2, Bess -2"; nothing where nothing has."""
    won = sorted(won_by_bets(state, placed).items(), key=lambda each: -each[1])
    return ", ".join(f"{name} {signed(tokens)}" for name, tokens in won if tokens)


def statistics_page(
    state: State, hints: tuple[KeyHint, ...], placed: Sequence[PlacedWager] = ()
) -> StatisticsPage:
    """Return the evening in figures; *placed* are its side wagers."""
    bets: tuple[Figure, ...] = ()
    if placed:
        bets = (Figure(Message("Side bets"), str(len(placed)), _bets_told(state, placed)),)
    return StatisticsPage(
        title=Message("The evening in figures"),
        note=_game_and_hands(state),
        hints=hints,
        figures=(*_figures(state), *bets),
    )


def share_page(
    state: State,
    wall_s: float,
    worth: TokenValue | None = None,
    placed: Sequence[PlacedWager] = (),
) -> SharePage:
    """Return the picture to keep.

    Args:
        state: of the sitting.
        wall_s: dates it, in seconds since 1970.
        worth: the value of a token in money.
        placed: the side wagers of the sitting.
    """
    people, paid = player_names(state), state.ledger
    columns = sorted(
        (_column(name, paid.of(seat), worth) for seat, name in people.items()),
        key=lambda column: -column.tokens,
    )
    best = tuple(column.name for column in columns if column.tokens == columns[0].tokens > 0)
    bets = _bets_told(state, placed)
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
        aside=labelled(Message("Side bets"), bets) if bets else "",
        foot=Message("Dealt with real cards; the table read them and kept the score."),
    )


def _game_and_hands(state: State) -> Value:
    title = Message(catalog.find(state.setup.game.name).title)
    preset = preset_title(state.setup.preset)
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
