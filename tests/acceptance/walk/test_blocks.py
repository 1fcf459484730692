"""What the pages show besides commands: settings load, programs run, what is printed is printed."""

import ast
import hashlib
import json
import tomllib

import numpy as np
import pygame
import pytest

from device.config.model import load
from device.croupier.questions import QuestionKind
from device.hall.messages import of_hall, of_table
from device.reports.bone_counts import FaceCounts
from device.reports.fairness import BLOCKS, report
from device.runtime.readings import read_answers
from device.runtime.truth import SEATS_OF
from engine import Deal, Face, Player, new_table, view
from engine.records.codec import event_from_dict
from engine.records.record import Record, write
from tests.support import plugin_package
from tests.support.doc_pages import ROOT, blocks

BY_TINKERER = "tests/acceptance/extend"
"""Runs what docs/how-to/extend.md and its pages hold: files, and the lines that name them."""

SETTINGS = [block for block in blocks("toml") if "project" not in tomllib.loads(block.text)]
PROGRAMS = blocks("python")


@pytest.mark.parametrize("block", SETTINGS, ids=str)
def test_settings_of_the_pages_can_be_used(block, tmp_path):
    if '"midnight"' in block.text or '"serial:' in block.text:
        return  # the names of additions: tests/acceptance/extend sets them
    path = tmp_path / "config.toml"
    path.write_text(block.text, encoding="utf-8")
    loaded = load([path])
    for table, keys in tomllib.loads(block.text).items():
        for key, value in keys.items():
            if not isinstance(value, dict | list):
                assert getattr(getattr(loaded, table), key) == value


def test_names_of_additions_in_settings_are_those_that_are_added():
    held = "\n".join(plugin_package.files().values())
    assert "midnight" in held
    assert "serial" in held
    named = (ROOT / BY_TINKERER / "test_tinkerer.py").read_text(encoding="utf-8")
    assert "def test_the_config_knows_the_names" in named


def for_screens():
    state = new_table("bone-ace", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
    return {"surface": pygame.Surface((800, 480)), "view": view(state)}


def for_records():
    state = new_table("bone-ace", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
    record = write(Record(opening=state, events=((0.5, Deal(0, None)),)))
    return {"record": dict(record), "json": json, "hashlib": hashlib}


GIVEN = {
    "docs/how-to/add-a-game.md": dict,
    "docs/how-to/languages.md": lambda: {"language": "fr", "name": "Ann", "count": 2},
    "docs/why/odds.md": dict,
    "docs/reference/record.md": for_records,
    "docs/how-to/screens.md": for_screens,
}
"""What each page's program takes for granted."""


def run(block, **names):
    """Run a program of a page; return what its lines come to, and its names."""
    told = []
    for node in ast.parse(block.text).body:
        line = ast.unparse(node)
        if isinstance(node, ast.Expr):
            told.append(eval(line, names))
        else:
            exec(line, names)
    return told, names


@pytest.mark.parametrize("block", PROGRAMS, ids=str)
def test_programs_of_the_pages_run(block):
    if block.text in plugin_package.files().values():
        return  # a file: tests/acceptance/extend runs it
    assert block.page in GIVEN, "nothing runs this program: say here what it takes for granted"
    told, names = run(block, **GIVEN[block.page]())
    assert told or len(names) > len(GIVEN[block.page]()) + 1


def programs_of(page):
    (block,) = [each for each in PROGRAMS if each.page == page]
    return run(block, **GIVEN[page]())


def test_the_digest_of_the_page_finds_what_was_changed():
    (block,) = [each for each in PROGRAMS if each.page == "docs/reference/record.md"]
    given = for_records()
    given["record"]["game"] = "scat"
    with pytest.raises(AssertionError):
        run(block, **given)


def test_the_chances_of_the_page_are_chances():
    over, win, bones = programs_of("docs/why/odds.md")[0]
    assert over == 21 / 48, "of 48 unseen cards three eights, four nines, fourteen tens are over"
    assert 0 < win < 1
    assert bones == 2, "the table below says: at 11 to 14 two"


def test_the_words_of_the_page_are_translated():
    told = programs_of("docs/how-to/languages.md")[0]
    assert told[0] == "Ann donne."
    assert told[1].startswith("2 cartes")


def test_the_screens_of_the_page_are_drawn():
    told, names = programs_of("docs/how-to/screens.md")
    assert np.ptp(pygame.surfarray.array3d(names["surface"])) > 50
    written, touches = told[-1]
    assert {each.text for each in written} >= {"Menu", "Go on"}
    assert touches


ANSWERS = [each for each in blocks("json") if each.page == "docs/reference/readings.md"]


MESSAGES = [each for each in blocks("json") if each.page == "docs/reference/hall.md"]
EVENTS = [each for each in blocks("json") if each not in (*ANSWERS, *MESSAGES)]


def test_the_messages_of_the_page_are_messages_of_a_hall():
    status, event, have = (block.text.encode() for block in MESSAGES)
    assert of_table("boneace/v1/red-otter/status", status)[1] == "status"
    assert of_table("boneace/v1/red-otter/event", event)[2]["number"] == 7
    assert of_hall("boneace/v1/red-otter/have/hall", have)[0] == "hall"


@pytest.mark.parametrize("block", EVENTS, ids=str)
def test_events_of_the_page_are_events(block):
    for line in block.text.splitlines():
        event = json.loads(line)
        assert event.pop("t") > 0
        assert type(event_from_dict(event)).__name__.lower() == event["e"]


def test_the_answers_of_the_page_are_answers(tmp_path):
    (block,) = ANSWERS
    path = tmp_path / "truth.json"
    path.write_text(block.text, encoding="utf-8")
    assert set(read_answers(path)) <= {*SEATS_OF, *QuestionKind, "turns", "throws"}


def test_the_chart_of_the_bones_is_what_is_printed():
    """The page leaves out some lines in the middle."""
    (block,) = [each for each in blocks("") if each.page == "docs/how-to/bones.md"]
    fell = dict(zip(Face, (9, 30, 31, 10), strict=True))
    none = dict.fromkeys(Face, 0)
    counts = FaceCounts(fell, none, throws=21, rounds=4, sittings=1, put_right=2)
    printed = list(report(counts, "brass", BLOCKS))
    start = block.text.splitlines()
    end = start.index("...")
    assert printed[:end] == start[:end]
    assert [line for line in start[end + 1 :] if line not in printed] == []
