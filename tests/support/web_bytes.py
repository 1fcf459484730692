"""Hands told twice, with other cards where an audience sees none, and all that is sent of them."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from device.feed.feed import Shown, _Snapshot, _state_body
from device.feed.wire import Happened, Sitting, line, plain
from device.hall.messages import encode, event_body, state_body
from device.web.app import _for_all, _sent
from device.web.pages import Pages, Reader, render
from device.web.table import Table, Told
from display.i18n.languages import languages
from engine import TABLE, Event, Phase, State, apply, bots, deck, view
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.games import catalog
from tests.support.game_driver import Driver

MOST_EVENTS = 200
PAGES = ("table", "board", "overlay", "hand", "seat", "host", "rules")


def cards_in(value: Any) -> Iterator[Card]:
    """Yield every card that is in a value of the engine."""
    if isinstance(value, Card):
        yield value
    elif dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from cards_in(getattr(value, each.name))
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from cards_in(each)


def exchanged(value: Any, others: dict[Card, Card]) -> Any:
    """Return *value* with other cards in it."""
    if isinstance(value, Card):
        return others.get(value, value)
    if dataclasses.is_dataclass(value):
        parts = {
            each.name: exchanged(getattr(value, each.name), others)
            for each in dataclasses.fields(value)
            if each.init
        }
        return type(value)(**parts)
    if isinstance(value, tuple):
        return tuple(exchanged(each, others) for each in value)
    return value


def states(start: State, events: Sequence[Event]) -> list[State]:
    """Return the states after each event, the first before all of them."""
    found = [start]
    for event in events:
        found.append(apply(found[-1], event))
    return found


def twins(
    game: str, preset: str | None, rng: random.Random, audience: Any = TABLE
) -> tuple[list[State], list[State], list[Event], list[Event]] | None:
    """Return a part of a hand twice, which *audience* cannot tell apart.

    ``None`` where all cards were seen, or the rules do not allow the other cards.
    """
    seats = rng.randint(2, 4)
    styles = [bots.player(rng.choice(("bold", "cautious", "exact")), game) for _ in range(seats)]
    driver = Driver(game, preset, styles, seed=rng.random(), dealer=0)
    start, events = driver.state, []
    while driver.state.phase is not Phase.DONE and len(events) < MOST_EVENTS:
        events.append(driver.go_on())
    events = events[: rng.randint(1, len(events))]
    true = states(start, events)
    audiences = {TABLE, audience}
    seen = {card for state in true for who in audiences for card in cards_in(view(state, who))}
    hidden = [card for card in deck() if card not in seen]
    if not set(hidden) & set(cards_in(tuple(events))):
        return None
    mixed = rng.sample(hidden, len(hidden))
    others = [exchanged(event, dict(zip(hidden, mixed, strict=True))) for event in events]
    if others == events:
        return None
    try:
        false = states(start, others)
    except BoneAceError:
        return None
    pairs = list(zip(true, false, strict=True))
    if any(view(one, who) != view(other, who) for one, other in pairs for who in audiences):
        return None  # the rules let everybody see a difference, such as a hand that is over
    return true, false, events, others


def all_bytes(
    states: Sequence[State],
    events: Sequence[Event],
    language: str,
    looks: Sequence[int],
    seat: int | None,
) -> list[bytes]:
    """Return all that web and broker get of a hand: each event, each page after some of them."""
    table = Table(Path("/nowhere"))
    table.name = "oak-hare-7"
    pages, sent = Pages(table), []
    sitting = Sitting(1, 0.0, None)
    for number, (event, before, after) in enumerate(zip(events, states, states[1:], strict=False)):
        seen = view(before, TABLE), view(after, TABLE)
        previous = (1, number - 1) if number else None
        told = Happened(sitting, number, previous, 0.0, event, *seen, after).line()
        heard = json.loads(told)
        table._keep(Told(heard))
        sent.append(_sent(_for_all(heard), "event", (1, number)).encode())
        published = {key: value for key, value in heard.items() if key != "kind"}
        sent.append(encode(event_body(table.name, published)))
        if number not in looks:
            continue
        shown = Shown(prompt=catalog.find(seen[1].game).prompt(seen[1]))
        body = _state_body(_Snapshot(0.0, shown, after, seen[1], (1, number), 1))
        own = {} if seat is None else {str(seat): plain(view(after, seat))}
        state = json.loads(line("state", at=0.0, phones=[], host=False, own=own, **body))
        table._states.clear()
        table._states.append(Told(state))
        sent.append(encode(state_body(table.name, state, (1, number))))
        public = _for_all(state)
        sent.append(_sent(public, "state").encode())
        sent.append(json.dumps({**public, **({"own": own} if own else {})}).encode())
        for page in PAGES:
            reader = Reader(page, language, number=seat or 0)
            part = pages.draw(reader)
            values = {"number": seat or 0, "build": "", "query": {}, "path": "/", "place": "top"}
            html = render("page", language, page=page, part=part, table=table.name, **values)
            sent += [part.encode(), html.encode(), pages.asked(reader).encode()]
    sent.append(repr(pages.calls(Reader("table", language))).encode())
    return sent


def are_sent_alike(twins: Any, audience: Any, rng: random.Random) -> bool:
    """Return whether all that is sent of a hand and its twin is the same."""
    true, false, events, others = twins
    looks = rng.sample(range(len(events)), min(2, len(events)))
    seat = None if audience is TABLE else audience
    language = rng.choice(languages())
    sent = all_bytes(true, events, language, looks, seat)
    return sent == all_bytes(false, others, language, looks, seat)
