"""The players' plates: name, cards, total, what they do, and the coins that glide between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pygame import Rect

from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, signed
from display.drawing.shapes import CARD_ASPECT, Icon
from display.drawing.text import Face, text_width
from display.drawing.theme import Colour, Theme
from display.table.scat_seats import (
    BADGE_CAP,
    Badge,
    counts_lives,
    draw_standing,
    held_cards,
    scat_badge,
)
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Message
from engine.core.views import Phase, SeatStatus, SeatView, TableKind, View
from engine.games.scat.prompts import worth_of

NAME_CAP, TOTAL_CAP = 0.037, 0.066
"""Heights of capitals as shares of the screen's height."""

INDEX_SHARE, LOWEST = 0.62, 0.6
"""How much of a card must show, and the smallest share of the room that its height may be."""

BADGES: Mapping[TableKind, Callable[[View, SeatView], Badge | None]] = {
    TableKind.MIDDLE: scat_badge
}
"""By the kind of table: what its plates show before what those of every game do."""


@dataclass(frozen=True, slots=True)
class _Tone:
    """The colours of one plate; *line* is the width of its edge as a share."""

    fill: tuple[int, ...]
    edge: Colour
    ink: Colour
    ground: Colour
    line: float


FIXED: Mapping[SeatStatus, Badge] = {
    SeatStatus.STUCK: Badge(Icon.STUCK, Message("Sticks")),
    SeatStatus.OUT: Badge(Icon.OUT, Message("Out")),
    SeatStatus.THIRTY_ONE: Badge(Icon.STAR, Message("Thirty-one")),
    SeatStatus.WINNER: Badge(Icon.CROWN, Message("Wins")),
    SeatStatus.LEFT: Badge(Icon.LEFT, Message("Left")),
}
"""What the plate of a player says who has come to something."""


def badge_of(view: View, seat: SeatView) -> Badge | None:
    """Return what the plate of *seat* says about its player now, if anything."""
    special = BADGES.get(view.table)
    found = None if special is None else special(view, seat)
    if found is not None:
        return found
    if view.result is not None and seat.seat in view.result.winners:
        exactly = seat.status is SeatStatus.THIRTY_ONE or view.result.end == "thirty-one"
        return Badge(Icon.CROWN, Message("Wins with 31") if exactly else Message("Wins"))
    if view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal:
        return Badge(Icon.SHOW, Message("Show"))
    if seat.status in FIXED:
        return FIXED[seat.status]
    if view.phase is Phase.CUT and seat.seat in view.to_cut:
        return Badge(Icon.TURN, Message("To cut"))
    if is_turn(view, seat):
        return Badge(Icon.TURN, _what_to_do(view, seat))
    if seat.stake_laid and view.result is None:
        return Badge(Icon.TOKEN, Message("Stake {n}", n=seat.stake_laid))
    return None


def _what_to_do(view: View, seat: SeatView) -> Message:
    if view.phase is Phase.DEAL:
        return Message("Next card")
    if view.bones_due and seat.stake_laid and not seat.throws:
        return Message("To throw, stake {n}", n=seat.stake_laid)
    if view.bones_due:
        return Message("To throw")
    return Message("Have it") if view.card_asked else Message("To play")


def is_turn(view: View, seat: SeatView) -> bool:
    """Return whether the table waits for *seat*."""
    if view.phase is Phase.PLAY:
        return seat.is_turn or view.turn == seat.seat
    if view.phase is Phase.DEAL:
        return view.deal_to is not None and view.deal_to[0] == seat.seat
    if view.phase is Phase.CUT:
        return view.to_cut == (seat.seat,)
    return view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal


def draw_seat(canvas: Canvas, view: View, seat: SeatView, plate: Rect) -> None:
    """Draw the plate of one seat."""
    tone = _tone(canvas.theme, view, seat)
    canvas.box(plate, tone.fill, tone.edge, radius=0.022, line=tone.line)
    name_row, cards, room, badge_row = _rows(canvas, seat, plate)
    _draw_name(canvas, seat, name_row, tone)
    if room.w < cards.w:
        box = Rect(room.right, cards.y, cards.right - room.right, cards.h)
        canvas.line(worth_of(seat), box, TOTAL_CAP, tone.ink, align=1.0, smallest=0.62)
    if seat.throws:
        _draw_bones(canvas, seat, room)
    else:
        _draw_cards(canvas, view, seat, room)
    _draw_badge(canvas, view, seat, badge_row, tone)
    if seat.status in (SeatStatus.OUT, SeatStatus.LEFT) and cards.w > 0:
        # Dimmed, not hidden: the hand may have been laid open, and people want to see it.
        canvas.box(room, (*tone.ground, 120), radius=0.01)


