"""``boneace rules [GAME]``: one page of rules with the options in force."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping

from device.commands.common import add_language, add_set_argument, language_of, say_doubt
from display.i18n.translate import Translator
from engine.core.messages.message import N_, Message
from engine.core.options import OneOf, OptionInfo, Preset, describe, parse_changes
from engine.games import catalog
from engine.games.agreed import Agreement, agreements, changed
from engine.games.base import Game
from engine.games.sources import first_named, named_in

WIDTH = 88
"""Columns of a page, for a terminal of the usual size and for paper."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace rules bone-ace --preset cotton --set stake=2"
    parser.add_argument("game", nargs="?", metavar="GAME", help="without it: which games there are")
    parser.add_argument("--preset", metavar="P", help="whose rules; default: the game's first")
    add_set_argument(parser)
    parser.add_argument("--ids", action="store_true", help="name the rules of the rule book")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print the page, or the games there are."""
    words = Translator.of(language_of(args))
    if args.game is None:
        lines = index(words)
    else:
        game, preset = catalog.choose(args.game, args.preset)
        say_doubt(args.game)
        changes = parse_changes(game.options_type, args.set)
        lines = page(game, preset, changes, words, with_ids=args.ids)
    print(*lines, sep="\n")
    return 0


def index(words: Translator) -> Iterator[str]:
    """Yield the games and their presets."""
    for game in catalog.all_games():
        yield f"{words(game.title)}: boneace rules {game.name}"
        for preset in game.presets:
            yield f"    --preset {preset.name:<22} {words(first_named(preset.source))}"


def page(
    game: Game,
    preset: Preset,
    changes: Mapping[str, object],
    words: Translator,
    *,
    with_ids: bool = False,
    with_others: bool = True,
) -> Iterator[str]:
    """Yield the lines of the page; *with_others* also what other values of its options would say.

    Raises:
        OptionError: an option that the game does not have, or a value it does not allow.
    """
    options = catalog.make_options(game, preset, changes)
    n = len(changed(game, preset, options))
    rules = Message(
        "{preset}, {n} rule changed", "{preset}, {n} rules changed", n, preset=preset.name, n=n
    )
    named = words.render(rules) if n else preset.name
    yield f"{words(game.title)}, {named} ({preset.source})"
    names = [name for name in preset.names or game.aliases if name != words(game.title)]
    if names:
        also = words(N_("Also called: {names}")).format(names=", ".join(names))
        yield from textwrap.wrap(also, WIDTH)
    if preset.says:
        says = words(preset.says)
        if n:
            says = words(N_("Before the changes: {text}")).format(text=says)
        yield from textwrap.wrap(says, WIDTH)
    for section in (*game.rules(options), *game.background(options)):
        yield ""
        yield words(section.heading).upper()
        for rule in section.rules:
            text = words(rule.text).format(**rule.values)
            ids = f" [{' '.join(rule.ids)}]" if with_ids else ""
            yield from textwrap.wrap(
                text + ids, WIDTH, initial_indent="  - ", subsequent_indent="    "
            )
    yield ""
    yield words(N_("Options in force")).upper()
    agreed = {each.name: each for each in agreements(game, preset, changes)}
    for info in describe(game.options_type):
        value = getattr(options, info.name)
        mark = "*" if value != info.default else " "
        line = f"  {mark} {info.name} = {_written(value)}"
        indent = " " * 37
        yield from textwrap.wrap(
            f"{line:<36} {_allowed(info, words)}", WIDTH, subsequent_indent=indent
        )
        yield from textwrap.wrap(
            words(info.source), WIDTH, initial_indent=indent, subsequent_indent=indent
        )
        if with_others and isinstance(info.choices, OneOf) and info.name in agreed:
            yield from _otherwise(agreed[info.name], words, indent)
    yield "  (*: " + words(N_("not the default")) + ")"
    told = [preset.source, *(info.source for info in describe(game.options_type))]
    sources = named_in(told)
    if sources:
        yield ""
        yield words(N_("Sources")).upper()
    for mark, name in sources.items():
        yield f"    {mark:<4}{words(name)}"


def _otherwise(option: Agreement, words: Translator, indent: str) -> Iterator[str]:
    """Yield the sentences that each other value of *option* would put on the page."""
    for value, rules in option.rules.items():
        if value != option.value and rules:
            told = " ".join(words(rule.text).format(**rule.values) for rule in rules)
            line = f"{option.name}={_written(value)}: {told}"
            yield from textwrap.wrap(
                line, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  "
            )


def _written(value: object) -> str:
    """Return a value as it is written after ``--set``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _allowed(info: OptionInfo, words: Translator) -> str:
    """Return the values that an option can have, and which is its default."""
    usual = _written(info.default)
    if isinstance(info.choices, OneOf):
        marked = words(N_("{value} (default)")).format(value=usual)
        values = map(_written, info.choices.values)
        return ", ".join(marked if value == usual else value for value in values)
    least, most = info.choices.least, info.choices.most
    if most is None:
        return words(N_("from {least}; default: {value}")).format(least=least, value=usual)
    ends = N_("{least} to {most}; default: {value}")
    return words(ends).format(least=least, most=most, value=usual)
