"""What a history may have to assume, and how unusual each thing is.

The ranks are Spohn's: 0 nobody would wonder, 1 happens now and then (to 1 turn in 100), 2 seldom
(to 1 in 1,000), 3 hardly ever. Ranks of independent things add. They stand nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Assumption(StrEnum):
    """Something that nobody saw or said; the word goes into the journal beside the event."""

    # Cards, any game
    UNSEEN_DRAW = "unseen_draw"
    """A card was drawn from the stock while nobody looked."""
    DEALT_UNSEEN = "dealt_unseen"
    """A card was dealt before the cards that show it."""
    DEALT_BLIND = "dealt_blind"
    """A card was dealt while the mat was not seen, and others were taken up."""
    SNATCHED = "snatched"
    """A card was dealt and taken up before a rest."""
    SLID = "slid"
    """A card came to rest at a neighbour's place."""
    CANDIDATE = "candidate"
    """Not the likeliest candidate of a reading."""
    MISREAD = "misread"
    """The camera was sure, and wrong."""

    # Words
    SILENT_HAVE = "silent_have"
    SILENT_STICK = "silent_stick"
    SILENT_STAND = "silent_stand"
    SILENT_KNOCK = "silent_knock"
    SILENT_NUMBER = "silent_number"
    """The number of bones was thrown, not said."""
    LATE_WORD = "late_word"
    NO_EFFECT = "no_effect"
    """A button was pressed before its time came, or meant nothing."""
    IGNORED_WORD = "ignored_word"
    """A button was pressed that the rules allowed just then, and meant nothing."""
    THROWN_IN = "thrown_in"
    """Cards were pushed away or turned face down: the hand is thrown in (rule G-17)."""

    OUT_OF_TURN = "out_of_turn"
    """Cards were thrown in by somebody whose turn it was not."""

    # Hands that are held or laid open
    NOT_DEALT = "not_dealt"
    """A card that nobody saw had not come after all: the hand lies open without it."""
    MISCOUNTED = "miscounted"
    """A card that was seen coming was none of the hand that lies open without it."""
    HELD_BACK = "held_back"
    """A hand lies open, and one card of it is held back."""
    ORDER = "order"
    """The order in which a hand that was taken up had been dealt."""
    TOOK_MORE = "took_more"
    """A player took more cards when the hand made 31 already, or was over."""
    HANDS_OPEN = "hands_open"
    """All hands lie open, so nobody wants another card."""
    SHOWN_EARLY = "shown_early"
    """A hand was laid open before its player's turns were over, and that meant nothing."""
    LAID_BACK = "laid_back"
    """One card of a hand that was taken up is laid back."""
    LAID_BACK_STREWN = "laid_back_strewn"
    """A hand that was taken up is laid back at all angles."""
    LAID_BACK_TURN = "laid_back_turn"
    """So it is, in its player's own turn."""
    LAID_BACK_ASKED = "laid_back_asked"
    """So it is, while its player waits for a card."""
    TURNED_DOWN = "turned_down"
    """Open cards were turned face down, and that meant nothing."""
    STRAY = "stray"
    """A card lies in the middle and means nothing."""

    # The pile of Thirty-one
    ONE_MOTION = "one_motion"
    """The discard was taken and another card laid in one motion."""
    SOURCE = "source"
    """Where the card was drawn from was covered."""
    PUT_BACK = "put_back"
    """The discard was taken up and put back."""
    TAKEN_BACK = "taken_back"
    """A player took their own finished discard back."""
    UNSEEN_DISCARD = "unseen_discard"
    """A discard that no look shows; two hands were seen."""
    TWO_LAID = "two_laid"
    """A player laid two cards on the discard; one is taken back, or lies there for nothing."""
    SQUARED = "squared"
    """The pile was squared up: two or more cards moved at once."""
    STOCK_MOVED = "stock_moved"
    """The stock lies otherwise than before, though nobody drew."""
    STOCK_GONE = "stock_gone"
    PILE_ORDER = "pile_order"
    """The order of the pile has changed."""
    CARD_HIDDEN = "card_hidden"
    """One card of the pile is gone from sight, and no other was touched."""

    # Hands over the mat
    OTHER_HAND = "other_hand"
    """The hand that acted is not among those seen."""
    UNSEEN_TURN = "unseen_turn"
    """A turn that ended without a rest; the hands of both players were seen."""
    MANY_TURNS = "many_turns"
    """Three turns in one look, without their hands."""

    # Bones
    BUMPED = "bumped"
    """A bone was pushed or turned, and keeps its points."""
    SWEPT = "swept"
    """Bones were swept aside, and keep their points."""
    PUSHED_FAR = "pushed_far"
    """It lies further off than a sleeve pushes it."""
    OWN_BONE = "own_bone"
    """It was pushed by the hand of whose turn it is."""
    FACE_MISREAD = "face_misread"
    """A bone that nobody touched shows another face: it was read wrongly before."""
    SAME_SPOT = "same_spot"
    """A bone fell near where another one had lain."""
    FELL_NEAR = "fell_near"
    """The one bone that was thrown fell as near to where it had lain as if it had been pushed."""
    NO_HAND = "no_hand"
    """The hand that threw was not seen, or nobody knows whose it was."""
    SAME_PLACE = "same_place"
    """A bone fell just where another one had lain, with its face."""
    TOO_MANY = "too_many"
    """More bones lie there than a set has."""
    KEPT_IN_HAND = "kept_in_hand"
    """More bones were taken up than were thrown."""
    BONE_MISSING = "bone_missing"
    """A bone of the throw fell out of sight."""
    BESIDE = "beside"
    """A bone that fell beside the mat is none of the throw."""
    ADDED = "added"
    """A bone came to those of a throw that was over, and is none of it."""
    LIFTED_UNCOUNTED = "lifted_uncounted"
    """Bones of a throw that was not finished were taken up again."""
    OTHER_LIFTED = "other_lifted"
    """Another player took the bones up."""
    OTHER_THREW = "other_threw"
    """The hand that threw was another player's."""
    ALL_AGAIN = "all_again"
    """A player throws all the bones again, as the next one would."""
    FOOLHARDY = "foolhardy"
    """So they do, though that can hardly end well."""


