"""What stands between the network and the pages: whose requests are heard, how many, how long."""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from collections.abc import Collection, Mapping

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from device.feed.wire import RequestRefusedError
from device.web.pages import language_for, render
from display.i18n.translate import Translator
from engine.core.messages.message import Message, Value
from engine.core.text.limits import one_line

_log = logging.getLogger(__name__)

PER_SECOND, BURST = 50.0, 250.0
"""Requests of one address: so many a second, and so many at once."""

MOST_ADDRESSES = 1000
LOGGED_EVERY_S = 10.0
"""A problem of an address is logged no more often."""

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-permitted-cross-domain-policies": "none",
}
"""As the OWASP Secure Headers Project has them, for pages without encryption."""

PROBLEMS: Mapping[str, tuple[int, Message]] = {
    "bad": (400, Message("This cannot be understood.")),
    "missing": (404, Message("There is no such page.")),
    "method": (405, Message("This page cannot be asked for this way.")),
    "long": (413, Message("This is too long.")),
    "many": (429, Message("Too many requests. Wait a moment.")),
    "host": (421, Message("This table has another address. Use the one on its screen.")),
    "site": (403, Message("Another site may not press the buttons here.")),
    "fault": (500, Message("Something went wrong here.")),
    "gone": (503, Message("The table does not answer.")),
    # What the table itself says; docs/reference/feed.md.
    "nobody": (409, Message("Nobody plays here now.")),
    "secret": (
        403,
        Message("This is not the secret of this seat. Scan the code on the table's screen again."),
    ),
    "pin": (403, Message("This PIN is not right. The table's menu shows it.")),
    "tries": (429, Message("Too many tries. Wait a minute.")),
    "asked": (
        202,
        Message(
            "Another phone has this seat. The table and the other phones are asked whether you may "
            "take it."
        ),
    ),
    "taken": (409, Message("The table has said no: another phone has this seat.")),
    "other": (409, Message("Another player is asked.")),
    "stale": (409, Message("Something else is asked by now.")),
    "rules": (409, Message("That cannot be done just now.")),
    "busy": (429, Message("Not so fast.")),
}
"""By its word: the status of an answer, and what it says to people."""


def language_of(scope: Scope) -> str:
    """Return the language in which whoever asks reads."""
    accepted = Headers(scope=scope).get("accept-language", "")
    asked = QueryParams(scope.get("query_string", b"")).get("lang", "")
    return language_for(asked, accepted[:200], getattr(scope["app"].state, "language", ""))


def refuse(scope: Scope, word: str, what: str = "") -> Response:
    """Return the answer to a request that cannot be served, and note it in the log.

    *what* of the address cannot be understood is named; of the rules it is what they say.
    """
    status, said = PROBLEMS[word]
    text: Value = what if word == "rules" else said
    if what and word != "rules":
        text = Message("This cannot be understood: {what}", what=one_line(what[:100]))
    language = language_of(scope)
    path = scope["path"]
    _note(scope["app"].state.noted, (_address(scope), word), path)
    told = render("problem", language, text=text, status=status)
    if not path.startswith("/api/"):
        return HTMLResponse(told, status)
    body = {"ok": status == 202, "problem": word}
    return JSONResponse({**body, "text": Translator.of(language).render(text)}, status)


def _note(noted: dict[tuple[str, str], float], what: tuple[str, str], path: str) -> None:
    now = time.monotonic()
    if now - noted.get(what, -LOGGED_EVERY_S) < LOGGED_EVERY_S:
        return
    if len(noted) > MOST_ADDRESSES:
        noted.clear()
    noted[what] = now
    _log.warning("refused (%s): %s from %s", what[1], one_line(path[:60]), what[0])


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "?"


def own_names(url: str) -> set[str]:
    """Return the names under which this machine is asked: its own, and that of *url*."""
    name = socket.gethostname().lower()
    told = url.partition("://")[2].partition("/")[0].rpartition(":")
    return {"localhost", name, f"{name}.local", (told[0] or told[2]).lower()} - {""}


def is_own(host: str, names: Collection[str]) -> bool:
    """Return whether a ``Host`` is ours: a name of this machine, or a bare address.

    A page of somebody else can make its own name lead here, but not an address (DNS rebinding).

    >>> is_own("192.168.1.7:8031", ()), is_own("[::1]:8031", ()), is_own("evil.example", ())
    (True, True, False)
    """
    name = host.lower()
    if not name.endswith("]"):
        name = name.rpartition(":")[0] or name
    if name in names:
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class Guard:
    """Turns away what is not for us, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        """Let requests to *names* through to *app*."""
        self._app = app
        self._names = names
        self._left: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(sent: Sent) -> None:
            if sent["type"] == "http.response.start":
                headers = MutableHeaders(raw=sent["headers"])
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(sent)

        word = self._problem(scope)
        await (refuse(scope, word) if word else self._app)(scope, receive, with_headers)

    def _problem(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        if not self._may(_address(scope)):
            return "many"
        if not is_own(headers.get("host", ""), self._names):
            return "host"
        origin = headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2] != headers["host"]
        foreign = foreign or headers.get("sec-fetch-site", "") in ("cross-site", "same-site")
        return "site" if foreign and scope["method"] not in ("GET", "HEAD") else ""

    def _may(self, address: str) -> bool:
        """Take one of the requests that an address has left."""
        now = time.monotonic()
        if len(self._left) > MOST_ADDRESSES:
            self._left.clear()
        left, at = self._left.get(address, (BURST, now))
        left = min(BURST, left + (now - at) * PER_SECOND)
        self._left[address] = (max(0.0, left - 1), now)
        return left >= 1


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request.

    Raises:
        RequestRefusedError: it is longer than *most*.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise RequestRefusedError("long")
    return body
