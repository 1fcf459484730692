"""One player's plate: name, cards, total, what he does, and the tokens of the evening."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.drawing.badge import Badge
from display.drawing.bones import BONE_ASPECT, bone_face
from display.drawing.shapes import CARD_ASPECT, Icon, card_back, card_face, panel, sign, stamp
from display.drawing.text import Face, TextPainter, text_width
from display.drawing.theme import Colour, Theme
from display.i18n.translate import Translator
from display.table.scat_seats import counts_lives, draw_standing, held_cards, scat_badge
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.views import Phase, SeatStatus, SeatView, View
from engine.games.scat.prompts import worth_of

NAME_CAP, TOTAL_CAP, BADGE_CAP = 0.037, 0.088, 0.027
"""Heights of capitals as shares of the screen's height."""


MINUS = "\u2212"
"""The minus sign proper: as wide as the plus."""


@dataclass(frozen=True, slots=True)
class _Tone:
    """The colours of one plate."""

    fill: tuple[int, ...]
    edge: Colour
    ink: Colour
    soft: Colour
    ground: Colour
    line: float


def badge_of(view: View, seat: SeatView, _: Translator) -> Badge | None:
    """Return what the plate of *seat* says about its player now, if anything."""
    if view.is_of("scat"):
        said = scat_badge(view, seat, _)
        if said is not None:
            return said
    if view.result is not None and seat.seat in view.result.winners:
        if seat.status is SeatStatus.THIRTY_ONE or view.result.end == "thirty-one":
            return Badge(Icon.CROWN, _("Wins with 31"), loud=True)
        return Badge(Icon.CROWN, _("Wins"), loud=True)
    fixed = {
        SeatStatus.STUCK: Badge(Icon.STUCK, _("Sticks")),
        SeatStatus.OUT: Badge(Icon.OUT, _("Out"), loud=True),
        SeatStatus.THIRTY_ONE: Badge(Icon.STAR, _("Thirty-one"), loud=True),
        SeatStatus.WINNER: Badge(Icon.CROWN, _("Wins"), loud=True),
        SeatStatus.LEFT: Badge(Icon.LEFT, _("Left")),
    }
    if view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal:
        return Badge(Icon.SHOW, _("Show"), loud=True)
    if seat.status in fixed:
        return fixed[seat.status]
    if view.phase is Phase.CUT and seat.seat in view.to_cut:
        return Badge(Icon.TURN, _("To cut"), loud=True)
    if view.phase is Phase.DEAL and view.deal_to is not None and view.deal_to[0] == seat.seat:
        return Badge(Icon.TURN, _("Next card"), loud=True)
    if is_turn(view, seat):
        if view.bones_due and seat.stake_laid and not seat.throws:
            stake = _("To throw, stake {n}").format(n=seat.stake_laid)
            return Badge(Icon.TURN, stake, loud=True)
        if view.bones_due:
            return Badge(Icon.TURN, _("To throw"), loud=True)
        return Badge(Icon.TURN, _("Have it") if view.card_asked else _("To play"), loud=True)
    if seat.stake_laid and view.result is None:
        return Badge(Icon.TOKEN, _("Stake {n}").format(n=seat.stake_laid))
    return None


def is_turn(view: View, seat: SeatView) -> bool:
    """Say whether the table waits for *seat*."""
    if view.phase is Phase.PLAY:
        return seat.is_turn or view.turn == seat.seat
    if view.phase is Phase.DEAL:
        return view.deal_to is not None and view.deal_to[0] == seat.seat
    if view.phase is Phase.CUT:
        return view.to_cut == (seat.seat,)
    return view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal


