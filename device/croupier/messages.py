"""What the croupier says besides questions: notices and refusals, in the language of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from device.croupier.questions import Notice
from device.croupier.words import and_list, count
from display.i18n.languages import ENGLISH
from display.i18n.translate import N_, _, current_language
from engine import IllegalActionError
from engine.core.refusals import Refusal

REFUSALS: Mapping[str, str] = {
    Refusal.UNKNOWN_SEAT: N_("Nobody plays at that seat."),
    Refusal.SEAT_OUT: N_("That player is out of this hand."),
    Refusal.WRONG_PHASE: N_("That cannot be done just now."),
    Refusal.NOT_YOUR_TURN: N_("It is another player's turn."),
    Refusal.DUPLICATE_CARD: N_("That card lies on the table already."),
    Refusal.NOT_IN_DECK: N_("That card is not in this deck."),
    Refusal.UPCARD_UNREADABLE: N_("The open card cannot be read; lay it straight."),
    Refusal.MISMATCH: N_("That is not the card that was seen before."),
    Refusal.TOO_MANY_CARDS: N_("That player has all his cards."),
    Refusal.WRONG_DEAL_ORDER: N_("Another player is dealt to first."),
    Refusal.NO_REQUEST: N_("Nobody has asked for a card."),
    Refusal.CARD_PENDING: N_("A card that was asked for is still to be dealt."),
    Refusal.WRONG_END: N_("That card comes from the other end of the pack."),
    Refusal.FALSE_31: N_("That is not thirty-one."),
    Refusal.BAD_CORRECTION: N_("That cannot be put right so."),
    Refusal.NOTHING_TO_UNDO: N_("There is nothing left to take back in this hand."),
    Refusal.JOIN_NOT_NOW: N_("Players join between hands."),
    Refusal.SEAT_TAKEN: N_("That seat is taken."),
    Refusal.TABLE_FULL: N_("The table is full."),
    Refusal.NOT_ENOUGH_PLAYERS: N_("There are too few players."),
    Refusal.MATCH_OVER: N_("The match is over."),
    Refusal.BONE_COUNT: N_("That is not the number of bones to throw."),
    Refusal.BAD_FACE: N_("A bone has no such side."),
    Refusal.COCKED_BONE: N_("A bone does not lie flat; throw it again."),
    Refusal.BAD_CHOICE: N_("That number of bones cannot be chosen."),
    Refusal.CHOOSE_FIRST: N_("Choose how many bones first."),
    Refusal.BANKER_MUST_ROLL: N_("The banker must throw."),
    Refusal.BAD_STAKE: N_("That cannot be staked."),
    Refusal.MUST_DRAW: N_("Draw a card first."),
    Refusal.MUST_DISCARD: N_("Discard a card first."),
    Refusal.NOT_IN_HAND: N_("That card is not in the hand."),
    Refusal.RETURNED_DISCARD: N_("The card just drawn from the discards may not go back."),
    Refusal.OWN_DISCARD: N_("One's own discard may not be drawn."),
    Refusal.STOCK_EMPTY: N_("The stock is empty."),
    Refusal.DISCARD_EMPTY: N_("There is no discard to draw."),
    Refusal.ALREADY_KNOCKED: N_("Somebody has knocked already."),
    Refusal.KNOCK_NOT_ALLOWED: N_("Knocking is not allowed now."),
    Refusal.STAND_NOT_ALLOWED: N_("Standing is not allowed now."),
    Refusal.MUST_SWAP_FIRST: N_("Swap first."),
    Refusal.WIDOW_COUNT: N_("The cards in the middle are not of the right number."),
    Refusal.BAD_SWAP: N_("Those cards cannot be swapped."),
    Refusal.NOT_ON_TABLE: N_("That card does not lie in the middle."),
    Refusal.RENEW_NOT_ALLOWED: N_("The middle may not be renewed now."),
    Refusal.RESTART_NOT_ALLOWED: N_("The hand may not be begun again."),
}
"""Every refusal code of the event language, said without the particulars."""

PLAIN = (Refusal.UNKNOWN_SEAT,)
"""Refusals whose particulars are for programs: a list of numbers tells nobody where to sit."""


def refused(refusal: IllegalActionError, particular: str) -> str:
    """Say to the table what the rules refuse (rule G-19).

    Args:
        refusal: the engine's.
        particular: its message with names for seats: English, and the better one there.

    Returns:
        In English *particular*, where it is made for people; else the sentence of its code.
    """
    if refusal.code not in REFUSALS:
        return particular
    if current_language() == ENGLISH and refusal.code not in PLAIN:
        return particular
    return _(REFUSALS[refusal.code])


def cut_again(name: str) -> Notice:
    """Ask a player who tied to cut again (rule G-2)."""
    return Notice(_("{name}: take up the card and cut again.").format(name=name), urgent=False)


def cut_face_up(name: str) -> Notice:
    """Ask for the card of the cut to be turned (rule G-2)."""
    return Notice(_("{name}: turn your card for the cut face up.").format(name=name), urgent=False)


def gather(left: int) -> Notice:
    """Ask for *left* cards of the last hand to be taken up."""
    return Notice(
        _("Gather the cards: {cards} still on the mat.").format(cards=count(left, "card")),
        _("The next hand begins when the places are empty. NEXT again: begin all the same."),
    )


def not_counted(text: str, name: str) -> Notice:
    """Say why (*text*) the last card at a place does not count."""
    detail = _("The last card at {name}'s place is not counted.").format(name=name)
    return Notice(text, detail)


def turn_third_up(name: str) -> Notice:
    """Ask for the third card to be turned up (rule BA-1)."""
    return Notice(_("{name}'s third card lies face up.").format(name=name), _("Turn it over."))


def read_again(text: str) -> Notice:
    """Say what is wrong (*text*) with a card as it was read."""
    return Notice(text, _("Move or turn the card, and I will read it again."))


def another_card(name: str) -> Notice:
    """Say that a hand laid open is not the hand that the game knows."""
    return Notice(
        _("{name}'s cards are not those that were seen before.").format(name=name),
        _("MENU, then Correct a reading: say which card was read wrongly."),
    )


def cannot_read(name: str) -> Notice:
    """Ask for a card to be laid another way."""
    return Notice(
        _("I cannot read {name}'s card.").format(name=name),
        _("Turn or move it a little, and I will look again."),
    )


def cards_missing(name: str, seen: int, dealt: int) -> Notice:
    """Say that a player holds cards off the mat; it does no harm."""
    text = _("I see {cards} at {name}'s place, not {dealt}.")
    return Notice(
        text.format(cards=count(seen, "card"), name=name, dealt=dealt),
        _("Lay them back side by side."),
        urgent=False,
    )


def nobody_there(seat: int, players: Sequence[str]) -> Notice:
    """Name a card at a seat (from 0) where nobody sits."""
    return Notice(
        _("A card lies at seat {n}, where nobody sits.").format(n=seat + 1),
        _("The players are {names}.").format(names=and_list(players)),
        urgent=False,
    )


def does_not_count(name: str) -> Notice:
    """Name a card that the rules have refused."""
    return Notice(
        _("A card at {name}'s place does not count.").format(name=name),
        _("Take it up; lay it again if it belongs there."),
        urgent=False,
    )


def between_places() -> Notice:
    """Name an open card that belongs to nobody."""
    return Notice(
        _("A card lies face up between the places."),
        _("Lay it on its player's place, or on the discard pile."),
        urgent=False,
    )


def nobody_asked() -> Notice:
    """Say that HAVE and STICK mean nothing just now."""
    return Notice(_("Nobody is asked just now."), _("Press HAVE or STICK when it is your turn."))


def no_mat() -> Notice:
    """Say that there are frames but no mat on them."""
    return Notice(
        _("I cannot see the play mat."),
        _("Bring its printed corner marks into the picture, in even light."),
    )


def not_over() -> Notice:
    """Say that NEXT comes after the end of a hand."""
    return Notice(
        _("This hand is not over."), _("Play it to the end, or press MENU for a misdeal.")
    )


def something_wrong() -> Notice:
    """Calm the table after a fault of the program."""
    return Notice(_("Something went wrong. The scores are safe."), _("Please wait."))


def not_written(problem: str) -> Notice:
    """Say that the disk took nothing, and *problem*."""
    return Notice(_("This could not be written down, so it does not count."), problem)


def undo_or_go_on(text: str) -> Notice:
    """Say what was refused (*text*) and how the game goes on."""
    return Notice(text, _("Press UNDO, or go on."))


def cannot_see(problem: str) -> Notice:
    """Say that the camera gives no picture, and *problem*."""
    return Notice(_("I cannot see the table just now; the game waits."), problem)
