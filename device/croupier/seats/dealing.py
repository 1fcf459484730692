"""Cards that come to hands: cut, dealt, fallen, exposed, dealt after the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.left_over import gathered
from device.croupier.legal import is_legal, refusal_of
from device.croupier.looks import (
    ACROSS_DEG,
    SPREAD_MM,
    Look,
    LyingCard,
    numbers_of,
    turned_apart,
)
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import on_mat, showing, throwing_in
from device.croupier.seats.mat import UNKNOWN, At, SeatMat, numbers_in, play_of, seat_of
from device.croupier.seats.thirds import ways_to_deal
from device.ports import Button
from engine.core.cards import Card
from engine.core.events import Cut, Deal, Event, Facing
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.core.views import Phase
from engine.games.one_and_thirty.bone_ace import BoneAce
from engine.games.one_and_thirty.in_order import is_word


def cuts(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer the cards that were cut for the deal."""
    for card in on_mat.cards_cut(at, look):
        if card.is_up and card.card is not None and card.seat is not None:
            about = frozenset((card.number,))
            left = tuple(was for was in at.mat.left if was.number != card.number)
            after = replace(at.mat.without((card,)), left=left)
            yield Move((Cut(card.seat, card.card),), after, about=about)


def gathers(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that what was left over was gathered, and dealt where it lies now."""

    def may_be_dealt(card: LyingCard) -> bool:
        seat = on_mat.place_of(at, card)
        if seat is None or not card.is_up:
            return seat is not None
        deal = Deal(seat, card.card, Facing.UP)
        due = card.card is not None and is_legal(at.state, deal)
        return due and _may_be_open(at, (deal,), card)

    yield from gathered(at.mat, look, at.state.dealer, may_be_dealt)


def deals(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer the next card of the deal: one that lies there, else one that nobody saw.

    In which order the cards of one look were dealt makes no difference, so one order is tried:
    who has the fewest cards first. It does where third cards came open with others.
    """
    play = play_of(at)
    new = list(on_mat.new_cards(at, look))
    ways = list(_deals_at_once(at, look, new))
    if ways:
        yield from ways
        return
    held = {hand.seat: len(hand.cards) for hand in play.hands}
    turn = {seat: place for place, seat in enumerate(play.eldest)}

    def order(seat: int) -> tuple[int, int]:
        return held[seat], turn[seat]

    for seat, card in sorted(new, key=lambda each: order(each[0])):
        for move in dealt_to(at, look, seat, card):
            if is_legal(at.state, *move.events):
                yield move
                if seat != min(held, key=order):
                    yield from falls(at, [card])
                return
    yield from falls(at, [card for _, card in new])
    if new or any(said.press for _, said in at.said):
        due = next((s for s in sorted(held, key=order) if is_legal(at.state, Deal(s, None))), None)
        here = [card for place, card in new if place == due]
        if due is not None and not _fell_open(at, here):
            # Where all others have theirs, the next card at that place shows that it came.
            others = min((n for each, n in held.items() if each != due), default=0)
            shows = bool(here) and others >= on_mat.cards_dealt(at.state)
            after = at.mat.dealt(due, UNKNOWN)
            event = Deal(due, None)
            yield Move((event,), after, (Assumption.SNATCHED,), leaves_trace=shows)


def dealt_unseen(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that all have their cards, and that each hand was taken up at once, or lies there.

    People say so by what only comes after the deal: a word, or a hand laid open.
    """
    play, mat = play_of(at), at.mat
    nothing = at.hands == () and not any(hand.cards for hand in play.hands)
    if nothing or isinstance(at.state.setup.game, BoneAce):
        return
    presses = [said.press for _, said in at.said if said.press is not None]
    word = any(press.button is not Button.NEXT for press in presses)
    if not word and not any(on_mat.whole_hand(at, look, hand.seat) for hand in play.hands):
        return
    most, due = on_mat.cards_dealt(at.state), Counter[int]()
    last_has_all = len(play.hand(play.eldest[-1]).cards) == most
    for hand in play.hands:
        lying = {c.number for c in look.at_seat(hand.seat)} - mat.spent
        whole = len(lying) == most or bool(on_mat.whole_hand(at, look, hand.seat))
        if lying and not (whole or last_has_all):
            return  # the deal goes on
        due[hand.seat] = most - len(hand.cards)
    events = tuple(
        Deal(seat, None) for left in range(most, 0, -1) for seat in play.eldest if due[seat] >= left
    )
    for event in events:
        mat = mat.dealt(event.seat, UNKNOWN)
    yield Move(events, mat, (Assumption.SNATCHED,) * 2, leaves_trace=False)


def _deals_at_once(at: At, look: Look, new: list[tuple[int, LyingCard]]) -> Iterator[Move[SeatMat]]:
    """Offer all *new* cards of a deal by who may have the Bone, where that is not plain."""
    play, game = play_of(at), at.state.setup.game
    hands: dict[int, list[LyingCard]] = {}
    for seat, card in new:
        hands.setdefault(seat, []).append(card)
    if not isinstance(game, BoneAce) or not all(_may_lie_so(at, cards) for cards in hands.values()):
        return
    turn = {seat: place for place, seat in enumerate(play.eldest)}
    held = {hand.seat: len(hand.cards) for hand in play.hands}
    about = numbers_of(card for _, card in new)
    for way in ways_to_deal(game, play, hands, look):
        dealt = sorted(
            (held[seat] + place, turn[seat], seat, card)
            for seat, cards in way.items()
            for place, card in enumerate(cards)
        )
        mat = at.mat
        for _, _, seat, card in dealt:
            mat = mat.dealt(seat, card.number)
        events = [
            Deal(seat, card.card, Facing.UP if card.is_up else Facing.DOWN)
            for _, _, seat, card in dealt
        ]
        if is_legal(at.state, *events):
            yield Move(tuple(events), mat, (Assumption.ORDER,), about=about)


def _fell_open(at: At, cards: list[LyingCard]) -> bool:
    """Return whether more of the *cards* dealt to a place are open than should be (G-4)."""
    open_places = getattr(at.state.setup.game, "face_up", ())
    up = sum(card.is_up and card.card is not None for card in cards)
    return at.mat.open_cards is not OpenCards.ALL and up > len(open_places)


def _may_lie_so(at: At, cards: list[LyingCard]) -> bool:
    """Return whether all open *cards* of a hand are read, and may lie open."""
    up = [card for card in cards if card.is_up]
    fell = len(up) > 1 and at.mat.open_cards is not OpenCards.ALL
    return all(card.card is not None for card in up) and (
        not fell or any(card.allowed for card in up)
    )


def never_lay(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that the back dealt last, gone though no hand was there, had been seen twice."""
    log, gone = at.events, at.mat.lying - numbers_in(look)
    last = log[-1] if log else None
    if look.hands != () or look.blind or len(gone) != 1 or not isinstance(last, Deal):
        return
    *left, number = at.mat.hand(last.seat) or (UNKNOWN,)
    if number not in gone or last.card is not None:
        return
    silent = Assumption.SILENT_HAVE in at.assumed[-1]
    events = 1 + silent
    mat = at.mat.with_numbers(last.seat, left)
    cut = (len(log) - events, events, ())
    yield Move((), mat, (Assumption.FOUND_TWICE,), about=gone, insert=cut)


def lay_before(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that what lay apart at a place before the first deal is no card of the hand there.

    It is a second pack, its box, or a card of a bank.
    """
    most = on_mat.cards_dealt(at.state)
    if not (most and look.before_deal) or any(map(is_word, at.events)):
        return
    new = list(on_mat.new_cards(at, look))
    for card in look.cards:
        seat = on_mat.at_seat(at, card)
        if seat is None or not _lay_apart(look, card, seat):
            continue
        numbers, about = list(at.mat.hand(seat)), frozenset((card.number,))
        mat = at.mat.without((card,))
        if at.mat.owner(card.number) is None and len(numbers) == most:
            yield Move((), mat, about=about)
        others = [other for place, other in new if place == seat]
        if card.number not in numbers or len(numbers) < most or len(others) != 1:
            continue
        deals = [n for n, e in enumerate(at.events) if isinstance(e, Deal) and e.seat == seat]
        place = numbers.index(card.number)
        (other,) = others
        deal = Deal(seat, other.card, Facing.UP if other.is_up else Facing.DOWN)
        mat = mat.with_numbers(seat, [*numbers[:place], *numbers[place + 1 :], other.number])
        yield Move((deal,), mat, about=about, insert=(deals[place], 1, ()))


def _lay_apart(look: Look, card: LyingCard, seat: int) -> bool:
    """Return whether a card lay alone at a place before the deal, and is of no row there."""
    others = [other for other in look.at_seat(seat) if other is not card]
    if {c.number for c in look.at_seat(seat)} & look.before_deal != {card.number}:
        return False
    turn = card.turn_deg
    turns = [other.turn_deg for other in others if other.turn_deg is not None]
    if turn is not None and turns and all(turned_apart(turn, t) > ACROSS_DEG for t in turns):
        return True
    return on_mat.nearest(card, others) > SPREAD_MM


def dealt_elsewhere(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that an open card was dealt to the wrong player, and lies at the right one now."""
    lying, deals = numbers_in(look), dict[Card, tuple[int, Deal]]()
    for number, event in enumerate(at.events):
        if isinstance(event, Deal) and event.face is Facing.UP and event.card is not None:
            deals[event.card] = number, event
    for card in look.cards:
        seat = on_mat.at_seat(at, card)
        if seat is None or not card.is_up or card.card not in deals:
            continue
        number, deal = deals[card.card]
        dealt = [seat_of(event) for event in at.events[:number] if isinstance(event, Deal)]
        hands = {each: list(held) for each, held in at.mat.hands}
        held = hands.get(deal.seat, [])
        if seat == deal.seat or dealt.count(deal.seat) >= len(held):
            continue
        was = held.pop(dealt.count(deal.seat))
        if was != card.number and was in lying:
            continue
        hands.setdefault(seat, []).insert(dealt.count(seat), card.number)
        sorted_hands = tuple(sorted((each, tuple(held)) for each, held in hands.items()))
        yield Move(
            (),
            replace(at.mat, hands=sorted_hands),
            on_mat.by_hand(look, at.state.dealer),
            about=frozenset((card.number,)),
            insert=(number, 1, (Deal(seat, deal.card, deal.face),)),
        )


def falls(at: At, cards: list[LyingCard], *why: Assumption) -> Iterator[Move[SeatMat]]:
    """Offer that the one card that lies where none is due fell there by mistake."""
    if len(cards) != 1 or cards[0].number in at.mat.lying or cards[0].is_up:
        return
    card = cards[0]
    assert card.seat is not None
    refusal = None
    if at.state.phase is Phase.DEAL:
        refusal = refusal_of(at.state, Deal(card.seat, None))
    if refusal is None or refusal.code == Refusal.TOO_MANY_CARDS:
        after = replace(at.mat, fallen=at.mat.fallen | {card.number})
        yield Move((), after, (Assumption.FELL, *why), about=frozenset((card.number,)))


def dealt_to(
    at: At,
    look: Look,
    seat: int,
    card: LyingCard,
    *before: Event,
    assumed: tuple[Assumption, ...] = (),
) -> Iterator[Move[SeatMat]]:
    """Offer *card* as one dealt to *seat*, after some events."""
    if card.is_up and card.card is None:
        return  # it must be named first
    face = Facing.UP if card.is_up else Facing.DOWN
    event = Deal(seat, card.card, face)
    if card.is_up and not (
        (at.state.phase is Phase.PLAY and seat in on_mat.who_spoke(at))  # who plays on with it
        or _may_be_open(at, (*before, event), card)
    ):
        if not before and at.state.phase is Phase.PLAY and card.number not in at.mat.exposed:
            exposed = replace(at.mat, exposed=at.mat.exposed | {card.number})
            yield Move((), exposed, (*assumed, Assumption.EXPOSED))
        return
    after = at.mat.dealt(seat, card.number)
    if at.state.phase is Phase.PLAY and not card.is_up:
        after = after.in_any_order(seat)
    about = frozenset((card.number,))
    if card.number not in at.mat.lying and at.state.phase is Phase.PLAY:
        held = on_mat.held(at, look, seat)
        # Who holds no card has taken this one out of the dealer's hand.
        taken = seat in (look.hands or ()) and not held
        assumed = (*assumed, *on_mat.by_hand(look, seat if taken else at.state.dealer))
    if throwing_in.come_to_light(at, look, [card]):
        assumed = (*assumed, Assumption.STRAY)  # it is rather one of the heap
    yield Move((*before, event), after, assumed, hand=None, about=about)


def _may_be_open(at: At, events: tuple[Event, ...], card: LyingCard) -> bool:
    """Return whether an open card counts without a question (rules BA-1, BA-12)."""
    drawn = at.state.phase is Phase.PLAY
    if (
        card.allowed
        or at.mat.open_cards is OpenCards.ALL
        or (drawn and at.mat.open_cards is OpenCards.DRAWN)
    ):
        return True
    # Where the rules want it open, they refuse it face down.
    *before, deal = events
    assert isinstance(deal, Deal)
    return not is_legal(at.state, *before, Deal(deal.seat, None))


def exposed(at: At, look: Look) -> LyingCard | None:
    """Return a card that lies open and should not; the table is asked to play on with it."""
    play = at.state.live_play
    if play is None or play.phase not in (Phase.DEAL, Phase.PLAY):
        return None
    new = list(on_mat.new_cards(at, look))
    unread = any(card.is_up and card.card is None for _, card in new)
    if play.phase is Phase.DEAL and unread:
        return None  # the others may only wait for it to be named
    for seat, card in new:
        asked = play.phase is Phase.DEAL or (play.asked and play.turn == seat)
        if play.phase is Phase.PLAY and sum(other == seat for other, _ in new) > 1:
            continue  # so a hand is shown
        if asked and card.card is not None:
            deal = (Deal(seat, card.card, Facing.UP),)
            if is_legal(at.state, *deal) and not _may_be_open(at, deal, card):
                return card
    return None


def laid_back_in_the_deal(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a player laid all back that they had taken up while cards were dealt.

    A single one is rather the next of the deal, unless the dealer's hand was not there.
    """
    play, hands, dealer = play_of(at), {*(look.hands or ())}, at.state.dealer
    new = list(on_mat.new_cards(at, look))
    for hand in play.hands:
        here = [card for seat, card in new if seat == hand.seat]
        held = on_mat.held(at, look, hand.seat)
        is_next = len(here) == 1 and bool(hands & {dealer, None})
        if hand.seat in hands and 0 < len(here) == held and not is_next:
            yield Move((), at.mat.laid_back(hand.seat, here), (Assumption.LAID_BACK,))


def plays_on(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a card was dealt although everybody could see that the hand was over.

    Where a hand that lies open had been 31 before its last card people rather go on as it was out,
    if its cards may have come in another order.
    """
    dealt = on_mat.dealt_after(at, look)
    if dealt and not showing.is_turned_up(at, look):
        mat = replace(at.mat, lying=at.mat.lying | dealt, spent=at.mat.spent | dealt)
        # What shows beside a hand that lacked a card, or is laid anew, is more likely its card.
        lay = dict(mat.together)
        here = [c.seat for c in look.cards if c.number in dealt and c.seat is not None]
        is_own = any(
            lay.get(seat, 0) > len(play_of(at).hand(seat).cards)
            or look.pushed & frozenset(mat.hand(seat))
            for seat in here
        )
        took_more = any(Assumption.TOOK_MORE in assumed for assumed in at.assumed)
        price = 1 + 3 * is_own + took_more
        yield Move((), mat, (Assumption.PLAYED_ON,) * price, about=dealt)
