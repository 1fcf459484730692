"""What the croupier says in Thirty-one and its variants, from the view alone."""

from __future__ import annotations

from collections.abc import Iterable

from display.i18n.translate import Translator
from display.prompts.prompt import Prompt, PromptKind, player_name
from engine.core.views import MiddleView, Phase, ResultView, View

MOST_NAMES = 3
"""More names than this are counted, not named, in the largest letters."""


def scat_prompt(view: View, language: str = "en") -> Prompt | None:
    """Return the sentence of the moment; ``None`` where it is that of every card game."""
    _ = Translator.of(language)
    middle = view.middle
    if view.phase is Phase.DONE and view.result is not None and view.result.end != "misdeal":
        return Prompt(ending(view, view.result, _), _after(view, view.result, _))
    if middle is None:
        return None
    match view.phase:
        case Phase.DEAL:
            return _deal(view, middle, _)
        case Phase.TURN_UP:
            dealer = "" if view.dealer is None else player_name(view, view.dealer, _)
            return Prompt(
                _("Turn the first discard up"),
                _("{name}: lay the top of the stock face up.").format(name=dealer),
                kind=PromptKind.TURN,
            )
        case Phase.CHOOSE:
            dealer = "" if view.dealer is None else player_name(view, view.dealer, _)
            return Prompt(
                _("{name}: keep one of your two hands").format(name=dealer),
                _("Lay the other one face up in the middle."),
                kind=PromptKind.TURN,
            )
        case Phase.PLAY if view.turn is not None:
            return _turn(view, view.turn, middle, _)
        case Phase.RESTART:
            return Prompt(
                _("{names}: begin anew?").format(names=_names(view, middle.may_restart, _)),
                _("More than 21 in one suit: HAVE begins anew, and no lives are lost."),
                kind=PromptKind.TURN,
            )
        case _:
            return None


def ending(view: View, result: ResultView, _: Translator) -> str:
    """Return how a hand ended, in a sentence without its full stop."""
    winners = _names(view, result.winners, _)
    if view.match is not None and view.match.over:
        if view.match.winner is None:
            return _("The match is over: the pot is shared")
        return _("{name} wins the match").format(name=player_name(view, view.match.winner, _))
    if result.end == "blitz":
        return _("{names}: thirty-one!").format(names=winners)
    if result.end == "draw":
        return _("The stock is empty: a draw")
    if result.end == "restart":
        seat = None if result.losses is None else result.losses.restarter
        name = "" if seat is None else player_name(view, seat, _)
        return _("{name} begins anew").format(name=name)
    if result.end == "walkover":
        return _("{names} is the last one in play").format(names=winners)
    if result.winners:
        sentence = (
            _("{names} takes the pot") if len(result.winners) == 1 else _("{names} share the pot")
        )
        return sentence.format(names=winners)
    return _scored(view, result, _)


def toll_lines(view: View, result: ResultView, _: Translator) -> list[str]:
    """Return a sentence for all who lost as many lives or gained as many points, most first."""
    toll = result.losses
    if toll is None:
        return []
    if toll.void:
        return [_("All would be out: nobody loses a life.")]
    lines = []
    for number, seats in _grouped(toll.lost):
        names = _names(view, seats, _)
        if len(seats) == 1:
            sentence = _.plural("{names} loses {n} life.", "{names} loses {n} lives.", number)
        else:
            sentence = _.plural(
                "{names} lose {n} life each.", "{names} lose {n} lives each.", number
            )
        lines.append(sentence.format(names=names, n=number))
    for number, seats in _grouped(toll.gained):
        names = _names(view, seats, _)
        if len(seats) == 1:
            sentence = _.plural("{names} scores {n} point.", "{names} scores {n} points.", number)
        else:
            sentence = _.plural(
                "{names} score {n} point each.", "{names} score {n} points each.", number
            )
        lines.append(sentence.format(names=names, n=number))
    return lines


def fate_line(view: View, result: ResultView, _: Translator) -> str:
    """Return who went out of the match, and who is in play without a life; mostly nothing."""
    toll = result.losses
    if toll is None:
        return ""
    lines = []
    if toll.eliminated:
        names = _names(view, toll.eliminated, _)
        sentence = _.plural(
            "{names} is out of the match.", "{names} are out of the match.", len(toll.eliminated)
        )
        lines.append(sentence.format(names=names))
    lost = {seat for seat, _lives in toll.lost}
    county = [
        seat.seat
        for seat in view.seats
        if seat.seat in lost and seat.match is not None and seat.match.on_county
    ]
    if county:
        sentence = _.plural(
            "{names} plays on without a life.", "{names} play on without a life.", len(county)
        )
        lines.append(sentence.format(names=_names(view, county, _)))
    return " ".join(lines)


def _grouped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, tuple[int, ...]]]:
    groups: dict[int, list[int]] = {}
    for seat, number in pairs:
        if number:
            groups.setdefault(number, []).append(seat)
    return [(number, tuple(seats)) for number, seats in sorted(groups.items(), reverse=True)]


def end_word(result: ResultView, _: Translator) -> str:
    """Return how a hand ended in a word or two."""
    words = {
        "blitz": _("Thirty-one"),
        "draw": _("A draw"),
        "restart": _("Begun anew"),
        "out-of-gate": _("Out of the gate"),
        "walkover": _("All others are gone"),
    }
    return words.get(result.end, _("The showdown"))


