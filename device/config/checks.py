"""Validators of keys that need more than type and range: pins, seats, names, languages.

Each takes a value of the key's type and returns what is wrong and what to do, ``None`` when it is
valid, or an empty text when it is as wrong as a value of another type. A text with a dot in front
names the place inside the value first. Of several things wrong in it each has a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from device.config.fields import Name, nearest, quoted
from device.croupier.open_cards import OpenCards
from device.hardware import camera_names, pins
from device.ports import MOST_SEATS, Button
from device.storage.copies.table_name import FORM
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES, base
from engine.core.players import PlayersError, check_names
from engine.core.plugins import unknown
from engine.core.text.limits import LONGEST_TEXT, escape_controls
from engine.games import catalog

LONGEST_SOCKET = 107
"""Bytes of the path of a Unix socket, by unix(7)."""

OLDEST = 130
"""The highest age that is taken for one."""

CONSOLE = tuple(each.value for each in Button if each is not Button.PUSH)
"""Buttons of the console; the push belongs to the knob, so that it is wired once."""


KNOB = ("a", "b", "push")
AT_A_SEAT = ("have", "stick", "out", "tell", "again", "lamp")

MOST_TOLD = 30
"""Wrong wires of one key that are told; a header has 26 pins."""


def game(value: str) -> str | None:
    """Validate the name or alias of the game."""
    try:
        catalog.find(value)
    except catalog.UnknownGameError as problem:
        return str(problem)
    return None


def camera(value: str) -> str | None:
    """Validate the name of the camera; it need not be plugged in."""
    problem = camera_names.problem_with(value) if value else ""
    return f"{problem}; or a video, a folder, or auto" if problem else problem


def socket(value: str) -> str | None:
    """Validate the path of a socket: the system takes 107 bytes."""
    if value and (not value.startswith("/") or len(value.encode()) > LONGEST_SOCKET):
        most = f"at most {LONGEST_SOCKET} bytes"
        return f"{quoted(value)} is no path from / with {most}; try /run/boneace/feed.sock"
    return None


def url(value: str) -> str | None:
    """Validate the address of the pages."""
    if value and not re.fullmatch(r"https?://[^\s/]+/?", value):
        return f'{quoted(value)} is no address; try "http://192.168.1.20:8031"'
    return None


def names(value: Sequence[Any]) -> str | None:
    """Validate the players' names."""
    if len(value) < 2 or not all(isinstance(each, str) and each.strip() for each in value):
        return ""
    try:
        check_names(each.strip()[:LONGEST_TEXT] for each in value)
    except PlayersError as problem:
        return escape_controls(str(problem)).replace("\n", " ")
    return None


def ages(value: Sequence[Any]) -> str | None:
    """Validate the players' ages."""
    whole = all(type(each) is int and 0 <= each <= OLDEST for each in value)
    return None if whole else f"ages are whole numbers from 0 to {OLDEST}; write [34, 28]"


def open_cards(value: str) -> str | None:
    """Validate which cards are dealt open."""
    known = [each.value for each in OpenCards]
    return None if value in known else f"unknown choice {quoted(value)}; {nearest(value, known)}"


def theme(value: str) -> str | None:
    """Validate the name of the theme."""
    return None if value in THEMES else unknown("theme", value, THEMES)


def language(value: str) -> str | None:
    """Validate the language."""
    if not value or base(value) in LANGUAGES:
        return None if value else ""
    return unknown("language", base(value), LANGUAGES)


def hall_name(value: str) -> str | None:
    """Validate the name of a hall; it stands in topics, as that of a table does."""
    if re.fullmatch(FORM, value):
        return None
    return f"{quoted(value)} cannot be a name; use small letters, digits and hyphens, such as hall"


def broker(value: str) -> str | None:
    """Validate the host of the broker; its port stands in a key of its own."""
    if "/" in value or value.count(":") == 1:
        alone = "write the host alone, and its port in a line of its own: port = 1883"
        return f"{quoted(value)} is no host; {alone}"
    return None


