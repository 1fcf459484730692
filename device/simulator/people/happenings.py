"""The closed list of the things that people do at a table, as they are counted."""

from __future__ import annotations

from enum import StrEnum


class Happening(StrEnum):
    """What somebody did that a camera or a croupier might not take rightly."""

    # Any game
    NO_REST = "no rest after a move"
    HANDS_LEFT = "hand left over the mat"
    ASKEW = "card laid askew or overlapping"
    UNREAD = "card not read"
    WORD_LATE = "word said late"
    WORD_TAKEN_BACK = "word taken back"
    SAID_OUT = "said out"
    THROWN_IN = "thrown into the middle"
    TURNED_DOWN = "open cards turned face down"
    SHOWN_EARLY = "hand shown early"
    BLIND = "mat not seen for a while"
    # One-and-Thirty, Bone-Ace
    HELD = "cards held in the hand"
    LAID_BACK = "held cards laid back"
    SNATCHED = "card taken up before a rest"
    HAVE_UNSAID = "HAVE unsaid"
    STICK_UNSAID = "STICK unsaid"
    OVER_IN_SILENCE = "over in silence"
    UNCLAIMED_31 = "31 not claimed"
    DEALT_31 = "31 dealt"
    MISLAID = "card laid at a neighbour's place"
    FAN = "hand shown as a fan"
    SPREAD = "hand shown as a packet spread out"
    COVERED_SHOW = "hand shown with a card covered"
    SHOWN_AFTER_END = "hand shown after the end"
    THROWN_AT_SHOWDOWN = "thrown in instead of shown"
    # Thirty-one (Scat)
    ONE_MOTION = "discard taken and another laid in one motion"
    PUT_BACK = "discard taken and put back"
    STOCK_PUT_BACK = "stock card drawn and put back"
    TWO_DISCARDS = "two cards laid, one taken back"
    COVERED_UNSEEN = "discard covered before it was seen"
    TAKEN_UNSEEN = "discard taken before it was seen"
    KNOCK_LATE = "knock said late"
    KNOCK_UNSAID = "knock unsaid"
    STAND_UNSAID = "STAND unsaid"
    PILE_SQUARED = "discard pile squared up"
    STOCK_SQUARED = "stock squared up or cut anew"
    # Knucklebones
    NUMBER_UNPRESSED = "number unpressed"
    THROWN_EARLY = "bones thrown early"
    BONES_STAY = "first bones left lying"
    NO_EMPTY_MAT = "no empty mat between two throws"
    BUMPED = "bone bumped"
    OFF_MAT = "bone off the mat"
    LEANING = "bone leaning"
    STAKE_PRESSED = "stake laid at the seat"
    # Nothing of these
    PLAIN = "nothing unusual"
