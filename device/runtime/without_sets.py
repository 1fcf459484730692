"""What a table says that plays without the deck or the bones that it was taught."""

from __future__ import annotations

from engine.core.messages.message import Message


def passed_over(kind: str, name: str) -> Message:
    """Return what the table says of a taught deck, or of taught bones, that it does without."""
    if kind == "deck":
        return Message(
            "The taught deck {name} cannot be used; the table reads cards without it. Teach it "
            "again: boneace teach deck {name}",
            name=name,
        )
    return Message(
        "The taught bones {name} cannot be used; the table reads bones without them. Teach them "
        "again: boneace teach bones {name}",
        name=name,
    )
