"""The middle of the table: the game's name, the Bone-Ace moment, the winner and the payments."""

from __future__ import annotations

import math

from pygame import Rect

from display.drawing.shapes import CARD_ASPECT, Icon, card_face, panel, sign, stamp
from display.drawing.text import Face, TextPainter, text_width
from display.drawing.theme import Theme
from display.i18n.translate import Translator
from display.prompts.moments import bone_line, bone_prompt, is_bone_moment, payment_lines
from display.prompts.scat import end_word, ending, fate_line, toll_lines
from display.table.scat_centre import draw_scat_middle
from engine.core.views import Phase, ResultView, View
from engine.games import catalog

MOST_LINES = 4
"""More sentences on payments than this would be too small to read."""


def draw_middle(
    pen: TextPainter, theme: Theme, view: View, room: Rect, language: str, unit: int, time_s: float
) -> None:
    """Draw what lies in the middle of the table; *unit* is the height of the screen."""
    if view.middle is not None and view.result is None:
        draw_scat_middle(pen, theme, view, view.middle, room, language, unit)
    elif view.result is not None:
        _draw_result(pen, theme, view, view.result, room, language, unit)
    elif is_bone_moment(view):
        _draw_bone(pen, theme, view, room, language, unit, time_s)
    else:
        _draw_game(pen, theme, view, room, language, unit)


def game_title(game: str, _: Translator) -> str:
    """Return the name of a game as people say it."""
    return _(catalog.find(game).title)


def phase_line(view: View, _: Translator) -> str:
    """Return where the hand stands, in a word or two."""
    return {
        Phase.CUT: _("The cut"),
        Phase.DEAL: _("The deal"),
        Phase.TURN_UP: _("The first discard"),
        Phase.CHOOSE: _("The choice of hands"),
        Phase.PLAY: _("In play"),
        Phase.SHOWDOWN: _("The showdown"),
        Phase.RESTART: _("Begin anew?"),
        Phase.DONE: _("Hand over"),
    }[view.phase]


def _draw_game(
    pen: TextPainter, theme: Theme, view: View, room: Rect, language: str, unit: int
) -> None:
    """Draw the quiet middle: the game, the stake, and who holds the Bone."""
    _ = Translator.of(language)
    if view.stake:
        stake = _.plural("Stake {n} token", "Stake {n} tokens", view.stake).format(n=view.stake)
    else:
        banker = [seat.name for seat in view.seats if seat.is_dealer]
        stake = _("{name} is the bank").format(name=_.names(banker)) if banker else ""
    hand = _("Hand {n}").format(n=view.hand_number)
    lines = [
        (game_title(view.game, _), Face.TITLE, 0.05, theme.brass, 0.09),
        (f"{hand} · {phase_line(view, _)}", Face.PLAIN, 0.027, theme.ivory, 0.052),
        (stake, Face.PLAIN, 0.027, theme.muted, 0.052),
    ]
    top = room.centery - round(sum(line[4] for line in lines) * unit / 2)
    for text, face, cap, colour, pitch in lines:
        row = Rect(room.x, top, room.w, round(pitch * unit))
        pen.line(text, row, cap * unit, colour, face=face, align=0.5)
        top = row.bottom


def _draw_bone(
    pen: TextPainter, theme: Theme, view: View, room: Rect, language: str, unit: int, time_s: float
) -> None:
    """Draw the Bone-Ace moment (rules BA-2 and BA-3): the card, who takes it, who pays."""
    if view.bone is None:
        return
    box = _centred(room, min(room.w, round(1.05 * unit)), min(room.h, round(0.3 * unit)))
    # A slow breath, six in a minute: alive, but nobody's eye is pulled from the cards.
    glow = 0.5 + 0.5 * math.sin(time_s * 2 * math.pi / 10)
    edge = tuple(
        round(deep + (bright - deep) * round(glow * 8) / 8)
        for deep, bright in zip(theme.brass_deep, theme.brass, strict=True)
    )
    ground = panel(
        pen.sprites,
        box.size,
        (*theme.room, 235),
        (edge[0], edge[1], edge[2]),
        radius=0.025 * unit,
        line=0.005 * unit,
    )
    stamp(pen.surface, ground, box.topleft)
    pad = round(0.018 * unit)
    inner = box.inflate(-2 * pad, -2 * pad)
    height = inner.h
    card = card_face(pen.sprites, theme, view.bone.card, height, gold=True)
    stamp(pen.surface, card, (inner.x, inner.y))
    left = inner.x + round(height * CARD_ASPECT) + pad
    words = Rect(left, inner.y, inner.right - left, inner.h)
    title = Rect(words.x, words.y, words.w, round(words.h * 0.56))
    sentence = bone_prompt(view, language)
    pen.paragraph(sentence.title, title, 0.056 * unit, theme.brass, face=Face.TITLE, smallest=0.45)
    pays = Rect(words.x, title.bottom, words.w, words.bottom - title.bottom)
    pen.paragraph(sentence.detail, pays, 0.033 * unit, theme.ivory, smallest=0.5)


