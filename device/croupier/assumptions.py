"""What a history may have to assume, and how unusual each thing is.

The ranks are Spohn's: 0 nobody would wonder, 1 happens now and then (to 1 turn in 100), 2 seldom
(to 1 in 1,000), 3 hardly ever. Ranks of independent things add. They stand nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum, auto


class Assumption(StrEnum):
    """Something that nobody saw or said.

    Its name in small letters goes into the journal beside the event: do not change a name.
    """

    # Cards, any game
    DEALT_UNSEEN = auto()
    """A card was dealt before the cards that show it."""
    DEALT_BLIND = auto()
    """A card was dealt while the mat was not seen, and others were taken up."""
    SNATCHED = auto()
    """A card was dealt and taken up before a rest."""
    FELL = auto()
    """A card fell at the place of somebody who is to get none, and does not count."""
    EXPOSED = auto()
    """A card was dealt open that should not be, and nobody has said yet whether it counts."""
    SLID = auto()
    """A card came to rest at a neighbour's place."""
    SLID_FAR = auto()
    """A card came to rest at the place of somebody who does not sit beside."""
    CANDIDATE = auto()
    """Not the likeliest candidate of a reading."""
    MISREAD = auto()
    """The camera was sure, and wrong."""

    # Words
    SILENT_HAVE = auto()
    SILENT_STICK = auto()
    SILENT_STAND = auto()
    SILENT_KNOCK = auto()
    LATE_WORD = auto()
    AT_ONCE = auto()
    """HAVE as soon as a card lay there without it asks for one more, and is not late."""
    WITHDRAWN = auto()
    """A player who had said HAVE wanted no card after all, and none came."""
    NO_EFFECT = auto()
    """A button was pressed before its time came, or meant nothing."""
    IGNORED_WORD = auto()
    """A button was pressed that the rules allowed just then, and meant nothing."""
    NO_UNDO = auto()
    """UNDO was pressed by mistake, and people played on."""
    THROWN_IN = auto()
    """Cards were pushed away or turned face down: the hand is thrown in (rule G-17)."""

    OUT_OF_TURN = auto()
    """Cards were thrown in by somebody whose turn it was not."""

    # Hands that are held or laid open
    NOT_DEALT = auto()
    """A card that nobody saw had not come after all: the hand lies open without it."""
    MISCOUNTED = auto()
    """A card that was seen coming was none of the hand that lies open without it."""
    FOUND_TWICE = auto()
    """A card was found twice: a part of it, not read, or a back beside it that was gone again."""
    HELD_BACK = auto()
    """A hand lies open, and one card of it is held back."""
    ORDER = auto()
    """The order in which a hand that was taken up had been dealt."""
    TOOK_MORE = auto()
    """A player took more cards when the hand made 31 already, or was over."""
    PLAYED_ON = auto()
    """A card was dealt although everybody could see that the hand was over."""
    HANDS_OPEN = auto()
    """All hands lie open, so nobody wants another card."""
    PLAYS_OPEN = auto()
    """A player whose hand lies open in the own turn may still want a card."""
    OPEN_IN_VAIN = auto()
    """All hands lie open once more, and that is not the end yet."""
    SHOWN_EARLY = auto()
    """A hand was laid open before its player's turns were over, and that meant nothing."""
    LAID_BACK = auto()
    """One card of a hand that was taken up is laid back."""
    LAID_BACK_STREWN = auto()
    """A hand that was taken up is laid back at all angles."""
    LAID_BACK_TURN = auto()
    """So it is, in its player's own turn."""
    LAID_BACK_ASKED = auto()
    """So it is, while its player waits for a card."""
    LAID_ASIDE = auto()
    """A closed hand was laid at another player's place for a while."""
    SHOWN_AFTER = auto()
    """All have laid their hands open after a call of 31, though nobody else need."""
    TURNED_DOWN = auto()
    """Open cards were turned face down, and that meant nothing."""
    STRAY = auto()
    """A card lies in the middle and means nothing."""

    # The pile of Thirty-one
    ONE_MOTION = auto()
    """The discard was taken and another card laid in one motion."""
    SOURCE = auto()
    """Where the card was drawn from was covered."""
    PUT_BACK = auto()
    """The discard was taken up and put back."""
    TAKEN_BACK = auto()
    """A player took their own finished discard back."""
    UNSEEN_DISCARD = auto()
    """A discard that no look shows; two hands were seen."""
    TWO_LAID = auto()
    """A player laid two cards on the discard; one is taken back, or lies there for nothing."""
    SQUARED = auto()
    """The pile was squared up: two or more cards moved at once."""
    STOCK_MOVED = auto()
    """The stock lies otherwise than before, though nobody drew."""
    STOCK_GONE = auto()
    CARD_HIDDEN = auto()
    """One card of the pile is gone from sight, and no other was touched."""
    LOST_TRACK = auto()
    """What was drawn and laid is not known: the hands that lie open contradict it."""

    # Hands over the mat
    OTHER_HAND = auto()
    """The hand that acted is not among those seen."""
    EARLIER_HAND = auto()
    """A card was laid by somebody unseen, where another's hand was the last over the mat."""
    IDLE_HAND = auto()
    """A hand was over the mat for nothing: before the one that acted, of which nobody knows whose
    it was, or that of a player who is taken to have knocked at the console."""
    UNSEEN_TURN = auto()
    """A turn that ended without a rest; the hands of both players were seen."""
    MANY_TURNS = auto()
    """Three turns in one look, without their hands."""

    # Bones
    BUMPED = auto()
    """A bone was pushed or turned, and keeps its points."""
    KNOCKED_OVER = auto()
    """A bone was turned over by one that was thrown, and keeps its points."""
    SWEPT = auto()
    """Bones were swept aside, and keep their points."""
    PUSHED_FAR = auto()
    """It lies further off than a sleeve pushes it."""
    OWN_BONE = auto()
    """It was pushed by the hand of whose turn it is."""
    FACE_MISREAD = auto()
    """A bone, or a card on the pile, that nobody touched reads otherwise: it was read wrongly."""
    FACE_UNREAD = auto()
    """A bone of a throw was not read, and people went on: the throw counts."""
    FACE_UNSEEN = auto()
    """A bone of a throw was not seen, and people went on: the throw counts."""
    SAME_SPOT = auto()
    """A bone fell near where another one had lain."""
    FELL_NEAR = auto()
    """The one bone that was thrown fell as near to where it had lain as if it had been pushed."""
    NO_HAND = auto()
    """The hand that threw was not seen, or nobody knows whose it was."""
    SAME_PLACE = auto()
    """A bone fell just where another one had lain."""
    TOO_MANY = auto()
    """More bones lie there than a set has."""
    KEPT_IN_HAND = auto()
    """More bones were taken up than were thrown."""
    BONE_MISSING = auto()
    """A bone of the throw fell out of sight."""
    BESIDE = auto()
    """A bone that fell beside the mat is none of the throw."""
    ADDED = auto()
    """A bone came to those of a throw that was over, and is none of it."""
    ONE_BY_ONE = auto()
    """More bones of a number that was not said were thrown after the first ones."""
    THROWN_AFTER = auto()
    """All bones were thrown after the end of a round, for nothing."""
    LIFTED_UNCOUNTED = auto()
    """Bones of a throw that was not finished were taken up again."""
    OTHER_LIFTED = auto()
    """Another player took the bones up."""
    OTHER_THREW = auto()
    """The hand that threw was another player's, for whose turn it is or for nothing."""
    ALL_AGAIN = auto()
    """A player throws all the bones again, as the next one would."""
    FOOLHARDY = auto()
    """So they do, though that can hardly end well."""


