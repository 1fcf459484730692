"""Writes the reference pages from the program itself: python -m tests.support.reference_pages."""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from device.cli import COMMANDS
from device.commands import rules
from device.web.guard import PROBLEMS
from display.i18n.languages import languages
from display.i18n.translate import Translator
from engine.core.cards import Card
from engine.core.messages.prompt import PromptKind
from engine.core.views import View
from engine.games import catalog
from engine.games.knucklebones.bank_odds import bank_odds
from engine.games.knucklebones.odds import BoneGame
from tests.support.paths import ROOT

FOLDER = ROOT / "docs" / "reference"


def commands_page() -> str:
    """Return the page of all commands with their arguments."""
    lines = [
        "# Commands",
        "",
        "Made by `make reference` from the program; a test compares the two. Every command takes",
        "`--config FILE` and `--help`. `boneace --version` says which version this is;",
        "`boneace --verbose COMMAND` tells more on standard error. Exit status: 0 done, 1 failed,",
        "2 wrongly used; 130 stopped by Ctrl-C, 141 where the reader of the output has gone",
        "(`boneace ledger | head -1`).",
    ]
    for name, summary in COMMANDS.items():
        parser = argparse.ArgumentParser(add_help=False)
        importlib.import_module(f"device.commands.{name}").add_arguments(parser)
        lines += ["", f"## boneace {name}", "", f"{summary[:1].upper()}{summary[1:]}.", ""]
        lines += _arguments(parser, "")
        if parser.epilog:
            lines += ["", _examples(parser.epilog)]
    return "\n".join(lines) + "\n"


def _examples(epilog: str) -> str:
    """Return the examples at the end of a command's help, each of them as code."""
    return re.sub(r"(.+?)(, (?:or|then): |$)", r"`\1`\2", epilog.removeprefix("Example: "))


def _arguments(parser: argparse.ArgumentParser, indent: str) -> list[str]:
    lines = []
    for action in parser._actions:
        if action.help is argparse.SUPPRESS:
            continue
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                lines.append(f"{indent}- `{name}`: {sub.description or ''}".rstrip(": "))
                lines += _arguments(sub, indent + "  ")
            continue
        if isinstance(action, argparse._HelpAction):
            continue
        value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
        if isinstance(value, tuple):
            value = " ".join(value)
        if action.choices:
            value = "{" + ",".join(map(str, action.choices)) + "}"
        names = [f"{each} {value}".strip() for each in action.option_strings] or [str(value)]
        told = (action.help or "").replace("%%", "%")
        lines.append(f"{indent}- `{', '.join(names)}`{': ' if told else ''}{told}")
    return lines


