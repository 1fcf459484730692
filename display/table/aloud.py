"""What a player who cannot see the table asks for: the facts that decide, in a few words each."""

from __future__ import annotations

from collections.abc import Sequence

from display.table.seats import badge_of, is_turn
from engine.core.cards import Card
from engine.core.messages.message import Joined, Message, Style, Styled, Value, plural
from engine.core.messages.prompt import player_name, player_names
from engine.core.messages.words import card_words, cards_in_short, count, rank_words
from engine.core.views import MiddleView, Phase, SeatView, TableKind, View
from engine.games.scat.prompts import worth_of

PILES = {
    # Translators: the cards of a pile between the players follow.
    "widow": Message("Widow"),
    "table": Message("On the table"),
    "A": Message("Hand {hand}", hand="A"),
    "B": Message("Hand {hand}", hand="B"),
}


def facts(view: View, seat: int | None = None, *, counts_own: bool = False) -> tuple[Value, ...]:
    """Return the facts of this moment, those first that decide.

    First whose turn it is and the total and the open cards of who asks, and what lies in the
    middle; then who leads; then how each of the others stands. What decides is heard first, and in
    few words: each fact is to be over within four seconds.

    Args:
        view: what the whole table may see (rule G-7).
        seat: who asks; without it the player whose turn it is.
        counts_own: the cards of who asks are counted too, though whoever holds them feels them.
    """
    turns = tuple(each.seat for each in view.seats if is_turn(view, each)) or view.to_cut
    alone = turns[0] if len(turns) == 1 else None
    mine = alone if seat is None else seat
    first = [_turn(view, turns)]
    if mine is not None and any(each.seat == mine for each in view.seats):
        own = _standing(view, view.seat(mine), own=True, counts=counts_own)
        if turns == (mine,):
            first = [_sentence(Styled(first[0], Style.TITLE), *own)]
        elif own:  # who asks at a seat knows whose it is; AGAIN says what is asked of several
            first = [_sentence(*own), *(first if turns else ())]
    if view.middle is not None:
        first += _middle(view, view.middle)
    others = [each for each in _around(view, mine) if each.seat != mine]
    rest = tuple(_named(each, [*_standing(view, each), *_holding(each)]) for each in others)
    return (Joined(tuple(first)), _leaders(view, mine), *rest)


def _turn(view: View, turns: Sequence[int]) -> Value:
    if not turns:
        return Message("It is nobody's turn.")
    if len(turns) == len(view.seats) > 2:
        return Message("Everybody has to act now.")
    if len(turns) > 1:
        return Message("To act: {names}.", names=player_names(view, turns))
    return Message("{name}'s turn.", name=player_name(view, turns[0]))


def _sentence(*parts: Value) -> Value:
    """Return *parts* as one sentence: a voice takes long between two."""
    return Styled(Joined(parts, ", "), Style.SENTENCE)


def _named(seat: SeatView, standing: Sequence[Value]) -> Value:
    if not standing:
        return _sentence(seat.name)
    return _labelled(seat.name, Joined(tuple(standing), ", "))


def _standing(view: View, seat: SeatView, *, own: bool = False, counts: bool = True) -> list[Value]:
    """Return how a player stands: the total, what they have done, the open cards.

    Of one's *own* hand it is not said what one has done; what lies face down only if it *counts*:
    who holds the cards feels how many there are.
    """
    badge = badge_of(view, seat)
    said: list[Value] = []
    if badge is not None and not own and not is_turn(view, seat):
        said.append(badge.word)
    if view.phase in (Phase.CUT, Phase.DEAL) and not seat.cards:
        said += [card_words(card) for number, card in view.cuts if number == seat.seat]
    if worth_of(seat):
        said.insert(0, worth_of(seat))
    cards = [card for card in (seat.cards if seat.shown else (*seat.cards, *seat.known)) if card]
    if cards and (worth_of(seat) or view.table is TableKind.MIDDLE):
        said.append(_cards(view, cards))
    elif cards:
        # Translators: the open cards of somebody whose total nobody knows, such as "showing 10, 6".
        said.append(Message("showing {cards}", cards=_cards(view, cards)))
    closed = sum(card is None for card in seat.cards) - (0 if seat.shown else len(seat.known))
    if closed > 0 and counts:
        said.append(_closed(closed))
    stake = Message("Stake {n}", n=seat.stake_laid)
    if seat.stake_laid and view.result is None and stake not in said:
        said.append(stake)
    if not said and not own and view.table is TableKind.BONES and seat.is_dealer:
        said.append(Message("the bank"))
    return said


