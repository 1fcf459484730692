"""What the keys of a keyboard are called, and which of them is which button."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from device.hardware.buttons import KEYS, is_mute
from device.ports import Button
from display.controls import BUTTON_WORDS
from engine.core.messages.message import Joined, Message, Value

_NAMES: Mapping[str, Message] = {
    # Translators: what is printed on the keys of the keyboards that are sold in your country.
    "return": Message("Enter"),
    "space": Message("Space"),
    "backspace": Message("Backspace"),
    "escape": Message("Esc"),
    "page down": Message("Page Down"),
}

_WORDS: Mapping[str, Value] = {**BUTTON_WORDS, Button.QUIT: Message("quit")}

_GAP = "\N{EN SPACE}\N{EN SPACE}"


def legend(signs: Collection[str], without: Collection[str] = ()) -> Value:
    """Return which keys press which button while *signs* can be typed, but for those *without*.

    >>> print(legend(()).items[1], legend(("a",)).items[1], sep="; ")
    STICK: S, Space; STICK: Space
    """
    lines: list[Value] = []
    for button, words in _WORDS.items():
        keys = tuple(
            _NAMES.get(name, name.upper())
            for name, means in KEYS.items()
            if means == button and (name in _NAMES or len(name) == 1)
            if name not in without and name not in signs and not is_mute(name, signs)
        )
        if keys:
            lines.append(Message("{name}: {said}", name=words, said=Joined(keys, ", ")))
    if signs:
        # Translators: after "HAVE IT: Enter" and the like, where cards or letters can be typed.
        lines.append(Message("or type it"))
    return Joined(tuple(lines), _GAP)
