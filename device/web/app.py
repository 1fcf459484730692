"""The addresses of the web service: pages, their streams, and what other programs ask."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from device.feed.client import NoTableError
from device.feed.wire import EventId, RequestRefusedError
from device.ports import MOST_SEATS, Button
from device.web import look
from device.web.guard import HEADERS, Guard, body_of, language_of, own_names, refuse
from device.web.pages import Pages, Reader, render
from device.web.table import LONGEST_DELAY_S, NOTHING, Line, Table
from display.drawing.theme import theme_of

LARGEST_BODY, LARGEST_HEAD = 4096, 16_384
MOST_CONNECTIONS = 500
ALIVE_S, LATER_S = 10.0, 0.25
"""A stream says so often that it lives, and looks so often for what has become old enough."""

MOST_CALLS = 4
"""Sentences that are read out at once: who comes back need not hear the whole evening."""

SECRET, PHONE, HOST = "boneace-secret", "boneace-phone", "boneace-host"
"""Headers with a seat's secret, the name that a phone has given itself, and a host's token."""

STREAM = "text/event-stream"
WEB = Path(__file__).parent
FONTS = WEB.parent.parent / "display" / "drawing" / "fonts"


def build(feed: Path, url: str, language: str, theme: str) -> Starlette:
    """Return the service of the table that tells at *feed* what happens."""
    table = Table(feed)
    dark = theme_of(theme)

    @asynccontextmanager
    async def reading(_app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(table.run())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def overlay_colours(request: Request) -> Response:
        return Response(look.overlay(dark, request.query_params), media_type="text/css")

    app = Starlette(
        routes=[
            *(
                Route(path + address, show, name=path[1:] + page)
                for path, show in (("", _page), ("/live", _live))
                for address, page in ADDRESSES.items()
            ),
            Route("/api/state", _state),
            Route("/api/events", _events),
            *(Route(f"/api/{ask}", _ask, methods=["POST"]) for ask in ASKED),
            Route("/overlay.css", overlay_colours),
            *looks(theme),
        ],
        middleware=[Middleware(Guard, names=own_names(url))],
        exception_handlers=ON_PROBLEMS,
        lifespan=reading,
    )
    app.state.table, app.state.pages = table, Pages(table)
    app.state.language, app.state.noted = language, {}
    # Pages of an earlier program load themselves anew.
    app.state.build = secrets.token_hex(4)
    return app


class Server(uvicorn.Server):
    """Serves pages until it is told to end; then their streams end by themselves."""

    def __init__(self, app: Starlette) -> None:
        """Serve *app*; only what is wrong is logged, and nothing of who asks for what."""
        config = uvicorn.Config(
            app, log_config=None, log_level="warning", access_log=False, server_header=False
        )
        config.limit_concurrency, config.timeout_graceful_shutdown = MOST_CONNECTIONS, 2
        config.h11_max_incomplete_event_size = LARGEST_HEAD
        super().__init__(config)
        self._table: Table | None = getattr(app.state, "table", None)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        if self._table is not None:
            self._table.end()
        await super().shutdown(sockets)


def looks(theme: str) -> list[BaseRoute]:
    """Return the addresses of all that pages look like by: colours, styles, scripts, fonts."""
    style = look.colours(theme_of(theme))

    async def colours(_request: Request) -> Response:
        return Response(style, media_type="text/css")

    return [
        Route("/colours.css", colours),
        Mount("/static", StaticFiles(directory=WEB / "static")),
        Mount("/fonts", StaticFiles(directory=FONTS)),
    ]


async def _not_served(request: Request, problem: Exception) -> Response:
    if isinstance(problem, RequestRefusedError):
        return refuse(request.scope, *problem.args)
    word = "gone" if isinstance(problem, NoTableError) else "fault"
    if isinstance(problem, HTTPException):
        word = {400: "bad", 405: "method"}.get(problem.status_code, "missing")
    answer = refuse(request.scope, word)
    answer.headers.update(HEADERS)  # that to a fault is sent past the guard
    return answer


ON_PROBLEMS = dict.fromkeys(
    (HTTPException, RequestRefusedError, NoTableError, Exception), _not_served
)
"""What answers a request that cannot be served, by what is raised."""


# --- pages ------------------------------------------------------------------------------------

ADDRESSES = {
    "/": "table",
    "/board": "board",
    "/overlay": "overlay",
    "/hand/{number:int}": "hand",
    "/rules": "rules",
    "/seat/{number:int}": "seat",
    "/host": "host",
}
"""Each page and its template; below ``/live`` is what of it changes, as a stream."""


def _delay(request: Request) -> float:
    asked = request.query_params.get("delay", "0")
    try:
        delay = float(asked)
    except ValueError:
        delay = -1
    if not 0 <= delay <= LONGEST_DELAY_S:
        raise RequestRefusedError("bad", f"delay={asked[:20]} (0 ... {LONGEST_DELAY_S:g})")
    return delay


def _reader(request: Request) -> Reader:
    page = request.scope["route"].name.removeprefix("live")
    number = request.path_params.get("number", 0)
    if number > 10**6 or (page == "seat" and not 1 <= number <= MOST_SEATS):
        raise RequestRefusedError("missing")
    language = language_of(request.scope)
    return Reader(page, language, _delay(request), number - (page == "seat"))


async def _page(request: Request) -> Response:
    reader, state = _reader(request), request.app.state
    seats = ((state.table.state() or {}).get("view") or {}).get("seats", ())
    if reader.page == "seat" and seats and all(reader.number != seat["seat"] for seat in seats):
        raise RequestRefusedError("nobody")
    if reader.page == "overlay" and (wrong := look.wrong_in(request.query_params)):
        raise RequestRefusedError("bad", wrong)
    html = render(
        "page",
        reader.language,
        page=reader.page,
        number=reader.number,
        part=state.pages.draw(reader),
        build=state.build,
        query=dict(request.query_params),
        path=request.url.path,
        place=request.query_params.get("position", "bottom"),
        table=state.table.name,
    )
    return HTMLResponse(html, headers={"vary": "accept-language"})


async def _live(request: Request) -> Response:
    return _stream(request, _parts(request, _reader(request)))


def _stream(request: Request, parts: AsyncIterator[str]) -> Response:
    if request.method == "HEAD":
        return Response(media_type=STREAM)
    return StreamingResponse(parts, media_type=STREAM)


async def _parts(request: Request, reader: Reader) -> AsyncIterator[str]:
    """Yield the part of a page that changes, and what is read out, each time that it does."""
    table, pages = request.app.state.table, request.app.state.pages
    yield f"retry: 1000\n{_sent(request.app.state.build, 'build')}"
    shown, sent_s = "", time.monotonic()
    _, heard = pages.calls(reader)
    asked = pages.asked(reader)
    while not table.is_over:
        calls, heard = pages.calls(reader, heard)
        part = pages.draw(reader)
        if pages.asked(reader) != asked:
            asked = pages.asked(reader)
            calls.append(asked)
        if calls:
            yield _sent(calls[-MOST_CALLS:], "call")
        if part != shown:
            yield _sent(part, "part")
            shown, sent_s = part, time.monotonic()
        elif time.monotonic() - sent_s > ALIVE_S:
            yield ":\n\n"
            sent_s = time.monotonic()
        await table.changed(LATER_S if reader.delay_s else ALIVE_S)


def _sent(data: object, event: str, place: EventId | None = None) -> str:
    at = "" if place is None else f"id: {place[0]}.{place[1]}\n"
    return f"{at}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


# --- other programs ---------------------------------------------------------------------------


def _for_all(state: Line) -> dict[str, Any]:
    """Return a state without what only one player may see."""
    return {key: value for key, value in state.items() if key not in ("kind", "own")}


async def _state(request: Request) -> Response:
    table: Table = request.app.state.table
    own = {}
    if "seat" in request.query_params:
        seat = request.query_params["seat"]
        if not (seat.isascii() and seat.isdigit()) or len(seat) > 2:
            raise RequestRefusedError("bad", f"seat={seat}")
        answer = await table.client.ask("seat", seat=int(seat), **_phone(request))
        if not answer["ok"]:
            raise RequestRefusedError(answer["problem"])
        own = {"own": await table.own(int(seat)) if answer["own"] else None}
    state = table.state(_delay(request))
    if state is None:
        raise NoTableError("no state")
    return JSONResponse({**_for_all(state), **own})


def _phone(request: Request) -> dict[str, Any]:
    """Return what a phone shows of itself."""
    headers = request.headers
    return {"secret": headers.get(SECRET, "")[:64], "phone": headers.get(PHONE, "")[:64]}


async def _events(request: Request) -> Response:
    table: Table = request.app.state.table
    delay_s = _delay(request)
    asked = request.headers.get("last-event-id") or request.query_params.get("after", "")
    older: Sequence[Line] = ()
    after = NOTHING if asked == "all" else None
    if asked and after is None:
        after = _place(asked)
        older = await table.earlier(after)
    return _stream(request, _told(table, older, after, delay_s))


def _place(text: str) -> EventId:
    sitting, _, number = text.partition(".")
    if len(text) > 20 or not text.isascii() or not (sitting.isdigit() and number.isdigit()):
        raise RequestRefusedError("bad", f"after={text}")
    return int(sitting), int(number)


async def _told(
    table: Table, older: Sequence[Line], after: EventId | None, delay_s: float
) -> AsyncIterator[str]:
    """Yield *older* events, those *after* one or from now on as they come, and each state."""
    asked_s, seen = time.monotonic(), None
    while not table.is_over:
        if older and time.monotonic() >= asked_s + delay_s:
            for line in older:
                after = line["sitting"], line["number"]
                yield _sent(_for_all(line), "event", after)
            older = ()
        if not older and table.is_there and not table.is_loading:
            after = table.last if after is None else after
            for told in table.events_after(after, delay_s):
                yield _sent(_for_all(told.line), "event", told.place)
                after = told.place
            state = table.state(delay_s)
            if state is not None and state is not seen:
                yield _sent(_for_all(state), "state")
                seen = state
        before = time.monotonic()
        await table.changed(LATER_S if delay_s else ALIVE_S)
        if time.monotonic() - before >= ALIVE_S:
            yield ":\n\n"


ASKED: dict[str, dict[str, type]] = {
    "press": {"seat": int, "button": str, "choice": int, "prompt": int},
    "seat": {"seat": int},
    "leave": {"seat": int},
    "host": {"pin": str},
}
"""What may be asked, and what of it stands in the body."""


BUTTONS = frozenset(Button) - {Button.QUIT}


async def _ask(request: Request) -> Response:
    """Hand a question on to the table."""
    ask = request.url.path.rpartition("/")[2]
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RequestRefusedError("bad")
    asked = _understood(await body_of(request, LARGEST_BODY), ASKED[ask])
    if ask == "press" and not (asked.get("button") in BUTTONS) ^ ("choice" in asked):
        raise RequestRefusedError("bad")
    table: Table = request.app.state.table
    if "seat" in asked:
        asked |= _phone(request)
    elif ask == "press" or (ask == "host" and not asked):  # or a host who comes back
        asked["host"] = request.headers.get(HOST, "")[:64]
    elif ask != "host":
        raise RequestRefusedError("bad")
    answer = await table.client.ask(ask, **asked)
    if not answer["ok"]:
        why = answer.get("why", {}).get(language_of(request.scope), "")
        raise RequestRefusedError(answer["problem"], why)
    return JSONResponse({key: answer[key] for key in ("ok", "token") if key in answer})


def _understood(body: bytes, kinds: dict[str, type]) -> dict[str, Any]:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise RequestRefusedError("bad") from problem
    if not isinstance(asked, dict) or not all(
        _fits(value, kinds.get(key)) for key, value in asked.items()
    ):
        raise RequestRefusedError("bad")
    return dict(asked)


def _fits(value: object, kind: type | None) -> bool:
    if isinstance(value, str):
        return kind is str and len(value) <= 64
    return type(value) is int and kind is int and 0 <= value < 2**53