def _scored(view: View, result: ResultView, _: Translator) -> str:
    """Return who lost most, or gained most."""
    toll = result.losses
    lines = toll_lines(view, result, _)
    if toll is None or not lines:
        return _("Nobody loses a life")
    best = _grouped(toll.gained)
    if best and len(best[0][1]) > MOST_NAMES:
        return _("The hands are scored")
    losers = tuple(seat for seat, _lives in toll.lost)
    if len(losers) > MOST_NAMES:
        return _.plural("{n} player loses lives", "{n} players lose lives", len(losers)).format(
            n=len(losers)
        )
    if len(losers) > 1 and not toll.void:
        return _("{names} lose lives").format(names=_names(view, losers, _))
    return lines[0].rstrip(".")


def _after(view: View, result: ResultView, _: Translator) -> str:
    """Return what else there is to say of the end, and who deals next."""
    parts = [fate_line(view, result, _)]
    match = view.match
    if match is not None and match.over:
        won = dict(match.settlement).get(-1 if match.winner is None else match.winner, 0)
        if won:
            parts.append(
                _.plural("The pot brings {n} token.", "The pot brings {n} tokens.", won).format(
                    n=won
                )
            )
    elif result.end == "restart":
        parts.append(_("The open hand stays in the middle; the same dealer deals."))
    elif result.next_dealer is not None:
        parts.append(_("{name} deals next.").format(name=player_name(view, result.next_dealer, _)))
    parts.append(_("NEXT: go on."))
    return " ".join(part for part in parts if part)


def _deal(view: View, middle: MiddleView, _: Translator) -> Prompt | None:
    detail = _("NEXT: everybody has three cards.")
    if "table" in middle.deal_to:
        return Prompt(_("Three cards face up in the middle"), detail, kind=PromptKind.TURN)
    if "widow" in middle.deal_to:
        return Prompt(_("Widow: next card face down"), detail, kind=PromptKind.TURN)
    if "second" in middle.deal_to and view.dealer is not None:
        name = player_name(view, view.dealer, _)
        title = _("{name}: three more cards for yourself").format(name=name)
        if "B" in middle.deal_to:
            return Prompt(title, _("And three face down in the middle."), kind=PromptKind.TURN)
        return Prompt(title, detail, kind=PromptKind.TURN)
    if "B" in middle.deal_to:
        return Prompt(_("Three cards face down in the middle"), detail, kind=PromptKind.TURN)
    if view.deal_to is None:
        return None
    title = _("{name}: next card face down").format(name=player_name(view, view.deal_to[0], _))
    return Prompt(title, detail, kind=PromptKind.TURN)


def _turn(view: View, turn: int, middle: MiddleView, _: Translator) -> Prompt:
    name = player_name(view, turn, _)
    if middle.drawn is not None:
        detail = (
            _("Drawn from the stock. Lay a card face up on the discard.")
            if middle.drawn == "stock"
            else _("Drawn from the discard. Lay a card face up on the discard.")
        )
        return Prompt(_("{name}: discard a card").format(name=name), detail, kind=PromptKind.TURN)
    if middle.renewed:
        return Prompt(
            _("{name}: go on").format(name=name),
            _("Exchange a card, swap hands, or lay three new cards once more."),
            kind=PromptKind.TURN,
        )
    if middle.knocker is not None:
        return _last_turn(view, name, middle, _)
    ways = {
        "none": _("From the stock or the discard."),
        "widow": _("From the stock or the discard, or exchange with the widow."),
        "switch": _("One card or the hand for A or B, or three new cards there."),
        "bus": _("Swap one card or three with the middle."),
    }[middle.table]
    if middle.stopper is not None:
        stopper = player_name(view, middle.stopper, _)
        detail = _("{name} may still knock: STICK.").format(name=stopper)
    elif middle.may_knock and middle.may_stand:
        detail = f"{ways} " + _("STICK: knock or pass.")
    elif middle.may_knock:
        detail = f"{ways} " + _("STICK: knock.")
    else:
        detail = ways
    asks = {
        ("switch", True): _("{name}: exchange, or knock?"),
        ("switch", False): _("{name}: exchange"),
        ("bus", True): _("{name}: swap, or knock?"),
        ("bus", False): _("{name}: swap one card or three"),
    }
    usual = _("{name}: draw, or knock?") if middle.may_knock else _("{name}: draw a card")
    title = asks.get((middle.table, middle.may_knock), usual).format(name=name)
    return Prompt(title, detail, kind=PromptKind.TURN)


def _last_turn(view: View, name: str, middle: MiddleView, _: Translator) -> Prompt:
    knocker = "" if middle.knocker is None else player_name(view, middle.knocker, _)
    detail = _("{name} has knocked.").format(name=knocker)
    if middle.may_stand:
        detail += " " + _("STICK: stand.")
    return Prompt(_("{name}: your last turn").format(name=name), detail, kind=PromptKind.TURN)


def _names(view: View, seats: Iterable[int], _: Translator) -> str:
    return _.names([player_name(view, seat, _) for seat in seats])
