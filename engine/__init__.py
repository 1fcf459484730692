"""The rules of the cards and the bones; see docs for how data flows."""

from __future__ import annotations

from engine import games
from engine.audience import EVERYTHING, TABLE, Audience, view
from engine.bones import Face
from engine.cards import UNREAD, Card, Rank, Suit, deck
from engine.errors import BoneAceError, IllegalActionError
from engine.event_format import EventFormatError, event_from_dict, event_to_dict
from engine.events import (
    Choose,
    Claim,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Declare,
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
from engine.games import Action
from engine.ledger import Ledger
from engine.outcome import Bone, End, Outcome
from engine.players import Player
from engine.problems import problems
from engine.table import State, apply, legal_actions, new_table
from engine.views import BoneView, Phase, ResultView, SeatStatus, SeatView, View

__all__ = [
    "EVERYTHING",
    "TABLE",
    "UNREAD",
    "Action",
    "Audience",
    "Bone",
    "BoneAceError",
    "BoneView",
    "Card",
    "Choose",
    "Claim",
    "Correct",
    "CorrectBone",
    "Cut",
    "Deal",
    "Declare",
    "End",
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
    "games",
    "legal_actions",
    "new_table",
    "problems",
    "view",
]
