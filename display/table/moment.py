"""A great moment, written large across the middle of the table for a few seconds."""

from __future__ import annotations

from pygame import Rect

from display.drawing.canvas import Canvas, split_x
from display.drawing.shapes import CARD_ASPECT, Icon
from display.drawing.text import Face
from display.table.layout import Layout
from engine.games.moments import Moment, MomentKind

TITLE_CAP, DETAIL_CAP = 0.122, 0.044
"""Heights of capitals as shares of the screen's height."""

TITLE_SHARE = 0.85
"""The largest share of the width that is the title's."""

GROWS_S = 0.25
"""Seconds in which the picture opens."""

LOW = (MomentKind.OVER, MomentKind.LAST_LIFE)
"""Moments that nobody cheers."""

PICTURES = {
    MomentKind.MATCH: Icon.CROWN,
    MomentKind.THIRTY_ONE: Icon.STAR,
    MomentKind.OVER: Icon.OUT,
    MomentKind.KNOCK: Icon.FIST,
    MomentKind.FIVE: Icon.FIVE_BONES,
    MomentKind.BANK: Icon.COINS,
    MomentKind.LAST_LIFE: Icon.PENNY,
}
"""Of those without a card."""

PICTURE_SHARE = 0.78
"""Height of such a picture, of the band's."""


def draw_moment(canvas: Canvas, moment: Moment, places: Layout, shown_s: float) -> None:
    """Draw *moment* from edge to edge; what the croupier says below stays free."""
    theme = canvas.theme
    whole = Rect(places.sheet.x, places.centre.y, places.sheet.w, places.centre.h)
    grown = 1.0 if theme.calm else min(1.0, 0.4 + 0.6 * shown_s / GROWS_S)
    ground, edge, ink, words = theme.room, theme.brass, theme.brass, theme.ivory
    if moment.kind in LOW:
        ground, edge, ink = theme.alarm_ground, theme.alarm, theme.ivory
    elif moment.kind is MomentKind.BONE_ACE:
        # The moment that the game is named after: nothing else is all of gold.
        ground, edge, ink, words = theme.brass, theme.ivory, theme.ink, theme.ink
    band = whole.inflate(0, -round(whole.h * (1 - grown)))
    canvas.box(band, (*ground, 255), edge, radius=0.02, line=0.007)
    surface, before = canvas.painter.surface, canvas.painter.surface.get_clip()
    surface.set_clip(band.clip(before))  # while it opens nothing stands over what lies below
    pad = canvas.px(0.014)
    inner = whole.inflate(-3 * pad, -canvas.px(0.004))
    # The title is as wide as it likes, the names beside it have the rest.
    wanted = canvas.text_width(moment.title, TITLE_CAP, Face.TITLE) / canvas.painter.scale
    wide = round(wanted * 1.04) + pad
    if moment.card is not None:
        high = inner.h - pad
        canvas.card(moment.card, high, (inner.x, inner.y + pad // 2), gold=True)
        _, inner = split_x(inner, round(high * CARD_ASPECT), pad)
    else:
        side = min(round(PICTURE_SHARE * inner.h), int(inner.w - pad - wide / TITLE_SHARE))
        at = (inner.x, inner.centery - side // 2)
        canvas.icon(PICTURES[moment.kind], side, ink, ground, at)
        _, inner = split_x(inner, side, pad)
    title, detail = split_x(inner, min(wide, round(inner.w * TITLE_SHARE)), pad)
    canvas.line(moment.title, title, TITLE_CAP, ink, face=Face.TITLE, smallest=0.5)
    canvas.words(moment.detail, detail.inflate(0, -pad), DETAIL_CAP, words, smallest=0.36)
    surface.set_clip(before)
