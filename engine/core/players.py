"""Who sits where, and who is elder (rule G-1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.errors import BoneAceError
from engine.core.text.limits import LARGEST_NUMBER, LONGEST_TEXT, is_printable_line


class PlayersError(BoneAceError, ValueError):
    """Players who cannot sit down to the game."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at the table; seats are numbered clockwise and may have gaps."""

    seat: int
    name: str
    age: int | None = None

    def __post_init__(self) -> None:
        """Refuse a seat or an age that is no number from 0, and a name that does not print."""
        if (
            type(self.name) is not str
            or len(self.name) > LONGEST_TEXT
            or not is_printable_line(self.name)
        ):
            raise PlayersError(
                f"player {str(self.name)[:LONGEST_TEXT]!r}: is no name; write one line of at most "
                f"{LONGEST_TEXT} letters"
            )
        if type(self.seat) is not int or not 0 <= self.seat <= LARGEST_NUMBER:
            raise PlayersError(f"player {self.name!r}: seat {self.seat!r} is no seat; write 0, 1…")
        if self.age is not None and (type(self.age) is not int or abs(self.age) > LARGEST_NUMBER):
            raise PlayersError(f"player {self.name!r}: age {self.age!r} is no age; write 30")


def name_key(name: str) -> str:
    """Return what all spellings of one name share: case, width and spaces do not count.

    >>> name_key(" ANN  Lee ") == name_key("Ann Lee")
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def check_names(names: Iterable[str]) -> None:
    """Refuse two players of one name: nobody could tell who pays whom.

    The table itself tells players apart by their seats, and plays on with one name twice, as what
    an older boneace wrote may have it. So this is asked where names are given.

    Raises:
        PlayersError: a name comes twice, perhaps spelled otherwise (:func:`name_key`).
    """
    known: dict[str, str] = {}
    for name in names:
        key = name_key(name)
        if key in known:
            first = known[key]
            raise PlayersError(
                f'two players are called "{first}"; give each a different name, such as '
                f'"{first}" and "{first} B"'
            )
        known[key] = name


def clockwise(seats: Iterable[int], after: int) -> tuple[int, ...]:
    """Return *seats* clockwise from the left of seat *after*, which comes last (rule G-1).

    The seat *after* need not be occupied.

    >>> clockwise([0, 2, 5], after=2)
    (5, 0, 2)
    """
    ordered = sorted(seats)
    later = [seat for seat in ordered if seat > after]
    return (*later, *(seat for seat in ordered if seat <= after))


def first_at_or_after(seats: Iterable[int], seat: int) -> int | None:
    """Return *seat* if it is occupied, else the next occupied one clockwise (rule G-16)."""
    ordered = clockwise(seats, after=seat - 1)
    return ordered[0] if ordered else None


def seated(players: Sequence[Player]) -> tuple[Player, ...]:
    """Return the players by seat number.

    Raises:
        PlayersError: two players want the same seat.
    """
    ordered = tuple(sorted(players, key=lambda player: player.seat))
    for one, other in pairwise(ordered):
        if one.seat == other.seat:
            raise PlayersError(
                f"seat {one.seat} is given to {one.name!r} and to {other.name!r}; "
                "give every player a seat of their own"
            )
    return ordered
