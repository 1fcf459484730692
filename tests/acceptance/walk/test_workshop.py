"""Who carries on the work: make's targets, the programs beside the tests, and training.

What takes minutes or hours is not run to its end here. Its program is loaded, and asked whether it
understands every word that the page gives it.
"""

import ast
import functools
import re
import subprocess
import sys

import pytest

from tests.support.doc_pages import ROOT, blocks, commands_in
from tests.support.paths import SHARED

# make's targets


def programs(plan):
    """Return what make would run, as files below the root."""
    lines = re.findall(r"^\.venv/bin/(?:python|pytest) ([\w/]+\.py)\b", plan, re.MULTILINE)
    assert lines, plan
    return lines


@functools.cache
def what_loads():
    """Load the programs of the workshop, none of which starts then; return those that can be."""
    paths = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    names = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}
    mains = [
        name
        for name, text in names.items()
        if '\nif __name__ == "__main__"' in text and "atheris" not in text
    ]
    script = """
import runpy, sys
for name in sys.argv[1:]:
    runpy.run_path(name, run_name="loaded")
    print("loaded", name, flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, *sorted(mains)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^loaded (.*)$", done.stdout, re.MULTILINE))


@pytest.mark.tries(
    "make bench",
    "make bench-share",
    "make count",
    "make booth",
    "make demos",
    "make evening",
    "make release",
    "make pictures",
    "make soak",
    "make fuzz",
    "make appliance",
    "make arm64",
    "sudo make appliance",
    "sudo make arm64",
)
def test_what_make_would_run_for_hours_can_be_started(newcomer, house, request):
    newcomer.at = house.clone
    for command in request.node.get_closest_marker("tries").args:
        for program in programs(newcomer.run(command, more="--dry-run").out):
            assert (ROOT / program).is_file(), f"{command}: {program}"
            if "/check_" not in program:  # a file of tests, gathered by pytest alone
                assert program in what_loads(), f"{command}: {program}"


def test_every_target_makes_its_environment_first():
    """Whoever types make right after the clone gets what it needs."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split():
        needs = re.search(rf"^{target}:(.*)$", text, re.MULTILINE)[1]
        makes = "$(DEMO)" if target == "demo" else "$(STAMP)"
        assert target == "clean" or makes in needs, target


