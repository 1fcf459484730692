"""The centre of the table: the game's name, the Bone-Ace moment, the winner and the payments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pygame import Rect

from display.drawing.canvas import Canvas, mixed
from display.drawing.shapes import CARD_ASPECT, Icon
from display.drawing.text import Face, text_width
from display.drawing.theme import Colour
from display.table.scat_centre import draw_scat_centre
from engine.core.messages.message import Joined, Listing, Message, Value
from engine.core.outcome import Bone
from engine.core.views import LossView, Phase, ResultView, View
from engine.games import catalog
from engine.games.prompts import bone_line, bone_prompt, is_bone_moment, payment_lines
from engine.games.scat.prompts import end_word, ending, fate_line, toll_lines

EACH_PLATE = Message("Each plate shows what its player won or lost.")

MOST_LINES = 4
"""More sentences on payments than this would be too small to read."""

LEAST_SHARE = 0.65
"""The least share of their size that the lines in the middle have: rather fewer of them."""


def draw_centre(canvas: Canvas, view: View, room: Rect) -> None:
    """Draw what lies in the centre of the table."""
    if shows_cards(view):
        assert view.middle is not None
        draw_scat_centre(canvas, view, view.middle, room)
    elif view.result is not None:
        _draw_result(canvas, view, view.result, room)
    elif view.bone is not None and is_bone_moment(view):
        _draw_bone(canvas, view, view.bone, room)
    else:
        _draw_game(canvas, view, room)


def shows_cards(view: View) -> bool:
    """Return whether the cards between the players are in the centre, not who won."""
    return view.middle is not None and view.result is None


PHASES: Mapping[Phase, Message] = {
    Phase.CUT: Message("The cut"),
    Phase.DEAL: Message("The deal"),
    Phase.TURN_UP: Message("The first discard"),
    Phase.CHOOSE: Message("The choice of hands"),
    Phase.PLAY: Message("In play"),
    Phase.SHOWDOWN: Message("The showdown"),
    Phase.RESTART: Message("Start again?"),
    Phase.DONE: Message("Hand over"),
}
"""Where the hand stands, in a word or two."""


def _draw_game(canvas: Canvas, view: View, room: Rect) -> None:
    """Draw the game, the stake or the bank, and where the hand stands."""
    theme, unit, stake = canvas.theme, canvas.unit, view.stake
    staked: Value = Message("Stake {n} token", "Stake {n} tokens", stake, n=stake)
    if not stake:
        banker = tuple(seat.name for seat in view.seats if seat.is_dealer)
        staked = Message("{name} is the bank", name=Listing(banker)) if banker else ""
    hand = Joined((Message("Hand {n}", n=view.hand_number), PHASES[view.phase]), " · ")
    title = Message(catalog.find(view.game).title)
    lines: list[tuple[Value, Face, float, Colour, float]] = [
        (title, Face.TITLE, 0.05, theme.brass, 0.09),
        (hand, Face.PLAIN, 0.027, theme.ivory, 0.052),
        (staked, Face.PLAIN, 0.027, theme.muted, 0.052),
    ]
    while len(lines) > 1 and room.h < LEAST_SHARE * unit * sum(line[4] for line in lines):
        del lines[1]  # where the hand stands, the croupier says too
    whole = sum(line[4] for line in lines) * unit
    share = min(1.0, room.h / whole)
    top = room.centery - round(share * whole / 2)
    for text, face, cap, colour, pitch in lines:
        row = Rect(room.x, top, room.w, canvas.px(share * pitch))
        canvas.line(text, row, share * cap, colour, face=face, align=0.5, smallest=0.62)
        top = row.bottom


def _draw_bone(canvas: Canvas, view: View, bone: Bone, room: Rect) -> None:
    """Draw the Bone-Ace moment (rules BA-2 and BA-3): the card, who takes it, who pays."""
    theme = canvas.theme
    box = _centred(room, min(room.w, canvas.px(1.05)), min(room.h, canvas.px(0.3)))
    # Slowly, six times a minute: the screen looks alive without distracting from the cards.
    glow = 0.5 + 0.5 * math.sin(canvas.time_s * 2 * math.pi / 10)
    edge = mixed(theme.brass_deep, theme.brass, round(glow * 8) / 8)
    canvas.box(box, (*theme.room, 235), edge, radius=0.025, line=0.005)
    pad = canvas.px(0.018)
    inner = box.inflate(-2 * pad, -2 * pad)
    canvas.card(bone.card, inner.h, inner.topleft, gold=True)
    left = inner.x + round(inner.h * CARD_ASPECT) + pad
    words = Rect(left, inner.y, inner.right - left, inner.h)
    title = Rect(words.x, words.y, words.w, round(words.h * 0.56))
    sentence = bone_prompt(view)
    canvas.words(sentence.title, title, 0.056, theme.brass, face=Face.TITLE, smallest=0.45)
    pays = Rect(words.x, title.bottom, words.w, words.bottom - title.bottom)
    canvas.words(sentence.detail, pays, 0.033, theme.ivory, smallest=0.5)


def _draw_result(canvas: Canvas, view: View, result: ResultView, room: Rect) -> None:
    """Draw who won and who pays whom."""
    theme = canvas.theme
    box = _centred(room, min(room.w, canvas.px(1.15)), min(room.h, canvas.px(0.36)))
    canvas.box(box, (*theme.room, 235), theme.brass_deep, radius=0.025, line=0.004)
    pad = canvas.px(0.016)
    inner = box.inflate(-2 * pad, -2 * pad)
    winners = tuple(seat.name for seat in view.seats if seat.seat in result.winners)
    if inner.w > 3 * inner.h:
        # A low, wide box: the winner on the left, the payments on the right.
        row = Rect(inner.x, inner.y, round(inner.w * 0.38), inner.h)
        payments = Rect(row.right + pad, inner.y, inner.right - row.right - pad, inner.h)
        align = 0.0
    else:
        row = Rect(inner.x, inner.y, inner.w, canvas.px(0.068))
        payments = Rect(inner.x, row.bottom, inner.w, inner.bottom - row.bottom)
        align = 0.5
    if winners:
        names = Listing(winners)
        size = canvas.px(0.05)
        wide = text_width(canvas.say(names), Face.TITLE, 0.046 * canvas.unit)
        x = max(row.x, row.centerx - (wide + size + pad) // 2)
        at = (x, row.centery - size // 2)
        canvas.icon(Icon.CROWN, size, theme.brass, theme.room, at)
        words = Rect(x + size + pad, row.y, row.right - x - size - pad, row.h)
        canvas.words(names, words, 0.046, theme.brass, face=Face.TITLE, smallest=0.5)
    else:
        nobody = _nobody(result)
        canvas.words(nobody, row, 0.046, theme.brass, face=Face.TITLE, align=0.5, smallest=0.6)
    sentences = Joined(tuple(_result_lines(view, result)), "\n")
    canvas.words(sentences, payments, 0.031, theme.ivory, align=align, smallest=0.5)


def _nobody(result: ResultView) -> Value:
    """Return how a hand without a winner ended."""
    if result.losses is not None:
        return end_word(result)
    if result.end == "misdeal":
        return Message("Misdeal")
    bank = result.end in ("compared", "all-bust")
    return Message("The bank wins") if bank else Message("Nobody wins")


def _result_lines(view: View, result: ResultView) -> Sequence[Value]:
    if result.end == "misdeal":
        return [Message("Everything paid in this hand goes back.")]
    if result.losses is not None:
        return _scat_lines(view, result, result.losses)
    lines = payment_lines(view) or (Message("Nobody pays."),)
    if len(lines) > MOST_LINES:
        lines = (EACH_PLATE,)
    return [*lines, bone_line(view)] if view.bone is not None else lines


def _scat_lines(view: View, result: ResultView, toll: LossView) -> Sequence[Value]:
    """Return what a hand of Thirty-one cost, and what is in the pot."""
    if view.match is not None and view.match.over:
        return [Joined((ending(view, result), "."), ""), fate_line(view, result)]
    lines = _toll(view, result, toll)
    pot = 0 if view.match is None else view.match.pot
    if pot:
        lines = [*lines, Message("Pot: {n} token", "Pot: {n} tokens", pot, n=pot)]
    return lines


def _toll(view: View, result: ResultView, toll: LossView) -> Sequence[Value]:
    """Return what a hand of Thirty-one cost: lives, points or tokens (rules SC-7, NE-1, BK-4)."""
    if any(tokens for _seat, tokens in result.settlement):
        return [EACH_PLATE]
    if len(toll.lost) + len(toll.gained) > MOST_LINES:
        return [Message("Each plate shows what its player lost or scored.")]
    return toll_lines(view, result) or [Message("Nobody loses a life.")]


def _centred(room: Rect, width: int, height: int) -> Rect:
    box = Rect(0, 0, width, height)
    box.center = room.center
    return box
