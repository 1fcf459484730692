"""``boneace hall``: all tables of a hall on one page, and their ranking."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

import uvicorn

from device.config.model import Config, load
from device.data_out import write_csv
from device.hall.listener import Hall
from device.hall.pages import COLUMNS, make_app, ranking_rows
from device.hall.store import Store
from device.usage import UsageError

DAY_S = 86_400.0


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
    with Store(config.hall.store) as store:
        if args.csv:
            write_csv(COLUMNS, ranking_rows(store.ranking(args.evening)))
            return 0
        if args.evening:
            raise UsageError("--evening: add --csv; the pages have a link for each evening")
        if not config.hall.broker:
            raise UsageError('no broker is named; write [hall] and below it broker = "HOST"')
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        asyncio.run(_serve(config, store))
    return 0


async def _serve(config: Config, store: Store) -> None:
    hall = Hall(config.hall, store)
    app = make_app(hall, store, config.hall.host, config.display.theme)
    settings = uvicorn.Config(
        app,
        host=config.hall.host,
        port=config.hall.page_port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=20,
        limit_concurrency=500,
        h11_max_incomplete_event_size=16 * 1024,
    )
    server = uvicorn.Server(settings)
    print(f"http://{config.hall.host}:{config.hall.page_port}/", file=sys.stderr)
    async with asyncio.TaskGroup() as tasks:
        listening = tasks.create_task(hall.run())
        forgetting = tasks.create_task(_forget(store, config.privacy.keep_days))
        await server.serve()  # it ends by SIGINT or SIGTERM
        listening.cancel()
        forgetting.cancel()


async def _forget(store: Store, keep_days: int) -> None:
    while True:
        if keep_days > 0:
            store.forget_old(keep_days)
        await asyncio.sleep(DAY_S)
