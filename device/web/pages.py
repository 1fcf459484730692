"""The pages: what the table has told, in a reader's language, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.filters import FILTERS

from device.feed.wire import EventId, texts
from device.web.guide import aim, extra_keys, guided, has_opened_menu, idle, is_my_turn
from device.web.table import NOTHING, Line, Table, Told
from device.web.views import read_view
from display.controls import BUTTON_WORDS
from display.drawing.canvas import signed
from display.drawing.courts import rank_text
from display.i18n.languages import ENGLISH, LANGUAGES, base
from display.i18n.signs import SIGNS
from display.i18n.translate import Translator
from display.pages.rules import rule_words
from display.table.aloud import PILES, facts
from display.table.centre import PHASES
from display.table.scat_seats import held_cards
from display.table.seats import badge_of, is_turn
from engine.core.cards import Card, Rank, Suit
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import a_card, card_words, rank_words
from engine.core.text.rules_page import Section
from engine.core.views import Phase, View
from engine.games import catalog
from engine.games.prompts import bone_line
from engine.games.results import cost_lines, match_lines
from engine.games.scat.prompts import worth_of

AWAY = Message("The table is not there now.")

LAST = 8
"""So many of the last events are told beside the table."""

SEAT_BUTTONS = ("have", "stick", "out", "undo")
HOST_BUTTONS = ("have", "stick", "out", "next", "undo", "menu", "left", "right", "push")

LABELS: Mapping[str, Message] = {
    **BUTTON_WORDS,
    # Translators: a step of the knob to the left or up, to the right or down, and a push on it.
    "left": Message("Up"),
    "right": Message("Down"),
    "push": Message("Choose"),
}


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks: at which page, in which language, how much later than the table.

    Attributes:
        page: a template.
        number: the seat, from 0, or the hand, where the page is about one.
    """

    page: str
    language: str = ENGLISH
    delay_s: float = 0.0
    number: int = 0


def language_for(asked: str, accepted: str, table: str) -> str:
    """Return the language of a reader: asked for, or accepted by the browser, or the table's.

    >>> language_for("", "it-IT,de;q=0.8,en;q=0.5", "fr")
    'de'
    """
    ranked = []
    for each in accepted.split(",")[:20]:
        name, _, quality = each.strip().partition(";q=")
        try:
            ranked.append((-float(quality or 1), name))
        except ValueError:
            continue
    for name in (asked, *(name for _, name in sorted(ranked, key=lambda each: each[0])), table):
        if base(name) in LANGUAGES:
            return base(name)
    return ENGLISH


def spoken(texts: Any, language: str) -> Any:
    """Return *texts* of the feed in a language: a text, a list of texts, or an empty text."""
    return (texts.get(language) or texts.get(ENGLISH, "")) if isinstance(texts, dict) else ""


def marked(text: str, translator: Translator) -> Any:
    """Return *text* as HTML, the name of each stranger with its sign."""
    shown = escape(translator.signed(text))
    for number, sign in enumerate(SIGNS, 1):
        drawn = f'<span class="sign s{number}" aria-hidden="true">{sign}</span>'
        shown = shown.replace(sign, drawn)
    return FILTERS["safe"](shown)


@cache
def _environment(package: str) -> Environment:
    found = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("device.web")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    helpers = (a_card, badge_of, card_words, held_cards, is_turn, rule_words, signed, worth_of)
    found.globals.update(
        {each.__name__: each for each in helpers},
        read_card=Card.parse,
        ranks={rank.value: rank for rank in Rank if rank.value in "AJQK"},
        index_of=rank_text,
        rank_word=lambda rank: rank_words((Card(rank, Suit.SPADES),)),
        message=Message,
        away=AWAY,
        labels=LABELS,
        languages={code: LANGUAGES[code].name for code in LANGUAGES},
    )
    return found


def render(template: str, language: str, package: str = "device.web", **values: Any) -> str:
    """Return a template of a package in a language."""
    translator = Translator.of(language)
    return (
        _environment(package)
        .get_template(f"{template}.html")
        .render(
            _=translator,
            say=lambda value: marked(translator.render(value), translator),
            spoken=lambda texts: marked(spoken(texts, language), translator),
            language=language,
            **values,
        )
    )


class Pages:
    """The changing part of each page, drawn once for all who look at it alike."""

    def __init__(self, table: Table) -> None:
        """Draw what *table* tells."""
        self.table = table
        self._drawn: dict[Reader, tuple[object, str]] = {}

    def draw(self, reader: Reader) -> str:
        """Return the changing part of a page as *reader* may see it now."""
        state = self.table.state(reader.delay_s)
        events = self.table.events_after(delay_s=reader.delay_s)
        # Equal keys are equal pages: the state as it is kept, and which events there are.
        key = (id(state), state and state["at"], events[-1].place if events else NOTHING)
        alike = reader if not reader.delay_s else replace(reader, delay_s=1.0)
        before = self._drawn.get(alike)
        if before is None or before[0] != key:
            if len(self._drawn) > MOST_DRAWN:
                self._drawn.clear()
            before = self._drawn[alike] = (key, self._draw(reader, state, events))
        return before[1]

    def _draw(self, reader: Reader, state: Line | None, events: Sequence[Told]) -> str:
        sitting = state["sitting"] if state else None
        evening = [each.line for each in events if each.line["sitting"] == sitting]
        return draw_part(reader, state, evening)

    def calls(self, reader: Reader, heard: EventId = NOTHING) -> tuple[list[str], EventId]:
        """Return what is to be read out of the events after *heard*, and the last of them."""
        events = self.table.events_after(heard, reader.delay_s)
        told = told_lines([each.line for each in events], reader.language)
        return told, events[-1].place if events else heard

    def asked(self, reader: Reader) -> str:
        """Return what is read out of what the table asks or says now."""
        state = self.table.state(reader.delay_s)
        if state is None:
            return Translator.of(reader.language).render(AWAY)
        shown = state["page"] or state["prompt"] or {}
        parts = [spoken(shown.get(key), reader.language) for key in ("title", "detail", "note")]
        return " ".join(part for part in parts if part)


