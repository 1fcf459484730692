"""``boneace ledger``: who won what, and with ``--audit`` every payment, its cause and its rule."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from device.booth.summary import share_page, statistics
from device.clock import local, utc
from device.commands import common
from device.data_out import write_csv, write_json
from device.files import check_regular
from device.reports import audit_tables
from device.reports.audit import Audit, AuditError, Person, audit
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import for_each_session, opening, play_session
from device.storage.journal.summary import Names, Summary, from_text, summarise
from device.storage.journal.wagers import wagers_of
from device.storage.record_files import RecordFileError, examine
from display.i18n.languages import ENGLISH
from display.i18n.money import TokenValue, token_value_in, written
from display.pages.renderer import save_page
from engine.core.errors import BoneAceError
from engine.core.settle_up import settle_up
from engine.core.text.limits import escape_controls
from engine.games.story import signed
from engine.table.wagers import Verdict

MATCH = "match"
"""Stands for the hand and its end where the pot of a match is won."""

ENTRY = "entry"
"""Stands for the hand where tokens changed hands outside of any; its end is the reason (G-22)."""

WAGER = "wager"
"""The same where a side wager was settled (WL-7)."""

PUT_RIGHT = "*"
"""Marks a hand that was put right after the next one had begun (rule G-12)."""

HEADINGS = {ENTRY: "entries", WAGER: "side bets"}

MONEY = ("net_money", "total_money", "currency")
TOKENS = ("sitting", "date", "game", "preset", "hand", "end", "seat", "name", "net", "total")
COLUMNS = (*TOKENS, *MONEY)
"""Of the CSV: what one hand did to one player; the money is empty where none is played for."""

NOTHING_OWED = "Nobody owes anybody anything."

EVENING_S = 12 * 3600.0
"""Sittings that began so near to the last one are of the same evening."""

POT = "the pot"
"""Whom people settle with for tokens that a hand left on the table (rule BK-8)."""

Row = dict[str, Any]
"""A line under :data:`COLUMNS`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace ledger --csv > tokens.csv, or: boneace ledger --settle"
    parser.add_argument(
        "records", nargs="*", type=Path, metavar="FILE.json", help="game records, with --audit"
    )
    parser.add_argument(
        "--audit",
        action="store_true",
        help="every payment: from whom, to whom, why, by which rule, and the running totals; "
        "exit 1 if anything does not add up",
    )
    parser.add_argument(
        "--settle",
        action="store_true",
        help="settle up: the fewest payments that square the last evening, or --sitting",
    )
    common.add_session(parser, "all of them")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="one line a hand and player, as CSV")
    form.add_argument("--json", action="store_true", help="sittings, hands and figures, as JSON")
    form.add_argument(
        "--picture", type=Path, metavar="PNG", help="the last sitting as a picture to share"
    )
    common.add_unsealed(parser)
    common.add_journal(parser)


def run(args: argparse.Namespace) -> int:
    """Print the ledger; return 1 when a session is left out or does not add up."""
    if args.records:
        if not args.audit:
            raise RecordFileError(
                f"{args.records[0]}: the tokens of a record are followed one by one; add --audit"
            )
        return _write_audit(args, [_of_record(path, args.unsealed) for path in args.records])
    with common.open_journal(args) as journal:
        sessions = journal.sittings()
        if args.session is not None:
            sessions = (common.find_session(journal, args.session),)
        if args.audit or args.picture is not None:
            followed = list(for_each_session(journal, sessions, follow, _left_out))
            status = 0 if len(followed) == len(sessions) and not journal.damage else 1
            if args.picture is not None and not args.audit:
                return _picture(journal, followed, args.picture)
            audits = [(_about(session), found) for session, found in followed]
            return _write_audit(args, audits) or status
        if args.settle and args.session is None:
            sessions = _last_evening(sessions)
        summed = list(for_each_session(journal, sessions, summary_of, _left_out))
        status = 0 if len(summed) == len(sessions) and not journal.damage else 1
        nothing = _nothing(journal)
        owed = f"Nothing that is owed {common.UNREADABLE}." if journal.damage else NOTHING_OWED
    if args.settle:
        _write_settled(args, summed, owed)
        return status
    if args.json:
        write_json({"sittings": [_document(found, session) for session, found in summed]})
        return status
    tables = [(_rows(found, session), found) for session, found in summed]
    if args.csv:
        write_csv(COLUMNS, chain.from_iterable(rows for rows, _ in tables))
    else:
        print(*_page([table for table in tables if table[0]], nothing), sep="\n")
    return status


