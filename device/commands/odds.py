"""``boneace odds GAME``: what each seat and the deal are worth, and the chances of each total."""

from __future__ import annotations

import argparse
import csv
import json
import pkgutil
import random
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, zip_longest
from typing import Any

from device.commands.common import add_language, add_set_argument, language_of, say_doubt
from device.commands.rules import WIDTH
from device.usage import UsageError
from display.i18n.translate import Translator
from engine.bots import is_played
from engine.core.errors import BoneAceError
from engine.core.messages.message import Message
from engine.core.options import Preset, parse_changes
from engine.games import catalog
from engine.games.agreed import changed
from engine.games.base import Game
from engine.games.chances import Chances, ChanceTable
from engine.worth import words as said
from engine.worth.seats import Playing, SeatWorths, exactly, from_table

SECONDS = 20.0
"""How long hands are played where there is no table and no count."""
COLUMNS = ("about", "players", "of", "figure", "value", "within", "hands")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about.

    Attributes:
        options: those in force.
        changes: what is laid over the preset.
        as_written: the options are those of the preset.
    """

    game: Game
    preset: Preset
    options: Any
    changes: Mapping[str, object]
    as_written: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace odds bone-ace --preset cotton --players 5"
    parser.add_argument("game", metavar="GAME", help="as boneace rules takes it")
    parser.add_argument("--preset", metavar="P", help="whose rules; default: the game's first")
    add_set_argument(parser)
    parser.add_argument(
        "--players", type=int, metavar="N", help="default: two, four and the most of the game"
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=SECONDS,
        metavar="S",
        help="how long hands are played where no table has the figures; default: 20",
    )
    parser.add_argument(
        "--hands", type=_hands, metavar="N", help="stop after so many hands, to repeat it exactly"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="shuffles; default: 1")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="a line for each figure")
    form.add_argument("--json", action="store_true", help="all figures, with exact fractions")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print what the seats are worth, and the chances of the game."""
    try:
        asked = _asked(args)
    except BoneAceError as problem:
        raise UsageError(str(problem)) from problem
    say_doubt(args.game)
    worths = [_worth(asked, players, args) for players in _sizes(asked, args.players)]
    chances: Chances = pkgutil.resolve_name(asked.game.chances)()
    tables = chances.tables(asked.options)
    if args.json:
        print(json.dumps(as_json(asked, worths, tables), indent=1))
    elif args.csv:
        write = csv.writer(sys.stdout, lineterminator="\n").writerow
        write(COLUMNS)
        for line in as_lines(asked, worths, tables):
            write(line)
    else:
        print(*page(asked, worths, tables, Translator.of(language_of(args))), sep="\n")
    return 0


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 86_400:
        raise ValueError
    return seconds


_seconds.__name__ = "number of seconds"


def _hands(text: str) -> int:
    hands = int(text)
    if hands < 1:
        raise ValueError
    return hands


_hands.__name__ = "number of hands"


def _asked(args: argparse.Namespace) -> Asked:
    game, preset = catalog.choose(args.game, args.preset)
    changes = parse_changes(game.options_type, args.set)
    options = catalog.make_options(game, preset, changes)
    players, most = args.players, int(options.max_players)
    if players is not None and not game.min_players <= players <= most:
        raise UsageError(f"--players: {game.title} is for {game.min_players} to {most} players")
    return Asked(game, preset, options, changes, not changed(game, preset, options))


def _sizes(asked: Asked, players: int | None) -> list[int]:
    """Return for how many players the seats are told; none where nobody plays the game."""
    if not is_played(asked.game.name):
        return []
    if players is not None:
        return [players]
    least, most = asked.game.min_players, int(asked.options.max_players)
    return sorted({max(least, min(number, most)) for number in (2, 4, most)})


def _worth(asked: Asked, players: int, args: argparse.Namespace) -> SeatWorths:
    """Return what the seats are worth: from the table, counted, or by hands played now."""
    game, preset = asked.game, asked.preset.name
    found = from_table(game.name, preset, players) if asked.as_written else None
    found = found or exactly(game, asked.options, players)
    if found is not None:
        return found
    long = f"{args.hands} hands" if args.hands else f"{args.seconds:g} seconds"
    print(f"{players} players: playing for {long} …", file=sys.stderr, flush=True)
    playing = Playing(game, preset, asked.changes, players)
    rng, start = random.Random(args.seed), time.monotonic()
    told = start
    while not args.hands or playing.hands < args.hands:
        now = time.monotonic()
        if not args.hands and now - start >= args.seconds:
            break
        if now - told >= 5:
            told = now
            print(f"{players} players: {playing.hands} hands", file=sys.stderr, flush=True)
        playing.play(rng)
    return playing.worths(rng)