def draw_seat(
    pen: TextPainter,
    theme: Theme,
    view: View,
    seat: SeatView,
    plate: Rect,
    _: Translator,
    unit: int,
) -> None:
    """Draw the plate of one seat; *unit* is the height of the screen."""
    tone = _tone(theme, view, seat)
    pad = max(3, round(0.012 * unit))
    side = round(0.02 * unit)
    stamp(
        pen.surface,
        panel(
            pen.sprites,
            plate.size,
            tone.fill,
            tone.edge,
            radius=0.022 * unit,
            line=max(1.0, tone.line * unit),
        ),
        plate.topleft,
    )
    inner = plate.inflate(-2 * side, -2 * pad)
    name_row = Rect(inner.x, inner.y, inner.w, round(0.062 * unit))
    badge_row = Rect(inner.x, inner.bottom - round(0.05 * unit), inner.w, round(0.05 * unit))
    cards = Rect(inner.x, name_row.bottom, inner.w, badge_row.top - name_row.bottom)
    cards = cards.inflate(0, -round(0.012 * unit))
    _draw_name(pen, theme, seat, name_row, tone, _, unit)
    room = cards.copy()
    worth = worth_of(seat)
    if worth:
        widest = max("30", worth, key=len)
        total_w = text_width(widest, Face.PLAIN, TOTAL_CAP * unit) + pad
        room.w -= total_w
        box = Rect(room.right, cards.y, total_w, cards.h)
        pen.line(worth, box, TOTAL_CAP * unit, tone.ink, align=1.0)
    if seat.throws:
        _draw_bones(pen, theme, seat, room)
    else:
        _draw_cards(pen, theme, view, seat, room)
    _draw_badge(pen, theme, view, seat, badge_row, tone, _, unit)
    if seat.status in (SeatStatus.OUT, SeatStatus.LEFT) and cards.w > 0:
        # Dimmed, not hidden: an out hand may have been laid open and people want to look.
        veil = panel(pen.sprites, room.size, (*tone.ground, 120), radius=0.01 * unit)
        stamp(pen.surface, veil, room.topleft)


def _tone(theme: Theme, view: View, seat: SeatView) -> _Tone:
    won = view.result is not None and seat.seat in view.result.winners
    if won or seat.status in (SeatStatus.WINNER, SeatStatus.THIRTY_ONE):
        return _Tone(theme.brass, theme.ivory, theme.ink, theme.ink, theme.brass, 0.006)
    if is_turn(view, seat):
        return _Tone(theme.ivory, theme.brass, theme.ink, theme.ink, theme.ivory, 0.01)
    gone = seat.status in (SeatStatus.OUT, SeatStatus.LEFT)
    ink = theme.muted if gone else theme.ivory
    return _Tone((*theme.plate, 235), theme.plate_edge, ink, theme.muted, theme.plate, 0.003)