MOST_DRAWN = 200
"""Different pages that are kept drawn."""


def draw_part(reader: Reader, state: Line | None, evening: Sequence[Line]) -> str:
    """Return the changing part of a page: what is so now, and the events of the sitting."""
    view = read_view(state["view"]) if state and state["view"] else None
    # A stream shows nothing until something is old enough.
    template = f"part-{reader.page}" if state or reader.page == "overlay" else "part-away"
    over = view is not None and view.phase is Phase.DONE
    names = HOST_BUTTONS if reader.page == "host" else ("next",) * over + SEAT_BUTTONS
    rules = rules_of(view, state) if view and state and reader.page in ("rules", "seat") else ()
    prompt = (state or {}).get("prompt") if reader.page == "seat" else None
    lines, keys = guided(view, prompt, rules, reader.number) if view and prompt else ((), ())
    extra = extra_keys(view, prompt, reader.number) if view and prompt else ()
    names += tuple(key.button for key in extra if key.button not in names)
    return render(
        template,
        reader.language,
        state=state or {},
        view=view,
        game=game_words(view) if view else (),
        middle=middle_of(view) if view else (),
        result=(*cost_lines(view), *match_lines(view), bone_line(view))
        if view and view.result
        else (),
        facts=facts(view, reader.number) if view and reader.page == "seat" else (),
        told=told_lines(evening[-5 * LAST :], reader.language)[-LAST:],
        story=told_lines(
            [line for line in evening if line["hand"] == reader.number], reader.language
        ),
        hands=max((line["hand"] for line in evening), default=0),
        rules=rules,
        lines=lines,
        deals=catalog.find(view.game).story.hand(view) if view and view.dealer is not None else "",
        aim=aim(rules),
        idle=idle(view, prompt or {}, reader.number) if view and reader.page == "seat" else (),
        always=[key.button for key in extra],
        my_turn=bool(view and prompt and is_my_turn(view, prompt, reader.number)),
        my_menu=bool(view and prompt and has_opened_menu(view, prompt, reader.number)),
        ledger=ledger_of(evening, view),
        number=reader.number,
        buttons=buttons_of(state or {}, names, keys, extra),
    )


def told_lines(events: Sequence[Line], language: str) -> list[str]:
    """Return what is told of *events*."""
    return [line for event in events for line in spoken(event["texts"], language)]


def game_words(view: View) -> tuple[Value, ...]:
    """Return the game, the hand, and where it stands."""
    return (
        Message(catalog.find(view.game).title),
        Message("Hand {n}", n=view.hand_number),
        PHASES[view.phase],
    )


def middle_of(view: View) -> list[tuple[Value, tuple[Any, ...]]]:
    """Return what lies between the players: its name and its cards."""
    if view.middle is None:
        return []
    middle = view.middle
    found: list[tuple[Value, tuple[Any, ...]]] = [(Message("Stock {n}", n=middle.stock), ())]
    if middle.discard_top is not None or middle.top_is_unread:
        found.append((Message("Discard"), (middle.discard_top,)))
    found += [(PILES[pile.name], pile.cards) for pile in middle.piles if pile.name in PILES]
    return found


def rules_of(view: View, state: Line) -> Sequence[Section]:
    """Return the rules in force: those of the preset with what was agreed besides."""
    game = catalog.find(view.game)
    preset = catalog.find_preset(game, view.preset)
    return tuple(game.rules(catalog.make_options(game, preset, state["options"])))


def ledger_of(events: Sequence[Line], view: View | None) -> list[tuple[str, int]]:
    """Return what everybody has won or lost this evening, the most first."""
    seats: Mapping[int, tuple[str, int]] = {}
    if events:
        seats = {each["seat"]: (each["name"], each["tokens"]) for each in events[-1]["players"]}
    if view is not None:
        seats = {**seats, **{seat.seat: (seat.name, seat.tokens) for seat in view.seats}}
    return sorted(seats.values(), key=lambda each: -each[1])


def buttons_of(
    state: Line,
    names: Sequence[str],
    guided: Sequence[KeyHint] = (),
    first: Sequence[KeyHint] = (),
) -> list[tuple[str, Any]]:
    """Return the buttons of a page, each with what it does now where that is said.

    Where the table says nothing of them, *guided* does. What *first* says counts anyway.
    """
    asked = (state.get("page") or {}, state.get("prompt") or {})
    keys = next((each["keys"] for each in asked if each.get("keys")), ())
    does = {key["button"]: key["text"] for key in keys}
    does = does or {key.button: texts(key.message) for key in guided}
    does |= {key.button: texts(key.message) for key in first}
    return [(name, does.get(name, {})) for name in names]