def _last_evening(sessions: tuple[SessionRecord, ...]) -> tuple[SessionRecord, ...]:
    """Return the last sitting, and those that began less than :data:`EVENING_S` before it."""
    return tuple(s for s in sessions if s.started > sessions[-1].started - EVENING_S)


def _nothing(journal: JournalReader) -> str:
    """Return what is said where no finished hand was found."""
    if journal.damage:
        return f"No finished hand {common.UNREADABLE}."
    return "No hand has been finished yet."


def _write_settled(
    args: argparse.Namespace, summed: Sequence[tuple[SessionRecord, Summary]], nothing: str
) -> None:
    """Print who pays whom, so that nobody of these sittings owes anybody anything.

    *nothing* is said where nobody has to pay.
    """
    # Tokens of another value are other tokens: each kind is settled by itself.
    nets: dict[TokenValue | None, Counter[str]] = defaultdict(Counter)
    for session, found in summed:
        for row in _rows(found, session):
            nets[token_value_in(session.settings)][row["name"]] += row["net"]
    payments = []
    for worth, won in nets.items():
        won[POT] -= won.total()
        for payment in settle_up(won):
            money = None if worth is None else worth.of(payment.tokens)
            told = {} if money is None else {"money": money.plain, "currency": money.currency}
            payments.append((asdict(payment) | told, money))
    if args.json:
        write_json({"payments": [each for each, _ in payments]})
    elif args.csv:
        empty = {"money": "", "currency": ""}
        columns = ("payer", "payee", "tokens", *empty)
        write_csv(columns, [empty | each for each, _ in payments])
    elif not payments:
        print(nothing)
    for each, money in payments if not args.json and not args.csv else ():
        worth_told = "" if money is None else f" ({written(money, ENGLISH)})"
        who = f"{each['payer']} pays {each['payee']}"
        print(escape_controls(f"{who}: {each['tokens']}{worth_told}"))
    for found in (found for _, found in summed if found.pot and not args.json and not args.csv):
        print(_goes_on(found.pot))


def _left_out(session: SessionRecord, problem: BoneAceError) -> None:
    common.complain(f"boneace ledger: left out: {problem}")


def follow(journal: JournalReader, session: SessionRecord) -> Audit:
    """Return the audit of *session*, up to its first event that cannot be used.

    Raises:
        BoneAceError: not even its first state can be made.
    """
    played = play_session(journal, session)
    found = audit(opening(session), [(round(at_s, 3), event) for at_s, event in played.events])
    found.whole = played.whole
    return found


def summary_of(journal: JournalReader, session: SessionRecord) -> Summary:
    """Return the summary of *session*: the one that was kept when it was closed, if that is sound.

    Raises:
        BoneAceError: not even its first state can be made.
    """
    kept = journal.summary(session.number) if session.closed is not None else None
    if kept is not None:
        journal.stored(session.number)  # so it is told where an event was changed since
        with contextlib.suppress(ValueError):
            return from_text(kept)
    played = play_session(journal, session)
    return summarise(played.state, played.people, wagers_of(journal, session.number))


def _rows(found: Summary, session: SessionRecord) -> list[Row]:
    """Return a row for each player in each finished hand of *session*.

    An entry adds a row for each player that it names, after the hand that it follows. A match that
    is over adds a row for each of its players: the pot goes from them to the winner.
    """
    about = {**_about(session), "date": local(session.started, "%Y-%m-%d %H:%M")}
    worth = token_value_in(session.settings)
    totals: Counter[Person] = Counter()
    everybody: dict[int, str] = {}
    rows: list[Row] = []

    def add(hand: int | str, end: str, people: Names, nets: Iterable[tuple[int, int]]) -> None:
        line = rows[-1]["line"] + 1 if rows else 0
        for seat, net in nets:
            person = (seat, people[seat])
            totals[person] += net
            ended = {"hand": hand, "end": end, "seat": seat, "name": people[seat], "line": line}
            sums = {"net": net, "total": totals[person]}
            rows.append({**about, **ended, **sums, **_in_money(worth, net, totals[person])})

    for number, (hand, people) in enumerate(zip(found.hands, found.people, strict=True), 1):
        everybody.update(people)
        add(number, str(hand.end), people, hand.settlement)
        for entry in found.entries:
            if entry.hand == number:
                names = {seat: name for seat, name, _ in entry.tokens}
                kind = ENTRY if entry.wager is None else WAGER
                add(kind, entry.reason, names, [(seat, net) for seat, _, net in entry.tokens])
    if found.match is not None:
        add(MATCH, "won" if found.winner is not None else "shared", everybody, found.match)
    return rows