def _rows(canvas: Canvas, seat: SeatView, plate: Rect) -> tuple[Rect, Rect, Rect, Rect]:
    """Return where on a plate the name stands, the row of cards, the room for them, the badge."""
    large = bool(canvas.theme.least)
    pad, side = max(3, canvas.px(0.006 if large else 0.012)), canvas.px(0.02)
    name_h, badge_h = canvas.px(0.054 if large else 0.062), canvas.px(0.043 if large else 0.05)
    inner = plate.inflate(-2 * side, -2 * pad)
    name = Rect(inner.x, inner.y, inner.w, name_h)
    badge = Rect(inner.x, inner.bottom - badge_h, inner.w, badge_h)
    cards = Rect(inner.x, name.bottom, inner.w, badge.top - name.bottom)
    cards = cards.inflate(0, -canvas.px(0.006 if large else 0.012))
    room = cards.copy()
    worth = worth_of(seat)
    if worth:
        widest = max("30", worth, key=len)
        cap = TOTAL_CAP * canvas.unit * canvas.painter.scale
        room.w -= text_width(widest, Face.PLAIN, cap) + pad
    return name, cards, room, badge


def cards_on(
    canvas: Canvas, view: View, seat: SeatView, plate: Rect
) -> Iterator[tuple[Card | None, Rect]]:
    """Yield the cards that are drawn on a plate, with their places, in the order of drawing."""
    if not seat.throws:
        for _number, card, place in _placed(view, seat, _rows(canvas, seat, plate)[2]):
            yield card, place


def _tone(theme: Theme, view: View, seat: SeatView) -> _Tone:
    won = view.result is not None and seat.seat in view.result.winners
    if won or seat.status in (SeatStatus.WINNER, SeatStatus.THIRTY_ONE):
        return _Tone(theme.brass, theme.ivory, theme.ink, theme.brass, 0.006)
    if is_turn(view, seat):
        return _Tone(theme.ivory, theme.brass, theme.ink, theme.ivory, 0.01)
    gone = seat.status in (SeatStatus.OUT, SeatStatus.LEFT)
    ink = theme.muted if gone else theme.ivory
    return _Tone((*theme.plate, 235), theme.plate_edge, ink, theme.plate, 0.003)


