"""What the croupier says and asks: the bar along the bottom of the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pygame import Rect

from display.controls import BUTTON_WORDS, Signs, TouchArea, card_signs, face_signs, rank_signs
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.shapes import Icon
from display.drawing.text import Face, text_width, wrapped
from display.drawing.theme import Colour
from display.prompts.prompt import PromptText
from display.table.layout import LARGE_BAR, LONG_BAR, MARGIN, PROMPT_BAR, SHORT_BAR
from engine.core.messages.message import Value, sentences
from engine.core.messages.prompt import KeyHint, PromptKind
from engine.core.views import View

TITLE_CAP, DETAIL_CAP, KEY_CAP = 0.078, 0.034, 0.026
"""Heights of capitals as shares of the screen's height."""

CLOSE_DETAIL_CAP = 0.028
"""The same of a detail where the bar has three rows."""

REFUSED, REFUSED_CAP = 0.042, 0.028
"""Heights of a line above the bar, such as why a press was refused, and of its capitals."""

TITLE_PITCH = 1.66
"""From one line of a title to the next, in heights of a capital."""

SMALLEST_TITLE = 0.5
"""The smallest share of its size at which a title stays in one line."""

TITLE_GAP = 0.014
"""Between title and detail where the words are large, as a share."""

KEY_PAD, KEY_GAP = 0.014, 0.03
"""The room round the name of a key, and between two keys, as shares."""

BAR_PAD, ICON, ICON_GAP = 0.05, 0.085, 0.025
"""The margins of the bar, the icon before the words, and the gap behind it, as shares."""

LARGE_LINES = 2
"""Lines of large words that the bar holds; for more it grows."""

SECOND_ROW = 0.07
"""Height of the row below the title where words are large, as a share."""

CLOSE = 0.014
"""So much of the margins above and below the words gives way where the rows are many."""

HINT_GAP, SMALLEST_HINT = 0.03, 0.85
"""Between detail and hint, as a share, and the least share of their size in one row."""

ANSWER_PAD, ANSWER_GAP = 0.02, 0.015
"""The same of the answers in words."""

ANSWER_ROW, LEAST_ANSWER = 0.075, 0.8
"""Height of a row of answers between title and keys, with the gap below it, as a share, and the
least share of their width; where they are wider they are laid over the table."""

