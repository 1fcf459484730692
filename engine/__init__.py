"""The rules of the cards and the bones; see docs for how data flows."""

from __future__ import annotations

from engine.core.bones import Face
from engine.core.cards import UNREAD, Card, Rank, Suit, deck
from engine.core.errors import BoneAceError, EventFormatError
from engine.core.events import (
    Choose,
    Claim,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Declare,
    Entry,
    Event,
    Facing,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    PackEnd,
    Reveal,
    Roll,
    Stake,
    Stick,
    Undo,
)
from engine.core.outcome import Bone, End, Outcome
from engine.core.players import Player
from engine.core.refusals import IllegalActionError
from engine.core.tokens import Ledger
from engine.core.views import Phase, ResultView, SeatStatus, SeatView, View
from engine.games.base import Action
from engine.records.codec import event_from_dict, event_to_dict
from engine.table.state import State, apply, find_inconsistencies, legal_actions, new_table
from engine.table.visibility import EVERYTHING, TABLE, Audience, view

__all__ = [
    "EVERYTHING",
    "TABLE",
    "UNREAD",
    "Action",
    "Audience",
    "Bone",
    "BoneAceError",
    "Card",
    "Choose",
    "Claim",
    "Correct",
    "CorrectBone",
    "Cut",
    "Deal",
    "Declare",
    "End",
    "Entry",
    "Event",
    "EventFormatError",
    "Face",
    "Facing",
    "Have",
    "IllegalActionError",
    "Join",
    "Leave",
    "Ledger",
    "Misdeal",
    "NextHand",
    "Outcome",
    "PackEnd",
    "Phase",
    "Player",
    "Rank",
    "ResultView",
    "Reveal",
    "Roll",
    "SeatStatus",
    "SeatView",
    "Stake",
    "State",
    "Stick",
    "Suit",
    "Undo",
    "View",
    "apply",
    "deck",
    "event_from_dict",
    "event_to_dict",
    "find_inconsistencies",
    "legal_actions",
    "new_table",
    "view",
]
