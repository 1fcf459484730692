"""The story of One-and-Twenty: throws, choices, and who beat the bank."""

from __future__ import annotations

from collections.abc import Sequence

from device.croupier.words import and_list, count
from display.i18n.translate import N_, _, plural
from engine import Event
from engine.core.bones import Face
from engine.core.events import Choose, CorrectBone, Roll, Stake
from engine.core.views import ResultView, SeatStatus, View

BANK_ENDS = ("compared", "all-bust")
"""How a round of One-and-Twenty ends (rules KB-10, KB-13)."""

FACE_WORDS = {
    Face.FLAT: N_("flat"),
    Face.CONCAVE: N_("concave"),
    Face.CONVEX: N_("convex"),
    Face.TWISTED: N_("twisted"),
}
"""The sides of a bone, to be translated."""


def describe_bones(event: Event, before: View, after: View) -> list[str]:
    """Tell what *event* did; nothing where it is none of knucklebones."""
    match event:
        case Stake():
            name = after.seat(event.seat).name
            tokens = count(event.amount, "token")
            return [_("{name} stakes {tokens}.").format(name=name, tokens=tokens)]
        case Roll():
            return [_roll(event, after)]
        case Choose():
            name = after.seat(event.seat).name
            if event.n == 0:
                return [_("{name}: “No more.”").format(name=name)]
            sentence = plural("{name}: “{n} more bone.”", "{name}: “{n} more bones.”", event.n)
            return [sentence.format(name=name, n=event.n)]
        case CorrectBone():
            name = after.seat(event.seat).name
            sentence = _("A misreading put right: a bone of {name}'s lay {face}.")
            return [sentence.format(name=name, face=_(FACE_WORDS[Face.from_points(event.face)]))]
    return []


def result_of_bones(seen: View, result: ResultView) -> str:
    """Return who beat the bank."""
    banker = next((seat for seat in seen.seats if seat.is_dealer), None)
    names = and_list([seat.name for seat in seen.seats if seat.seat in result.winners])
    if result.end == "all-bust":
        return _("Everybody is over: the bank takes all the stakes.")
    if banker is not None and banker.status is SeatStatus.OUT:
        return (
            _("The bank is over and pays {names}.").format(names=names)
            if names
            else _("The bank is over.")
        )
    total = None if banker is None else banker.total
    if not names:
        return _("Nobody beats the bank's {total}.").format(total=total)
    sentence = plural(
        "{names} beats the bank's {total}.", "{names} beat the bank's {total}.", len(result.winners)
    )
    return sentence.format(names=names, total=total)


def _roll(event: Roll, after: View) -> str:
    seat = after.seat(event.seat)
    points = _points(event.faces)
    values = {"name": seat.name, "points": points, "total": seat.total}
    if seat.status is SeatStatus.OUT:
        return _("{name} throws {points}: {total}, and is over.").format(**values)
    return _("{name} throws {points}: {total}.").format(**values)


def _points(faces: Sequence[int]) -> str:
    return ", ".join(str(points) for points in sorted(faces))
