"""Whatever somebody adds, the table runs; what cannot be used is told with its cure."""

from __future__ import annotations

import subprocess
import sys

import pytest

from device.diagnostics.plugins import REGISTRIES
from tests.support.plugin_package import (
    TIMEOUT_S,
    compile_catalogue,
    configure,
    environment,
    register,
)

CASES = {
    "not-there": ("boneace.games", "a = mine.nowhere:Game", "", "No module named 'mine.nowhere'"),
    "syntax": ("boneace.games", "a = mine.it:Game", "def (", "SyntaxError"),
    "exits": ("boneace.themes", "a = mine.it:A", "raise SystemExit('no')", "SystemExit: no"),
    "no-such-name": ("boneace.themes", "a = mine.it:A", "", "has no attribute 'A'"),
    "no-game": ("boneace.games", "a = mine.it:A", "A = 3", "3 is no subclass of engine.games"),
    "half-a-game": (
        "boneace.games", "a = mine.it:A",
        "from engine.games.base import Game\nclass A(Game):\n    name = 'a'",
        "abstract",
    ),
    "another-name": (
        "boneace.games", "a = mine.it:A",
        "from engine.games.scat.rules import Scat\nclass A(Scat):\n    name = 'b'",
        "it calls itself 'b'; give both the same name",
    ),
    "wrong-preset": (
        "boneace.games", "a = mine.it:A",
        "from engine.games.scat.rules import Scat\nfrom engine.core.options import Preset\n"
        "class A(Scat):\n    name = 'a'\n    presets = (Preset('x', 'y', {'deck': 7}),)",
        "deck",
    ),
    "no-colour": (
        "boneace.themes", "a = mine.it:A",
        "from display.drawing.theme import Theme\nA = Theme(felt=(0, 0, 256))",
        "felt: (0, 0, 256) is not red, green and blue, 0 to 255 each",
    ),
    "giant": (
        "boneace.themes", "a = mine.it:A",
        "from display.drawing.theme import Theme\nA = Theme(text=9)", "text: 9 is not from 1 to 2",
    ),
    "taken": ("boneace.themes", "felt = mine.it:A", "", "that name is taken"),
    "built-in-camera": (
        "boneace.cameras", "auto = mine.it:A", "A = print", "auto takes the first camera",
    ),
    "no-camera": ("boneace.cameras", "a = mine.it:A", "A = 'x'", "'x' cannot be called"),
    "built-in-panel": ("boneace.panels", "gpio = mine.it:A", "A = print", "that name is taken"),
    "no-catalogue": ("boneace.languages", "xx = mine.it", "", "is no package"),
    "empty-package": ("boneace.languages", "xx = mine", "", "is no boneace.mo in the package mine"),
    "no-module": ("boneace.languages", "xx = mine.it:A", "A = 1", "name the one that holds"),
    "odd-name": ("boneace.panels", "a/b = mine.it:A", "A = print", "letters, digits, - and _"),
}  # fmt: skip


@pytest.mark.parametrize(("group", "line", "source", "told"), CASES.values(), ids=CASES)
def test_it_is_left_out_and_told(tmp_path, group, line, source, told):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "it.py").write_text(source, encoding="utf-8")
    register(tmp_path, f"[{group}]\n{line}")
    script = """
import sys
from device import plugins
from device.diagnostics.plugins import REGISTRIES, additions
plugins.enable()
check = additions()
print(check.status, check.detail)
print([name for registry in REGISTRIES for name in registry if registry.plugin_of(name)])
print([len(registry) for registry in REGISTRIES])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env=environment(tmp_path, tmp_path), cwd=tmp_path, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, added, numbers = done.stdout.splitlines()[-3:]
    assert first.startswith("problem ")
    assert told in first
    assert "of my-table 1" in first
    assert first.endswith("pip uninstall my-table")
    assert added == "[]"
    assert numbers == str([len(registry) for registry in REGISTRIES]), "what is ours is there"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('msgid "{name} deals."\nmsgstr "{nome} deals."', "a name in braces that"),
        ('msgid "{name} deals."\nmsgstr "{} deals."', "a name in braces that"),
        ('msgid "Undo"\nmsgstr "{"', "ValueError"),
        ("", "OSError"),
    ],
    ids=["misspelt", "nameless", "half-a-brace", "not-compiled"],
)
def test_a_catalogue_that_would_stop_the_table_is_refused(tmp_path, entry, told):
    (tmp_path / "mine").mkdir()
    head = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"'
    text = f'msgid ""\nmsgstr ""\n{head}\n\n{entry}\n'
    path = tmp_path / "mine" / "boneace.po"
    path.write_text(text, encoding="utf-8")
    if entry:
        compile_catalogue(path)
    else:
        path.rename(path.with_suffix(".mo"))
    register(tmp_path, "[boneace.languages]\nxx = mine")
    done = subprocess.run(
        [sys.executable, "-m", "device.cli", "doctor", "additions"],
        capture_output=True, text=True, check=False,
        env=environment(tmp_path, tmp_path), cwd=tmp_path, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert told in done.stdout
    assert "pip uninstall my-table" in done.stdout


@pytest.mark.parametrize(
    ("group", "config"),
    [
        ("games", '[game]\nname = "broken"'),
        ("themes", '[display]\ntheme = "broken"'),
        ("languages", '[display]\nlanguage = "broken"'),
        ("cameras", '[camera]\nspec = "broken:here"'),
        ("panels", '[panel]\nbackend = "broken:here"'),
    ],
)
def test_a_config_that_names_a_broken_thing_is_told_why(tmp_path, group, config):
    (tmp_path / "mine.py").write_text("raise ImportError('no driver here')", encoding="utf-8")
    register(tmp_path, f"[boneace.{group}]\nbroken = mine:Thing")
    configure(tmp_path, config)
    done = subprocess.run(
        [sys.executable, "-m", "device.cli", "config", "check"],
        capture_output=True, text=True, check=False,
        env=environment(tmp_path, tmp_path), cwd=tmp_path, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 1
    problem = done.stderr[done.stderr.index("boneace config:") :]
    assert "'broken' of my-table 1 cannot be used (ImportError: no driver here)" in problem
    assert "pip uninstall my-table" in problem
