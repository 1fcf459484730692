"""Notices and questions of the croupier of Thirty-one."""

from __future__ import annotations

from collections.abc import Sequence

from device.croupier.messages import LAY_AGAIN
from device.croupier.questions import Choice, Notice, Question, QuestionKind
from engine.core.cards import Card
from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.words import count, the_card

ACCEPT = "accept"
"""Key of the answer that nobody starts over; that of a player is the number of their seat."""


def restart(players: Sequence[tuple[int, Value]]) -> Question:
    """Ask which player starts Switch over, by seats and names, if any (rule SW-8)."""
    restarts = [
        Choice(str(seat), Message("{name} starts again", name=name)) for seat, name in players
    ]
    return Question(
        QuestionKind.RESTART,
        Message("More than 21 in one suit: start again?"),
        candidates=(*restarts, Choice(ACCEPT, Message("No: score the hand"))),
    )


def hand_laid(text: Value) -> Notice:
    """Explain why (*text*) an open hand counts for nothing now."""
    return Notice(text, Message("Take the cards up again; the game goes on."), urgent=False)


def show_all(name: Value, seen: int) -> Notice:
    """Report that not all cards of a hand laid open can be seen."""
    return Notice(
        Message("I see {cards} of {name}'s hand.", cards=count(seen, "card"), name=name),
        Message("Lay all three side by side, face up."),
        urgent=False,
    )


def show_three(name: Value, seen: int) -> Notice:
    """Report that more cards are laid open than a hand has."""
    return Notice(
        Message("I see {cards} of {name}'s hand.", cards=count(seen, "card"), name=name),
        Message("Take away what is not of the hand, or press MENU for a misdeal."),
    )


def turn_discard_up() -> Notice:
    """Ask for a discard that lies face down to be turned."""
    return Notice(Message("The discard lies face down."), Message("Turn it up."))


def one_discard() -> Notice:
    """Report that more than one card was laid on the discard at once."""
    return Notice(
        Message("More than one new card lies on the discard."),
        Message("One is laid at a time: take back the later one, or straighten the pile."),
    )


def no_discard() -> Notice:
    """Report that the pile cannot be seen."""
    return Notice(
        Message("I do not see the discard."),
        Message("Lay the pile on its place, the last card on top."),
        urgent=False,
    )


def disturbed(top: Card) -> Notice:
    """Ask for the pile to be laid as it was."""
    return Notice(
        Message("The discard is not as it was."), Message("On top lies {card}.", card=the_card(top))
    )


def unclear_middle() -> Notice:
    """Report that the cards in the middle do not tell what was done."""
    return Notice(
        Message("I do not understand what changed in the middle."),
        Message("Exchange as the rules allow, or lay the cards back."),
    )


def turn_down() -> Notice:
    """Ask for a card of a closed pile to be turned."""
    return Notice(
        Message("A card in the middle lies face up too early."),
        Message("Turn it face down, or press MENU for a misdeal."),
    )


def turn_table_up() -> Notice:
    """Ask for a card of the open table to be turned (rule SB-2)."""
    return Notice(Message("The cards on the table lie face up."), Message("Turn them over."))


def three_open() -> Notice:
    """Report that the dealer's other hand is laid out whole (rule SW-2)."""
    return Notice(
        Message("The hand that is not kept lies open in the middle."),
        Message("Lay all three cards side by side, face up."),
        urgent=False,
    )


def just_exchange() -> Notice:
    """Report that a turn of this variant is seen, not said."""
    return Notice(
        Message("Exchange your cards in the middle; I see it."), Message("STICK: knock, or stand.")
    )


def lay_open() -> Notice:
    """Report that hands are shown, not said."""
    return Notice(
        Message("Hands are shown on the table."), Message("Lay your cards face up at your place.")
    )


def does_not_count() -> Notice:
    """Name a card in the middle that was not to be laid there."""
    text = Message("A card in the middle does not count.")
    return Notice(sentences(text, LAY_AGAIN), urgent=False)


def cannot_read_middle() -> Notice:
    """Ask for a card that belongs to nobody to be laid another way."""
    return Notice(
        Message("I cannot read a card in the middle."),
        Message("Turn or move it a little, and I will look again."),
    )


def which_middle_card(
    candidates: tuple[Card, ...],
    thing: int,
    place: tuple[float, float],
    *,
    on_discard: bool,
) -> Question:
    """Ask what an unread card in the middle or on the discard is."""
    if len(candidates) == 1:
        card = the_card(candidates[0])
        text = Message("Is the card in the middle {card}?", card=card)
        if on_discard:
            text = Message("Is the card on the discard {card}?", card=card)
    elif on_discard:
        text = Message("Which card lies on the discard?")
    else:
        text = Message("Which card lies in the middle?")
    return Question(QuestionKind.CARD, text, None, candidates, thing, place=place)
