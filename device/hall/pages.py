"""The pages of a hall: all tables at a glance, one table, the ranking as CSV.

They look as those of one table do, and are drawn by the same templates.
"""

from __future__ import annotations

import hashlib
import io
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from device.clock import local, utc
from device.data_out import write_csv
from device.hall.listener import Hall, Live
from device.hall.messages import Body
from device.hall.store import Standing, Store, evening_of, is_evening
from device.web.app import ON_PROBLEMS, looks
from device.web.guard import Guard, language_of, own_names
from device.web.pages import Reader, draw_part, render
from display.i18n.translate import Translator
from engine.core.messages.message import Message, Money
from engine.games import catalog

COLUMNS = ("rank", "name", "tokens", "money", "currency", "hands", "tables", "first", "last")
"""Of the CSV."""

STORY = 20
"""Events that the page of a table tells."""

GRIDS = (1, 2, 4, 6, 9, 12)
"""So many tables stand on the scoreboard at once, each as large as it can be; see ``hall.css``."""

EVENINGS = 7
"""The last evenings have a link each."""


def make_app(hall: Hall, store: Store, host: str, theme: str) -> Starlette:
    """Return the pages of *hall*; *host* is the address at which they are served."""
    pages = _Pages(hall, store)
    app = Starlette(
        routes=[
            Route("/", pages.hall),
            Route("/board", pages.hall),
            Route("/table/{table}", pages.table),
            Route("/ranking.csv", pages.csv),
            Mount("/hall", StaticFiles(directory=Path(__file__).parent / "static")),
            *looks(theme),
        ],
        middleware=[Middleware(Guard, names=own_names(f"http://{host}"))],
        exception_handlers=ON_PROBLEMS,
    )
    app.state.noted = {}
    return app


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

    async def hall(self, request: Request) -> Response:
        """Answer with all tables, and the ranking."""
        evening, by_money = _asked(request)
        standings = self._store.ranking(evening, by_money=by_money)
        return self._page(
            request,
            "hall",
            fits=next((n for n in GRIDS if n >= len(self._hall.tables)), GRIDS[-1]),
            tables=[
                (name, live, self._hall.view(name))
                for name, live in sorted(self._hall.tables.items())
            ],
            standings=standings,
            evenings=["", *self._store.evenings()[:EVENINGS]],
            evening=evening,
            by_money=by_money,
            has_money=any(one.money for one in standings),
        )

    async def table(self, request: Request) -> Response:
        """Answer with one table and what happened there, as the page of that table shows it."""
        name = request.path_params["table"]
        live = self._hall.tables.get(name)
        if live is None:
            raise HTTPException(404)
        reader = Reader("table", language_of(request.scope))
        state, events = None, self._store.last_events(name, STORY)
        if live.state is not None:
            view = self._hall.view(name) and live.state["view"]
            state = {**live.state, "view": view, "page": None}
            if not live.online:
                told = Translator.of(reader.language).render(self._status(live))
                prompt = {"kind": "trouble", "title": {reader.language: told}}
                silent = dict.fromkeys(("detail", "hint", "refused"))
                state |= {"prompt": {**prompt, **silent}, "view": view and _at_rest(view)}
        try:
            part = draw_part(reader, state, events)
        except (LookupError, ValueError, TypeError, TemplateError):  # no table would send it
            part = draw_part(reader, None, ())
        return self._page(request, "hall-table", name=name, live=live, part=part)

    async def csv(self, request: Request) -> Response:
        """Answer with the ranking as a file."""
        evening, by_money = _asked(request)
        file = io.StringIO()
        write_csv(COLUMNS, ranking_rows(self._store.ranking(evening, by_money=by_money)), file)
        name = f"ranking-{evening}.csv" if evening else "ranking.csv"
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(file.getvalue(), media_type="text/csv", headers=named)

    def _status(self, live: Live) -> Message:
        """Return whether a table is there, else since when not, with the day if not today's."""
        if live.online:
            return Message("online")
        if live.since_s is None or not self._hall.is_connected:
            return Message("offline")
        is_now = evening_of(live.since_s) == evening_of(time.time())
        since = local(live.since_s, "%H:%M" if is_now else "%Y-%m-%d %H:%M")
        # Translators: said of a table; time is such as 21:30.
        return Message("gone since {time}", time=since)

    def _page(self, request: Request, template: str, **values: Any) -> Response:
        asked = request.query_params
        page = render(
            template,
            language_of(request.scope),
            package="device.hall",
            query={name: asked[name] for name in ("evening", "by") if name in asked},
            connected=self._hall.is_connected,
            money=_amounts,
            title=lambda view: Message(catalog.find(view.game).title),
            clock=lambda at: local(at, "%H:%M"),
            status=self._status,
            is_board=request.url.path == "/board",
            **values,
        )
        tag = f'"{hashlib.sha256(page.encode()).hexdigest()[:16]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Language"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return HTMLResponse(page, headers=headers)


def _at_rest(view: Body) -> Body:
    """Return a view in which nobody is to do anything: that of a table that is gone."""
    nobody: Body = {"turn": None, "deal_to": None, "to_cut": [], "to_reveal": []}
    return {**view, **nobody, "seats": [{**seat, "is_turn": False} for seat in view["seats"]]}


def _amounts(one: Standing) -> list[Money]:
    kinds = sorted(one.money.items())
    return [Money(minor, currency, digits, signed=True) for (currency, digits), minor in kinds]


def _asked(request: Request) -> tuple[str, bool]:
    """Return the evening that is asked for, empty for all, and whether money ranks."""
    asked = request.query_params
    evening = asked.get("evening", "")
    if evening and not is_evening(evening):
        raise HTTPException(404)
    return evening, asked.get("by") == "money"
