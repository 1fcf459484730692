"""``boneace publish``: what happens at this table, on to a broker for a hall."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
from pathlib import Path

from device.commands.common import check_broker
from device.config.model import load
from device.hall.publisher import Publisher


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace publish"
    parser.add_argument("--feed", type=Path, metavar="SOCKET", help="where the table tells it")


def run(args: argparse.Namespace) -> int:
    """Publish until stopped."""
    config = load()
    check_broker(config)
    with contextlib.suppress(asyncio.CancelledError):
        feed = args.feed or config.web.feed_of(config.journal.file, reads=True)
        asyncio.run(_publish(Publisher(config.hall, feed)))
    return 0


async def _publish(publisher: Publisher) -> None:
    """Publish until SIGTERM, which ends a service: the hall is told that the table has gone."""
    me = asyncio.current_task()
    assert me is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    await publisher.run()