# --- as text ------------------------------------------------------------------------------------


def page(
    asked: Asked, worths: Sequence[SeatWorths], tables: Sequence[ChanceTable], words: Translator
) -> Iterator[str]:
    """Yield the lines for people."""
    game, preset = asked.game, asked.preset
    yield f"{words(game.title)}, {preset.name} ({preset.source})"
    yield ""
    yield words.render(said.HEADING).upper()
    if worths:
        yield from _seats(asked.game, worths, words)
    else:
        nobody = Message("No simulated player here can play {game}.", game=Message(game.title))
        yield "  " + words.render(nobody)
    for table in tables:
        yield ""
        yield f"{words.render(table.title)} ({words.render(Message('of 100'))})".upper()
        head = [words.render(table.first), *map(words.render, table.columns)]
        # Of a long table the rows before the first chance say nothing; the data have them.
        told = dropwhile(lambda row: not any(row[1]), table.rows) if table.shown else table.rows
        rows = [
            [words.render(what), *(words.render(said.of_100(chance)) for chance in chances)]
            for what, chances in told
        ]
        yield from _columns([head, *rows])
        yield from _wrapped(words.render(table.note))


def _seats(game: Game, worths: Sequence[SeatWorths], words: Translator) -> Iterator[str]:
    most = max(worths, key=lambda each: len(each.seats))
    names = [words.render(name) for name in said.seat_names(game, len(most.seats))]
    deal = said.deal_name(game)
    unit = words.render(said.UNITS[most.unit])
    columns = [[unit, *names, words.render(deal), words.render(Message("hands played"))]]
    for each in worths:
        *seats, extra = map(words.render, said.figures(each))
        *others, dealer = seats
        gap = [""] * (len(names) - len(seats))
        played = words.render(said.EXACT) if each.exact else str(each.hands)
        head = words.render(Message("{n} players", n=len(seats)))
        columns.append([head, *others, *gap, dealer, extra, played])
    yield from _columns(list(zip_longest(*columns, fillvalue="")))
    yield from _wrapped(words.render(said.EVERYBODY))
    more = Message("{deal}: how much more that is than the mean of the others.", deal=deal)
    yield from _wrapped(words.render(more))
    if not all(each.exact for each in worths):
        yield from _wrapped(words.render(Message("±: 95 times of 100 the truth lies so near.")))


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield f"  {first:<{widths[0]}}  {'  '.join(cells)}".rstrip()


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


# --- as data ------------------------------------------------------------------------------------


def as_lines(
    asked: Asked, worths: Sequence[SeatWorths], tables: Sequence[ChanceTable]
) -> Iterator[tuple[object, ...]]:
    """Yield a line for each figure, in the order of ``COLUMNS``; chances are parts of 1."""
    for each in worths:
        players, unit, hands = len(each.seats), str(said.UNITS[each.unit]), each.hands
        names = (*said.seat_names(asked.game, players), said.deal_name(asked.game))
        for name, worth in zip(names, (*each.seats, each.deal), strict=True):
            yield "seat", players, name, unit, worth.mean, worth.within, hands
    for table in tables:
        for what, chances in table.rows:
            for column, chance in zip(table.columns, chances, strict=True):
                if chance is not None:
                    yield table.title, "", what, column, float(chance), 0, ""


def as_json(
    asked: Asked, worths: Sequence[SeatWorths], tables: Sequence[ChanceTable]
) -> dict[str, object]:
    """Return all of it as data; chances are parts of 1, those that are counted fractions too."""
    return {
        "game": asked.game.name,
        "preset": asked.preset.name,
        "changes": dict(asked.changes),
        "played": is_played(asked.game.name),
        "seats": [_seats_as_json(asked.game, each) for each in worths],
        "chances": [
            {
                "about": str(table.title),
                "note": str(table.note),
                "rows": [
                    {
                        str(table.first): what if isinstance(what, int) else str(what),
                        "chances": {
                            str(column): {"exact": str(chance), "value": float(chance)}
                            for column, chance in zip(table.columns, chances, strict=True)
                            if chance is not None
                        },
                    }
                    for what, chances in table.rows
                ],
            }
            for table in tables
        ],
    }


def _seats_as_json(game: Game, worths: SeatWorths) -> dict[str, object]:
    players = len(worths.seats)
    names = (*said.seat_names(game, players), said.deal_name(game))
    return {
        "players": players,
        "counts": str(worths.unit),
        "exact": worths.exact,
        "hands": worths.hands,
        "worth": {
            str(name): {"mean": worth.mean, "within": worth.within}
            for name, worth in zip(names, (*worths.seats, worths.deal), strict=True)
        },
    }
