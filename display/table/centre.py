"""The centre of the table: the game's name, the Bone-Ace moment, the winner and the payments."""

from __future__ import annotations

import math

from pygame import Rect

from display.drawing.canvas import Canvas, mixed
from display.drawing.shapes import CARD_ASPECT, Icon
from display.drawing.text import Face, text_width
from display.i18n.translate import Translator
from display.prompts.prompt import bone_line, bone_prompt, payment_lines
from display.table.scat_centre import draw_scat_centre
from engine.core.views import Phase, ResultView, View
from engine.games import catalog
from engine.games.prompts import is_bone_moment
from engine.games.scat.prompts import end_word, ending, fate_line, toll_lines

MOST_LINES = 4
"""More sentences on payments than this would be too small to read."""


def draw_centre(canvas: Canvas, view: View, room: Rect) -> None:
    """Draw what lies in the centre of the table."""
    if view.middle is not None and view.result is None:
        draw_scat_centre(canvas, view, view.middle, room)
    elif view.result is not None:
        _draw_result(canvas, view, view.result, room)
    elif is_bone_moment(view):
        _draw_bone(canvas, view, room)
    else:
        _draw_game(canvas, view, room)


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


def _draw_game(canvas: Canvas, view: View, room: Rect) -> None:
    """Draw the game, the stake or the bank, and where the hand stands."""
    _, theme, unit = canvas.translator, canvas.theme, canvas.unit
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
        row = Rect(room.x, top, room.w, canvas.px(pitch))
        canvas.line(text, row, cap, colour, face=face, align=0.5, smallest=0.62)
        top = row.bottom


def _draw_bone(canvas: Canvas, view: View, room: Rect) -> None:
    """Draw the Bone-Ace moment (rules BA-2 and BA-3): the card, who takes it, who pays."""
    if view.bone is None:
        return
    theme = canvas.theme
    box = _centred(room, min(room.w, canvas.px(1.05)), min(room.h, canvas.px(0.3)))
    # Slowly, six times a minute: the screen looks alive without distracting from the cards.
    glow = 0.5 + 0.5 * math.sin(canvas.time_s * 2 * math.pi / 10)
    edge = mixed(theme.brass_deep, theme.brass, round(glow * 8) / 8)
    canvas.box(box, (*theme.room, 235), edge, radius=0.025, line=0.005)
    pad = canvas.px(0.018)
    inner = box.inflate(-2 * pad, -2 * pad)
    canvas.card(view.bone.card, inner.h, inner.topleft, gold=True)
    left = inner.x + round(inner.h * CARD_ASPECT) + pad
    words = Rect(left, inner.y, inner.right - left, inner.h)
    title = Rect(words.x, words.y, words.w, round(words.h * 0.56))
    sentence = bone_prompt(view, canvas.language)
    canvas.words(sentence.title, title, 0.056, theme.brass, face=Face.TITLE, smallest=0.45)
    pays = Rect(words.x, title.bottom, words.w, words.bottom - title.bottom)
    canvas.words(sentence.detail, pays, 0.033, theme.ivory, smallest=0.5)


def _draw_result(canvas: Canvas, view: View, result: ResultView, room: Rect) -> None:
    """Draw who won and who pays whom."""
    _, theme = canvas.translator, canvas.theme
    box = _centred(room, min(room.w, canvas.px(1.15)), min(room.h, canvas.px(0.36)))
    canvas.box(box, (*theme.room, 235), theme.brass_deep, radius=0.025, line=0.004)
    pad = canvas.px(0.016)
    inner = box.inflate(-2 * pad, -2 * pad)
    names = _.names([seat.name for seat in view.seats if seat.seat in result.winners])
    if inner.w > 3 * inner.h:
        # A low, wide box: the winner on the left, the payments on the right.
        row = Rect(inner.x, inner.y, round(inner.w * 0.38), inner.h)
        payments = Rect(row.right + pad, inner.y, inner.right - row.right - pad, inner.h)
        align = 0.0
    else:
        row = Rect(inner.x, inner.y, inner.w, canvas.px(0.068))
        payments = Rect(inner.x, row.bottom, inner.w, inner.bottom - row.bottom)
        align = 0.5
    if names:
        size = canvas.px(0.05)
        wide = text_width(names, Face.TITLE, 0.046 * canvas.unit)
        x = max(row.x, row.centerx - (wide + size + pad) // 2)
        at = (x, row.centery - size // 2)
        canvas.icon(Icon.CROWN, size, theme.brass, theme.room, at)
        words = Rect(x + size + pad, row.y, row.right - x - size - pad, row.h)
        canvas.words(names, words, 0.046, theme.brass, face=Face.TITLE, smallest=0.5)
    else:
        title = _nobody(result, _)
        canvas.words(title, row, 0.046, theme.brass, face=Face.TITLE, align=0.5, smallest=0.6)
    sentences = "\n".join(_result_lines(view, result, canvas.language))
    canvas.words(sentences, payments, 0.031, theme.ivory, align=align, smallest=0.5)


def _nobody(result: ResultView, _: Translator) -> str:
    """Return how a hand without a winner ended."""
    if result.losses is not None:
        return _.render(end_word(result))
    bank = result.end in ("compared", "all-bust")
    nobody = _("The bank wins") if bank else _("Nobody wins")
    return _("Misdeal") if result.end == "misdeal" else nobody


def _result_lines(view: View, result: ResultView, language: str) -> list[str]:
    _ = Translator.of(language)
    if result.end == "misdeal":
        return [_("Everything paid in this hand goes back.")]
    if result.losses is not None:
        return _scat_lines(view, result, _)
    lines = list(payment_lines(view, language))
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
        return [_.render(ending(view, result)) + ".", _.render(fate_line(view, result))]
    if any(tokens for _seat, tokens in result.settlement):
        return [_("Each plate shows what its player won or lost.")]
    toll = result.losses
    if toll is not None and len(toll.lost) + len(toll.gained) > MOST_LINES:
        return [_("Each plate shows what its player lost or scored.")]
    return [_.render(line) for line in toll_lines(view, result)] or [_("Nobody loses a life.")]


def _centred(room: Rect, width: int, height: int) -> Rect:
    box = Rect(0, 0, width, height)
    box.center = room.center
    return box
