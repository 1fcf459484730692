"""A small table that tells its feed: its journal is a list, and it has no screen."""

import asyncio
import contextlib
import json

LANGUAGES = ("en", "de", "es", "fr", "nl")


def in_all(text):
    return {language: text for language in LANGUAGES}


class FakeTable:
    """Speaks the lines of docs/reference/feed.md; what happened is a list."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        self.events, self.asked, self.view = [], [], None
        self.begun = None  # a sitting of which nothing is on disk yet
        self.answers_with_most = True
        self._server, self._writers = None, set()
        self._clock = 1_764_000_000.0

    async def open(self):
        self._server = await asyncio.start_unix_server(self._meet, self.path)
        return self

    async def close(self):
        self._server.close()
        for writer in tuple(self._writers):
            writer.close()
        self._server = None
        await asyncio.sleep(0)

    def add(self, sitting, what="stick", tokens=(1, -1), *, hand=1, result=None, **more):
        """Let an event happen: it is on disk, and told to all who listen."""
        number = sum(event["sitting"] == sitting for event in self.events)
        last = self.events[-1] if self.events else None
        self._clock += 1
        self.begun = None
        self.events.append(
            {
                "sitting": sitting,
                "number": number,
                "previous": last and [last["sitting"], last["number"]],
                "at": self._clock,
                "what": what,
                "assumed": False,
                "texts": in_all([f"{what} {number}."]),
                "started": 1_764_000_000.0,
                "worth": None,
                "game": "bone-ace",
                "preset": "willughby",
                "hand": hand,
                "players": [
                    {"seat": seat, "name": name, "tokens": count}
                    for seat, (name, count) in enumerate(zip(("Ann", "Bess"), tokens, strict=True))
                ],
                "result": result,
                **more,
            }
        )
        self._tell("event", **self.events[-1])
        self._tell("state", **self.state())

    def state(self):
        last = self.events[-1] if self.events else {"sitting": None, "number": None}
        if self.begun is not None:
            last = {"sitting": self.begun, "number": -1}
        title = in_all("Ann: stick, or have it?")
        return {
            "at": self._clock,
            "sitting": last["sitting"],
            "number": last["number"],
            "view": self.view,
            "prompt": self.view
            and {
                "kind": "turn",
                "title": title,
                "detail": {},
                "hint": {},
                "refused": {},
            },
            "page": None,
            "phones": [0],
            "own": {"0": {"secret": "SEEN-BY-ONE"}},
        }

    def _tell(self, kind, **body):
        for writer in tuple(self._writers):
            self._send(writer, kind, **body)

    def _send(self, writer, kind, **body):
        with contextlib.suppress(OSError):
            writer.write(json.dumps({"kind": kind, **body}).encode() + b"\n")

    async def _meet(self, reader, writer):
        self._writers.add(writer)
        self._send(writer, "hello", v=1, table=self.name, program="0.2.0", language="en")
        self._send(writer, "state", **self.state())
        try:
            while data := await reader.readline():
                ask = json.loads(data)
                self.asked.append(ask)
                after = ask["after"] or [-1, -1]
                found = [e for e in self.events if [e["sitting"], e["number"]] > after]
                told = found[: ask["most"]] if self.answers_with_most else found
                for event in told:
                    self._send(writer, "event", **event)
                    await writer.drain()
                self._send(writer, "answer", to=ask["id"], ok=True, more=len(told) < len(found))
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.close()
