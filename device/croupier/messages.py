"""What the croupier says besides questions: notices and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from device.croupier.questions import Notice
from engine import IllegalActionError
from engine.core.messages.message import EnglishOr, Listing, Message, Value, sentences
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import count
from engine.core.refusals import Refusal
from engine.core.views import Phase

REFUSALS: Mapping[str, Message] = {
    Refusal.UNKNOWN_SEAT: Message("Nobody plays at that seat."),
    Refusal.SEAT_OUT: Message("That player is out of this hand."),
    Refusal.WRONG_PHASE: Message("That cannot be done just now."),
    Refusal.NOT_YOUR_TURN: Message("It is another player's turn."),
    Refusal.DUPLICATE_CARD: Message("That card lies on the table already."),
    Refusal.NOT_IN_DECK: Message("That card is not in this deck."),
    Refusal.UPCARD_UNREADABLE: Message("The open card cannot be read; lay it straight."),
    Refusal.MISMATCH: Message("That is not the card that was seen before."),
    Refusal.TOO_MANY_CARDS: Message("That player has all their cards."),
    Refusal.WRONG_DEAL_ORDER: Message("Another player is dealt to first."),
    Refusal.NO_REQUEST: Message("Nobody has asked for a card."),
    Refusal.CARD_PENDING: Message("A card that was asked for is still to be dealt."),
    Refusal.WRONG_END: Message("That card comes from the other end of the pack."),
    Refusal.FALSE_31: Message("That is not thirty-one."),
    Refusal.BAD_CORRECTION: Message("That cannot be put right this way."),
    Refusal.NOTHING_TO_UNDO: Message("There is nothing left to take back in this hand."),
    Refusal.JOIN_NOT_NOW: Message("Players join between hands."),
    Refusal.SEAT_TAKEN: Message("That seat is taken."),
    Refusal.TABLE_FULL: Message("The table is full."),
    Refusal.NOT_ENOUGH_PLAYERS: Message("There are too few players."),
    Refusal.NO_SUCH_HAND: Message("There was no such hand."),
    Refusal.BAD_ENTRY: Message("An entry moves tokens between players and says why."),
    Refusal.MATCH_OVER: Message("The match is over. For another one, start the program again."),
    Refusal.BONE_COUNT: Message("That is not the number of bones to throw."),
    Refusal.BAD_FACE: Message("A bone has no such side."),
    Refusal.COCKED_BONE: Message("A bone does not lie flat; throw it again."),
    Refusal.BAD_CHOICE: Message("That number of bones cannot be chosen."),
    Refusal.CHOOSE_FIRST: Message("Choose how many bones first."),
    Refusal.BANKER_MUST_ROLL: Message("The banker must throw."),
    Refusal.BAD_STAKE: Message("A stake is at least one token."),
    Refusal.MUST_DRAW: Message("Draw a card first."),
    Refusal.MUST_DISCARD: Message("Discard a card first."),
    Refusal.NOT_IN_HAND: Message("That card is not in the hand."),
    Refusal.RETURNED_DISCARD: Message("The card just drawn from the discards may not go back."),
    Refusal.OWN_DISCARD: Message("One's own discard may not be drawn."),
    Refusal.STOCK_EMPTY: Message("The stock is empty."),
    Refusal.DISCARD_EMPTY: Message("There is no discard to draw."),
    Refusal.ALREADY_KNOCKED: Message("Somebody has knocked already."),
    Refusal.KNOCK_NOT_ALLOWED: Message("Knocking is not allowed now."),
    Refusal.STAND_NOT_ALLOWED: Message("Standing is not allowed now."),
    Refusal.MUST_SWAP_FIRST: Message("Swap first."),
    Refusal.WIDOW_COUNT: Message("The cards in the middle are not of the right number."),
    Refusal.BAD_SWAP: Message("Those cards cannot be swapped."),
    Refusal.NOT_ON_TABLE: Message("That card does not lie in the middle."),
    Refusal.RENEW_NOT_ALLOWED: Message("The middle may not be renewed now."),
    Refusal.RESTART_NOT_ALLOWED: Message("The hand may not be begun again."),
}
"""Every refusal code of the event language, said without the particulars."""

NOT_NOW: Mapping[Phase, Message] = {
    Phase.CUT: Message("First everybody cuts for the deal."),
    Phase.DEAL: Message("Cards are still being dealt."),
    Phase.TURN_UP: Message("First the top of the stock is turned up."),
    Phase.SHOWDOWN: Message("The hands are being shown now."),
    Phase.DONE: Message("This hand is over; NEXT goes on."),
}
"""Why something cannot be done just now, by where the hand stands."""

LAY_AGAIN = Message("Take it up; lay it again if it belongs there.")

PLAIN = (Refusal.UNKNOWN_SEAT,)
"""Refusals whose particulars are for programs: a list of numbers tells nobody where to sit."""


def refused(refusal: IllegalActionError, particular: str, phase: Phase) -> Value:
    """Return what the rules refuse, for the table (rule G-19).

    Args:
        refusal: the engine's.
        particular: its message with names for seats: English, and the better one there.
        phase: of the hand.

    Returns:
        In English *particular*, where it is made for people; else the sentence of its code.
    """
    if refusal.code not in REFUSALS:
        return particular
    said = REFUSALS[refusal.code]
    if refusal.code == Refusal.WRONG_PHASE:
        said = NOT_NOW.get(phase, said)
    return said if refusal.code in PLAIN else EnglishOr(particular, said)


def cut_again(name: Value) -> Notice:
    """Ask a player who tied to cut again (rule G-2)."""
    return Notice(Message("{name}: take up the card and cut again.", name=name), urgent=False)


def cut_face_up(name: Value) -> Notice:
    """Ask for the card of the cut to be turned (rule G-2)."""
    return Notice(Message("{name}: turn your card for the cut face up.", name=name), urgent=False)


def gather(left: int) -> Notice:
    """Ask for *left* cards of the last hand to be taken up."""
    return Notice(
        Message("Gather the cards: {cards} still on the mat.", cards=count(left, "card")),
        Message("The next hand begins when the places are empty. NEXT again: begin all the same."),
    )


def answer_first(text: Value) -> Notice:
    """Ask what is still open (*text*) of a hand whose cards are gathered and dealt anew."""
    return Notice(text, Message("Answer this first: the next hand waits for it."))


def not_counted(text: Value, name: Value) -> Notice:
    """Explain why (*text*) the last card at a place does not count."""
    detail = Message("The last card at {name}'s place is not counted.", name=name)
    return Notice(text, detail)


def turn_up(name: Value, place: int) -> Notice:
    """Ask for a card of the deal to be turned up, the third (*place* 2) or another (rule BA-1)."""
    text = Message("{name}: next card face up", name=name)
    if place == 2:
        text = Message("{name}'s third card lies face up.", name=name)
    return Notice(text, Message("Turn it over."))


def read_again(text: Value) -> Notice:
    """Report what is wrong (*text*) with a card as it was read."""
    return Notice(text, Message("Move or turn the card, and I will read it again."))


def another_card(name: Value) -> Notice:
    """Report that a hand laid open is not the hand that the game knows."""
    return Notice(
        Message("{name}'s cards are not those that were seen before.", name=name),
        Message("MENU, then Correct a reading: say which card was read wrongly."),
    )


def cannot_read(name: Value) -> Notice:
    """Ask for a card to be laid another way."""
    return Notice(
        Message("I cannot read {name}'s card.", name=name),
        Message("Turn or move it a little, and I will look again."),
    )


def joker() -> Notice:
    """Refuse a joker: none of the games has one."""
    return Notice(
        Message("That is a joker: it is not in the game."),
        Message("Take it out, and deal another card in its place."),
    )


def cards_hidden(name: Value, seen: int, held: int) -> Notice:
    """Say that a hand is laid open, and that not all of its cards are to be seen."""
    return Notice(
        # Translators: {seen} and {held} are numbers, such as 3 and 4.
        Message(
            "I see {seen} of {name}'s {held} cards: lay them side by side.",
            name=name,
            seen=seen,
            held=held,
        ),
        urgent=False,
    )


def turn_all_up(name: Value) -> Notice:
    """Say that a part of a hand that is laid open still lies face down."""
    text = Message("{name}: all of your cards face up, please.", name=name)
    return Notice(text, urgent=False)


def not_understood() -> Notice:
    """Report that nothing that people do explains what lies there now."""
    return Notice(
        Message("I do not understand what changed on the table."),
        Message("Lay the cards back as they were, or press MENU for a misdeal."),
    )


def nobody_there(seat: int, players: Sequence[str]) -> Notice:
    """Name a card at a seat (from 0) where nobody sits."""
    return Notice(
        Message("A card lies at seat {n}, where nobody sits.", n=seat + 1),
        Message("The players are {names}.", names=Listing(tuple(players))),
        urgent=False,
    )


def does_not_count(name: Value | None) -> Notice:
    """Name a card that the rules have refused, by whose place it lies at, if it does."""
    text = Message("A card on the mat does not count.")
    if name is not None:
        text = Message("A card at {name}'s place does not count.", name=name)
    return Notice(sentences(text, LAY_AGAIN), urgent=False)


def dialled(number: int) -> Notice:
    """Show the number that the knob stands at."""
    keys = (KeyHint("have", Message("that many")), KeyHint("stick", Message("none")))
    return Notice(Message("{n} more?", n=number), keys=keys)


def card_lies_at(name: Value) -> Notice:
    """Say that a card came to a place, while it is not clear whose it is."""
    return Notice(Message("A card lies at {name}'s place.", name=name), urgent=False)


def cards_in_middle() -> Notice:
    """Say that cards came between the places, while it is not clear who threw them in."""
    return Notice(Message("Cards lie in the middle."), urgent=False)


def between_places() -> Notice:
    """Name an open card that belongs to nobody."""
    return Notice(
        Message("A card lies face up between the places."),
        Message("Lay it on its player's place, or on the discard pile."),
        urgent=False,
    )


def nobody_asked() -> Notice:
    """Report that HAVE and STICK mean nothing just now."""
    return Notice(
        Message("Nobody is asked just now."),
        Message("Press HAVE IT or STICK when it is your turn."),
    )


ENTER_BY_HAND = KeyHint("menu", Message("enter by hand"))
ENTER_THE_REST = Message("Enter the rest of the hand by hand")
"""What MENU does while the camera sees no mat."""


def no_mat() -> Notice:
    """Report that there are frames but no mat on them."""
    return Notice(
        Message("I cannot see the play mat."),
        Message("Bring its printed corner marks into the picture, in even light."),
    )


def mashed() -> Notice:
    """Say that buttons were pressed that nobody can have meant all at once."""
    return Notice(Message("Several buttons at once: none of them counts."))


def not_over() -> Notice:
    """Report that NEXT comes after the end of a hand."""
    return Notice(
        Message("This hand is not over."),
        Message("Play it to the end, or press MENU for a misdeal."),
    )


def begin_first() -> Notice:
    """Say that people play on after the end of a hand, before NEXT has begun another."""
    return Notice(Message("Press NEXT to begin the next hand."), urgent=False)


def something_wrong() -> Notice:
    """Calm the table after a fault of the program."""
    return Notice(Message("Something went wrong. The scores are safe."), Message("Please wait."))


def not_written(problem: Value) -> Notice:
    """Report that the disk took nothing, and *problem*."""
    return Notice(Message("This could not be written down yet."), problem)


def undo_or_go_on(text: Value) -> Notice:
    """Report what was refused (*text*) and how the game goes on."""
    undo = KeyHint("undo", Message("take it back"))
    return Notice(text, Message("Press UNDO, or go on."), keys=(undo,))


def cannot_see(detail: Value | None = None) -> Notice:
    """Report that the camera gives no picture; *detail* says what to do, by default to look at it.

    Why there is none is in the log: it names devices and programs, in English.
    """
    look = Message("Check the camera and its cable. The game then goes on by itself.")
    text = Message("I cannot see the table just now; the game waits.")
    return Notice(text, look if detail is None else detail)
