"""Validators of keys that need more than type and range: pins, seats, names, languages.

Each takes the place of a value and the value, and returns what is wrong and what to do, or
``None`` when it is valid.
"""

from __future__ import annotations

from collections.abc import Sequence

from device.config.fields import Name, nearest, quoted
from device.hardware import camera_names, panel_names, pins
from device.ports import Button
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES, base
from engine.core.players import PlayersError, check_names
from engine.core.plugins import unknown
from engine.core.text.limits import LONGEST_TEXT, escape_controls
from engine.games import catalog

MOST_SEATS = 8
"""The largest play mat has so many."""

CONSOLE = tuple(each.value for each in Button if each is not Button.PUSH)
"""Buttons of the console; the push belongs to the knob, so that it is wired once."""


def game(where: str, value: object) -> str | None:
    """Validate the name or alias of the game."""
    if not isinstance(value, str):
        return f'{where}: {quoted(value)} is not text; try "bone-ace"'
    try:
        catalog.find(value[:60])  # suggestions for a very long word take long
    except catalog.UnknownGameError as problem:
        return f"{where}: {problem}"
    return None


def camera(where: str, value: object) -> str | None:
    """Validate the name of the camera; it need not be plugged in."""
    if not isinstance(value, str) or not value:
        return f'{where}: {quoted(value)} is not text; try "auto"'
    problem = camera_names.problem_with(value)
    return None if problem is None else f"{where}: {problem}; or a video, a folder, or auto"


def panel(where: str, value: object) -> str | None:
    """Validate the name of the button panel."""
    if not isinstance(value, str):
        return f'{where}: {quoted(value)} is not text; try "auto"'
    problem = panel_names.problem_with(value)
    return None if problem is None else f"{where}: {problem}"


def names(where: str, value: object) -> str | None:
    """Validate the players' names."""
    if (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(each, str) and each.strip() for each in value)
    ):
        try:
            check_names(each.strip()[:LONGEST_TEXT] for each in value)
        except PlayersError as problem:
            return f"{where}: {escape_controls(str(problem))}".replace("\n", " ")
        return None
    return f'{where}: {quoted(value)} is not a list of two or more names; try ["Ann", "Bess"]'


def options(where: str, value: object) -> str | None:
    """Validate that the options are a table; the game validates each of them later."""
    return None if isinstance(value, dict) else f"{where}: {quoted(value)}; write [{where}]"


def console(where: str, value: object) -> str | None:
    """Validate the console's buttons and their pins."""
    return _wires(where, value, CONSOLE)


def seats(where: str, value: object) -> str | None:
    """Validate the seats' buttons and lamps."""
    if not isinstance(value, dict):
        return f"{where}: {quoted(value)}; write [{where}.0] and below it, for example, have = 5"
    for seat, wires in value.items():
        if not seat.isdecimal():
            return f"{where}.{quoted(Name(seat))}: is not a seat; write its number, 0 for the first"
        if len(seat) > 1 or int(seat) >= MOST_SEATS:
            return (
                f"{where}.{quoted(Name(seat))}: a mat has {MOST_SEATS} seats; "
                f"write 0 to {MOST_SEATS - 1}"
            )
        problem = _wires(f"{where}.{seat}", wires, ["have", "stick", "lamp"])
        if problem is not None:
            return problem
    return None


def knob(where: str, value: object) -> str | None:
    """Validate the knob's pins."""
    problem = _wires(where, value, ["a", "b", "push"], "a = 22")
    if problem is None and isinstance(value, dict) and ("a" in value) != ("b" in value):
        lacks = "b" if "a" in value else "a"
        return f"{where}: a knob has two phases, {lacks} is missing; name its pin too: {lacks} = 23"
    return problem


def interfaces(where: str, value: object) -> str | None:
    """Validate what else the header is used for."""
    return _some_of(where, value, "interface", pins.INTERFACES, '["spi"], or [] for none')


def buttons(where: str, value: object) -> str | None:
    """Validate the buttons that switch the machine off together."""
    return _some_of(where, value, "button", CONSOLE, '["menu", "undo"], or [] for none')


def theme(where: str, value: object) -> str | None:
    """Validate the name of the theme."""
    if not isinstance(value, str):
        return f'{where}: {quoted(value)} is not text; try "felt"'
    return None if value in THEMES else f"{where}: {unknown('theme', value, THEMES)}"


def language(where: str, value: object) -> str | None:
    """Validate the language."""
    if not isinstance(value, str) or not value:
        return (
            f'{where}: {quoted(value)} is not a language; try "fr", '
            "or leave the key out to take LANG"
        )
    if base(value) not in LANGUAGES:
        return f"{where}: {unknown('language', base(value), LANGUAGES)}"
    return None


def _some_of(
    where: str, value: object, what: str, known: Sequence[str], example: str
) -> str | None:
    if not isinstance(value, list):
        return f"{where}: {quoted(value)} is not a list; write {example}"
    for name in value:
        if name not in known:
            return f"{where}: unknown {what} {quoted(name)}; {nearest(name, known)}"
    return None


def _wires(
    where: str, value: object, known: Sequence[str], example: str = "have = 17"
) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {quoted(value)}; write [{where}] and below it, for example, {example}"
    for name, pin in value.items():
        at = f"{where}.{quoted(Name(name))}"
        if name not in known:
            return f"{at}: unknown button; {nearest(name, known)}"
        if not isinstance(pin, int) or isinstance(pin, bool) or not 0 <= pin <= 27:
            return f"{at}: {quoted(pin)} is not a BCM pin; choose one from 0 to 27"
    return None