def test_without_venv_it_is_said_what_to_install(tmp_path):
    """A minimal Debian has Python, but not the package that makes environments."""
    (tmp_path / "pyproject.toml").touch()
    words = ["make", "--file", ROOT / "Makefile", "PYTHON=false", "demo"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "run: sudo apt install python3-venv" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


# Programs beside the tests


@pytest.mark.tries("python tests/acceptance/faults/recover.py")
def test_a_program_without_options_can_be_started(newcomer):
    assert "tests/acceptance/faults/recover.py" in what_loads()
    newcomer.ran.append("python tests/acceptance/faults/recover.py")


@pytest.mark.tries(
    "python benchmarks/accuracy.py --decks modern four-colour old --packaged WORK --cards 208",
    "python benchmarks/accuracy.py --decks old",
    "python benchmarks/photographs.py",
    "python benchmarks/photographs.py --set dev2 --half report",
    "python benchmarks/hard_scenes.py",
    "python benchmarks/screens.py",
    "python benchmarks/counting.py",
    "python benchmarks/soak/cards.py",
    "python benchmarks/chain.py",
    "python benchmarks/bone_faces.py dyes",
    "python benchmarks/bone_faces.py small",
    "python benchmarks/bone_faces.py dyes --light noise",
    "python benchmarks/bone_faces.py taught --work WORK",
    "python benchmarks/phantoms.py",
    "python benchmarks/full_mats.py",
    "python benchmarks/piles.py",
    "python benchmarks/touching.py --seed 1000",
    "python benchmarks/touching.py --at-once --seed 1000",
    "python benchmarks/deck_check.py",
    "python benchmarks/replicas.py --work WORK --count 128",
    "python benchmarks/jokers.py WORK --beside 3 --seed 43",
    "python benchmarks/web.py --events 60",
    "python benchmarks/welcome.py",
    "python tests/acceptance/booth/visitors.py --stand-in --touch --out DIR",
    "python tests/acceptance/evening/evening.py --hours 2 --seed 3",
    "python tests/acceptance/evening/evening.py --page",
    "python tests/support/playthrough.py --out DIR",
)
def test_every_word_is_understood_by_its_program(newcomer, house, request):
    """It is given one word more, which it must be the only one to refuse: so it does not start."""
    newcomer.at = house.clone
    for command in request.node.get_closest_marker("tries").args:
        told = newcomer.run(command, more="--no-such-word", status=2, WORK="out", DIR="out").err
        assert told.endswith("error: unrecognized arguments: --no-such-word\n"), told


@pytest.mark.tries("python tests/acceptance/faults/fuzz_guided.py KIND", "pip install atheris")
def test_what_is_missing_for_the_longer_fuzzing_is_named(newcomer, house):
    newcomer.at = house.clone
    newcomer.stands_in("pip", 'echo "pip $*" >> "$CALLED"')
    newcomer.run("pip install atheris")
    try:
        import atheris  # noqa: F401
    except ImportError:
        told = newcomer.run(
            "python tests/acceptance/faults/fuzz_guided.py KIND", status=1, KIND="record"
        ).err
        assert "pip install atheris" in told
    else:
        told = newcomer.run(
            "python tests/acceptance/faults/fuzz_guided.py KIND", status=1, KIND="none"
        ).err
        assert "name what to fuzz" in told


SCORE = (
    "python3 ../shared/tools/score.py ../shared/cards/manifest.csv --kind single --kind separate "
    '--command ".venv/bin/boneace read --format json"'
)


@pytest.mark.tries(SCORE)
def test_the_score_of_photographs_is_counted(newcomer, house):
    """Six photographs of several thousand, to see that it can be done."""
    if not (SHARED).is_dir():
        newcomer.excuse("needs the photographs beside the project, ../shared")
    newcomer.at = house.clone
    (house.clone.parent / "shared").symlink_to(SHARED)
    told = newcomer.run(SCORE, more="--limit 6").out
    assert re.search(r"^ALL +6 +\d+ +[4-9]", told, re.MULTILINE), told


# Training


@functools.cache
def options(module):
    """Return the options and the choices that a program of training takes."""
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    if "from vision.training.train import" in text:
        # What works with the networks of the trainer takes its options, or names its networks.
        text += path.with_name("train.py").read_text(encoding="utf-8")
    found = set()
    for node in ast.walk(ast.parse(text.replace("from __future__ import annotations", ""))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            found.add(ast.literal_eval(node.args[0]))
            for more in node.keywords:
                if more.arg == "choices" and not isinstance(more.value, ast.Name):
                    found |= set(ast.literal_eval(more.value))
    return found


SCRIPTS = [block.text for block in blocks("sh") if ".venv-train" in block.text]
"""Of the cards' networks, and of the bones', which takes the first for granted."""

NOTES = 'echo "$(basename "$0") $*" >> "$CALLED"'
NPM = f"{NOTES}; mkdir -p package; tar czf x.tgz package; echo x.tgz"
VENV = f"""{NOTES}; mkdir -p .venv-train/bin
for name in python pip; do
  printf '#!/bin/bash\\n%s\\n' '{NOTES}' > .venv-train/bin/$name
  chmod +x .venv-train/bin/$name
done"""


@pytest.mark.tries(*(each for script in SCRIPTS for each in commands_in(script)))
def test_the_script_of_training_runs_through(newcomer):
    """With stand-ins for what fetches gigabytes and what trains for hours."""
    for name in ("apt-get", "apt", "dpkg"):
        newcomer.stands_in(name, NOTES)
    newcomer.stands_in("npm", NPM)
    newcomer.stands_in("python3", VENV)
    # The bones' come first by the name of their page.
    for script in reversed(SCRIPTS):
        newcomer.run(f"set -e\n{script}")
        newcomer.ran.extend(commands_in(script))
    calls = [line.split() for line in newcomer.called() if " -m vision.training." in line]
    assert len(calls) > 12
    for _, _, module, *words in calls:
        known = options(module)
        asked = {word for word in words if word.startswith("--")}
        assert asked <= known, f"{module} takes none of {asked - known}"