def seats(value: Mapping[str, Any]) -> str | None:
    """Validate the seats' buttons and lamps."""
    return _lines(line for seat, wires in value.items() for line in _wrong_at(seat, wires))


def knob(value: Mapping[str, Any]) -> str | None:
    """Validate the knob's pins."""
    found = list(_wrong_wires("wire", KNOB, value))
    if ("a" in value) != ("b" in value):
        lacks = "b" if "a" in value else "a"
        found.append(f"a knob has two phases, {lacks} is missing; name its pin too: {lacks} = 23")
    return _lines(found)


def console(value: Mapping[str, Any]) -> str | None:
    """Validate the console's buttons."""
    return _lines(_wrong_wires("button", CONSOLE, value))


def sound_wires(panel: Mapping[str, Any]) -> dict[str, Any]:
    """Return the console, knob and seats of the table ``[panel]`` without each wire that is wrong.

    What is wrong beside them must not keep it secret that two of the others have one pin.
    """
    found: dict[str, Any] = {}
    for name, known in (("console", CONSOLE), ("knob", KNOB)):
        if isinstance(panel.get(name), dict):
            found[name] = _sound(known, panel[name])
    if isinstance(panel.get("seats"), dict):
        found["seats"] = {
            seat: _sound(AT_A_SEAT, wires)
            for seat, wires in panel["seats"].items()
            if _place(seat) is None and isinstance(wires, dict)
        }
    return found


def _place(seat: str) -> str | None:
    """Return what is wrong with the number of a seat."""
    if not seat.isdecimal():
        return "is not a seat; write its number, 0 for the first"
    if len(seat) > 1 or int(seat) >= MOST_SEATS:
        return f"a mat has {MOST_SEATS} seats; write 0 to {MOST_SEATS - 1}"
    return None


def _wrong_at(seat: str, wires: object) -> Iterator[str]:
    at = f".{quoted(Name(seat))}"
    if problem := _place(seat):
        yield f"{at}: {problem}"
    elif not isinstance(wires, dict):
        write = f"write [panel.seats.{seat}] and below it, for example, have = 17"
        yield f"{at}: {quoted(wires)}; {write}"
    else:
        for line in _wrong_wires("button or lamp", AT_A_SEAT, wires):
            yield f"{at}{line}"


def _is_pin(pin: object) -> bool:
    return isinstance(pin, int) and not isinstance(pin, bool) and 0 <= pin <= 27


def _meant(pin: object) -> str:
    """Return what to write in place of *pin*: a name such as GPIO17, or a place on the header."""
    named = re.fullmatch(r"(?:GPIO|BCM)? ?(\d{1,2})", pin.upper()) if isinstance(pin, str) else None
    if named and _is_pin(int(named[1])):
        return f"write {int(named[1])}, without quotes"
    for bcm, place in pins.PHYSICAL.items():
        if place == pin and not _is_pin(pin) and pin is not True:
            return f"place {place} of the header is BCM {bcm}"
    return "choose one from 0 to 27"


def _sound(known: Sequence[str], wires: Mapping[str, Any]) -> dict[str, Any]:
    return {name: pin for name, pin in wires.items() if name in known and _is_pin(pin)}


def _wrong_wires(what: str, known: Sequence[str], value: Mapping[str, Any]) -> Iterator[str]:
    for name, pin in value.items():
        at = f".{quoted(Name(name))}"
        if name not in known:
            yield f"{at}: unknown {what}; {nearest(name, known)}"
        elif not _is_pin(pin):
            yield f"{at}: {quoted(pin)} is not a BCM pin; {_meant(pin)}"


def _lines(found: Iterable[str]) -> str | None:
    return "\n".join(islice(found, MOST_TOLD)) or None


def _some_of(what: str, known: Sequence[str], value: Sequence[object]) -> str | None:
    for name in value:
        if name not in known:
            return f"unknown {what} {quoted(name)}; {nearest(name, known)}"
    return None


interfaces = partial(_some_of, "interface", pins.INTERFACES)
buttons = partial(_some_of, "button", CONSOLE)
