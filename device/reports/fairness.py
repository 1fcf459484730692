"""Whether the bones are fair: sentences, a chart for the terminal, JSON, and a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.reports.bone_counts import FaceCounts
from display.pages.faces import FacesPage, ShareBar
from engine.core.bones import Face
from engine.core.messages.message import N_, Joined, Message, Value
from engine.core.messages.words import count
from engine.core.text.counted import counted
from engine.games.knucklebones.fairness import Fit, fit, wilson
from engine.games.knucklebones.odds_throws import PUBLISHED
from engine.games.knucklebones.story import FACE_WORDS

FEW = 50
"""Below so many bones agreement proves little: fewer than five of the rarest faces are expected."""

DOUBT, UNFAIR = 0.05, 0.01
"""Levels of p: below the first the bones are suspect, below the second not as published."""

CHART_CELLS = 40
"""Width of the chart in letters."""

BLOCKS = ("█", "─", "┃")
"""The bar, the line between its bounds, and the published mark."""

PLAIN = ("#", "-", "|")
"""The same for terminals that write nothing else."""


@dataclass(frozen=True, slots=True)
class FaceShare:
    """One face; the shares are 0.0-1.0.

    Attributes:
        low, high: Wilson's bounds of its true chance, 95 of 100 times.
        published: its published chance (KB-1, after Winkelman).
    """

    face: Face
    count: int
    share: float
    low: float
    high: float
    published: float


def shares(counts: FaceCounts) -> tuple[FaceShare, ...]:
    """Return every face with its share of all bones.

    Raises:
        OddsError: nothing was counted.
    """
    published = {Face.from_points(points): float(chance) for points, chance in PUBLISHED}
    found = []
    for face, number in counts.faces.items():
        low, high = wilson(number, counts.bones)
        found.append(FaceShare(face, number, number / counts.bones, low, high, published[face]))
    return tuple(found)


def verdict(counts: FaceCounts, judged: Fit) -> Message:
    """Return the conclusion."""
    p = short(judged.p)
    if counts.bones < FEW and judged.p >= DOUBT:
        return Message("Too few bones to judge: throw a hundred or more.")
    if judged.p >= DOUBT:
        return Message("Your bones may be fair ({p}).", p=p)
    sentence = (
        N_("Perhaps your bones are not fair ({p}); the oddest side: {face}.")
        if judged.p >= UNFAIR
        else N_("Your bones do not fall as published ({p}); the oddest side: {face}.")
    )
    return Message(sentence, p=p, face=FACE_WORDS[judged.oddest])


def short(p: float) -> str:
    """Return *p* rounded for people.

    >>> short(0.4321), short(0.0123), short(0.00001)
    ('p = 0.43', 'p = 0.012', 'p < 0.001')
    """
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.2f}" if p >= 0.095 else f"p = {p:.2g}"


def report(counts: FaceCounts, name: str | None, marks: tuple[str, str, str]) -> Iterator[str]:
    """Yield the report on the set *name*, or on all bones of the journal, in English.

    At least one was thrown. The chart is drawn with *marks*: :data:`BLOCKS` or :data:`PLAIN`.
    """
    units = {"throw": counts.throws, "round": counts.rounds, "sitting": counts.sittings}
    in_all = ", ".join(counted(number, noun) for noun, number in units.items() if number)
    if counts.put_right:
        in_all += f"; {counted(counts.put_right, 'face')} put right by players"
    yield f"{name or 'All bones'}: {counted(counts.bones, 'bone')} in {in_all}."
    if name is None and len(counts.sets) > 1:
        listed = ", ".join(f"{one or 'unnamed'} {bones}" for one, bones in counts.sets.items())
        yield f"Several sets: {listed}. One alone: boneace bones stats --set NAME"
    yield ""
    yield from falls(counts, marks)


def falls(counts: FaceCounts, marks: tuple[str, str, str]) -> Iterator[str]:
    """Yield the chart, each face in a sentence, and what they amount to; one was thrown."""
    judged = fit(counts.faces)
    rows = shares(counts)
    whole = max(0.5, *(max(row.high, row.published) for row in rows))
    for row in rows:
        yield (
            f"{row.face.value:<8}{row.face.points}{row.count:>7}{row.share:>6.0%}"
            f"  {chart(row, whole, marks)}"
        )
    bar, line, told_mark = marks
    yield f"{bar} fell   {line} its true chance lies here, 95 times of 100   {told_mark} published"
    yield ""
    for row in rows:
        yield (
            f"The {row.face} side fell {row.count} of {counts.bones} times: {row.share:.2f}, "
            f"likely between {row.low:.2f} and {row.high:.2f}; published {row.published:.2f}."
        )
    how = "exact test" if judged.exact else f"chi-square {judged.statistic:.1f}"
    yield str(verdict(counts, judged))
    yield f"{_rarity(judged.p)} ({how}, {short(judged.p)})."


def chart(row: FaceShare | ShareBar, whole: float, marks: tuple[str, str, str]) -> str:
    """Return the bar of one face; *whole* is the share of a full line of :data:`CHART_CELLS`."""
    bar, line, mark = marks
    cells = [" "] * (CHART_CELLS + 1)

    def at(share: float) -> int:
        return min(CHART_CELLS, round(CHART_CELLS * share / whole))

    for cell in range(at(row.low), at(row.high) + 1):
        cells[cell] = line
    for cell in range(at(row.share)):
        cells[cell] = bar
    cells[at(row.published)] = mark
    return "".join(cells).rstrip()


def _rarity(p: float) -> str:
    if p < 0.001:
        return "Fewer than one of 1000 fair sets would fall as oddly as this"
    number, of = (round(100 * p), 100) if p >= 0.095 else (round(1000 * p), 1000)
    return f"Of {of} fair sets {number} would fall as oddly as this or more so"


def document(counts: FaceCounts, name: str | None) -> dict[str, object]:
    """Return the report as JSON data; ``faces`` is empty and ``test`` null without any throw."""
    judged = fit(counts.faces) if counts.bones else None
    return {
        "set": name,
        "sets": counts.sets,
        "bones": counts.bones,
        "throws": counts.throws,
        "rounds": counts.rounds,
        "sittings": counts.sittings,
        "put_right": counts.put_right,
        "faces": [
            {
                "face": row.face.value,
                "value": row.face.points,
                "count": row.count,
                "first_throws": counts.first[row.face],
                "later_throws": counts.more[row.face],
                "share": round(row.share, 4),
                "low": round(row.low, 4),
                "high": round(row.high, 4),
                "published": row.published,
            }
            for row in (shares(counts) if counts.bones else ())
        ],
        "interval": "Wilson, 95 %",
        "test": judged
        and {
            "name": "exact multinomial" if judged.exact else "chi-square",
            "statistic": round(judged.statistic, 4),
            "p": judged.p,
            "oddest": judged.oddest.value,
            "few": counts.bones < FEW,
        },
    }


def faces_page(counts: FaceCounts, name: str | None) -> FacesPage:
    """Return the picture; at least one bone must have been thrown."""
    parts: list[Value] = [] if name is None else [name]
    parts.append(count(counts.bones, "bone"))
    parts.append(Message("{n} throw", "{n} throws", counts.throws, n=counts.throws))
    return FacesPage(
        title=Message("How the bones fell"),
        note=Joined(tuple(parts), " · "),
        bars=tuple(
            ShareBar(
                row.face,
                FACE_WORDS[row.face],
                row.count,
                row.share,
                row.low,
                row.high,
                row.published,
            )
            for row in shares(counts)
        ),
        headline=verdict(counts, fit(counts.faces)),
        key=Message(
            "Bar: how often it fell. Line: where its true chance lies, 95 times of 100. "
            "Marks above and below: published."
        ),
    )