def _draw_result(
    pen: TextPainter,
    theme: Theme,
    view: View,
    result: ResultView,
    room: Rect,
    language: str,
    unit: int,
) -> None:
    """Draw who won and who pays whom."""
    _ = Translator.of(language)
    box = _centred(room, min(room.w, round(1.15 * unit)), min(room.h, round(0.36 * unit)))
    ground = panel(
        pen.sprites,
        box.size,
        (*theme.room, 235),
        theme.brass_deep,
        radius=0.025 * unit,
        line=0.004 * unit,
    )
    stamp(pen.surface, ground, box.topleft)
    pad = round(0.016 * unit)
    inner = box.inflate(-2 * pad, -2 * pad)
    names = _.names([seat.name for seat in view.seats if seat.seat in result.winners])
    bank = result.end in ("compared", "all-bust")
    nobody = _("The bank wins") if bank else _("Nobody wins")
    title = names or (_("Misdeal") if result.end == "misdeal" else nobody)
    if result.losses is not None and not names:
        title = end_word(result, _)
    rest = inner.copy()
    if inner.w > 3 * inner.h:
        # A low, wide middle: the winner on the left, the payments beside him.
        row = Rect(inner.x, inner.y, round(inner.w * 0.38), inner.h)
        rest = Rect(row.right + pad, inner.y, inner.right - row.right - pad, inner.h)
        align = 0.0
    else:
        row = Rect(inner.x, inner.y, inner.w, round(0.068 * unit))
        rest = Rect(inner.x, row.bottom, inner.w, inner.bottom - row.bottom)
        align = 0.5
    if names:
        size = round(0.05 * unit)
        crown = sign(pen.sprites, Icon.CROWN, size, theme.brass, theme.room)
        wide = text_width(title, Face.TITLE, 0.046 * unit)
        x = max(row.x, row.centerx - (wide + size + pad) // 2)
        stamp(pen.surface, crown, (x, row.centery - size // 2))
        words = Rect(x + size + pad, row.y, row.right - x - size - pad, row.h)
        pen.paragraph(title, words, 0.046 * unit, theme.brass, face=Face.TITLE, smallest=0.5)
    else:
        pen.paragraph(title, row, 0.046 * unit, theme.brass, face=Face.TITLE, align=0.5)
    sentences = "\n".join(_result_lines(view, result, language))
    pen.paragraph(sentences, rest, 0.031 * unit, theme.ivory, align=align, smallest=0.5)


def _result_lines(view: View, result: ResultView, language: str) -> list[str]:
    _ = Translator.of(language)
    if result.end == "misdeal":
        return [_("Everything paid in this hand goes back.")]
    lines = list(payment_lines(view, language))
    if result.losses is not None and view.is_of("scat"):
        return _scat_lines(view, result, _)
    if not lines:
        lines = [_("Nobody pays.")]
    elif len(lines) > MOST_LINES:
        lines = [_("Each plate shows what its player won or lost.")]
    if view.bone is not None:
        lines.append(bone_line(view, language))
    return lines


def _scat_lines(view: View, result: ResultView, _: Translator) -> list[str]:
    """Return what a hand of Thirty-one cost: lives, points or tokens (rules SC-7, NE-1, BK-4)."""
    if view.match is not None and view.match.over:
        return [ending(view, result, _) + ".", fate_line(view, result, _)]
    if any(tokens for _seat, tokens in result.settlement):
        return [_("Each plate shows what its player won or lost.")]
    toll = result.losses
    if toll is not None and len(toll.lost) + len(toll.gained) > MOST_LINES:
        return [_("Each plate shows what its player lost or scored.")]
    return toll_lines(view, result, _) or [_("Nobody loses a life.")]


def _centred(room: Rect, width: int, height: int) -> Rect:
    box = Rect(0, 0, width, height)
    box.center = room.center
    return box
