"""One great moment of each kind, about somebody with a long name."""

from engine import Card
from engine.core.messages.message import Message
from engine.games.moments import Moment, MomentKind

NAME = "Bartholomew Whit"


def great_moments():
    """Return them by name; those of the cards have their card, with long totals."""
    ace, king = Card.parse("AD"), Card.parse("KH")
    takes = Message("{name} takes the Bone", name=NAME)
    made = {
        MomentKind.MATCH: ("Match won!", NAME, None),
        MomentKind.THIRTY_ONE: (
            "Thirty-one!", Message("{name} is paid double", name=NAME), None),
        MomentKind.BONE_ACE: ("Bone-Ace!", takes, ace),
        MomentKind.BONE: ("The Bone!", takes, king),
        MomentKind.KNOCK: ("Knock, knock!", Message("{name} has knocked", name=NAME), None),
        MomentKind.FIVE: ("Five alike!", NAME, None),
        MomentKind.BANK: ("A new bank!", Message("{name} is the bank", name=NAME), None),
        MomentKind.LAST_LIFE: ("Last life!", NAME, None),
    }  # fmt: skip
    found = {
        kind.value: Moment(kind, Message(title), detail, "", card)
        for kind, (title, detail, card) in made.items()
    }
    out = Message("{name} is out", name=NAME)
    for name, title in (
        ("over", Message("{total}: over!", total=41)),
        ("over-unknown", Message("Over {target}!", target=31)),
    ):
        found[name] = Moment(MomentKind.OVER, title, out, "")
    return found
