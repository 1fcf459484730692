"""Writes the reference pages from the program itself: python -m tests.support.reference_pages."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from device.cli import COMMANDS
from device.commands import rules
from display.i18n.translate import Translator
from engine.games import catalog
from tests.support.paths import ROOT

FOLDER = ROOT / "docs" / "reference"


def commands_page() -> str:
    """Return the page of all commands with their arguments."""
    lines = [
        "# Commands",
        "",
        "Made by `make reference` from the program; a test compares the two. Every command takes",
        "`--config FILE` and `--help`. Exit status: 0 done, 1 failed, 2 wrongly used; 130 stopped "
        "by Ctrl-C, 141 where the reader of the output has gone (`boneace ledger | head -1`).",
    ]
    for name, summary in COMMANDS.items():
        parser = argparse.ArgumentParser(add_help=False)
        importlib.import_module(f"device.commands.{name}").add_arguments(parser)
        lines += ["", f"## boneace {name}", "", f"{summary[:1].upper()}{summary[1:]}.", ""]
        lines += _arguments(parser, "")
        if parser.epilog:
            lines += ["", *(f"`{line.strip()}`" for line in _example(parser.epilog))]
    return "\n".join(lines) + "\n"


def _example(epilog: str) -> list[str]:
    return [line for line in epilog.replace("Example:", "").splitlines() if line.strip()]


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
        pages = [list(rules.page(game, each, {}, english, with_ids=True)) for each in game.presets]
        lines += ["", f"## {english(game.title)}", "", "```text", *pages[0], "```"]
        for page in pages[1:]:
            found = difflib.ndiff([line for line in pages[0][1:] if line], page[1:])
            changed = [each.rstrip() for each in found if each[0] in "-+" and each[2:].strip()]
            told = ["```diff", *changed, "```"] if changed else ["The same."]
            lines += ["", f"### {page[0]}", "", *told]
    return "\n".join(lines) + "\n"


PAGES = {"commands.md": commands_page, "config.md": config_page, "rules.md": rules_page}


def write(folder: Path = FOLDER) -> None:
    """Write every page."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (folder / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    write()