def _in_money(worth: TokenValue | None, net: int, total: int) -> Row:
    if worth is None:
        return dict.fromkeys(MONEY, "")
    # Numbers, and no text: a minus before text would be taken for a formula.
    sums = (Decimal(worth.of(each).plain) for each in (net, total))
    return dict(zip(MONEY, (*sums, worth.currency), strict=True))


def _document(found: Summary, session: SessionRecord) -> dict[str, Any]:
    """Return a session as JSON data: who played, what each hand brought, and its figures."""
    rows, goal, worth = _rows(found, session), found.goal, token_value_in(session.settings)
    totals = {(row["seat"], row["name"]): row["total"] for row in rows}
    for seat, name in found.names.items():
        totals.setdefault((seat, name), 0)
    figures = statistics(found.hands, goal)
    hands = [
        {
            "hand": number,
            "end": str(hand.end),
            "dealer": hand.dealer,
            "winners": list(hand.winners),
            "put_right": number in found.put_right,
            "tokens": [
                {name: row[name] for name in ("seat", "name", "net", "total")}
                for row in rows
                if row["hand"] == number
            ],
        }
        for number, hand in enumerate(found.hands, 1)
    ]
    return {
        "sitting": session.number,
        "started": utc(session.started),
        "closed": None if session.closed is None else utc(session.closed),
        "game": session.game,
        "preset": session.preset,
        "options": dict(session.options),
        "token_value": None
        if worth is None
        else {"money": worth.of(1).plain, "currency": worth.currency},
        "players": [
            {"seat": seat, "name": name, "tokens": total}
            | ({} if worth is None else {"money": worth.of(total).plain})
            for (seat, name), total in sorted(totals.items())
        ],
        "hands": hands,
        "entries": [
            {
                "after_hand": entry.hand,
                "reason": entry.reason,
                "wager": entry.wager,
                "tokens": [
                    {"seat": seat, "name": name, "net": net} for seat, name, net in entry.tokens
                ],
            }
            for entry in found.entries
        ],
        "wagers": [
            {
                "number": each.number,
                "bet": each.reason,
                "bettor": dict(zip(("seat", "name"), each.bettor, strict=True)),
                "other": dict(zip(("seat", "name"), each.other, strict=True)),
                "tokens": each.tokens,
                "verdict": str(each.verdict),
            }
            for each in found.wagers
        ],
        "statistics": {
            "hands": figures.hands,
            "misdeals": figures.misdeals,
            "over": figures.over,
            "exact": figures.exact,
            "goal": goal,
            "biggest_win": None
            if figures.biggest is None
            else dict(zip(("tokens", "seat", "hand"), figures.biggest, strict=True)),
            "luckiest_seats": [] if figures.luckiest is None else list(figures.luckiest[1]),
            "most_hands_won": 0 if figures.luckiest is None else figures.luckiest[0],
            "longest_run": None
            if figures.run is None
            else dict(zip(("hands", "seat"), figures.run, strict=True)),
        },
    }


def _of_record(path: Path, unsealed: bool) -> tuple[dict[str, Any], Audit]:
    record, doubts = examine(path, unsealed=unsealed)
    try:
        found = audit(record.opening, record.events)
    except AuditError as problem:
        raise AuditError(f"{path}: {problem}") from problem
    found.problems.extend(doubts)
    setup = record.opening.setup
    about = {
        "sitting": record.title or path.name,
        "date": record.started,
        "game": setup.game.name,
        "preset": setup.preset,
    }
    return about, found


def _about(session: SessionRecord) -> dict[str, Any]:
    return {
        "sitting": session.number,
        "date": utc(session.started),
        "game": session.game,
        "preset": session.preset,
    }


