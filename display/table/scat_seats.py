"""What a player's plate shows in Thirty-one: known cards, lives or points, and what they do."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.drawing.canvas import Canvas
from display.drawing.shapes import Icon, note
from display.drawing.theme import Colour
from engine.core.cards import Card
from engine.core.messages.message import Message
from engine.core.views import MiddleView, Phase, SeatView, View
from engine.games.scat.prompts import HAND_NAMES


@dataclass(frozen=True, slots=True)
class Badge:
    """What a player does or has come to."""

    icon: Icon
    word: Message


BADGE_CAP = 0.027
"""Height of capitals in the row of the badge, as a share of the screen's height."""

NOTES, CORNERS = ("dollar-bill", "dollar-bill-no-ride"), 4
"""Rules by which lives are the corners of a banknote, folded down one by one (source S5)."""

MOST_COINS = 4
"""More lives than this are a coin and a number."""


def held_cards(seat: SeatView) -> tuple[Card | None, ...]:
    """Return the cards of a plate: of a held hand those first that everybody knows."""
    if not seat.known or seat.shown:
        return seat.cards
    return (*seat.known, *[None] * (len(seat.cards) - len(seat.known)))


def scat_badge(view: View, seat: SeatView) -> Badge | None:
    """Return the badge of a player of Thirty-one; ``None`` for what other games show."""
    if seat.match is not None and seat.match.eliminated:
        return Badge(Icon.OUT, Message("Out of the match"))
    if view.result is not None:
        return _of_result(view, seat)
    middle = view.middle
    if middle is None or view.phase is Phase.DEAL:
        return None
    if view.phase is Phase.SHOWDOWN and seat.seat in view.to_reveal:
        return None
    name = HAND_NAMES.get(seat.hand_name or "")
    if name is not None:
        return Badge(Icon.SHOW, Message(name))
    if view.phase is Phase.RESTART and seat.seat in middle.may_restart:
        return Badge(Icon.QUESTION, Message("Start again?"))
    if middle.knocker == seat.seat:
        return Badge(Icon.STUCK, Message("Knocked"))
    return _turn_badge(view, middle) if view.turn == seat.seat else None


def _turn_badge(view: View, middle: MiddleView) -> Badge | None:
    """Return the badge of the player whose turn it is, where it is more than "To play"."""
    if view.phase is Phase.CHOOSE:
        return Badge(Icon.TURN, Message("To choose"))
    if view.phase is not Phase.PLAY:
        return None
    if middle.drawn is not None:
        return Badge(Icon.TURN, Message("To discard"))
    if middle.knocker is not None:
        return Badge(Icon.TURN, Message("Last turn"))
    return None


def _of_result(view: View, seat: SeatView) -> Badge | None:
    result = view.result
    if result is None or result.end == "misdeal":
        return None
    if view.match is not None and view.match.winner == seat.seat:
        return Badge(Icon.CROWN, Message("Wins the match"))
    if seat.seat in result.winners:
        word = Message("Thirty-one") if result.end == "blitz" else Message("Wins")
        return Badge(Icon.CROWN, word)
    if result.losses is None:
        return None
    lives = dict(result.losses.lost).get(seat.seat, 0)
    if lives:
        return Badge(Icon.OUT, Message("Loses {n} life", "Loses {n} lives", lives, n=lives))
    gained = dict(result.losses.gained).get(seat.seat, 0)
    if gained:
        more = Message("{n} point more", "{n} points more", gained, n=gained)
        return Badge(Icon.STAR, more)
    name = HAND_NAMES.get(seat.hand_name or "")
    return Badge(Icon.SHOW, Message(name)) if name is not None else None


def counts_lives(seat: SeatView) -> bool:
    """Return whether lives or points stand on the plate instead of tokens."""
    return seat.match is not None and (
        seat.match.lives is not None or seat.match.points is not None
    )


def draw_standing(
    canvas: Canvas, view: View, seat: SeatView, row: Rect, ink: Colour, ground: Colour
) -> int:
    """Draw lives or points at the right end of *row*.

    Lives are pennies, or where a note is played with its corners; points a star and a number.

    Returns:
        The width taken in pixels.
    """
    match = seat.match
    if match is None or match.eliminated:
        return 0
    coin, gap = canvas.px(0.036), max(2, canvas.px(0.006))
    if match.points is not None:
        return _draw_number(canvas, Icon.STAR, match.points, row, ink, ground)
    if match.on_county:
        # Translators: in play without a life left ("on the county").
        words = Message("Free ride")
        width = min(canvas.text_width(words, BADGE_CAP) + gap, row.w // 2)
        place = Rect(row.right - width, row.y, width, row.h)
        canvas.line(words, place, BADGE_CAP, ink, align=1.0, smallest=0.62)
        return width
    lives = match.lives or 0
    if view.preset in NOTES and lives <= CORNERS:
        picture = note(canvas.painter.cache, lives, coin, ink, ground)
        canvas.blit(picture, (row.right - picture.get_width(), row.centery - coin // 2))
        return picture.get_width() + gap
    if lives > MOST_COINS:
        return _draw_number(canvas, Icon.PENNY, lives, row, ink, ground)
    for number in range(lives):
        left = row.right - (number + 1) * coin - number * gap
        canvas.icon(Icon.PENNY, coin, ink, ground, (left, row.centery - coin // 2))
    return lives * (coin + gap)


def _draw_number(
    canvas: Canvas, which: Icon, number: int, row: Rect, ink: Colour, ground: Colour
) -> int:
    coin, gap = canvas.px(0.036), max(2, canvas.px(0.01))
    words = str(number)
    width = canvas.text_width(words, BADGE_CAP) + gap
    place = Rect(row.right - width, row.y, width, row.h)
    canvas.line(words, place, BADGE_CAP, ink, align=1.0, smallest=0.62)
    canvas.icon(which, coin, ink, ground, (place.x - coin, row.centery - coin // 2))
    return width + coin
