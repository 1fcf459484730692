"""The pages on adding something, taken at their word: their code blocks are the files.

A file stands in a page as its path alone on a line, and below it a block. The package that
docs/how-to/extend.md describes is laid out as `pip install` would: the files, and the metadata of
its `pyproject.toml`.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

from babel.messages.frontend import CommandLineInterface

from tests.support.paths import ROOT

PAGES = (
    "docs/how-to/extend.md",
    "docs/how-to/add-a-game.md",
    "docs/how-to/add-a-theme.md",
    "docs/how-to/languages.md",
    "docs/how-to/add-a-camera.md",
    "docs/how-to/add-a-button-box.md",
)

TIMEOUT_S = 120
"""For a machine that has much else to do; each run takes seconds."""

_FILE = re.compile(r"^`([\w./-]+)`\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text(page: str) -> str:
    """Return a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def files() -> dict[str, str]:
    """Return every file that the pages hold, by its path."""
    return {path: held for page in PAGES for path, held in _FILE.findall(text(page))}


def lines() -> dict[str, dict[str, str]]:
    """Return the lines that register them: group, name and ``module:object``."""
    entries = tomllib.loads(files()["pyproject.toml"])["project"]["entry-points"]
    return {group: dict(named) for group, named in entries.items()}


def install(site: Path, *paths: str, name: str = "my-table") -> Path:
    """Lay those files of the pages, and the lines that register them, into the folder *site*."""
    held = files()
    modules = []
    for path in paths:
        file = site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(held[path], encoding="utf-8")
        if file.suffix == ".po":
            compile_catalogue(file)
        modules.append(path.removesuffix("/boneace.po").removesuffix(".py").replace("/", "."))
    wanted = []
    for group, named in lines().items():
        for each, place in named.items():
            if place.partition(":")[0] in modules:
                wanted += [f"[{group}]", f"{each} = {place}"]
    assert len(wanted) == 2 * len(paths), "each file has its line"
    register(site, "\n".join(wanted), name)
    return site


def compile_catalogue(path: Path) -> None:
    """Compile a catalogue as docs/how-to/languages.md says."""
    (line,) = re.findall(r"`(pybabel compile .*)`", text("docs/how-to/languages.md"))
    words = [str(path.with_suffix(each[-3:])) if "/" in each else each for each in line.split()[1:]]
    CommandLineInterface().run(["pybabel", *words])


def register(site: Path, entries: str, name: str = "my-table") -> None:
    """Write what pip keeps of a package: its name, and its entry points."""
    kept = site / f"{name.replace('-', '_')}-1.dist-info"
    kept.mkdir(parents=True, exist_ok=True)
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
    (kept / "METADATA").write_text(head, encoding="utf-8")
    (kept / "entry_points.txt").write_text(entries + "\n", encoding="utf-8")


def environment(site: Path, home: Path) -> dict[str, str]:
    """Return the environment of a table with what lies in *site*, and a home of its own."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(site))),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "LANG": "C.UTF-8",
    }


def configure(home: Path, config: str) -> None:
    """Write the config of that home."""
    path = home / "config" / "boneace" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config, encoding="utf-8")
