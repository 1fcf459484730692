"""How much a table can hold: what strangers may write down must not fill memory or time."""

from __future__ import annotations

LARGEST_NUMBER = 1_000_000_000
"""Of tokens, seats and ages in what is read from outside: far more than lie on any table, and few
enough digits for every sum of them to be counted and printed."""

MOST_EVENTS = 20_000
"""Of one session in a file: ten an hour and player would take eight players ten days."""

MOST_IN_A_HAND = 1_000
"""Events of one hand in a file that count. UNDO plays a hand again, so that each costs as much as
all before it; ten players who stay in for twenty rounds of cards need 600."""

LONGEST_TEXT = 200
"""Characters of a name or a reason; the screen shows some twenty of a name."""

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how names are written in Persian and in the scripts of India."""


def is_printable_line(text: str) -> bool:
    r"""Return whether *text* is one line that prints as it is written: no control characters.

    Escape sequences would paint over a terminal, and marks of direction turn a line round.

    >>> is_printable_line("Zoë O'Brien"), is_printable_line("Ann\x1b[2J")
    (True, False)
    """
    return all(char.isprintable() or char in _JOINERS for char in text)


def escape_controls(text: str, most: int = 2_000) -> str:
    r"""Return *text* so that it can be printed: escapes for what does not print, and cut short.

    Line ends stay.

    >>> escape_controls("bad \x1b[31mfile")
    'bad \\x1b[31mfile'
    >>> escape_controls("too long a tale", 8)
    'too long…'
    """
    cut = text if len(text) <= most else text[:most] + "…"
    return "".join(
        char
        if char == "\n" or char.isprintable() or char in _JOINERS
        else char.encode("unicode_escape").decode("ascii")
        for char in cut
    )
