"""What players say in their turns, and the cards that they draw."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import Look, LyingCard, Said
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import dealing, on_mat
from device.croupier.seats.mat import UNKNOWN, At, SeatMat, play_of, seat_of
from device.croupier.seats.on_mat import MIDDLE
from device.ports import Button
from engine.core.events import Claim, Deal, Declare, Event, Have, Stick
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.base import Play

LATE_S = 1.5
"""So soon after a card lies there HAVE is the word for it, said before and pressed after."""

SAFE = 11
"""So far below what the game wants no card takes a hand over it: nobody would stick."""


def word(at: At, look: Look, said: Said) -> Iterator[Move[SeatMat]]:
    """Offer what a press may mean; without a seat it is the word of whose turn it is."""
    press, play = said.press, at.state.live_play
    if press is None or play is None:
        return
    seat = play.turn if press.seat is None else press.seat
    if seat is None:
        return
    event: Event | None = None
    if press.button is Button.HAVE:
        event = Have(seat)
    elif press.button is Button.STICK:
        event = Stick(seat)
    elif press.button is Button.OUT:
        event = Declare(seat, Claim.OUT)
    silent = _was_silent(at, press.button, press.seat)
    # People press when they have spoken, and the card may lie there first.
    late = silent and said.after_s <= LATE_S and _came_silently(at, seat)
    if event is not None:
        yield Move((event,), at.mat, (Assumption.AT_ONCE,) if late else (), said)
    if silent:  # of what was done already
        yield Move((), at.mat, () if late else (Assumption.LATE_WORD,), said)
    if press.button is Button.STICK:
        yield from _withdraws(at, look, seat, said)


def _withdraws(at: At, look: Look, seat: int, said: Said | None = None) -> Iterator[Move[SeatMat]]:
    """Offer that a player who had asked for a card wants none after all."""
    if at.events[-1:] == (Have(seat),) and not any(c.zone in MIDDLE for c in look.cards):
        stick = (len(at.events) - 1, 1, (Stick(seat),))
        yield Move((), at.mat, (Assumption.WITHDRAWN,), said, insert=stick)


def in_turn(at: At, look: Look, play: Play, turn: int) -> Iterator[Move[SeatMat]]:
    """Offer what the player whose turn it is, or the dealer, may have done."""
    new = list(on_mat.new_cards(at, look))
    astray = [card for seat, card in new if seat != turn]
    if not play.asked:  # rather that than one dealt unasked that slid far
        yield from dealing.falls(at, astray, Assumption.FELL)
    yield from _card_comes(at, look, play, turn, new)
    if play.asked:
        yield from dealing.falls(at, astray)
    waits = [seat for seat, _ in new if seat != turn]
    spoken = on_mat.who_spoke(at)
    if play.asked:
        if spoken or waits or on_mat.shows_more(at, look, turn):
            after = at.mat.dealt(turn, UNKNOWN)
            why = _snatched(at, turn)
            yield Move((Deal(turn, None),), after, why, leaves_trace=False)
            yield from _withdraws(at, look, turn)
        return
    if waits or any(seat not in (None, turn) for seat in spoken):
        silent_stick = (Assumption.SILENT_STICK,)
        yield Move((_last_word(at, look, turn),), at.mat, silent_stick, leaves_trace=False)
    elif None in spoken and turn != at.state.dealer:
        # A word at the console is that of whose turn it is, or hardly of a later player.
        skipped = (Assumption.SILENT_STICK, *(() if at.untraced else (Assumption.OUT_OF_TURN,)))
        yield Move((_last_word(at, look, turn),), at.mat, skipped, leaves_trace=False)
    if on_mat.shows_more(at, look, turn):
        events = (Have(turn), Deal(turn, None))
        assumed = (Assumption.SILENT_HAVE, *_snatched(at, turn))
        yield Move(events, at.mat.dealt(turn, UNKNOWN), assumed, leaves_trace=False)
    if all_show(at) or turn_is_shown(at):
        yield from _shown_in_turn(at, turn)


def _last_word(at: At, look: Look, seat: int) -> Event:
    """Return what whoever plays no more had to say: out, where what lies open is too much."""
    here = on_mat.cards_here(at, look, seat)
    up = [card.card for card in here if card.is_up and card.card is not None]
    return Declare(seat, Claim.OUT) if on_mat.is_more(at.state, up) else Stick(seat)


def _card_comes(
    at: At, look: Look, play: Play, turn: int, new: list[tuple[int, LyingCard]]
) -> Iterator[Move[SeatMat]]:
    """Offer a new card as the one for *turn*, asked for or not."""
    have = () if play.asked else (Have(turn),)
    silent = (Assumption.SILENT_HAVE,) if have else ()
    if not play.asked and on_mat.left_astray(at, look, turn):
        silent = (*silent, Assumption.SLID)  # rather the card that lay elsewhere is put right
    held = on_mat.held(at, look, turn)
    if look.blind and sum(seat == turn for seat, _ in new) <= held:
        silent = (*silent, Assumption.DEALT_BLIND)
    tried = set()
    # What lies where one of the hand lay is rather that one.
    for seat, card in sorted(new, key=lambda each: at.mat.owner(each[1].number) is not None):
        if seat in tried:
            continue  # the first that was laid came first
        tried.add(seat)
        if seat == turn:
            yield from dealing.dealt_to(at, look, seat, card, *have, assumed=silent)
        elif not play.hand(turn).shown:
            slid = Assumption.SLID if _beside(play, seat, turn) else Assumption.SLID_FAR
            yield from dealing.dealt_to(at, look, turn, card, *have, assumed=(*silent, slid))


def _snatched(at: At, seat: int) -> tuple[Assumption, ...]:
    """Return how unusual it is that a card came to *seat* and was taken up unseen."""
    hands = at.hands or ()
    hidden = (Assumption.DEALT_UNSEEN,)
    both = {at.state.dealer, seat} <= {*hands} and seat != at.state.dealer
    if both and at.mat.open_cards is OpenCards.NONE:
        return hidden
    # Where no hands are seen at all, the same word said twice is likelier; so it is where cards
    # that are drawn stay open.
    lies = at.hands is None or at.mat.open_cards is not OpenCards.NONE
    return (Assumption.SNATCHED,) * (2 if lies else 1)


def _shown_in_turn(at: At, turn: int) -> Iterator[Move[SeatMat]]:
    """Offer that who lies open wants no more, or that it was turned up to count it (OT-18)."""
    if all_show(at):
        yield Move((Stick(turn),), at.mat, (Assumption.HANDS_OPEN,))
        return
    play, game = play_of(at), at.state.setup.game
    total = game.total(play, play.hand(turn).cards)
    low = total is not None and total <= game.target - SAFE
    stick = Assumption.SILENT_STICK if low else Assumption.HANDS_OPEN
    yield Move((Stick(turn),), at.mat, (stick,))
    plays_on = replace(at.mat, plays_open=at.mat.plays_open | {turn})
    yield Move((), plays_on, () if low else (Assumption.PLAYS_OPEN,))


def all_show(at: At) -> bool:
    """Return whether everybody who is still in lies open while somebody is to play."""
    play = play_of(at)
    if play.phase is not Phase.PLAY or play.asked or at.mat.open_cards is OpenCards.ALL:
        return False
    alive = [hand for hand in play.hands if not hand.out]
    return all(h.shown for h in alive) and any(not h.stuck for h in alive)


def turn_is_shown(at: At) -> bool:
    """Return whether the hand of the player whose turn it is was laid open: they stick."""
    play = play_of(at)
    if play.phase is not Phase.PLAY or play.asked or play.turn is None:
        return False
    shown = play.hand(play.turn).shown and play.turn not in at.mat.plays_open
    return at.mat.open_cards is not OpenCards.ALL and shown


def _was_silent(at: At, button: Button, seat: int | None) -> bool:
    """Return whether a word that is said now was assumed before."""
    kinds = {Button.HAVE: Have, Button.STICK: Stick}
    silent = {Assumption.SILENT_HAVE, Assumption.SILENT_STICK, Assumption.HANDS_OPEN}
    kind = kinds.get(button)
    return kind is not None and any(
        isinstance(event, kind) and seat in (None, seat_of(event)) and silent & set(assumed)
        for event, assumed in at.steps[-9:]
    )


def _came_silently(at: At, seat: int) -> bool:
    """Return whether the last thing that happened is a card for *seat*, which did not ask."""
    *_, have, deal = at.events if len(at.events) > 1 else (None, None)
    drew = isinstance(have, Have) and isinstance(deal, Deal) and seat_of(deal) == seat
    return drew and Assumption.SILENT_HAVE in at.assumed[-2]


def _beside(play: Play, seat: int, turn: int) -> bool:
    """Return whether *seat* sits next to *turn*."""
    seats = sorted(hand.seat for hand in play.hands)
    there, here = seats.index(seat), seats.index(turn)
    return abs(there - here) in (1, len(seats) - 1)