_ICON_OF = {
    PromptKind.TURN: Icon.TURN,
    PromptKind.QUESTION: Icon.QUESTION,
    PromptKind.TROUBLE: Icon.TROUBLE,
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Where everything in the bar stands; a row of no height is not there.

    Attributes:
        title: the sentence itself.
        detail: the smaller sentence below it.
        keys: the keys, with the answers in words on their right.
        icon: the icon before the words; ``None`` without one.
        cap: height of the capitals of the detail, as a share.
    """

    title: Rect
    detail: Rect
    keys: Rect
    icon: Rect | None
    cap: float = DETAIL_CAP


MOST_BESIDE = 7
"""So many answers in words stand beside the keys; more are laid over the table."""


def is_sheet(canvas: Canvas, prompt: PromptText, width: int) -> bool:
    """Return whether the answers of *prompt* are laid over the table of that *width*."""
    pictured = prompt.card_choices or prompt.bone_choices
    if pictured or len(prompt.choices) > MOST_BESIDE:
        return True
    room = _room(canvas, prompt, width)
    if LEAST_ANSWER * _answers_width(canvas, prompt) > room:
        return True
    return _crowd_the_keys(canvas, prompt, room) and _lines(canvas, prompt, room) > LARGE_LINES


@dataclass(frozen=True, slots=True)
class _Key:
    """One key: its name in *box*, and what it does beside it in *words*."""

    hint: KeyHint
    box: Rect
    words: Rect


def bar_height(canvas: Canvas, view: View, prompt: PromptText, width: int) -> float:
    """Return how high the bar of *prompt* is on a screen of that *width*, as a share.

    While a great moment is shown it is as low as in any look: the moment needs the middle.
    """
    more = ANSWER_ROW if _answers_are_apart(canvas, prompt, width) else 0.0
    if prompt.moment is not None:
        return PROMPT_BAR + more
    if not canvas.theme.least:
        return PROMPT_BAR + more + REFUSED * max(0, len(_asides(canvas, prompt, width)) - 1)
    lines = _lines(canvas, prompt, _room(canvas, prompt, width))
    if _hint_is_apart(canvas, prompt, width):
        more += REFUSED - MARGIN
    if lines == 1 and (view.result is not None or view.middle is not None):
        return SHORT_BAR + more
    return (LARGE_BAR if lines <= LARGE_LINES else LONG_BAR) + more


class PromptBar:
    """One prompt on its bar: drawn, and touched where it is drawn."""

    def __init__(self, canvas: Canvas, prompt: PromptText, bar: Rect) -> None:
        """Place everything that *prompt* has on *bar*.

        A hint that has no room beside the detail stands above the bar; so does a detail that has
        no room beside the keys, above the hint: a question is the largest thing. A refused press,
        or what somebody asked to be told, changes none of this: it stands in the place of one of
        them, or of a detail below the title, or in the margins above it.
        """
        self._canvas, self._bar = canvas, bar
        if prompt.shows_told and not prompt.refused:
            prompt = replace(prompt, refused=prompt.told)
        if prompt.moment is not None:
            prompt = _in_short(canvas, prompt, bar.w)
        self._asides = _asides(canvas, prompt, bar.w)
        self._crowded = _crowds_the_title(canvas, prompt, bar.w)
        if _hint_is_apart(canvas, prompt, bar.w):
            prompt = replace(prompt, hint="")
        self._prompt = replace(prompt, detail="") if self._crowded else prompt
        if self._asides:
            # They begin in the margin below the plates, so that the words give up little room.
            top = bar.y - canvas.px(MARGIN) + len(self._asides) * canvas.px(REFUSED)
            self._bar = Rect(bar.x, top, bar.w, bar.bottom - top)
        prompt = self._prompt
        self._answers = () if is_sheet(canvas, prompt, bar.w) else prompt.choices
        self._apart = _answers_are_apart(canvas, prompt, bar.w)
        self._detail = sentences(prompt.detail, prompt.hint)
        self._edge = max(2, canvas.px(0.005))
        self._boxes, self._texts, self._gaps = _key_widths(canvas, prompt)
        self._rows = self._place_rows()
        self._places = self._place_answers()
        self._keys = self._place_keys()
        self._refused = "" if self._asides else prompt.refused

    def draw(self) -> None:
        """Write what the croupier says, and draw its keys and answers."""
        canvas, prompt, rows, bar = self._canvas, self._prompt, self._rows, self._bar
        theme, trouble = canvas.theme, prompt.kind is PromptKind.TROUBLE
        accent = theme.alarm if trouble else theme.brass
        canvas.fill(theme.alarm_ground if trouble else theme.band, bar)
        canvas.fill(accent, Rect(bar.x, bar.y, bar.w, self._edge))
        row = Rect(bar.x, bar.y, bar.w, canvas.px(REFUSED))
        for text, ink in reversed(self._asides):
            row = row.move(0, -row.h)
            self._draw_aside(text, row, ink)
        if rows.icon is not None:
            # The pointer leans towards the words every three seconds: the screen looks alive.
            sway = round(0.006 * canvas.unit * math.sin(canvas.time_s * 2 * math.pi / 3))
            x = rows.icon.x + (max(0, sway) if prompt.kind is PromptKind.TURN else 0)
            which = _ICON_OF[prompt.kind]
            canvas.icon(which, rows.icon.w, accent, theme.band, (x, rows.icon.y))
        self._draw_title(rows.title)
        if self._answers:
            draw_answers(canvas, self._answers, self._places, prompt.selected)
        for key in self._keys:
            canvas.box(key.box, theme.plate, theme.brass, radius=0.014)
            inner = key.box.inflate(-canvas.px(0.02), -2)
            canvas.line(
                BUTTON_WORDS[key.hint.button], inner, KEY_CAP, theme.brass, align=0.5, smallest=0.4
            )
            canvas.line(key.hint.message, key.words, KEY_CAP, theme.ivory, smallest=0.4)
        detail = self._below_the_title()
        if self._refused and not self._takes(detail):
            top = bar.y - canvas.px(MARGIN)
            row = Rect(bar.x, top, bar.w, rows.title.y - top)
            self._draw_aside(self._refused, row, theme.ivory)
        elif self._refused:
            canvas.line(self._refused, detail, rows.cap, theme.ivory, smallest=0.4)
            return
        if prompt.hint and not trouble:
            self._draw_hint(detail)
        elif self._detail:
            colour = theme.ivory if trouble else theme.muted
            smallest = 0.5 if prompt.keys else 0.62
            canvas.line(self._detail, detail, rows.cap, colour, smallest=smallest)

    def _below_the_title(self) -> Rect:
        """Return the room for the detail; without one, what keys and answers leave free."""
        canvas, rows = self._canvas, self._rows
        room = rows.detail.copy()
        if not room.h and self._keys:
            left = self._keys[-1].words.right + canvas.px(KEY_GAP)
            room = Rect(left, rows.keys.y, rows.keys.right - left, rows.keys.h)
        if self._places and room.colliderect(self._places[0]):
            room.w = self._places[0].left - canvas.px(ANSWER_GAP) - room.x
        return room

    def _takes(self, room: Rect) -> bool:
        """Return whether why a press was refused can be read in *room*."""
        wanted = self._canvas.text_width(self._refused, REFUSED_CAP)
        return room.h > 0 and (room.w >= wanted or room.w == self._rows.title.w)

    def _draw_aside(self, text: Value, row: Rect, ink: Colour) -> None:
        """Write a small line on a ground of its own."""
        self._canvas.fill(self._canvas.theme.plate, row)
        inner = row.inflate(-self._canvas.px(BAR_PAD), 0)
        self._canvas.line(text, inner, REFUSED_CAP, ink, smallest=0.5)

    def _draw_title(self, row: Rect) -> None:
        """Write the sentence in one line, and in two rather than cut off."""
        canvas, text = self._canvas, self._canvas.say(self._prompt.title)
        least = text_width(text, Face.TITLE, TITLE_CAP * SMALLEST_TITLE * canvas.unit)
        in_one = least <= row.w and not (canvas.theme.least and self._prompt.moment is None)
        smallest = SMALLEST_TITLE if in_one else SMALLEST_TITLE / 2
        if canvas.theme.least and _fits(text, canvas.theme.least * canvas.unit, row):
            smallest = canvas.theme.least / TITLE_CAP
        write = canvas.line if in_one else canvas.words
        ink = canvas.theme.ivory
        write(text, row, TITLE_CAP, ink, face=Face.TITLE, smallest=smallest, pitch=TITLE_PITCH)

    def touches(self) -> tuple[TouchArea, ...]:
        """Return where the keys, and the answers beside them, can be touched."""
        if not self._prompt.keys:
            return ()
        beside, most = self._canvas.px(0.01), self._canvas.px(0.06)
        taken = [(place.left, place.right) for place in self._places]
        taken += [(key.box.x, key.words.right) for key in self._keys]
        edge = self._canvas.area
        touches = []
        for key in self._keys:
            # Half the way to what is touched beside it, as far as a finger may miss it.
            left, right = key.box.x, key.words.right
            before = max((end for _, end in taken if end < left), default=left - 2 * most)
            after = min((start for start, _ in taken if start > right), default=right + 2 * most)
            left -= max(beside, min(most, (left - before) // 2))
            right += max(beside, min(most, (after - right) // 2))
            across = max(left, edge.left), min(right, edge.right)
            touches.append(self._touch(*across, key.hint.button))
        signs = answer_signs(self._canvas, self._prompt)
        for number, place in enumerate(self._places):
            touch = self._touch(place.left, place.right, "have", number)
            is_marked = number == self._prompt.selected
            touches.append(replace(touch, signs=signs[number], is_marked=is_marked))
        return tuple(touches)

    def _touch(self, left: int, right: int, button: str, choice: int | None = None) -> TouchArea:
        """Return an area that reaches down to the edge, and above its key: fingers are broad."""
        top = self._bar.bottom - self._canvas.px(0.1)
        if self._apart:
            top = max(top, self._places[0].bottom)
            if choice is not None:
                place = self._places[choice]
                return TouchArea(Rect(left, place.y, right - left, top - place.y), button, choice)
        return TouchArea(Rect(left, top, right - left, self._bar.bottom - top), button, choice)

    def _place_rows(self) -> Rows:
        canvas, prompt = self._canvas, self._prompt
        bar, edge = self._bar, self._edge
        inner = Rect(bar.x, bar.y + edge, bar.w, bar.h - edge)
        inner = inner.inflate(-canvas.px(BAR_PAD), -canvas.px(0.028))
        left, icon = inner.x, None
        if prompt.kind in _ICON_OF:
            size = canvas.px(ICON)
            icon = Rect(left, inner.centery - size // 2, size, size)
            left += size + canvas.px(ICON_GAP)
        words = Rect(left, inner.y, inner.right - left, inner.h)
        if self._crowded:
            words = words.inflate(0, canvas.px(CLOSE))
        if not self._apart:
            return self._rows_of(words, icon, beside=bool(self._answers))
        answers = canvas.px(ANSWER_ROW)
        rows = self._rows_of(Rect(words.x, words.y, words.w, words.h - answers), icon)
        return replace(rows, detail=rows.detail.move(0, answers), keys=rows.keys.move(0, answers))

    def _rows_of(self, words: Rect, icon: Rect | None, *, beside: bool = False) -> Rows:
        """Divide *words*; with answers *beside* the keys the detail has a row of its own."""
        canvas, prompt, keys_w = self._canvas, self._prompt, 0
        if prompt.keys and self._detail:
            keys_w = sum(self._boxes) + sum(self._texts) + self._gaps
            if beside or _wide(canvas, self._detail, keys_w) > words.w:
                return self._three_rows(words, icon)
        share = 0.66 if self._detail or prompt.keys else 1.0
        if beside:
            share = 0.58
        if self._crowded:
            share = 0.7  # only keys stand below
        # Large words fill their rows from edge to edge.
        gap = canvas.px(TITLE_GAP) if canvas.painter.scale > 1 and share < 1 else 0
        title_h = round(words.h * share) - gap // 2
        if canvas.theme.least and share < 1 and prompt.moment is None:
            title_h = words.h - gap - canvas.px(SECOND_ROW)
        title, second = split_y(words, title_h, gap)
        if not prompt.keys:
            return Rows(title, second, Rect(words.x, words.bottom, words.w, 0), icon)
        keys = second.copy()
        if self._detail:
            # One row for both: the keys at its end, where no words push them about.
            keys.w = keys_w
            keys.right = second.right
            second.w = keys.x - second.x
        else:
            second.h = 0
        return Rows(title, second, keys, icon)

    def _three_rows(self, words: Rect, icon: Rect | None) -> Rows:
        """Give title, detail and keys a row each, where words are large."""
        words = words.inflate(0, self._canvas.px(CLOSE))
        title, below = split_y(words, words.h - self._canvas.px(0.042 + 0.06))
        detail, keys = split_y(below, self._canvas.px(0.042))
        return Rows(title, detail, keys, icon, CLOSE_DETAIL_CAP)

    def _draw_hint(self, row: Rect) -> None:
        """Write what the teaching mode says on the right of the detail, in another colour."""
        canvas, prompt = self._canvas, self._prompt
        gap = canvas.px(HINT_GAP)
        detail_w = canvas.text_width(prompt.detail, DETAIL_CAP) if prompt.detail else 0
        wanted = canvas.text_width(prompt.hint, DETAIL_CAP) + 2
        whole = row.w - (gap if detail_w else 0)
        if detail_w + wanted > whole:
            detail_w = round(whole * detail_w / (detail_w + wanted))
        left, right = split_x(row, detail_w, gap if detail_w else 0)
        canvas.line(prompt.detail, left, DETAIL_CAP, canvas.theme.muted, smallest=0.5)
        canvas.line(prompt.hint, right, DETAIL_CAP, canvas.theme.brass, smallest=0.5)

    def _place_answers(self) -> list[Rect]:
        """Place the answers in words: beside the keys, below the title, or beside the detail."""
        canvas, answers, rows = self._canvas, self._answers, self._rows
        if self._apart:
            row = Rect(rows.title.x, rows.title.bottom, rows.title.w, canvas.px(ANSWER_ROW))
            row.inflate_ip(0, -canvas.px(ANSWER_GAP))
            return answer_places(canvas, answers, row, align=0.0)
        if self._prompt.keys:
            return answer_places(canvas, answers, rows.keys)
        return answer_places(canvas, answers, rows.detail, most=0.62 if self._detail else 1.0)

    def _place_keys(self) -> tuple[_Key, ...]:
        """Place the keys from the left; where they are many, what they do is written smaller."""
        canvas, prompt, row = self._canvas, self._prompt, self._rows.keys
        room, texts = row.w - self._gaps, max(1, sum(self._texts))
        share = min(1.0, room / (sum(self._boxes) + texts))
        # A name is never written smaller than in the ordinary look.
        boxes = [int(box_w * max(share, 1 / canvas.painter.scale)) for box_w in self._boxes]
        share = min(1.0, max(0, room - sum(boxes)) / texts)
        left, keys = row.x, []
        for hint, box_w, text_w in zip(prompt.keys, boxes, self._texts, strict=True):
            box = Rect(left, row.y, box_w, row.h)
            start = box.right + (canvas.px(KEY_PAD) // 2 if text_w else 0)
            words = Rect(start, row.y, int(text_w * share), row.h)
            keys.append(_Key(hint, box, words))
            left = words.right + canvas.px(KEY_GAP)
        return tuple(keys)


def _key_widths(canvas: Canvas, prompt: PromptText) -> tuple[list[int], list[int], int]:
    """Return how wide the keys are, what they do, and all the gaps between them."""
    pad, does = canvas.px(KEY_PAD), [key.message for key in prompt.keys]
    names = [BUTTON_WORDS[key.button] for key in prompt.keys]
    boxes = [canvas.text_width(name, KEY_CAP) + 2 * pad for name in names]
    texts = [canvas.text_width(each, KEY_CAP) + 2 if each else 0 for each in does]
    gaps = canvas.px(KEY_GAP) * (len(does) - 1) + sum(pad // 2 for each in does if each)
    return boxes, texts, gaps


def _wide(canvas: Canvas, detail: Value, keys_w: int) -> int:
    """Return how wide *detail* and keys are in one row."""
    return canvas.text_width(detail, DETAIL_CAP) + canvas.px(0.05) + keys_w


def _asides(canvas: Canvas, prompt: PromptText, width: int) -> list[tuple[str, Colour]]:
    """Return what stands above the bar, in which colours: at most two lines.

    A refused press stands in the place of the last, so that nothing moves.
    """
    theme, found = canvas.theme, []
    if _crowds_the_title(canvas, prompt, width):
        found.append((canvas.say(prompt.detail), theme.muted))
    if _hint_is_apart(canvas, prompt, width):
        found.append((canvas.say(prompt.hint), theme.brass))
    if found and prompt.refused:
        found[-1] = (canvas.say(prompt.refused), theme.ivory)
    return found


def _in_short(canvas: Canvas, prompt: PromptText, width: int) -> PromptText:
    """Return *prompt* while a great moment is shown: on the low bar the question comes first."""
    hint = "" if _hint_is_apart(canvas, prompt, width) else prompt.hint
    wide = _wide(canvas, sentences(prompt.detail, hint), _keys_width(canvas, prompt))
    if prompt.keys and prompt.detail and wide > _room(canvas, prompt, width):
        return replace(prompt, detail="", hint="")
    return replace(prompt, hint=hint)


def _crowds_the_title(canvas: Canvas, prompt: PromptText, width: int) -> bool:
    """Return whether the detail would need a row of its own, and can stand above the bar."""
    if not (prompt.keys and prompt.detail) or canvas.theme.least:
        return False
    if prompt.choices and not _has_keys_alone(canvas, prompt, width):
        return True
    return _wide(canvas, prompt.detail, _keys_width(canvas, prompt)) > _room(canvas, prompt, width)


def _hint_is_apart(canvas: Canvas, prompt: PromptText, width: int) -> bool:
    """Return whether the hint cannot stand beside the detail, and the keys, and be read."""
    if not prompt.hint:
        return False
    room = _room(canvas, prompt, width) - canvas.px(HINT_GAP)
    texts = (prompt.detail, prompt.hint)
    wanted = sum(canvas.text_width(each, DETAIL_CAP) for each in texts if each)
    if prompt.keys and not canvas.theme.least:
        return wanted + canvas.px(0.05) + _keys_width(canvas, prompt) > room
    return wanted * SMALLEST_HINT > room


def _has_keys_alone(canvas: Canvas, prompt: PromptText, width: int) -> bool:
    """Return whether no answers stand beside the keys."""
    apart = _answers_are_apart(canvas, prompt, width)
    return apart or is_sheet(canvas, prompt, width)


def _answers_are_apart(canvas: Canvas, prompt: PromptText, width: int) -> bool:
    """Return whether the answers have a row of their own, between title and keys."""
    room = _room(canvas, prompt, width)
    return _crowd_the_keys(canvas, prompt, room) and not is_sheet(canvas, prompt, width)


def _crowd_the_keys(canvas: Canvas, prompt: PromptText, room: int) -> bool:
    """Return whether the answers have no place beside the keys."""
    if not (prompt.keys and prompt.choices):
        return False
    return _keys_width(canvas, prompt) + canvas.px(0.02) + _answers_width(canvas, prompt) > room


def _lines(canvas: Canvas, prompt: PromptText, room: int) -> int:
    """Return how many lines the title has where words are large."""
    cap = canvas.theme.least * canvas.unit
    return len(wrapped(canvas.say(prompt.title), Face.TITLE, cap, room)) if cap else 1


def _keys_width(canvas: Canvas, prompt: PromptText) -> int:
    boxes, texts, gaps = _key_widths(canvas, prompt)
    return sum(boxes) + sum(texts) + gaps


def _room(canvas: Canvas, prompt: PromptText, width: int) -> int:
    """Return how wide the rows of a bar of that *width* are."""
    icon = canvas.px(ICON) + canvas.px(ICON_GAP) if prompt.kind in _ICON_OF else 0
    return width - canvas.px(BAR_PAD) - icon


def _fits(text: str, cap: float, row: Rect) -> bool:
    """Return whether a title fits its row in lines of capitals *cap* pixels high."""
    lines = wrapped(text, Face.TITLE, cap, row.w)
    widest = max(text_width(line, Face.TITLE, cap) for line in lines)
    return len(lines) * cap * TITLE_PITCH <= row.h and widest <= row.w


def answer_places(
    canvas: Canvas, answers: Sequence[Value], row: Rect, *, align: float = 1.0, most: float = 1.0
) -> list[Rect]:
    """Return where the *answers* lie in *row*, of which they take the share *most*."""
    widths, gap = _answer_widths(canvas, answers), canvas.px(ANSWER_GAP)
    gaps, room = gap * (len(answers) - 1), round(row.w * most)
    if sum(widths) + gaps > room:
        scale = (room - gaps) / sum(widths)
        widths = [int(width * scale) for width in widths]
    left = row.x + round((row.w - sum(widths) - gaps) * align)
    places = []
    for width in widths:
        places.append(Rect(left, row.y, width, row.h))
        left += width + gap
    return places


def _answer_widths(canvas: Canvas, answers: Sequence[Value]) -> list[int]:
    """Return how wide each of *answers* would like to be."""
    pad, cap = 2 * canvas.px(ANSWER_PAD), DETAIL_CAP * canvas.unit
    return [text_width(canvas.say(answer), Face.PLAIN, cap) + pad for answer in answers]


def _answers_width(canvas: Canvas, prompt: PromptText) -> int:
    """Return how wide all answers and the gaps between them are."""
    widths = _answer_widths(canvas, prompt.choices)
    return sum(widths) + canvas.px(ANSWER_GAP) * (len(widths) - 1)


def answer_signs(canvas: Canvas, prompt: PromptText) -> list[Signs]:
    """Return what types each answer on a keyboard: a suit, a rank, points, or a digit."""
    cards = card_signs(prompt.card_choices, canvas.language)
    faces = face_signs(prompt.bone_choices)
    ranks = [rank_signs(rank, canvas.language) for rank in prompt.rank_choices]
    words = [canvas.say(text) for text in prompt.choices[len(faces) + len(ranks) :]]
    digits = [(word,) if len(word) == 1 and word.isdigit() else () for word in words]
    return [*cards, *faces, *ranks, *digits]


def draw_answers(
    canvas: Canvas, answers: Sequence[Value], places: Sequence[Rect], selected: int
) -> None:
    """Draw *answers* as keys at *places*, number *selected* as the one marked."""
    theme = canvas.theme
    for number, (answer, key) in enumerate(zip(answers, places, strict=True)):
        chosen = number == selected
        fill, ink = (theme.brass, theme.ink) if chosen else (theme.plate, theme.ivory)
        canvas.box(key, fill, theme.brass, radius=key.h * 0.3 / canvas.unit)
        inner = key.inflate(-canvas.px(ANSWER_PAD), -2)
        write = canvas.words if key.h > ANSWER_ROW * canvas.unit * 1.2 else canvas.line
        write(answer, inner, DETAIL_CAP, ink, align=0.5, smallest=0.5)
