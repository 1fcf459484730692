"""``boneace hall``: all tables of a hall on one page, and their ranking."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ipaddress
import logging
import signal
import socket
import sys

from device.commands.common import check_broker, listen
from device.config.model import Config, load
from device.data_out import write_csv
from device.hall.listener import Hall
from device.hall.pages import COLUMNS, make_app, ranking_rows
from device.hall.store import HallFileError, Store, is_evening
from device.usage import UsageError
from device.web.app import Server

log = logging.getLogger(__name__)

DAY_S = 86_400.0
AGAIN_S = 3_600.0
"""After so long what could not be erased is tried again."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace hall, or: boneace hall --csv > ranking.csv"
    parser.add_argument(
        "--csv", action="store_true", help="print the ranking over all tables, and listen to none"
    )
    parser.add_argument(
        "--evening", metavar="DATE", default="", help="of one evening only: 2026-11-25; with --csv"
    )


def run(args: argparse.Namespace) -> int:
    """Listen and serve the pages until stopped, or print the ranking."""
    config = load()
    if args.evening and not is_evening(args.evening):
        raise UsageError(f"--evening: {args.evening!r} is no date; try 2026-11-25")
    if args.evening and not args.csv:
        raise UsageError("--evening: add --csv; the pages have a link for each evening")
    with Store(config.hall.store) as store:
        if args.csv:
            write_csv(COLUMNS, ranking_rows(store.ranking(args.evening)))
            return 0
        check_broker(config)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with listen(config.hall.host, config.hall.page_port, "page_port in [hall]") as pages:
            asyncio.run(_serve(config, store, pages))
    return 0


def addresses(host: str, port: int) -> list[str]:
    """Return the addresses of the pages, such as can be typed on another machine if it may ask."""
    try:
        is_any = not host or ipaddress.ip_address(host).is_unspecified
    except ValueError:  # a name
        is_any = False
    hosts = [f"[{host}]" if ":" in host else host]
    if is_any:
        hosts = [f"{socket.gethostname()}.local"]
        with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells the way out
            hosts.append(probe.getsockname()[0])
    return [f"http://{each}:{port}/" for each in hosts]


async def _serve(config: Config, store: Store, pages: socket.socket) -> None:
    hall = Hall(config.hall, store)
    app = make_app(hall, store, config.hall.host, config.display.theme)
    server = Server(app)
    print(" or ".join(addresses(config.hall.host, config.hall.page_port)), file=sys.stderr)
    async with asyncio.TaskGroup() as tasks:
        listening = tasks.create_task(hall.run())
        forgetting = tasks.create_task(_forget(store, config.privacy.keep_days))
        await server.serve([pages])  # it ends by SIGINT or SIGTERM
        listening.cancel()
        forgetting.cancel()


async def _forget(store: Store, keep_days: int) -> None:
    while True:
        pause_s = DAY_S
        if keep_days > 0:
            try:
                store.forget_old(keep_days)
            except HallFileError as problem:
                log.warning("old sittings are not erased: %s; it is tried again", problem)
                pause_s = AGAIN_S
        await asyncio.sleep(pause_s)