def config_page() -> str:
    """Return the page of all settings with their defaults."""
    with tempfile.TemporaryDirectory() as home:  # nobody's own settings
        told = subprocess.run(
            [sys.executable, "-m", "device.cli", "config", "--explain"],
            cwd=ROOT,
            env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return (
        "# Settings\n\nMade by `make reference` from the program; a test compares the two.\n"
        "The settings are one TOML file, `/etc/boneace/config.toml` for the installed table and\n"
        "`~/.config/boneace/config.toml` for your own. Every key has a default.\n"
        f"\n```toml\n{told.strip()}\n```\n"
    )


def rules_page() -> str:
    """Return the page of all rules: the first preset of each game, and how the others differ."""
    lines = [
        "# Rules as the table tells them",
        "",
        "Made by `make reference` from `boneace rules --ids`; a test compares the two. The",
        "first preset of a game stands here in full. The others are told by what is not so (`-`)",
        "and what stands there instead (`+`).",
    ]
    english = Translator.of("en")
    for game in catalog.all_games():
        full = rules.page(game, game.presets[0], {}, english, with_ids=True)
        lines += ["", f"## {english(game.title)}", "", "```text", *full, "```"]
        pages = [
            list(rules.page(game, each, {}, english, with_ids=True, with_others=False))
            for each in game.presets
        ]
        for page in pages[1:]:
            found = difflib.ndiff([line for line in pages[0][1:] if line], page[1:])
            changed = [each.rstrip() for each in found if each[0] in "-+" and each[2:].strip()]
            told = ["```diff", *changed, "```"] if changed else ["The same."]
            lines += ["", f"### {page[0]}", "", *told]
    return "\n".join(lines) + "\n"


TARGETS = {21: "21", 31: "31"}
EXTRAS = {"single_decision": "one decision on the extra bones", "one_at_a_time": "bone by bone"}
TIES = {"banker": "ties go to the bank", "push": "a tie moves nothing"}
BANKERS = {"free": "a free banker", "stand17": "a banker bound to stand on 17"}
PASSES = {
    "best_winner": "to the best winner",
    "left": "to the left",
    "banker_over": "only when over",
    "never": "never",
}
"""How the bank passes; by ``left`` and ``never`` both sides play as in one round."""


def bank_page() -> str:
    """Return the page of what the bank is worth, for each combination of customs."""
    lines = [
        "# What the bank is worth",
        "",
        "Made by `make reference` from `engine.games.knucklebones.bank_odds`, which has each",
        "figure as an exact fraction; a test compares the two. One player against the bank in",
        "One-and-Twenty, one token staked, five bones and up to five more, faces 10, 40, 40 and",
        "10 of a hundred. Both sides play their best: the banker answers what the player has",
        "made, and the player counts on it. Who has the bank next counts too, for an endless",
        "evening. [Chances](../why/odds.md) says how.",
        "",
        "*Over*: chance of a final total over the target; the bank's is of the rounds in which it",
        "throws. *Paid*: the player is. *Edge*: tokens that the bank expects of a round.",
        "*Passes*: the chance that the bank passes after a round. *Worth*: tokens that holding the",
        "bank now is worth; not holding it is worth as much less than nothing.",
    ]
    for values in product(TARGETS, EXTRAS, TIES, BANKERS):
        game = BoneGame(**dict(zip(_CUSTOMS, values, strict=True)))
        words = zip((TARGETS, EXTRAS, TIES, BANKERS), values, strict=True)
        found = {name: bank_odds(game, name) for name in PASSES}
        lines += ["", f"## {', '.join(told[value] for told, value in words)}", ""]
        lines += [
            f"`{' '.join(f'{n}={v}' for n, v in zip(_CUSTOMS, values, strict=True))}`",
            "",
            "| the bank passes | player over | bank over | paid | tie | edge | passes | worth |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for name, one in found.items():
            over = one.player.at(game.bust), one.banker.at(game.bust)
            figures = (*over, one.win, one.tie, one.edge, one.passes, one.worth)
            lines.append(f"| {PASSES[name]} (`{name}`) | {' | '.join(map(_figure, figures))} |")
        lines += [
            "",
            "| final total | player: `left`, `never` | bank | player: `best_winner` | bank",
        ]
        lines[-1] += " | player: `banker_over` | bank |"
        lines.append("|---:|---:|---:|---:|---:|---:|---:|")
        styles = [found[name] for name in ("left", "best_winner", "banker_over")]
        sides = [side for one in styles for side in (one.player, one.banker)]
        for total in sorted({total for side in sides for total, _ in side.chances}):
            cells = (_figure(side.at(total)) for side in sides)
            lines.append(f"| {'over' if total == game.bust else total} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


_LEAST = Fraction(1, 10**6)
_CUSTOMS = ("target", "extra_mode", "tie", "banker_rule")


def _figure(value: Fraction | None) -> str:
    if value is None:
        return "-"
    return f"{float(value):.6f}" if not value or abs(value) >= _LEAST else "< 0.000001"


def web_schema() -> str:
    """Return the JSON Schema of what the web interface answers; views are those of the engine."""
    text, number, whole = {"type": "string"}, {"type": "number"}, {"type": "integer"}
    texts = {
        "type": "object",
        "properties": {name: text for name in languages()},
        "required": list(languages()),
    }
    lists = {"type": "object", "additionalProperties": _list(text)}
    keys = _list(_object(button=text, text=texts))
    asked = {"id": whole, "title": texts, "keys": keys}
    prompt = _object(
        **asked,
        kind={"enum": [kind.value for kind in PromptKind]},
        **{name: texts for name in ("detail", "hint", "refused")},
        choices=_list(texts),
        cards=_list(CARD),
        selected=whole,
        entered={"type": "boolean"},
        stakes=_list(whole),
        whose=_or_null(whole),
    )
    page = _object(**asked, note=texts, rows=_list(texts), focus=whole, asks=_list(whole))
    state = _object(
        at=number,
        language=text,
        sitting=_or_null(whole),
        number=_or_null(whole),
        view=_or_null({"$ref": "#/$defs/View"}),
        prompt=_or_null(prompt),
        page=_or_null(page),
        options={"type": "object"},
        phones=_list(whole),
        host={"type": "boolean"},
    )
    # The view of one player, for who has asked with the seat's secret.
    state["properties"]["own"] = _or_null({"$ref": "#/$defs/View"})
    event = _object(
        sitting=whole,
        number=whole,
        previous=_or_null(_list(whole)),
        at=number,
        started=number,
        worth=_or_null(_object(minor=whole, currency=text, digits=whole)),
        what=text,
        assumed={"type": "boolean"},
        texts=lists,
        game=text,
        preset=text,
        hand=whole,
        players=_list(_object(seat=whole, name=text, tokens=whole)),
        result=_or_null({"$ref": "#/$defs/ResultView"}),
    )
    said = {name: {"type": "boolean"} if name == "ok" else text for name in ("ok", "token")}
    problem = {"enum": sorted(PROBLEMS)}
    answer = {
        "type": "object",
        "properties": {**said, "problem": problem, "text": text},
        "required": ["ok"],
        "additionalProperties": False,
    }
    views: dict[str, object] = {}
    _of(View, views)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "boneace web interface",
        "description": "GET /api/state, events and states of GET /api/events, and the answers to "
        "POST; docs/reference/web.md.",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in ("state", "event", "answer")],
        "$defs": {"state": state, "event": event, "answer": answer, **views},
    }
    return json.dumps(schema, indent=1) + "\n"


CARD = {"type": "string", "pattern": "^[A23456789TJQK][SHDC]$"}


def _object(**properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


def _or_null(kind: object) -> dict[str, object]:
    return {"anyOf": [kind, {"type": "null"}]}


def _of(kind: Any, found: dict[str, object]) -> object:
    """Return the schema of a type of the engine's views; objects go into *found*."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return _or_null(_of(inner[0], found))
    if get_origin(kind) is Literal:
        return {"enum": list(inner)}
    if get_origin(kind) is tuple:
        if inner[1:] == (...,):
            return _list(_of(inner[0], found))
        return {"type": "array", "prefixItems": [_of(each, found) for each in inner]}
    if kind is Card:
        return CARD
    if isinstance(kind, type) and is_dataclass(kind):
        if kind.__name__ not in found:
            found[kind.__name__] = {}
            hints = get_type_hints(kind)
            parts = {each.name: _of(hints[each.name], found) for each in fields(kind)}
            found[kind.__name__] = _object(**parts)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [each.value for each in kind]}
    return {"type": {bool: "boolean", int: "integer", float: "number", str: "string"}[kind]}


PAGES = {
    "bank.md": bank_page,
    "commands.md": commands_page,
    "config.md": config_page,
    "rules.md": rules_page,
    "web.schema.json": web_schema,
}


def write(folder: Path = FOLDER) -> None:
    """Write every page."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (folder / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    write()
