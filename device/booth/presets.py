"""What presets are called on the screen."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.messages.message import Message, Value

_TOLD: Mapping[str, Message] = {
    # Translators: whose rules are played, in two or three words, such as beside "Willughby".
    "cotton-ace-one": Message("Cotton, ace one"),
    "handout": Message("A handout"),
    "dollar-bill-no-ride": Message("Dollar bill, no free ride"),
    "three-of-a-kind": Message("Three of a kind"),
    "no-elimination": Message("No elimination"),
    "stop-the-bus-plain": Message("Stop the bus, plain"),
}
"""Names that say something; the others are those of people, places and games."""


def preset_title(name: str) -> Value:
    """Return the name of a preset as it is shown.

    >>> preset_title("california-quick"), str(preset_title("handout"))
    ('California Quick', 'A handout')
    """
    return _TOLD.get(name, name.replace("-", " ").title())
