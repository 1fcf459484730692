"""``boneace correct``: any hand of a sitting put right or made void, or an entry written.

Rules G-10 to G-13 and G-22. A running table holds the journal: its menu does the same.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from operator import itemgetter

from device.booth.summary import Change, change, player_names
from device.clock import SystemClock
from device.commands import common
from device.croupier.explain import explain
from device.croupier.lines import event_line
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.summary import charged
from device.usage import UsageError
from engine import Event, IllegalActionError, State
from engine.core.cards import Card
from engine.core.events import Correct, CorrectBone, Entry, Misdeal
from engine.core.outcome import Outcome
from engine.core.text.limits import escape_controls
from engine.games.base import Game
from engine.games.story import signed

VOID = "called afterwards"
"""Why a hand is void for which no reason is given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = (
        "Example: boneace correct 3 --card 9H 7H, or: "
        'boneace correct --entry Ann Bess 2 --reason "Bess paid Ann 2 by mistake"'
    )
    parser.add_argument(
        "hand", nargs="?", type=int, metavar="HAND", help="which hand of the sitting, from 1"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--card", nargs=2, metavar=("READ", "REAL"), help="a card that was read wrongly, such as 9H"
    )
    what.add_argument(
        "--bone",
        nargs=4,
        metavar=("NAME", "THROW", "BONE", "POINTS"),
        help="a bone that was read wrongly: whose, in which throw and at which place, from 1, and "
        "what it shows",
    )
    what.add_argument("--void", action="store_true", help="it was a misdeal: all goes back")
    what.add_argument(
        "--entry",
        nargs=3,
        action="append",
        metavar=("PAYER", "PAYEE", "TOKENS"),
        help="tokens change hands outside of any hand; may be given again",
    )
    parser.add_argument("--of", metavar="NAME", help="whose card; needed with two packs only")
    parser.add_argument("--reason", metavar="TEXT", help="what for; an entry needs one")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, no more")
    common.add_session(parser, "the last one")
    common.add_journal(parser)


def run(args: argparse.Namespace) -> int:
    """Put something right, and print what that changes."""
    with common.open_journal(args) as reader:  # a journal that is not there is not made
        record = common.find_session(reader, args.session)
    clock = SystemClock()
    with Journal(common.journal_path(args)) as journal:
        session = Session.resume(journal, clock, record)
        event = _event(args, session.state)
        entries = []
        try:
            found = change(session.state, event)
            if not args.dry_run:
                _write(session, event)
                while (entry := session.entry_due()) is not None:  # for a side wager (WL-7)
                    _write(session, entry)
                    entries.append(entry)
        except IllegalActionError as refusal:
            raise UsageError(str(explain(session.state, refusal))) from refusal
        names, game = player_names(session.state), session.state.setup.game
    for line in (*_told(found, game), *(_side_bet(entry, names) for entry in entries)):
        print(escape_controls(line))
    if args.dry_run:
        print("Nothing is written.")
    return 0


def _write(session: Session, event: Event) -> None:
    """Play *event*; a hand in play that was looked at goes on from its looks."""
    session.apply(event, looks=[event_line(event, 0.0)] if session.looks() else [])


def _side_bet(entry: Entry, names: Mapping[int, str]) -> str:
    (payer, _), (payee, tokens) = sorted(entry.tokens, key=itemgetter(1))
    return f"{entry.reason}: {names[payer]} pays {names[payee]} {tokens}."


def _event(args: argparse.Namespace, state: State) -> Correct | CorrectBone | Misdeal | Entry:
    """Return what *args* ask for.

    Raises:
        UsageError: they do not go together, or name nobody.
        CardFormatError: a card that is none.
    """
    if args.of is not None and not args.card:
        raise UsageError("--of: names whose card it is; use it with --card")
    if args.entry:
        return _entry(args, state)
    if args.hand is None:
        raise UsageError("HAND: which hand? Give its number, from 1: boneace ledger lists them")
    number = None if args.hand == state.hand_number else args.hand
    names = _names(state, args.hand)
    if args.card:
        seat = None if args.of is None else _seat(names, args.of, "--of")
        read, real = map(Card.parse, args.card)
        return Correct(read, real, seat, number)
    if args.bone:
        seat = _seat(names, args.bone[0], "--bone")
        if not all(common.is_number(word) for word in args.bone[1:]):
            raise UsageError(
                f"--bone: {' '.join(args.bone)!r} needs three numbers after the name; try "
                f"--bone {args.bone[0]} 1 2 6"
            )
        throw, place, points = map(int, args.bone[1:])
        return CorrectBone(seat, throw - 1, place - 1, points, number)
    return Misdeal(args.reason or VOID, number)


def _entry(args: argparse.Namespace, state: State) -> Entry:
    if args.hand is not None:
        raise UsageError("HAND: an entry stands outside of any hand; leave the number out")
    if not args.reason:
        raise UsageError('--entry: say what for: --reason "Bess paid Ann 2 by mistake"')
    names, nets = player_names(state), Counter[int]()
    for payer, payee, tokens in args.entry:
        if not common.is_number(tokens) or not int(tokens):
            raise UsageError(f"--entry: {tokens!r} is no number of tokens; write 1, 2, 3…")
        nets[_seat(names, payer, "--entry")] -= int(tokens)
        nets[_seat(names, payee, "--entry")] += int(tokens)
    return Entry(tuple((seat, net) for seat, net in sorted(nets.items()) if net), args.reason)


def _names(state: State, number: int) -> Mapping[int, str]:
    """Return who played hand *number*; where there is none, who sits at the table."""
    past = [past.hand for past in state.book.played]
    hand = past[number - 1] if 0 < number <= len(past) else state.round
    return {player.seat: player.name for player in hand.players}


def _seat(names: Mapping[int, str], name: str, argument: str) -> int:
    for seat, known in names.items():
        if known == name:
            return seat
    raise UsageError(f"{argument}: nobody is called {name!r}; choose one of {_listed(names)}")


def _listed(names: Mapping[int, str]) -> str:
    return ", ".join(names.values())


def _told(found: Change, game: Game) -> list[str]:
    """Return the hand before and after, and who pays whom for it."""
    lines = []
    for ended, word in ((found.before, "before"), (found.after, "now")):
        if found.number is not None:
            lines.append(f"Hand {found.number} {word}: {_paid(found, ended, game)}")
    for each in found.due:
        payer, payee = each.payer or "the pot", each.payee or "the pot"
        lines.append(f"{payer} pays {payee} {each.tokens}.")
    return lines if found.due else [*lines, "Nobody owes anybody anything for it."]


def _paid(found: Change, ended: Outcome | None, game: Game) -> str:
    """Return what a hand did to each player: tokens, or where none moved lives or points."""
    if ended is None:
        return "not over yet"
    nets, unit = dict(ended.settlement), ""
    if not any(nets.values()):
        unit, charges = charged(game, ended)
        nets |= dict(charges)
    told = (f"{found.names[seat]} {signed(net)}" for seat, net in nets.items())
    return ", ".join((str(ended.end), *((unit,) if unit else ()), *told))
