"""Every command that a page tells is run by a test, or by a check that is named.

Run here: the tests of this folder say by ``@pytest.mark.tries(...)`` what they run, and fail when
they do not. Run elsewhere: ``checked_elsewhere.py`` names the file, and the words in it.
"""

import itertools
import re
import shutil
import subprocess

import pytest

from tests.acceptance.walk.checked_elsewhere import CHECKED, NETWORK, PACKAGES
from tests.support import doc_pages
from tests.support.doc_pages import ROOT, claimed, spoken, typed

TOLD = {**spoken(), **typed()}


def accounted():
    return {*claimed(), *CHECKED, *NETWORK}


def begins(command, longer):
    """Say whether *command* is the beginning of *longer*, word by word.

    A word in brackets or in capitals stands for others: `boneace rules [GAME]` is `boneace rules`.
    """
    words = command.split()
    said = list(itertools.takewhile(lambda word: not re.match(r"\[|-*[A-Z]{2}", word), words))
    return len(said) > 1 and longer.split()[: len(said)] == said


@pytest.mark.parametrize("command", sorted(TOLD))
def test_each_command_of_the_pages_is_run(command):
    if command.startswith(PACKAGES):
        return
    known = accounted()
    # A sentence may name a command without what belongs behind it.
    named = command not in typed() and any(begins(command, longer) for longer in known)
    assert named or command in known, (
        f"{TOLD[command]} tells a command that nothing runs: {command}\n"
        "run it in a test of tests/acceptance/walk, marked @pytest.mark.tries(...), or name "
        "the check that does in tests/acceptance/walk/checked_elsewhere.py"
    )


@pytest.mark.parametrize("command", sorted(accounted()))
def test_what_is_accounted_for_is_still_told(command):
    assert command in TOLD, "no page tells it any more: take it out here, or tell it again"


@pytest.mark.parametrize("command", CHECKED)
def test_the_check_that_is_named_is_there(command):
    file, words = CHECKED[command]
    if not (ROOT / file).exists() and file.startswith(".ci/"):
        pytest.skip("what the project's own machine runs is no part of the source package")
    assert words in (ROOT / file).read_text(encoding="utf-8")


def test_a_command_that_nobody_runs_is_found(monkeypatch):
    """What this folder promises: an unknown command makes it fail."""
    page = doc_pages.text_of("README.md") + "\n```sh\nboneace juggle   # five balls\n```\n"
    monkeypatch.setattr(
        doc_pages, "text_of", lambda name: page if name == "README.md" else "nothing\n"
    )
    told = doc_pages.typed()
    assert "boneace juggle" in told
    assert "boneace juggle" not in accounted()
    assert "make demo" in told


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("a b   # c\n", ["a b"]),
        ("a '#' b # c\n\n# d\n", ["a '#' b"]),
        ("a \\\n   b\nc\n", ["a b", "c"]),
        ("for x in 1; do\n  y\ndone; z\nq\n", ["for x in 1; do y done; z", "q"]),
    ],
)
def test_how_a_script_is_taken_apart(script, commands):
    assert list(doc_pages.commands_in(script)) == commands


def fetched():
    """Return the packages of the system that pages tell to install."""
    names = set()
    for command in TOLD:
        if command.startswith(PACKAGES):
            names |= {word for word in command.split()[3:] if re.fullmatch(r"[a-z0-9.+-]+", word)}
            names |= {command.split()[2]} if command.startswith("apt-get") else set()
    return names


def test_packages_that_are_fetched_are_there():
    assert {"python3-venv", "espeak-ng"} <= fetched()
    if shutil.which("apt-cache") is None:
        pytest.skip("needs Debian, to look its packages up")
    known = subprocess.run(
        ["apt-cache", "pkgnames"], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    if len(known) < 10_000:
        pytest.skip("apt knows only what is installed; run: sudo apt update")
    assert fetched() - set(known) == set()


@pytest.mark.parametrize("block", doc_pages.blocks(*doc_pages.SHELL), ids=str)
def test_the_shell_understands_each_block(block):
    done = subprocess.run(
        ["bash", "-n"], input=block.text, capture_output=True, text=True, check=False, timeout=10
    )
    assert done.stderr == ""
