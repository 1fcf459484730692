"""An audit as lines for people, as CSV, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from device.reports.audit import Audit, Kind, Line, Person, by_seat
from engine.core.payments import PaymentReason, Unit
from engine.games.story import signed

WHY = {
    PaymentReason.SETTLED: "the settlement",
    PaymentReason.BONE: "for the Bone",
    PaymentReason.POOL: "stake into the pool",
    PaymentReason.HALF_POOL: "half of the pool for the Bone",
    PaymentReason.POOL_WON: "the rest of the pool",
    PaymentReason.POOL_BACK: "everybody out: the rest of the pool is shared",
    PaymentReason.THIRTY_ONE: "beaten by thirty-one",
    PaymentReason.LAST_IN: "out, and the winner is the last one in",
    PaymentReason.BEST: "the winner is nearest to thirty-one",
    PaymentReason.OVER: "over: the stake goes to the bank",
    PaymentReason.LEFT: "left: the stake goes to the bank",
    PaymentReason.BANK_OVER: "the bank is over",
    PaymentReason.BEATS_BANK: "higher than the bank",
    PaymentReason.BEATEN: "lower than the bank",
    PaymentReason.TIE: "equal to the bank",
    PaymentReason.ANTE: "ante",
    PaymentReason.BONUS: "one more for the blitz",
    PaymentReason.POT: "out of the pot",
    PaymentReason.LOWEST: "lowest hand",
    PaymentReason.KNOCKER: "as the knocker",
    PaymentReason.BLITZ: "blitz",
    PaymentReason.PLACE: "place of the hand",
    PaymentReason.BUY_IN: "buy-in of the match",
    PaymentReason.MATCH: "the pot of the match",
}
"""Each reason in words."""

_ONE = {Unit.TOKENS: "token", Unit.LIVES: "life", Unit.POINTS: "point"}

COLUMNS = (
    *("sitting", "date", "game", "preset", "hand", "event", "at_s", "kind", "from_seat", "from"),
    *("to_seat", "to", "amount", "unit", "cause", "rules", "from_total", "to_total", "pot", "text"),
)
"""Of the CSV; ``docs/why/audit.md`` says what each holds."""


def rows(found: Audit, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines as flat data under :data:`COLUMNS`; *about* says of which session."""
    for line in found.lines:
        is_note = line.kind is Kind.NOTE
        yield {
            **about,
            "hand": line.hand,
            "event": line.event,
            "at_s": line.at_s,
            "kind": str(line.kind),
            "from_seat": None if line.payer is None else line.payer[0],
            "from": "" if is_note else _named(line.payer, line.unit),
            "to_seat": None if line.payee is None else line.payee[0],
            "to": "" if is_note else _named(line.payee, line.unit),
            "amount": None if is_note else line.amount,
            "unit": "" if is_note else str(line.unit),
            "cause": "" if line.cause is None else str(line.cause),
            "rules": list(line.rules),
            "from_total": line.totals[0],
            "to_total": line.totals[1],
            "pot": line.pot,
            "text": line.text if is_note else _why(line),
        }


def document(found: Audit, about: dict[str, Any]) -> dict[str, Any]:
    """Return an audit as JSON data."""
    return {
        **about,
        "hands": found.hands,
        "lines": [
            {key: value for key, value in row.items() if key not in about}
            for row in rows(found, about)
        ],
        "totals": {
            str(unit): [
                {"seat": seat, "name": name, "amount": amount}
                for (seat, name), amount in by_seat(found.totals[unit])
            ]
            for unit in Unit
            if found.totals[unit]
        },
        "pot": found.pot,
        "problems": found.problems,
    }


def page(found: Audit, title: str) -> Iterator[str]:
    """Yield an audit as text, with a line for each payment."""
    yield title
    table = [_cells(line) for line in found.lines]
    paid = [row for row in table if row[2]]
    widths = [max((len(row[place]) for row in paid), default=0) for place in range(5)]
    hand = 0
    for line, row in zip(found.lines, table, strict=True):
        if line.hand != hand:
            hand = line.hand
            yield f"Hand {hand}"
        event, at, move, why, rules, after = row
        if line.kind is Kind.NOTE:
            ids = f"[{rules}]" if rules else ""
            yield f"  {event:>{widths[0]}}  {at:>{widths[1]}}  {why} {ids}".rstrip()
            continue
        yield (
            f"  {event:>{widths[0]}}  {at:>{widths[1]}}  {move:<{widths[2]}}  {why:<{widths[3]}}"
            f"  {rules:<{widths[4]}}  {after}"
        )
    yield from _closing(found)


def _closing(found: Audit) -> Iterator[str]:
    for unit in Unit:
        if not found.totals[unit]:
            continue
        if unit is Unit.TOKENS:
            sums = ", ".join(f"{n} {signed(t)}" for (_, n), t in by_seat(found.totals[unit]))
            pot = f", pot {signed(found.pot)}" if found.pot else ""
            total = sum(found.totals[unit].values()) + found.pot
            yield f"{_hands(found.hands)}: {sums}{pot}; together {signed(total)} tokens"
        else:
            sums = ", ".join(f"{n} {t}" for (_, n), t in by_seat(found.totals[unit]))
            yield f"{str(unit).capitalize()}: {sums}"
    kinds = [line.kind for line in found.lines]
    paid, back = kinds.count(Kind.PAID), kinds.count(Kind.TAKEN_BACK)
    yield f"{paid} payments, {back} taken back"
    if not found.problems:
        yield "Every hand's payments make its settlement, and together they make the ledger."


def _cells(line: Line) -> tuple[str, str, str, str, str, str]:
    event = "start" if line.event < 0 else str(line.event)
    rules = " ".join(line.rules)
    if line.kind is Kind.NOTE:
        return event, _clock(line.at_s), "", line.text, rules, ""
    payer, payee = _named(line.payer, line.unit), _named(line.payee, line.unit)
    unit = line.unit if line.amount != 1 else _ONE[line.unit]
    move = f"{payer} -> {payee}  {line.amount} {unit}"
    after = []
    for person, total in ((line.payer, line.totals[0]), (line.payee, line.totals[1])):
        if person is not None and total is not None:
            said = signed(total) if line.unit is Unit.TOKENS else str(total)
            after.append(f"{person[1]} {said}")
        elif line.unit is Unit.TOKENS:
            after.append(f"pot {line.pot}")
    return event, _clock(line.at_s), move, _why(line), rules, ", ".join(after)


def _why(line: Line) -> str:
    assert line.cause is not None  # every payment has one
    return f"{'taken back: ' if line.kind is Kind.TAKEN_BACK else ''}{WHY[line.cause]}"


def _named(person: Person | None, unit: Unit) -> str:
    if person is not None:
        return person[1]
    return "box" if unit is Unit.POINTS else "pot"


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count} hands"


def _clock(at_s: float | None) -> str:
    """Return seconds as hours, minutes and seconds.

    >>> _clock(3725.4), _clock(None)
    ('1:02:05', '')
    """
    if at_s is None:
        return ""
    minutes, seconds = divmod(int(at_s), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