_RANKS: dict[int, tuple[Assumption, ...]] = {
    0: (
        Assumption.SOURCE,
        Assumption.DEALT_UNSEEN,
        Assumption.BUMPED,
        Assumption.ORDER,
        Assumption.HANDS_OPEN,
    ),
    1: (
        Assumption.SNATCHED,
        Assumption.CANDIDATE,
        Assumption.SILENT_HAVE,
        Assumption.SILENT_STICK,
        Assumption.SILENT_STAND,
        Assumption.LATE_WORD,
        Assumption.OWN_BONE,
        Assumption.THROWN_IN,
        Assumption.OUT_OF_TURN,
        Assumption.NOT_DEALT,
        Assumption.FOUND_TWICE,
        Assumption.ONE_MOTION,
        Assumption.PUT_BACK,
        Assumption.UNSEEN_DISCARD,
        Assumption.UNSEEN_TURN,
        Assumption.EARLIER_HAND,
        Assumption.IDLE_HAND,
        Assumption.SQUARED,
        Assumption.TWO_LAID,
        Assumption.KEPT_IN_HAND,
        Assumption.SWEPT,
        Assumption.KNOCKED_OVER,
        Assumption.LIFTED_UNCOUNTED,
        Assumption.OTHER_LIFTED,
        Assumption.SAME_SPOT,
        Assumption.ALL_AGAIN,
        Assumption.FACE_MISREAD,
        Assumption.FACE_UNREAD,
        Assumption.LAID_BACK,
        Assumption.STRAY,
        Assumption.TOOK_MORE,
        Assumption.EXPOSED,
        Assumption.PLAYED_ON,
        Assumption.OPEN_IN_VAIN,
        Assumption.SHOWN_AFTER,
    ),
    2: (
        Assumption.AT_ONCE,
        Assumption.WITHDRAWN,
        Assumption.NO_EFFECT,
        Assumption.NO_UNDO,
        Assumption.DEALT_BLIND,
        Assumption.SILENT_KNOCK,
        Assumption.TAKEN_BACK,
        Assumption.STOCK_MOVED,
        Assumption.OTHER_HAND,
        Assumption.SLID,
        Assumption.FELL,
        Assumption.CARD_HIDDEN,
        Assumption.TOO_MANY,
        Assumption.FACE_UNSEEN,
        Assumption.THROWN_AFTER,
        Assumption.FELL_NEAR,
        Assumption.NO_HAND,
        Assumption.BONE_MISSING,
        Assumption.BESIDE,
        Assumption.FOOLHARDY,
        Assumption.TURNED_DOWN,
        Assumption.LAID_ASIDE,
        Assumption.SHOWN_EARLY,
        Assumption.PLAYS_OPEN,
    ),
    3: (
        Assumption.MANY_TURNS,
        Assumption.STOCK_GONE,
        Assumption.MISREAD,
        Assumption.PUSHED_FAR,
        Assumption.SAME_PLACE,
        Assumption.ONE_BY_ONE,
        Assumption.LAID_BACK_TURN,
        Assumption.LAID_BACK_STREWN,
        Assumption.LAID_BACK_ASKED,
        Assumption.HELD_BACK,
        Assumption.MISCOUNTED,
        Assumption.SLID_FAR,
    ),
    4: (Assumption.LOST_TRACK, Assumption.IGNORED_WORD, Assumption.OTHER_THREW, Assumption.ADDED),
}

RANK: dict[Assumption, int] = {word: rank for rank, words in _RANKS.items() for word in words}
"""How unusual each is, 0 to 4: only a repair goes so far."""


def cost_of(assumed: Iterable[Assumption]) -> int:
    """Return the rank of several assumptions together."""
    return sum(RANK[word] for word in assumed)
