"""Notices and questions of the croupier of Thirty-one."""

from __future__ import annotations

from collections.abc import Sequence

from device.croupier.by_histories.questions import Choice, Notice, Question, QuestionKind
from engine.core.cards import Card
from engine.core.messages.message import Message, Style, Styled, Value
from engine.core.messages.words import a_card, card_words, count, the_card

MISREAD, NEW, STILL = "misread", "new", "still"
"""Keys of the answers on a card that lies untouched and looks like another one."""
STAYED, AGAIN = "stayed", "again"
"""Keys of the answers on a discard that lies again where it was taken."""
TAKEN, STOCK = "taken", "stock"
"""Keys of the answers on where a card was drawn from."""
ACCEPT = "accept"
"""Key of the answer that nobody starts over; that of a player is the number of their seat."""


def all_dealt(thing: int | None) -> Question:
    """Ask before the rest of the deal is taken as done (rule SC-3)."""
    return Question(QuestionKind.DEALT, Message("Has everybody three cards?"), thing=thing)


def lies_again(name: Value, seat: int, card: Card, thing: int) -> Question:
    """Ask about a discard that was drawn and lies on the pile again (rule SC-16)."""
    return Question(
        QuestionKind.RETURNED,
        Message(
            "The discard is {card} again. Did {name} draw it at all?",
            card=card_words(card),
            name=name,
        ),
        seat,
        (Choice(STAYED, Message("No: not drawn")), Choice(AGAIN, Message("Yes: laid back"))),
        thing,
    )


def misread_or_new(
    seat: int | None, was: Card | None, now: Card, thing: int, place: tuple[float, float]
) -> Question:
    """Ask about an open card that nobody seems to have touched and that reads differently."""
    said = (
        Message("A closed card seems to be {now}. What happened?", now=a_card(now))
        if was is None
        else Message(
            "{was} now looks like {now}. What happened?",
            was=Styled(the_card(was), Style.CAPITAL),
            now=a_card(now),
        )
    )
    answers = [Choice(NEW, Message("A new card"))]
    if was is not None:
        answers.append(Choice(MISREAD, Message("It was misread")))
    answers.append(Choice(STILL, Message("Nothing")))
    return Question(QuestionKind.REREAD, said, seat, tuple(answers), thing, place=place)


def drawn_from(name: Value, seat: int, top: Card) -> Question:
    """Ask where a card came from when the pile tells two stories (rule SC-4)."""
    return Question(
        QuestionKind.WHICH_MOVE,
        Message("Did {name} draw the discard or from the stock?", name=name),
        seat,
        (
            Choice(STOCK, Message("From the stock")),
            # Translators: {card} is one such as "ace of hearts".
            Choice(TAKEN, Message("The {card}", card=card_words(top))),
        ),
    )


def which_move(name: Value, seat: int, choices: Sequence[Choice]) -> Question:
    """Ask which of several things that look alike a player did."""
    return Question(
        QuestionKind.WHICH_MOVE, Message("What does {name} do?", name=name), seat, tuple(choices)
    )


def restart(players: Sequence[tuple[int, Value]]) -> Question:
    """Ask which player starts Switch over, by seats and names, if any (rule SW-8)."""
    restarts = [
        Choice(str(seat), Message("{name} begins anew", name=name)) for seat, name in players
    ]
    return Question(
        QuestionKind.RESTART,
        Message("More than 21 in one suit: begin anew?"),
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


def has_drawn(name: Value, top: Card) -> Notice:
    """Report that a player takes a second card (rule SC-4)."""
    return Notice(
        Message("{name} has drawn a card already.", name=name),
        Message("Lay {card} back on the discard, or press UNDO.", card=the_card(top)),
    )


def as_it_lies() -> Notice:
    """Report that what was taken back is not read again by itself."""
    return Notice(
        Message("Taken back. Lay the cards as they should be."),
        Message("HAVE: they count as they lie."),
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
    return Notice(
        Message("A card in the middle does not count."),
        Message("Take it up; lay it again if it belongs there."),
        urgent=False,
    )


def stray() -> Notice:
    """Name an open card that belongs nowhere."""
    return Notice(
        Message("A card lies face up between the places."),
        Message("Lay it on its player's place, or on the discard pile."),
        urgent=False,
    )


def cannot_read_middle() -> Notice:
    """Ask for a card that belongs to nobody to be laid another way."""
    return Notice(
        Message("I cannot read a card in the middle."),
        Message("Turn or move it a little, and I will look again."),
    )


def which_middle_card(
    candidates: tuple[Card, ...], thing: int, place: tuple[float, float]
) -> Question:
    """Ask what an unread card in the middle or on the discard is."""
    text = (
        Message("Is the card in the middle {card}?", card=the_card(candidates[0]))
        if len(candidates) == 1
        else Message("Which card lies in the middle?")
    )
    return Question(QuestionKind.CARD, text, None, candidates, thing, place=place)
