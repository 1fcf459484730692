"""Why an event is refused: one code for each reason, and the error that carries it (rule G-19)."""

from __future__ import annotations

from enum import StrEnum

from engine.core.errors import BoneAceError


class Refusal(StrEnum):
    """A refusal code of the event language; records and JSON keep its value.

    Rules test in this order: seat known, phase, seat out, turn, the rest.
    """

    UNKNOWN_SEAT = "UNKNOWN_SEAT"
    """Nobody plays at that seat."""
    SEAT_OUT = "SEAT_OUT"
    """The player is out of the hand or of the match."""
    WRONG_PHASE = "WRONG_PHASE"
    """The event is not possible now, or this game does not know it."""
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """Another player has to act."""

    DUPLICATE_CARD = "DUPLICATE_CARD"
    """As many of that card as the packs hold are on the table already (G-8)."""
    NOT_IN_DECK = "NOT_IN_DECK"
    """The pack in use has no such card (G-9)."""
    UPCARD_UNREADABLE = "UPCARD_UNREADABLE"
    """A card that must lie open was not read (BA-1)."""
    MISMATCH = "MISMATCH"
    """The cards shown are not those dealt or read before (G-20)."""

    TOO_MANY_CARDS = "TOO_MANY_CARDS"
    """The hand or the pile has all the cards of the deal."""
    WRONG_DEAL_ORDER = "WRONG_DEAL_ORDER"
    """The next card of the deal goes somewhere else."""
    NO_REQUEST = "NO_REQUEST"
    """The player has not asked for a card (OT-20)."""
    CARD_PENDING = "CARD_PENDING"
    """The player has asked for a card and must get it first (OT-20)."""
    WRONG_END = "WRONG_END"
    """The card comes from the wrong end of the pack (OT-7)."""
    FALSE_31 = "FALSE_31"
    """The cards shown with a claim of 31 do not make 31 (OT-17, SC-24)."""

    BAD_CORRECTION = "BAD_CORRECTION"
    """There is no such reading to correct (G-10, KB-20)."""
    NO_SUCH_HAND = "NO_SUCH_HAND"
    """The sitting has no hand of that number (G-12, G-13)."""
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO"
    """Nothing has happened in this hand (G-14)."""
    BAD_ENTRY = "BAD_ENTRY"
    """An entry without a reason, or whose tokens do not go from seat to seat (G-22)."""

    JOIN_NOT_NOW = "JOIN_NOT_NOW"
    """A hand is in play, or a match has begun (G-15)."""
    SEAT_TAKEN = "SEAT_TAKEN"
    """Somebody sits at that seat (G-15)."""
    TABLE_FULL = "TABLE_FULL"
    """The game takes no more players (G-15)."""
    NOT_ENOUGH_PLAYERS = "NOT_ENOUGH_PLAYERS"
    """Too few players are left for the next hand (G-16)."""
    MATCH_OVER = "MATCH_OVER"
    """The match is won; no hand can follow (G-16)."""

    BONE_COUNT = "BONE_COUNT"
    """More or fewer bones than are due (KB-14)."""
    BAD_FACE = "BAD_FACE"
    """Points that no face of a bone has (KB-1)."""
    COCKED_BONE = "COCKED_BONE"
    """A bone leans or cannot be read (KB-15); tested before the face and the count."""
    BAD_CHOICE = "BAD_CHOICE"
    """A number of bones outside the range allowed (KB-5)."""
    CHOOSE_FIRST = "CHOOSE_FIRST"
    """The player must first say how many more bones (KB-5)."""
    BANKER_MUST_ROLL = "BANKER_MUST_ROLL"
    """The banker may not stand yet (KB-18)."""
    BAD_STAKE = "BAD_STAKE"
    """A stake that is no whole number of tokens from 1 (KB-2)."""

    MUST_DRAW = "MUST_DRAW"
    """The player has to draw before discarding (SC-4)."""
    MUST_DISCARD = "MUST_DISCARD"
    """The player has drawn and has to discard (SC-4)."""
    NOT_IN_HAND = "NOT_IN_HAND"
    """The card is not in the player's hand (SC-23)."""
    RETURNED_DISCARD = "RETURNED_DISCARD"
    """The card just taken from the discard may not go back (SC-16)."""
    OWN_DISCARD = "OWN_DISCARD"
    """The player threw the top of the discard (SC-15)."""
    STOCK_EMPTY = "STOCK_EMPTY"
    """No card is left to draw (SC-18, OT-21)."""
    DISCARD_EMPTY = "DISCARD_EMPTY"
    """No card lies on the discard (SC-4)."""

    ALREADY_KNOCKED = "ALREADY_KNOCKED"
    """Somebody has knocked (SC-5)."""
    KNOCK_NOT_ALLOWED = "KNOCK_NOT_ALLOWED"
    """The player may not knock yet (CQ-6, SW-6)."""
    STAND_NOT_ALLOWED = "STAND_NOT_ALLOWED"
    """The player may not stand now."""
    MUST_SWAP_FIRST = "MUST_SWAP_FIRST"
    """A swap, or the rest of a turn, comes first (SB-3)."""
    WIDOW_COUNT = "WIDOW_COUNT"
    """Not a number of cards that may change places with the widow (BK-3)."""
    BAD_SWAP = "BAD_SWAP"
    """Those cards or places cannot be swapped."""
    NOT_ON_TABLE = "NOT_ON_TABLE"
    """The card does not lie on the table."""
    RENEW_NOT_ALLOWED = "RENEW_NOT_ALLOWED"
    """The hand on the table may not be renewed now (SW-5, SW-6)."""
    RESTART_NOT_ALLOWED = "RESTART_NOT_ALLOWED"
    """The player may not begin the hand again (SW-8)."""


class IllegalActionError(BoneAceError, ValueError):
    """An event that the rules refuse now; the state is as it was (rule G-19).

    Attributes:
        code: why.
    """

    def __init__(self, code: Refusal, message: str) -> None:
        """Keep the reason and a sentence that tells the dealer what to do."""
        super().__init__(message)
        self.code = code
