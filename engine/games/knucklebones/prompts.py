"""What the croupier says at every ordinary moment of One-and-Twenty, from the view alone."""

from __future__ import annotations

from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.prompt import KeyHint, Prompt, PromptKind, player_name, player_names
from engine.core.views import Phase, ResultView, View
from engine.games.prompts import card_prompt, done

ONE_MORE_BONE = (KeyHint("have", Message("one more bone")), KeyHint("stick", Message("no more")))

HOW_MANY = (KeyHint("have", Message("the number dialled")), KeyHint("stick", Message("none")))

SET = 5
"""The bones of a set; where more are due the same ones are thrown again (rule KB-6)."""

BANK_ENDS = ("compared", "all-bust")
"""How a round of One-and-Twenty ends (rules KB-10, KB-13)."""


def prompt(view: View, *, guided: bool = False) -> Prompt:
    """Return what is said at this moment of a round."""
    if view.phase is Phase.PLAY and view.turn is not None and view.stage is not None:
        return _throw(view, view.turn, guided)
    result = view.result
    if view.phase is Phase.DONE and result is not None and result.end in BANK_ENDS:
        return done(view, _ending(view, result), _next_bank(view, result), guided)
    return card_prompt(view, guided=guided)


def _throw(view: View, turn: int, guided: bool) -> Prompt:
    """Return what is asked of the player whose turn it is (rules KB-4, KB-5, KB-17)."""
    name, total, due = player_name(view, turn), view.seat(turn).total, view.bones_due
    keys = ONE_MORE_BONE if guided and not due else ()
    again: Value = ""
    if due > SET:
        again = Message("Throw the same {set} again until there are {n}.", set=SET, n=due)
    if view.stage == "first":
        title = Message("{name}: throw {n} bone", "{name}: throw {n} bones", due, name=name, n=due)
        detail = sentences(again, _first_detail(view, guided))
        return Prompt(title, detail, kind=PromptKind.TURN, keys=keys)
    told = str(total)
    if due:
        title = Message(
            "{name}: throw {n} more bone", "{name}: throw {n} more bones", due, name=name, n=due
        )
        detail = sentences(Message("{total} so far.", total=told), again)
        return Prompt(title, detail, kind=PromptKind.TURN)
    if view.stage == "one":
        title = Message("{name} has {total}: one more bone, or stick?", name=name, total=told)
    else:
        title = Message("{name} has {total}: how many more bones?", name=name, total=told)
        keys = HOW_MANY if guided else ()
        detail = Message("Throw them, or dial the number and press HAVE IT; STICK for none.")
        return Prompt(title, "" if guided else detail, kind=PromptKind.TURN, keys=keys)
    return Prompt(title, kind=PromptKind.TURN, keys=keys)


def _first_detail(view: View, guided: bool) -> Value:
    if any(seat.throws for seat in view.seats):
        return ""
    if guided:
        return Message("Throw them on the mat. First you may stake more: HAVE IT at your seat.")
    return Message("Stakes first: HAVE IT one more, STICK one less.")


def _ending(view: View, result: ResultView) -> Value:
    """Return who beat the bank (rules KB-8 to KB-10)."""
    if not result.winners:
        return Message("Nobody beats the bank")
    return Message(
        "{names} beats the bank",
        "{names} beat the bank",
        len(result.winners),
        names=player_names(view, result.winners),
    )


def _next_bank(view: View, result: ResultView) -> Value:
    if result.next_dealer is None:
        return Message("Cut for the next deal.")
    return Message("{name} is the banker next.", name=player_name(view, result.next_dealer))
