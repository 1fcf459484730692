"""What a player's plate shows in Thirty-one: known cards, lives or points, and what he does."""

from __future__ import annotations

from pygame import Rect

from display.drawing.badge import Badge
from display.drawing.shapes import Icon, sign, stamp
from display.drawing.text import Face, TextPainter, text_width
from display.drawing.theme import Colour
from display.i18n.translate import N_, Translator
from engine.core.cards import Card
from engine.core.views import Phase, SeatView, View

MOST_COINS = 4
"""More lives than this are a coin and a number."""

HAND_NAMES = {
    # Translators: hands of three-card Brag; a prial is three of a kind.
    "prial": N_("Prial"),
    "running flush": N_("Running flush"),
    "run": N_("Run"),
    "flush": N_("Flush"),
    "pair": N_("Pair"),
    "high card": N_("High card"),
}
"""Names of hands as the engine has them, which knows no gettext (rule SB-1)."""


def held_cards(seat: SeatView) -> tuple[Card | None, ...]:
    """Return the cards of a plate: of a held hand those first that everybody knows."""
    if not seat.known or seat.shown:
        return seat.cards
    return (*seat.known, *[None] * (len(seat.cards) - len(seat.known)))


def worth_of(seat: SeatView) -> str:
    """Return the points of a hand; three of a kind are worth a half more than thirty (TK-1)."""
    if seat.total is not None:
        return str(seat.total)
    if seat.value is None:
        return ""
    return f"{int(seat.value)}½" if seat.value != int(seat.value) else str(int(seat.value))


def scat_badge(view: View, seat: SeatView, _: Translator) -> Badge | None:
    """Return what the plate says of a player of Thirty-one; ``None``: what other games say."""
    if seat.match is not None and seat.match.eliminated:
        return Badge(Icon.OUT, _("Out of the match"), loud=True)
    if view.result is not None:
        return _of_result(view, seat, _)
    middle = view.middle
    if middle is None or view.phase is Phase.DEAL:
        return None
    if view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal:
        return None
    name = HAND_NAMES.get(seat.hand_name or "")
    if name is not None:
        return Badge(Icon.SHOW, _(name))
    if view.phase is Phase.RESTART and seat.seat in middle.may_restart:
        return Badge(Icon.QUESTION, _("Begin anew?"), loud=True)
    if middle.knocker == seat.seat:
        return Badge(Icon.STUCK, _("Knocked"), loud=True)
    if view.turn != seat.seat or view.phase not in (Phase.PLAY, Phase.CHOOSE):
        return None
    if view.phase is Phase.CHOOSE:
        return Badge(Icon.TURN, _("To choose"), loud=True)
    if middle.drawn is not None:
        return Badge(Icon.TURN, _("To discard"), loud=True)
    if middle.knocker is not None:
        return Badge(Icon.TURN, _("Last turn"), loud=True)
    return None


def _of_result(view: View, seat: SeatView, _: Translator) -> Badge | None:
    result = view.result
    if result is None or result.end == "misdeal":
        return None
    if view.match is not None and view.match.winner == seat.seat:
        return Badge(Icon.CROWN, _("Wins the match"), loud=True)
    if seat.seat in result.winners:
        word = _("Thirty-one") if result.end == "blitz" else _("Wins")
        return Badge(Icon.CROWN, word, loud=True)
    if result.losses is None:
        return None
    lives = dict(result.losses.lost).get(seat.seat, 0)
    if lives:
        sentence = _.plural("Loses {n} life", "Loses {n} lives", lives)
        return Badge(Icon.OUT, sentence.format(n=lives), loud=True)
    gained = dict(result.losses.gained).get(seat.seat, 0)
    if gained:
        sentence = _.plural("{n} point more", "{n} points more", gained)
        return Badge(Icon.STAR, sentence.format(n=gained))
    name = HAND_NAMES.get(seat.hand_name or "")
    return Badge(Icon.SHOW, _(name)) if name is not None else None


def counts_lives(seat: SeatView) -> bool:
    """Say whether lives or points stand on the plate instead of tokens."""
    return seat.match is not None and (
        seat.match.lives is not None or seat.match.points is not None
    )


def draw_standing(
    pen: TextPainter,
    seat: SeatView,
    row: Rect,
    ink: Colour,
    ground: Colour,
    cap: float,
    unit: int,
    _: Translator,
) -> int:
    """Draw lives as coins, or points as a star and a number, at the right end of *row*.

    Returns:
        The width taken.
    """
    match = seat.match
    if match is None or match.eliminated:
        return 0
    coin, gap = round(0.036 * unit), max(2, round(0.006 * unit))
    if match.points is not None:
        return _draw_number(pen, Icon.STAR, match.points, row, ink, ground, cap, unit)
    if match.on_county:
        # Translators: in play without a life left ("on the county").
        words = _("Free ride")
        width = min(text_width(words, Face.PLAIN, cap * pen.scale) + gap, row.w // 2)
        pen.line(words, Rect(row.right - width, row.y, width, row.h), cap, ink, align=1.0)
        return width
    lives = match.lives or 0
    if lives > MOST_COINS:
        return _draw_number(pen, Icon.TOKEN, lives, row, ink, ground, cap, unit)
    picture = sign(pen.sprites, Icon.TOKEN, coin, ink, ground)
    for number in range(lives):
        left = row.right - (number + 1) * coin - number * gap
        stamp(pen.surface, picture, (left, row.centery - coin // 2))
    return lives * (coin + gap)


def _draw_number(
    pen: TextPainter,
    which: Icon,
    number: int,
    row: Rect,
    ink: Colour,
    ground: Colour,
    cap: float,
    unit: int,
) -> int:
    coin, gap = round(0.036 * unit), max(2, round(0.01 * unit))
    words = str(number)
    width = text_width(words, Face.PLAIN, cap * pen.scale) + gap
    pen.line(words, Rect(row.right - width, row.y, width, row.h), cap, ink, align=1.0)
    picture = sign(pen.sprites, which, coin, ink, ground)
    stamp(pen.surface, picture, (row.right - width - coin, row.centery - coin // 2))
    return width + coin