def _write_audit(args: argparse.Namespace, audits: list[tuple[dict[str, Any], Audit]]) -> int:
    """Print audits, and what does not add up on standard error too."""
    if args.picture is not None:
        raise AuditError("--picture: an audit is text; leave one of --audit and --picture out")
    if args.json:
        write_json({"sittings": [audit_tables.document(found, about) for about, found in audits]})
    elif args.csv:
        tables = (audit_tables.rows(found, about) for about, found in audits)
        write_csv(audit_tables.COLUMNS, chain.from_iterable(tables))
    else:
        for number, (about, found) in enumerate(audits):
            title = f"{_title(about)}, {about['date']}: {about['game']}, {about['preset']}"
            print(*map(escape_controls, audit_tables.page(found, title)), sep="\n")
            if number < len(audits) - 1:
                print()
    for about, found in audits:
        for problem in found.problems:
            common.complain(f"{_title(about)}: {problem}")
    return 1 if any(found.problems for _, found in audits) else 0


def _title(about: Mapping[str, Any]) -> str:
    session = about["sitting"]
    return f"Sitting {session}" if isinstance(session, int) else str(session)


def _picture(
    journal: JournalReader, followed: Sequence[tuple[SessionRecord, Audit]], path: Path
) -> int:
    """Write the picture of the last session in which a hand was finished."""
    for session, found in reversed(followed):
        if found.state.hands:
            check_regular(path)
            worth = token_value_in(session.settings)
            placed = wagers_of(journal, session.number)
            save_page(share_page(found.state, session.started, worth, placed), path, ENGLISH)
            return 0
    print(_nothing(journal), "Play one with: boneace play", file=sys.stderr)
    return 1


def _page(tables: Sequence[tuple[Sequence[Row], Summary]], nothing: str) -> Iterator[str]:
    """Yield one table a session; *nothing* is said without any."""
    if not tables:
        yield nothing
    for number, (rows, found) in enumerate(tables):
        if number:
            yield ""
        people = list(dict.fromkeys((row["seat"], row["name"]) for row in rows))
        width = max(8, *(len(name) for _, name in people)) + 2
        first = rows[0]
        yield f"Sitting {first['sitting']}, {first['date']}: {first['game']}, {first['preset']}"
        yield _line("hand", (name for _, name in people), width)
        yield from _hands(rows, found, people, width)
        totals = {(row["seat"], row["name"]): signed(row["total"]) for row in rows}
        yield _line("total", (totals[person] for person in people), width)
        if first["currency"]:
            sums = {(row["seat"], row["name"]): str(row["total_money"]) for row in rows}
            yield _line(first["currency"], (sums[person] for person in people), width)
        yield from _left_open(found, people, width)
        if found.put_right:
            yield f"{PUT_RIGHT} put right after the next hand had begun"


def _hands(
    rows: Sequence[Row], found: Summary, people: Sequence[Person], width: int
) -> Iterator[str]:
    """Yield a line a hand: tokens, or where none moved the lives or points that did."""
    before: int | str = ""
    for (_, hand, end), group in groupby(rows, key=itemgetter("line", "hand", "end")):
        moved = {(row["seat"], row["name"]): row["net"] for row in group}
        head = f"{hand}{PUT_RIGHT if hand in found.put_right else ''} {end}"
        if hand in HEADINGS:
            if hand != before:
                yield HEADINGS[hand]
            yield f"  {escape_controls(end)}"
            head = ""
        before = hand
        unit, charges = found.charged[hand - 1] if isinstance(hand, int) else ("", ())
        if charges and not any(moved.values()):
            head = f"{head}, {unit}"
            moved |= {person: dict(charges).get(person[0], 0) for person in moved}
        yield _line(head, (signed(moved[p]) if p in moved else "" for p in people), width)


def _left_open(found: Summary, people: Sequence[Person], width: int) -> Iterator[str]:
    """Yield how a match stands that goes on, and the bets that are not decided."""
    if found.lives:
        lives = {seat: str(left) for seat, left in found.lives}
        yield _line("lives left", (lives.get(seat, "") for seat, _ in people), width)
    if found.pot:
        yield _goes_on(found.pot)
    still_open = [each for each in found.wagers if each.verdict is Verdict.OPEN]
    if still_open:
        yield "side bets not decided"
    for each in still_open:
        pair = f"{each.bettor[1]} with {each.other[1]}, {each.tokens}"
        yield f"  {escape_controls(f'{each.reason} ({pair})')}"


def _goes_on(pot: int) -> str:
    return f"The match is not over: {pot} in its pot."


def _line(head: str, cells: Iterable[str], width: int) -> str:
    return f"{head:<22}" + "".join(f"{cell:>{width}}" for cell in cells)
