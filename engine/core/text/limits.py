"""How much a table can hold: what strangers may write down must not fill memory or time."""

from __future__ import annotations

import re

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

_LONGEST_WORD = 300
"""Characters of a word or a file's name that are shown."""

_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how names are written in Persian and in the scripts of India."""


def is_printable_line(text: str) -> bool:
    r"""Return whether *text* is one line that prints as it is written: no control characters.

    Escape sequences would paint over a terminal, and marks of direction turn a line round.

    >>> is_printable_line("Zoë O'Brien"), is_printable_line("Ann\x1b[2J")
    (True, False)
    """
    return all(char.isprintable() or char in _JOINERS for char in text)


def one_line(text: str, most: int = 1_000) -> str:
    r"""Return *text* as :func:`escape_controls` does, in one line; cut short in its middle.

    An error ends with what to do: its end must not be lost behind what it quotes.

    >>> one_line("bad\nname")
    'bad\\nname'
    >>> one_line("unknown game 'aaaaaaaaaaaaaaaaaaaa'; choose another", 30)
    "unknown game 'aaaaa…se another"
    """
    line = escape_controls(text.strip(), 10 * most).replace("\n", "\\n")
    line = _LONG_WORD.sub(lambda word: _without_middle(word[0], _LONGEST_WORD), line)
    return _without_middle(line, most)


def _without_middle(text: str, most: int) -> str:
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


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
