"""``boneace web``: the table's pages for phones, televisions and streams."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from device.commands.common import listen
from device.config.model import Config, load
from device.feed.codes import INSTALL, check_codes, seat_address
from device.feed.phones import FILE, LARGEST
from device.files import read_json, write_file
from device.usage import UsageError
from engine.core.errors import BoneAceError

_log = logging.getLogger(__name__)


class WebError(BoneAceError):
    """The pages cannot be served, or the codes of the seats cannot be had."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace web --qr seats.svg"
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--qr",
        nargs="?",
        const="-",
        metavar="FILE.svg",
        help="print the codes of the seats by which phones become buttons, or draw them",
    )
    what.add_argument(
        "--is-on", action="store_true", help="only tell by the exit status whether it is on"
    )


def run(args: argparse.Namespace) -> int:
    """Serve the pages until somebody ends it.

    Raises:
        BoneAceError: it is off, the extra is not installed, or the port is taken.
    """
    config = load()
    if args.is_on:
        return int(not config.web.enabled)
    check_codes()
    if args.qr is not None:
        _tell_codes(config, args.qr)
        return 0
    if not config.web.enabled:
        raise WebError("the table tells nobody anything; set enabled = true in [web] of the config")
    _serve(config)
    return 0


def _serve(config: Config) -> None:
    try:
        from device.web.app import Server, build
    except ModuleNotFoundError as problem:
        if (problem.name or "").split(".")[0] not in ("starlette", "uvicorn", "jinja2"):
            raise
        raise WebError(
            f"this needs {problem.name}, which is not installed; run: {INSTALL}"
        ) from problem
    web = config.web
    app = build(
        web.feed_of(config.journal.file, reads=True),
        web.address,
        config.display.language,
        config.display.theme,
    )
    with listen(web.host, web.port, "port in [web]") as pages:
        _log.info("the pages are at %s", web.address)
        Server(app).run([pages])


def _tell_codes(config: Config, name: str) -> None:
    """Print the codes of the seats, or draw them in the file *name*."""
    import segno

    path = config.journal.file.parent / FILE
    try:
        phones = read_json(path, LARGEST)
        codes = [
            (f"{int(seat) + 1}", seat_address(phones["url"], int(seat), secret))
            for seat, secret in phones["seats"].items()
        ]
    except FileNotFoundError as problem:
        raise WebError(f"{path}: no such file; begin a game first, with [web] enabled") from problem
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise WebError(f"{path}: cannot be read; begin a new game") from problem
    if name == "-":
        for seat, address in codes:
            print(f"Seat {seat}: {address}")
            segno.make(address, error="m", micro=False).terminal(compact=True)
        return
    if Path(name).suffix != ".svg":
        raise UsageError(f"{name}: is no name of a picture; end it with .svg")
    write_file(Path(name), _drawing(codes).encode())


def _drawing(codes: list[tuple[str, str]]) -> str:
    """Return all codes in one picture, each with its address below."""
    import segno

    size, parts = 80, []
    for number, (seat, address) in enumerate(codes):
        code = segno.make(address, error="m", micro=False)
        scale = 60 / code.symbol_size()[0]
        x, y = number % 4 * size, number // 4 * (size + 8)
        parts.append(
            f'<g transform="translate({x + 10} {y + 4})">'
            f"{code.svg_inline(scale=scale, omitsize=False)}"
            f'<text x="30" y="68" text-anchor="middle" font-size="5">{seat}</text>'
            f'<text x="30" y="75" text-anchor="middle" font-size="2.6">{address}</text></g>'
        )
    width, height = min(4, len(codes)) * size, (len(codes) + 3) // 4 * (size + 8)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}mm" height="{height}mm" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