def _draw_name(canvas: Canvas, seat: SeatView, row: Rect, tone: _Tone) -> None:
    theme = canvas.theme
    mark, gap = canvas.px(0.048), max(2, canvas.px(0.008))
    line = 1.5 / canvas.unit
    right = row.right
    if seat.is_dealer:
        right -= mark
        disc = Rect(right, row.centery - mark // 2, mark, mark)
        canvas.box(disc, theme.ivory, theme.ink, radius=1.0, line=line)
        # The first letter of "dealer": translators choose their own.
        letter, inner = Message("D"), disc.inflate(-mark // 3, -mark // 6)
        canvas.line(letter, inner, 0.026, theme.ink, align=0.5, smallest=0.62)
        right -= gap
    if seat.is_bone_holder:
        right -= mark
        disc = Rect(right, row.centery - mark // 2, mark, mark)
        canvas.box(disc, theme.brass, theme.ink, radius=1.0, line=line)
        size = round(mark * 0.66)
        offset = (mark - size) // 2
        at = (disc.x + offset, disc.y + offset)
        canvas.icon(Icon.BONE, size, theme.ink, theme.brass, at)
        right -= gap
    canvas.line(
        seat.name, Rect(row.x, row.y, right - row.x, row.h), NAME_CAP, tone.ink, smallest=0.5
    )


def _placed(view: View, seat: SeatView, room: Rect) -> Iterator[tuple[int, Card | None, Rect]]:
    """Yield which card of a plate is drawn where, in the order of drawing."""
    cards: tuple[Card | None, ...] = held_cards(seat)
    if view.phase is Phase.CUT and not cards:
        cards = tuple(card for number, card in view.cuts if number == seat.seat)
    if not cards or room.h < 8:
        return
    # Lower cards where many lie open: of each its index must show.
    opened = sum(card is not None for card in cards)
    widest = room.w / (1 + INDEX_SHARE * max(0, opened - 1))
    height = round(min(room.h, max(LOWEST * room.h, widest / CARD_ASPECT)))
    width = round(height * CARD_ASPECT)
    step: float = width + max(2, round(height * 0.06))
    if len(cards) > 1:
        step = min(step, (room.w - width) / (len(cards) - 1))
    # Where cards overlap, those that can be read lie on top of the backs.
    for number in sorted(range(len(cards)), key=lambda number: cards[number] is not None):
        left = round(room.x + number * step)
        yield number, cards[number], Rect(left, room.centery - height // 2, width, height)


def _draw_cards(canvas: Canvas, view: View, seat: SeatView, room: Rect) -> None:
    placed = list(_placed(view, seat, room))
    gold = None
    if view.bone is not None and view.bone.holder == seat.seat:
        gold = max((n for n, card, _ in placed if card == view.bone.card), default=None)
    for number, card, place in placed:
        canvas.card(card, place.h, place.topleft, gold=number == gold)


def bones_on(canvas: Canvas, seat: SeatView, plate: Rect) -> Iterator[tuple[int, int, Rect]]:
    """Yield throw, place in it and where each bone of a plate is drawn."""
    for roll, place, _points, at in _placed_bones(seat, _rows(canvas, seat, plate)[2]):
        yield roll, place, at


def _draw_bones(canvas: Canvas, seat: SeatView, room: Rect) -> None:
    for _roll, _place, points, at in _placed_bones(seat, room):
        canvas.bone(BoneFace.from_points(points), at.h, at.topleft)


def _placed_bones(seat: SeatView, room: Rect) -> Iterator[tuple[int, int, int, Rect]]:
    """Place a player's throws, a gap between them; many bones overlap."""
    if room.h < 8:
        return
    height = min(room.h, round(room.w * 0.3))
    width = round(height * BONE_ASPECT)
    count = sum(len(throw) for throw in seat.throws)
    gaps = (len(seat.throws) - 1) * 0.4
    step = min(float(width), (room.w - width) / max(1.0, count - 1 + gaps))
    left, top = float(room.x), room.centery - height // 2
    for roll, throw in enumerate(seat.throws):
        for place, points in enumerate(throw):
            yield roll, place, points, Rect(round(left), top, width, height)
            left += step
        left += 0.4 * step


def _draw_badge(canvas: Canvas, view: View, seat: SeatView, row: Rect, tone: _Tone) -> None:
    theme, gap = canvas.theme, max(2, canvas.px(0.01))
    colour = tone.ink if tone.ink == theme.ink else theme.brass
    if counts_lives(seat):
        right = row.right - draw_standing(canvas, view, seat, row, colour, tone.ground)
    else:
        right = _draw_tokens(canvas, view, seat, row, tone, colour)
    badge = badge_of(view, seat)
    if badge is None:
        return
    size = canvas.px(0.036)
    ink = theme.alarm if badge.icon is Icon.OUT else tone.ink
    canvas.icon(badge.icon, size, ink, tone.ground, (row.x, row.centery - size // 2))
    left = row.x + size + gap
    words = Rect(left, row.y, right - gap - left, row.h)
    canvas.line(badge.word, words, BADGE_CAP, ink, smallest=0.62)


def _draw_tokens(
    canvas: Canvas, view: View, seat: SeatView, row: Rect, tone: _Tone, colour: Colour
) -> int:
    """Draw the tokens of the evening, or of the hand that is over; return where they begin."""
    cap, tokens, coin = BADGE_CAP, seat.tokens, canvas.px(0.038)
    if view.result is not None and view.result.end != "misdeal":
        net = dict(view.result.settlement).get(seat.seat)
        if net is not None:
            cap, tokens = BADGE_CAP * 1.35, net
    width = text_width(signed(tokens), Face.PLAIN, cap * canvas.unit) + max(2, canvas.px(0.01))
    box = Rect(row.right - width, row.y, width, row.h)
    canvas.line(signed(tokens), box, cap, tone.ink, align=1.0, smallest=0.62)
    left = box.x - coin
    canvas.icon(Icon.TOKEN, coin, colour, tone.ground, (left, row.centery - coin // 2))
    return left


GLIDE_S = 1.4
"""Seconds that one way takes."""

BEHIND_S = 0.12
"""Seconds from one payer's coin to the next."""

MOST = 12
"""More payments than this would be a swarm; the plates show the sums."""

ALL_GLIDE_S = GLIDE_S + MOST * BEHIND_S
"""Seconds after which the last coin has arrived."""

COIN = 0.052
"""Width of a coin as a share of the screen's height."""


def draw_payments(canvas: Canvas, view: View, plates: Mapping[int, Rect], since_s: float) -> None:
    """Draw the coins that glide once from plate to plate when a hand is over, *since_s* ago.

    Nothing waits for them: the sums stand on the plates from the first picture, and NEXT goes on at
    once. The same time gives the same picture. They are hidden by the plates: no total is covered.
    """
    if view.phase is not Phase.DONE or view.result is None or view.result.end == "misdeal":
        return
    if canvas.theme.calm:
        return
    size = canvas.px(COIN)
    for number, (payer, payee, tokens) in enumerate(view.result.payments[:MOST]):
        if not tokens or payer not in plates or payee not in plates:
            continue
        gone = (since_s - number * BEHIND_S) / GLIDE_S
        if not 0.0 < gone < 1.0:
            continue
        eased = gone * gone * (3 - 2 * gone)
        start, end = plates[payer].center, plates[payee].center
        x = start[0] + (end[0] - start[0]) * eased
        y = start[1] + (end[1] - start[1]) * eased
        coin = Rect(round(x - size / 2), round(y - size / 2), size, size)
        if coin.collidelist(list(plates.values())) < 0:
            canvas.icon(Icon.TOKEN, size, canvas.theme.brass, canvas.theme.ink, coin.topleft)