def _draw_name(
    pen: TextPainter, theme: Theme, seat: SeatView, row: Rect, tone: _Tone, _: Translator, unit: int
) -> None:
    mark = round(0.048 * unit)
    gap = max(2, round(0.008 * unit))
    right = row.right
    if seat.is_dealer:
        right -= mark
        disc = panel(pen.sprites, (mark, mark), theme.ivory, theme.ink, radius=mark / 2, line=1.5)
        box = Rect(right, row.centery - mark // 2, mark, mark)
        stamp(pen.surface, disc, box.topleft)
        # The first letter of "dealer": translators choose their own.
        pen.line(_("D"), box.inflate(-mark // 3, -mark // 6), 0.026 * unit, theme.ink, align=0.5)
        right -= gap
    if seat.is_bone_holder:
        right -= mark
        disc = panel(pen.sprites, (mark, mark), theme.brass, theme.ink, radius=mark / 2, line=1.5)
        stamp(pen.surface, disc, (right, row.centery - mark // 2))
        inner = round(mark * 0.66)
        bone = sign(pen.sprites, Icon.BONE, inner, theme.ink, theme.brass)
        offset = (mark - inner) // 2
        stamp(pen.surface, bone, (right + offset, row.centery - mark // 2 + offset))
        right -= gap
    box = Rect(row.x, row.y, right - row.x, row.h)
    pen.line(seat.name, box, NAME_CAP * unit, tone.ink, smallest=0.66)


def _draw_cards(pen: TextPainter, theme: Theme, view: View, seat: SeatView, room: Rect) -> None:
    cards: tuple[Card | None, ...] = held_cards(seat)
    if view.phase is Phase.CUT and not cards:
        cards = tuple(card for number, card in view.cuts if number == seat.seat)
    if not cards or room.h < 8:
        return
    height = room.h
    width = round(height * CARD_ASPECT)
    gap = max(2, round(height * 0.06))
    step: float = width + gap
    if len(cards) > 1:
        step = min(step, (room.w - width) / (len(cards) - 1))
    gold = None
    if view.bone is not None and view.bone.holder == seat.seat:
        places = [n for n, card in enumerate(cards) if card == view.bone.card]
        gold = places[-1] if places else None
    # Where cards overlap, those that can be read lie on top of the backs.
    order = sorted(range(len(cards)), key=lambda number: cards[number] is not None)
    for number in order:
        card = cards[number]
        if card is None:
            picture = card_back(pen.sprites, theme, height)
        else:
            picture = card_face(pen.sprites, theme, card, height, gold=number == gold)
        stamp(pen.surface, picture, (round(room.x + number * step), room.y))


def _draw_bones(pen: TextPainter, theme: Theme, seat: SeatView, room: Rect) -> None:
    """Draw a player's throws, a gap between them; many bones move together."""
    if room.h < 8:
        return
    height = min(room.h, round(room.w * 0.3))
    width = round(height * BONE_ASPECT)
    count = sum(len(throw) for throw in seat.throws)
    gaps = (len(seat.throws) - 1) * 0.4
    step = min(float(width), (room.w - width) / max(1.0, count - 1 + gaps))
    left, top = float(room.x), room.centery - height // 2
    for throw in seat.throws:
        for points in throw:
            picture = bone_face(pen.sprites, theme, BoneFace.from_points(points), height)
            stamp(pen.surface, picture, (round(left), top))
            left += step
        left += 0.4 * step


def _draw_badge(
    pen: TextPainter,
    theme: Theme,
    view: View,
    seat: SeatView,
    row: Rect,
    tone: _Tone,
    _: Translator,
    unit: int,
) -> None:
    cap = BADGE_CAP * unit
    gap = max(2, round(0.01 * unit))
    colour = tone.ink if tone.ink == theme.ink else theme.brass
    if counts_lives(seat):
        taken = draw_standing(pen, seat, row, colour, tone.ground, cap, unit, _)
        right = row.right - taken
    else:
        right = _draw_tokens(pen, view, seat, row, tone, colour, unit)
    badge = badge_of(view, seat, _)
    if badge is None:
        return
    size = round(0.036 * unit)
    ink = tone.ink
    if badge.sign is Icon.OUT:
        ink = theme.alarm
    picture = sign(pen.sprites, badge.sign, size, ink, tone.ground)
    stamp(pen.surface, picture, (row.x, row.centery - size // 2))
    left = row.x + size + gap
    words = Rect(left, row.y, right - gap - left, row.h)
    pen.line(badge.word, words, cap, ink)


def _draw_tokens(
    pen: TextPainter, view: View, seat: SeatView, row: Rect, tone: _Tone, colour: Colour, unit: int
) -> int:
    """Draw the tokens of the evening, or of the hand that is over; return where they begin."""
    cap = BADGE_CAP * unit
    tokens = _signed(seat.tokens)
    coin = round(0.038 * unit)
    net = dict(view.result.settlement).get(seat.seat) if view.result is not None else None
    if net is not None and view.result is not None and view.result.end != "misdeal":
        tokens = _signed(net)
        cap *= 1.35
    width = text_width(tokens, Face.PLAIN, cap) + max(2, round(0.01 * unit))
    box = Rect(row.right - width, row.y, width, row.h)
    pen.line(tokens, box, cap, tone.ink, align=1.0)
    token = sign(pen.sprites, Icon.TOKEN, coin, colour, tone.ground)
    stamp(pen.surface, token, (box.x - coin, row.centery - coin // 2))
    return box.x - coin


def _signed(tokens: int) -> str:
    """Return a net sum with its sign."""
    return f"+{tokens}" if tokens > 0 else str(tokens).replace("-", MINUS)
