"""The pages of a hall: all tables at a glance, one table, the ranking as CSV."""

from __future__ import annotations

import contextlib
import hashlib
import io
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from device.clock import local, utc
from device.data_out import write_csv
from device.hall.listener import Hall, Live
from device.hall.store import Standing, Store
from device.hall.words import WORDS
from display.i18n.languages import ENGLISH, LANGUAGES, base
from display.i18n.translate import Translator
from engine.core.errors import BoneAceError
from engine.core.messages.message import Money
from engine.games import catalog
from engine.games.story import signed

HERE = Path(__file__).parent

COLUMNS = ("rank", "name", "tokens", "money", "currency", "hands", "tables", "first", "last")
"""Of the CSV."""

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

STORY = 40
"""Events that the page of a table tells."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def make_app(hall: Hall, store: Store, host: str) -> Starlette:
    """Return the pages of *hall*; *host* is the address at which they are served."""
    pages = _Pages(hall, store)
    return Starlette(
        routes=[
            Route("/", pages.hall),
            Route("/table/{table}", pages.table),
            Route("/ranking.csv", pages.csv),
            Mount("/static", StaticFiles(directory=HERE / "static")),
            Mount("/fonts", StaticFiles(packages=[("display.drawing", "fonts")])),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guard(host))],
    )


def _guard(host: str) -> Callable[..., Awaitable[Response]]:
    """Return what answers only to names of this machine, so that no other page can read ours."""
    ours = {host, "localhost", socket.gethostname(), f"{socket.gethostname()}.local"}

    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        response: Response
        if request.method not in ("GET", "HEAD"):
            response = PlainTextResponse("only to be read\n", 405)
        elif (name := request.url.hostname or "") not in ours and not _is_address(name):
            response = PlainTextResponse(f"{name[:80]!r} is no name of this machine\n", 421)
        else:
            response = await go_on(request)
        response.headers.update(HEADERS)
        return response

    return guard


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def ranking_rows(standings: list[Standing]) -> list[dict[str, Any]]:
    """Return the ranking under :data:`COLUMNS`: a line for each currency of a player."""
    return [
        {
            "rank": one.rank,
            "name": one.name,
            "tokens": one.tokens,
            "money": "" if kind is None else Decimal(Money(one.money[kind], *kind).plain),
            "currency": "" if kind is None else kind[0],
            "hands": one.hands,
            "tables": sorted(one.tables),
            "first": utc(one.first),
            "last": utc(one.last),
        }
        for one in standings
        for kind in (one.money or [None])
    ]


class _Pages:
    def __init__(self, hall: Hall, store: Store) -> None:
        self._hall, self._store = hall, store
        self._templates = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=ChainableUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"signed": signed, "suits": SUITS}

    async def hall(self, request: Request) -> Response:
        """Answer with all tables, and the ranking."""
        evening, by_money = request.query_params.get("evening", ""), _by_money(request)
        standings = self._store.ranking(evening, by_money=by_money)
        names = sorted(self._hall.tables)
        return self._page(
            request,
            "hall.html",
            tables=[(name, self._hall.tables[name]) for name in names],
            standings=standings,
            evenings=self._store.evenings(),
            evening=evening,
            by_money=by_money,
            has_money=any(one.money for one in standings),
        )

    async def table(self, request: Request) -> Response:
        """Answer with one table and what happened there."""
        name = request.path_params["table"]
        if name not in self._hall.tables:
            raise HTTPException(404)
        live, story = self._hall.tables[name], self._store.story(name, STORY)
        return self._page(request, "table.html", name=name, live=live, story=story)

    async def csv(self, request: Request) -> Response:
        """Answer with the ranking as a file."""
        evening = request.query_params.get("evening", "")
        standings = self._store.ranking(evening, by_money=_by_money(request))
        file = io.StringIO()
        write_csv(COLUMNS, ranking_rows(standings), file)
        named = {"Content-Disposition": 'attachment; filename="ranking.csv"'}
        return Response(file.getvalue(), media_type="text/csv", headers=named)

    def _page(self, request: Request, template: str, **values: Any) -> Response:
        language = _language(request)
        say = Translator.of(language)

        def game(live: Live) -> str:
            view = (live.state or {}).get("view") or {}
            with contextlib.suppress(BoneAceError):
                return say(catalog.find(str(view.get("game"))).title)
            return ""

        def money(one: Standing) -> str:
            amounts = (Money(minor, *kind, True) for kind, minor in sorted(one.money.items()))
            return ", ".join(say.render(amount) for amount in amounts)

        def text(texts: Any) -> str:
            found = texts.get(language) or texts.get(ENGLISH) if isinstance(texts, dict) else ""
            return found if isinstance(found, str) else ""

        page = self._templates.get_template(template).render(
            t={name: say(word) for name, word in WORDS.items()},
            say=say,
            language=language,
            languages=[LANGUAGES[code] for code in LANGUAGES],
            query={k: v for k, v in request.query_params.items() if k in ("evening", "by")},
            connected=self._hall.is_connected,
            game=game,
            money=money,
            text=text,
            lines=lambda texts: texts.get(language) or texts.get(ENGLISH) or [],
            clock=lambda at: local(at, "%H:%M"),
            **values,
        )
        tag = f'"{hashlib.sha256(page.encode()).hexdigest()[:16]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return Response(page, media_type="text/html", headers={"ETag": tag})


def _by_money(request: Request) -> bool:
    return request.query_params.get("by") == "money"


def _language(request: Request) -> str:
    accepted = request.headers.get("accept-language", "")[:200].split(",")
    asked = [request.query_params.get("lang", ""), *(each.split(";")[0] for each in accepted)]
    return next((base(each.strip()) for each in asked if base(each.strip()) in LANGUAGES), ENGLISH)
