"""The same five in our tree: the file where docs/how-to/extend.md says, the line in its table."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.plugin_package import (
    ROOT,
    TIMEOUT_S,
    compile_catalogue,
    configure,
    environment,
    files,
    text,
)

ROW = re.compile(
    r"^\| ([\w ]+) \| `([^`]+)` \| (?:`(.+,)` in `([^`]+)`|none: .*) \|$", re.MULTILINE
)


@pytest.fixture
def tree(tmp_path):
    """A copy of the tree; what is not touched is the tree's own."""
    copy = tmp_path / "tree"
    leave = shutil.ignore_patterns("__pycache__")
    for room in ("engine", "display", "device"):
        shutil.copytree(ROOT / room, copy / room, ignore=leave)
    (copy / "vision").symlink_to(ROOT / "vision", target_is_directory=True)
    return copy


def put(tree, what, path, line, table):
    """Put the page's file into the tree, and its line at the head of its table."""
    held = {Path(name).name: source for name, source in files().items()}
    target = tree / path
    target.parent.mkdir(parents=True, exist_ok=True)
    assert not target.exists(), f"{what}: {path} is there already"
    target.write_text(held[target.name], encoding="utf-8")
    if target.suffix == ".po":
        compile_catalogue(target)
    if line:
        module = tree / table
        source, count = re.subn(
            r"^(_BUILTIN\b[^=]*= \{)", rf"\1\n    {line}\n", module.read_text("utf-8"), flags=re.M
        )
        assert count == 1, f"{table} has its table"
        module.write_text(source, encoding="utf-8")


def test_a_file_and_a_line_in_our_tree_do_the_same(tree, tmp_path):
    rows = ROW.findall(text("docs/how-to/extend.md"))
    assert [row[0] for row in rows] == ["game", "theme", "language", "camera", "button box"]
    for row in rows:
        put(tree, *row)
    env = environment(tmp_path, tmp_path) | {"PYTHONPATH": str(tree)}

    def boneace(*words):
        done = subprocess.run(
            [sys.executable, "-m", "device.cli", *words], capture_output=True, text=True,
            env=env, cwd=tmp_path, check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    configure(
        tmp_path,
        '[game]\nname = "schwimmen"\n[display]\ntheme = "midnight"\nlanguage = "it"\n'
        '[camera]\nspec = "phone:http://127.0.0.1/shot.jpg"\n[panel]\nbackend = "serial"\n',
    )
    assert "can be used" in boneace("config", "check")
    assert "additions: none" in boneace("doctor", "additions"), "they are ours now"
    assert "Schwimmen: boneace rules schwimmen" in boneace("rules")
    page = boneace("config", "--explain").replace("\n# ", " ")
    for name in ("schwimmen", "midnight", "it", "phone", "serial"):
        assert re.search(rf"\b{name}\b", page), name
