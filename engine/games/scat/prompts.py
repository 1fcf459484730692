"""What the croupier says in Thirty-one and its variants, from the view alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.core.messages.message import N_, Joined, Message, Value, as_title, sentences
from engine.core.messages.prompt import KeyHint, Prompt, PromptKind, player_name, player_names
from engine.core.views import MiddleView, Phase, ResultView, SeatView, View
from engine.games.prompts import card_prompt, done, shuffled_first

MOST_NAMES = 3
"""More names than this are counted, not named, in the largest letters."""

HAND_NAMES = {
    # Translators: hands of three-card Brag; a prial is three of a kind.
    "prial": N_("Prial"),
    "running flush": N_("Running flush"),
    "run": N_("Run"),
    "flush": N_("Flush"),
    "pair": N_("Pair"),
    "high card": N_("High card"),
}
"""Names of hands, by :attr:`engine.core.views.SeatView.hand_name` (rule SB-1)."""


def prompt(view: View, *, guided: bool = False) -> Prompt:
    """Return what is said at this moment of a hand."""
    result, middle = view.result, view.middle
    if view.phase is Phase.DONE and result is not None and result.end != "misdeal":
        return done(view, ending(view, result), _after(view, result), guided)
    said = None if middle is None else _of_scat(view, middle, guided)
    if said is None:
        said = card_prompt(view, guided=guided)
        if view.phase is Phase.PLAY:
            said = replace(said, keys=())
    if guided and view.phase is Phase.DEAL:
        detail = shuffled_first(view, Message("One card at a time, three to each."))
        return replace(said, detail=detail, keys=(KeyHint("next", Message("all have three")),))
    return said


def ending(view: View, result: ResultView) -> Value:
    """Return how a hand ended, in a sentence without its full stop."""
    return headline(view, result) or _most(view, result)


def headline(view: View, result: ResultView) -> Value:
    """Return what else ended a hand than its lives or points; empty where these tell it all."""
    winners = player_names(view, result.winners)
    if view.match is not None and view.match.over:
        if view.match.winner is None:
            return Message("The match is over: the pot is shared")
        return Message("{name} wins the match", name=player_name(view, view.match.winner))
    if result.end == "blitz":
        return Message("{names}: thirty-one!", names=winners)
    if result.end == "draw":
        return Message("The stock is empty: a draw")
    if result.end == "restart":
        seat = None if result.losses is None else result.losses.restarter
        return Message("{name} starts again", name=player_name(view, seat))
    if result.end == "walkover":
        return Message("{names} is the last one in play", names=winners)
    if len(result.winners) == 1:
        return Message("{names} takes the pot", names=winners)
    if result.winners:
        return Message("{names} share the pot", names=winners)
    return ""


def toll_lines(view: View, result: ResultView) -> list[Value]:
    """Return a sentence for all who lost as many lives or gained as many points, most first."""
    toll = result.losses
    if toll is None:
        return []
    if toll.void:
        return [Message("All would be out: nobody loses a life.")]
    return [
        *(_lost(player_names(view, seats), len(seats), n) for n, seats in _grouped(toll.lost)),
        *(_scored(player_names(view, seats), len(seats), n) for n, seats in _grouped(toll.gained)),
    ]


def _lost(names: Value, many: int, n: int) -> Message:
    if many == 1:
        return Message("{names} loses {n} life.", "{names} loses {n} lives.", n, names=names, n=n)
    return Message(
        "{names} lose {n} life each.", "{names} lose {n} lives each.", n, names=names, n=n
    )


def _scored(names: Value, many: int, n: int) -> Message:
    if many == 1:
        return Message(
            "{names} scores {n} point.", "{names} scores {n} points.", n, names=names, n=n
        )
    return Message(
        "{names} score {n} point each.", "{names} score {n} points each.", n, names=names, n=n
    )


def fate_line(view: View, result: ResultView) -> Value:
    """Return who went out of the match, and who is in play without a life; mostly nothing."""
    toll = result.losses
    if toll is None:
        return ""
    out: Value = ""
    if toll.eliminated:
        out = Message(
            "{names} is out of the match.",
            "{names} are out of the match.",
            len(toll.eliminated),
            names=player_names(view, toll.eliminated),
        )
    lost = {seat for seat, _lives in toll.lost}
    county = [
        seat.seat
        for seat in view.seats
        if seat.seat in lost and seat.match is not None and seat.match.on_county
    ]
    if not county:
        return out
    plays_on = Message(
        "{names} plays on without a life.",
        "{names} play on without a life.",
        len(county),
        names=player_names(view, county),
    )
    return sentences(out, plays_on)


def pot_line(view: View) -> Value:
    """Return what the pot brings to who has won the match; empty before its end."""
    match = view.match
    if match is None or not match.over:
        return ""
    won = dict(match.settlement).get(-1 if match.winner is None else match.winner, 0)
    return (
        Message("The pot brings {n} token.", "The pot brings {n} tokens.", won, n=won)
        if won
        else ""
    )


def end_word(result: ResultView) -> Message:
    """Return how a hand ended in a word or two."""
    words = {
        "blitz": Message("Thirty-one"),
        "draw": Message("A draw"),
        "restart": Message("Started again"),
        "out-of-gate": Message("Out of the gate"),
        "walkover": Message("All others are gone"),
    }
    return words.get(result.end, Message("The showdown"))


def worth_of(seat: SeatView) -> str:
    """Return the points of a hand; three of a kind are worth a half more than thirty (TK-1)."""
    if seat.total is not None:
        return str(seat.total)
    if seat.value is None:
        return ""
    return f"{int(seat.value)}½" if seat.value != int(seat.value) else str(int(seat.value))


def _of_scat(view: View, middle: MiddleView, guided: bool) -> Prompt | None:
    """Return what only Thirty-one says; ``None`` where it is said in every card game."""
    dealer = player_name(view, view.dealer)
    match view.phase:
        case Phase.DEAL:
            return _deal(view, middle)
        case Phase.TURN_UP:
            detail = Message("{name}: lay the top of the stock face up.", name=dealer)
            if guided:
                detail = Message(
                    "{name}: lay the rest face down (the stock), its top card face up beside it "
                    "(the discard).",
                    name=dealer,
                )
            return _ask(Message("Turn the first discard up"), detail)
        case Phase.CHOOSE:
            title = Message("{name}: keep one of your two hands", name=dealer)
            return _ask(title, Message("Lay the other one face up in the middle."))
        case Phase.PLAY if view.turn is not None:
            said = _turn(view, view.turn, middle, guided)
            return replace(said, keys=_keys(middle)) if guided else said
        case Phase.RESTART:
            names = player_names(view, middle.may_restart)
            keys = KeyHint("have", Message("start again")), KeyHint("stick", Message("no"))
            detail = Message(
                "More than 21 in one suit: HAVE IT starts again, and no lives are lost."
            )
            return _ask(
                Message("{names}: start again?", names=names), detail, keys if guided else ()
            )
        case _:
            return None


def _ask(title: Value, detail: Value = "", keys: tuple[KeyHint, ...] = ()) -> Prompt:
    return Prompt(title, detail, kind=PromptKind.TURN, keys=keys)


def _keys(middle: MiddleView) -> tuple[KeyHint, ...]:
    """Return what STICK does in a turn, where it does anything."""
    if middle.drawn is not None:
        return ()
    if middle.may_knock or middle.stopper is not None:
        knock = Message("knock or pass") if middle.may_stand else Message("knock")
        return (KeyHint("stick", knock),)
    return (KeyHint("stick", Message("stand")),) if middle.may_stand else ()


def _grouped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, tuple[int, ...]]]:
    groups: dict[int, list[int]] = {}
    for seat, number in pairs:
        if number:
            groups.setdefault(number, []).append(seat)
    return [(number, tuple(seats)) for number, seats in sorted(groups.items(), reverse=True)]


def _most(view: View, result: ResultView) -> Value:
    """Return who lost most, or gained most."""
    toll = result.losses
    lines = toll_lines(view, result)
    if toll is None or not lines:
        return Message("Nobody loses a life")
    best = _grouped(toll.gained)
    if best and len(best[0][1]) > MOST_NAMES:
        return Message("The hands are scored")
    losers = tuple(seat for seat, _lives in toll.lost)
    n = len(losers)
    if n > MOST_NAMES:
        return Message("{n} player loses lives", "{n} players lose lives", n, n=n)
    if n > 1 and not toll.void:
        return Message("{names} lose lives", names=player_names(view, losers))
    return as_title(lines[0])


def _after(view: View, result: ResultView) -> Value:
    """Return what else there is to say of the end, and who deals next."""
    over = view.match is not None and view.match.over
    more = pot_line(view)
    if not over and result.end == "restart":
        more = Message("The open hand stays in the middle; the same dealer deals.")
    elif not over and result.next_dealer is not None:
        more = Message("{name} deals next.", name=player_name(view, result.next_dealer))
    return sentences(fate_line(view, result), more)


def _deal(view: View, middle: MiddleView) -> Prompt | None:
    detail = Message("NEXT: everybody has three cards.")
    if "table" in middle.deal_to:
        title = Message("Three cards face up in the middle")
    elif "widow" in middle.deal_to:
        title = Message("Widow: next card face down")
    elif "second" in middle.deal_to and view.dealer is not None:
        name = player_name(view, view.dealer)
        title = Message("{name}: three more cards for yourself", name=name)
        if "B" in middle.deal_to:
            detail = Message("And three face down in the middle.")
    elif "B" in middle.deal_to:
        title = Message("Three cards face down in the middle")
    elif view.deal_to is None:
        return None
    else:
        name = player_name(view, view.deal_to[0])
        title = Message("{name}: next card face down", name=name)
    return _ask(title, detail)


def _turn(view: View, turn: int, middle: MiddleView, guided: bool) -> Prompt:
    name = player_name(view, turn)
    detail: Value
    if middle.drawn is not None:
        detail = (
            Message("Drawn from the stock. Lay a card face up on the discard.")
            if middle.drawn == "stock"
            else Message("Drawn from the discard. Lay a card face up on the discard.")
        )
        return _ask(Message("{name}: discard a card", name=name), detail)
    if middle.renewed:
        detail = Message("Exchange a card, swap hands, or lay three new cards once more.")
        return _ask(Message("{name}: go on", name=name), detail)
    if middle.knocker is not None:
        who = player_name(view, middle.knocker)
        knocked = Message("{name} has knocked.", name=who)
        if guided:
            knocked = Message(
                "{name} has knocked: one more turn each, then all hands are shown.", name=who
            )
        stand = Message("STICK: stand.") if middle.may_stand and not guided else ""
        detail = sentences(knocked, stand, _unread(middle))
        return _ask(Message("{name}: your last turn", name=name), detail)
    return _ask(_asked(name, middle), sentences(_ways(view, middle, guided), _unread(middle)))


def _unread(middle: MiddleView) -> Value:
    """Ask for the top of the discard where it was not read; play goes on all the same (SC-28)."""
    return Message("Lay the top discard so that it can be read.") if middle.top_is_unread else ""


def _asked(name: Value, middle: MiddleView) -> Message:
    match middle.table, middle.may_knock:
        case "switch", True:
            return Message("{name}: exchange, or knock?", name=name)
        case "switch", False:
            return Message("{name}: exchange", name=name)
        case "bus", True:
            return Message("{name}: swap, or knock?", name=name)
        case "bus", False:
            return Message("{name}: swap one card or three", name=name)
        case _, True:
            return Message("{name}: draw, or knock?", name=name)
    return Message("{name}: draw a card", name=name)


def _ways(view: View, middle: MiddleView, guided: bool) -> Value:
    """Return what may be done; what STICK does stands on its key where keys are shown."""
    if middle.stopper is not None:
        stopper = player_name(view, middle.stopper)
        return Message("{name} may still knock: STICK.", name=stopper)
    ways = {
        "none": Message("From the stock or the discard."),
        "widow": Message("From the stock or the discard, or exchange with the widow."),
        "switch": Message("One card or the hand for A or B, or three new cards there."),
        "bus": Message("Swap one card or three with the middle."),
    }[middle.table]
    if guided and middle.table == "none":
        return Message("From the stock (face down) or the discard (face up).")
    if guided or not middle.may_knock:
        return ways
    if middle.may_stand:
        return Joined((ways, Message("STICK: knock or pass.")))
    return Joined((ways, Message("STICK: knock.")))