def _middle(view: View, middle: MiddleView) -> list[Value]:
    """Return what lies between the players, and who has knocked."""
    said: list[Value] = []
    if middle.discard_top is not None:
        said.append(_labelled(Message("Discard"), card_words(middle.discard_top)))
    for pile in middle.piles:
        if pile.name in PILES:
            said.append(_labelled(PILES[pile.name], _pile(pile.cards)))
    if middle.knocker is not None:
        name = player_name(view, middle.knocker)
        said.append(Message("{name} has knocked.", name=name))
    return said


def _labelled(label: Value, words: Value) -> Value:
    return _sentence(Message("{name}: {said}", name=label, said=words))


def _pile(cards: Sequence[Card | None]) -> Value:
    """Return the cards of a pile in their order: where one lies counts when it is exchanged."""
    if not any(cards):
        return _closed(len(cards))
    said = (Message("face down") if card is None else card_words(card) for card in cards)
    return Joined(tuple(said), ", ")


def _closed(number: int) -> Message:
    return Message("{n} card face down", "{n} cards face down", number, n=number)


def _cards(view: View, cards: Sequence[Card]) -> Value:
    """Return *cards* in few words: without their suits, where only points count."""
    return cards_in_short(cards) if view.table is TableKind.MIDDLE else rank_words(cards)


def _around(view: View, mine: int | None) -> list[SeatView]:
    """Return the players clockwise, from the left of who asks."""
    start = -1 if mine is None else mine
    return sorted(view.seats, key=lambda seat: (seat.seat <= start, seat.seat))


def _leaders(view: View, mine: int | None) -> Value:
    """Return who has most: lives, points or tokens; what who asks has; and what is in the pot."""
    standing = {seat.seat: _has(seat) for seat in view.seats}
    most, least = max(standing.values()), min(standing.values())
    leads: Value = Message("Nobody leads.")
    if most != least:
        seats = [seat for seat, has in standing.items() if has == most]
        leads = _lead(view, seats)
        if mine is not None and mine in standing and mine not in seats:
            leads = Joined((leads, _named(view.seat(mine), [_holds(view.seat(mine))])))
    pot = 0 if view.match is None else view.match.pot
    if not pot:
        return leads
    held = Message("Pot: {n} token", "Pot: {n} tokens", pot, n=pot)
    return Joined((leads, Joined((held, "."), "")))


def _has(seat: SeatView) -> int:
    match = seat.match
    if match is None:
        return seat.tokens
    if match.eliminated:
        return -1
    if match.points is not None:
        return match.points
    return seat.tokens if match.lives is None else match.lives


def _holding(seat: SeatView) -> list[Value]:
    """Return what a player has; nothing is not said where tokens alone count."""
    return [_holds(seat)] if seat.tokens or seat.match is not None else []


def _holds(seat: SeatView) -> Value:
    """Return what a player has: lives, points or tokens."""
    match = seat.match
    if match is not None and match.eliminated:
        return Message("Out of the match")
    if match is not None and match.points is not None:
        return Message("{n} point", "{n} points", match.points, n=match.points)
    if match is not None and match.lives is not None:
        return Message("{n} life", "{n} lives", match.lives, n=match.lives)
    return count(seat.tokens, "token")


def _lead(view: View, seats: Sequence[int]) -> Message:
    said = plural("{names} leads with {count}.", "{names} lead with {count}.")
    return Message(
        *said, len(seats), names=player_names(view, seats), count=_holds(view.seat(seats[0]))
    )