_RANKS: dict[int, tuple[Assumption, ...]] = {
    0: (
        Assumption.SOURCE,
        Assumption.UNSEEN_DRAW,
        Assumption.DEALT_UNSEEN,
        Assumption.SILENT_NUMBER,
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
        Assumption.THROWN_IN,
        Assumption.OUT_OF_TURN,
        Assumption.NOT_DEALT,
        Assumption.ONE_MOTION,
        Assumption.PUT_BACK,
        Assumption.UNSEEN_DISCARD,
        Assumption.UNSEEN_TURN,
        Assumption.SQUARED,
        Assumption.TWO_LAID,
        Assumption.KEPT_IN_HAND,
        Assumption.SWEPT,
        Assumption.LIFTED_UNCOUNTED,
        Assumption.OTHER_LIFTED,
        Assumption.SAME_SPOT,
        Assumption.ALL_AGAIN,
        Assumption.FACE_MISREAD,
        Assumption.LAID_BACK,
        Assumption.STRAY,
        Assumption.TOOK_MORE,
    ),
    2: (
        Assumption.NO_EFFECT,
        Assumption.DEALT_BLIND,
        Assumption.SILENT_KNOCK,
        Assumption.TAKEN_BACK,
        Assumption.STOCK_MOVED,
        Assumption.OTHER_HAND,
        Assumption.SLID,
        Assumption.CARD_HIDDEN,
        Assumption.TOO_MANY,
        Assumption.OWN_BONE,
        Assumption.FELL_NEAR,
        Assumption.NO_HAND,
        Assumption.BONE_MISSING,
        Assumption.BESIDE,
        Assumption.FOOLHARDY,
        Assumption.TURNED_DOWN,
        Assumption.SHOWN_EARLY,
    ),
    3: (
        Assumption.MANY_TURNS,
        Assumption.STOCK_GONE,
        Assumption.PILE_ORDER,
        Assumption.MISREAD,
        Assumption.PUSHED_FAR,
        Assumption.SAME_PLACE,
        Assumption.LAID_BACK_TURN,
        Assumption.LAID_BACK_STREWN,
        Assumption.LAID_BACK_ASKED,
        Assumption.HELD_BACK,
        Assumption.MISCOUNTED,
    ),
    4: (Assumption.IGNORED_WORD, Assumption.OTHER_THREW, Assumption.ADDED),
}

RANK: dict[Assumption, int] = {word: rank for rank, words in _RANKS.items() for word in words}
"""How unusual each is, 0 to 4: only a repair goes so far."""


def cost_of(assumed: Iterable[Assumption]) -> int:
    """Return the rank of several assumptions together."""
    return sum(RANK[word] for word in assumed)
