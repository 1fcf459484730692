"""An audit as lines for people, as CSV, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from device.reports.audit import Audit, Kind
from engine.core.payments import PaymentReason, Unit
from engine.core.text.counted import counted
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
    PaymentReason.THROWN_IN: "thrown in",
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
    PaymentReason.ENTRY: "an entry outside of any hand",
}
"""Each reason in words."""

_ONE: dict[str, str] = {Unit.TOKENS: "token", Unit.LIVES: "life", Unit.POINTS: "point"}

COLUMNS = (
    *("sitting", "date", "game", "preset", "hand", "event", "at_s", "kind", "from_seat", "from"),
    *("to_seat", "to", "amount", "unit", "cause", "rules", "from_total", "to_total", "pot", "text"),
)
"""Of the CSV; ``docs/why/audit.md`` says what each holds."""


def rows(found: Audit, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines as flat data under :data:`COLUMNS`; *about* says of which session."""
    for line in found.lines:
        nobody = None, "box" if line.unit is Unit.POINTS else "pot"
        payer, payee = line.payer or nobody, line.payee or nobody
        row = {
            **about,
            "hand": line.hand,
            "event": line.event,
            "at_s": line.at_s,
            "kind": str(line.kind),
            "from_seat": payer[0],
            "from": payer[1],
            "to_seat": payee[0],
            "to": payee[1],
            "amount": line.amount,
            "unit": str(line.unit),
            "cause": "",
            "rules": list(line.rules),
            "from_total": line.totals[0],
            "to_total": line.totals[1],
            "pot": line.pot,
            "text": line.text,
        }
        if line.cause is None:
            yield row | {"from": "", "to": "", "amount": None, "unit": ""}
        else:
            back = "taken back: " if line.kind is Kind.TAKEN_BACK else ""
            yield row | {"cause": str(line.cause), "text": f"{back}{WHY[line.cause]}"}


def document(found: Audit, about: dict[str, Any]) -> dict[str, Any]:
    """Return an audit as JSON data."""
    return {
        **about,
        "hands": found.hands,
        "lines": list(rows(found, {})),
        "totals": {
            str(unit): [
                {"seat": seat, "name": name, "amount": amount}
                for (seat, name), amount in found.by_seat(unit)
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
    table = [_cells(row) for row in rows(found, {})]
    paid = [cells for line, cells in zip(found.lines, table, strict=True) if line.cause]
    widths = [max((len(cells[place]) for cells in paid), default=0) for place in range(5)]
    hand = 0
    for line, (event, at, move, why, rules, after) in zip(found.lines, table, strict=True):
        if line.hand != hand:
            hand = line.hand
            yield f"Hand {hand}"
        start = f"  {event:>{widths[0]}}  {at:>{widths[1]}}  "
        if line.cause is None:
            yield f"{start}{why} {rules and f'[{rules}]'}".rstrip()
        else:
            yield (f"{start}{move:<{widths[2]}}  {why:<{widths[3]}}  {rules:<{widths[4]}}  {after}")
    for unit in Unit:
        everybody = found.by_seat(unit)
        if everybody and unit is Unit.TOKENS:
            sums = ", ".join(f"{name} {signed(total)}" for (_, name), total in everybody)
            pot = f", pot {signed(found.pot)}" if found.pot else ""
            total = sum(found.totals[unit].values()) + found.pot
            yield f"{counted(found.hands, 'hand')}: {sums}{pot}; together {signed(total)} tokens"
        elif everybody:
            sums = ", ".join(f"{name} {total}" for (_, name), total in everybody)
            yield f"{str(unit).capitalize()}: {sums}"
    kinds = Counter(line.kind for line in found.lines)
    yield f"{counted(kinds[Kind.PAID], 'payment')}, {kinds[Kind.TAKEN_BACK]} taken back"
    if not found.whole:
        yield "This is only what stands before the damage: it proves nothing of what came after."
    elif not found.problems:
        yield "Every hand's payments make its settlement, and together they make the ledger."


def _cells(row: dict[str, Any]) -> tuple[str, str, str, str, str, str]:
    """Return event, time, payment, reason, rules and new totals of a line of :func:`rows`."""
    unit, tokens = row["unit"], row["unit"] == Unit.TOKENS
    after = []
    for side in ("from", "to"):
        total = row[f"{side}_total"]
        if row[f"{side}_seat"] is not None and total is not None:
            after.append(f"{row[side]} {signed(total) if tokens else total}")
        elif tokens:
            after.append(f"pot {row['pot']}")
    one = _ONE[unit] if row["amount"] == 1 else unit
    return (
        "start" if row["event"] < 0 else str(row["event"]),
        _clock(row["at_s"]),
        f"{row['from']} -> {row['to']}  {row['amount']} {one}",
        row["text"],
        " ".join(row["rules"]),
        ", ".join(after),
    )


def _clock(at_s: float | None) -> str:
    """Return seconds as hours, minutes and seconds.

    >>> _clock(3725.4), _clock(None)
    ('1:02:05', '')
    """
    if at_s is None:
        return ""
    minutes, seconds = divmod(int(at_s), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
